//! No room: a clear message, nothing lost, and the same command finishes when there is room again.

#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::{TempDir, tempdir};

use crate::support::{Ran, crownhead, crownhead_ends, random_pdn};

/// A database of 40 games, and a text that is too large for what room there will be.
fn place() -> (TempDir, PathBuf, PathBuf) {
    let folder = tempdir().unwrap();
    let (db, small, large) =
        (folder.path().join("a.db"), folder.path().join("small.pdn"), folder.path().join("large.pdn"));
    fs::write(&small, random_pdn(1, 40)).unwrap();
    fs::write(&large, random_pdn(2, 6_000)).unwrap();
    crownhead_ends(&db, 0, &["--quiet", "import", small.to_str().unwrap()]);
    (folder, db, large)
}

/// The program where no file may have more than `blocks` blocks of 512 or 1,024 bytes, as the shell counts.
fn limited(db: &Path, blocks: u32, args: &[&str]) -> Ran {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit -c 0; ulimit -f {blocks}; exec \"$@\""), "sh", env!("CARGO_BIN_EXE_crownhead")]);
    Ran::of(&shell.arg("--db").arg(db).args(args).env_remove("CROWNHEAD_DB").output().unwrap())
}

fn told(ran: &Ran) {
    assert_eq!(ran.status, Some(2), "no signal ends it: {}", ran.err);
    assert!(ran.err.contains("disk full") && ran.err.contains("run the same command again"), "{}", ran.err);
}

fn finishes(db: &Path, large: &Path) {
    assert_eq!(crownhead(db, &["check"]).status, Some(0));
    assert_eq!(crownhead_ends(db, 0, &["--format", "csv", "--columns", "id", "games"]).lines().count(), 41);
    crownhead_ends(db, 0, &["--quiet", "import", large.to_str().unwrap()]);
    assert_eq!(crownhead(db, &["check"]).status, Some(0));
    assert_eq!(crownhead_ends(db, 0, &["--format", "csv", "--columns", "id", "games"]).lines().count(), 6_041);
}

#[test]
fn a_limit_on_the_size_of_files_is_told_and_loses_nothing() {
    let (_folder, db, large) = place();
    for blocks in [150, 400, 900] {
        told(&limited(&db, blocks, &["import", large.to_str().unwrap()]));
    }
    finishes(&db, &large);
    // A copy that finds no room is no copy.
    let copy = db.with_extension("copy");
    let ran = limited(&db, 400, &["backup", copy.to_str().unwrap()]);
    assert_eq!((ran.status, copy.exists()), (Some(2), false), "{}", ran.err);
    assert!(ran.err.contains("disk full"), "{}", ran.err);
    let left = fs::read_dir(db.parent().unwrap())
        .unwrap()
        .filter(|file| file.as_ref().unwrap().file_name().to_string_lossy().contains("partial"));
    assert_eq!(left.count(), 0);
    // Nor is a source half removed.
    let ran = limited(&db, 100, &["remove", "--number", "2"]);
    told(&ran);
    finishes_whole(&db);
}

fn finishes_whole(db: &Path) {
    assert_eq!(crownhead(db, &["check"]).status, Some(0));
    crownhead_ends(db, 0, &["--quiet", "remove", "--number", "2"]);
    assert_eq!(crownhead(db, &["check"]).status, Some(0));
}

/// A small file system in memory, taken away at the end.
struct Small(PathBuf);

impl Small {
    fn mount(at: PathBuf) -> Option<Self> {
        fs::create_dir(&at).unwrap();
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"]).arg(&at).output();
        mounted.is_ok_and(|output| output.status.success()).then_some(Self(at))
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).output();
    }
}

#[test]
fn a_full_disk_is_told_and_loses_nothing() {
    let (folder, whole, large) = place();
    let Some(small) = Small::mount(folder.path().join("small")) else {
        println!("skipped: no file system can be mounted here");
        return;
    };
    let db = small.0.join("a.db");
    fs::copy(&whole, &db).unwrap();
    told(&crownhead(&db, &["import", large.to_str().unwrap()]));
    let grown = Command::new("mount").args(["-o", "remount,size=40m"]).arg(&small.0).output().unwrap();
    assert!(grown.status.success());
    finishes(&db, &large);
}
