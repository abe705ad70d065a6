//! Exact keys of positions.

use std::fmt;

use crate::board::{Bitboard, Color, Variant};

use super::Position;

/// The exact, packed key of a position: variant, side to move and every piece. No hash, so no collision.
///
/// # Equality
/// Equal keys mean equal positions of the same variant.
///
/// # Stability
/// Keys are stored in databases. From the high end: 8 bits variant (the GameType number), 23 bits zero, 1 bit side to move
/// (1 = White), then for the 32 squares of the 8x8 board 32 bits each of black pieces, white pieces and kings. A board of
/// more squares will use the free bits and a packing of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PositionKey(pub u128);

impl PositionKey {
    /// The key of `position`.
    #[must_use]
    pub fn of(position: &Position) -> Self {
        let setup = position.setup();
        let head = u32::from(setup.variant.game_type()) << 24 | u32::from(setup.turn == Some(Color::White));
        let word = |set: Bitboard| set.0 & 0xffff_ffff;
        Self(u128::from(head) << 96 | word(setup.black) << 64 | word(setup.white) << 32 | word(setup.kings))
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
        let head = (self.0 >> 96) as u32;
        let variant = Variant::from_game_type(head >> 24)?;
        let turn = match head & 0x00ff_ffff {
            0 => Color::Black,
            1 => Color::White,
            _ => return None,
        };
        let word = |shift: u32| Bitboard(self.0 >> shift & 0xffff_ffff);
        let setup = crate::board::Setup { variant, turn: Some(turn), black: word(64), white: word(32), kings: word(0) };
        Position::from_setup(&setup).ok()
    }
}

impl fmt::Debug for PositionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}
