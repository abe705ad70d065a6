//! Files and folders that cannot be written: opening what can be read all the same, and saying what is in the way.
//!
//! A database in WAL mode is read with the help of a second file beside it, which a folder that cannot be written does not
//! take. Where the write-ahead log is empty the file alone is the whole database and can be read as one that never changes;
//! where it is not, leaving the log out would lose what was stored last, so that is refused.

use std::fs::{self, File, OpenOptions};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::files;

use super::StoreError;

/// How long a writer waits for another.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// Whether a write failed for lack of room: the disk is full, or a limit on the size of files was reached.
pub(super) fn is_full(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DiskFull)
        || error.sqlite_error().is_some_and(|error| error.extended_code == rusqlite::ffi::SQLITE_IOERR_WRITE)
}

/// Where the database at `path` is: SQLite keeps its files beside what a symbolic link points to, not beside the link.
pub(super) fn resolved(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// A file that SQLite keeps beside the database at `path`.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// What is missing at the end of the file at `path`, in words. While the write-ahead log holds pages, the file may rightly be shorter.
pub(super) fn shortfall(path: &Path) -> Option<String> {
    if files::special_file(path).is_some() {
        return None;
    }
    let mut header = [0; 100];
    let mut file = File::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    if length == 0 || fs::metadata(beside(&resolved(path), "-wal")).is_ok_and(|log| log.len() > 0) {
        return None;
    }
    // A file without a whole header is told to be no database.
    file.read_exact(&mut header).ok()?;
    let word = |at: usize| header.get(at..at + 4).and_then(|word| word.try_into().ok()).map_or(0, u32::from_be_bytes);
    // The size of a page, where 1 stands for 65536; and the pages, which count where the last writer wrote them.
    let page = match u16::from_be_bytes([header[16], header[17]]) {
        1 => 65_536,
        size => u64::from(size),
    };
    let told = u64::from(word(28)) * page;
    let is_sqlite = header.starts_with(b"SQLite format 3\0") && word(24) == word(92);
    (is_sqlite && length < told).then(|| format!("the file is {length} bytes, its header says {told}"))
}

/// Refuses what is there and no ordinary file: opening a pipe would wait for its other end.
pub(super) fn check_ordinary(path: &Path) -> Result<(), StoreError> {
    match files::special_file(path) {
        Some(what) => Err(StoreError::NotAFile { path: path.display().to_string(), what }),
        None => Ok(()),
    }
}

/// Refuses to write to a database that is write-protected, also for an administrator, who may write anything.
pub(super) fn check_unprotected(path: &Path) -> Result<(), StoreError> {
    match files::check_unprotected(path) {
        Err(source) => Err(StoreError::NotWritable { path: path.display().to_string(), source }),
        Ok(()) => Ok(()),
    }
}

/// `path` as SQLite takes it for the name of a file, whatever it is called: `:memory:` is none to it, `./:memory:` is.
pub(super) fn plain(path: &Path) -> PathBuf {
    if path.is_relative() { Path::new(".").join(path) } else { path.to_owned() }
}

/// Removes the files that SQLite keeps beside a database, when it is dropped and no one else has the database open. A
/// connection that only reads makes them and may not remove them.
#[derive(Debug, Default)]
pub(super) struct Tidy(Option<PathBuf>);

impl Tidy {
    /// For the database at `path`.
    pub(super) fn new(path: &Path) -> Self {
        Self(Some(resolved(path)))
    }
}

impl Drop for Tidy {
    fn drop(&mut self) {
        let Some(path) = self.0.as_deref().filter(|path| beside(path, "-wal").exists()) else { return };
        // The last connection that may write takes the log into the database and removes it. It must have read once to know
        // that there is a log. Where any of this fails, the files stay and do no harm.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        if let Ok(connection) = Connection::open_with_flags(plain(path), flags) {
            let _ = connection.pragma_query_value(None, "user_version", |_| Ok(()));
        }
    }
}

/// A connection that reads the database at `path`, which is there.
pub(super) fn reader(path: &Path) -> Result<Connection, StoreError> {
    check_ordinary(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let opened = Connection::open_with_flags(plain(path), flags).and_then(|connection| {
        connection.busy_timeout(BUSY_TIMEOUT)?;
        match connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(())) {
            Err(error) if is_kept_out(&error) => Err(error),
            // Anything else is told by who reads.
            _ => Ok(connection),
        }
    });
    match opened {
        Err(error) if is_kept_out(&error) => {}
        other => return Ok(other?),
    }
    // The file itself may be what cannot be read.
    File::open(path).map_err(|source| StoreError::NotReadable { path: path.display().to_string(), source })?;
    if fs::metadata(beside(&resolved(path), "-wal")).is_ok_and(|log| log.len() > 0) {
        return Err(StoreError::LiveLog { path: path.display().to_string() });
    }
    Ok(Connection::open_with_flags(unchanging(path)?, flags | OpenFlags::SQLITE_OPEN_URI)?)
}

/// Whether SQLite could not make or open a file.
fn is_kept_out(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied))
}

/// The address under which SQLite reads a file that never changes, and needs no other file for it.
fn unchanging(path: &Path) -> Result<String, StoreError> {
    let full = fs::canonicalize(path)
        .map_err(|source| StoreError::NotReadable { path: path.display().to_string(), source })?;
    let mut address = "file:".to_owned();
    for byte in full.to_string_lossy().bytes() {
        match byte {
            b'?' | b'#' | b'%' => address.push_str(&format!("%{byte:02x}")),
            // Bytes of a longer character follow each other as they are.
            _ if byte.is_ascii() => address.push(char::from(byte)),
            _ => address.push_str(&format!("%{byte:02x}")),
        }
    }
    Ok(address + "?immutable=1")
}

/// What keeps the database at `path` from being written, if anything does: the file, or its folder.
pub(super) fn obstacle(path: &Path) -> Option<StoreError> {
    let told = |path: &Path, source| Some(StoreError::NotWritable { path: path.display().to_string(), source });
    if path.exists()
        && let Err(source) = OpenOptions::new().write(true).open(path)
    {
        return told(path, source);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let probe = folder.join(format!(".crownhead-{}.probe", std::process::id()));
    let made = File::create_new(&probe);
    if made.is_ok() {
        // Nothing hangs on it.
        let _ = fs::remove_file(&probe);
    }
    made.err().and_then(|source| told(folder, source))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_with_a_meaning_in_an_address_are_escaped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("50% of a?b #1 é.db");
        fs::write(&path, "").unwrap();
        let address = unchanging(&path).unwrap();
        assert!(address.ends_with("50%25 of a%3fb %231 %c3%a9.db?immutable=1"), "{address}");
    }
}
