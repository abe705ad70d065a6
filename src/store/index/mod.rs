//! The position index: which lines reach a position, when, and with which move they go on.
//!
//! Append-only segments, one a batch, of blocks sorted by exact key, prefix-coded and compressed; merged when there are many
//! (as a log-structured tree). A query merges the segments. On 460,287 half-moves the index takes 6 of the 12.7 bytes a half-move;
//! the README has the figures.
//!
//! There is no separate table of counts: counting the postings of a position takes some tens of nanoseconds a posting, and there
//! is no second truth to keep in step. A table of the moves that two games share would add about 6 bytes a half-move.

mod block;
mod build;
mod lookup;
mod merge;
mod posting;

pub(super) use build::build;
pub(super) use lookup::postings;
pub(super) use merge::{Keys, compact, drop_lines, each_key, insert_blocks};
pub(super) use posting::IndexEntry;
pub use posting::Posting;
