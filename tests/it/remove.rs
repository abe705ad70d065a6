//! `remove`: a database answers as if the source had never been read.

use std::fs;
use std::path::Path;

use crownhead::book::Book;
use crownhead::query::{self, Filters, Sort};
use crownhead::rules::Position;
use crownhead::store::Database;
use crownhead::table::Table;
use tempfile::tempdir;

use crate::support::{crownhead, crownhead_ends, play, position, random_pdn};

fn import(folder: &Path, db: &str, files: &[&str]) {
    for file in files {
        let path = folder.join(file);
        let ran = crownhead(&folder.join(db), &["import", "--quiet", path.to_str().unwrap()]);
        assert!(matches!(ran.status, Some(0 | 1)), "{}", ran.err);
    }
}

/// Everything that does not hang on ids: counts of positions, games, and moves at many positions.
fn answers(db: &Path) -> String {
    let database = Database::open(db).unwrap();
    let book = Book::embedded().unwrap();
    let totals = database.totals().unwrap();
    let mut text = format!("{:?}\n{:?} {:?}\n", database.position_counts().unwrap(), totals, totals.sources);
    let (games, _) = query::games(&database, &Filters::default(), &Sort::default()).unwrap();
    let mut games: Vec<String> = Table::from_rows(games).rows.iter().map(|row| format!("{:?}", &row[1..])).collect();
    games.sort();
    text.push_str(&games.join("\n"));
    let start: Position = position("B:W21-32:B1-12");
    for seed in 0..40_u8 {
        for here in play(start, &[seed, seed / 2, seed / 3, 0, 1]) {
            let (rows, stats) = query::moves(&database, &book, &here).unwrap();
            text.push_str(&format!("\n{rows:?} {stats:?}"));
        }
    }
    text
}

/// Imports `all`, removes `gone`, and wants the answers of a database that only read `kept`.
fn compare(folder: &Path, all: &[&str], gone: &str, kept: &[&str]) {
    for name in ["a.db", "b.db", "a.db-wal", "a.db-shm", "b.db-wal", "b.db-shm"] {
        let _ = fs::remove_file(folder.join(name));
    }
    import(folder, "a.db", all);
    import(folder, "b.db", kept);
    let (with, without) = (folder.join("a.db"), folder.join("b.db"));
    crownhead_ends(&with, 0, &["remove", "--source", folder.join(gone).to_str().unwrap()]);
    let checked = crownhead(&with, &["check"]);
    assert_eq!(checked.status, Some(0), "{all:?} without {gone}: {}{}", checked.out, checked.err);
    let (with, without) = (answers(&with), answers(&without));
    let differing = with.lines().zip(without.lines()).find(|(a, b)| a != b);
    assert!(with == without, "{all:?} without {gone}: {differing:?}");
}

#[test]
fn a_source_goes_whole_and_what_another_has_stays() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    let game = |text: &str, n: usize| text.split("\n\n").nth(n).unwrap().to_owned() + "\n\n";
    let (one, two) = (random_pdn(11, 80), random_pdn(12, 80));
    // Games of the first file within the second, one of them spelled in another way; variations and comments too.
    let special = "[Event \"Special\"]\n[Black \"P\"]\n[White \"Q\"]\n[Result \"1-0\"]\n\
        1. 11-15 {first} 23-19 (22-18 15x22 25x18 (26x17 8-11)) 8-11 1-0\n\n";
    let (tags, moves) = one.split("\n\n").nth(6).unwrap().rsplit_once('\n').unwrap();
    let respelled = format!("{tags}\n{}\n\n", moves.replace(' ', "  "));
    let mixed = format!("{}{}{respelled}{special}{}", game(&two, 0), game(&one, 5), game(&two, 1));
    fs::write(folder.join("one.pdn"), format!("{one}{special}[Event \"Bad\"]\n1. 11-15 23-20 1-0\n\n")).unwrap();
    fs::write(folder.join("mixed.pdn"), &mixed).unwrap();
    fs::write(folder.join("two.pdn"), &two).unwrap();
    compare(folder, &["one.pdn", "two.pdn"], "one.pdn", &["two.pdn"]);
    compare(folder, &["one.pdn", "two.pdn"], "two.pdn", &["one.pdn"]);
    compare(folder, &["one.pdn", "mixed.pdn", "two.pdn"], "one.pdn", &["mixed.pdn", "two.pdn"]);
    compare(folder, &["one.pdn", "mixed.pdn", "two.pdn"], "mixed.pdn", &["one.pdn", "two.pdn"]);
    let db = folder.join("alone.db");
    import(folder, "alone.db", &["one.pdn"]);
    crownhead_ends(&db, 0, &["remove", "--number", "1"]);
    let database = Database::open(&db).unwrap();
    assert_eq!((database.totals().unwrap(), database.position_counts().unwrap()), Default::default());
}

#[test]
fn a_text_that_a_longer_one_begins_with_goes_to_it() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    // Several chunks: the longer file holds the first ones of the shorter, by their digests.
    let (one, two) = (random_pdn(21, 1_500), random_pdn(22, 400));
    fs::write(folder.join("short.pdn"), &one).unwrap();
    fs::write(folder.join("long.pdn"), format!("{one}{two}")).unwrap();
    compare(folder, &["short.pdn", "long.pdn"], "short.pdn", &["long.pdn"]);
    compare(folder, &["short.pdn", "long.pdn"], "long.pdn", &["short.pdn"]);
}

#[test]
fn a_source_that_is_not_there_is_told() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("one.pdn"), random_pdn(1, 3)).unwrap();
    import(folder.path(), "a.db", &["one.pdn"]);
    let db = folder.path().join("a.db");
    let ran = crownhead(&db, &["remove", "--source", "other.pdn"]);
    assert_eq!(ran.status, Some(1), "{}", ran.err);
    crownhead_ends(&db, 0, &["remove", "--number", "1"]);
    crownhead_ends(&db, 1, &["games"]);
    // The same text can be read again.
    import(folder.path(), "a.db", &["one.pdn"]);
    assert_eq!(Database::open(&db).unwrap().totals().unwrap().games, 3);
}

#[test]
fn a_source_is_found_by_words_and_a_dry_run_removes_nothing() {
    let folder = tempdir().unwrap();
    let noted = "[Event \"Noted\"]\n[Result \"1-0\"]\n1. 11-15 {first} 23-19 (22-18 15x22 25x18) 8-11 1-0\n\n";
    fs::write(folder.path().join("masters-1880.pdn"), format!("{}{noted}", random_pdn(1, 3))).unwrap();
    fs::write(folder.path().join("masters-1890.pdn"), random_pdn(2, 4)).unwrap();
    import(folder.path(), "a.db", &["masters-1880.pdn", "masters-1890.pdn"]);
    let db = folder.path().join("a.db");
    let several = crownhead(&db, &["remove", "--source", "masters"]);
    assert_eq!(several.status, Some(2), "{}", several.err);
    assert!(several.err.contains("masters-1880.pdn") && several.err.contains("masters-1890.pdn"), "{}", several.err);
    assert!(several.err.contains("--number"), "{}", several.err);
    let before = answers(&db);
    let dry = crownhead(&db, &["remove", "--source", "1880", "--dry-run"]);
    assert_eq!((dry.status, answers(&db) == before), (Some(0), true), "{}", dry.err);
    let done = crownhead(&db, &["remove", "--source", "1880"]);
    assert_eq!(done.status, Some(0), "{}", done.err);
    assert_eq!(dry.err.replace("Would remove", "Removed"), done.err);
    assert!(done.err.contains("1 text (") && done.err.contains("5 lines (4 of kind game), 1 note."), "{}", done.err);
    assert_eq!(Database::open(&db).unwrap().totals().unwrap().games, 4);
    crownhead_ends(&db, 1, &["remove", "--number", "1"]);
    crownhead_ends(&db, 2, &["remove", "--source", "  "]);
    crownhead_ends(&db, 2, &["remove", "--dry-run"]);
    crownhead_ends(&db, 0, &["remove", "--number", "2"]);
    crownhead_ends(&db, 0, &["check"]);
}

#[test]
fn a_source_that_is_not_named_rightly_is_proposed() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("wrong.pdn"), "1. 11-15 23-19 *\n").unwrap();
    import(folder.path(), "x.db", &["wrong.pdn"]);
    let run = |args: &[&str]| crownhead(&folder.path().join("x.db"), &[&["remove"], args].concat());
    let near = run(&["--source", "wrng.pdn"]);
    assert_eq!(near.status, Some(1), "{}", near.err);
    assert!(near.err.contains("Did you mean ") && near.err.contains("wrong.pdn?"), "{}", near.err);
    let far = run(&["--source", "letters"]);
    assert!(far.status == Some(1) && !far.err.contains("Did you mean"), "{}", far.err);
    for (asked, wanted) in
        [("wrong.pdn", "'--source wrong.pdn'"), ("my games.pdn", "--source 'my games.pdn'"), ("3", "'--number 3'")]
    {
        let bare = run(&[asked]);
        assert!(bare.status == Some(2) && bare.err.contains(wanted), "{asked}: {}", bare.err);
    }
    assert!(!run(&["--sauce"]).err.contains("named with an option"));
}

#[test]
fn values_kept_of_positions_go_with_play_that_had_a_part_in_them() {
    let folder = tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.pdn"), "1. 11-15 22-18 1-0\n").unwrap();
    let db = at("x.db");
    for name in [at("a.pdn").to_str().unwrap(), "data/illustrative_games.txt"] {
        crownhead_ends(&db, 0, &["import", "--quiet", name]);
    }
    crownhead_ends(&db, 0, &["annotate", "--tree", "--quiet"]);
    let kept = || crownhead_ends(&db, 0, &["--format", "csv", "sql", "SELECT count(*) AS n FROM tree_value"]);
    assert_ne!(kept(), "n\n0\n");
    let dry = crownhead(&db, &["remove", "--number", "2", "--dry-run"]);
    assert!(dry.err.contains("would go with it") && kept() != "n\n0\n", "{}", dry.err);
    let done = crownhead(&db, &["remove", "--number", "2"]);
    assert!(done.err.contains("annotate --tree makes them anew") && kept() == "n\n0\n", "{}", done.err);
    assert!(!crownhead(&db, &["moves"]).err.contains("stale"));
}
