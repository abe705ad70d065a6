//! Speed of searches over random legal games: exact positions in the index, patterns and material by a walk of all lines.
//!
//! ```text
//! cargo bench --bench search                 100,000 games
//! cargo bench --bench search -- 1000000      a million
//! cargo bench --bench search -- 100000 DB    the same, keeping the database, or using it where it is
//! ```
//! What is printed: the median of 15 runs in one process, and what was found. Nothing is asserted.

#![allow(missing_docs)]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crownhead::board::Variant;
use crownhead::book::Book;
use crownhead::game::{ReplayOptions, move_text, read_moves};
use crownhead::import::{self, ImportObserver, ImportOptions};
use crownhead::intake::{self, Chunk, Input};
use crownhead::query::{self, Filters, Material, Pattern, PositionSearch, Sort};
use crownhead::rules::Position;
use crownhead::store::Database;

const ENGLISH: Variant = Variant::English;
const RUNS: usize = 15;

struct Nobody;

impl ImportObserver for Nobody {
    fn chunk(&mut self, _: &Input, _: &Chunk) {}
}

/// PDN of random legal games of 30 to 70 plies, named and dated like real ones.
fn generate(games: usize) -> String {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut below = move |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % limit
    };
    let mut text = String::with_capacity(games * 400);
    for number in 0..games {
        let (black, white) = (below(900), below(900));
        let _ = write!(
            text,
            "[Event \"Generated match {}\"]\n[Date \"{}.{:02}.{:02}\"]\n[Round \"{number}\"]\n[Black \"Player{black}, A.\"]\n\
             [White \"Player{white}, B.\"]\n[Result \"1/2-1/2\"]\n[GameType \"21\"]\n",
            number / 50,
            1850 + below(150),
            1 + below(12),
            1 + below(28)
        );
        let mut position = Position::start(ENGLISH);
        for ply in 0..30 + below(41) {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let chosen = legal[below(legal.len())];
            if ply % 2 == 0 {
                let _ = write!(text, "{}. ", ply / 2 + 1);
            }
            text.push_str(&move_text(&position, &chosen));
            text.push(if ply % 14 == 13 { '\n' } else { ' ' });
            position = position.play_unchecked(&chosen);
        }
        text.push_str("1/2-1/2\n\n");
    }
    text
}

fn make(path: &Path, games: usize) {
    let pdn = path.with_extension("pdn");
    fs::write(&pdn, generate(games)).expect("room for the games");
    let inputs = intake::inputs(std::slice::from_ref(&pdn)).expect("the file is there");
    let replay = ReplayOptions::for_variant(ENGLISH);
    let options = ImportOptions { intake: intake::ReadOptions { replay, form: None, threads: 0 }, strict: false };
    let (mut store, _) = Database::create(path).expect("the database can be made");
    let book = Book::embedded().expect("the book is whole");
    let report = import::import(&mut store, &inputs, &book, &options, &AtomicBool::new(false), &mut Nobody)
        .expect("the import goes through");
    println!("{} games, {} half-moves", report.total.games, report.total.plies);
    let _ = fs::remove_file(pdn);
}

fn median(mut run: impl FnMut() -> usize) -> (Duration, usize) {
    let mut times = Vec::with_capacity(RUNS);
    let mut found = 0;
    for _ in 0..RUNS {
        let started = Instant::now();
        found = run();
        times.push(started.elapsed());
    }
    times.sort();
    (times[RUNS / 2], found)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let games: usize = arguments.first().and_then(|argument| argument.parse().ok()).unwrap_or(100_000);
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = arguments.get(1).map_or_else(|| folder.path().join("search.db"), PathBuf::from);
    if !path.exists() {
        make(&path, games);
    }
    let database = Database::open(&path).expect("the database is there");
    let nothing = PositionSearch { variant: ENGLISH, position: None, pattern: None, material: None, reversed: false };
    let find = |what: &str, search: &PositionSearch| {
        let (time, found) = median(|| query::find(&database, search).expect("an answer").len());
        println!("find {what}: {:.1} microseconds, {found} lines", time.as_secs_f64() * 1e6);
    };
    let start = Position::start(ENGLISH);
    for moves in
        ["11-15", "11-15 23-19 8-11 22-17", "11-15 22-18 15x22 25x18", "9-14 22-17 11-15 25-22 15-19 24x15 10x19 23x16"]
    {
        let played = read_moves(moves, start).expect("legal moves");
        let position = played.iter().fold(start, |position, played| position.play_unchecked(played));
        find(moves, &PositionSearch { position: Some(position), ..nothing.clone() });
    }
    for text in ["W18 b9|b10 -14 ?22", "WK1 BK32", "w1 b32 -15", "W13 B12 W21 B5 -18 -19 B28", "B18 W15"] {
        let pattern = Pattern::read(text, ENGLISH, false).expect("a pattern");
        find(text, &PositionSearch { pattern: Some(pattern.clone()), ..nothing.clone() });
        find(
            &format!("{text}, reversed too"),
            &PositionSearch { pattern: Some(pattern), reversed: true, ..nothing.clone() },
        );
    }
    for text in ["4v3+1k", "2kv1k", "12v11", "7v7"] {
        let material = Material::read(text, ENGLISH).expect("a material");
        find(text, &PositionSearch { material: Some(material), ..nothing.clone() });
    }
    let pattern = Some(Pattern::read("W18 b9|b10 -14 ?22", ENGLISH, false).expect("a pattern"));
    let search = PositionSearch { pattern, ..nothing };
    for (what, filters) in [
        ("a page of a pattern", Filters::default()),
        ("a page of a pattern and a player", Filters { player: Some("player77".to_owned()), ..Filters::default() }),
    ] {
        let page = Sort { limit: Some(50), ..Sort::default() };
        let (time, found) =
            median(|| query::search(&database, &search, &filters, &page).expect("an answer").1 as usize);
        println!("{what}: {:.1} milliseconds, {found} lines", time.as_secs_f64() * 1e3);
    }
}
