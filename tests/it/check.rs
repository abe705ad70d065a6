//! `check`, and what damaged files do: a clear message, never a panic.

use std::fs;
use std::path::{Path, PathBuf};

use crownhead::query;
use crownhead::store::Database;
use tempfile::{TempDir, tempdir};

use crate::support::{crownhead, crownhead_ends, random_pdn};

fn small_database() -> (TempDir, PathBuf) {
    let folder = tempdir().unwrap();
    let (db, pdn) = (folder.path().join("a.db"), folder.path().join("a.pdn"));
    fs::write(&pdn, random_pdn(3, 60)).unwrap();
    crownhead_ends(&db, 0, &["import", "--quiet", pdn.to_str().unwrap()]);
    (folder, db)
}

/// Runs SQL behind the program's back.
fn meddle(db: &Path, sql: &str) {
    let (database, _) = Database::create(db).unwrap();
    database.connection().execute_batch(sql).unwrap();
}

#[test]
fn a_whole_database_has_no_damage() {
    let (_folder, db) = small_database();
    let ran = crownhead(&db, &["check"]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(0), ""));
    assert!(ran.err.contains("60 of 60 lines whole") && ran.err.contains("No damage"), "{}", ran.err);
}

#[test]
fn results_that_cannot_be_right_are_listed_and_are_no_damage() {
    let folder = tempdir().unwrap();
    let (db, pdn) = (folder.path().join("a.db"), folder.path().join("a.pdn"));
    let text = "[Black \"A\"]\n[Result \"1-0\"]\n1. 11-15 23-19 0-1\n\n[Black \"B\"]\n[Result \"*\"]\n1. 11-15 22-18 1/2-1/2\n\n\
        [Black \"C\"]\n[FEN \"W:WK18:BK14\"]\n[Result \"1-0\"]\n1. 18x9 1-0\n";
    fs::write(&pdn, text).unwrap();
    crownhead_ends(&db, 0, &["import", pdn.to_str().unwrap()]);
    let rows = crownhead_ends(&db, 0, &["--format", "csv", "check"]);
    let rows: Vec<&str> = rows.lines().collect();
    assert_eq!(rows.len(), 3, "{rows:?}");
    assert!(rows[1].starts_with("warning,result,1,") && rows[1].contains("differ"), "{rows:?}");
    assert!(rows[2].starts_with("warning,result,3,") && rows[2].contains("White has won"), "{rows:?}");
}

#[test]
fn damage_is_told_part_by_part() {
    let parts = [
        ("UPDATE line SET moves = x'7f7f' WHERE id = 7", "line,7,"),
        ("UPDATE line SET plies = 3 WHERE id = 7", "line,7,"),
        ("UPDATE line SET kind = 9 WHERE id = 8", "line,8,"),
        ("UPDATE text SET zstd = x'00112233' WHERE id = 1", "text,1,"),
        ("UPDATE text SET digest = x'00' WHERE id = 1", "text,1,"),
        ("UPDATE text SET length = 9223372036854775807 WHERE id = 1", "text,1,"),
        ("UPDATE block SET data = x'ffffffff00' WHERE id = 1", "index,1,"),
        ("DELETE FROM block", "index,9,"),
        ("UPDATE facts SET data = x'00'", "facts,2,"),
        ("UPDATE source SET read = 99", "source,1,"),
        ("PRAGMA foreign_keys = OFF; DELETE FROM line WHERE id = 5", "index,5,"),
        ("PRAGMA foreign_keys = OFF; UPDATE line SET source = 4 WHERE id = 5", "file,5,"),
    ];
    for (sql, told) in parts {
        let (_folder, db) = small_database();
        meddle(&db, sql);
        let rows = crownhead_ends(&db, 1, &["--format", "csv", "check"]);
        assert!(rows.contains(&format!("\nerror,{told}")), "{sql}: {rows}");
    }
}

#[test]
fn flipped_bytes_never_end_in_a_panic() {
    let (folder, db) = small_database();
    let whole = fs::read(&db).unwrap();
    let damaged = folder.path().join("damaged.db");
    let commands: [&[&str]; 4] = [&["check"], &["games"], &["moves"], &["show", "1"]];
    // The program itself at some places, the library at many.
    let mut told = 0;
    for at in (0..whole.len()).step_by(whole.len() / 25) {
        let mut bytes = whole.clone();
        for byte in &mut bytes[at..(at + 8).min(whole.len())] {
            *byte ^= 0x5a;
        }
        fs::write(&damaged, &bytes).unwrap();
        for command in commands {
            let ran = crownhead(&damaged, command);
            assert!(matches!(ran.status, Some(0..=2)), "{command:?} at {at}: {:?} {}", ran.status, ran.err);
            assert!(!ran.err.contains("panicked"), "{command:?} at {at}: {}", ran.err);
            told += usize::from(command == ["check"] && ran.status != Some(0));
        }
    }
    assert!(told > 10, "check told of {told}");
    for at in (0..whole.len()).step_by(97) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&damaged, &bytes).unwrap();
        let Ok(database) = Database::open(&damaged) else { continue };
        let _ = query::check(&database);
        let _ = query::games(&database, &query::Filters::default(), &query::Sort::default());
        let _ = query::show(&database, 1).is_ok_and(|_| database.raw_text(1).is_ok());
    }
}

#[test]
fn cut_files_are_told() {
    let (folder, db) = small_database();
    let whole = fs::read(&db).unwrap();
    let cut = folder.path().join("cut.db");
    for length in [1, 50, 100, 4_096, 5_000, whole.len() / 2, whole.len() - 1] {
        fs::write(&cut, &whole[..length]).unwrap();
        let ran = crownhead(&cut, &["check"]);
        assert!(matches!(ran.status, Some(1 | 2)), "{length}: {:?} {}", ran.status, ran.err);
        assert!(
            ["damage", "another program", "no database"].iter().any(|told| ran.err.contains(told)),
            "{length}: {}",
            ran.err
        );
    }
}
