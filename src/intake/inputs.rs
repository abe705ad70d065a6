//! What to read: files, folders, standard input.

use std::fs;
use std::path::{Path, PathBuf};

use super::input::{Input, InputPart};
use super::{IntakeError, archive, packed};

/// The inputs that `paths` name: files, folders (their `.pdn` and `.txt` files, packed by gzip or zstd or not, the members of their
/// `.zip` archives, and those of folders below, by name), archives, and `-`
/// for standard input. An archive that cannot be read is an input whose error comes when it is read.
///
/// # Errors
/// The first path that is not there or cannot be looked at, and a folder or archive without play.
pub fn inputs(paths: &[PathBuf]) -> Result<Vec<Input>, IntakeError> {
    let mut found = Vec::new();
    for path in paths {
        if path.as_os_str() == "-" {
            found.push(Input { name: "-".to_owned(), path: None, part: InputPart::Whole, size: None });
            continue;
        }
        let meta = fs::metadata(path).map_err(|source| open_error(path, source))?;
        if meta.is_dir() {
            let before = found.len();
            folder(path, &mut found)?;
            if found.len() == before {
                return Err(IntakeError::EmptyFolder(path.display().to_string()));
            }
        } else if meta.is_file() && archive::is_archive(path) {
            let members = archive::members(path);
            if members.is_empty() {
                return Err(IntakeError::EmptyArchive(path.display().to_string()));
            }
            found.extend(members);
        } else {
            found.push(file(path, meta.is_file().then_some(meta.len())));
        }
    }
    Ok(found)
}

fn file(path: &Path, size: Option<u64>) -> Input {
    // How large a packed text is shows only when it is read.
    let size = size.filter(|_| !packed::is_packed(path));
    Input { name: path.display().to_string(), path: Some(path.to_owned()), part: InputPart::Whole, size }
}

fn open_error(path: &Path, source: std::io::Error) -> IntakeError {
    IntakeError::Open { name: path.display().to_string(), source }
}

/// Adds the readable files of a folder and those below it. Links to folders are not followed, so there is no endless loop.
fn folder(path: &Path, found: &mut Vec<Input>) -> Result<(), IntakeError> {
    let mut files = Vec::new();
    let mut open = vec![path.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).map_err(|source| open_error(&folder, source))? {
            let entry = entry.map_err(|source| open_error(&folder, source))?;
            let kind = entry.file_type().map_err(|source| open_error(&entry.path(), source))?;
            let path = entry.path();
            if kind.is_dir() {
                open.push(path);
            } else if packed::is_text_name(&path) || path.extension().is_some_and(|e| e.eq_ignore_ascii_case("zip")) {
                files.push(path);
            }
        }
    }
    files.sort();
    for path in files {
        // A link that leads nowhere, or to a folder, is no text.
        if let Some(meta) = fs::metadata(&path).ok().filter(fs::Metadata::is_file) {
            if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("zip")) {
                // An archive of something else in a folder is passed over as any other file is.
                found.extend(archive::members(&path));
            } else {
                found.push(file(&path, Some(meta.len())));
            }
        }
    }
    Ok(())
}
