//! What can be claimed of a position, and what settles a claim at once.

use std::fmt;

use crate::board::{Color, Value};
use crate::rules::FastPosition;

use crate::engine::Endings;

/// A claim about the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Claim {
    /// It wins.
    Win,
    /// It loses.
    Loss,
    /// It does not lose.
    NotLoss,
    /// It does not win.
    NotWin,
}

impl Claim {
    /// All claims.
    pub const ALL: [Self; 4] = [Self::Win, Self::Loss, Self::NotLoss, Self::NotWin];

    /// The claim that holds exactly where this one does not.
    #[must_use]
    pub const fn contrary(self) -> Self {
        match self {
            Self::Win => Self::NotWin,
            Self::Loss => Self::NotLoss,
            Self::NotLoss => Self::Loss,
            Self::NotWin => Self::Win,
        }
    }

    /// Its name: `win`, `loss`, `not-loss`, `not-win`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Loss => "loss",
            Self::NotLoss => "not-loss",
            Self::NotWin => "not-win",
        }
    }

    /// Whether the side to move is the one that must show it.
    pub(super) const fn is_movers(self) -> bool {
        matches!(self, Self::Win | Self::NotLoss)
    }

    /// Whether a draw is enough for the side that must show it.
    pub(super) const fn allows_draw(self) -> bool {
        matches!(self, Self::NotLoss | Self::NotWin)
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Settles positions for one claim about one side.
pub(super) struct Judge<'a> {
    /// The side that must show its claim at each of its turns by one move; the other may try everything.
    pub(super) prover: Color,
    allows_draw: bool,
    endings: Option<&'a dyn Endings>,
}

impl<'a> Judge<'a> {
    /// The judge of `claim` about a position where `turn` is to move.
    pub(super) fn new(claim: Claim, turn: Color, endings: Option<&'a dyn Endings>) -> Self {
        let prover = if claim.is_movers() { turn } else { !turn };
        Self { prover, allows_draw: claim.allows_draw(), endings }
    }

    /// Whether the prover is to move.
    #[inline]
    pub(super) fn is_provers(&self, position: &FastPosition) -> bool {
        position.turn() == self.prover
    }

    /// The greatest number of pieces that the database may know about.
    pub(super) fn pieces_known(&self) -> u32 {
        self.endings.map_or(0, Endings::most_pieces)
    }

    /// Whether only a win will do.
    pub(super) const fn needs_win(&self) -> bool {
        !self.allows_draw
    }

    /// What a database says: whether the prover's claim holds there. `None` where it knows nothing.
    #[inline]
    pub(super) fn known(&self, position: &FastPosition) -> Option<bool> {
        let endings = self.endings?;
        if position.pieces() > endings.most_pieces() {
            return None;
        }
        let good = if self.is_provers(position) { Value::Win } else { Value::Loss };
        let value = endings.value(position)?;
        Some(value == good || (self.allows_draw && value == Value::Draw))
    }

    /// Whether the prover's claim holds where the side to move has no move, and so has lost.
    #[inline]
    pub(super) fn holds_when_stuck(&self, position: &FastPosition) -> bool {
        !self.is_provers(position)
    }
}
