//! Ctrl-C: what is known so far is printed, and the status says that it was interrupted.

#![cfg(unix)]

use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::tempdir;

use crate::support::{Ran, random_pdn};

/// How long a command works before it is stopped.
const WORK: Duration = Duration::from_millis(2_500);
/// No command takes longer to stop, on a busy machine too.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs a command that would go on for very long, and stops it.
fn stopped(args: &[&str]) -> Ran {
    let folder = tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_crownhead"))
        .args(args)
        .current_dir(folder.path())
        .env("CROWNHEAD_DB", folder.path().join("none.db"))
        .env_remove("CROWNHEAD_EGDB")
        .env("COLUMNS", "200")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    thread::sleep(WORK);
    assert!(child.try_wait().unwrap().is_none(), "{args:?} has ended by itself");
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let sent = Instant::now();
    let ran = Ran::of(&child.wait_with_output().unwrap());
    assert!(sent.elapsed() < PATIENCE, "{args:?} took {:?} to stop", sent.elapsed());
    assert_eq!(ran.status, Some(130), "{args:?}: {}", ran.err);
    assert!(ran.err.contains("Stopped"), "{args:?}: {}", ran.err);
    ran
}

#[test]
fn analyse_prints_the_moves_with_the_depth_it_reached() {
    let ran = stopped(&["--format", "csv", "--columns", "move,score,depth", "analyse", "--time", "600"]);
    let rows: Vec<&str> = ran.out.lines().collect();
    assert_eq!((rows[0], rows.len()), ("move,score,depth", 8), "{}", ran.out);
    let depth: u32 = rows[1].rsplit(',').next().unwrap().parse().unwrap();
    assert!(depth >= 1 && rows[1].contains('.'), "{}", ran.out);
    assert!(ran.err.contains(&format!("depth {depth},")), "{}", ran.err);
}

#[test]
fn counts_proofs_and_benches_say_how_far_they_came() {
    let counted = stopped(&["--format", "csv", "perft", "20"]);
    assert!(counted.out.starts_with("move,lines\n") && counted.err.contains("of 7 first moves"), "{}", counted.err);
    let proved = stopped(&["--format", "csv", "prove", "--win", "11-15", "--nodes", "1000000000"]);
    assert!(proved.out.contains("win,open,") && proved.err.contains("not settled"), "{}", proved.out);
    let bench = stopped(&["--format", "csv", "bench", "--depth", "40"]);
    assert!(bench.out.starts_with("nodes,score,fen\n") && bench.err.contains("of 12 positions"), "{}", bench.err);
}

#[test]
fn matches_and_tuning_say_what_was_done() {
    let played = stopped(&["--format", "csv", "match", "material", "--time", "1"]);
    assert!(played.out.starts_with("player,against,games,"), "{}", played.out);
    assert!(played.err.contains("of 312 games"), "{}", played.err);
    let tuned = stopped(&["tune", "new.weights", "--self-play", "100000"]);
    assert!(tuned.err.contains("new.weights is not written"), "{}", tuned.err);
}

#[test]
fn a_file_of_output_keeps_what_was_known_when_the_command_was_stopped() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("so_far.csv");
    let path = file.to_str().unwrap();
    for (args, heading) in [
        (&["analyse", "--time", "600"][..], "move,score"),
        (&["prove", "--win", "11-15", "--nodes", "1000000000"], "claim,"),
    ] {
        let ran = stopped(&[&["--format", "csv", "--output", path], args].concat());
        let kept = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(kept.contains(heading) && kept.lines().count() > 1, "{args:?}: {kept:?}");
        assert!(ran.err.contains("has what is known so far"), "{args:?}: {}", ran.err);
    }
    let games = folder.path().join("games.pdn");
    std::fs::write(&games, random_pdn(7, 3_000)).unwrap();
    std::fs::remove_file(&file).unwrap();
    let annotate = ["annotate", "--nodes", "1000", "--proof-nodes", "0", games.to_str().unwrap()];
    let ran = stopped(&[&["--format", "csv", "--output", path][..], &annotate].concat());
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(kept.lines().count() > 1 && ran.err.contains("has what is known so far"), "{}", ran.err);
    // No first move is counted in that time: nothing is known, and the older file stays.
    let before = std::fs::read(&file).unwrap();
    let ran = stopped(&["--format", "csv", "--force", "--output", path, "perft", "20"]);
    assert!(ran.err.contains("is left as it was"), "{}", ran.err);
    assert_eq!(std::fs::read(&file).unwrap(), before);
}

#[test]
fn a_command_that_knows_nothing_yet_says_that_it_was_stopped() {
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    let folder = tempdir().unwrap();
    let (db, pdn) = (folder.path().join("a.db"), folder.path().join("a.pdn"));
    std::fs::write(&pdn, random_pdn(1, 2)).unwrap();
    crate::support::crownhead_ends(&db, 0, &["--quiet", "import", pdn.to_str().unwrap()]);
    let ran = stopped(&["--db", db.to_str().unwrap(), "sql", endless]);
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("", "Stopped.\n"));
    let file = folder.path().join("new.csv");
    let ran = stopped(&["--db", db.to_str().unwrap(), "--output", file.to_str().unwrap(), "sql", endless]);
    assert_eq!(ran.err, format!("Stopped.\n{} was not made.\n", file.display()));
}
