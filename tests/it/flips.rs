//! Single bits of a database changed at random: `check` reports each that changes an answer, but for words that stand in one
//! place alone.
//!
//! `CROWNHEAD_FLIPS=500 cargo test --test it flips::` tries more of them; the order is the same in every run.

use std::fs;
use std::path::Path;

use crownhead::board::Variant;
use crownhead::book::Book;
use crownhead::query::{self, Filters, Sort};
use crownhead::rules::Position;
use crownhead::store::{AnalysisLimits, Database};
use crownhead::table::Row;

use crate::support::{crownhead_ends, random_pdn};

/// Flips where the environment does not say how many.
const DEFAULT_FLIPS: usize = 25;

/// Games with everything that a line can have.
const WORDS: &str = "[Event \"Cup\"]\n[Site \"Leeds\"]\n[Date \"1901.02.03\"]\n[Black \"Ash, Ann\"]\n[White \"Birch, Bo\"]\n\
    [Annotator \"Cox\"]\n[Result \"1-0\"]\n{before} 1. 11-15 {first} 23-19 2. 8-11 {third} 22-17 $4 \
    ({instead} 2... 26-23 {other} 3. 4-8) 3. 11-16 1-0\n\n\
    [Event \"Match\"]\n[Black \"Elm\"]\n[White \"A. Ash\"]\n[Result \"1/2-1/2\"]\n1. 9-14 22-18 2. 5-9 24-19 1/2-1/2\n";
/// What another source says of the same games.
const AGAIN: &str = "[Event \"Cup\"]\n[Site \"York\"]\n[Date \"1901.02.03\"]\n[Black \"Ash, Ann\"]\n[White \"Birch, Bo\"]\n\
    [Result \"1-0\"]\n1. 11-15 23-19 {again} 2. 8-11 22-17 (2... 26-23 {twice} 3. 4-8) (2... 27-23) 3. 11-16 $2 1-0\n\n\
    [Event \"Match\"]\n[Black \"Elm\"]\n[White \"A. Ash\"]\n[Result \"1/2-1/2\"]\n1. 9-14 {and so on} 22-18 2. 5-9 24-19 1/2-1/2\n";
const BOOK: &str = "GAME 1.\n\n11-15 22-18 15-22 25-18 8-11* 29-25\n\nBlack wins.\n";

fn library(folder: &Path) -> Vec<u8> {
    let at = |name: &str| folder.join(name);
    fs::write(at("words.pdn"), WORDS).unwrap();
    fs::write(at("book.txt"), BOOK).unwrap();
    fs::write(at("more.pdn"), random_pdn(5, 12)).unwrap();
    fs::write(at("again.pdn"), AGAIN).unwrap();
    fs::copy(at("again.pdn"), at("same.pdn")).unwrap();
    let db = at("whole.db");
    for name in ["words.pdn", "more.pdn", "again.pdn", "same.pdn"] {
        crownhead_ends(&db, 0, &["import", "--quiet", at(name).to_str().unwrap()]);
    }
    // A part of the book is refused, which is a finding to keep.
    crownhead_ends(&db, 1, &["import", "--as", "book", "--quiet", at("book.txt").to_str().unwrap()]);
    crownhead_ends(&db, 0, &["alias", "add", "A. Ash", "Ash, Ann"]);
    crownhead_ends(&db, 0, &["annotate", "--nodes", "2000", "--quiet", "1", "2"]);
    crownhead_ends(&db, 0, &["annotate", "--tree", "--quiet"]);
    crownhead_ends(&db, 0, &["check"]);
    fs::read(db).unwrap()
}

/// The cells of a table but for columns that hold words which stand nowhere else in a database.
fn cells<R: Row>(rows: Vec<R>, in_one_place: &[&str]) -> String {
    let kept = |column: usize| !in_one_place.contains(&&*R::COLUMNS[column].name);
    let rows = rows.into_iter().map(|row| {
        let cells = row.values().into_iter().enumerate().filter(|(column, _)| kept(*column));
        format!("{:?}", cells.collect::<Vec<_>>())
    });
    rows.collect::<Vec<_>>().join("\n")
}

/// What the program answers; `None` where it refuses. Left out is what `check` has nothing to hold against: the name of a source,
/// the day of its import, the program that made an analysis and its limits, signs and accents in the spelling of an alias, and
/// names of openings, which may come from a table of the user's own.
fn answers(database: &Database) -> Option<String> {
    let limits =
        AnalysisLimits { maker: String::new(), version: String::new(), nodes: 0, depth: 0, proof_nodes: 0, pieces: 0 };
    let mut all = Vec::new();
    all.push(cells(query::games(database, &Filters::default(), &Sort::default()).ok()?.0, &["source", "opening"]));
    for id in database.copy_ids().ok()? {
        all.push(query::pdn(&query::record(database, id).ok()??));
        if let Some(mut analysis) = database.analysis(id).ok()? {
            analysis.limits = limits.clone();
            all.push(format!("{analysis:?}"));
        }
    }
    for alias in database.aliases().ok()? {
        all.push([alias.spelling, alias.name].map(|name| query::name_key(&name, false)).join(" is "));
    }
    all.push(cells(query::sources(database).ok()?, &["name", "date", "other_names"]));
    let start = Position::start(Variant::English);
    all.push(format!("{:?}", query::moves(database, &Book::embedded().ok()?, &start).ok()?));
    Some(all.join("\n"))
}

#[test]
fn a_flipped_bit_that_changes_an_answer_is_reported() {
    let flips = std::env::var("CROWNHEAD_FLIPS").ok().and_then(|flips| flips.parse().ok()).unwrap_or(DEFAULT_FLIPS);
    let folder = tempfile::tempdir().unwrap();
    let whole = library(folder.path());
    let path = folder.path().join("flipped.db");
    fs::write(&path, &whole).unwrap();
    let expected = answers(&Database::open(&path).unwrap()).unwrap();
    let (mut reported, mut harmless, mut unseen) = (0, 0, Vec::new());
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    for _ in 0..flips {
        // xorshift64*
        seed ^= seed >> 12;
        seed ^= seed << 25;
        seed ^= seed >> 27;
        let bit = seed.wrapping_mul(0x2545_f491_4f6c_dd1d) as usize % (whole.len() * 8);
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, &bytes).unwrap();
        let Ok(database) = Database::open_to_check(&path) else {
            reported += 1;
            continue;
        };
        if query::check(&database).map_or(true, |check| !check.rows.is_empty()) {
            reported += 1;
            continue;
        }
        // A refused answer is no wrong one.
        match answers(&database) {
            Some(answer) if answer != expected => unseen.push((bit, difference(&expected, &answer))),
            _ => harmless += 1,
        }
    }
    println!("{flips} flips: {reported} reported, {harmless} change no answer, {} unseen", unseen.len());
    assert!(reported > 0, "some flips are reported");
    assert!(unseen.is_empty(), "{} of {flips} unseen: {unseen:#?}", unseen.len());
}

/// Where two answers part.
fn difference(expected: &str, answer: &str) -> String {
    let at = expected.bytes().zip(answer.bytes()).take_while(|(a, b)| a == b).count();
    let part = |text: &str| {
        String::from_utf8_lossy(&text.as_bytes()[at.saturating_sub(40)..(at + 40).min(text.len())]).into_owned()
    };
    format!("{:?} became {:?}", part(expected), part(answer))
}
