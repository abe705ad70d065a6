//! Text to [`ParsedGame`] and back: PDN, FEN, our own JSON, the text of old books.
//!
//! Purpose: liberal readers, strict writers, and diagnostics that say where and what was expected. Invariants: readers
//! never recurse on input, never drop text in silence, and count lines and columns from 1, bytes from 0.
//!
//! Must not know: which moves are legal. Where only legality can settle a reading, a [`ParsedGame`] holds several
//! readings in order of likelihood and `game::replay` chooses.

pub mod book;
mod clean;
mod diagnostic;
pub mod fen;
pub mod json;
pub mod limits;
mod parsed;
pub mod pdn;

pub use diagnostic::{Code, Diagnostic, Location, Severity};
pub use parsed::{
    LeftAlone, LineKind, Mark, Note, NoteKind, ParsedGame, ParsedLine, ParsedMove, Sign, Tag, Variation, Verdict,
};
