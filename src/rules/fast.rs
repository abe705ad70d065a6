//! Positions of English draughts as the fast generator holds them, for searches that play millions of moves a second.
//!
//! Purpose: the words of `english.rs` with a side to move, and nothing else that costs time. Invariant: a [`FastPosition`]
//! comes from a [`Position`] and from [`FastMove`]s that its own generator made, so it is legal as that one is.

use smallvec::SmallVec;

use crate::board::{Bitboard, Color, Move, Setup, Variant};

use super::Position;
use super::english::{OrientedBoard, bits, by_side, pad, square, unpad};

/// A position of English draughts, ready for play.
///
/// # Equality
/// As [`Position`]: the same pieces, the same side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FastPosition {
    board: OrientedBoard,
    turn: Color,
}

/// A legal move of a [`FastPosition`]: where from, where to and what it takes, in the generator's own bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FastMove {
    captured: u64,
    /// Places of bits.
    from: u8,
    to: u8,
}

/// The legal moves of a position, in the generator's order, which is always the same for the same position.
pub type FastMoves = SmallVec<[FastMove; 16]>;

/// The three sets of 32 squares that are a position, with the side to move apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PackedSquares {
    /// Black's pieces; bit 0 is square 1.
    pub black: u32,
    /// White's pieces.
    pub white: u32,
    /// Kings of either side.
    pub kings: u32,
}

impl FastPosition {
    /// The same position, or `None` if it is not one of English draughts.
    #[must_use]
    pub fn from_position(position: &Position) -> Option<Self> {
        match position.variant() {
            Variant::English => Some(Self { board: OrientedBoard::from_position(position), turn: position.turn() }),
        }
    }

    /// The same position, in the form that everybody else knows.
    ///
    /// # Errors
    /// Never for a position that came from a legal one; the reasons are those of [`Position::from_setup`].
    pub fn position(&self) -> Result<Position, super::PositionErrors> {
        let squares = self.squares();
        let set = |word: u32| Bitboard(u128::from(word));
        Position::from_setup(&Setup {
            variant: Variant::English,
            turn: Some(self.turn),
            black: set(squares.black),
            white: set(squares.white),
            kings: set(squares.kings),
        })
    }

    /// The side to move.
    #[inline]
    #[must_use]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// How many pieces stand on the board.
    #[inline]
    #[must_use]
    pub const fn pieces(&self) -> u32 {
        (self.board.own | self.board.other).count_ones()
    }

    /// The pieces as sets of squares.
    #[inline]
    #[must_use]
    pub const fn squares(&self) -> PackedSquares {
        let (own, other) = (unpad(self.board.own).0 as u32, unpad(self.board.other).0 as u32);
        let kings = unpad(self.board.kings).0 as u32;
        match self.turn {
            Color::Black => PackedSquares { black: own, white: other, kings },
            Color::White => PackedSquares { black: other, white: own, kings },
        }
    }

    /// Whether the side to move must capture.
    #[inline]
    #[must_use]
    pub fn must_capture(&self) -> bool {
        by_side!(self, S => self.board.able(self.board.ways::<S>().jumps)) != 0
    }

    /// Whether the other side could capture if it were its turn.
    #[inline]
    #[must_use]
    pub fn is_threatened(&self) -> bool {
        self.passed().must_capture()
    }

    /// How many moves both sides have, the side to move first; captures are not counted.
    #[inline]
    #[must_use]
    pub fn mobility(&self) -> (u32, u32) {
        (self.quiet_moves(), self.passed().quiet_moves())
    }

    /// Whether the side to move has a quiet move; it need not be legal, where a capture is due.
    #[inline]
    #[must_use]
    pub fn has_quiet_move(&self) -> bool {
        by_side!(self, S => self.board.able(self.board.ways::<S>().steps)) != 0
    }

    /// The legal moves.
    #[inline]
    #[must_use]
    pub fn steps(&self) -> FastMoves {
        let mut steps = FastMoves::new();
        by_side!(self, S => {
            self.board.each_step::<S, true>(|from, to, captured| {
                steps.push(FastMove { captured, from: from.trailing_zeros() as u8, to: to.trailing_zeros() as u8 });
            });
        });
        steps
    }

    /// The position after `step`, which is one of [`Self::steps`].
    #[inline]
    #[must_use]
    pub fn after(&self, step: &FastMove) -> Self {
        let board = by_side!(self, S => self.board.after::<S>(1 << step.from, 1 << step.to, step.captured));
        Self { board, turn: !self.turn }
    }

    /// Whether `step` is of a man: then, as after a capture, no earlier position can come again.
    #[inline]
    #[must_use]
    pub const fn is_irreversible(&self, step: &FastMove) -> bool {
        step.captured != 0 || self.board.kings >> step.from & 1 == 0
    }

    /// The step that makes `played`, if it is legal here.
    #[must_use]
    pub fn step_of(&self, played: &Move) -> Option<FastMove> {
        self.steps().into_iter().find(|step| step.to_move() == *played)
    }

    /// The same pieces with the other side to move.
    const fn passed(&self) -> Self {
        let OrientedBoard { own, other, kings } = self.board;
        let turn = match self.turn {
            Color::Black => Color::White,
            Color::White => Color::Black,
        };
        Self { board: OrientedBoard { own: other, other: own, kings }, turn }
    }

    fn quiet_moves(&self) -> u32 {
        let kings = self.board.own & self.board.kings;
        let [a4, a5, b4, b5] = by_side!(self, S => self.board.ways::<S>().steps);
        let of = |movers: u64, way: u64| (movers & way).count_ones();
        of(self.board.own, a4) + of(self.board.own, a5) + of(kings, b4) + of(kings, b5)
    }
}

impl FastMove {
    /// Whether it takes anything.
    #[inline]
    #[must_use]
    pub const fn is_capture(&self) -> bool {
        self.captured != 0
    }

    /// How many pieces it takes.
    #[inline]
    #[must_use]
    pub const fn taken(&self) -> u32 {
        self.captured.count_ones()
    }

    /// The ends as places from 0 to 31 (square 1 is 0).
    #[inline]
    #[must_use]
    pub const fn ends(&self) -> (usize, usize) {
        (square(1 << self.from).index(), square(1 << self.to).index())
    }

    /// The move, in the form that everybody else knows.
    #[must_use]
    pub const fn to_move(&self) -> Move {
        Move { from: square(1 << self.from), to: square(1 << self.to), captured: unpad(self.captured) }
    }
}

impl PackedSquares {
    /// The squares of a set one by one, as places from 0 to 31, ascending.
    pub fn bit_indexes(set: u32) -> impl Iterator<Item = usize> {
        bits(u64::from(set)).map(|bit| bit.trailing_zeros() as usize)
    }

    /// Colours reversed and the board turned half round.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self { black: self.white.reverse_bits(), white: self.black.reverse_bits(), kings: self.kings.reverse_bits() }
    }

    /// The position of these sets, if it is a legal one.
    #[must_use]
    pub fn position(self, turn: Color) -> Option<FastPosition> {
        let set = |word: u32| Bitboard(u128::from(word));
        let board = OrientedBoard {
            own: pad(set(if turn == Color::Black { self.black } else { self.white })),
            other: pad(set(if turn == Color::Black { self.white } else { self.black })),
            kings: pad(set(self.kings)),
        };
        let fast = FastPosition { board, turn };
        fast.position().is_ok().then_some(fast)
    }
}
