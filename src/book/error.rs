//! What can be wrong with a table of names.

use crate::game::MovesError;
use crate::table::quoted;

/// A table of names that cannot be used, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}, line {line}, column {column}: {problem}")]
pub struct BookError {
    /// The file as it was named.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong at a place in a table of names.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Problem {
    /// The table has no line of column names.
    #[error("there is no header line with the names of the columns")]
    NoHeader,
    /// A column that must be there is not.
    #[error("there is no column {}; columns are separated by tabs", quoted(.0))]
    NoColumn(&'static str),
    /// A column that is not known.
    #[error("unknown column {}; known are {known}", quoted(found))]
    UnknownColumn {
        /// Its name.
        found: String,
        /// The columns that may be there.
        known: String,
    },
    /// A column that is there twice.
    #[error("the column {} is there twice", quoted(.0))]
    ColumnTwice(String),
    /// More fields than columns.
    #[error("the line has more fields than the header has columns ({0})")]
    TooManyFields(usize),
    /// A field that must be filled in is empty.
    #[error("the field {} is empty", quoted(.0))]
    Empty(&'static str),
    /// A word that is none of those allowed.
    #[error("{} is not one of: {allowed}", quoted(found))]
    Word {
        /// What stands there.
        found: String,
        /// The words allowed.
        allowed: String,
    },
    /// A number that cannot be read.
    #[error("{} is no number that fits here", quoted(.0))]
    Number(String),
    /// A control character.
    #[error("control character U+{0:04X}")]
    Control(u32),
    /// A line of play that cannot be replayed.
    #[error("{0}")]
    Moves(MovesError),
    /// Two names for one position.
    #[error("the same position as {} in line {line}", quoted(other))]
    SamePosition {
        /// The other name.
        other: String,
        /// Its line.
        line: u32,
    },
    /// Another order of a ballot that leads elsewhere.
    #[error("this order leads to another position")]
    OtherPosition,
}
