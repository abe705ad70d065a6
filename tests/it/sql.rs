//! `sql`: reading and nothing else, within a time limit.

use std::fs;
use std::path::PathBuf;

use tempfile::{TempDir, tempdir};

use crate::support::{crownhead, crownhead_ends};

fn database() -> (TempDir, PathBuf) {
    let folder = tempdir().unwrap();
    let (db, pdn) = (folder.path().join("a.db"), folder.path().join("a.pdn"));
    fs::write(&pdn, "[Black \"A\"]\n[Result \"1-0\"]\n1. 11-15 23-19 8-11 1-0\n\n[Black \"B\"]\n[Result \"0-1\"]\n1. 9-14 22-18 0-1\n")
        .unwrap();
    crownhead_ends(&db, 0, &["import", pdn.to_str().unwrap()]);
    (folder, db)
}

#[test]
fn a_question_is_answered_in_every_format() {
    let (_folder, db) = database();
    let query =
        "SELECT id, black AS \"Name\", plies * 0.25 AS half, NULL AS unknown, x'0aff' AS raw FROM games ORDER BY id";
    let csv = crownhead_ends(&db, 0, &["--format", "csv", "sql", query]);
    assert_eq!(csv.replace('\r', ""), "id,Name,half,unknown,raw\n1,A,0.75,,0aff\n2,B,0.5,,0aff\n");
    let json = crownhead_ends(&db, 0, &["--format", "ndjson", "--limit", "1", "sql", query]);
    assert_eq!(json, "{\"id\":1,\"Name\":\"A\",\"half\":0.75,\"unknown\":null,\"raw\":\"0aff\"}\n");
    let picked = crownhead_ends(&db, 0, &["--format", "csv", "--columns", "name", "--sort", "-id", "sql", query]);
    assert_eq!(picked.replace('\r', ""), "Name\nB\nA\n");
    assert!(crownhead_ends(&db, 0, &["sql", query]).contains("Name"));
    let twice = crownhead_ends(&db, 0, &["--format", "ndjson", "sql", "SELECT 1 AS a, 2 AS a"]);
    assert_eq!(twice, "{\"a\":1,\"a_2\":2}\n");
    crownhead_ends(&db, 1, &["sql", "SELECT * FROM games WHERE id = 99"]);
}

#[test]
fn views_and_functions_know_openings_and_positions() {
    let (_folder, db) = database();
    for view in ["games", "sources", "openings", "losing_moves"] {
        assert_eq!(crownhead(&db, &["sql", &format!("SELECT count(*) AS n FROM {view}")]).status, Some(0), "{view}");
    }
    let query = "SELECT moves_text(1) AS moves, fen(1, 1) AS fen, fen(1, 99) AS beyond, fen(77, 0) AS no_line";
    let row = crownhead_ends(&db, 0, &["--format", "ndjson", "sql", query]);
    assert!(row.contains("\"11-15 23-19 8-11\"") && row.contains("\"W:W21"), "{row}");
    assert!(row.contains("\"beyond\":null,\"no_line\":null"), "{row}");
}

/// The rows of a question, joined by `|`.
fn rows(db: &std::path::Path, query: &str) -> Vec<String> {
    let ran = crownhead(db, &["--format", "csv", "sql", query]);
    assert!(matches!(ran.status, Some(0 | 1)), "{query}: {}", ran.err);
    ran.out.lines().skip(1).map(|row| row.trim_end().replace(',', "|")).collect()
}

#[test]
fn tables_of_positions_moves_and_plies_are_found_by_key_and_walked() {
    let (_folder, db) = database();
    // The start, by another spelling of it too.
    let start = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
    for fen in [start, "B:W21-32:B1-12", "B:B1-12:W21-32."] {
        let asked =
            format!("SELECT turn, games, lines, black_wins, white_wins, score FROM positions WHERE fen = '{fen}'");
        assert_eq!(rows(&db, &asked), ["black|2|2|1|1|0.5"], "{fen}");
        let asked =
            format!("SELECT move, games, black_wins, position_games FROM moves WHERE fen = '{fen}' ORDER BY move");
        assert_eq!(rows(&db, &asked), ["11-15|1|1|1", "9-14|1|0|1"], "{fen}");
    }
    assert_eq!(
        rows(&db, "SELECT ply, side, move FROM plies WHERE game = 1"),
        ["1|black|11-15", "2|white|23-19", "3|black|8-11"]
    );
    assert_eq!(rows(&db, "SELECT count(*) FROM plies WHERE game IN (1, 2, 77)"), ["5"]);
    assert_eq!(rows(&db, "SELECT count(*), sum(games), max(lines) FROM positions"), ["6|7|2"]);
    assert_eq!(rows(&db, "SELECT count(*), sum(games) FROM moves"), ["5|5"]);
    assert_eq!(rows(&db, "SELECT count(*) FROM plies"), ["5"]);
    // What follows the last ply of each game, and what was played where a game stood.
    let joined = "SELECT plies.game, count(moves.move) FROM plies LEFT JOIN moves ON moves.fen = plies.fen GROUP BY 1 ORDER BY 1";
    assert_eq!(rows(&db, joined), ["1|2", "2|1"]);
    let joined = "SELECT games.id, games FROM games JOIN positions ON positions.fen = fen(games.id, plies) ORDER BY 1";
    assert_eq!(rows(&db, joined), ["1|1", "2|1"]);
    assert!(rows(&db, "SELECT * FROM positions WHERE fen IS NULL OR fen = 5").is_empty());
    let plan = rows(&db, "EXPLAIN QUERY PLAN SELECT * FROM moves WHERE fen = 'x'").join(" ");
    assert!(plan.contains("INDEX 1"), "{plan}");
    let slip = crownhead(&db, &["sql", "SELECT * FROM moves WHERE fen = 'B:W99:B1'"]);
    assert!(slip.status == Some(2) && slip.err.contains("is no position"), "{}", slip.err);
    // Worded once.
    assert_eq!(slip.err.matches("is no position").count(), 1, "{}", slip.err);
    assert!(!slip.err.contains("SQL logic error"), "{}", slip.err);
    // A number is the same however it is written; a text that comes out of a join and is no FEN is no match.
    assert_eq!(rows(&db, "SELECT count(*) FROM plies WHERE game = 2.0"), ["2"]);
    assert!(rows(&db, "SELECT * FROM plies WHERE game = 2.5 OR game = -1.0").is_empty());
    let joined = "SELECT games.id, positions.games FROM games LEFT JOIN positions ON positions.fen = games.source";
    assert_eq!(rows(&db, joined), ["1|", "2|"]);
    for write in [
        "DELETE FROM moves",
        "INSERT INTO positions (fen) VALUES ('x')",
        "UPDATE plies SET move = 'x'",
        "DROP TABLE plies",
    ] {
        assert_eq!(crownhead(&db, &["sql", write]).status, Some(2), "{write}");
    }
    let endless = "SELECT count(*) FROM plies a, plies b, plies c, plies d, plies e, plies f, plies g, plies h, plies i, plies j, plies k, plies l";
    let ran = crownhead(&db, &["sql", "--timeout", "1", endless]);
    assert!(ran.status == Some(2) && ran.err.contains("longer than 1 second"), "{}", ran.err);
}

#[test]
fn a_result_is_bounded_in_bytes_too() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("x.db");
    fs::write(folder.path().join("a.pdn"), "1. 11-15 *").unwrap();
    crownhead_ends(&db, 0, &["import", folder.path().join("a.pdn").to_str().unwrap()]);
    let ran = crownhead(&db, &["sql", "SELECT zeroblob(100000000)"]);
    assert!(ran.status == Some(2) && ran.err.contains("too big"), "{}", ran.err);
    let many = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30) SELECT replace(hex(zeroblob(10000000)), '0', 'x') FROM n";
    let ran = crownhead(&db, &["--format", "csv", "sql", many]);
    assert!(
        ran.status == Some(2) && ran.out.is_empty() && ran.err.contains("more than 256 MiB of text"),
        "{}",
        ran.err
    );
}

#[test]
fn help_and_readme_tell_every_column_there_is() {
    let (_folder, db) = database();
    let single = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let help = single(&crownhead_ends(&db, 0, &["sql", "--help"]));
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    for table in ["games", "sources", "openings", "losing_moves", "positions", "moves", "plies"] {
        let ran = crownhead(&db, &["--format", "csv", "sql", &format!("SELECT * FROM {table} LIMIT 0")]);
        let columns = ran.out.trim_end().replace(',', ", ");
        assert!(!columns.is_empty(), "{table}: {}", ran.err);
        assert!(help.contains(&format!("{table} {columns}")), "help of sql: {table} {columns}");
        assert!(
            readme.lines().any(|line| line.starts_with(&format!("| `{table}` |")) && line.contains(&columns)),
            "README: {table} {columns}"
        );
    }
}

#[test]
fn whatever_writes_is_refused() {
    let (folder, db) = database();
    let before = fs::read(&db).unwrap();
    let other = folder.path().join("other.db");
    let attach = format!("ATTACH '{}' AS other", other.display());
    let vacuum = format!("VACUUM INTO '{}'", other.display());
    for query in [
        "DELETE FROM line",
        "UPDATE source SET name = 'x'",
        "INSERT INTO opening_name (name) VALUES ('x')",
        "CREATE TABLE t (a)",
        "CREATE TEMP TABLE t (a)",
        "DROP VIEW games",
        "PRAGMA user_version = 7",
        "PRAGMA journal_mode = delete",
        "PRAGMA writable_schema = on",
        "PRAGMA query_only = off",
        "BEGIN IMMEDIATE",
        "SELECT load_extension('x')",
        "SELECT 1; DELETE FROM line",
        "WITH x AS (SELECT 1) DELETE FROM line",
        &attach,
        &vacuum,
        "nonsense",
        "",
    ] {
        let ran = crownhead(&db, &["sql", query]);
        assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{query}: {}", ran.err);
    }
    assert_eq!(fs::read(&db).unwrap(), before);
    assert!(!other.exists());
    crownhead_ends(&db, 0, &["sql", "PRAGMA table_info(line)"]);
}

#[test]
fn a_question_without_end_is_stopped() {
    let (_folder, db) = database();
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    let ran = crownhead(&db, &["sql", "--timeout", "1", endless]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.err.contains("longer than 1 second") && ran.err.contains("--timeout"), "{}", ran.err);
    let large = crownhead(&db, &["sql", "SELECT length(zeroblob(1000000000))"]);
    assert_eq!(large.status, Some(2), "{}", large.out);
}

#[test]
fn a_question_is_bounded_in_memory_and_columns() {
    let (_folder, db) = database();
    let wide = format!("SELECT {}", vec!["hex(zeroblob(16000000))"; 40].join(","));
    let sorted = "SELECT length(a) FROM (SELECT randomblob(30000000) AS a UNION ALL SELECT randomblob(30000000) \
        UNION ALL SELECT randomblob(30000000) UNION ALL SELECT randomblob(30000000)) ORDER BY a";
    for query in [wide.as_str(), sorted] {
        let ran = crownhead(&db, &["sql", query]);
        let is_told = ran.err.contains("needs more than 192 MiB of memory") && ran.err.lines().count() < 4;
        assert!(ran.status == Some(2) && ran.out.is_empty() && is_told, "{}", ran.err);
    }
    let columns = format!("SELECT {}", vec!["1"; 201].join(","));
    let ran = crownhead(&db, &["sql", &columns]);
    assert!(ran.status == Some(2) && ran.err.contains("more than 200 columns"), "{}", ran.err);
    // Sorting goes to disk where it can.
    let many = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) \
        SELECT count(*) FROM (SELECT hex(randomblob(50)) AS r FROM n ORDER BY r)";
    assert_eq!(rows(&db, many), ["100000"]);
}

/// Rates per game are small, and must not become nothing.
#[test]
fn fractions_in_data_read_back_as_the_same_numbers() {
    let (_folder, db) = database();
    let numbers = ["2.0/3", "1.0/3000", "0.00049", "1e-7", "-0.0001", "3.14159265358979", "123456.789012", "0.9999999"];
    let query = format!("SELECT {}", numbers.map(|number| format!("{number} AS \"{number}\"")).join(", "));
    let expected =
        "0.6666666666666666,0.0003333333333333333,0.00049,1e-7,-0.0001,3.14159265358979,123456.789012,0.9999999";
    let csv = crownhead_ends(&db, 0, &["--format", "csv", "sql", &query]);
    assert_eq!(csv.lines().nth(1), Some(expected));
    let ndjson = crownhead_ends(&db, 0, &["--format", "ndjson", "sql", &query]);
    let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&ndjson).unwrap();
    assert_eq!(object.values().map(ToString::to_string).collect::<Vec<_>>().join(","), expected);
    let markdown = crownhead_ends(&db, 0, &["--format", "markdown", "sql", &query]);
    assert_eq!(
        markdown.lines().nth(2),
        Some("| 0.667 | 0.000333 | 0.00049 | 0.0000001 | -0.0001 | 3.142 | 123456.789 | 0.9999999 |")
    );
    let share = "SELECT 1 * 1.0 / 2500 AS share, 0.0004 > 0 AS positive, 9e999 AS endless";
    assert_eq!(crownhead_ends(&db, 0, &["--format", "csv", "sql", share]), "share,positive,endless\n0.0004,1,\n");
}
