//! Moves as the tree knows them, and the routes captures take.

use smallvec::SmallVec;

use super::{Bitboard, Square};

/// One move: where a piece goes from and to, and what it takes, a capture whole.
///
/// # Equality
/// Two capturing routes with the same three are one move: they lead to the same position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move {
    /// The square the piece leaves.
    pub from: Square,
    /// The square it ends on; a king may end where it began.
    pub to: Square,
    /// The squares of the pieces it takes; empty for a quiet move.
    pub captured: Bitboard,
}

impl Move {
    /// Whether the move takes anything.
    #[must_use]
    pub const fn is_capture(&self) -> bool {
        !self.captured.is_empty()
    }
}

/// One route of a capture: the squares visited in order, both ends included. For notation only.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CapturePath {
    /// Two squares or more.
    pub squares: SmallVec<[Square; 8]>,
    /// The squares of the pieces taken.
    pub captured: Bitboard,
}

impl CapturePath {
    /// The move this route makes.
    ///
    /// # Panics
    /// Never for a path made by the rules, which visit two squares at least.
    #[must_use]
    pub fn to_move(&self) -> Move {
        let (first, last) = (self.squares[0], self.squares[self.squares.len() - 1]);
        Move { from: first, to: last, captured: self.captured }
    }
}
