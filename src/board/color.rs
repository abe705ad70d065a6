//! Colours and pieces.

use std::fmt;
use std::ops::Not;

/// A side. English books also call Black *Red*; who moves first is a property of the variant, never of the colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Color {
    /// The side whose men start on the low numbers.
    Black,
    /// The side whose men start on the high numbers.
    White,
}

impl Color {
    /// The letter of a FEN: `B` or `W`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Black => 'B',
            Self::White => 'W',
        }
    }

    /// The word in tables and in the database: `black` or `white`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Black => "black",
            Self::White => "white",
        }
    }
}

impl Not for Color {
    type Output = Self;
    fn not(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Black => "Black",
            Self::White => "White",
        })
    }
}

/// The two kinds of piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PieceKind {
    /// An uncrowned piece.
    Man,
    /// A crowned piece.
    King,
}

/// A piece: its side and its kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// The side it belongs to.
    pub color: Color,
    /// Man or king.
    pub kind: PieceKind,
}
