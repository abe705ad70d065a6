//! Copying a database that others may be writing to.

use std::fs::{self, File};
use std::path::Path;
use std::time::Duration;

use super::{Database, StoreError, access, lock};

/// How long the end of an import waits for readers, so that it can empty the write-ahead log into the database.
const CHECKPOINT_WAIT: Duration = Duration::from_secs(2);

/// Takes away what backups to `path` left that were killed; what cannot be taken away harms nobody.
fn sweep(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let left = entry.file_name();
        let rest = left.to_str().and_then(|left| left.strip_prefix(name)?.strip_prefix('.')?.split_once('.'));
        let Some((pid, "partial" | "partial-journal")) = rest else { continue };
        if pid.parse().is_ok_and(|pid| !lock::is_alive(pid)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

impl Database {
    /// Copies what is committed into one file at `path`, and returns its size. The file takes its name only when it is complete;
    /// with `force` it takes the place of one that is there.
    ///
    /// # Errors
    /// [`StoreError::Exists`] when there is a file and no `force`, or it is this very database; otherwise when the copy cannot be
    /// made.
    pub fn backup(&self, path: &Path, force: bool) -> Result<u64, StoreError> {
        let cannot = |source| StoreError::Backup { path: path.display().to_string(), source };
        let is_own = || Some(fs::canonicalize(path).ok()? == fs::canonicalize(self.path()).ok()?);
        if fs::symlink_metadata(path).is_ok() && (!force || path.is_dir() || is_own() == Some(true)) {
            return Err(StoreError::Exists(path.display().to_string()));
        }
        let mut partial = path.as_os_str().to_owned();
        partial.push(format!(".{}.partial", std::process::id()));
        let partial = Path::new(&partial);
        sweep(path);
        // Made by us, so that nobody else's file is written over.
        File::create_new(partial).map_err(cannot)?;
        let copied = self.copy_into(partial).and_then(|()| {
            let size = File::open(partial).and_then(|file| file.sync_all().and(file.metadata())).map_err(cannot)?.len();
            fs::rename(partial, path).map_err(cannot)?;
            Ok(size)
        });
        if copied.is_err() {
            // The error that is told is the first one.
            let _ = fs::remove_file(partial);
            let _ = fs::remove_file(access::beside(partial, "-journal"));
        }
        copied
    }

    fn copy_into(&self, path: &Path) -> Result<(), StoreError> {
        let Some(name) = path.to_str() else {
            let source = std::io::Error::new(std::io::ErrorKind::InvalidInput, "its name is not UTF-8");
            return Err(StoreError::Backup { path: path.display().to_string(), source });
        };
        self.connection.execute("VACUUM INTO ?1", [name])?;
        Ok(())
    }

    /// Moves what the write-ahead log holds into the database file and empties the log, so that the file alone is complete. Where
    /// readers stand in the way, the log stays, and SQLite keeps both in step.
    pub(super) fn settle(&self) {
        let waited = self.connection.busy_timeout(CHECKPOINT_WAIT);
        // All is committed: a failure here loses nothing.
        let _ = waited.and_then(|()| self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())));
        let _ = self.connection.busy_timeout(super::database::BUSY);
        lock::sweep(&self.path());
    }
}
