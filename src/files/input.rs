//! Files that are read: what is no ordinary file, and what is too large, is refused before it is read.

use std::fs::{self, File, FileType};
use std::io::{self, Read as _};
use std::path::Path;

use super::reason::reason;

/// What a path is that is no ordinary file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SpecialFile(&'static str);

impl std::fmt::Display for SpecialFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

/// What `path` is if it is there and no ordinary file: a folder, a device, a pipe or a socket. Nothing is opened, so that no
/// one waits for the other end of a pipe.
#[must_use]
pub fn special_file(path: &Path) -> Option<SpecialFile> {
    let found = fs::metadata(path).ok()?;
    if found.is_file() { None } else { Some(SpecialFile(name(found.file_type()))) }
}

fn name(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        if kind.is_fifo() {
            return "a pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
        if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
    }
    if kind.is_dir() { "a folder" } else { "no ordinary file" }
}

/// Why a file is not read.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// It is no ordinary file.
    #[error("it is {0}, not a file")]
    Special(SpecialFile),
    /// It has more bytes than are read.
    #[error("it is larger than {} MiB", .0 >> 20)]
    TooLarge(u64),
    /// What the system says.
    #[error("{}", reason(.0))]
    Io(#[from] io::Error),
}

/// The bytes of the ordinary file at `path`, at most `limit` of them.
///
/// # Errors
/// When it is no ordinary file, is larger, or cannot be read.
pub fn read_limited(path: &Path, limit: u64) -> Result<Vec<u8>, InputError> {
    if let Some(special) = special_file(path) {
        return Err(InputError::Special(special));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(InputError::TooLarge(limit)) } else { Ok(bytes) }
}
