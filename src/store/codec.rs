//! Moves as bytes: squares and directions, never an index into a generated list.
//!
//! Two codes. A *line* stores a byte a step: bits 0–4 the square left (a later step of the same capture repeats nothing: its bits 0–4 are zero),
//! bits 5–6 the diagonal direction, bit 7 set where the capture goes on. Whether a step is a jump is seen on the board. The
//! index stores a [`MoveCode`]: both ends.

use smallvec::SmallVec;

use crate::board::{Bitboard, Direction, Move, Square};
use crate::rules::Position;

pub(super) const CONTINUES_BIT: u8 = 0x80;

/// Bytes that are no moves.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("ply {ply} of a stored line cannot be read")]
pub struct CodecError {
    /// The ply, from 1.
    pub ply: u32,
}

/// Appends the code of `legal`, a legal move of `position`, to `out`; `None` where it is no move of this position.
#[must_use]
pub(super) fn encode(position: &Position, legal: &Move, out: &mut Vec<u8>) -> Option<()> {
    let geometry = position.geometry();
    let squares: SmallVec<[Square; 8]> = match legal.captured.count() {
        0 | 1 => SmallVec::from_slice(&[legal.from, legal.to]),
        // The route is written, for the ends alone do not tell it; any of those that make this move will do.
        _ => position.capture_paths().into_iter().find(|path| path.to_move() == *legal)?.squares,
    };
    let jumps = legal.is_capture();
    let steps = squares.len().checked_sub(1)?;
    for (index, pair) in squares.windows(2).enumerate() {
        let direction = Direction::ALL.into_iter().find(|&direction| {
            let next = geometry.step(pair[0], direction);
            let to = if jumps { next.and_then(|over| geometry.step(over, direction)) } else { next };
            to == Some(pair[1])
        })?;
        let from = if index == 0 { legal.from.index() as u8 } else { 0 };
        let goes_on = if index + 1 < steps { CONTINUES_BIT } else { 0 };
        out.push(from | (direction as u8) << 5 | goes_on);
    }
    Some(())
}

/// Reads the first move of `bytes`, played in `position`; the move and the bytes behind it.
///
/// # Errors
/// When the bytes are no move of this position. What is read is a possible step or chain of jumps on this board; that it is legal was
/// proved before it was stored.
pub(super) fn decode<'a>(position: &Position, bytes: &'a [u8], ply: u32) -> Result<(Move, &'a [u8]), CodecError> {
    let error = CodecError { ply };
    let geometry = position.geometry();
    let (&first, mut rest) = bytes.split_first().ok_or(error.clone())?;
    let from = Square::new(first & 0x1f);
    let mut at = from;
    let mut captured = Bitboard::EMPTY;
    let mut byte = first;
    loop {
        let direction = Direction::ALL[usize::from(byte >> 5 & 3)];
        let next = geometry.step(at, direction).ok_or(error.clone())?;
        let enemy = position.pieces(!position.turn()).contains(next);
        if enemy {
            captured.insert(next);
            at = geometry.step(next, direction).ok_or(error.clone())?;
        } else {
            at = next;
        }
        if byte & CONTINUES_BIT == 0 {
            break;
        }
        (byte, rest) = match rest.split_first() {
            Some((&byte, rest)) if enemy => (byte, rest),
            _ => return Err(error),
        };
    }
    if !position.pieces(position.turn()).contains(from) || !(at == from || position.empty().contains(at)) {
        return Err(error);
    }
    Ok((Move { from, to: at, captured }, rest))
}

/// The moves of a stored line that starts from `start`.
///
/// # Errors
/// The first ply that cannot be read.
pub(super) fn decode_line(start: &Position, mut bytes: &[u8]) -> Result<Vec<Move>, CodecError> {
    let mut moves = Vec::with_capacity(bytes.len());
    let mut position = *start;
    while !bytes.is_empty() {
        let (next, rest) = decode(&position, bytes, moves.len() as u32 + 1)?;
        position = position.play_unchecked(&next);
        moves.push(next);
        bytes = rest;
    }
    Ok(moves)
}

/// A move as the index keeps it: from and to, and the captured squares only where the ends do not tell the move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MoveCode {
    /// Bits 0–5 the square left, 6–11 the square reached, bit 12 set where `captured` counts; all bits set for no move.
    pub(super) ends: u16,
    /// The captured squares of the 8x8 board; 0 unless bit 12 of `ends` is set.
    pub(super) captured: u32,
}

impl MoveCode {
    /// No move: the line ends here.
    pub const END: Self = Self { ends: u16::MAX, captured: 0 };
    /// The bit of `ends` that says that `captured` counts.
    pub(super) const EXPLICIT_BIT: u16 = 1 << 12;

    /// The code of `legal`, a legal move of `position`.
    #[must_use]
    pub fn encode(position: &Position, legal: &Move) -> Self {
        let ends = legal.from.index() as u16 | (legal.to.index() as u16) << 6;
        // Only captures of several pieces can have a twin with the same ends.
        if legal.captured.count() >= 2 && position.find_moves(legal.from, legal.to).len() > 1 {
            return Self { ends: ends | Self::EXPLICIT_BIT, captured: legal.captured.0 as u32 };
        }
        Self { ends, captured: 0 }
    }

    /// The move it means in `position`; `None` for [`MoveCode::END`] and for a code of another position.
    #[must_use]
    pub fn find(self, position: &Position) -> Option<Move> {
        if self == Self::END {
            return None;
        }
        let square = |bits: u16| Square::new((bits & 0x3f) as u8);
        let found: SmallVec<[Move; 2]> = position.find_moves(square(self.ends), square(self.ends >> 6));
        if self.ends & Self::EXPLICIT_BIT == 0 {
            return found.first().copied();
        }
        found.into_iter().find(|legal| legal.captured.0 as u32 == self.captured)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Variant;

    #[test]
    fn lines_come_back_whole() {
        // A deterministic walk through many kinds of moves, kings and long captures among them.
        let mut seed = 7_u64;
        let mut most_captured = 0;
        for _ in 0..400 {
            let mut position = Position::start(Variant::English);
            let (mut moves, mut bytes) = (Vec::new(), Vec::new());
            for _ in 0..150 {
                let legal = position.legal_moves();
                if legal.is_empty() {
                    break;
                }
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let chosen = legal[(seed >> 33) as usize % legal.len()];
                assert_eq!(MoveCode::encode(&position, &chosen).find(&position), Some(chosen));
                most_captured = most_captured.max(chosen.captured.count());
                encode(&position, &chosen, &mut bytes).unwrap();
                position = position.play_unchecked(&chosen);
                moves.push(chosen);
            }
            assert_eq!(decode_line(&Position::start(Variant::English), &bytes).unwrap(), moves);
        }
        assert!(most_captured >= 3, "the walk met long captures");
    }

    #[test]
    fn bytes_that_are_no_moves_are_told() {
        let start = Position::start(Variant::English);
        for bytes in [&[0xff][..], &[31], &[0x80 | 10, 0], &[0x60]] {
            assert!(decode_line(&start, bytes).is_err(), "{bytes:?}");
        }
    }
}
