//! One text to read: what it is called and where it is.

use std::path::PathBuf;

use zip::CompressionMethod;

/// How a text is to be read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum InputForm {
    /// Portable Draughts Notation.
    Pdn,
    /// Games as our own exports write them: an array of objects, or an object a line.
    Json,
    /// The text of a book: play is found in it, everything else is left alone.
    Book,
}

impl InputForm {
    /// Every form.
    pub const ALL: [Self; 3] = [Self::Pdn, Self::Json, Self::Book];

    /// The name in options and in the `sources` table.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pdn => "pdn",
            Self::Json => "json",
            Self::Book => "book",
        }
    }
}

/// What of its file a text is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum InputPart {
    /// All of it.
    Whole,
    /// A member of an archive.
    Member(Member),
    /// Nothing that can be read, and why: told when it is its turn, so that the others are read all the same.
    Unreadable(String),
}

/// One text to read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// The name it is called by: its path as given, or `-`.
    pub name: String,
    /// The file it is, or is in; `None` for standard input.
    pub path: Option<PathBuf>,
    /// What of the file it is.
    pub(super) part: InputPart,
    /// Its size in bytes, where that is known.
    pub size: Option<u64>,
}

/// Where a member of an archive begins and what the archive says about it. Reading a member is one seek, whatever the number of
/// members.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Member {
    pub(super) start: u64,
    pub(super) packed: u64,
    pub(super) size: u64,
    pub(super) crc: u32,
    pub(super) method: CompressionMethod,
}
