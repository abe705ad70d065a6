//! Proof: parsed play in, verified play and findings out.
//!
//! Purpose: [`replay`] is the only maker of a [`VerifiedGame`]; whatever the store holds went through it. Invariants: every
//! move of a verified line is legal in the position before it; an illegal move keeps the plies before it and is reported
//! with what was written and what is legal; repairs are suggested, never applied.
//!
//! Lists of moves as people type them are read and written here too, by the same matcher, and
//! names and dates of tags made comparable.
//!
//! Must not know: files, databases, the terminal.

mod matching;
mod move_list;
mod names;
mod notate;
mod repairs;
mod replay;
mod result;
mod result_check;
mod verified;

pub use crate::table::is_invisible;
pub use matching::{Matched, Mismatch, match_move};
pub use move_list::{MovesError, MovesErrorKind, read_moves, write_moves};
pub use names::{fold, fold_name, is_unknown_player, name_key, year_of};
pub use notate::{move_path, move_text, moves_text};
pub use replay::{ReplayOptions, Replayed, replay};
pub use result::{Ending, ResultCheck, WrittenScore};
pub use verified::{Status, VerifiedBranch, VerifiedGame, VerifiedLine};

// What a verified game hands on from its source, so that layers above need not look at `notation` for it.
pub use crate::notation::{Diagnostic, LineKind, Mark, Note, NoteKind, Severity};
