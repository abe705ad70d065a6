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
    writer.connection().execute_batch("BEGIN IMMEDIATE; UPDATE copy SET black = 'Nobody'").unwrap();
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

#[test]
fn only_a_database_of_ours_is_replaced_by_a_copy() {
    let folder = tempdir().unwrap();
    let (db, pdn) = (folder.path().join("a.db"), folder.path().join("a.pdn"));
    fs::write(&pdn, random_pdn(1, 5)).unwrap();
    crownhead_ends(&db, 0, &["import", "--quiet", pdn.to_str().unwrap()]);
    let at = |name: &str| folder.path().join(name);
    let other = rusqlite::Connection::open(at("other.db")).unwrap();
    other.execute_batch("CREATE TABLE notes (text); INSERT INTO notes VALUES ('mine')").unwrap();
    drop(other);
    fs::write(at("notes.txt"), "my own notes").unwrap();
    for name in ["notes.txt", "a.pdn", "other.db"] {
        let before = fs::read(at(name)).unwrap();
        for force in [&["backup"][..], &["backup", "--force"]] {
            let ran = crownhead(&db, &[force, &[at(name).to_str().unwrap()]].concat());
            assert_eq!(ran.status, Some(2), "{name}: {}", ran.err);
        }
        assert_eq!(fs::read(at(name)).unwrap(), before, "{name}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(at("loop.db"), at("loop.db")).unwrap();
        for force in [&["backup"][..], &["backup", "--force"]] {
            let ran = crownhead(&db, &[force, &[at("loop.db").to_str().unwrap()]].concat());
            assert_eq!(ran.status, Some(2), "{}", ran.err);
        }
        assert!(fs::symlink_metadata(at("loop.db")).unwrap().is_symlink());
    }
    fs::write(at("empty.db"), "").unwrap();
    crownhead_ends(&db, 0, &["backup", "--force", at("empty.db").to_str().unwrap()]);
    crownhead_ends(&db, 0, &["backup", "--force", at("empty.db").to_str().unwrap()]);
    // The log of another database of that name would be played into the copy.
    fs::write(at("new.db-wal"), "frames").unwrap();
    for name in ["new.db", "empty.db"] {
        fs::write(at(&format!("{name}-wal")), "frames").unwrap();
        let ran = crownhead(&db, &["backup", "--force", at(name).to_str().unwrap()]);
        assert!(ran.status == Some(2) && ran.err.contains("-wal"), "{}", ran.err);
    }
    assert!(!at("new.db").exists());
}

#[test]
fn a_damaged_database_replaces_no_copy() {
    let folder = tempdir().unwrap();
    let (db, copy, pdn) = (folder.path().join("a.db"), folder.path().join("b.db"), folder.path().join("a.pdn"));
    fs::write(&pdn, random_pdn(1, 50)).unwrap();
    crownhead_ends(&db, 0, &["import", pdn.to_str().unwrap()]);
    crownhead_ends(&db, 0, &["backup", copy.to_str().unwrap()]);
    let sound = fs::read(&copy).unwrap();
    // SQLite itself sees nothing of it.
    let (writer, _) = Database::create(&db).unwrap();
    writer.connection().execute_batch("UPDATE copy SET round = '7' WHERE id = 3").unwrap();
    drop(writer);
    let ran = crownhead(&db, &["backup", "--force", copy.to_str().unwrap()]);
    assert_eq!(ran.status, Some(2), "{}", ran.err);
    assert!(ran.err.contains("1 damage was found") && ran.err.contains("b.db is not replaced"), "{}", ran.err);
    assert_eq!(fs::read(&copy).unwrap(), sound);
    // Under another name it is copied, and said to be damaged.
    let other = folder.path().join("c.db");
    let ran = crownhead(&db, &["backup", other.to_str().unwrap()]);
    assert!(ran.status == Some(1) && ran.err.contains("so is the copy"), "{}", ran.err);
    assert_eq!(crownhead(&other, &["check"]).status, Some(1));
    // A line that cannot be read is no illegal move.
    let (writer, _) = Database::create(&db).unwrap();
    writer.connection().execute_batch("UPDATE copy SET moves = x'ff' WHERE id = 5").unwrap();
    drop(writer);
    let found = crownhead(&db, &["--format", "csv", "--columns", "game,code", "verify", "--all"]);
    assert_eq!((found.status, found.out.as_str()), (Some(1), "game,code\n5,unreadable\n"), "{}", found.err);
}

#[test]
fn the_last_reader_leaves_one_file() {
    let folder = tempdir().unwrap();
    let (db, pdn) = (folder.path().join("a.db"), folder.path().join("a.pdn"));
    fs::write(&pdn, random_pdn(1, 50)).unwrap();
    crownhead_ends(&db, 0, &["import", "--quiet", pdn.to_str().unwrap()]);
    let names = || {
        let entries = fs::read_dir(folder.path()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    let reading: [&[&str]; 9] = [
        &["games"],
        &["moves"],
        &["show", "3"],
        &["search", "--pattern", "b9"],
        &["sql", "SELECT count(*) FROM plies"],
        &["export", "pdn"],
        &["check"],
        &["verify", "--all"],
        &["report", "players"],
    ];
    for args in reading {
        crownhead_ends(&db, 0, args);
        assert_eq!(names(), ["a.db", "a.pdn"], "{args:?}");
    }
    // While another reads, its files stay, and the last one removes them.
    let other = Database::open(&db).unwrap();
    crownhead_ends(&db, 0, &["games"]);
    assert_eq!(other.totals().unwrap().games, 50);
    drop(other);
    assert_eq!(names(), ["a.db", "a.pdn"]);
    // What a killed import left in the log is kept.
    let writer = rusqlite::Connection::open(&db).unwrap();
    writer.execute("UPDATE copy SET black = 'Latest'", []).unwrap();
    let copy = folder.path().join("copy");
    fs::create_dir(&copy).unwrap();
    for name in ["a.db", "a.db-wal"] {
        fs::copy(folder.path().join(name), copy.join(name)).unwrap();
    }
    assert!(crownhead_ends(&copy.join("a.db"), 0, &["games"]).contains("Latest"));
    let left: Vec<_> = fs::read_dir(&copy).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["a.db"]);
    assert!(crownhead_ends(&copy.join("a.db"), 0, &["games"]).contains("Latest"));
}

#[test]
fn readers_come_and_go_while_imports_run() {
    let folder = tempdir().unwrap();
    let db = folder.path().join("a.db");
    let text = |seed: u64| {
        let path = folder.path().join(format!("{seed}.pdn"));
        fs::write(&path, random_pdn(seed, 60)).unwrap();
        path.display().to_string()
    };
    crownhead_ends(&db, 0, &["import", "--quiet", &text(0)]);
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while !done.load(std::sync::atomic::Ordering::Relaxed) {
                    let ran = crownhead(&db, &["--format", "csv", "--columns", "id", "games"]);
                    assert_eq!(ran.status, Some(0), "{}", ran.err);
                    // Whole imports are seen.
                    assert_eq!(ran.out.lines().count() % 60, 1);
                }
            });
        }
        for seed in 1..8 {
            crownhead_ends(&db, 0, &["import", "--quiet", &text(seed)]);
        }
        done.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    crownhead_ends(&db, 0, &["check"]);
    assert_eq!(Database::open(&db).unwrap().totals().unwrap().games, 480);
    assert!(!folder.path().join("a.db-wal").exists());
}
