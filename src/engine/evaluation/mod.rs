//! Evaluation: what a quiet position is worth before anything is searched.

use crate::board::Color;
use crate::rules::FastPosition;

/// A way to judge a position.
pub enum Evaluation {
    /// Men and kings alone.
    Material,
}

/// A man, in the unit of every score.
const MAN: i32 = 100;
/// A king by material alone.
const KING: i32 = 130;

impl Evaluation {
    /// What `position` is worth to the side to move, in hundredths of a man.
    #[must_use]
    pub fn hundredths(&self, position: &FastPosition) -> i32 {
        let squares = position.squares();
        let worth = |pieces: u32| {
            let kings = (pieces & squares.kings).count_ones() as i32;
            (pieces.count_ones() as i32 - kings) * MAN + kings * KING
        };
        let black = worth(squares.black) - worth(squares.white);
        if position.turn() == Color::Black { black } else { -black }
    }
}
