//! One SQLite file: sources with their raw text, proved lines, and the position index.
//!
//! Purpose: to keep what was proved and find it again by line or by exact position. Invariants: only a
//! [`VerifiedGame`](crate::game::VerifiedGame) gets in; a transaction holds whole games with their part of the index, so a killed
//! import leaves a whole database; keys are exact; winners are derived from the score and the source's convention.
//!
//! Must not know: text formats, the terminal, what anybody asks.

mod access;
mod aliases;
mod annotations;
mod backup;
mod chunk;
mod claims;
mod codec;
mod copies;
mod database;
mod facts;
mod index;
mod insert_lines;
mod inspect;
mod inspect_analyses;
mod inspect_copies;
mod inspect_derived;
mod line_events;
mod lines;
mod lock;
mod packed;
mod prepared_lines;
mod remove;
mod rows;
mod sandbox;
mod scan;
mod schema;
mod texts;
mod tree_values;
mod unread;
mod walk;
mod words;
mod writer;

pub use aliases::{AliasAdded, PlayerAlias};
pub use annotations::{AnalysisLimits, NewCertificate, StoredAnalysis, StoredSwing, short_digest};
pub use chunk::{ChunkCounts, ChunkText, Known};
pub use claims::Certified;
pub use codec::{CodecError, MoveCode};
pub use database::{Database, PositionCounts, Totals, Upgrade};
pub use facts::{Fact, Facts};
pub use index::Posting;
pub use inspect::{DatabasePart, Inspection, Trouble};
pub use line_events::LineEvents;
pub use lines::{StoredBranch, StoredLine};
pub use packed::{PackedLine, Pieces, STRETCH_PLIES, Stretch, Walker};
pub use prepared_lines::{PreparedChunk, prepare};
pub use remove::Removed;
pub use texts::StoredText;
pub use tree_values::{KeptValue, TreeStamp};
pub use unread::{UnreadGames, UnreadSource};
pub use walk::PositionWalk;
pub use writer::ImportWriter;

use crate::files::{self, SpecialFile};

/// Why the store cannot do what it is asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// SQLite says no.
    #[error("the database cannot be used: {0}")]
    Sqlite(rusqlite::Error),
    /// The disk is full, or takes no more of this file.
    #[error("disk full, or a limit on the size of files reached: the database cannot grow ({0})")]
    Full(rusqlite::Error),
    /// The database, or the folder it is in, cannot be written to.
    #[error("cannot write to {path}: {}", files::reason(source))]
    NotWritable {
        /// What cannot be written to.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// The database cannot be read.
    #[error("cannot read {path}: {}", files::reason(source))]
    NotReadable {
        /// The database.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// A database that can be read only where its folder can be written to.
    #[error(
        "{path} was written to and not closed, and to read what its write-ahead log holds its folder must be writable"
    )]
    LiveLog {
        /// The database.
        path: String,
    },
    /// The path is no ordinary file.
    #[error("{path} is {what}, not a file that can hold a database")]
    NotAFile {
        /// The path.
        path: String,
        /// What it is.
        what: SpecialFile,
    },
    /// The file is no SQLite database at all.
    #[error("{0} is no database")]
    NoDatabase(String),
    /// The file is no Crownhead database.
    #[error("{0} is an SQLite file of another program")]
    Foreign(String),
    /// The database was written by a newer program.
    #[error("{path} has version {found} of the schema; this program knows versions up to {known}")]
    TooNew {
        /// The database.
        path: String,
        /// The version it has.
        found: i64,
        /// The newest version this program knows.
        known: i64,
    },
    /// A database of an older version that cannot be written, and so not brought to today's.
    #[error("{path} has version {found} of the schema, which must be brought to version {known} first: {why}")]
    OldVersion {
        /// The database.
        path: String,
        /// The version it has.
        found: i64,
        /// The version of this program.
        known: i64,
        /// Why it cannot be brought up.
        why: Box<Self>,
    },
    /// A database with a view, a table or a trigger that is not this program's.
    #[error("{path} was changed by another program: {what}")]
    Altered {
        /// The database.
        path: String,
        /// The first difference.
        what: String,
    },
    /// There is no database yet.
    #[error("there is no database at {0}")]
    Missing(String),
    /// Another program writes.
    #[error("{path} is being written to by {by}")]
    Locked {
        /// The database.
        path: String,
        /// Who writes.
        by: String,
    },
    /// The folder for a new database cannot be made.
    #[error("cannot make the folder of {path}: {}", files::reason(source))]
    Folder {
        /// The database.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// A copy that would take the place of a file.
    #[error("{0} exists already")]
    Exists(String),
    /// A copy that would take the place of something else than a copy.
    #[error("{path} is {what}, and is not replaced by a copy of the database")]
    NotACopy {
        /// The file.
        path: String,
        /// What it is.
        what: String,
    },
    /// A copy whose name has a log of an older database beside it.
    #[error("{log} belongs to an older database at {path} that is in use or was not closed")]
    CopyInUse {
        /// The copy.
        path: String,
        /// The log.
        log: String,
    },
    /// A copy that cannot be made.
    #[error("cannot write {path}: {}", files::reason(source))]
    Backup {
        /// The copy.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// Stored bytes that do not mean anything.
    #[error("the database is damaged: {0}")]
    Damaged(String),
    /// Bytes could not be packed or unpacked.
    #[error("packing or unpacking failed: {0}")]
    Compression(#[from] std::io::Error),
}

impl StoreError {
    /// The code SQLite gives, where the error is SQLite's.
    fn code(&self) -> Option<rusqlite::ErrorCode> {
        match self {
            Self::Sqlite(error) => error.sqlite_error_code(),
            _ => None,
        }
    }

    /// Whether SQLite could not open, make or write a file, and does not say why.
    fn is_no_access(&self) -> bool {
        use rusqlite::ErrorCode::{CannotOpen, PermissionDenied, ReadOnly};
        matches!(self.code(), Some(CannotOpen | PermissionDenied | ReadOnly))
    }

    /// Whether another program is in the way, for now.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.code() == Some(rusqlite::ErrorCode::DatabaseBusy)
    }

    /// Whether SQLite finds the file damaged.
    #[must_use]
    pub fn is_broken_file(&self) -> bool {
        matches!(self.code(), Some(rusqlite::ErrorCode::DatabaseCorrupt | rusqlite::ErrorCode::NotADatabase))
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::Error;
        match error {
            // A row of a whole database has what is read of it.
            Error::InvalidColumnType(..)
            | Error::FromSqlConversionFailure(..)
            | Error::IntegralValueOutOfRange(..)
            | Error::Utf8Error(..) => Self::Damaged(error.to_string()),
            // Without the statement, which may fill a page.
            Error::SqlInputError { error, msg, .. } => Self::Sqlite(Error::SqliteFailure(error, Some(msg))),
            error if access::is_full(&error) => Self::Full(error),
            error => Self::Sqlite(error),
        }
    }
}

impl From<CodecError> for StoreError {
    fn from(error: CodecError) -> Self {
        Self::Damaged(error.to_string())
    }
}
