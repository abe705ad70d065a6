//! How a game ended, and how scores are written.

use std::fmt;

use super::Color;

/// The end of a game that is known to have ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// One side won.
    Won(Color),
    /// Neither side won.
    Draw,
}

/// Whose score stands first in a written result, by colour and never by who moves first in a set-up.
///
/// English files write Black's score first, 10x10 files White's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ResultOrder {
    /// `1-0` means that Black won.
    BlackFirst,
    /// `1-0` means that White won.
    WhiteFirst,
}

impl ResultOrder {
    /// The side whose score stands first.
    #[must_use]
    pub const fn first(self) -> Color {
        match self {
            Self::BlackFirst => Color::Black,
            Self::WhiteFirst => Color::White,
        }
    }

    /// The name in options and tables: `black-first` or `white-first`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::BlackFirst => "black-first",
            Self::WhiteFirst => "white-first",
        }
    }

    /// The order of this name, if it is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::BlackFirst, Self::WhiteFirst].into_iter().find(|order| order.name() == name)
    }
}

/// Who won, as far as anybody wrote it down: the `winner` column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Winner {
    /// Black won.
    Black,
    /// White won.
    White,
    /// A draw.
    Draw,
    /// No result, or one that nobody can read.
    Unknown,
}

impl Winner {
    /// The winner of this name, if it is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Black, Self::White, Self::Draw, Self::Unknown].into_iter().find(|winner| winner.name() == name)
    }

    /// The value printed in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Black => "black",
            Self::White => "white",
            Self::Draw => "draw",
            Self::Unknown => "unknown",
        }
    }
}

impl From<Option<Outcome>> for Winner {
    fn from(outcome: Option<Outcome>) -> Self {
        match outcome {
            Some(Outcome::Won(Color::Black)) => Self::Black,
            Some(Outcome::Won(Color::White)) => Self::White,
            Some(Outcome::Draw) => Self::Draw,
            None => Self::Unknown,
        }
    }
}

impl fmt::Display for Winner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
