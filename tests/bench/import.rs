//! Import speed and size: random legal games after real openings, imported into an empty database and on top of many.
//!
//! ```text
//! cargo bench --bench import                     460,287 half-moves, empty and on top of 1 million
//! cargo bench --bench import -- 10000000         on top of ten million
//! cargo bench --bench import -- 10000000 FILE    with the games of FILE instead of generated ones
//! ```
//! What is printed: half-moves a second and bytes a half-move. Nothing is asserted.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crownhead::board::Variant;
use crownhead::book::Book;
use crownhead::game::{ReplayOptions, move_text};
use crownhead::import::{self, ImportObserver, ImportOptions};
use crownhead::intake::{self, Chunk, Input};
use crownhead::rules::Position;
use crownhead::store::Database;

/// Half-moves of the sample that is timed, as many as the largest free collection has.
const SAMPLE: usize = 460_287;

struct Nobody;

impl ImportObserver for Nobody {
    fn chunk(&mut self, _: &Input, _: &Chunk) {}
}

/// A small generator of numbers: repeatable on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }
}

/// PDN of random legal games after the lines of the named openings, at least `half_moves` long together.
fn generate(half_moves: usize, seed: u64, book: &Book) -> String {
    let mut random = Random(seed);
    let mut text = String::with_capacity(half_moves * 9);
    let (mut written, mut number) = (0, 0);
    while written < half_moves {
        number += 1;
        let opening = &book.openings()[random.below(book.openings().len())];
        let mut position = Position::start(Variant::English);
        let result = ["1-0", "0-1", "1/2-1/2"][random.below(3)];
        let _ = write!(text, "[Event \"Generated game {seed}-{number}\"]\n[Result \"{result}\"]\n[GameType \"21\"]\n");
        let mut line = 0;
        for ply in 0..40 + random.below(60) {
            let legal = position.legal_moves();
            let Some(&chosen) = opening
                .definition
                .moves
                .get(ply)
                .or_else(|| if legal.is_empty() { None } else { legal.get(random.below(legal.len())) })
            else {
                break;
            };
            if ply % 2 == 0 {
                let _ = write!(text, "{}. ", ply / 2 + 1);
            }
            let played = move_text(&position, &chosen);
            line += played.len() + 4;
            text.push_str(&played);
            text.push(if line > 70 { '\n' } else { ' ' });
            line %= 71;
            position = position.play_unchecked(&chosen);
            written += 1;
        }
        let _ = write!(text, "{result}\n\n");
    }
    text
}

/// Bytes in use: pages that merged segments left free are not counted, for later imports fill them.
fn size(database: &Path) -> u64 {
    let Ok(store) = Database::open(database) else { return 0 };
    let pragma = |name: &str| {
        store.connection().pragma_query_value(None, name, |row| row.get::<_, i64>(0)).unwrap_or(0).unsigned_abs()
    };
    (pragma("page_count") - pragma("freelist_count")) * pragma("page_size")
}

/// Imports a file; half-moves, seconds, bytes added.
fn timed(database: &Path, file: &Path, book: &Book) -> (u64, f64, u64) {
    let before = size(database);
    let inputs = intake::inputs(&[file.to_owned()]).expect("the file is there");
    let replay = ReplayOptions::for_variant(Variant::English);
    let options = ImportOptions { intake: intake::ReadOptions { replay, form: None, threads: 0 }, strict: false };
    let started = Instant::now();
    let (mut store, _) = Database::create(database).expect("the database can be made");
    let report = import::import(&mut store, &inputs, book, &options, &AtomicBool::new(false), &mut Nobody)
        .expect("the import goes through");
    drop(store);
    let seconds = started.elapsed().as_secs_f64();
    (report.total.plies, seconds, size(database) - before)
}

fn print(what: &str, runs: &mut [(u64, f64, u64)]) {
    runs.sort_by(|a, b| a.1.total_cmp(&b.1));
    let (plies, seconds, bytes) = runs[runs.len() / 2];
    println!(
        "{what}: {plies} half-moves, median {seconds:.3} s ({:.2} million a second), {:.2} bytes a half-move, {} runs",
        plies as f64 / seconds / 1e6,
        bytes as f64 / plies as f64,
        runs.len()
    );
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let below: usize = arguments.first().and_then(|argument| argument.parse().ok()).unwrap_or(1_000_000);
    let book = Book::embedded().expect("the book is whole");
    let folder = tempfile::tempdir().expect("a scratch folder");
    let sample = match arguments.get(1) {
        Some(file) => Path::new(file).to_owned(),
        None => {
            let path = folder.path().join("sample.pdn");
            fs::write(&path, generate(SAMPLE, 1, &book)).expect("room for the sample");
            path
        }
    };
    let mut runs: Vec<_> =
        (0..5).map(|run| timed(&folder.path().join(format!("empty{run}.db")), &sample, &book)).collect();
    print("into an empty database", &mut runs);

    let large = folder.path().join("large.pdn");
    fs::write(&large, generate(below, 2, &book)).expect("room for the games below");
    let base = folder.path().join("base.db");
    print("the games below", &mut [timed(&base, &large, &book)]);
    let mut runs: Vec<_> = (0..5)
        .map(|run| {
            let copy = folder.path().join(format!("on-top{run}.db"));
            fs::copy(&base, &copy).expect("room for a copy");
            let measured = timed(&copy, &sample, &book);
            let _ = fs::remove_file(&copy);
            measured
        })
        .collect();
    print("on top of them", &mut runs);
}
