//! Signals that end the program: Ctrl-C, a closed terminal, a plain `kill`.
//!
//! One thread waits for them. A command that can stop by itself asks for [`stop_flag`], and the first signal raises it; any
//! other command, and any second signal, ends here: the files being written are removed, their older versions stay, and the
//! status is 128 and the number of the signal (130 after Ctrl-C).

use std::io::{self, Write as _};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, OnceLock};

use crate::files;
use crate::render::clean_for_terminal;

use super::pager;

/// The number of the signal that Ctrl-C sends.
const CTRL_C: i32 = 2;
/// What a status after a signal exceeds the number of the signal by.
const STATUS_BASE: i32 = 128;

/// The signal that came last.
static LAST: AtomicI32 = AtomicI32::new(CTRL_C);
/// The flag of a command that stops by itself.
static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// The exit status of a command that a signal stopped.
pub(super) fn status() -> u8 {
    u8::try_from(STATUS_BASE + LAST.load(Ordering::Relaxed)).unwrap_or(u8::MAX)
}

/// A flag that the first signal raises. Whoever presses Ctrl-C again does not want to wait: the process ends there, and what
/// was not committed is rolled back at the next opening.
pub(super) fn stop_flag() -> Arc<AtomicBool> {
    Arc::clone(STOP.get_or_init(Arc::default))
}

fn arrived(signal: i32, quiet: bool) {
    // A pager takes Ctrl-C for itself, and this process waits for it.
    if signal == CTRL_C && pager::is_paging() {
        return;
    }
    LAST.store(signal, Ordering::Relaxed);
    if STOP.get().is_some_and(|stop| !stop.swap(true, Ordering::Relaxed)) {
        return;
    }
    let abandoned = files::abandon();
    if signal == CTRL_C && !quiet {
        let _ = writeln!(io::stderr(), "Stopped.");
    }
    for abandoned in abandoned {
        let ends = if abandoned.exists { "is left as it was" } else { "was not made" };
        if !quiet {
            let sentence = format!("{} {ends}.", abandoned.target.display());
            let _ = writeln!(io::stderr(), "{}", clean_for_terminal(&sentence));
        }
    }
    std::process::exit(STATUS_BASE + signal);
}

/// Begins to watch for signals; without `quiet`, what becomes of files being written is said.
///
/// # Errors
/// When the system does not allow it.
#[cfg(unix)]
pub(super) fn watch(quiet: bool) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    // `nohup` has a closed terminal ignored, and that is respected.
    let ignored = ignored_signals();
    let is_ignored = |signal: i32| ignored >> (signal - 1) & 1 == 1;
    let wanted: Vec<i32> =
        [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| signal == SIGINT || !is_ignored(signal)).collect();
    let mut signals = signal_hook::iterator::Signals::new(wanted)?;
    let wait = move || signals.forever().for_each(|signal| arrived(signal, quiet));
    let spawned = std::thread::Builder::new().name("signals".to_owned()).spawn(wait);
    spawned.map(drop)
}

/// The signals that this process was started to ignore, signal *n* as bit *n* - 1. Where that cannot be read, all of them:
/// the system then handles them without us.
#[cfg(unix)]
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(u64::MAX)
}

/// The same where there are no signals but Ctrl-C.
#[cfg(not(unix))]
pub(super) fn watch(quiet: bool) -> io::Result<()> {
    ctrlc::set_handler(move || arrived(CTRL_C, quiet)).map_err(io::Error::other)
}
