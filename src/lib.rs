//! Crownhead: an opening book and study database for draughts.
//!
//! ```text
//! board, table < rules, notation < game, book, engine < intake, store < import, query < analysis < report < render < cli
//! bytes → intake (text → notation → ParsedGame → game::replay) → VerifiedGame + findings → store → query → Table → render
//! ```
//!
//! A layer uses only layers to its left; `tests/it/architecture.rs` holds it to that.

pub mod board;
pub mod book;
pub mod notation;
pub mod rules;
pub mod table;
