//! The transposition table: what earlier visits found of a position.

use crate::board::Color;
use crate::rules::{FastPosition, PackedSquares};

use super::score::Bound;

/// Entries that share a place, in one line of the processor's cache; the one worth least gives way.
const BUCKET_ENTRIES: usize = 3;

/// What a visit found.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableHit {
    /// Plies searched below the position.
    pub(super) depth: i8,
    /// What the score says.
    pub(super) bound: Bound,
    /// The score, seen from the position.
    pub(super) score: i16,
    /// The best step, by its place in the generator's order; [`NO_MOVE`] for none.
    pub(super) best: u8,
}

/// No step is known to be best.
pub(super) const NO_MOVE: u8 = u8::MAX;

/// A position whole, so that no two are ever taken for each other, and what was found of it.
#[derive(Clone, Copy)]
struct TableEntry {
    squares: PackedSquares,
    white_to_move: bool,
    age: u8,
    hit: TableHit,
}

const EMPTY_ENTRY: TableEntry = TableEntry {
    squares: PackedSquares { black: 0, white: 0, kings: 0 },
    white_to_move: false,
    age: 0,
    hit: TableHit { depth: i8::MIN, bound: Bound::AtLeast, score: 0, best: NO_MOVE },
};

/// Entries side by side.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bucket([TableEntry; BUCKET_ENTRIES]);

/// A table of fixed size.
pub(super) struct TranspositionTable {
    buckets: Vec<Bucket>,
    age: u8,
}

impl TranspositionTable {
    /// A table of at most `bytes`, one bucket at least.
    pub(super) fn new(bytes: usize) -> Self {
        let buckets = (bytes / size_of::<Bucket>()).max(1);
        Self { buckets: vec![Bucket([EMPTY_ENTRY; BUCKET_ENTRIES]); buckets], age: 0 }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.buckets.fill(Bucket([EMPTY_ENTRY; BUCKET_ENTRIES]));
        self.age = 0;
    }

    /// Begins a new search: what older ones left gives way first.
    pub(super) fn grow_older(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    /// The bucket of a position: the high half of a product, which spreads evenly over any number of buckets.
    #[inline]
    fn bucket(&self, squares: PackedSquares, white: bool) -> usize {
        let both = u64::from(squares.black) << 32 | u64::from(squares.white);
        let rest = u64::from(squares.kings) << 1 | u64::from(white);
        let folded = |a: u64, b: u64| {
            let product = u128::from(a) * u128::from(b);
            (product >> 64) as u64 ^ product as u64
        };
        let mixed =
            folded(both ^ 0x9e37_79b9_7f4a_7c15, folded(rest ^ 0xd6e8_feb8_6659_fd93, 0xa076_1d64_78bd_642f) | 1);
        ((u128::from(mixed) * self.buckets.len() as u128) >> 64) as usize
    }

    /// What is known of `position`.
    #[inline]
    pub(super) fn get(&self, position: &FastPosition) -> Option<TableHit> {
        let (squares, white) = (position.squares(), position.turn() == Color::White);
        self.buckets
            .get(self.bucket(squares, white))?
            .0
            .iter()
            .find(|entry| entry.squares == squares && entry.white_to_move == white)
            .map(|entry| entry.hit)
    }

    /// Remembers what was found of `position`.
    #[inline]
    pub(super) fn put(&mut self, position: &FastPosition, mut found: TableHit) {
        let (squares, white) = (position.squares(), position.turn() == Color::White);
        let (place, age) = (self.bucket(squares, white), self.age);
        let Some(Bucket(bucket)) = self.buckets.get_mut(place) else { return };
        let same = bucket.iter().position(|entry| entry.squares == squares && entry.white_to_move == white);
        // An entry of this search is worth its depth, an older one less than any.
        let worth = |entry: &TableEntry| i32::from(entry.hit.depth) - if entry.age == age { 0 } else { 512 };
        let slot = same.or_else(|| (0..BUCKET_ENTRIES).min_by_key(|&slot| worth(&bucket[slot]))).unwrap_or(0);
        if same.is_some() && found.best == NO_MOVE {
            found.best = bucket[slot].hit.best;
        }
        bucket[slot] = TableEntry { squares, white_to_move: white, age, hit: found };
    }
}
