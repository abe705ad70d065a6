//! What is computed about positions rather than read from play.
//!
//! Purpose: exact values. So far these are the endgame databases of [`egdb`]. Invariant: a value told here is proved, by
//! complete enumeration, or it is not told.
//!
//! Must not know: stored play (`store`), how anything is written (`notation`) or shown.

pub mod egdb;
mod error;

pub use error::EngineError;
