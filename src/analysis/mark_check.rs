//! What a source marks as the losing move, held against what was found.

use crate::board::{Value, Witness};

use super::judge::Swing;

/// How a mark compares. Without a proof it is never called wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// The move loses, whether or not the other side gave it back later.
    Agrees,
    /// Another move, or none, was found to lose.
    NotConfirmed,
    /// The position was lost before the marked move.
    LostBefore {
        /// Whether that is proved.
        is_proved: bool,
    },
    /// It is proved that the marked move does not lose.
    Refuted,
}

impl Comparison {
    /// A mark at the move `marked`, where the losing move was found at `losing`.
    pub(super) fn compare(marked: &Swing, losing: Option<u32>) -> Self {
        let falls = marked.before.value != Value::Loss && marked.after.value == Value::Loss;
        if losing == Some(marked.ply) || falls {
            return Self::Agrees;
        }
        if marked.after.proved.excludes(Value::Loss) {
            return Self::Refuted;
        }
        if marked.before.value == Value::Loss {
            return Self::LostBefore { is_proved: marked.before.is_exact() };
        }
        Self::NotConfirmed
    }

    /// Who says so, of the mark at the move `marked`.
    pub(super) fn witness(self, marked: &Swing) -> Witness {
        match self {
            Self::Agrees => marked.witness(),
            Self::NotConfirmed | Self::LostBefore { is_proved: false } => Witness::Engine,
            Self::Refuted | Self::LostBefore { is_proved: true } => Witness::Proved,
        }
    }

    /// The words in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::NotConfirmed => "not confirmed at this depth",
            Self::LostBefore { is_proved: false } => "already lost before",
            Self::LostBefore { is_proved: true } => "already lost before, proved",
            Self::Refuted => "refuted",
        }
    }
}
