//! A chunk of a source as it is handed to the writer: its text, its place, and what became of it.

use std::collections::HashMap;

use crate::board::{ResultOrder, Variant};
use crate::game::Replayed;

/// What became of the games of a chunk. `read = stored + partly + refused + duplicates`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ChunkCounts {
    /// Games, openings and book lines read.
    pub read: u64,
    /// Of them, stored whole.
    pub stored: u64,
    /// Stored up to a ply that could not be proved.
    pub partly: u64,
    /// Not stored.
    pub refused: u64,
    /// Held already.
    pub duplicates: u64,
    /// Of those stored, whole or partly: games.
    pub games: u64,
    /// Of those stored, whole or partly: openings.
    pub openings: u64,
    /// Lines stored, variations among them.
    pub lines: u64,
    /// Plies stored, those of variations among them.
    pub plies: u64,
}

impl std::ops::AddAssign for ChunkCounts {
    fn add_assign(&mut self, other: Self) {
        self.read += other.read;
        self.stored += other.stored;
        self.partly += other.partly;
        self.refused += other.refused;
        self.duplicates += other.duplicates;
        self.games += other.games;
        self.openings += other.openings;
        self.lines += other.lines;
        self.plies += other.plies;
    }
}

/// Whether a chunk was held already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// The same text up to here is stored.
    Yes,
    /// It was new.
    No,
}

/// The text of one chunk and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct ChunkText<'a> {
    /// The text.
    pub text: &'a str,
    /// Bytes of the source before it.
    pub first_byte: u64,
    /// Lines of the source before it, plus one.
    pub first_line: u32,
    /// Games of the source before it.
    pub games_before: u32,
}

/// A chunk whose text has its row.
pub(super) struct ChunkRows<'a> {
    /// The row of its source.
    pub(super) source: i64,
    /// The game its source is of.
    pub(super) variant: Variant,
    /// Whose score stands first in results of its source.
    pub(super) order: ResultOrder,
    /// The row of its text.
    pub(super) text: i64,
    /// Where the text stands.
    pub(super) at: ChunkText<'a>,
    /// Its games.
    pub(super) games: &'a [Replayed],
    /// Where the text is read once more: the only games to store, by their numbers in the source, with the lines that they are
    /// copies of.
    pub(super) unread: Option<&'a HashMap<u32, u32>>,
}
