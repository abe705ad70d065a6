//! JSON: games as our own exports write them, read again.
//!
//! Purpose: `export json` in both of its forms (an array, or an object a line) back to [`ParsedGame`](crate::notation::ParsedGame),
//! object by object, so that memory does not grow with the file. Invariants: the reader never recurses; each step makes
//! progress; what is not read is reported with line and column.
//!
//! The tolerances, beyond what exports write:
//! - **Objects**: in an array, one behind the other, or one a line; keys in any order, unknown keys passed over. An object
//!   without `moves` is refused, for nobody can tell what it is.
//! - **Moves**: objects with `move`, or the texts alone. All are replayed later; `fen`, `ply` and `side` are not believed.
//! - **Values of the wrong type** are left out: an error where play is lost with them, else a warning.
//! - **Damage**: what is broken inside an object ends it, the moves before it are kept. An object that is never closed ends
//!   where a line starts with the next one.
//!
//! `winner`, by colour, says who a `result` favours, so that no order of scores need be known, nor one that is told for the
//! file turns it round; texts stay as written. Where there is no `result`, it is the result.
//!
//! Must not know: which moves are legal.

mod game;
mod lexer;
mod reader;
mod split;

pub use reader::JsonReader;
pub use split::{ObjectSkim, last_end, looks_like_json, split};
