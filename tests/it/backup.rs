//! `backup`, and a database that is one file when an import has ended.

use std::fs;

use crownhead::store::Database;
use tempfile::tempdir;

use crate::support::{crownhead, crownhead_ends, random_pdn};

#[test]
fn after_an_import_the_file_alone_is_complete() {
    let folder = tempdir().unwrap();
    let (db, copy, pdn) = (folder.path().join("a.db"), folder.path().join("b.db"), folder.path().join("a.pdn"));
    fs::write(&pdn, random_pdn(1, 200)).unwrap();
    // A reader that stays: SQLite then keeps the write-ahead log.
    crownhead_ends(&db, 0, &["import", "--quiet", pdn.to_str().unwrap()]);
    let reader = Database::open(&db).unwrap();
    assert_eq!(reader.totals().unwrap().games, 200);
    fs::write(&pdn, random_pdn(2, 300)).unwrap();
    crownhead_ends(&db, 0, &["import", "--quiet", pdn.to_str().unwrap()]);
    let log = folder.path().join("a.db-wal");
    assert_eq!(fs::metadata(log).map_or(0, |log| log.len()), 0, "the log is empty");
    fs::copy(&db, &copy).unwrap();
    assert_eq!(Database::open(&copy).unwrap().totals().unwrap().games, 500);
}

#[test]
fn a_backup_of_a_database_in_use_is_whole() {
    let folder = tempdir().unwrap();
    let (db, copy, pdn) = (folder.path().join("a.db"), folder.path().join("b.db"), folder.path().join("a.pdn"));
    fs::write(&pdn, random_pdn(1, 50)).unwrap();
    crownhead_ends(&db, 0, &["import", pdn.to_str().unwrap()]);
    // A writer in the middle of its work: what it has not committed is not in the copy.
    let (writer, _) = Database::create(&db).unwrap();
    writer.connection().execute_batch("BEGIN IMMEDIATE; UPDATE line SET black = 'Nobody'").unwrap();
    let to = copy.to_str().unwrap();
    crownhead_ends(&db, 0, &["backup", to]);
    let list = ["--format", "csv", "games"];
    assert_eq!(crownhead_ends(&copy, 0, &list), crownhead_ends(&db, 0, &list));
    crownhead_ends(&copy, 0, &["check"]);
    // Nothing is written over unasked, and never the database itself.
    let refused = crownhead(&db, &["backup", to]);
    assert_eq!(refused.status, Some(2));
    assert!(refused.err.contains("--force"), "{}", refused.err);
    crownhead_ends(&db, 0, &["backup", "--force", to]);
    crownhead_ends(&db, 2, &["backup", "--force", db.to_str().unwrap()]);
    let files: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert!(files.iter().all(|file| !file.to_string_lossy().contains("partial")), "{files:?}");
}

#[test]
fn a_file_that_grew_twice_is_read_on() {
    let folder = tempdir().unwrap();
    let (db, pdn) = (folder.path().join("a.db"), folder.path().join("a.pdn"));
    // Longer than a chunk each, so that the second and third time parts of it are held, by two sources.
    let mut text = String::new();
    for seed in 1..=3 {
        text.push_str(&random_pdn(seed, 1_500));
        fs::write(&pdn, &text).unwrap();
        crownhead_ends(&db, 0, &["import", "--quiet", pdn.to_str().unwrap()]);
    }
    assert_eq!(Database::open(&db).unwrap().totals().unwrap().games, 4_500);
    crownhead_ends(&db, 0, &["check"]);
}
