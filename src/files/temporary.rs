//! Temporary files: their names, the register of those that this process has, and removing what killed processes left.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::write_plan::folder_of;

/// A temporary file is called `.crownhead-PID-N.partial`; SQLite keeps a journal beside that of a backup.
const NAME_PREFIX: &str = ".crownhead-";
const NAME_SUFFIX: &str = ".partial";
const JOURNAL_SUFFIX: &str = "-journal";
/// Where processes cannot be looked up, an unlocked temporary file of this age belongs to no one.
const STALE_AGE: Duration = Duration::from_secs(60);

/// What this process is writing.
static ACTIVE: Mutex<Vec<OpenFile>> = Mutex::new(Vec::new());
/// Numbers the temporary files of this process.
static NEXT: AtomicU64 = AtomicU64::new(0);

struct OpenFile {
    temporary: PathBuf,
    target: PathBuf,
}

fn active() -> MutexGuard<'static, Vec<OpenFile>> {
    // A list of names is whole whatever happened to the thread that held it.
    ACTIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that was being written when the process was told to stop.
#[derive(Debug)]
pub struct Abandoned {
    /// The file as the user named it.
    pub target: PathBuf,
    /// Whether an older file of that name is still there.
    pub exists: bool,
}

/// Removes all temporary files of this process and returns what was being written. Threads that begin or finish a file
/// afterwards wait for ever: call it only to end the process.
#[must_use]
pub fn abandon() -> Vec<Abandoned> {
    let mut active = active();
    let abandoned = active.drain(..).map(|entry| {
        remove(&entry.temporary);
        Abandoned { exists: entry.target.exists(), target: entry.target }
    });
    let abandoned = abandoned.collect();
    std::mem::forget(active);
    abandoned
}

fn remove(temporary: &Path) {
    // What cannot be removed is removed by the next run.
    let _ = fs::remove_file(temporary);
    let _ = fs::remove_file(journal_of(temporary));
}

fn journal_of(temporary: &Path) -> PathBuf {
    let mut name = temporary.as_os_str().to_owned();
    name.push(JOURNAL_SUFFIX);
    PathBuf::from(name)
}

/// A temporary file that is to replace another. Dropping it removes it.
#[derive(Debug)]
pub struct Temporary {
    path: PathBuf,
}

impl Temporary {
    /// Makes an empty file in `folder`, to replace `target` (as the user named it). What killed processes left in that folder
    /// is removed first.
    ///
    /// # Errors
    /// When no file can be made there.
    pub fn create(folder: &Path, target: &Path) -> io::Result<(Self, File)> {
        sweep(folder);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("{NAME_PREFIX}{}-{number}{NAME_SUFFIX}", std::process::id()));
        let mut active = active();
        let file = File::options().read(true).write(true).create_new(true).open(&path)?;
        active.push(OpenFile { temporary: path.clone(), target: target.to_owned() });
        Ok((Self { path }, file))
    }

    /// The name of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the file its final name, in place of one that has it.
    ///
    /// # Errors
    /// When it cannot be renamed; it is removed then.
    pub fn rename(self, to: &Path) -> io::Result<()> {
        let mut active = active();
        fs::rename(&self.path, to)?;
        active.retain(|entry| entry.temporary != self.path);
        drop(active);
        // So that the new name outlives a power cut, where folders can be opened.
        if let Ok(folder) = File::open(folder_of(to)) {
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut active = active();
        let before = active.len();
        active.retain(|entry| entry.temporary != self.path);
        if active.len() < before {
            remove(&self.path);
        }
    }
}

/// Whether a process of this number may be running: where processes cannot be looked up, every one may.
#[must_use]
pub fn is_alive(pid: u32) -> bool {
    !Path::new("/proc/self").exists() || Path::new(&format!("/proc/{pid}")).exists()
}

/// Removes the temporary files in `folder` whose processes are gone. What cannot be removed does no harm.
pub fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(pid) = name.to_str().and_then(owner) else { continue };
        if is_left_over(&entry.path(), pid) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The process that made a temporary file, by its name; `None` for any other file.
fn owner(name: &str) -> Option<u32> {
    let name = name.strip_suffix(JOURNAL_SUFFIX).unwrap_or(name);
    let (pid, number) = name.strip_prefix(NAME_PREFIX)?.strip_suffix(NAME_SUFFIX)?.split_once('-')?;
    number.parse::<u64>().ok()?;
    pid.parse().ok()
}

/// Whether no process has the temporary file at `path` any more. Processes of another machine or container cannot be looked
/// up, so that a lock counts, too.
fn is_left_over(path: &Path, pid: u32) -> bool {
    if pid == std::process::id() || !fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file()) {
        return false;
    }
    let can_look_up = Path::new("/proc/self").exists();
    if can_look_up && is_alive(pid) {
        return false;
    }
    let Ok(file) = File::open(path) else { return can_look_up };
    if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
        return false;
    }
    let age = file.metadata().and_then(|meta| meta.modified()).ok().and_then(|time| time.elapsed().ok());
    can_look_up || age.is_some_and(|age| age > STALE_AGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_names_count() {
        assert_eq!(owner(".crownhead-17-0.partial"), Some(17));
        assert_eq!(owner(".crownhead-17-12.partial-journal"), Some(17));
        for other in [".crownhead-17.partial", "crownhead-17-0.partial", ".crownhead-x-0.partial", "a.17.partial"] {
            assert_eq!(owner(other), None, "{other}");
        }
    }

    #[test]
    fn what_dead_processes_left_goes_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let own = format!(".crownhead-{}-900000.partial", std::process::id());
        let parent = ".crownhead-1-0.partial";
        // Above the largest number of a process on Linux.
        let dead = [".crownhead-4194400-3.partial", ".crownhead-4194400-3.partial-journal"];
        for name in dead.iter().chain(&[own.as_str(), parent, ".crownhead-notes.partial", "a.csv"]) {
            fs::write(folder.path().join(name), "x").unwrap();
        }
        let locked = folder.path().join(".crownhead-4194401-0.partial");
        let lock = File::create(&locked).unwrap();
        lock.lock().unwrap();
        sweep(folder.path());
        let mut left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        let mut kept = vec![own.as_str(), parent, ".crownhead-4194401-0.partial", ".crownhead-notes.partial", "a.csv"];
        if !Path::new("/proc/self").exists() {
            kept.extend(dead);
        }
        kept.sort_unstable();
        assert_eq!(left, kept);
    }
}
