//! Files that a command is to write, held against those it reads: nothing is written over that the command works with.
//!
//! Looks at names and at what the system says of files, and opens none.

use std::fs;
use std::path::{Path, PathBuf};

use crate::files::resolved;
use crate::intake;
use crate::store::Database;

use super::error::CliError;

/// A file to be written, and what it was asked for with.
pub(super) type Target<'a> = (&'static str, &'a Path);

/// Refuses to write any of `targets` over a file of the database at `database`, over one of `inputs` (files, folders, or `-`), or
/// over one another.
///
/// # Errors
/// Which target is which of them.
pub(super) fn guard(targets: &[Target<'_>], database: &Path, inputs: &[&Path]) -> Result<(), CliError> {
    let mut told: Vec<(PathBuf, String)> = Vec::new();
    if !targets.is_empty() {
        let files = Database::files(&resolved(database)).into_iter().chain(Database::files(database));
        for (at, file) in files.enumerate() {
            let what = if at == 0 || file == database { "the database" } else { "a file of the database" };
            told.push((file, what.to_owned()));
        }
        told.extend(inputs.iter().flat_map(|input| files_of(input)).map(|file| (file, "what is read".to_owned())));
    }
    for &(option, path) in targets {
        if let Some((_, what)) = told.iter().find(|(file, _)| is_same(path, file)) {
            let message = format!("{option} {} is {what}, and is not written over", path.display());
            return Err(CliError::usage(message).hint("name another file"));
        }
        told.push((path.to_owned(), format!("the file of {option}")));
    }
    Ok(())
}

/// The files that an input stands for.
fn files_of(input: &Path) -> Vec<PathBuf> {
    if input.as_os_str() == "-" {
        // A file that the shell gives as standard input is seen by its number.
        return vec![PathBuf::from("/dev/stdin")];
    }
    let mut files = vec![input.to_owned()];
    if input.is_dir() {
        // What cannot be looked at is told by who reads it.
        let found = intake::inputs(&files).unwrap_or_default();
        files.extend(found.into_iter().filter_map(|input| input.path));
    }
    files
}

/// Whether two names are, or would be, one file, by whatever links they lead there.
fn is_same(one: &Path, other: &Path) -> bool {
    match (fs::metadata(one), fs::metadata(other)) {
        // Terminals and pipes are written and read at once.
        (Ok(meta), _) | (_, Ok(meta)) if !meta.is_file() => false,
        (Ok(one_meta), Ok(other_meta)) => {
            same_number(&one_meta, &other_meta).unwrap_or_else(|| resolved(one) == resolved(other))
        }
        (Err(_), Err(_)) => resolved(one) == resolved(other),
        _ => false,
    }
}

/// Whether two files have one number on one device, where the system numbers files.
#[cfg(unix)]
fn same_number(one: &fs::Metadata, other: &fs::Metadata) -> Option<bool> {
    use std::os::unix::fs::MetadataExt as _;
    Some((one.dev(), one.ino()) == (other.dev(), other.ino()))
}

#[cfg(not(unix))]
fn same_number(_: &fs::Metadata, _: &fs::Metadata) -> Option<bool> {
    None
}
