//! What a source marks as the losing move, held against what was found.

use super::judge::Swing;
use super::value::{Standing, Witness};

/// How a mark compares. Without a proof it is never called wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// The move loses, whether or not the other side gave it back later.
    Agrees,
    /// Another move, or none, was found to lose.
    NotConfirmed,
    /// The position was lost before the marked move.
    LostBefore(Witness),
    /// It is proved that the marked move does not lose.
    Refuted,
}

impl Comparison {
    /// A mark at the move `marked`, where the losing move was found at `losing`.
    pub(super) fn compare(marked: &Swing, losing: Option<u32>) -> Self {
        let falls = marked.before.standing != Standing::Lost && marked.after.standing == Standing::Lost;
        if losing == Some(marked.ply) || falls {
            return Self::Agrees;
        }
        if marked.after.proved.excludes(Standing::Lost) {
            return Self::Refuted;
        }
        if marked.before.standing == Standing::Lost {
            let is_proved = marked.before.is_exact();
            return Self::LostBefore(if is_proved { Witness::Proved } else { Witness::Engine });
        }
        Self::NotConfirmed
    }

    /// Who says so, of the mark at the move `marked`.
    pub(super) fn witness(self, marked: &Swing) -> Witness {
        match self {
            Self::Agrees => marked.witness(),
            Self::NotConfirmed => Witness::Engine,
            Self::LostBefore(witness) => witness,
            Self::Refuted => Witness::Proved,
        }
    }

    /// The words in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::NotConfirmed => "not confirmed at this depth",
            Self::LostBefore(Witness::Engine) => "already lost before",
            Self::LostBefore(Witness::Proved) => "already lost before, proved",
            Self::Refuted => "refuted",
        }
    }
}
