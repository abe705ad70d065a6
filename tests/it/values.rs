//! The words of values: win, draw and loss in every cell, in old databases too.

use std::path::{Path, PathBuf};

use crownhead::store::Database;
use tempfile::{TempDir, tempdir};

use crate::support::{crownhead, crownhead_ends};

/// The migrations before the words changed.
const BEFORE: [&str; 4] = [
    include_str!("../../src/store/migrations/0001_initial.sql"),
    include_str!("../../src/store/migrations/0002_ending.sql"),
    include_str!("../../src/store/migrations/0003_analyses.sql"),
    include_str!("../../src/store/migrations/0004_tree_values.sql"),
];
/// Old words, and those that replace them.
const WORDS: [(&str, &str); 5] =
    [("won", "win"), ("drawn", "draw"), ("lost", "loss"), ("not lost", "not-loss"), ("not won", "not-win")];

/// A database as an older version left it: an analysis with every word before a move and after one.
fn old_database() -> (TempDir, PathBuf) {
    let folder = tempdir().unwrap();
    let path = folder.path().join("old.db");
    let old = rusqlite::Connection::open(&path).unwrap();
    old.pragma_update(None, "foreign_keys", false).unwrap();
    for migration in BEFORE {
        old.execute_batch(migration).unwrap();
    }
    old.pragma_update(None, "user_version", 4).unwrap();
    old.pragma_update(None, "application_id", 0x4372_4864).unwrap();
    old.execute(
        "INSERT INTO analysis (line, maker, version, nodes, depth, proof_nodes, pieces, plies) \
                 VALUES (1, 'crownhead', '0.1.0', 1, 1, 1, 5, 9)",
        [],
    )
    .unwrap();
    for (ply, (word, _)) in (1..).zip(WORDS) {
        old.execute(
            "INSERT INTO swing (line, ply, is_swing, is_losing, witness, before, before_witness, after, after_witness, mark) \
             VALUES (1, ?1, 1, 0, 'engine', ?2, 'engine', ?2, 'proved', 'already lost before')",
            rusqlite::params![ply, word],
        )
        .unwrap();
    }
    (folder, path)
}

fn swings(path: &Path) -> Vec<(String, String, Option<String>)> {
    let analysis = Database::open(path).unwrap().analysis(1).unwrap().unwrap();
    analysis.swings.into_iter().map(|swing| (swing.before.to_string(), swing.after.to_string(), swing.mark)).collect()
}

#[test]
fn stored_values_of_an_older_version_have_the_new_words() {
    let (_folder, path) = old_database();
    let expected: Vec<_> = WORDS
        .iter()
        .map(|(_, word)| ((*word).to_owned(), (*word).to_owned(), Some("already lost before".to_owned())))
        .collect();
    // Reading changes nothing in the file, and says the new words all the same.
    assert_eq!(swings(&path), expected);
    drop(Database::create(&path).unwrap());
    assert_eq!(swings(&path), expected);
    let stored = crownhead_ends(&path, 0, &["--format", "csv", "sql", "SELECT before, after FROM swings ORDER BY ply"]);
    let rows: Vec<String> = WORDS.iter().map(|(_, word)| format!("{word},{word}")).collect();
    assert_eq!(stored.lines().skip(1).collect::<Vec<_>>(), rows);
}

#[test]
fn every_command_says_the_same_word_of_a_position() {
    let folder = tempdir().unwrap();
    let none = folder.path().join("none.db");
    for (fen, word) in [("W:WK16:BK26", "win"), ("B:WK12:BK19", "draw"), ("B:WK19:BK26", "loss")] {
        let cell = |args: &[&str]| {
            let ran = crownhead(&none, &[&["--format", "csv"], args, &[fen]].concat());
            let row = ran.out.lines().nth(1).unwrap_or_else(|| panic!("{args:?}: {}", ran.err)).to_owned();
            row.split(',').next().unwrap().to_owned()
        };
        assert_eq!(cell(&["--columns", "value", "moves"]), word, "moves {fen}");
        assert_eq!(cell(&["--columns", "value", "the-move"]), word, "the-move {fen}");
        assert_eq!(cell(&["--columns", "value", "egdb", "probe"]), word, "egdb probe {fen}");
    }
}
