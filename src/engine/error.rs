//! What can go wrong with endgame databases.

use std::io;

use crate::files;

/// An endgame database that cannot be made, read or trusted.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The system refuses to read or write.
    #[error("{path}: {}", files::reason(source))]
    Io {
        /// The file or folder.
        path: String,
        /// What the system says.
        source: io::Error,
    },
    /// A file that is no endgame database.
    #[error("{slice}: {path} is no endgame database of Crownhead")]
    Foreign {
        /// The slice the file is named for.
        slice: String,
        /// The file.
        path: String,
    },
    /// A file of a later version of the format.
    #[error("{slice}: {path} has version {found} of the format; this program knows versions up to {known}")]
    TooNew {
        /// The slice.
        slice: String,
        /// The file.
        path: String,
        /// The version it has.
        found: u16,
        /// The newest version this program knows.
        known: u16,
    },
    /// A file whose bytes are not those that were written.
    #[error("{slice}: {path} is damaged: {what}")]
    Damaged {
        /// The slice.
        slice: String,
        /// The file.
        path: String,
        /// What is wrong.
        what: String,
    },
    /// A database of another game.
    #[error("{slice}: {path} is a database of another game (GameType {found})")]
    OtherGame {
        /// The slice.
        slice: String,
        /// The file.
        path: String,
        /// The game it is for.
        found: u8,
    },
    /// A game that the databases cannot be made for.
    #[error("endgame databases are made for games with short kings on 32 squares, not for {0}")]
    Unsupported(String),
    /// Fewer than two or too many pieces.
    #[error("databases have {least} to {most} pieces, not {asked}")]
    Pieces {
        /// The number asked for.
        asked: u8,
        /// The least.
        least: u8,
        /// The most.
        most: u8,
    },
    /// Less memory allowed than the work needs.
    #[error("{slice} needs {needed} of memory, {allowed} are allowed", needed = megabytes(*.needed), allowed = megabytes(*.allowed))]
    Memory {
        /// The slice, or group of slices.
        slice: String,
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// A file that must be there is not.
    #[error("{0}: its file is not there")]
    Vanished(String),
    /// Another program makes databases in this folder.
    #[error("another program is making databases in {0}")]
    Locked(String),
    /// Somebody asked for an end before the work was done.
    #[error("stopped")]
    Stopped,
}

fn megabytes(bytes: u64) -> String {
    format!("{} MB", bytes.div_ceil(1_000_000))
}

impl EngineError {
    /// An error of the system at `path`.
    pub(super) fn io(path: &std::path::Path, source: io::Error) -> Self {
        Self::Io { path: path.display().to_string(), source }
    }
}
