//! Names that are no ordinary files: refused at once, or read as what they are.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::tempdir;

use crate::support::{Ran, crownhead_ends, random_pdn};

/// How long a refusal may take, on a busy machine, too.
const AT_ONCE: Duration = Duration::from_secs(10);

fn run(folder: &Path, args: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crownhead"));
    command.current_dir(folder).args(args).env_remove("CROWNHEAD_DB").stdin(Stdio::null());
    let mut running = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let started = Instant::now();
    while running.try_wait().unwrap().is_none() {
        if started.elapsed() > AT_ONCE {
            let _ = running.kill();
            panic!("{args:?} does not end");
        }
        thread::sleep(Duration::from_millis(5));
    }
    Ran::of(&running.wait_with_output().unwrap())
}

#[test]
fn a_name_that_sqlite_reads_otherwise_is_no_database() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("a.pdn"), random_pdn(1, 3)).unwrap();
    for name in [":memory:", "file:a.db", "file:x?mode=memory", "-", ""] {
        let commands: [&[&str]; 6] = [
            &["import", "a.pdn"],
            &["games"],
            &["check"],
            &["sql", "SELECT 1"],
            &["games", "-o", "o.txt"],
            &["backup", "c.db"],
        ];
        for args in commands {
            let ran = run(folder.path(), &[&["--db", name], args].concat());
            assert_eq!(ran.status, Some(2), "{name:?} {args:?}: {}{}", ran.out, ran.err);
            assert!(!ran.err.contains("stored"), "{}", ran.err);
        }
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    // With a folder before it, any name is that of a file.
    for name in ["./:memory:", "./file:a.db", "./a?mode=memory#b%20"] {
        assert_eq!(run(folder.path(), &["--db", name, "import", "a.pdn"]).status, Some(0), "{name}");
        assert!(folder.path().join(name).metadata().unwrap().len() > 0);
        assert_eq!(run(folder.path(), &["--db", name, "--format", "csv", "games"]).out.lines().count(), 4);
        assert_eq!(run(folder.path(), &["--db", name, "games", "--force", "-o", name]).status, Some(2));
    }
}

#[test]
fn the_library_opens_files_by_their_names() {
    use crownhead::store::Database;
    let folder = tempdir().unwrap();
    let path = folder.path().join("file:a.db?mode=memory");
    let (database, made) = Database::create(&path).unwrap();
    assert!(made && path.exists());
    drop(database);
    assert_eq!(Database::open(&path).unwrap().totals().unwrap().games, 0);
}

#[test]
#[cfg(unix)]
fn pipes_devices_and_folders_are_refused_at_once() {
    let folder = tempdir().unwrap();
    let db = folder.path().join("a.db");
    fs::write(folder.path().join("a.pdn"), random_pdn(1, 3)).unwrap();
    crownhead_ends(&db, 0, &["--quiet", "import", folder.path().join("a.pdn").to_str().unwrap()]);
    assert!(Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap().success());
    let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("socket")).unwrap();
    std::os::unix::fs::symlink("pipe", folder.path().join("link")).unwrap();
    for name in ["pipe", "link", "socket", "/dev/null", "/dev/zero", "."] {
        let commands: [&[&str]; 10] = [
            &["--db", name, "games"],
            &["--db", name, "import", "a.pdn"],
            &["--db", name, "check"],
            &["--db", name, "sql", "SELECT 1"],
            &["--db", name, "remove", "--number", "1"],
            &["--db", name, "backup", "b.db"],
            &["--names", name, "opening", "fife"],
            &["--db", "a.db", "--names", name, "games"],
            &["bench", "--depth", "1", "--evaluation", name],
            &["--db", "a.db", "backup", "--force", name],
        ];
        for args in commands {
            let ran = run(folder.path(), args);
            assert_eq!(ran.status, Some(2), "{args:?}: {}{}", ran.out, ran.err);
        }
    }
    let large = vec![b'#'; (16 << 20) + 1];
    fs::write(folder.path().join("large.names"), large).unwrap();
    let ran = run(folder.path(), &["--names", "large.names", "opening", "fife"]);
    assert!(ran.status == Some(2) && ran.err.contains("larger than 16 MiB"), "{}", ran.err);
    // A database that is reached by a link is one.
    std::os::unix::fs::symlink("a.db", folder.path().join("link.db")).unwrap();
    assert_eq!(run(folder.path(), &["--db", "link.db", "--format", "csv", "games"]).out.lines().count(), 4);
}

#[test]
#[cfg(unix)]
fn text_is_read_from_pipes() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("a.pdn"), random_pdn(1, 3)).unwrap();
    assert!(Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap().success());
    let writer = |text: &'static str| {
        let mut command = Command::new("sh");
        command.current_dir(folder.path()).args(["-c", text]).spawn().unwrap()
    };
    let mut feeding = writer("cat a.pdn > pipe");
    let ran = run(folder.path(), &["--db", "a.db", "import", "pipe"]);
    assert!(ran.status == Some(0) && ran.err.contains("3 stored"), "{}", ran.err);
    feeding.wait().unwrap();
    let mut feeding = writer("gzip -c a.pdn > pipe");
    let ran = run(folder.path(), &["--db", "a.db", "verify", "pipe"]);
    assert!(ran.status == Some(0) && ran.err.contains("3 games checked"), "{}", ran.err);
    feeding.wait().unwrap();
    // No one writes: Ctrl-C ends it.
    let mut waiting = Command::new(env!("CARGO_BIN_EXE_crownhead"))
        .current_dir(folder.path())
        .args(["--db", "a.db", "import", "pipe"])
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    thread::sleep(Duration::from_millis(500));
    Command::new("kill").args(["-s", "INT", &waiting.id().to_string()]).status().unwrap();
    let started = Instant::now();
    while waiting.try_wait().unwrap().is_none() {
        assert!(started.elapsed() < AT_ONCE, "Ctrl-C does not end it");
        thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(waiting.wait().unwrap().code(), Some(130));
}

/// SQLite keeps its files beside what a link points to; the last reader takes them away there.
#[test]
#[cfg(unix)]
fn readers_through_a_link_leave_one_file() {
    let (folder, linked) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (db, link, text) = (folder.path().join("a.db"), linked.path().join("b.db"), linked.path().join("a.pdn"));
    fs::write(&text, "[Event \"A\"]\n1. 11-15 23-19 *\n").unwrap();
    std::os::unix::fs::symlink(&db, &link).unwrap();
    crownhead_ends(&db, 0, &["--quiet", "import", text.to_str().unwrap()]);
    for command in [&["games"][..], &["check"], &["moves"]] {
        crownhead_ends(&link, 0, command);
        let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["a.db"], "{command:?}");
    }
}
