//! Databases that can be read and not written: reading commands read, writing commands say what is in the way.
//!
//! The system's administrator may write everywhere; as that, the program is run as nobody, where `setpriv` can do so.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::{TempDir, tempdir};

use crate::support::{Ran, crownhead_ends, random_pdn};

/// The words before the program that take an administrator's rights away; `None` where that cannot be done.
fn without_rights(folder: &Path) -> Option<Vec<&'static str>> {
    if fs::metadata(folder).unwrap().uid() != 0 {
        return Some(Vec::new());
    }
    let drop = vec!["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"];
    // The program itself must be within reach of nobody.
    let tried = Command::new(drop[0]).args(&drop[1..]).arg(env!("CARGO_BIN_EXE_crownhead")).arg("--version").output();
    tried.is_ok_and(|output| output.status.success()).then_some(drop)
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// A folder of mode 555 that holds `a.db`, of mode 644, and a text beside it.
fn place() -> (TempDir, PathBuf) {
    let folder = tempdir().unwrap();
    mode(folder.path(), 0o755);
    let inside = folder.path().join("kept");
    fs::create_dir(&inside).unwrap();
    let (db, pdn) = (inside.join("a.db"), folder.path().join("a.pdn"));
    fs::write(&pdn, random_pdn(5, 20)).unwrap();
    crownhead_ends(&db, 0, &["--quiet", "import", pdn.to_str().unwrap()]);
    fs::write(&pdn, random_pdn(6, 20)).unwrap();
    mode(&inside, 0o555);
    (folder, db)
}

fn run(before: &[&str], db: &Path, args: &[&str]) -> Ran {
    let words: Vec<&str> = before.iter().copied().chain([env!("CARGO_BIN_EXE_crownhead")]).collect();
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).arg("--db").arg(db).args(args).env_remove("CROWNHEAD_DB").env("COLUMNS", "200");
    Ran::of(&command.output().unwrap())
}

#[test]
fn what_cannot_be_written_can_be_read() {
    let (folder, db) = place();
    let Some(before) = without_rights(folder.path()) else {
        println!("skipped: the rights of an administrator cannot be given up here");
        return;
    };
    let pdn = folder.path().join("a.pdn");
    let reading: [&[&str]; 8] = [
        &["games"],
        &["moves"],
        &["show", "3"],
        &["search", "--pattern", "b9"],
        &["sql", "SELECT count(*) FROM plies"],
        &["export", "pdn"],
        &["check"],
        &["verify", "--all"],
    ];
    let read = |what: &str| {
        for args in reading {
            let ran = run(&before, &db, args);
            assert!(ran.status == Some(0) && !ran.err.contains("error"), "{what}, {args:?}: {}", ran.err);
        }
    };
    let refused = |what: &str, told: &str| {
        for args in [&["import", pdn.to_str().unwrap()][..], &["remove", "--number", "1"]] {
            let ran = run(&before, &db, args);
            assert_eq!(ran.status, Some(2), "{what}, {args:?}: {}", ran.err);
            assert!(ran.err.contains("cannot write to") && ran.err.contains(told), "{what}, {args:?}: {}", ran.err);
        }
    };
    read("a folder that cannot be written");
    refused("a folder that cannot be written", "kept");
    let names: Vec<_> = fs::read_dir(db.parent().unwrap()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(names, ["a.db"], "nothing is left behind");
    mode(&db, 0o444);
    read("and a file that cannot be written");
    refused("and a file that cannot be written", "a.db");
    let new = run(&before, &db.with_file_name("new.db"), &["import", pdn.to_str().unwrap()]);
    assert!(new.status == Some(2) && new.err.contains("cannot write to"), "{}", new.err);
    mode(&db, 0o000);
    let ran = run(&before, &db, &["games"]);
    assert!(ran.status == Some(2) && ran.err.contains("cannot read"), "{}", ran.err);
    mode(db.parent().unwrap(), 0o755);
}

#[test]
fn a_log_that_is_not_empty_is_not_passed_over() {
    let (folder, db) = place();
    let Some(before) = without_rights(folder.path()) else {
        println!("skipped: the rights of an administrator cannot be given up here");
        return;
    };
    mode(db.parent().unwrap(), 0o755);
    let writer = rusqlite::Connection::open(&db).unwrap();
    writer.execute("UPDATE copy SET black = 'Latest'", []).unwrap();
    // As a crash would leave it: the file and its log.
    let copy = folder.path().join("copy");
    fs::create_dir(&copy).unwrap();
    for name in ["a.db", "a.db-wal"] {
        fs::copy(db.with_file_name(name), copy.join(name)).unwrap();
    }
    mode(&copy, 0o555);
    let ran = run(&before, &copy.join("a.db"), &["games"]);
    assert_eq!(ran.status, Some(2), "{}", ran.out);
    assert!(ran.err.contains("write-ahead log") && ran.err.contains("-wal"), "{}", ran.err);
    mode(&copy, 0o755);
    // Where the folder can be written, the log is read.
    assert!(crownhead_ends(&copy.join("a.db"), 0, &["games"]).contains("Latest"));
}
