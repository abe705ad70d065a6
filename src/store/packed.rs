//! Lines as they lie in the database, and walks along them: a few nanoseconds a ply, without building moves or keys.
//!
//! On a board of 32 squares a walk shows its positions in stretches of [`STRETCH_PLIES`], each kind of piece in an array of its own, so
//! that whoever looks can hold all of a stretch against something at once, in the machine's wide registers.

use std::ops::ControlFlow;
use std::slice;
use std::sync::LazyLock;

use crate::board::{Bitboard, Color, Direction, Square, Variant};
use crate::rules::Position;

use super::codec::{self, CodecError};
use super::{LineEvents, StoreError};

/// Positions that a walk shows at a time; an even number, so that the same side moves first in each stretch.
pub const STRETCH_PLIES: usize = 16;

/// Of a first byte: the square left and the direction.
const STEP_BITS: u8 = 0x7f;
/// The direction alone.
const DIRECTION_BITS: u8 = 0x60;

/// By square and direction, as they stand in a byte: the squares one (low half) and two steps away (high half) on the board of
/// English draughts, as sets that are empty where the board ends.
static STEPS: LazyLock<StepTable> = LazyLock::new(|| {
    let geometry = Variant::English.geometry();
    std::array::from_fn(|byte| {
        let step = |from: Square| geometry.step(from, Direction::ALL[byte >> 5]);
        let near = step(Square::new(byte as u8 & 0x1f));
        let set = |square: Option<Square>| square.map_or(0, |square| 1_u64 << square.index());
        set(near) | set(near.and_then(step)) << 32
    })
});

type StepTable = [u64; STEP_BITS as usize + 1];

/// The pieces of a position met on a walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pieces {
    /// Squares with a black piece.
    pub black: u128,
    /// Squares with a white piece.
    pub white: u128,
    /// Squares with a king.
    pub kings: u128,
}

/// Positions that follow each other in a line, on a board of 32 squares. Where the line ends before the stretch does, its last
/// position fills the rest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stretch<'a> {
    /// Squares with a black piece, by position.
    pub black: &'a [u32; STRETCH_PLIES],
    /// Squares with a white piece.
    pub white: &'a [u32; STRETCH_PLIES],
    /// Squares with a king.
    pub kings: &'a [u32; STRETCH_PLIES],
}

/// One that follows a walk.
pub trait Walker {
    /// Looks at the positions after `ply` plies and behind, on a board of 32 squares. Breaks to end the walk.
    fn small(&mut self, ply: u32, stretch: Stretch<'_>) -> ControlFlow<()>;
    /// Looks at the position after `ply` plies on a greater board.
    fn large(&mut self, ply: u32, pieces: Pieces) -> ControlFlow<()>;
}

/// A stored line as it lies in the database.
#[derive(Clone, Copy, Debug)]
pub struct PackedLine<'a> {
    /// Its id.
    pub id: u32,
    /// The position it starts from.
    pub start: Position,
    pub(super) moves: &'a [u8],
}

impl PackedLine<'_> {
    /// At least as many pieces stay on the board to the end of the line: a capture takes one byte at least.
    #[must_use]
    pub fn fewest_pieces(&self) -> u32 {
        let start = self.start.pieces(Color::Black).count() + self.start.pieces(Color::White).count();
        start.saturating_sub(u32::try_from(self.moves.len()).unwrap_or(u32::MAX))
    }

    /// The events that may have happened in the line.
    #[must_use]
    pub fn traces(&self, traces: &LineEvents) -> u64 {
        traces.possible_events(self.moves)
    }

    /// Shows `walker` every position of the line, the start first, until it breaks.
    ///
    /// # Errors
    /// When the line is damaged; the positions before that are shown.
    pub fn walk(&self, walker: &mut impl Walker) -> Result<(), StoreError> {
        let walked = if self.start.variant() == Variant::English {
            Walk::new(&self.start, self.moves).show(walker)
        } else {
            self.walk_any(walker)
        };
        walked.map_err(|error| StoreError::Damaged(format!("line {}: {error}", self.id)))
    }

    fn walk_any(&self, walker: &mut impl Walker) -> Result<(), CodecError> {
        let (mut position, mut rest) = (self.start, self.moves);
        for ply in 0.. {
            let pieces = Pieces {
                black: position.pieces(Color::Black).0,
                white: position.pieces(Color::White).0,
                kings: position.kings().0,
            };
            if walker.large(ply, pieces).is_break() || rest.is_empty() {
                break;
            }
            let (next, behind) = codec::decode(&position, rest, ply + 1)?;
            position = position.play_unchecked(&next);
            rest = behind;
        }
        Ok(())
    }
}

/// A walk on the board of English draughts.
struct Walk<'a> {
    bytes: slice::Iter<'a, u8>,
    /// Pieces of the side that moves first, and of the other.
    sides: [u32; 2],
    kings: u32,
    /// Where men of each side are crowned.
    crown_heads: [u32; 2],
    white_first: bool,
}

/// Why a walk went no further.
enum WalkEnd {
    End,
    Damage,
}

impl<'a> Walk<'a> {
    fn new(start: &Position, moves: &'a [u8]) -> Self {
        let word = |set: Bitboard| set.0 as u32;
        let colors = [start.turn(), !start.turn()];
        Self {
            bytes: moves.iter(),
            sides: colors.map(|color| word(start.pieces(color))),
            kings: word(start.kings()),
            crown_heads: colors.map(|color| word(start.geometry().crown_head(color))),
            white_first: start.turn() == Color::White,
        }
    }

    fn show(mut self, walker: &mut impl Walker) -> Result<(), CodecError> {
        let steps = &*STEPS;
        let mut seen = [[0; STRETCH_PLIES]; 3];
        for ply in (0..).step_by(STRETCH_PLIES) {
            let stopped = self.fill(steps, &mut seen);
            let [first, second, kings] = &seen;
            let (black, white) = if self.white_first { (second, first) } else { (first, second) };
            if walker.small(ply, Stretch { black, white, kings }).is_break() {
                break;
            }
            match stopped {
                Ok(()) => {}
                Err((_, WalkEnd::End)) => break,
                Err((last, WalkEnd::Damage)) => return Err(CodecError { ply: ply + last as u32 + 1 }),
            }
        }
        Ok(())
    }

    /// Writes the next stretch to `seen`: the side that moves first, the other, kings. An error is the place of the last
    /// position and why no other follows.
    #[inline(always)]
    fn fill(&mut self, steps: &StepTable, seen: &mut [[u32; STRETCH_PLIES]; 3]) -> Result<(), (usize, WalkEnd)> {
        let mut at = 0;
        let stop = loop {
            self.note(at, seen);
            if let Err(stop) = self.play::<0, 1>(steps) {
                break stop;
            }
            self.note(at + 1, seen);
            if let Err(stop) = self.play::<1, 0>(steps) {
                at += 1;
                break stop;
            }
            at += 2;
            if at == STRETCH_PLIES {
                return Ok(());
            }
        };
        for places in seen {
            let last = places[at];
            places[at..].fill(last);
        }
        Err((at, stop))
    }

    #[inline(always)]
    const fn note(&self, at: usize, seen: &mut [[u32; STRETCH_PLIES]; 3]) {
        seen[0][at] = self.sides[0];
        seen[1][at] = self.sides[1];
        seen[2][at] = self.kings;
    }

    /// Plays the next move, one of side `OWN`. What differs from move to move (a step or a jump, a man or a king) is reckoned,
    /// not branched on: no branch could be foretold.
    #[inline(always)]
    fn play<const OWN: usize, const OTHER: usize>(&mut self, steps: &StepTable) -> Result<(), WalkEnd> {
        let Some(&first) = self.bytes.next() else { return Err(WalkEnd::End) };
        let (own, other) = (self.sides[OWN], self.sides[OTHER]);
        let from = 1_u32 << (first & 0x1f);
        let (mut captured, mut to) = Self::step(steps, first & STEP_BITS, other);
        let mut byte = first;
        while byte & codec::CONTINUES_BIT != 0 {
            byte = match self.bytes.next() {
                Some(&more) if captured != 0 && to != 0 => more,
                _ => return Err(WalkEnd::Damage),
            };
            let jumped;
            (jumped, to) = Self::step(steps, byte & DIRECTION_BITS | to.trailing_zeros() as u8, other);
            captured |= jumped;
        }
        if own & from == 0 || to == 0 {
            return Err(WalkEnd::Damage);
        }
        self.sides[OWN] = own & !from | to;
        self.sides[OTHER] = other & !captured;
        // All bits set where a king moves, or else those of its crown-head.
        let may_be_king = u32::from(self.kings & from != 0).wrapping_neg() | self.crown_heads[OWN];
        self.kings = self.kings & !(from | captured) | to & may_be_king;
        Ok(())
    }

    /// The piece that is jumped, if one is, and the square reached.
    #[inline(always)]
    const fn step(steps: &StepTable, step: u8, other: u32) -> (u32, u32) {
        let both = steps[(step & STEP_BITS) as usize];
        let jumped = both as u32 & other;
        (jumped, (both >> ((jumped != 0) as u32 * 32)) as u32)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Keeps black pieces, white pieces and kings of every position shown.
    #[derive(Default)]
    struct Keeper {
        seen: Vec<[u32; 3]>,
        /// Breaks the walk when so many are kept.
        enough: usize,
    }

    impl Walker for Keeper {
        fn small(&mut self, ply: u32, stretch: Stretch<'_>) -> ControlFlow<()> {
            assert_eq!(self.seen.len(), ply as usize);
            self.seen.extend((0..STRETCH_PLIES).map(|at| [stretch.black[at], stretch.white[at], stretch.kings[at]]));
            if self.seen.len() >= self.enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }

        fn large(&mut self, _: u32, _: Pieces) -> ControlFlow<()> {
            unreachable!("English draughts has a small board")
        }
    }

    fn words(position: &Position) -> [u32; 3] {
        let [black, white] = [Color::Black, Color::White].map(|color| position.pieces(color).0 as u32);
        [black, white, position.kings().0 as u32]
    }

    fn walked(start: Position, moves: &[u8], enough: usize) -> (Vec<[u32; 3]>, Result<(), StoreError>) {
        let mut keeper = Keeper { enough, ..Keeper::default() };
        let ended = PackedLine { id: 1, start, moves }.walk(&mut keeper);
        (keeper.seen, ended)
    }

    /// A start after `before` plies of play that `choices` make, and a line of the rest of it: its positions and bytes.
    fn line(choices: &[u8], before: usize) -> (Vec<Position>, Vec<u8>) {
        let mut position = Position::start(Variant::English);
        let (mut positions, mut bytes) = (vec![position], Vec::new());
        for (ply, &choice) in choices.iter().enumerate() {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let chosen = legal[usize::from(choice) % legal.len()];
            if ply >= before {
                codec::encode(&position, &chosen, &mut bytes).unwrap();
            }
            position = position.play_unchecked(&chosen);
            if ply < before {
                positions.clear();
            }
            positions.push(position);
        }
        (positions, bytes)
    }

    proptest! {
        #[test]
        fn a_walk_shows_what_the_moves_make(choices in prop::collection::vec(any::<u8>(), 0..150), before in 0..60_usize) {
            let (positions, bytes) = line(&choices, before);
            let expected: Vec<_> = positions.iter().map(words).collect();
            let (seen, ended) = walked(positions[0], &bytes, usize::MAX);
            prop_assert!(ended.is_ok());
            prop_assert_eq!(seen.len(), expected.len().next_multiple_of(STRETCH_PLIES));
            prop_assert_eq!(&seen[..expected.len()], &expected[..]);
            // The last position fills the rest.
            prop_assert!(seen[expected.len()..].iter().all(|rest| Some(rest) == expected.last()));
            prop_assert_eq!(walked(positions[0], &bytes, 1).0, &seen[..STRETCH_PLIES]);
        }

        #[test]
        fn damage_is_told_no_sooner_than_it_is(
            choices in prop::collection::vec(any::<u8>(), 1..80), at in any::<prop::sample::Index>(), byte: u8, cut: bool,
        ) {
            let (positions, mut bytes) = line(&choices, 0);
            let at = at.index(bytes.len());
            if cut { bytes.truncate(at) } else { bytes[at] = byte }
            let (mut position, mut rest, mut expected) = (positions[0], &bytes[..], vec![words(&positions[0])]);
            let mut whole = true;
            while !rest.is_empty() {
                let Ok((next, behind)) = codec::decode(&position, rest, 1) else {
                    whole = false;
                    break;
                };
                position = position.play_unchecked(&next);
                expected.push(words(&position));
                rest = behind;
            }
            let (seen, ended) = walked(positions[0], &bytes, usize::MAX);
            prop_assert_eq!(&seen[..expected.len()], &expected[..]);
            match ended {
                Ok(()) => prop_assert!(!whole || seen.len() == expected.len().next_multiple_of(STRETCH_PLIES)),
                Err(error) => {
                    prop_assert!(!whole);
                    let ply: usize = error.to_string().split_whitespace().find_map(|word| word.parse().ok()).unwrap();
                    prop_assert!(ply >= expected.len(), "{}", error);
                }
            }
        }
    }
}
