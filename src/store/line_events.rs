//! What bytes of a line tell of it without a walk: a table of 256 entries, so a nanosecond a ply.
//!
//! A byte says which square a piece leaves and in which direction, but not how far it goes: traces say what may have happened,
//! never what has. They know the board of English draughts only.

use crate::board::{Direction, Square, Variant};

use super::codec;

/// Up to 64 events that bytes of a line may tell of without a walk, a bit each: a line whose bytes tell of none had none.
#[derive(Clone, Debug)]
pub struct LineEvents {
    /// What each byte of a line tells.
    events: [u64; 256],
}

impl Default for LineEvents {
    fn default() -> Self {
        Self { events: [0; 256] }
    }
}

impl LineEvents {
    /// The events that `moves`, the bytes of a line, tell of.
    pub(super) fn possible_events(&self, moves: &[u8]) -> u64 {
        moves.iter().fold(0, |told, &byte| told | self.events[usize::from(byte)])
    }

    /// The event `bit` may be that a piece of English draughts comes to `square` going in `direction`.
    pub fn arrival(&mut self, bit: u64, square: Square, direction: Direction) {
        let back = Self::opposite(direction);
        let geometry = Variant::English.geometry();
        let near = geometry.step(square, back);
        let far = near.and_then(|near| geometry.step(near, back));
        self.mark(bit, near.into_iter().chain(far), direction, false);
    }

    /// The event `bit` may be that the piece on `square` goes away or is taken.
    pub fn departure(&mut self, bit: u64, square: Square) {
        let geometry = Variant::English.geometry();
        for direction in Direction::ALL {
            let over = geometry.step(square, Self::opposite(direction));
            self.mark(bit, over.into_iter().chain([square]), direction, true);
        }
    }

    const fn opposite(direction: Direction) -> Direction {
        match direction {
            Direction::DownLeft => Direction::UpRight,
            Direction::DownRight => Direction::UpLeft,
            Direction::UpLeft => Direction::DownRight,
            Direction::UpRight => Direction::DownLeft,
        }
    }

    /// Steps from `squares` tell of it; so does a later step of a capture, whose square is not written. One with which the
    /// capture goes on counts where `middle` says so.
    fn mark(&mut self, bit: u64, squares: impl Iterator<Item = Square>, direction: Direction, middle: bool) {
        for square in squares.chain([Square::new(0)]) {
            let byte = square.index() & 0x1f | (direction as usize) << 5;
            self.events[byte] |= bit;
            if middle {
                self.events[byte | usize::from(codec::CONTINUES_BIT)] |= bit;
            }
        }
    }
}
