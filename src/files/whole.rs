//! A file that is whole under its name or not there.

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Seek as _, Write};
use std::path::{Path, PathBuf};

use super::temporary::Temporary;
use super::write_plan::{WritePlan, folder_of};

/// A file being written. It replaces an older one only at [`WholeFile::commit`]; dropped before, it leaves no trace.
#[derive(Debug)]
pub struct WholeFile {
    out: BufWriter<File>,
    sink: FileSink,
}

#[derive(Debug)]
enum FileSink {
    /// A device or a pipe.
    Stream,
    /// A file beside the one that it is to replace.
    Beside { temporary: Temporary, real: PathBuf },
    /// A file elsewhere, to be copied: the folder of the target takes no new file, but the target can be written.
    Elsewhere { _temporary: Temporary, real: PathBuf },
}

impl WholeFile {
    /// Begins to write `path`. Links are followed, and permissions of a file that is there are kept; another hard link to it
    /// keeps the older content.
    ///
    /// # Errors
    /// When `path` is a folder, its folder does not exist, or the file cannot be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        let (real, replaced) = match WritePlan::for_path(path)? {
            WritePlan::File { real, replaced } => (real, replaced),
            WritePlan::Stream => {
                let out = BufWriter::new(File::options().append(true).open(path)?);
                return Ok(Self { out, sink: FileSink::Stream });
            }
        };
        let (file, sink) = match Temporary::create(&folder_of(&real), path) {
            Ok((temporary, file)) => (file, FileSink::Beside { temporary, real }),
            Err(error) if replaced.is_some() && is_denied(&error) => {
                let (temporary, file) = Temporary::create(&std::env::temp_dir(), path)?;
                (file, FileSink::Elsewhere { _temporary: temporary, real })
            }
            Err(error) => return Err(error),
        };
        // Shows processes in other containers that the file is in use. Not every file system has locks.
        let _ = file.try_lock();
        if let Some(replaced) = replaced {
            take_rights(&file, &replaced)?;
        }
        Ok(Self { out: BufWriter::new(file), sink })
    }

    /// Whether the bytes go to a device or a pipe as they come.
    #[must_use]
    pub const fn is_stream(&self) -> bool {
        matches!(self.sink, FileSink::Stream)
    }

    /// Writes what is left to the disk and gives the file its name.
    ///
    /// # Errors
    /// When it cannot be written; the older file is left then.
    pub fn commit(self) -> io::Result<()> {
        let file = self.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        match self.sink {
            FileSink::Stream => Ok(()),
            FileSink::Beside { temporary, real } => {
                file.sync_all()?;
                match temporary.rename(&real) {
                    // A file that is mounted by itself, as containers do, cannot be replaced.
                    Err(error) if error.kind() == io::ErrorKind::ResourceBusy => copy(file, &real),
                    renamed => renamed,
                }
            }
            FileSink::Elsewhere { real, .. } => copy(file, &real),
        }
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn is_denied(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

/// Writes the content of `from` over that of the file at `to`.
fn copy(mut from: File, to: &Path) -> io::Result<()> {
    from.rewind()?;
    let mut to = File::create(to)?;
    io::copy(&mut from, &mut to)?;
    to.sync_all()
}

/// Gives `file` the owner and permissions of the file it is to replace.
fn take_rights(file: &File, replaced: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, fchown};
        let made = file.metadata()?;
        if (made.uid(), made.gid()) != (replaced.uid(), replaced.gid()) {
            // Only an administrator may give files away; others own what they write.
            let _ = fchown(file, Some(replaced.uid()), Some(replaced.gid()));
        }
    }
    file.set_permissions(replaced.permissions())
}

/// Writes `bytes` to `path`, whole or not at all.
///
/// # Errors
/// When it cannot be written; the older file is left then.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = WholeFile::create(path)?;
    file.write_all(bytes)?;
    file.commit()
}

/// Reports what would keep `path` from being written, before any work is done for it.
///
/// # Errors
/// As [`WholeFile::create`]; what shows only when a file is made is not found.
pub fn check_writable(path: &Path) -> io::Result<()> {
    match WritePlan::for_path(path)? {
        WritePlan::File { real, .. } if fs::metadata(folder_of(&real))?.permissions().readonly() && !real.exists() => {
            Err(io::ErrorKind::PermissionDenied.into())
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"half").unwrap();
        file.flush().unwrap();
        assert!(!path.exists());
        drop(file);
        assert!(names(folder.path()).is_empty());
        write(&path, b"old").unwrap();
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"half").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        write(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["a.csv"]);
    }

    #[test]
    #[cfg(unix)]
    fn links_and_permissions_are_kept() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("sub")).unwrap();
        fs::write(at("sub/real.csv"), "old").unwrap();
        fs::set_permissions(at("sub/real.csv"), fs::Permissions::from_mode(0o640)).unwrap();
        fs::hard_link(at("sub/real.csv"), at("other.csv")).unwrap();
        symlink("sub/real.csv", at("link.csv")).unwrap();
        write(&at("link.csv"), b"new").unwrap();
        assert!(fs::symlink_metadata(at("link.csv")).unwrap().is_symlink());
        assert_eq!(fs::read(at("sub/real.csv")).unwrap(), b"new");
        assert_eq!(fs::metadata(at("sub/real.csv")).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(fs::read(at("other.csv")).unwrap(), b"old");
        assert_eq!(names(&at("sub")), ["real.csv"]);
        assert_eq!(names(folder.path()), ["link.csv", "other.csv", "sub"]);
    }
}
