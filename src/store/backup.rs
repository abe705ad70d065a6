//! Copying a database that others may be writing to.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::files::{self, FileKind, Temporary};

use super::{Database, StoreError, access, lock};

/// How long the end of an import waits for readers, so that it can empty the write-ahead log into the database.
const CHECKPOINT_TIMEOUT: Duration = Duration::from_secs(2);

impl Database {
    /// Copies what is committed into one file at `path`, and returns its size. The file takes its name only when it is complete;
    /// with `force` it takes the place of an older copy.
    ///
    /// # Errors
    /// [`StoreError::Exists`] when there is a file and no `force`, or it is this very database; [`StoreError::NotACopy`] when
    /// there is anything but a Crownhead database; [`StoreError::CopyInUse`] when a log of an older copy is there, which would
    /// be taken for one of the new copy; otherwise when the copy cannot be made.
    pub fn backup(&self, path: &Path, force: bool) -> Result<u64, StoreError> {
        let cannot = |source| StoreError::Backup { path: path.display().to_string(), source };
        self.check_backup_target(path, force)?;
        let real = files::resolved(path);
        let (temporary, file) = Temporary::create(&files::folder_of(&real), path).map_err(cannot)?;
        self.copy_into(temporary.path())?;
        file.sync_all().map_err(cannot)?;
        if let Ok(older) = fs::metadata(&real) {
            file.set_permissions(older.permissions()).map_err(cannot)?;
        }
        let size = file.metadata().map_err(cannot)?.len();
        temporary.rename(&real).map_err(cannot)?;
        Ok(size)
    }

    /// Refuses to copy to `path` where something would be lost.
    ///
    /// # Errors
    /// Those of [`Database::backup`], but for what shows only when the copy is made.
    pub fn check_backup_target(&self, path: &Path, force: bool) -> Result<(), StoreError> {
        let real = &files::resolved(path);
        let named = || path.display().to_string();
        let cannot = |source| StoreError::Backup { path: named(), source };
        files::check_folder(path).map_err(cannot)?;
        let is_own = || Some(*real == fs::canonicalize(self.path()).ok()?);
        // A link that leads nowhere in the end is there, too.
        let is_there = fs::symlink_metadata(real).is_ok();
        if let Some(special) = files::special_file(real) {
            return Err(StoreError::NotACopy { path: named(), what: special.to_string() });
        }
        if is_there && (!force || is_own() == Some(true)) {
            return Err(StoreError::Exists(named()));
        }
        if is_there && !real.exists() {
            return Err(StoreError::NotACopy {
                path: named(),
                what: "a symbolic link that leads to itself".to_owned(),
            });
        }
        if real.exists() {
            files::check_unprotected(real).map_err(cannot)?;
            let kind = FileKind::read(real).map_err(cannot)?;
            if !matches!(kind, FileKind::Database | FileKind::Empty) {
                return Err(StoreError::NotACopy { path: named(), what: kind.name().to_owned() });
            }
        }
        // SQLite would play them into whatever database has this name.
        let has_bytes = |log: &PathBuf| fs::metadata(log).is_ok_and(|log| log.len() > 0);
        match ["-wal", "-journal"].map(|ending| access::beside(real, ending)).iter().find(|log| has_bytes(log)) {
            Some(log) => Err(StoreError::CopyInUse { path: named(), log: log.display().to_string() }),
            None => Ok(()),
        }
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
        let waited = self.connection.busy_timeout(CHECKPOINT_TIMEOUT);
        // All is committed: a failure here loses nothing.
        let _ = waited.and_then(|()| self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())));
        let _ = self.connection.busy_timeout(access::BUSY_TIMEOUT);
        lock::sweep(&self.path());
    }
}
