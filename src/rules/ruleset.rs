//! The constants of each variant, with the law they come from.
//!
//! The modern law is the World Checkers Draughts Federation's *Rules of Draughts*, section one (WCDF below); where the old
//! laws, numbered as Foster prints them, differ, the comment says how.

use crate::board::Variant;

/// In which directions a man may capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ManCaptures {
    /// Towards the crown-head only.
    Forward,
    /// In all four directions.
    Everywhere,
}

/// How far a king goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KingRange {
    /// One square; a capture jumps an adjacent piece.
    Short,
    /// Any number of free squares, before and after the captured piece.
    Flying,
}

/// What becomes of a man that reaches the crown-head while capturing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Crowning {
    /// The move ends there and the man is crowned.
    EndsMove,
    /// It goes on as a man where it can, and is crowned only if the capture ends there.
    OnlyAtEnd,
    /// It is crowned at once and goes on as a king.
    AtOnce,
}

/// Which of several captures may be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precedence {
    /// Any.
    Free,
    /// One that takes the most pieces.
    MostPieces,
}

/// The law of one variant as constants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleSet {
    /// Directions in which men capture.
    pub man_captures: ManCaptures,
    /// How kings move.
    pub king_range: KingRange,
    /// Crowning in the middle of a capture.
    pub crowning: Crowning,
    /// The choice among captures.
    pub precedence: Precedence,
}

/// English draughts.
const ENGLISH: RuleSet = RuleSet {
    // WCDF 1.18: a man jumps a piece on an adjacent square ahead of it.
    man_captures: ManCaptures::Forward,
    // WCDF 1.17, 1.21: a king moves and captures one square in any diagonal direction.
    king_range: KingRange::Short,
    // WCDF 1.16, 1.19: a man on the crown-head is a king, and its capture ends there. Foster's law 16 agrees: it goes
    // back in a later play only.
    crowning: Crowning::EndsMove,
    // WCDF 1.20: every capture is compulsory and must be completed, the choice among captures is free. By Foster's laws
    // 14 and 15 a capture missed may be huffed, compelled, or let stand, as the opponent likes, and by his law 13 one left
    // half done is completed when the hand leaves the piece.
    precedence: Precedence::Free,
};

impl RuleSet {
    /// The law of `variant`.
    #[must_use]
    pub const fn for_variant(variant: Variant) -> &'static Self {
        match variant {
            Variant::English => &ENGLISH,
        }
    }
}
