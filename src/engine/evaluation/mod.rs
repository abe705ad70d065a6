//! Evaluation: what a quiet position is worth before anything is searched.
//!
//! Purpose: hundredths of a man for the side to move. Invariant: colours reversed give the same value.

mod features;
mod model;
mod weights;

use crate::board::Color;
use crate::rules::FastPosition;

pub(super) use model::TrainedModel;
pub use weights::{Weights, WeightsError};

/// A way to judge a position.
pub enum Evaluation {
    /// Men and kings alone.
    Material,
    /// Patterns of men and counts, each weighed.
    Weighed(Box<Weights>),
    /// The same with the weights that the program comes with.
    Embedded(&'static Weights),
}

/// A man, in the unit of every score.
const MAN_VALUE: i32 = 100;
/// A king by material alone.
const KING_VALUE: i32 = 130;

impl Evaluation {
    /// The best that the program has.
    #[must_use]
    pub fn best() -> Self {
        Weights::embedded().map_or(Self::Material, Self::Embedded)
    }

    /// What `position` is worth to the side to move, in hundredths of a man.
    #[inline]
    #[must_use]
    pub fn hundredths(&self, position: &FastPosition) -> i32 {
        let black = match self {
            Self::Material => material(position),
            Self::Weighed(weights) => weights.black(position),
            Self::Embedded(weights) => weights.black(position),
        };
        if position.turn() == Color::Black { black } else { -black }
    }
}

/// Black's men and kings less White's.
fn material(position: &FastPosition) -> i32 {
    let squares = position.squares();
    let worth = |pieces: u32| {
        let kings = (pieces & squares.kings).count_ones() as i32;
        (pieces.count_ones() as i32 - kings) * MAN_VALUE + kings * KING_VALUE
    };
    worth(squares.black) - worth(squares.white)
}
