//! Exact keys of positions.

use std::fmt;

use crate::board::{Bitboard, Color, Setup, Variant};

use super::Position;

/// The exact, packed key of a position: variant, side to move and every piece. No hash, so no collision.
///
/// # Equality
/// Equal keys mean equal positions of the same variant.
///
/// # Stability
/// Keys are stored in databases, as 16 bytes that sort as keys do. Bytes 0–1 are zero, byte 2 the variant (its GameType
/// number), then four bytes each of black pieces, white pieces and kings for the 32 squares of the 8x8 board, and in byte 15 the
/// side to move (1 = White). Neighbouring positions of a game so share their first bytes. A board of more squares will
/// have a packing of its own under its variant's number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PositionKey(pub u128);

impl PositionKey {
    /// The key of `position`.
    #[must_use]
    pub fn from_position(position: &Position) -> Self {
        let setup = position.setup();
        let word = |set: Bitboard| set.0 & 0xffff_ffff;
        Self(
            u128::from(setup.variant.game_type()) << 104
                | word(setup.black) << 72
                | word(setup.white) << 40
                | word(setup.kings) << 8
                | u128::from(setup.turn == Some(Color::White)),
        )
    }

    /// The key as 16 bytes that sort as keys do.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 16] {
        self.0.to_be_bytes()
    }

    /// The key whose bytes these are.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(u128::from_be_bytes(bytes))
    }

    /// The position of this key, or `None` when no legal position packs to it.
    #[must_use]
    pub fn position(self) -> Option<Position> {
        let variant = u32::try_from(self.0 >> 104).ok().and_then(Variant::from_game_type)?;
        let turn = match self.0 & 0xff {
            0 => Color::Black,
            1 => Color::White,
            _ => return None,
        };
        let word = |shift: u32| Bitboard(self.0 >> shift & 0xffff_ffff);
        let setup = Setup { variant, turn: Some(turn), black: word(72), white: word(40), kings: word(8) };
        Position::from_setup(&setup).ok()
    }
}

impl fmt::Debug for PositionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}
