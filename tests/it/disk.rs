//! No room: a clear message, nothing lost, and the same command finishes when there is room again.

#![cfg(unix)]

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
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
    /// A file system of `size`, as `mount` reads it; `None`, and a word about it, where none can be mounted.
    fn mount(at: PathBuf, size: &str) -> Option<Self> {
        fs::create_dir(&at).unwrap();
        let size = format!("size={size}");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(&at).output();
        if !mounted.is_ok_and(|output| output.status.success()) {
            println!("skipped: no file system can be mounted here");
            return None;
        }
        Some(Self(at))
    }

    /// Makes it larger or smaller.
    fn resize(&self, size: &str) {
        let resized = Command::new("mount").args(["-o", &format!("remount,size={size}")]).arg(&self.0).output();
        assert!(resized.unwrap().status.success());
    }

    /// Writes a file that takes all the room but for `left` bytes.
    fn fill(&self, left: u64) {
        let mut filler = fs::File::create(self.0.join(FILLER)).unwrap();
        let mut length: u64 = 0;
        while let Ok(written) = filler.write(&[0; PAGE]) {
            length += written as u64;
        }
        filler.set_len(length.checked_sub(left).unwrap()).unwrap();
    }
}

/// The file that takes the room.
const FILLER: &str = "filler";
/// Bytes of which such a file system gives room at a time.
const PAGE: usize = 4096;

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).output();
    }
}

#[test]
fn a_full_disk_is_told_and_loses_nothing() {
    let (folder, whole, large) = place();
    let Some(small) = Small::mount(folder.path().join("small"), "1m") else { return };
    let db = small.0.join("a.db");
    fs::copy(&whole, &db).unwrap();
    told(&crownhead(&db, &["import", large.to_str().unwrap()]));
    small.resize("40m");
    finishes(&db, &large);
}

/// Every file of a folder with its bytes.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries.map(|path| (path.clone(), fs::read(path).unwrap_or_default())).collect();
    files.sort();
    files
}

/// Commands that write a file, but for its name, which comes last.
const WRITERS: [(&str, &[&str]); 7] = [
    ("games.csv", &["--force", "--format", "csv", "games", "-o"]),
    ("plies.csv", &["--force", "export", "csv", "--plies", "-o"]),
    ("all.pdn", &["--force", "export", "pdn", "-o"]),
    ("board.svg", &["--force", "show", "1", "--diagram"]),
    ("board.png", &["--force", "show", "1", "--diagram"]),
    ("foster.proof", &["--force", "prove", "--not-loss", "W:WK19,K23:B12,K28", "--certificate"]),
    ("copy.db", &["backup", "--force"]),
];

/// An older file for each of [`WRITERS`]: of a copy, the first bytes of a database, by which it is known for one.
fn older(name: &str, db: &Path) -> Vec<u8> {
    if name == "copy.db" { fs::read(db).unwrap()[..100].to_vec() } else { b"an older file\n".to_vec() }
}

#[test]
fn an_output_file_that_finds_no_room_leaves_the_older_one() {
    let (folder, db, _) = place();
    let Some(small) = Small::mount(folder.path().join("small"), "200k") else { return };
    for (name, args) in WRITERS {
        let file = small.0.join(name);
        let args = [args, &[file.to_str().unwrap()]].concat();
        for has_older in [false, true] {
            if has_older {
                fs::write(&file, older(name, &db)).unwrap();
            }
            // No room at all, and room for a part of all but the certificate, which is short.
            for left in [0, PAGE as u64].into_iter().take(if name == "foster.proof" { 1 } else { 2 }) {
                small.fill(left);
                let before = files(&small.0);
                let ran = crownhead(&db, &args);
                assert_eq!(ran.status, Some(2), "{args:?}, {left} bytes left: {}", ran.err);
                assert!(ran.err.contains("disk full") || ran.err.contains("the disk is full"), "{args:?}: {}", ran.err);
                assert!(!["Wrote", "exported"].iter().any(|done| ran.err.contains(done)), "{args:?}: {}", ran.err);
                if has_older && args.contains(&"-o") {
                    assert!(ran.err.contains(&format!("{name} is left as it was")), "{args:?}: {}", ran.err);
                }
                assert!(files(&small.0) == before, "{args:?}, {left} bytes left");
                fs::remove_file(small.0.join(FILLER)).unwrap();
            }
        }
        // The same command finishes when there is room.
        small.resize("4m");
        crownhead_ends(&db, 0, &args);
        assert!(fs::read(&file).unwrap() != older(name, &db), "{name}");
        fs::remove_file(&file).unwrap();
        assert!(files(&small.0).is_empty(), "{name}");
        small.resize("200k");
    }
}

/// A folder that takes no new file: by its permissions, or for an administrator, whom they do not bind, by a mount.
struct Locked {
    at: PathBuf,
    is_mount: bool,
}

impl Locked {
    /// `None`, and a word about it, where neither keeps this process from writing.
    fn lock(at: PathBuf) -> Option<Self> {
        fs::set_permissions(&at, fs::Permissions::from_mode(0o555)).unwrap();
        let takes_files = || {
            let probe = at.join("probe");
            fs::write(&probe, "").and_then(|()| fs::remove_file(&probe)).is_ok()
        };
        if !takes_files() {
            return Some(Self { at, is_mount: false });
        }
        let mount = |options: &[&str]| Command::new("mount").args(options).arg(&at).output();
        let is_mount = mount(&["--bind", at.to_str().unwrap()]).is_ok_and(|output| output.status.success());
        let is_locked =
            is_mount && mount(&["-o", "remount,bind,ro"]).is_ok_and(|output| output.status.success()) && !takes_files();
        // Dropped where it is not locked, which undoes all of it.
        let locked = Self { at, is_mount };
        if !is_locked {
            println!("skipped: no folder can be kept from being written here");
        }
        is_locked.then_some(locked)
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        if self.is_mount {
            let _ = Command::new("umount").arg(&self.at).output();
        }
        let _ = fs::set_permissions(&self.at, fs::Permissions::from_mode(0o755));
    }
}

#[test]
fn a_folder_that_takes_no_file_is_told() {
    let (folder, db, _) = place();
    let at = folder.path().join("locked");
    fs::create_dir(&at).unwrap();
    for (name, _) in WRITERS {
        fs::write(at.join(format!("older_{name}")), older(name, &db)).unwrap();
    }
    let Some(locked) = Locked::lock(at) else { return };
    let before = files(&locked.at);
    for (name, args) in WRITERS {
        let run = |name: &str| {
            let file = locked.at.join(name);
            let ran = crownhead(&db, &[args, &[file.to_str().unwrap()]].concat());
            (ran, file)
        };
        let (ran, file) = run(name);
        assert_eq!(ran.status, Some(2), "{name}: {}", ran.err);
        assert!(ran.err.contains(&format!("cannot write {}: ", file.display())), "{name}: {}", ran.err);
        assert!(!["Wrote", "exported"].iter().any(|done| ran.err.contains(done)), "{name}: {}", ran.err);
        // A file that is there may be written, where permissions lock no more than the folder; a copy is only ever renamed.
        let (ran, file) = run(&format!("older_{name}"));
        if locked.is_mount || name == "copy.db" {
            assert_eq!(ran.status, Some(2), "{name}: {}", ran.err);
            assert!(ran.err.contains(&format!("cannot write {}: ", file.display())), "{name}: {}", ran.err);
        } else {
            assert_eq!(ran.status, Some(0), "{name}: {}", ran.err);
            assert!(fs::read(&file).unwrap() != older(name, &db), "{name}");
        }
    }
    let names = |files: &[(PathBuf, Vec<u8>)]| files.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>();
    let after = files(&locked.at);
    assert_eq!(names(&after), names(&before));
    assert!(!locked.is_mount || after == before);
}
