//! What the index holds of each line in each position.

use crate::rules::PositionKey;
use crate::store::codec::MoveCode;

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
pub(in crate::store) struct IndexEntry {
    pub(in crate::store) key: PositionKey,
    pub(in crate::store) posting: Posting,
}
