//! Where writing to a path ends up.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

/// Links that are followed before a name is taken as it stands: more are a ring.
const MAX_LINKS: usize = 40;

/// The folder that `path` is in.
#[must_use]
pub fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Where writing to `path` ends up: all links followed, those too that lead to what is not there yet.
#[must_use]
pub fn resolved(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        if let Ok(full) = fs::canonicalize(&path) {
            return full;
        }
        let Ok(to) = fs::read_link(&path) else { break };
        path = folder_of(&path).join(to);
    }
    match (fs::canonicalize(folder_of(&path)), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        // The folder may be made later.
        _ => std::path::absolute(&path).unwrap_or(path),
    }
}

/// How a path is written.
#[derive(Debug)]
pub(super) enum WritePlan {
    /// A device, a pipe, or an open file of this process: bytes go there as they come.
    Stream,
    /// A file that is to be replaced as a whole, by its own name, and what is there now.
    File { real: PathBuf, replaced: Option<Metadata> },
}

impl WritePlan {
    /// How `path` is written.
    ///
    /// # Errors
    /// When it is a folder or a socket, its folder does not exist, or the file that is there cannot be written. Nothing is
    /// opened that could make the caller wait.
    pub(super) fn for_path(path: &Path) -> io::Result<Self> {
        let found = match fs::metadata(path) {
            Ok(found) => Some(found),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if found.as_ref().is_some_and(Metadata::is_dir) {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
        }
        if found.as_ref().is_some_and(|found| !found.is_file()) || is_open_file(path) {
            return Ok(Self::Stream);
        }
        check_folder(path)?;
        let real = resolved(path);
        if found.is_some() {
            // A rename would replace a file that cannot be written, too.
            check_unprotected(&real)?;
            fs::OpenOptions::new().write(true).open(&real)?;
        }
        Ok(Self::File { real, replaced: found })
    }
}

/// Refuses a path that leads into a folder that is not there.
///
/// # Errors
/// When there is no such folder; it is named as in `path`, unless a link leads elsewhere.
pub fn check_folder(path: &Path) -> io::Result<()> {
    let folder = folder_of(&resolved(path));
    if folder.is_dir() {
        return Ok(());
    }
    let missing = if path.is_symlink() { folder } else { folder_of(path) };
    let missing_name = missing.display();
    let message = if missing.exists() {
        format!("{missing_name} is a file, not a folder")
    } else {
        format!("the folder {missing_name} does not exist")
    };
    Err(io::Error::new(io::ErrorKind::NotFound, message))
}

/// Refuses a write-protected file. The system lets an administrator write even such a file, but its owner
/// protected it on purpose.
///
/// # Errors
/// When there is such a file at `path`.
pub fn check_unprotected(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() && found.permissions().readonly() => {
            Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is write-protected"))
        }
        _ => Ok(()),
    }
}

/// Whether `path` names a file that is open in a process, such as `/dev/stdout` or `/proc/self/fd/3`, by whatever links.
#[must_use]
pub fn is_open_file(path: &Path) -> bool {
    let is_system = |path: &Path| path.starts_with("/dev") || path.starts_with("/proc");
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        if is_system(&path) || fs::canonicalize(folder_of(&path)).is_ok_and(|folder| is_system(&folder)) {
            // Shared memory is made of ordinary files.
            return !path.starts_with("/dev/shm");
        }
        let Ok(to) = fs::read_link(&path) else { return false };
        path = folder_of(&path).join(to);
    }
    false
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_are_followed_to_what_is_meant() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("sub")).unwrap();
        symlink(at("sub/new.csv"), at("link.csv")).unwrap();
        symlink("/dev/stdout", at("out")).unwrap();
        let real = fs::canonicalize(at("sub")).unwrap().join("new.csv");
        assert!(
            matches!(WritePlan::for_path(&at("link.csv")).unwrap(), WritePlan::File { real: found, replaced: None } if found == real)
        );
        for stream in [at("out"), "/dev/null".into(), "/dev/stderr".into(), "/proc/self/fd/2".into()] {
            assert!(matches!(WritePlan::for_path(&stream).unwrap(), WritePlan::Stream), "{}", stream.display());
        }
        assert!(matches!(WritePlan::for_path(&at("sub")), Err(error) if error.kind() == io::ErrorKind::IsADirectory));
        let missing = WritePlan::for_path(&at("none/a.csv")).unwrap_err();
        assert!(missing.to_string().contains("none does not exist"), "{missing}");
        symlink("none/a.csv", at("dangling.csv")).unwrap();
        let missing = WritePlan::for_path(&at("dangling.csv")).unwrap_err();
        assert!(missing.to_string().contains("none does not exist"), "{missing}");
    }
}
