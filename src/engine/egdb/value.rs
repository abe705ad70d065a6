//! Values of positions.

use std::fmt;

/// What a position is worth to the side to move, exactly.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Wld {
    /// Neither side can force a win.
    Draw = 0,
    /// The side to move wins.
    Win = 1,
    /// The side to move loses.
    Loss = 2,
}

impl Wld {
    /// The value of these two bits.
    #[inline]
    pub(super) const fn from_bits(bits: u8) -> Self {
        match bits & 3 {
            1 => Self::Win,
            2 => Self::Loss,
            _ => Self::Draw,
        }
    }

    /// The same seen from the other side.
    #[must_use]
    pub const fn turned(self) -> Self {
        match self {
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
            Self::Loss => Self::Win,
        }
    }

    /// The word in every table: `win`, `draw` or `loss` for the side to move.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Draw => "draw",
            Self::Win => "win",
            Self::Loss => "loss",
        }
    }
}

impl fmt::Display for Wld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The best of several moves: a win soonest, else a draw, else a loss latest.
#[derive(Default)]
pub(super) struct Best {
    win: Option<u16>,
    draws: bool,
    loss: u16,
}

impl Best {
    /// A move leads to what is worth `value` to the other side, `plies` from the end.
    #[inline]
    pub(super) fn add(&mut self, (value, plies): (Wld, u16)) {
        match value {
            Wld::Loss => self.win = Some(self.win.map_or(plies + 1, |win| win.min(plies + 1))),
            Wld::Draw => self.draws = true,
            Wld::Win => self.loss = self.loss.max(plies + 1),
        }
    }

    /// Whether some move wins.
    pub(super) const fn wins(&self) -> bool {
        self.win.is_some()
    }

    /// Whether some move wins or draws.
    pub(super) const fn is_never_lost(&self) -> bool {
        self.win.is_some() || self.draws
    }

    /// The greatest distance of a loss, 0 where no move loses.
    pub(super) const fn longest_loss(&self) -> u16 {
        self.loss
    }

    /// The value for the side that has these moves, one at least, and its distance.
    pub(super) const fn value(&self) -> (Wld, u16) {
        match self.win {
            Some(win) => (Wld::Win, win),
            None if self.draws => (Wld::Draw, 0),
            None => (Wld::Loss, self.loss),
        }
    }
}
