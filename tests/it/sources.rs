//! `sources`: the list of imported texts, and the day of their import.

use std::fs;

use super::support::{crownhead_ends, random_pdn};

#[test]
fn texts_are_listed_with_the_day_of_their_import_which_no_export_has() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for (name, seed) in [("a.pdn", 1), ("b.pdn", 2)] {
        fs::write(at(name), random_pdn(seed, 5)).unwrap();
        crownhead_ends(&at("x.db"), 0, &["import", at(name).to_str().unwrap()]);
    }
    // The same text under another name adds nothing.
    fs::copy(at("a.pdn"), at("c.pdn")).unwrap();
    crownhead_ends(&at("x.db"), 0, &["import", at("c.pdn").to_str().unwrap()]);
    let columns = ["--format", "csv", "--columns", "number,games,date,digest,lines,complete", "sources"];
    let listed = crownhead_ends(&at("x.db"), 0, &columns);
    let rows: Vec<Vec<&str>> = listed.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.iter().map(|row| row[0]).collect::<Vec<_>>()[..2], ["1", "2"], "{listed}");
    for row in &rows[..2] {
        assert_eq!((row[1], row[4], row[5]), ("5", "5", "true"), "{listed}");
        let day = row[2].as_bytes();
        assert!(day.len() == 10 && day[4] == b'-' && day[7] == b'-' && row[2].starts_with("20"), "{listed}");
        assert!(row[3].len() >= 32 && row[3].bytes().all(|digit| digit.is_ascii_hexdigit()), "{listed}");
    }
    assert_ne!(rows[0][3], rows[1][3]);
    let day = rows[0][2];
    for export in [&["export", "csv"][..], &["export", "pdn"], &["export", "json"], &["--format", "json", "games"]] {
        assert!(!crownhead_ends(&at("x.db"), 0, export).contains(day), "{export:?}");
    }
    crownhead_ends(&at("x.db"), 0, &["remove", "--source", at("b.pdn").to_str().unwrap()]);
    assert!(!crownhead_ends(&at("x.db"), 0, &columns).contains("\n2,"));
}

#[test]
fn the_day_is_unknown_for_what_an_older_version_imported() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.pdn"), random_pdn(3, 2)).unwrap();
    crownhead_ends(&at("x.db"), 0, &["import", at("a.pdn").to_str().unwrap()]);
    rusqlite::Connection::open(at("x.db")).unwrap().execute("UPDATE source SET imported = NULL", []).unwrap();
    let listed = crownhead_ends(&at("x.db"), 0, &["--format", "csv", "--columns", "number,date", "sources"]);
    assert_eq!(listed, "number,date\n1,\n");
    assert_eq!(crownhead_ends(&at("x.db"), 0, &["check"]), "");
}
