//! The position index: which lines reach a position, when, and with which move they go on.
//!
//! Append-only segments, one a batch, of blocks sorted by exact key, prefix-coded and compressed; merged when there are many
//! (as a log-structured tree). A query merges the segments. On 460,287 half-moves the index takes 6 of the 12.7 bytes a half-move;
//! the README has the figures.
//!
//! There is no separate table of counts: counting the postings of a position takes some tens of nanoseconds a posting, and there
//! is no second truth to keep in step. A table of the moves that two games share would add about 6 bytes a half-move.

mod block;
mod build;
mod lookup;
mod merge;

use crate::rules::PositionKey;

use super::codec::MoveCode;

pub(super) use build::build;
pub(super) use lookup::postings;
pub(super) use merge::{Keys, compact, drop_lines, each_key, insert_blocks};

/// One line in one position: where it goes from here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Posting {
    /// The move, or [`MoveCode::END`].
    pub code: MoveCode,
    /// The line.
    pub line: u32,
    /// Plies played before the position, counted from the line's start; the first time it is reached with this move.
    pub ply: u32,
}

/// A posting on its way into a segment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct IndexEntry {
    pub(super) key: PositionKey,
    pub(super) posting: Posting,
}
