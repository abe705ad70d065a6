//! Names and ballots where a position is asked for: read to the letter, or with a word about how they were read, or not at all.

use std::fs;
use std::path::Path;

use crownhead::book::{Book, Deck, NameReading};

use crate::support::{crownhead, crownhead_ends};

/// Every command that takes a POSITION, with what stands before and after it.
const COMMANDS: &[(&[&str], &[&str])] = &[
    (&["moves"], &[]),
    (&["identify"], &[]),
    (&["show"], &[]),
    (&["the-move"], &[]),
    (&["analyse"], &["--depth", "1"]),
    (&["perft", "1"], &[]),
    (&["prove", "--win"], &["--nodes", "1"]),
    (&["egdb", "probe"], &[]),
    (&["export", "tree"], &[]),
    (&["search", "--position"], &[]),
    (&["search", "--pattern", "W19", "--position"], &[]),
    (&["games", "--position"], &[]),
    (&["export", "csv", "--position"], &[]),
    (&["report", "openings", "--position"], &[]),
    (&["annotate", "--nodes", "1", "--position"], &[]),
    (&["moves", "--position"], &[]),
];

fn database(folder: &Path) -> std::path::PathBuf {
    let path = folder.join("a.pdn");
    fs::write(&path, "[Black \"Ash\"]\n[White \"Birch\"]\n1. 11-16 23-18 2. 16-20 *\n").unwrap();
    let db = folder.join("x.db");
    crownhead_ends(&db, 0, &["import", path.to_str().unwrap()]);
    db
}

#[test]
fn every_command_refuses_a_name_that_is_read_loosely_and_tells_how_it_read_another() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path());
    for (before, after) in COMMANDS {
        let ran = |name: &str| crownhead(&db, &[before, &[name][..], after].concat());
        for (name, meant) in [("boston cross", "Bristol Cross (11-16 23-18)"), ("old fourt", "Old Fourteenth (11-15")] {
            let loose = ran(name);
            assert_eq!((loose.status, loose.out.as_str()), (Some(2), ""), "{before:?}: {}", loose.err);
            assert!(loose.err.contains(&format!("no opening is called {name:?}")), "{before:?}: {}", loose.err);
            assert!(loose.err.contains(&format!("did you mean {meant}")), "{before:?}: {}", loose.err);
        }
        let forgiven = ran("bristl cros");
        let told = "Read \"bristl cros\" as Bristol Cross (11-16 23-18).";
        assert_eq!(forgiven.err.matches(told).count(), 1, "{before:?}: {}", forgiven.err);
        let exact = ran("BRISTOL  cross");
        assert!(!exact.err.contains("Read "), "{before:?}: {}", exact.err);
        let out = |ran: &str| ran.lines().filter(|line| !line.contains(" in ")).collect::<Vec<_>>().join("\n");
        assert_eq!((exact.status, out(&exact.out)), (forgiven.status, out(&forgiven.out)), "{before:?}");
    }
    assert_eq!(crownhead(&db, &["opening", "boston cross"]).status, Some(0));
}

#[test]
fn a_position_may_be_a_ballot() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path());
    let fen = |text: &str| crownhead_ends(&db, 0, &["--format", "csv", "--columns", "fen", "the-move", text]);
    let book = Book::embedded().unwrap();
    let moves = |deck, number| book.ballot(deck, number).unwrap().text.clone();
    let three = fen(&moves(Deck::ThreeMove, 126));
    for text in ["126", "ballot 126", "Ballot No. 126", "#126", "three-move ballot 126"] {
        assert_eq!(fen(text), three, "{text}");
    }
    assert_eq!(fen("two-move ballot 7"), fen(&moves(Deck::TwoMove, 7)));
    for text in ["0", "175", "ballot 999", "99999999999999999999999"] {
        let ran = crownhead(&db, &["moves", text]);
        assert_eq!(ran.status, Some(2), "{text}");
        assert!(ran.err.contains("the three-move deck has the numbers 1 to 174"), "{}", ran.err);
    }
    assert!(crownhead(&db, &["moves", "two-move ballot 50"]).err.contains("1 to 49"));
    // A number alone is a line's id in `show`.
    assert!(crownhead(&db, &["show", "126"]).err.contains("No line has the id 126"));
    assert!(crownhead_ends(&db, 0, &["show", "ballot 126"]).contains("White (○) to move"));
    let words = crownhead_ends(&db, 0, &["show", "ballot", "126"]);
    assert_eq!(words, crownhead_ends(&db, 0, &["show", "ballot 126"]));
}

#[test]
fn opening_identifies_moves() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("none.db");
    for moves in
        [&["11-15 23-19"][..], &["11-15", "23-19", "9-14", "22-17", "5-9"], &["W:W19,21,22,24-32:B1-7,9-12,15"]]
    {
        let identified = crownhead(&db, &[&["--format", "json", "identify"], moves].concat());
        let opening = crownhead(&db, &[&["--format", "json", "opening"], moves].concat());
        assert_eq!((opening.status, opening.out, opening.err), (identified.status, identified.out, identified.err));
    }
}

#[test]
fn every_name_of_the_book_is_read_to_the_letter() {
    let book = Book::embedded().unwrap();
    for opening in book.openings() {
        for name in std::iter::once(&opening.name).chain(&opening.aliases) {
            let reading = book.read_name(&name.to_uppercase());
            assert_eq!(reading, Some(NameReading::Exact(opening)), "{name}");
        }
    }
}

#[test]
fn folding_and_one_letter_per_word_are_forgiven_and_nothing_else() {
    let book = Book::embedded().unwrap();
    for (text, name) in [
        ("laird & lady", "Laird and Lady"),
        ("lassie ayrshire", "Ayrshire Lassie"),
        ("Ayrshire La.s.sie", "Ayrshire Lassie"),
        ("will o the wisp", "Will-o'-the-Wisp"),
        ("the fife", "Fife"),
        ("F\u{ed}fe", "Fife"),
        ("old 14th", "Old Fourteenth"),
        ("old forteenth", "Old Fourteenth"),
        ("ayrshrie lasie", "Ayrshire Lassie"),
        ("kelso corss", "Kelso Cross"),
    ] {
        let reading = book.read_name(text).unwrap_or_else(|| panic!("{text} is not read"));
        assert!(matches!(reading, NameReading::Forgiven { .. }), "{text}");
        assert_eq!(reading.opening().name, name, "{text}");
    }
    for text in
        ["boston cross", "old", "ayrshire", "old 13", "fife game", "lady laird", "the", "", "14", &"x".repeat(9999)]
    {
        assert_eq!(book.read_name(text), None, "{text:.20}");
    }
}

/// Two names that are both a letter off: neither is guessed.
#[test]
fn a_letter_off_two_names_is_not_read() {
    let names = "name\tmoves\nMoss Game\t9-13 22-17\nMoth Game\t9-13 22-18\n";
    let book = Book::embedded().unwrap().with_names("names", names).unwrap();
    assert_eq!(book.read_name("mosh game"), None);
    assert_eq!(book.read_name("mots gam").map(|reading| reading.opening().name.as_str()), None);
    assert_eq!(book.read_name("mosss game").map(|reading| reading.opening().name.as_str()), Some("Moss Game"));
}

/// What is proposed for an option or a command that is not known is near in spelling, or is what another command has.
#[test]
fn proposals_do_not_mislead() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("none.db");
    for (args, tip) in [
        (&["moves", "--plyer", "x"][..], "a similar argument exists: '--player'"),
        (&["export", "csv", "--positions", "x"], "a similar argument exists: '--position'"),
        (&["games", "--sorted", "date"], "a similar argument exists: '--sort'"),
        (&["games", "--since", "1900"], "'--since' is an option of: report"),
        (&["games", "--pattern", "W1"], "'--pattern' is an option of: search"),
        (&["gamess"], "'games'"),
    ] {
        let ran = crownhead(&db, args);
        assert_eq!(ran.status, Some(2), "{args:?}");
        assert!(ran.err.contains(tip), "{args:?}: {}", ran.err);
        assert!(
            !ran.err.contains("losing") && !ran.err.contains("'moves'") && !ran.err.contains("-- --"),
            "{}",
            ran.err
        );
    }
    for args in [&["moves", "--flavour", "black"][..], &["zzz"], &["search", "-z"]] {
        let ran = crownhead(&db, args);
        assert!(ran.status == Some(2) && !ran.err.contains("tip:"), "{args:?}: {}", ran.err);
    }
}

#[test]
fn a_signed_number_is_no_ballot_and_a_number_with_letters_is_a_name() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path());
    for text in ["-1", "+126", "\u{2212}126", "=126"] {
        let ran = crownhead(&db, &["moves", "--", text]);
        assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{text}: {}", ran.err);
    }
    assert!(crownhead(&db, &["show", "--", "-1"]).status == Some(2));
    let ran = crownhead(&db, &["moves", "14th"]);
    assert!(ran.status == Some(2) && ran.err.contains("did you mean Old Fourteenth"), "{}", ran.err);
    assert!(crownhead(&db, &["moves", "old 14th"]).err.contains("as Old Fourteenth"));
    // What looks like moves keeps its error.
    assert!(crownhead(&db, &["moves", "11-15 24-99x"]).err.contains("ply 2"));
}

#[test]
fn opening_reads_a_number_as_a_position_does() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path());
    let line = |args: &[&str]| {
        let csv = crownhead(&db, &[&["--format", "csv", "--columns", "moves,ballot,deck", "opening"], args].concat());
        (csv.status, csv.out.lines().nth(1).unwrap_or_default().to_owned())
    };
    for (text, found) in [
        ("1", "9-13 21-17 5-9,1,three-move"),
        ("14", "9-13 23-18 10-15,14,three-move"),
        ("ballot 126", "11-15 23-19 8-11,126,three-move"),
        ("two-move ballot 46", "12-16 23-18,46,two-move"),
        ("fourteenth", "11-15 23-19 8-11 22-17 4-8,126,three-move"),
    ] {
        assert_eq!(line(&[text]), (Some(0), found.to_owned()), "{text}");
    }
    for text in ["12th", "-1", "+14"] {
        assert_eq!(line(&["--", text]), (Some(1), String::new()), "{text}");
    }
    // A number that no deck has is told as it was written.
    let large = "99999999999999999999";
    for (args, status) in [(["opening", large], 1), (["moves", large], 2), (["opening", "999"], 1)] {
        let ran = crownhead(&db, &args);
        let told = format!("ballot {}: the three-move deck has the numbers 1 to 174", args[1]);
        assert!(ran.status == Some(status) && ran.err.contains(&told), "{args:?}: {}", ran.err);
    }
    // A full stop makes no move of a number.
    let ran = crownhead(&db, &["moves", "126."]);
    assert!(ran.status == Some(2) && ran.err.contains("has no move"), "{}{}", ran.out, ran.err);
    let card = crownhead_ends(&db, 0, &["opening", "ayrshire lassie"]);
    assert!(card.contains("two-move") && card.contains("35"), "{card}");
}

#[test]
fn an_opening_to_filter_by_forgives_what_a_position_forgives() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path());
    for (asked, told) in [("bristl cros", true), ("bristol", false), ("cross", false)] {
        let ran = crownhead(&db, &["--format", "csv", "--columns", "id", "games", "--opening", asked]);
        assert_eq!((ran.status, ran.out.as_str()), (Some(0), "id\n1\n"), "{asked}: {}", ran.err);
        assert_eq!(ran.err.contains("as Bristol Cross"), told, "{asked}: {}", ran.err);
    }
    assert_eq!(crownhead(&db, &["games", "--opening", "boston cross"]).status, Some(1));
}
