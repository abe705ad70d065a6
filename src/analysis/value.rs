//! What positions are worth, and who says so.

use std::fmt;

use crate::engine::{Claim, Score};

/// A score of so many hundredths of a man and more is called won, the same below nought lost. In the illustrative games every
/// marked move goes from within 40 of level to beyond 80.
pub const DECISIVE_SCORE: i16 = 60;
/// Scores that differ by no more than this, in hundredths, are taken for the same.
pub const SAME_SCORE_MARGIN: i16 = 20;

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
    pub const fn from_score(score: Score) -> Self {
        if score.0 >= DECISIVE_SCORE {
            Self::Won
        } else if score.0 <= -DECISIVE_SCORE {
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

/// What is proved of a position for a side: it has no less than one standing and no more than another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    pub(super) least: Standing,
    pub(super) most: Standing,
}

impl Bounds {
    /// Nothing is proved.
    pub(super) const OPEN: Self = Self { least: Standing::Lost, most: Standing::Won };

    pub(super) const fn exactly(standing: Standing) -> Self {
        Self { least: standing, most: standing }
    }

    /// What a proved claim says of its position, for the side to move.
    pub(super) const fn from_claim(claim: Claim) -> Self {
        match claim {
            Claim::Win => Self::exactly(Standing::Won),
            Claim::Loss => Self::exactly(Standing::Lost),
            Claim::NotLoss => Self { least: Standing::Drawn, most: Standing::Won },
            Claim::NotWin => Self { least: Standing::Lost, most: Standing::Drawn },
        }
    }

    /// What a proved claim says of each position of the side that shows it, for that side.
    pub(super) const fn shown_by(claim: Claim) -> Self {
        match claim {
            Claim::Win | Claim::Loss => Self::from_claim(Claim::Win),
            Claim::NotLoss | Claim::NotWin => Self::from_claim(Claim::NotLoss),
        }
    }

    /// The standing, where it is proved.
    pub(super) fn exact(self) -> Option<Standing> {
        (self.least == self.most).then_some(self.least)
    }

    /// Whether the standing cannot be this.
    pub(super) fn excludes(self, standing: Standing) -> bool {
        standing < self.least || standing > self.most
    }

    /// The same for the other side.
    pub(super) const fn turned(self) -> Self {
        Self { least: self.most.turned(), most: self.least.turned() }
    }

    /// What both prove. Bounds that exclude one another, which a damaged proof may bring, add nothing.
    pub(super) fn and(self, other: Self) -> Self {
        let both = Self { least: self.least.max(other.least), most: self.most.min(other.most) };
        if both.least <= both.most { both } else { self }
    }

    /// What a position has at least whose mover has a move that gives him this.
    pub(super) const fn at_least(self) -> Self {
        Self { least: self.least, most: Standing::Won }
    }

    /// What a position has at most to which a move leads from one that has this.
    pub(super) const fn at_most(self) -> Self {
        Self { least: Standing::Lost, most: self.most }
    }
}

/// The value of a position for one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PositionValue {
    /// What it is taken for: within what is proved.
    pub standing: Standing,
    /// What was searched, in hundredths of a man.
    pub score: Option<Score>,
    /// What is proved.
    pub(super) proved: Bounds,
}

impl PositionValue {
    /// What the score says, as far as what is proved leaves it open.
    pub(super) fn new(score: Option<Score>, proved: Bounds) -> Self {
        Self { standing: Standing::Drawn, score, proved }.taken_for(score.map_or(Standing::Drawn, Standing::from_score))
    }

    /// Who says what [`Self::says`] tells.
    #[must_use]
    pub fn witness(&self) -> Witness {
        if self.proved == Bounds::OPEN { Witness::Engine } else { Witness::Proved }
    }

    /// Whether the standing itself is proved.
    pub(super) fn is_exact(&self) -> bool {
        self.proved.exact().is_some()
    }

    /// The score as it compares with others: one that goes with the standing.
    pub(super) fn weight(&self) -> i16 {
        let score = self.score.map_or(0, |score| score.0);
        match self.standing {
            Standing::Drawn if self.is_exact() => 0,
            Standing::Drawn => score.clamp(1 - DECISIVE_SCORE, DECISIVE_SCORE - 1),
            Standing::Won => score.max(DECISIVE_SCORE),
            Standing::Lost => score.min(-DECISIVE_SCORE),
        }
    }

    /// The same taken for `standing`, as far as what is proved leaves it open.
    pub(super) fn taken_for(self, standing: Standing) -> Self {
        Self { standing: standing.clamp(self.proved.least, self.proved.most), ..self }
    }

    /// The same for the other side.
    pub(super) fn turned(self) -> Self {
        Self {
            standing: self.standing.turned(),
            score: self.score.map(|score| Score(-score.0)),
            proved: self.proved.turned(),
        }
    }

    /// What the witness says: `win`, `draw`, `loss`, `not-loss` or `not-win`, as a claim of a proof is written.
    #[must_use]
    pub fn says(&self) -> &'static str {
        let said = if self.witness() == Witness::Engine { Bounds::exactly(self.standing) } else { self.proved };
        match (said.least, said.most) {
            (Standing::Won, _) => "win",
            (Standing::Drawn, Standing::Won) => "not-loss",
            (Standing::Drawn, _) => "draw",
            (Standing::Lost, Standing::Lost) => "loss",
            (Standing::Lost, _) => "not-win",
        }
    }
}
