//! Scores: hundredths of a man for the side to move, with wins and losses beyond them.

use std::fmt;

/// A won game; less one for each ply that it takes.
const WIN_SCORE: i16 = 30_000;
/// A position that an endgame database knows to be won; less one for each ply until it is reached.
const DATABASE_WIN_SCORE: i16 = 20_000;
/// No search is deeper, so greater distances are not seen.
const MAX_DISTANCE_PLIES: i16 = 1_000;
/// The greatest score that an evaluation gives.
const MAX_EVALUATION: i16 = 15_000;

/// What a score says of the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// It is the score.
    Exact,
    /// The score is this or more.
    AtLeast,
    /// The score is this or less.
    AtMost,
}

/// The score of a position for the side to move, in hundredths of a man. Beyond ±15,000 it tells a result: a game that ends
/// within the search (±30,000 less the plies to the end), or one that an endgame database decides (±20,000 less the plies to
/// the database).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Score(pub i16);

impl Score {
    /// Neither side is better: also the score of a draw.
    pub const DRAW: Self = Self(0);
    /// The side to move has lost.
    pub const LOST: Self = Self(-WIN_SCORE);
    /// The least of all.
    pub(super) const LEAST: Self = Self::LOST;

    /// The side to move has no move, `ply` plies below the root.
    pub(super) const fn lost_at(ply: usize) -> Self {
        Self(-WIN_SCORE + ply as i16)
    }

    /// A database says that the side to move wins, `ply` plies below the root.
    pub(super) const fn database_win_at(ply: usize) -> Self {
        Self(DATABASE_WIN_SCORE - ply as i16)
    }

    /// An evaluation, kept apart from the results.
    pub(super) const fn evaluated(hundredths: i32) -> Self {
        let most = MAX_EVALUATION as i32;
        Self(if hundredths > most {
            MAX_EVALUATION
        } else if hundredths < -most {
            -MAX_EVALUATION
        } else {
            hundredths as i16
        })
    }

    /// Whether it tells a result: the game won or lost.
    #[must_use]
    pub const fn is_decided(self) -> bool {
        self.0 > MAX_EVALUATION || self.0 < -MAX_EVALUATION
    }

    /// An evaluation moved by a margin; a result as it is.
    pub(super) const fn moved(self, by: i16) -> Self {
        if self.is_decided() { self } else { Self(self.0 + by) }
    }

    /// The plies to the end of the game, where the search saw it.
    #[must_use]
    pub const fn plies_to_end(self) -> Option<u16> {
        let left = WIN_SCORE - self.0.abs();
        if left >= 0 && left < MAX_DISTANCE_PLIES { Some(left as u16) } else { None }
    }

    /// The same for the other side.
    pub(super) const fn negated(self) -> Self {
        Self(-self.0)
    }

    /// A score of the root's count of plies as the position `ply` below it sees it.
    pub(super) const fn seen_from(self, ply: usize) -> i16 {
        match self.0 {
            score if score > MAX_EVALUATION => score + ply as i16,
            score if score < -MAX_EVALUATION => score - ply as i16,
            score => score,
        }
    }

    /// The other way round.
    pub(super) const fn seen_from_root(score: i16, ply: usize) -> Self {
        Self(match score {
            score if score > MAX_EVALUATION => score - ply as i16,
            score if score < -MAX_EVALUATION => score + ply as i16,
            score => score,
        })
    }
}

/// `+0.23` in men, `win in 5`, `loss`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match (self.is_decided(), self.plies_to_end()) {
            (true, Some(plies)) => format!("{} in {plies}", if self.0 > 0 { "win" } else { "loss" }),
            (true, None) => if self.0 > 0 { "win" } else { "loss" }.to_owned(),
            (false, _) => format!("{:+.2}", f64::from(self.0) / 100.0),
        };
        f.pad(&text)
    }
}
