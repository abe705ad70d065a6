//! The engine: what a position is worth, found by search, by endgame databases and by proof.
//!
//! Purpose: values of positions and the play that shows them. Invariants: the same position, limits and evaluation give the
//! same answer on every machine as long as no limit is of time; a search that was stopped stores nothing half done.
//!
//! Must not know: where positions come from, how anything is written, stored or shown.

pub mod egdb;
mod endings;
mod error;
mod evaluation;
mod proof;
mod search;
mod selfplay;
mod tuning;

pub use endings::Endings;
pub use error::EngineError;
pub use evaluation::{Evaluation, Weights, WeightsError};
pub use proof::{
    Attempt, Certificate, CheckError, CheckedCertificate, Claim, Memory, ProofResult, Prover, certified_moves, check,
};
pub use search::{Analysis, Bound, MAX_DEPTH, RootLine, Score, Search, SearchLimits, StopFlag};
pub use selfplay::{MatchTally, Player, SelfPlay, play, play_until, random_start};
pub use tuning::{Random, Recipe, Sample, Tuned, tune, tune_until};
