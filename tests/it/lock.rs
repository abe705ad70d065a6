//! Two writers: the second waits, and then says who holds the lock.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crownhead::board::Variant;
use crownhead::book::Book;
use crownhead::game::ReplayOptions;
use crownhead::import::{self, ImportObserver, ImportOptions};
use crownhead::intake::{self, Chunk, Input};
use crownhead::query;
use crownhead::rules::Position;
use crownhead::store::{Database, StoreError};
use tempfile::tempdir;

use crate::database::{import_files, random_games};
use crate::support::{crownhead, random_pdn};

/// Tries to write while another does.
struct Second {
    path: PathBuf,
    told: Vec<String>,
}

impl ImportObserver for Second {
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
    let replay = ReplayOptions::for_variant(Variant::English);
    let options = ImportOptions { intake: intake::ReadOptions { replay, form: None, threads: 1 }, strict: false };
    let mut second = Second { path: db.clone(), told: Vec::new() };
    let (book, stop) = (Book::embedded().unwrap(), AtomicBool::new(false));
    let inputs = intake::inputs(&[pdn]).unwrap();
    import::import(&mut database, &inputs, &book, &options, &stop, &mut second).unwrap();
    let wanted = format!("process {}, ", std::process::id());
    let told = &second.told[..];
    assert!(told.len() == 1 && told[0].starts_with(&wanted) && told[0].ends_with(" s"), "since when: {told:?}");
    assert!(!lock.exists(), "the file goes with the writer");
    let (mut database, _) = Database::create(&db).unwrap();
    assert_eq!(database.remove_source(1).unwrap().lines, 20);
    assert!(!lock.exists());
}

#[test]
fn readers_see_whole_batches_while_an_import_runs() {
    let folder = tempdir().unwrap();
    let (db, pdn) = (folder.path().join("a.db"), folder.path().join("a.pdn"));
    fs::write(&pdn, random_games(6_000_000, 40, 3)).unwrap();
    let mut database = Database::create(&db).unwrap().0;
    database.commit_every(1);
    let done = AtomicBool::new(false);
    let seen = thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut seen: Vec<i64> = Vec::new();
            while !done.load(Ordering::Relaxed) {
                let database = Database::open(&db).unwrap();
                database.hold_snapshot().unwrap();
                let totals = database.totals().unwrap();
                let stats = query::position_stats(&database, &Position::start(Variant::English)).unwrap();
                assert_eq!(i64::from(stats.games), totals.games, "lines and index are of one batch");
                let told = "SELECT coalesce(sum(stored), 0) FROM source";
                let told: i64 = database.connection().query_row(told, [], |row| row.get(0)).unwrap();
                assert_eq!(told, totals.games, "and so are the counts");
                if seen.last() != Some(&totals.games) {
                    seen.push(totals.games);
                }
            }
            seen
        });
        import_files(&mut database, &[&pdn]);
        done.store(true, Ordering::Relaxed);
        reader.join().unwrap()
    });
    assert!(seen.len() > 3 && seen.is_sorted(), "several states were seen: {seen:?}");
}

/// Imports each of `texts` by a process of its own, all at once.
fn import_at_once(db: &Path, texts: &[PathBuf]) {
    thread::scope(|scope| {
        for text in texts {
            scope.spawn(move || {
                let ran = crownhead(db, &["import", text.to_str().unwrap()]);
                assert_eq!(ran.status, Some(0), "{}", ran.err);
            });
        }
    });
}

#[test]
fn a_second_import_waits_for_its_turn() {
    let folder = tempdir().unwrap();
    let db = folder.path().join("a.db");
    let texts = [1, 2, 3].map(|seed| {
        let path = folder.path().join(format!("{seed}.pdn"));
        fs::write(&path, random_pdn(seed, 1_000)).unwrap();
        path
    });
    import_at_once(&db, &texts);
    assert_eq!(Database::open(&db).unwrap().totals().unwrap().games, 3_000);
    assert_eq!(crownhead(&db, &["check"]).status, Some(0));
}

/// SQLite does not wait where two processes turn a new file into a database with a write-ahead log.
#[test]
fn several_imports_may_make_one_database_at_once() {
    let folder = tempdir().unwrap();
    let texts = [1, 2, 3].map(|seed| {
        let path = folder.path().join(format!("{seed}.pdn"));
        fs::write(&path, random_pdn(seed, 3)).unwrap();
        path
    });
    for round in 0..12 {
        let db = folder.path().join(format!("{round}.db"));
        import_at_once(&db, &texts);
        assert_eq!(Database::open(&db).unwrap().totals().unwrap().games, 9);
    }
}
