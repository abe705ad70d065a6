//! Analysis of stored play: which moves changed what a game was worth, which one lost it, and how that is known.
//!
//! Purpose: `annotate`, over many lines at once; and the values that all stored verdicts imply (`tree`). Invariants: a value names its witness, and a proof outranks every score; what
//! the engine says of a line depends on the line, the limits and the endgame databases, never on other lines, on the order of
//! work or on time; every certificate was accepted by the checker before it is stored; a line is stored whole or not at all.
//!
//! Must not know: the terminal, how anything is shown. SQL is the store's.

mod annotator;
mod jobs;
mod judge;
mod mark_check;
mod proofs;
mod tree;
mod value;

pub use annotator::{Annotated, AnnotationLimits, Annotator, Meter};
pub use jobs::{AnalysisError, AnnotationObserver, AnnotationOptions, AnnotationOutcome, annotate};
pub use judge::Swing;
pub use mark_check::Comparison;
pub use tree::{
    ClaimKind, ColorClaim, Cook, LineClaim, MAX_UNSTORED_POSITIONS, TreeAnswer, TreeCounts, TreeSource, TreeValue,
    TreeValues, keep_tree_values, tree_answer, wrong_kept_values,
};
pub use value::{DECISIVE_SCORE, PositionValue, SAME_SCORE_MARGIN};
