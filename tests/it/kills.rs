//! Processes killed at random moments, and then finished: the content is the same every time.
//!
//! `CROWNHEAD_KILLS` says how many imports are killed (30 without it); `cargo test --test it kills:: -- --nocapture` tells how
//! many of them were hit before their end. The import that is killed runs in a process of its own: this very test binary,
//! which commits after every chunk, so that a small text has many moments between and within commits, merges of the index
//! among them.

#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crownhead::board::Variant;
use crownhead::query;
use crownhead::rules::Position;
use crownhead::store::Database;
use tempfile::{TempDir, tempdir};

use crate::database::{Random, dump, import_files, import_text, random_games};
use crate::support::{crownhead, crownhead_ends, random_pdn};

/// Tells the child that it is one; it works in its current folder, so that sources have the same names in every one.
const CHILD: &str = "CROWNHEAD_KILLS_CHILD";
/// The texts of an import: some chunks each, games of the first again in the second, and a short third. Small imports went
/// before, so that the first commits merge segments of the index.
const TEXTS: [&str; 3] = ["one.pdn", "two.pdn", "three.pdn"];

/// How many imports are killed.
fn kills() -> usize {
    std::env::var("CROWNHEAD_KILLS").ok().and_then(|count| count.parse().ok()).unwrap_or(30)
}

fn prepare(folder: &Path) {
    let one = random_games(560_000, 30, 77);
    let shared: String = one.split_inclusive("\n\n").skip(100).take(500).collect();
    fs::write(folder.join("one.pdn"), &one).unwrap();
    fs::write(folder.join("two.pdn"), format!("{shared}{}", random_games(300_000, 30, 78))).unwrap();
    let noted = "[Event \"Noted\"]\n[Black \"P\"]\n[White \"Q\"]\n[Result \"1-0\"]\n\
        1. 11-15 {first} 23-19! (22-18 15x22 25x18 {a}) 8-11 1-0\n\n[Event \"Bad\"]\n1. 11-20 *\n\n";
    fs::write(folder.join("three.pdn"), format!("{noted}{}", random_pdn(79, 20))).unwrap();
    let mut database = Database::create(&folder.join("a.db")).unwrap().0;
    for seed in 1..7 {
        import_text(&mut database, folder, "before.pdn", random_pdn(seed, 20));
    }
}

/// A folder like `prepared`.
fn copy_of(prepared: &Path) -> TempDir {
    let folder = tempdir().unwrap();
    for name in TEXTS.iter().chain(&["a.db"]) {
        fs::copy(prepared.join(name), folder.path().join(name)).unwrap();
    }
    folder
}

/// What the child does; in an ordinary run of the tests, nothing.
#[test]
fn the_import_that_is_killed() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let mut database = Database::create(Path::new("a.db")).unwrap().0;
    database.commit_every(1);
    import_files(&mut database, &TEXTS.map(Path::new));
}

fn child(folder: &Path) -> Command {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child
        .args(["--exact", "kills::the_import_that_is_killed", "--test-threads", "1"])
        .env(CHILD, "1")
        .current_dir(folder);
    child.stdout(Stdio::null()).stderr(Stdio::null());
    child
}

/// Runs `command` for `wait` and kills it; whether that hit it before its end.
fn kill_after(command: &mut Command, wait: Duration) -> bool {
    let mut running = command.spawn().unwrap();
    thread::sleep(wait);
    let hit = running.try_wait().unwrap().is_none();
    let _ = running.kill();
    running.wait().unwrap();
    hit
}

/// The content, with a look at every part of it.
fn content(folder: &Path) -> Vec<String> {
    let database = Database::open(&folder.join("a.db")).unwrap();
    let check = query::check(&database).unwrap();
    assert_eq!(check.errors, 0, "{:?}", check.rows);
    dump(&database)
}

#[test]
fn killed_imports_end_in_the_same_content() {
    let prepared = tempdir().unwrap();
    prepare(prepared.path());
    let whole = copy_of(prepared.path());
    let started = Instant::now();
    assert!(child(whole.path()).status().unwrap().success());
    let usual = started.elapsed();
    let expected = content(whole.path());
    let before = Database::open(&prepared.path().join("a.db")).unwrap().totals().unwrap();
    let after = Database::open(&whole.path().join("a.db")).unwrap().totals().unwrap();
    let (mut random, mut hits, mut between) = (Random(0x5eed), 0, 0);
    for round in 0..kills() {
        let folder = copy_of(prepared.path());
        // Sometimes killed twice.
        for _ in 0..=round % 3 / 2 {
            let wait = usual.mul_f64(random.below(1000) as f64 / 1000.0);
            hits += usize::from(kill_after(&mut child(folder.path()), wait));
        }
        let database = Database::open(&folder.path().join("a.db")).unwrap();
        let totals = database.totals().unwrap();
        between += usize::from(totals.lines > before.lines && totals.lines < after.lines);
        let start = Position::start(Variant::English);
        let stats = query::position_stats(&database, &start).unwrap();
        assert_eq!(i64::from(stats.games), totals.games, "the index has whole games, round {round}");
        drop(database);
        assert!(child(folder.path()).status().unwrap().success(), "round {round}");
        let found = content(folder.path());
        let differing = found.iter().zip(&expected).find(|(a, b)| a != b);
        assert!(found == expected, "round {round}: {differing:?}, {} rows of {}", found.len(), expected.len());
        assert!(!folder.path().join("a.db.lock").exists());
    }
    println!(
        "{hits} of {} imports killed before their end, {between} of them with a part committed; usual {usual:?}",
        kills()
    );
    assert!(hits * 2 > kills(), "{hits} hits");
}

/// A run of the program on the database of a folder.
fn program(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crownhead"));
    command.arg("--db").arg(folder.join("a.db")).args(args).env_remove("CROWNHEAD_DB");
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

#[test]
fn a_killed_remove_has_removed_all_or_nothing() {
    let whole = tempdir().unwrap();
    prepare(whole.path());
    assert!(child(whole.path()).status().unwrap().success());
    let before = content(whole.path());
    let remove = ["--quiet", "remove", "--source", "one.pdn"];
    let prepared = |folder: &Path| fs::copy(whole.path().join("a.db"), folder.join("a.db")).map(drop).unwrap();
    let folder = tempdir().unwrap();
    prepared(folder.path());
    let started = Instant::now();
    assert!(program(folder.path(), &remove).status().unwrap().success());
    let usual = started.elapsed();
    let after = content(folder.path());
    assert_ne!(before, after);
    let (mut random, mut hits) = (Random(0xbad), 0);
    for round in 0..kills().div_ceil(3) {
        let folder = tempdir().unwrap();
        prepared(folder.path());
        let wait = usual.mul_f64(random.below(1000) as f64 / 1000.0);
        hits += usize::from(kill_after(&mut program(folder.path(), &remove), wait));
        let found = content(folder.path());
        assert!(found == before || found == after, "round {round}: neither before nor after");
        // Again: whether it is still there or not.
        program(folder.path(), &remove).status().unwrap();
        assert!(content(folder.path()) == after, "round {round}");
    }
    println!("{hits} of {} removals killed before their end; usual {usual:?}", kills().div_ceil(3));
}

#[test]
fn a_killed_backup_leaves_no_half_copy_under_its_name() {
    let whole = tempdir().unwrap();
    prepare(whole.path());
    assert!(child(whole.path()).status().unwrap().success());
    let copy = whole.path().join("copy.db");
    let args = ["--quiet", "backup", "--force", copy.to_str().unwrap()];
    let started = Instant::now();
    assert!(program(whole.path(), &args).status().unwrap().success());
    let usual = started.elapsed();
    let games = crownhead_ends(&whole.path().join("a.db"), 0, &["--format", "csv", "games"]);
    let (mut random, mut hits) = (Random(0xcafe), 0);
    for round in 0..kills().div_ceil(3) {
        let _ = fs::remove_file(&copy);
        let wait = usual.mul_f64(random.below(1000) as f64 / 1000.0);
        hits += usize::from(kill_after(&mut program(whole.path(), &args), wait));
        if copy.exists() {
            assert_eq!(crownhead(&copy, &["check"]).status, Some(0), "round {round}");
            assert_eq!(crownhead_ends(&copy, 0, &["--format", "csv", "games"]), games);
        }
    }
    // The next backup takes away what killed ones left.
    assert!(program(whole.path(), &args).status().unwrap().success());
    let left: Vec<_> = fs::read_dir(whole.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().contains("partial")), "{left:?}");
    println!("{hits} of {} backups killed before their end; usual {usual:?}", kills().div_ceil(3));
}
