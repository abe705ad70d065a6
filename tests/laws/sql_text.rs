//! The law of questions in SQL: whatever is asked, the answer has no more rows than were asked for and no column twice, comes within
//! its time, and leaves the database and its folder as they were, byte for byte.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use crownhead::query;
use crownhead::store::Database;

use super::common::{files, import_file};

/// Rows that are asked for.
const ROWS: usize = 200;
/// The time a question is given.
const LIMIT: Duration = Duration::from_millis(200);
/// The time in which it must have ended, on a busy machine too.
const LATEST: Duration = Duration::from_secs(8);

/// A database in a folder of its own, and its bytes.
struct Asked {
    folder: tempfile::TempDir,
    path: PathBuf,
    bytes: Vec<u8>,
}

static ASKED: LazyLock<Asked> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = folder.path().join("games.db");
    let (mut database, _) = Database::create(&path).expect("a database can be made");
    for (number, text) in files("tests/report", &["pdn"]).iter().enumerate() {
        let text_path = folder.path().join(format!("{number}.pdn"));
        fs::write(&text_path, text).expect("a scratch file can be written");
        import_file(&mut database, &text_path, None, None).expect("the fixtures can be imported");
        fs::remove_file(&text_path).expect("a scratch file can be removed");
    }
    drop(database);
    let bytes = fs::read(&path).expect("the database can be read");
    Asked { folder, path, bytes }
});

pub(super) fn check(bytes: &[u8]) {
    let question = String::from_utf8_lossy(bytes);
    let asked = &*ASKED;
    let started = Instant::now();
    let mut database = Database::open(&asked.path).expect("the database is whole");
    match query::sql(&mut database, &question, LIMIT, ROWS) {
        Ok(table) => {
            assert!(table.rows.len() <= ROWS, "more rows than were asked for");
            assert!(table.rows.iter().all(|row| row.len() == table.columns.len()));
            let names: HashSet<&str> = table.columns.iter().map(|column| &*column.name).collect();
            assert_eq!(names.len(), table.columns.len(), "two columns have one name");
        }
        Err(error) => drop(error.to_string()),
    }
    drop(database);
    assert!(started.elapsed() < LATEST, "it took {:?}", started.elapsed());
    assert!(fs::read(&asked.path).expect("the database can be read") == asked.bytes, "the database was changed");
    let entries = fs::read_dir(asked.folder.path()).expect("the folder can be read").flatten();
    let names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    assert!(names.iter().all(|name| name.starts_with("games.db")), "files were made: {names:?}");
}

pub(super) fn seeds() -> Vec<Vec<u8>> {
    let questions = [
        "SELECT * FROM games",
        "SELECT winner, count(*) AS n FROM games GROUP BY winner ORDER BY n DESC",
        "SELECT id, fen(id, plies), moves_text(id) FROM games LIMIT 5",
        "SELECT move, games FROM moves WHERE fen = 'B:W21-32:B1-12'",
        "SELECT * FROM positions WHERE games > 1 ORDER BY games DESC LIMIT 9",
        "SELECT * FROM plies WHERE game = 1 AND losing",
        "SELECT name, games FROM openings JOIN games ON opening = name",
        "SELECT * FROM sources, losing_moves",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT sum(i) FROM n",
        "SELECT group_concat(name, x'00') FROM (SELECT name FROM sqlite_schema)",
        "EXPLAIN QUERY PLAN SELECT * FROM moves JOIN positions USING (fen)",
        "PRAGMA table_info(line)",
        "PRAGMA journal_mode = delete",
        "ATTACH 'other.db' AS other",
        "VACUUM INTO 'other.db'",
        "DELETE FROM line; SELECT 1",
        "SELECT zeroblob(1e9), printf('%1000000s', 1), randomblob(100)",
        "SELECT quote(zstd) FROM text",
        "SELECT json_each.value FROM line, json_each(tags)",
        "SELECT 9223372036854775807 + 1, 1e999, -0.0, 1 / 0, '' || NULL",
    ];
    questions.iter().map(|question| question.as_bytes().to_vec()).collect()
}
