//! What positions are worth, and who says so.

use std::fmt;

use crate::engine::Score;

/// A score of so many hundredths of a man and more is called won, the same below nought lost. In the illustrative games every
/// marked move goes from within 40 of level to beyond 80.
pub const DECISIVE: i16 = 60;
/// Scores that differ by no more than this, in hundredths, are taken for the same.
pub const SAME: i16 = 20;

/// What a position is worth to a side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Standing {
    /// It loses.
    Lost,
    /// It draws.
    Drawn,
    /// It wins.
    Won,
}

impl Standing {
    /// What a score says.
    #[must_use]
    pub const fn of(score: Score) -> Self {
        if score.0 >= DECISIVE {
            Self::Won
        } else if score.0 <= -DECISIVE {
            Self::Lost
        } else {
            Self::Drawn
        }
    }

    /// The same for the other side.
    #[must_use]
    pub const fn turned(self) -> Self {
        match self {
            Self::Lost => Self::Won,
            Self::Drawn => Self::Drawn,
            Self::Won => Self::Lost,
        }
    }
}

/// Who says what a position is worth: the weaker first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Witness {
    /// A search within limits.
    Engine,
    /// The rules, an endgame database, or a certificate that was checked.
    Proved,
}

impl Witness {
    /// The name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Engine => "engine",
            Self::Proved => "proved",
        }
    }
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What is proved of a position, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    /// The whole truth.
    Exactly(Standing),
    /// At least a draw.
    NotLost,
    /// A draw at most.
    NotWon,
}

/// The value of a position for one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Value {
    /// What it is taken for.
    pub standing: Standing,
    /// What was searched, in hundredths of a man.
    pub score: Option<Score>,
    /// Who says so.
    pub witness: Witness,
    /// Whether the witness says the standing itself. Otherwise it is proved only that the position is not lost (of a drawn or
    /// won one) or not won (of a drawn or lost one).
    pub(super) bound: Option<Bound>,
}

/// What is proved where the standing is not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    NotLost,
    NotWon,
}

impl Value {
    /// What is proved, and otherwise what the score says.
    pub(super) fn of(score: Option<Score>, known: Option<Known>) -> Self {
        let told = score.map_or(Standing::Drawn, Standing::of);
        let (standing, witness, bound) = match known {
            None => (told, Witness::Engine, None),
            Some(Known::Exactly(standing)) => (standing, Witness::Proved, None),
            Some(Known::NotLost) => (told.max(Standing::Drawn), Witness::Proved, Some(Bound::NotLost)),
            Some(Known::NotWon) => (told.min(Standing::Drawn), Witness::Proved, Some(Bound::NotWon)),
        };
        Self { standing, score, witness, bound }
    }

    /// Whether the standing itself is proved.
    pub(super) fn is_exact(&self) -> bool {
        self.witness == Witness::Proved && self.bound.is_none()
    }

    /// The score as it compares with others: one that goes with the standing.
    pub(super) fn weight(&self) -> i16 {
        let score = self.score.map_or(0, |score| score.0);
        match self.standing {
            Standing::Drawn if self.is_exact() => 0,
            Standing::Drawn => score.clamp(1 - DECISIVE, DECISIVE - 1),
            Standing::Won => score.max(DECISIVE),
            Standing::Lost => score.min(-DECISIVE),
        }
    }

    /// The same with a better standing where `standing` is one.
    pub(super) fn at_least(self, standing: Standing) -> Self {
        Self { standing: self.standing.max(standing), ..self }
    }

    /// `standing` as far as `known` leaves it open.
    pub(super) fn as_far_as_known(self, standing: Standing, known: Option<Known>) -> Self {
        let standing = match known {
            None => standing,
            Some(Known::Exactly(exact)) => exact,
            Some(Known::NotLost) => standing.max(Standing::Drawn),
            Some(Known::NotWon) => standing.min(Standing::Drawn),
        };
        Self { standing, ..self }
    }

    /// The same for the other side.
    pub(super) fn turned(self) -> Self {
        Self {
            standing: self.standing.turned(),
            score: self.score.map(|score| Score(-score.0)),
            witness: self.witness,
            bound: self.bound.map(|bound| match bound {
                Bound::NotLost => Bound::NotWon,
                Bound::NotWon => Bound::NotLost,
            }),
        }
    }

    /// What the witness says: `won`, `drawn`, `lost`, `not lost` or `not won`.
    #[must_use]
    pub const fn says(&self) -> &'static str {
        match (self.bound, self.standing) {
            (Some(Bound::NotLost), _) => "not lost",
            (Some(Bound::NotWon), _) => "not won",
            (None, Standing::Won) => "won",
            (None, Standing::Drawn) => "drawn",
            (None, Standing::Lost) => "lost",
        }
    }
}
