//! Crownhead: an opening book and study database for draughts.
//!
//! ```text
//! files, board, table < rules, notation < engine < game < book < intake, store < import, query < analysis < report < render < cli
//! bytes → intake (text → notation → ParsedGame → game::replay) → VerifiedGame + findings → store → query, report → Table → render
//! ```
//!
//! A layer uses only layers to its left; `tests/it/architecture.rs` holds it to that.

pub mod analysis;
pub mod board;
pub mod book;
pub mod cli;
pub mod engine;
pub mod files;
pub mod game;
pub mod import;
pub mod intake;
pub mod notation;
pub mod query;
pub mod render;
pub mod report;
pub mod rules;
pub mod store;
pub mod table;
