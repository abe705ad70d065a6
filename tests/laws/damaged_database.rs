//! The law of damaged databases: whatever is in the file, nothing that reads it panics, runs for ever or shows play that is not
//! legal; and if `check` finds nothing, every game has the moves it had.
//!
//! An input edits a whole database: a byte that says how, then (0) four bytes per edit of the file (offset, value), (1) the same
//! after three bytes of where the file is cut, or (2) SQL that is run on it by a connection which may do everything.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use crownhead::board::{Move, Variant};
use crownhead::query::{self, Filters, Material, PositionSearch, Sort};
use crownhead::report::{REPORTS, Request};
use crownhead::rules::Position;
use crownhead::store::Database;
use rusqlite::Connection;
use rusqlite::limits::Limit;

use super::common::{BOOK, Scratch, assert_legal, files, import_file};

/// Steps of SQLite's machine that the SQL of an input may take, in thousands.
const STEPS: i32 = 200;

type Play = BTreeMap<u32, (Position, Vec<Move>)>;

/// The bytes of a whole database, and what is in it.
static WHOLE: LazyLock<(Vec<u8>, Play)> = LazyLock::new(|| {
    let scratch = Scratch::new();
    let path = scratch.path("whole.db");
    let (mut database, _) = Database::create(&path).expect("a database can be made");
    for text in [files("tests/report", &["pdn"]), files("tests/corpus/book", &["txt"])].concat() {
        let input = scratch.file("input", &text);
        import_file(&mut database, &input, None, None).expect("the fixtures can be imported");
    }
    let play = play_of(&database).expect("the database is whole");
    drop(database);
    (fs::read(&path).expect("the database can be read"), play)
});

pub(super) fn check(bytes: &[u8]) {
    let [how, edits @ ..] = bytes else { return };
    let scratch = Scratch::new();
    let mut file = WHOLE.0.clone();
    let edits = match how % 3 {
        1 => {
            let Some((length, edits)) = edits.split_at_checked(3) else { return };
            file.truncate(number(length));
            edits
        }
        _ => edits,
    };
    if how % 3 != 2 {
        let length = file.len().max(1);
        for edit in edits.chunks_exact(4) {
            if let Some(byte) = file.get_mut(number(&edit[..3]) % length) {
                *byte = edit[3];
            }
        }
    }
    let path = scratch.file("damaged.db", &file);
    if how % 3 == 2 {
        run(&path, &String::from_utf8_lossy(edits));
    }
    if let Ok(database) = Database::open(&path).or_else(|_| Database::open_to_check(&path)) {
        read_everything(&database);
    }
    write(&scratch, &path);
}

fn number(bytes: &[u8]) -> usize {
    bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | usize::from(byte))
}

/// Runs SQL on a file. Errors are of no interest.
fn run(path: &Path, sql: &str) {
    let Ok(mut connection) = Connection::open(path) else { return };
    // No other file is touched.
    let limited = connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0).is_ok()
        && connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, 1 << 20).is_ok();
    let mut left = STEPS;
    let stop = move || {
        left -= 1;
        left < 0
    };
    if limited && connection.progress_handler(1_000, Some(stop)).is_ok() {
        let _ = connection.execute_batch(sql);
    }
}

/// Every line that can be read, which must be legal.
fn play_of(database: &Database) -> Option<Play> {
    let mut play = Play::new();
    for id in database.line_ids().ok()? {
        if let Ok(Some(line)) = database.line(id) {
            assert_legal(line.start, &line.moves);
            play.insert(id, (line.start, line.moves));
        }
    }
    Some(play)
}

/// Asks what commands ask.
fn read_everything(database: &Database) {
    let play = play_of(database);
    let sound = query::check(database).is_ok_and(|check| check.errors == 0);
    assert!(!sound || play.as_ref() == Some(&WHOLE.1), "check finds nothing, and games have other moves");
    let filters = Filters::default();
    for id in query::line_ids(database, &filters, &Sort::default()).unwrap_or_default() {
        if let Ok(Some(record)) = query::record(database, id) {
            let _ = (query::pdn(&record), record.plies());
        }
        let _ = (query::show(database, id), database.raw_text(id), query::MainLines::new(database).find(id));
    }
    let _ = query::games(database, &filters, &Sort::default());
    let _ = query::moves(database, &BOOK, &Position::start(Variant::English));
    let _ = (database.totals(), database.position_counts());
    let material = Material::read("12v12", Variant::English).ok();
    let search = PositionSearch { variant: Variant::English, position: None, pattern: None, material, reversed: false };
    let _ = query::find(database, &search);
    for report in REPORTS {
        let _ = report.make(&Request::new(database, &BOOK));
    }
}

/// Imports into the damaged database: it may fail.
fn write(scratch: &Scratch, path: &Path) {
    let input: PathBuf = scratch.file("more.pdn", b"[Event \"more\"]\n1. 10-14 24-19 2. 6-10 22-17 *\n");
    if let Ok((mut database, _)) = Database::create(path) {
        let _ = import_file(&mut database, &input, None, None);
        play_of(&database);
    }
}

pub(super) fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = vec![vec![0], vec![1, 0, 8, 0], vec![1, 0, 64, 0, 24, 0, 0, 255]];
    // A byte changed on each page: its header, its list of cells or what is in them.
    let changes = [(5_u32, 0xff), (60, 1), (4_000, 0x80)];
    for (page, (inside, value)) in (0..(WHOLE.0.len() / 4096) as u32).zip(changes.into_iter().cycle()) {
        let [a, b, c, _] = (page * 4096 + inside).to_le_bytes();
        seeds.push(vec![0, a, b, c, value]);
    }
    let statements = [
        "UPDATE copy SET moves = (SELECT moves FROM line WHERE id = 2) WHERE id = 1",
        "UPDATE copy SET plies = plies + 1, ballot = 3",
        "UPDATE note SET ply = ply + 1",
        "DELETE FROM note; DELETE FROM finding",
        "UPDATE source SET result_order = 'white-first', variant = 20",
        "UPDATE copy SET start = x'00', parent = id",
        "UPDATE copy SET parent = NULL, branch_ply = 99 WHERE parent IS NOT NULL",
        "UPDATE block SET data = zeroblob(20)",
        "UPDATE text SET zstd = x'28b52ffd', length = 99999999",
        "UPDATE facts SET data = zeroblob(3)",
        "UPDATE copy SET tags = '[[1]]', date = '9999', kind = 7",
        "CREATE TRIGGER t AFTER INSERT ON copy BEGIN DELETE FROM copy WHERE id < 3; END",
        "PRAGMA user_version = -1",
        "DROP VIEW games; CREATE VIEW games AS SELECT 1 AS id",
        "DELETE FROM line; DELETE FROM block; DELETE FROM segment; DELETE FROM text",
        "DROP TABLE facts; DROP INDEX line_identity",
    ];
    seeds.extend(statements.iter().map(|sql| [&[2], sql.as_bytes()].concat()));
    seeds
}
