//! What a search and proofs together say of a position.

use crate::board::{Bounds, Value, Witness};
use crate::engine::{Claim, Score};

/// A score of so many hundredths of a man and more is called won, the same below nought lost. In the illustrative games every
/// marked move goes from within 40 of level to beyond 80.
pub const DECISIVE_SCORE: i16 = 60;
/// Scores that differ by no more than this, in hundredths, are taken for the same.
pub const SAME_SCORE_MARGIN: i16 = 20;

/// The value that a score is taken for.
pub(super) const fn value_of_score(score: Score) -> Value {
    if score.0 >= DECISIVE_SCORE {
        Value::Win
    } else if score.0 <= -DECISIVE_SCORE {
        Value::Loss
    } else {
        Value::Draw
    }
}

/// What a proved claim says of its position, for the side to move.
pub(super) const fn bounds_of_claim(claim: Claim) -> Bounds {
    match claim {
        Claim::Win => Bounds::exactly(Value::Win),
        Claim::Loss => Bounds::exactly(Value::Loss),
        Claim::NotLoss => Bounds::NOT_LOSS,
        Claim::NotWin => Bounds::NOT_WIN,
    }
}

/// What a proved claim says of each position of the side that shows it, for that side.
pub(super) const fn bounds_shown_by(claim: Claim) -> Bounds {
    match claim {
        Claim::Win | Claim::Loss => bounds_of_claim(Claim::Win),
        Claim::NotLoss | Claim::NotWin => bounds_of_claim(Claim::NotLoss),
    }
}

/// The value of a position for one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PositionValue {
    /// What it is taken for: within what is proved.
    pub value: Value,
    /// What was searched, in hundredths of a man.
    pub score: Option<Score>,
    /// What is proved.
    pub(super) proved: Bounds,
}

impl PositionValue {
    /// What the score says, as far as what is proved leaves it open.
    pub(super) fn new(score: Option<Score>, proved: Bounds) -> Self {
        Self { value: Value::Draw, score, proved }.taken_for(score.map_or(Value::Draw, value_of_score))
    }

    /// Who says what [`Self::says`] tells.
    #[must_use]
    pub fn witness(&self) -> Witness {
        if self.proved == Bounds::OPEN { Witness::Engine } else { Witness::Proved }
    }

    /// Whether the value itself is proved.
    pub(super) fn is_exact(&self) -> bool {
        self.proved.exact().is_some()
    }

    /// The score as it compares with others: one that goes with the value.
    pub(super) fn weight(&self) -> i16 {
        let score = self.score.map_or(0, |score| score.0);
        match self.value {
            Value::Draw if self.is_exact() => 0,
            Value::Draw => score.clamp(1 - DECISIVE_SCORE, DECISIVE_SCORE - 1),
            Value::Win => score.max(DECISIVE_SCORE),
            Value::Loss => score.min(-DECISIVE_SCORE),
        }
    }

    /// The same taken for `value`, as far as what is proved leaves it open.
    pub(super) fn taken_for(self, value: Value) -> Self {
        Self { value: value.clamp(self.proved.least, self.proved.most), ..self }
    }

    /// The same for the other side.
    pub(super) fn turned(self) -> Self {
        Self {
            value: self.value.turned(),
            score: self.score.map(|score| Score(-score.0)),
            proved: self.proved.turned(),
        }
    }

    /// What the witness says: the value that is taken, where only a search was made; else what is proved.
    #[must_use]
    pub fn says(&self) -> Bounds {
        if self.witness() == Witness::Engine { Bounds::exactly(self.value) } else { self.proved }
    }
}
