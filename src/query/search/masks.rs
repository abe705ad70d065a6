//! Sets of squares that a position is held against: a few operations on words settle a whole pattern.

use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

use crate::board::{Bitboard, Square};

/// What may stand on a square, as a set of the five things that can.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Contents(u8);

impl Contents {
    pub(super) const BLACK_MAN: Self = Self(1);
    pub(super) const BLACK_KING: Self = Self(2);
    pub(super) const WHITE_MAN: Self = Self(4);
    pub(super) const WHITE_KING: Self = Self(8);
    pub(super) const EMPTY: Self = Self(16);
    pub(super) const ANYTHING: Self = Self(31);

    /// Whether some of `others` is among it.
    pub(super) const fn has(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }

    /// Whether all of it is among `others`.
    pub(super) const fn only(self, others: Self) -> bool {
        self.0 & !others.0 == 0
    }
}

impl BitOr for Contents {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Contents {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// For each of black man, black king, white man, white king and nothing: the squares where it may not be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Masks<W>([W; 5]);

impl<W> Masks<W>
where
    W: Copy + BitAnd<Output = W> + BitOr<Output = W> + Not<Output = W>,
{
    /// The squares that rule a position out.
    #[inline]
    pub(super) fn wrong(&self, black: W, white: W, kings: W) -> W {
        let [no_black_man, no_black_king, no_white_man, no_white_king, not_empty] = self.0;
        let men = !kings;
        (black & ((no_black_man & men) | (no_black_king & kings)))
            | (white & ((no_white_man & men) | (no_white_king & kings)))
            | (not_empty & !(black | white))
    }
}

impl Masks<u128> {
    /// Lets everything through.
    pub(super) const fn free() -> Self {
        Self([0; 5])
    }

    /// These, and `square` holds one of `contents`.
    pub(super) fn and(&self, square: Square, contents: Contents) -> Self {
        let mut masks = *self;
        for (kind, mask) in masks.0.iter_mut().enumerate() {
            *mask |= u128::from(contents.0 >> kind & 1 == 0) << square.index();
        }
        masks
    }

    /// These, and all of `squares` are empty.
    pub(super) fn with_empty(&self, squares: u128) -> Self {
        let [a, b, c, d, empty] = self.0;
        Self([a | squares, b | squares, c | squares, d | squares, empty])
    }

    /// Whether some square may hold nothing at all, not even nothing.
    pub(super) fn is_contradiction(&self) -> bool {
        self.0.iter().fold(u128::MAX, |all, mask| all & mask) != 0
    }

    /// The same for colours reversed on a board of `squares` squares.
    pub(super) fn reversed(&self, squares: u8) -> Self {
        let [black_man, black_king, white_man, white_king, empty] = self.0;
        Self([white_man, white_king, black_man, black_king, empty].map(|set| Bitboard(set).turned(squares).0))
    }

    /// What `square` may hold.
    pub(super) fn contents(&self, square: Square) -> Contents {
        let bits = self.0.iter().enumerate().map(|(kind, mask)| u8::from(mask >> square.index() & 1 == 0) << kind);
        Contents(bits.fold(0, BitOr::bitor))
    }

    /// The same in words of 32 bits, for a board that fits.
    pub(super) fn small(&self) -> Masks<u32> {
        Masks(self.0.map(|set| set as u32))
    }

    /// The fewest black and white pieces, and black and white men, that a position needs: what only leaves and never comes.
    pub(super) fn fewest(&self) -> [u32; 4] {
        let [no_black_man, no_black_king, no_white_man, no_white_king, not_empty] = self.0;
        let black = not_empty & no_white_man & no_white_king;
        let white = not_empty & no_black_man & no_black_king;
        let sets = [black, white, black & no_black_king, white & no_white_king];
        sets.map(u128::count_ones)
    }

    /// The most pieces that a position of `all` squares may have.
    pub(super) fn most(&self, all: u128) -> u32 {
        let [a, b, c, d, _] = self.0;
        (all & !(a & b & c & d)).count_ones()
    }
}
