//! The book of names: openings, families, ballots and the words of the field, embedded from `data/*.tsv`.
//!
//! Purpose: look-up by name and by position. Invariants: every line of a [`Book`] was replayed under the rules when it was
//! read; a position has one primary name; the shortest line of a name defines it and the rest are its tabiyas.
//!
//! Must not know: files (the text of `--names FILE` is handed in), databases, how anything is shown.

mod ballot;
mod error;
mod glossary;
mod hash;
mod identify;
mod library;
mod lookup;
mod opening;
mod reading;
mod rows;
mod sheet;

pub use ballot::{Ballot, BallotRecord, BallotStatus, Deck, Replies};
pub use error::{BookError, Problem};
pub use glossary::{Term, find_terms, glossary};
pub use identify::Identified;
pub use library::Book;
pub use lookup::{OpeningMatch, Rank};
pub use opening::{Confidence, Level, NamedLine, Opening};
pub use reading::{NameReading, UnknownBallot};
pub use rows::OpeningRow;
