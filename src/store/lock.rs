//! Who writes: a file beside the database that tells others, who wait, whom they wait for.
//!
//! SQLite alone decides who may write. The file only names the writer, so a stale one does no harm: it is passed over and
//! replaced.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use crate::files;

use super::{Database, StoreError, access};

/// The file while it is ours; dropping it removes it.
#[derive(Debug)]
pub(super) struct WriterMark(PathBuf);

impl Drop for WriterMark {
    fn drop(&mut self) {
        // Left behind, it is stale, and passed over.
        let _ = fs::remove_file(&self.0);
    }
}

fn path_of(database: &Path) -> PathBuf {
    access::beside(&access::resolved(database), ".lock")
}

/// How long a file has been there, as people say it.
fn age(file: &Path) -> Option<String> {
    let seconds = fs::metadata(file).ok()?.modified().ok()?.elapsed().ok()?.as_secs();
    Some(if seconds < 120 { format!("{seconds} s") } else { format!("{} min", seconds / 60) })
}

/// The process that a file names and what it says of itself, unless that process is no more.
fn holder(file: &Path) -> Option<(u32, String)> {
    let text = fs::read_to_string(file).ok()?;
    let (pid, command) = text.trim_end().split_once(' ')?;
    let pid: u32 = pid.parse().ok()?;
    files::is_alive(pid).then(|| (pid, command.to_owned()))
}

/// Takes away the file of a writer that is no more.
pub(super) fn sweep(database: &Path) {
    let file = path_of(database);
    if file.exists() && holder(&file).is_none() {
        let _ = fs::remove_file(file);
    }
}

impl WriterMark {
    /// Makes the file for the database at `path`; `None` where another writer has one or it cannot be made.
    fn make(path: &Path) -> Option<Self> {
        sweep(path);
        let file = path_of(path);
        let mut command: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
        if let Some(program) = command.first_mut() {
            *program = Path::new(program).file_name().unwrap_or_default().to_string_lossy().into_owned();
        }
        let text = format!("{} {}\n", std::process::id(), command.join(" ").replace(char::is_control, " "));
        let mut made = File::create_new(&file).ok()?;
        let mark = Self(file);
        made.write_all(text.as_bytes()).ok()?;
        Some(mark)
    }
}

impl Database {
    /// Writes what `write` writes: all of it, or where it fails nothing.
    ///
    /// # Errors
    /// Those of `write`, and when the database cannot be written or another writes for too long.
    pub(super) fn in_transaction<T>(&self, write: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
        let mark = self.begin_writing()?;
        let done = write();
        let ended = self.connection.execute_batch(if done.is_ok() { "COMMIT" } else { "ROLLBACK" });
        drop(mark);
        let done = done?;
        ended?;
        Ok(done)
    }

    /// Begins to write, waiting for another writer, and tells others so while the mark lives.
    ///
    /// # Errors
    /// [`StoreError::Locked`] where another wrote for longer than one waits.
    pub(super) fn begin_writing(&self) -> Result<Option<WriterMark>, StoreError> {
        let path = self.path();
        match self.connection.execute_batch("BEGIN IMMEDIATE") {
            Ok(()) => Ok(if path.as_os_str().is_empty() { None } else { WriterMark::make(&path) }),
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => {
                let file = path_of(&path);
                let by = match (holder(&file), age(&file)) {
                    (Some((pid, command)), Some(age)) => format!("process {pid}, {command}, for {age}"),
                    (Some((pid, command)), None) => format!("process {pid}, {command}"),
                    (None, _) => "another program".to_owned(),
                };
                Err(StoreError::Locked { path: path.display().to_string(), by })
            }
            Err(error) => Err(error.into()),
        }
    }
}
