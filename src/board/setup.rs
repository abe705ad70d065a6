//! Arrangements of pieces that nobody has checked.

use super::{Bitboard, Color, Piece, PieceKind, Square, Variant};

/// A not necessarily legal arrangement: what a FEN says. `rules::Position` is the legal kind.
///
/// # Equality
/// Structural: the same pieces on the same squares, the same side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    /// The game it belongs to.
    pub variant: Variant,
    /// The side to move; `None` for a diagram that does not say.
    pub turn: Option<Color>,
    /// Squares with a black piece.
    pub black: Bitboard,
    /// Squares with a white piece.
    pub white: Bitboard,
    /// Squares with a king.
    pub kings: Bitboard,
}

impl Setup {
    /// An empty board with nobody to move.
    #[must_use]
    pub const fn empty(variant: Variant) -> Self {
        Self { variant, turn: None, black: Bitboard::EMPTY, white: Bitboard::EMPTY, kings: Bitboard::EMPTY }
    }

    /// The start of a game of `variant`.
    #[must_use]
    pub fn start(variant: Variant) -> Self {
        let squares = variant.geometry().squares();
        let men = Bitboard::first(variant.men());
        Self {
            variant,
            turn: Some(variant.first_to_move()),
            black: men,
            white: men.turned(squares),
            kings: Bitboard::EMPTY,
        }
    }

    /// The pieces of `color`.
    #[must_use]
    pub const fn pieces(&self, color: Color) -> Bitboard {
        match color {
            Color::Black => self.black,
            Color::White => self.white,
        }
    }

    /// The piece on `square`; where both colours claim it, Black's.
    #[must_use]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        let color = if self.black.contains(square) {
            Color::Black
        } else if self.white.contains(square) {
            Color::White
        } else {
            return None;
        };
        let kind = if self.kings.contains(square) { PieceKind::King } else { PieceKind::Man };
        Some(Piece { color, kind })
    }

    /// Colours reversed: colours swapped and the board turned half round, so that the same game goes on.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let squares = self.variant.geometry().squares();
        Self {
            variant: self.variant,
            turn: self.turn.map(|turn| !turn),
            black: self.white.turned(squares),
            white: self.black.turned(squares),
            kings: self.kings.turned(squares),
        }
    }
}
