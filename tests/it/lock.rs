//! Two writers: the second waits, and then says who holds the lock.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crownhead::board::Variant;
use crownhead::book::Book;
use crownhead::game::ReplayOptions;
use crownhead::import::{self, Observer, Options};
use crownhead::intake::{self, Chunk, Input};
use crownhead::store::{Database, StoreError};
use tempfile::tempdir;

use crate::support::random_pdn;

/// Tries to write while another does.
struct Second {
    path: PathBuf,
    told: Vec<String>,
}

impl Observer for Second {
    fn chunk(&mut self, _: &Input, _: &Chunk) {
        let (mut database, _) = Database::create(&self.path).unwrap();
        database.connection().busy_timeout(Duration::from_millis(50)).unwrap();
        match database.remove_source(1) {
            Err(StoreError::Locked { by, .. }) => self.told.push(by),
            other => panic!("{other:?}"),
        }
        // Readers are not in the way and not hindered.
        assert_eq!(Database::open(&self.path).unwrap().totals().unwrap().games, 0);
    }
}

#[test]
fn a_second_writer_is_told_who_writes() {
    let folder = tempdir().unwrap();
    let (db, pdn) = (folder.path().join("a.db"), folder.path().join("a.pdn"));
    fs::write(&pdn, random_pdn(1, 20)).unwrap();
    let (mut database, _) = Database::create(&db).unwrap();
    let lock = folder.path().join("a.db.lock");
    // Of a process that is no more: passed over.
    fs::write(&lock, "4294967295 crownhead import old.pdn\n").unwrap();
    let replay = ReplayOptions::of(Variant::English);
    let options = Options { intake: intake::Options { replay, form: None, threads: 1 }, strict: false };
    let mut second = Second { path: db.clone(), told: Vec::new() };
    let (book, stop) = (Book::embedded().unwrap(), AtomicBool::new(false));
    let inputs = intake::inputs(&[pdn]).unwrap();
    import::import(&mut database, &inputs, &book, &options, &stop, &mut second).unwrap();
    let wanted = format!("process {}, ", std::process::id());
    assert!(second.told.len() == 1 && second.told[0].starts_with(&wanted), "{:?}", second.told);
    assert!(!lock.exists(), "the file goes with the writer");
    let (mut database, _) = Database::create(&db).unwrap();
    assert_eq!(database.remove_source(1).unwrap().lines, 20);
    assert!(!lock.exists());
}
