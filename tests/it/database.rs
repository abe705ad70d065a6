//! What tests of the store and the command line need: generated games, imports, and whole databases compared.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use crownhead::board::Variant;
use crownhead::book::Book;
use crownhead::game::{ReplayOptions, move_text};
use crownhead::import::{self, ImportObserver, ImportOptions, ImportReport};
use crownhead::intake::{self, Chunk, Input};
use crownhead::query;
use crownhead::rules::Position;
use crownhead::store::Database;

/// Repeatable numbers.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }
}

/// PDN of random legal games, each `plies` long unless it ends before, at least `bytes` of it.
pub(crate) fn random_games(bytes: usize, plies: usize, seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut text = String::with_capacity(bytes + 2048);
    let mut number = 0;
    while text.len() < bytes {
        number += 1;
        let result = ["1-0", "0-1", "1/2-1/2"][random.below(3)];
        let year = 1850 + random.below(50);
        let _ = write!(
            text,
            "[Event \"G{number}\"]\n[Date \"{year}.??.??\"]\n[Black \"P{seed}\"]\n[White \"Q{number}\"]\n"
        );
        let _ = writeln!(text, "[Result \"{result}\"]");
        let mut position = Position::start(Variant::English);
        for ply in 0..plies {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let chosen = legal[random.below(legal.len())];
            if ply % 2 == 0 {
                let _ = write!(text, "{}. ", ply / 2 + 1);
            }
            text.push_str(&move_text(&position, &chosen));
            text.push(if ply % 12 == 11 { '\n' } else { ' ' });
            position = position.play_unchecked(&chosen);
        }
        let _ = write!(text, "{result}\n\n");
    }
    text
}

/// An observer that does nothing.
pub(crate) struct Nobody;

impl ImportObserver for Nobody {
    fn chunk(&mut self, _: &Input, _: &Chunk) {}
}

pub(crate) fn options(strict: bool) -> ImportOptions {
    let replay = ReplayOptions::for_variant(Variant::English);
    ImportOptions { intake: intake::ReadOptions { replay, form: None, threads: 2 }, strict }
}

/// Imports files that are there.
pub(crate) fn import_files(database: &mut Database, files: &[&Path]) -> ImportReport {
    let paths: Vec<_> = files.iter().map(|file| (*file).to_owned()).collect();
    let inputs = intake::inputs(&paths).unwrap();
    let book = Book::embedded().unwrap();
    import::import(database, &inputs, &book, &options(false), &AtomicBool::new(false), &mut Nobody).unwrap()
}

/// Imports a text under a name.
pub(crate) fn import_text(database: &mut Database, folder: &Path, name: &str, text: impl AsRef<[u8]>) -> ImportReport {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    import_files(database, &[&path])
}

/// Every row that an import writes, but for the segments of the index, which depend on where batches end.
pub(crate) fn dump(database: &Database) -> Vec<String> {
    let mut rows = Vec::new();
    for table in ["source", "text", "copy", "unread_copy", "source_name", "note", "finding", "opening_name"] {
        let order = match table {
            "unread_copy" => "line, source, number",
            "source_name" => "source, name",
            _ => "rowid",
        };
        let mut select = database.connection().prepare(&format!("SELECT * FROM {table} ORDER BY {order}")).unwrap();
        let columns = select.column_count();
        let mut found = select.query([]).unwrap();
        while let Some(row) = found.next().unwrap() {
            let cells: Vec<_> = (0..columns).map(|i| format!("{:?}", row.get_ref(i).unwrap())).collect();
            rows.push(format!("{table} {}", cells.join(" ")));
        }
    }
    for id in database.line_ids().unwrap() {
        rows.push(format!("fact {id} {:?}", database.facts().unwrap().get(id)));
    }
    rows.push(format!("{:?}", database.position_counts().unwrap()));
    rows
}

/// Asserts that two databases hold the same, and that their trees agree.
pub(crate) fn assert_same(a: &Database, b: &Database) {
    let (left, right) = (dump(a), dump(b));
    for (l, r) in left.iter().zip(&right) {
        assert_eq!(l, r);
    }
    assert_eq!(left.len(), right.len());
    let book = Book::embedded().unwrap();
    let start = Position::start(Variant::English);
    let (rows, stats) = query::moves(a, &book, &start).unwrap();
    assert_eq!((rows.clone(), stats), query::moves(b, &book, &start).unwrap());
    for row in rows {
        let next = start.play_unchecked(&row.played);
        assert_eq!(query::moves(a, &book, &next).unwrap(), query::moves(b, &book, &next).unwrap());
    }
}

/// Holds the tree against one counted line by line, by replay.
pub(crate) fn assert_tree_is_that_of_the_lines(database: &Database) {
    type Lines = BTreeSet<u32>;
    let mut positions: BTreeMap<_, (Position, Lines)> = BTreeMap::new();
    let mut moves: BTreeMap<_, Lines> = BTreeMap::new();
    let games: BTreeSet<u32> = {
        let mut ids = database.connection().prepare("SELECT id FROM games WHERE kind = 'game'").unwrap();
        ids.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    };
    for &id in &games {
        let line = database.line(id).unwrap().unwrap();
        let mut position = line.start;
        for played in &line.moves {
            positions.entry(position.key()).or_insert_with(|| (position, Lines::new())).1.insert(id);
            moves.entry((position.key(), *played)).or_default().insert(id);
            position = position.play(played).expect("a stored move is legal");
        }
        positions.entry(position.key()).or_insert_with(|| (position, Lines::new())).1.insert(id);
    }
    let counts = database.position_counts().unwrap();
    assert_eq!(counts.positions, positions.len() as u64);
    assert_eq!(counts.shared, positions.values().filter(|(_, lines)| lines.len() > 1).count() as u64);
    assert_eq!(counts.pairs, positions.values().map(|(_, lines)| lines.len() as u64).sum::<u64>());
    assert_eq!(counts.moves, moves.len() as u64);
    let book = Book::embedded().unwrap();
    // Every position of a small database, a thousand of a large one.
    let step = positions.len() / 1000 + 1;
    for (key, (position, lines)) in positions.iter().step_by(step) {
        let (rows, here) = query::moves(database, &book, position).unwrap();
        assert_eq!(here.games as usize, lines.len());
        let expected: BTreeMap<_, _> =
            moves.range((*key, lowest())..).take_while(|((at, _), _)| at == key).map(|((_, m), l)| (*m, l)).collect();
        assert_eq!(rows.len(), expected.len());
        for row in rows {
            assert_eq!(row.stats.games as usize, expected[&row.played].len());
            let next = position.play_unchecked(&row.played).key();
            assert_eq!(row.position_games as usize, positions[&next].1.len());
        }
    }
}

fn lowest() -> crownhead::board::Move {
    let square = crownhead::board::Square::new(0);
    crownhead::board::Move { from: square, to: square, captured: crownhead::board::Bitboard::EMPTY }
}
