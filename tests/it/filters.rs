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

/// Four games of made-up players: one with a variation, one that comes to the same position by another order of moves, and
/// one of another opening.
const CUPS: &str = r#"[Event "Spring Cup"]
[Date "1898.??.??"]
[Black "Ash, C."]
[White "Birch, D."]
[Result "1-0"]
1. 11-15 23-19 2. 8-11 22-17 (2... 22-18 3. 15x22) 3. 4-8 1-0

[Event "Spring Cup"]
[Date "1901"]
[Black "Birch, D."]
[White "Ash, C."]
[Result "0-1"]
1. 11-15 23-19 2. 8-11 22-17 3. 3-8 0-1

[Event "Autumn Cup"]
[Date "1899"]
[Black "Cedar, R."]
[White "Ash, C."]
[Result "1/2-1/2"]
1. 11-15 22-17 2. 8-11 23-19 3. 4-8 1/2-1/2

[Event "Autumn Cup"]
[Date "1899"]
[Black "Cedar, R."]
[White "Birch, D."]
[Result "1-0"]
1. 9-13 22-18 2. 13-17 1-0
"#;

fn cups(folder: &Path) -> PathBuf {
    database(folder, &[("cups.pdn", CUPS)])
}

#[test]
fn each_side_has_a_filter_by_player() {
    let folder = tempfile::tempdir().unwrap();
    let db = cups(folder.path());
    for (filter, games) in [
        (&["--player", "ash"][..], 3),
        (&["--black", "ash"], 1),
        (&["--white", "ash"], 2),
        (&["--white", "ash", "--black", "cedar"], 1),
        (&["--player", "ash", "--white", "birch"], 1),
        (&["--white", "cedar"], 0),
    ] {
        assert_eq!(count(&db, filter), games, "{filter:?}");
    }
    let ran = crownhead(&db, &["games", "--white", "cedar"]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.err.contains("No game here has a player called \"cedar\" with White."), "{}", ran.err);
    let near = crownhead(&db, &["games", "--black", "ceder"]);
    assert!(near.err.contains("Did you mean Cedar, R.?"), "{}", near.err);
    // A report keeps the players that were asked for, on the side they were asked for.
    let players = |filter: &[&str]| {
        let columns = ["--format", "csv", "--columns", "player,as_black,as_white", "report", "players"];
        crownhead_ends(&db, 0, &[&columns[..], filter].concat()).replace('\r', "")
    };
    assert_eq!(players(&["--white", "ash"]), "player,as_black,as_white\n\"Ash, C.\",0,2\n");
    assert_eq!(players(&["--player", "ash", "--white", "birch"]).lines().count(), 3);
}

#[test]
fn games_are_filtered_by_a_position_they_passed_through() {
    let folder = tempfile::tempdir().unwrap();
    let db = cups(folder.path());
    // By any order of moves, and only with the same side to move.
    let position = ["--position", "11-15 22-17 8-11 23-19"];
    assert_eq!(count(&db, &position), 3);
    assert_eq!(count(&db, &["--position", "11-15 23-19"]), 2);
    assert_eq!(count(&db, &["--position", "11-15 23-19", "--result", "white"]), 1);
    assert_eq!(count(&db, &["--position", "10-15"]), 0);
    // A variation has the positions of its game before it, not those after.
    assert_eq!(count(&db, &["--kind", "variation", "--position", "11-15"]), 1);
    assert_eq!(count(&db, &["--kind", "variation", "--position", "11-15 23-19 8-11 22-18"]), 1);
    assert_eq!(count(&db, &["--kind", "variation", "--position", "11-15 23-19 8-11 22-17"]), 0);
    for (command, lines) in [
        (&["export", "csv"][..], 4),
        (&["report", "openings"], 3),
        (&["search", "--pattern", "W17"], 4),
        (&["search", "--pattern", "W17", "--kind", "variation"], 1),
    ] {
        let ran = crownhead(&db, &[&["--format", "csv"][..], command, &position].concat());
        assert_eq!(ran.out.lines().count(), lines, "{command:?}: {}", ran.out);
    }
    let ran = crownhead(&db, &["games", "--position", "10-15"]);
    assert!(ran.err.contains("No game here passed through the position W:W21"), "{}", ran.err);
    assert_eq!(crownhead(&db, &["games", "--position", "11-99"]).status, Some(2));
}

/// In `search` a position alone is what is sought; beside a pattern it need not hold at the same ply.
#[test]
fn a_position_is_sought_alone_and_filters_beside_a_pattern() {
    let folder = tempfile::tempdir().unwrap();
    let db = cups(folder.path());
    let found = |args: &[&str]| {
        let columns = ["--format", "csv", "--columns", "game,ply", "search"];
        crownhead(&db, &[&columns[..], args].concat()).out.replace('\r', "")
    };
    assert_eq!(found(&["--position", "11-15 23-19"]), "game,ply\n1,2\n3,2\n");
    assert_eq!(found(&["--position", "11-15 23-19", "--pattern", "B8 -4"]), "game,ply\n1,5\n");
}

#[test]
fn moves_count_the_games_that_filters_let_through() {
    let folder = tempfile::tempdir().unwrap();
    let db = cups(folder.path());
    let rows = |args: &[&str]| {
        let columns = ["move", "games", "black_wins", "draws", "white_wins", "position_games", "arrivals", "last_year"];
        let columns = ["--format", "csv", "--columns", &columns.join(","), "moves"];
        crownhead(&db, &[&columns[..], args].concat())
            .out
            .replace('\r', "")
            .lines()
            .skip(1)
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(rows(&[]), "11-15,3,1,1,1,3,0,1901 9-13,1,1,0,0,1,0,1899");
    assert_eq!(rows(&["--player", "birch"]), "11-15,2,1,0,1,2,0,1901 9-13,1,1,0,0,1,0,1899");
    assert_eq!(rows(&["--player", "birch", "--year", "1890..1900"]), "9-13,1,1,0,0,1,0,1899 11-15,1,1,0,0,1,0,1898");
    // The position asked about, and one passed through: Ash with White came to it once by each way.
    let line = ["11-15", "23-19", "8-11"];
    assert_eq!(rows(&[&line[..], &["--white", "ash"]].concat()), "22-17,1,0,0,1,2,1,1901");
    assert_eq!(rows(&[&line[..2], &["--position", "11-15 23-19 8-11 22-17 4-8"]].concat()), "8-11,1,1,0,0,1,0,1898");
    // Other lines than games where they are asked for.
    assert_eq!(rows(&["11-15", "23-19", "8-11", "--kind", "variation"]), "22-18,1,0,0,0,1,0,");
    for (filter, says) in [
        (["--player", "birhc"], "No player here is called \"birhc\". Did you mean Birch, D.?"),
        (["--player", "cedar"], "No game that passes these filters reached this position."),
    ] {
        let ran = crownhead(&db, &[&["moves", "11-15", "23-19"], &filter[..]].concat());
        assert_eq!(ran.status, Some(1), "{}", ran.err);
        assert!(ran.err.contains(says), "{}", ran.err);
    }
}

#[test]
fn an_opening_may_be_given_by_its_moves() {
    let folder = tempfile::tempdir().unwrap();
    let db = cups(folder.path());
    let ran = crownhead(&db, &["--format", "csv", "games", "--opening", "11-15 23-19 8-11 22-17 4-8"]);
    assert!(ran.err.contains("is the Old Fourteenth."), "{}", ran.err);
    let by_name = crownhead_ends(&db, 0, &["--format", "csv", "games", "--opening", "old fourteenth"]);
    assert_eq!((ran.status, ran.out), (Some(0), by_name));
    let unnamed = crownhead(&db, &["games", "--opening", "11-15 23-19"]);
    assert_eq!(unnamed.status, Some(2));
    assert!(unnamed.err.contains("--position \"11-15 23-19\""), "{}", unnamed.err);
    assert_eq!(crownhead(&db, &["games", "--opening", "11-15 23-99"]).status, Some(2));
}

#[test]
fn a_ballot_is_a_number_and_no_other_number_is_explained_in_terms_of_the_program() {
    let none = Path::new("none.db");
    for args in [&["games", "--ballot", "two-move 7"][..], &["opening", "--ballot", "70000"]] {
        let ran = crownhead(none, args);
        assert!(ran.status == Some(2) && ran.err.contains("number of the three-move deck, 1 to 174"), "{}", ran.err);
    }
    for (asked, tip) in [("ten", "write a whole number in digits"), ("99999999999999999999", "the number is too large")]
    {
        let ran = crownhead(none, &["--limit", asked, "games"]);
        assert_eq!(ran.status, Some(2));
        assert!(ran.err.contains(&format!("'{asked}' for '--limit <N>'")) && ran.err.contains(tip), "{}", ran.err);
        assert!(!ran.err.contains("invalid digit") && !ran.err.contains("target type"), "{}", ran.err);
    }
}

#[test]
fn an_opponents_games_are_annotated_by_the_filters_of_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let db = cups(folder.path());
    let hint = |args: &[&str]| {
        let ran = crownhead(&db, &[&["prepare", "birch"], args].concat());
        ran.err.lines().find_map(|line| line.split_once("crownhead annotate ")).map(|(_, hint)| hint.to_owned())
    };
    assert_eq!(hint(&[]).as_deref(), Some("--player \"Birch, D.\""));
    let year = hint(&["--year", "1890..1900", "--exact"]);
    assert_eq!(year.as_deref(), Some("--player \"Birch, D.\" --year 1890..1900 --exact"));
    let black = hint(&["--side", "black", "--player", "ash", "--result", "black"]);
    let white = hint(&["--side", "white", "--black", "ash"]);
    let told: Vec<String> = [black, white].into_iter().flatten().collect();
    assert!(!told.is_empty(), "Birch has played Ash");
    for hint in told {
        let by = ["--black \"Birch, D.\" --player ash --result black", "--white \"Birch, D.\" --black ash"];
        assert!(by.contains(&hint.as_str()), "{hint}");
    }
}
