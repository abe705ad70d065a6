//! Broken input: told once, with its place, and what is sound around it is kept.

use std::fs;
use std::path::Path;

use tempfile::tempdir;

use crate::support::{crownhead, crownhead_ends, crownhead_with, random_pdn};

#[test]
fn a_tag_that_is_too_long_is_one_error_and_the_game_goes_on() {
    let folder = tempdir().unwrap();
    let (db, pdn) = (folder.path().join("a.db"), folder.path().join("a.pdn"));
    for inside in ["word and 11-15 more ", "a \"quoted\" one 12 "] {
        let long = inside.repeat(2_000);
        let text = format!(
            "[Event \"E\"]\n[Annotator \"{long}\"] [Site \"S\"]\n[Result \"*\"]\n1. 11-15 23-19 *\n\n[Event \"F\"]\n[Result \"*\"]\n1. 11-15 23-18 *\n"
        );
        fs::write(&pdn, text).unwrap();
        let found = crownhead_ends(&db, 1, &["--format", "csv", "verify", pdn.to_str().unwrap()]);
        let rows: Vec<&str> = found.lines().skip(1).collect();
        assert_eq!(rows.len(), 1, "{}", found.chars().take(600).collect::<String>());
        assert!(rows[0].contains(",2,1,1,") && rows[0].contains("at most 16384 bytes"), "{rows:?}");
        let ran = crownhead(&db, &["import", pdn.to_str().unwrap()]);
        assert_eq!(ran.status, Some(1), "{}", ran.err);
        fs::remove_file(&db).unwrap();
    }
    // One that is just short enough is a tag like any other.
    fs::write(&pdn, format!("[Annotator \"{}\"]\n[Result \"*\"]\n1. 11-15 *\n", "a".repeat(16_000))).unwrap();
    crownhead_ends(&db, 0, &["verify", pdn.to_str().unwrap()]);
}

#[test]
fn json_without_an_object_is_told_once_and_not_held() {
    let folder = tempdir().unwrap();
    let (db, json) = (folder.path().join("a.db"), folder.path().join("deep.json"));
    for (text, place) in [("[".repeat(200_000), ",1,1,"), ("\n [".to_owned(), ",2,2,")] {
        fs::write(&json, text).unwrap();
        let found = crownhead_ends(&db, 1, &["--format", "csv", "verify", json.to_str().unwrap(), "--as", "json"]);
        let rows: Vec<&str> = found.lines().skip(1).collect();
        assert!(rows.len() == 1 && rows[0].contains("bad-json") && rows[0].contains(place), "{rows:?}");
        let ran = crownhead(&db, &["import", json.to_str().unwrap(), "--as", "json"]);
        assert_eq!(ran.status, Some(1), "{}", ran.err);
        assert!(ran.err.contains("bad-json"), "{}", ran.err);
        let complete = crownhead(&db, &["--format", "csv", "sql", "SELECT count(*) AS n FROM sources WHERE complete"]);
        assert_eq!(complete.out, "n\n0\n");
    }
    // An empty list is whole.
    fs::write(&json, "[]\n").unwrap();
    let found = crownhead(&db, &["--format", "csv", "verify", json.to_str().unwrap()]);
    assert_eq!(found.out.lines().count(), 1, "{}", found.out);
}

#[test]
fn lines_that_are_not_there_are_told() {
    let folder = tempdir().unwrap();
    let (db, pdn) = (folder.path().join("a.db"), folder.path().join("a.pdn"));
    fs::write(&pdn, random_pdn(3, 2)).unwrap();
    crownhead_ends(&db, 0, &["import", "--quiet", pdn.to_str().unwrap()]);
    let ran = crownhead(&db, &["verify", "--game", "99999"]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.err.contains("There is no line 99999.") && !ran.out.contains("illegal"), "{}{}", ran.out, ran.err);
    let ran = crownhead(&db, &["verify", "--game", "1", "--game", "99999"]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.err.contains("There is no line 99999.") && ran.err.contains("1 line replayed"), "{}", ran.err);
}

#[test]
fn what_is_written_on_the_command_line_steers_no_terminal() {
    let folder = tempdir().unwrap();
    let db = folder.path().join("a.db");
    // As on a terminal, where nobody takes colours out.
    let forced = [("CLICOLOR_FORCE", Path::new("1"))];
    for args in
        [&["\x1b[2J"][..], &["games", "--variant", "\x1b[2Jx"], &["games", "--\x1b]0;a\x07"], &["games", "\u{9b}2J"]]
    {
        let ran = crownhead_with(&db, args, &forced);
        assert_eq!(ran.status, Some(2), "{args:?}");
        assert!(ran.err.starts_with("error: ") && ran.err.contains('\n'), "{args:?}: {:?}", ran.err);
        let hostile = ran.err.chars().find(|c| c.is_control() && *c != '\n');
        assert_eq!(hostile, None, "{args:?}: {:?}", ran.err);
    }
}
