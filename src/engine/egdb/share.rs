//! Numbered work shared by threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::engine::EngineError;

/// Calls `work` with each number below `count`, from `threads` threads. Stops at the first error, or when `stop` is raised.
/// The results in order.
pub(super) fn share<T: Send>(
    count: usize,
    threads: usize,
    stop: &AtomicBool,
    work: impl Fn(usize) -> Result<T, EngineError> + Sync,
) -> Result<Vec<T>, EngineError> {
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(None));
    let one = || {
        let mut made = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return made;
            }
            let result = if stop.load(Ordering::Relaxed) { Err(EngineError::Stopped) } else { work(number) };
            match result {
                Ok(value) => made.push((number, value)),
                Err(error) => {
                    next.store(count, Ordering::Relaxed);
                    failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                    return made;
                }
            }
        }
    };
    let mut all: Vec<(usize, T)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.clamp(1, count.max(1))).map(|_| scope.spawn(one)).collect();
        threads.into_iter().flat_map(|t| t.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    all.sort_unstable_by_key(|&(number, _)| number);
    Ok(all.into_iter().map(|(_, value)| value).collect())
}
