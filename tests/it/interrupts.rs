//! Ctrl-C: what is known so far is printed, and the status says that it was interrupted.

#![cfg(unix)]

use std::fs;
use std::io::Write as _;
use std::path::Path;
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
    let ran = stopped_after(WORK, args, "");
    assert!(ran.err.contains("Stopped"), "{args:?}: {}", ran.err);
    ran
}

/// The same after so long, with `text` as the first part of its standard input, which does not end.
fn stopped_after(work: Duration, args: &[&str], text: &str) -> Ran {
    let folder = tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_crownhead"))
        .args(args)
        .current_dir(folder.path())
        .env("CROWNHEAD_DB", folder.path().join("none.db"))
        .env_remove("CROWNHEAD_EGDB")
        .env("COLUMNS", "200")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(text.as_bytes()).unwrap();
    thread::sleep(work);
    assert!(child.try_wait().unwrap().is_none(), "{args:?} has ended by itself");
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let sent = Instant::now();
    let ran = Ran::of(&child.wait_with_output().unwrap());
    drop(input);
    assert!(sent.elapsed() < PATIENCE, "{args:?} took {:?} to stop", sent.elapsed());
    assert_eq!(ran.status, Some(130), "{args:?}: {}", ran.err);
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
        let kept = fs::read_to_string(&file).unwrap_or_default();
        assert!(kept.contains(heading) && kept.lines().count() > 1, "{args:?}: {kept:?}");
        assert!(ran.err.contains("has what is known so far"), "{args:?}: {}", ran.err);
    }
    let games = folder.path().join("games.pdn");
    fs::write(&games, random_pdn(7, 3_000)).unwrap();
    fs::remove_file(&file).unwrap();
    let annotate = ["annotate", "--nodes", "1000", "--proof-nodes", "0", games.to_str().unwrap()];
    let ran = stopped(&[&["--format", "csv", "--output", path][..], &annotate].concat());
    let kept = fs::read_to_string(&file).unwrap_or_default();
    assert!(kept.lines().count() > 1 && ran.err.contains("has what is known so far"), "{}", ran.err);
    // No first move is counted in that time: nothing is known, and the older file stays.
    let before = fs::read(&file).unwrap();
    let ran = stopped(&["--format", "csv", "--force", "--output", path, "perft", "20"]);
    assert!(ran.err.contains("is left as it was"), "{}", ran.err);
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
fn a_command_that_knows_nothing_yet_says_that_it_was_stopped() {
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    let folder = tempdir().unwrap();
    let (db, pdn) = (folder.path().join("a.db"), folder.path().join("a.pdn"));
    fs::write(&pdn, random_pdn(1, 2)).unwrap();
    crate::support::crownhead_ends(&db, 0, &["--quiet", "import", pdn.to_str().unwrap()]);
    let ran = stopped(&["--db", db.to_str().unwrap(), "sql", endless]);
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("", "Stopped.\n"));
    let file = folder.path().join("new.csv");
    let ran = stopped(&["--db", db.to_str().unwrap(), "--output", file.to_str().unwrap(), "sql", endless]);
    assert_eq!(ran.err, format!("Stopped.\n{} was not made.\n", file.display()));
}

/// Stops a command that writes CSV to `file`, where an older file is. Returns what it said and the lines it left: those known so
/// far, or `None` where the older file stays. What it says of the file has to be so.
fn stopped_writing(work: Duration, file: &Path, args: &[&str], text: &str) -> (Ran, Option<Vec<String>>) {
    let older = "an older file\n";
    fs::write(file, older).unwrap();
    let path = file.to_str().unwrap();
    let ran = stopped_after(work, &[&["--format", "csv", "--force", "--output", path], args].concat(), text);
    let kept = fs::read_to_string(file).unwrap();
    let is_older = ran.err.contains(&format!("{path} is left as it was."));
    let is_partial = ran.err.contains(&format!("{path} has what is known so far."));
    assert!(is_older != is_partial && is_older == (kept == older), "{args:?}: {kept:?}: {}", ran.err);
    assert_eq!(ran.out, "", "{args:?}");
    let files: Vec<_> = fs::read_dir(file.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files, [file], "{args:?}");
    (ran, is_partial.then(|| kept.lines().map(str::to_owned).collect()))
}

/// Stops a command earlier or later, as fast as the machine is, so that something is done and not all; returns how much it says
/// is done, and the lines that it left.
fn stopped_in_the_middle(file: &Path, args: &[&str]) -> (usize, Vec<String>) {
    let mut work = WORK / 4;
    while work < PATIENCE {
        let (ran, lines) = stopped_writing(work, file, args, "");
        let (before, _) = ran.err.split_once(" of ").unwrap();
        let done = before.rsplit(' ').next().unwrap().parse().unwrap();
        if done > 0 {
            return (done, lines.unwrap_or_else(|| panic!("{args:?} loses {done}: {}", ran.err)));
        }
        work = work * 3 / 2;
    }
    panic!("{args:?} comes to nothing on this machine")
}

#[test]
fn a_bench_that_is_stopped_keeps_the_positions_it_has_searched() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("bench.csv");
    let (done, lines) = stopped_in_the_middle(&file, &["bench", "--depth", "20"]);
    assert_eq!((lines[0].as_str(), lines.len()), ("nodes,score,fen", 1 + done), "{lines:?}");
    // No position is searched so deep in that time.
    let (ran, lines) = stopped_writing(WORK, &file, &["bench", "--depth", "40"], "");
    assert!(lines.is_none() && ran.err.contains("Stopped after 0 of 12 positions"), "{}", ran.err);
}

#[test]
fn a_match_that_is_stopped_keeps_the_games_it_has_played() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("match.csv");
    let (done, lines) = stopped_in_the_middle(&file, &["match", "material", "--time", "0.02"]);
    assert_eq!(lines[0], "player,against,games,wins,draws,losses,score,elo,error");
    assert!(lines.len() == 2 && lines[1].starts_with(&format!("best,material,{done},")), "{done} games: {lines:?}");
}

#[test]
fn a_verification_that_is_stopped_keeps_the_findings_so_far() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("found.csv");
    let bad = "[Event \"Bad\"]\n1. 11-15 9-9 *\n\n";
    // More than is read at a time, so that the first games are looked at while the rest is waited for.
    let long = random_pdn(8, 3_000).repeat(3);
    let (ran, lines) = stopped_writing(WORK, &file, &["verify", "-"], &format!("{}{long}", bad.repeat(5)));
    let lines = lines.unwrap_or_else(|| panic!("findings are lost: {}", ran.err));
    assert!(lines[0].starts_with("file,line,column,game,ply,severity,code,"), "{}", lines[0]);
    let bad_rows = lines.iter().filter(|line| line.contains(",wrong-side,9-9,")).count();
    assert_eq!(bad_rows, 5, "{lines:?}");
    // Nothing is wrong with what was read until then.
    let clean = "[Event \"Good\"]\n[Result \"*\"]\n1. 11-15 23-19 *\n\n".repeat(60_000);
    let (ran, lines) = stopped_writing(WORK, &file, &["verify", "-"], &clean);
    assert!(lines.is_none() && !ran.err.contains("0 games checked,"), "{lines:?}: {}", ran.err);
}
