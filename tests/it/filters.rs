//! Filters and options from outside: what they find, and that none is dropped in silence.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{crownhead, crownhead_ends};

const GAME: &str = "[Event \"Open\"]\n[Date \"1901\"]\n[Black \"Anselm, B.\"]\n[White \"Birch, Q.\"]\n[Result \"1-0\"]\n1. 11-15 23-19 (1... 22-18 2. 15x22) 2. 8-11 1-0\n\n";

/// A database into which `texts`, each under its name, came one after the other.
fn database(folder: &Path, texts: &[(&str, &str)]) -> PathBuf {
    let db = folder.join("x.db");
    for (name, text) in texts {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        crownhead_ends(&db, 0, &["import", path.to_str().unwrap()]);
    }
    db
}

fn count(db: &Path, filter: &[&str]) -> usize {
    crownhead(db, &[&["--format", "csv", "games"], filter].concat()).out.lines().count() - 1
}

#[test]
fn a_game_is_found_by_every_source_that_has_it() {
    let folder = tempfile::tempdir().unwrap();
    let other = GAME.replace("Open", "Other");
    let twice = format!("{GAME}{other}");
    let db = database(folder.path(), &[("first.pdn", GAME), ("second.pdn", &twice)]);
    assert_eq!(count(&db, &["--source", "first"]), 1);
    assert_eq!(count(&db, &["--source", "second"]), 2);
    let hits = crownhead_ends(&db, 0, &["--format", "csv", "search", "--pattern", "-11", "--source", "second"]);
    let alone = crownhead_ends(&db, 0, &["--format", "csv", "search", "--pattern", "-11"]);
    assert_eq!(hits, alone);
    // A source all of whose games others have is no misfit.
    let third = folder.path().join("third.pdn");
    fs::write(&third, format!("{other}{GAME}")).unwrap();
    crownhead_ends(&db, 0, &["import", third.to_str().unwrap()]);
    assert_eq!(count(&db, &["--source", "third"]), 2);
    let ran = crownhead(&db, &["games", "--source", "third", "--player", "nobody"]);
    assert!(ran.err.contains("No player here") && !ran.err.contains("No source here"), "{}", ran.err);
}

#[test]
fn words_of_names_are_known_by_their_beginnings_and_must_be_there() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path(), &[("a.pdn", GAME)]);
    assert_eq!(count(&db, &["--player", "elm"]), 0);
    assert_eq!(count(&db, &["--player", "b. ans"]), 1);
    for filter in ["--player", "--event", "--opening", "--source"] {
        for text in ["", " , "] {
            for command in [&["games"][..], &["report", "players"], &["export", "pdn"], &["search", "--pattern", "-11"]]
            {
                let ran = crownhead(&db, &[command, &[filter, text]].concat());
                assert_eq!(ran.status, Some(2), "{command:?} {filter} {text:?}: {}", ran.err);
                assert!(ran.err.contains("is empty"), "{}", ran.err);
            }
        }
    }
    assert_eq!(crownhead(&db, &["report", "sources", "--source", ""]).status, Some(2));
}

#[test]
fn reports_and_trees_tell_what_fits_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path(), &[("a.pdn", GAME)]);
    for command in [
        &["report", "openings"][..],
        &["report", "players"],
        &["report", "ballots"],
        &["--format", "csv", "report", "ballots"],
        &["report", "stars"],
        &["export", "tree"],
    ] {
        let ran = crownhead(&db, &[command, &["--player", "birtch"]].concat());
        assert!(
            ran.err.contains("No player here is called \"birtch\". Did you mean Birch, Q.?"),
            "{command:?} {}",
            ran.err
        );
        assert!(!ran.err.contains("Nothing to report") && !ran.err.contains("No stored game"), "{}", ran.err);
    }
    assert!(crownhead(&db, &["report", "sources", "--source", "zzz"]).err.contains("No source here"));
    let fits = crownhead(&db, &["report", "ballots", "--player", "birch"]);
    assert!(!fits.err.contains("No player here"), "{}", fits.err);
}

#[test]
fn no_option_is_dropped_in_silence() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path(), &[("a.pdn", GAME)]);
    let picture = folder.path().join("a.svg");
    let picture = picture.to_str().unwrap();
    for command in [
        &["--columns", "id", "export", "pdn"][..],
        &["--columns", "id", "export", "json"],
        &["--columns", "id", "export", "tree"],
        &["--sort", "id", "export", "tree"],
        &["--offset", "1", "export", "tree"],
        &["report", "--since", "1900"],
        &["report", "--min-ply", "3"],
        &["report", "--player", "birch"],
        &["show", "1", "--raw", "--diagram", picture],
        &["show", "1", "--raw", "--ply", "1"],
        &["show", "1", "--coordinates"],
        &["show", ""],
        &["moves", " "],
    ] {
        let ran = crownhead(&db, command);
        assert_eq!(ran.status, Some(2), "{command:?}: {}", ran.err);
        assert!(ran.out.is_empty() && ran.err.starts_with("error: "), "{command:?}: {}", ran.err);
    }
    assert!(!Path::new(picture).exists());
    for command in
        [&["--columns", "id", "export", "csv"][..], &["--sort", "id", "export", "pdn"], &["report"], &["show"]]
    {
        crownhead_ends(&db, 0, command);
    }
}

#[test]
fn verify_counts_as_import_does() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pdn");
    fs::write(&path, GAME).unwrap();
    for command in ["verify", "import"] {
        let ran = crownhead(&folder.path().join("x.db"), &[command, path.to_str().unwrap()]);
        assert!(ran.err.contains("5 half-moves"), "{command}: {}", ran.err);
    }
}

/// Copies are linked one to one, however many there are, and each beyond them is stored.
#[test]
fn many_copies_of_a_game_are_linked_one_to_one() {
    let folder = tempfile::tempdir().unwrap();
    let turned = GAME.replace("1-0", "0-1");
    let copies = |many: usize, others: usize| GAME.repeat(many) + &turned.repeat(others) + &GAME.repeat(many);
    let db = database(
        folder.path(),
        &[("a.pdn", &copies(20, 3)), ("b.pdn", &copies(22, 3)), ("c.pdn", &copies(5, 30)), ("d.pdn", &copies(21, 31))],
    );
    let rows =
        crownhead_ends(&db, 0, &["--format", "csv", "sql", "SELECT read, stored, duplicates FROM sources ORDER BY id"]);
    assert_eq!(rows.replace('\r', ""), "read,stored,duplicates\n43,43,0\n47,4,43\n40,27,13\n73,1,72\n");
}
