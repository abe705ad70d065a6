//! Results: reading them and holding them against the board.

use crate::board::{Color, Outcome, ResultOrder};
use crate::rules::Position;

/// What a written result says, before anybody decides whose score stands first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum WrittenScore {
    /// The first score is the greater.
    First,
    /// Both are equal, and not nothing.
    Equal,
    /// The second score is the greater.
    Second,
}

impl WrittenScore {
    /// The score a result says: `1-0`, `2-0`, `1/2-1/2`, `1-1`, `½-½`, a lone `1/2`, blanks allowed. `None` for `*`, for
    /// `0-0` (both lost) and for anything that cannot be read, which never counts as a draw.
    #[must_use]
    pub fn read(written: &str) -> Option<Self> {
        let text: String = written.chars().filter(|c| !c.is_whitespace()).collect();
        if text == "1/2" || text == "½" {
            return Some(Self::Equal);
        }
        let (first, second) = text.split_once('-')?;
        let (first, second) = (points(first)?, points(second)?);
        match first.cmp(&second) {
            std::cmp::Ordering::Greater => Some(Self::First),
            std::cmp::Ordering::Less => Some(Self::Second),
            std::cmp::Ordering::Equal => (first > 0).then_some(Self::Equal),
        }
    }

    /// The same result with the scores the other way round.
    #[must_use]
    pub const fn turned(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Equal => Self::Equal,
            Self::Second => Self::First,
        }
    }

    /// Who won, where `order` tells whose score stands first.
    #[must_use]
    pub fn outcome(self, order: ResultOrder) -> Outcome {
        match self {
            Self::First => Outcome::Won(order.first()),
            Self::Equal => Outcome::Draw,
            Self::Second => Outcome::Won(!order.first()),
        }
    }
}

/// Points in halves: `1` is 2, `1/2` is 1. Only what some federation writes, so at most two digits.
fn points(text: &str) -> Option<u32> {
    match text {
        "1/2" | "½" => Some(1),
        _ if text.len() <= 2 && !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) => {
            text.parse::<u32>().ok().map(|points| points * 2)
        }
        _ => None,
    }
}

/// How a claimed result stands to the final position: the `result_check` column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ResultCheck {
    /// The board proves it: the side to move has no move. Or what knows the final position exactly says the same.
    Proved,
    /// Somebody claims it and the board does not decide.
    Claimed,
    /// The board proves another.
    Contradicted,
    /// Nobody claims one and the board does not decide.
    None,
}

impl ResultCheck {
    /// The value printed in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::Claimed => "claimed",
            Self::Contradicted => "contradicted",
            Self::None => "none",
        }
    }

    /// Holds `claimed` against the end of a line.
    #[must_use]
    pub fn compare(claimed: Option<Outcome>, end: &Position) -> Self {
        match (claimed, board_outcome(end)) {
            (None, None) => Self::None,
            (Some(_), None) => Self::Claimed,
            (None, Some(_)) => Self::Proved,
            (Some(claim), Some(proof)) if claim == proof => Self::Proved,
            (Some(_), Some(_)) => Self::Contradicted,
        }
    }
}

/// What the last position of a line is worth with best play, told by something that knows it exactly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    /// How it ends.
    pub outcome: Outcome,
    /// In how many plies, where that is known; `None` for a draw.
    pub plies: Option<u16>,
}

/// What the board itself decides: the side that cannot move has lost.
#[must_use]
pub(super) fn board_outcome(end: &Position) -> Option<Outcome> {
    let loser: Color = end.turn();
    end.legal_moves().is_empty().then_some(Outcome::Won(!loser))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_and_never_guessed() {
        for (text, score) in [
            ("1-0", Some(WrittenScore::First)),
            ("0-2", Some(WrittenScore::Second)),
            ("4-6", Some(WrittenScore::Second)),
            ("1/2-1/2", Some(WrittenScore::Equal)),
            ("1/2", Some(WrittenScore::Equal)),
            ("½-½", Some(WrittenScore::Equal)),
            ("1 - 1", Some(WrittenScore::Equal)),
            ("0-0", None),
            ("*", None),
            ("1.02-0.98", None),
            ("99999999999999999999-0", None),
            ("", None),
        ] {
            assert_eq!(WrittenScore::read(text), score, "{text}");
        }
    }
}
