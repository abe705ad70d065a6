//! A square of the board.

use std::fmt;

/// One playable square, as a dense index from 0.
///
/// The number people write ([`Square::number`]) is one more: 1 to 32 on the 8x8 board, 1 to 50 on the 10x10 board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square of dense index `index` (from 0). The caller keeps to the board; `index` is below 128.
    #[must_use]
    pub const fn new(index: u8) -> Self {
        debug_assert!(index < 128);
        Self(index)
    }

    /// The square people call `number`, on a board of `squares` squares; `None` when the board has no such square.
    #[must_use]
    pub const fn from_number(number: u32, squares: u8) -> Option<Self> {
        if number >= 1 && number <= squares as u32 { Some(Self(number as u8 - 1)) } else { None }
    }

    /// The number people write: from 1.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0 + 1
    }

    /// The dense index: from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
