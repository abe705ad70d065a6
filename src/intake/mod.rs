//! Files in, proved play out: reading, decoding, cutting, parsing and replaying on all cores, in the order of the text.
//!
//! Purpose: one pipeline for `import` and `verify`. Invariants: outcomes arrive in the order of the text; memory does not
//! grow with the file, for no more than a few chunks of text are under way (books are read whole, up to a limit that is told, and a
//! game beyond the limits of `notation::limits` is refused); a chunk boundary is a game boundary, so the same text
//! is always cut in the same places.
//!
//! Must not know: databases, the terminal.

mod archive;
mod binary;
mod chunks;
mod decode;
mod input;
mod inputs;
mod open;
mod packed;
mod pieces;
mod pipeline;
mod stdin;

pub use binary::look;
pub use input::{Input, InputForm};
pub use inputs::inputs;
pub use pieces::{Chunk, ReadOptions, stored_chunk};
pub use pipeline::{Control, Summary, read};

use crate::files;

/// Why an input could not be read.
#[derive(Debug, thiserror::Error)]
pub enum IntakeError {
    /// A path that does not exist or cannot be opened.
    #[error("cannot open {name}: {}", files::reason(source))]
    Open {
        /// The path as given.
        name: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// A read that failed on the way.
    #[error("cannot read {name} after {bytes} bytes: {}", files::reason(source))]
    Read {
        /// The name of the input.
        name: String,
        /// Bytes read before it failed.
        bytes: u64,
        /// What the system says.
        source: std::io::Error,
    },
    /// A packed text that was read to its end and is not what was packed.
    #[error(
        "{name} is damaged: it unpacks to another text than was packed, so that what was read may be wrong in places"
    )]
    Checksum {
        /// The name of the input.
        name: String,
    },
    /// A text that must be read whole and is too large for it.
    #[error("{name} is larger than {limit} bytes, the most a {what} may have")]
    TooLarge {
        /// The name of the input.
        name: String,
        /// Bytes allowed.
        limit: u64,
        /// The kind of text.
        what: &'static str,
    },
    /// A folder in which nothing can be read.
    #[error("no .pdn or .txt file in {0}, packed ones included")]
    EmptyFolder(String),
    /// An archive in which nothing can be read.
    #[error("no .pdn or .txt file in the archive {0}")]
    EmptyArchive(String),
    /// Bytes that are no text.
    #[error("{name} is not text: it looks like {what}")]
    NotText {
        /// The name of the input.
        name: String,
        /// What it looks like.
        what: &'static str,
    },
    /// A thread of the pipeline ended before its work was done.
    #[error("{0} could not be read: a worker stopped")]
    Worker(String),
}

impl IntakeError {
    /// Whether a packed text broke off on the way, what stood before the damage having been read.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Checksum { .. }) || matches!(self, Self::Read { source, .. } if packed::is_damage(source))
    }
}
