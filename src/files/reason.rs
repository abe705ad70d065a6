//! What the system says of a file, in words that a person can act on.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

/// Why reading or writing a file failed: the system's reason without its number.
#[must_use]
pub fn reason(error: &io::Error) -> String {
    // An error made by this program has a sentence of its own.
    if error.raw_os_error().is_none() && error.get_ref().is_some() {
        return error.to_string();
    }
    let words = match error.kind() {
        ErrorKind::NotFound => "there is no such file or folder",
        ErrorKind::PermissionDenied => "permission denied",
        ErrorKind::AlreadyExists => "something of that name is there already",
        ErrorKind::IsADirectory => "it is a folder",
        ErrorKind::NotADirectory => "a part of its path is a file, not a folder",
        ErrorKind::ReadOnlyFilesystem => "its file system is read-only",
        ErrorKind::StorageFull => "the disk is full",
        ErrorKind::QuotaExceeded => "this account may store no more on this disk",
        ErrorKind::FileTooLarge => "a limit on the size of files is reached",
        ErrorKind::InvalidFilename => "its name is too long or has characters that cannot be used",
        ErrorKind::UnexpectedEof => "it ends too early",
        _ => return without_number(&error.to_string()).to_owned(),
    };
    words.to_owned()
}

/// `text` without the number that the standard library adds to what the system says.
fn without_number(text: &str) -> &str {
    text.rsplit_once(" (os error ").map_or(text, |(words, _)| words)
}

/// Makes the folder at `path` and those above it that are not there.
///
/// # Errors
/// When something else is in the way or the folder cannot be made.
pub fn create_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => io::Error::new(ErrorKind::AlreadyExists, "it is a file, not a folder"),
        _ => error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_have_no_numbers() {
        let folder = tempfile::tempdir().unwrap();
        let missing = fs::read(folder.path().join("none")).unwrap_err();
        assert_eq!(reason(&missing), "there is no such file or folder");
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        assert_eq!(reason(&create_folder(&file).unwrap_err()), "it is a file, not a folder");
        let below = create_folder(&file.join("below")).unwrap_err();
        assert_eq!(reason(&below), "a part of its path is a file, not a folder");
        assert_eq!(reason(&io::Error::from_raw_os_error(28)), "the disk is full");
        // A reason without a kind of its own.
        assert!(!reason(&io::Error::from_raw_os_error(5)).contains("os error"));
        assert_eq!(reason(&io::Error::other("its name is not UTF-8")), "its name is not UTF-8");
    }
}
