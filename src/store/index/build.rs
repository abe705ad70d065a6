//! Building a segment from the sorted runs of a batch, on all cores.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::rules::PositionKey;

use super::block::{Block, BlockWriter};
use super::posting::IndexEntry;
use crate::store::StoreError;

/// Ranges of keys a thread works off, one after the other: what a range needs beside the runs is gone before the next.
const RANGES_PER_THREAD: usize = 4;

/// A segment that is not stored yet.
pub(in crate::store) struct Built {
    pub(in crate::store) blocks: Vec<Block>,
    pub(in crate::store) postings: usize,
    pub(in crate::store) keys: usize,
}

/// Packs `runs`, each sorted, into a segment. The key space is cut into some ranges a thread.
pub(in crate::store) fn build(runs: &[Vec<IndexEntry>], threads: usize) -> Result<Built, StoreError> {
    let threads = threads.clamp(1, 64);
    let pivots = pivots(runs, threads * RANGES_PER_THREAD);
    let mut bounds: Vec<(PositionKey, PositionKey)> = Vec::with_capacity(threads);
    let mut low = PositionKey(0);
    for pivot in pivots {
        bounds.push((low, pivot));
        low = pivot;
    }
    bounds.push((low, PositionKey(u128::MAX)));
    let next = AtomicUsize::new(0);
    let work = || -> Result<Vec<(usize, Built)>, StoreError> {
        let mut built = Vec::new();
        loop {
            let range = next.fetch_add(1, Ordering::Relaxed);
            let Some(&(low, high)) = bounds.get(range) else { return Ok(built) };
            built.push((range, build_range(runs, low, high)?));
        }
    };
    let done: Vec<Result<_, StoreError>> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let stopped = || Err(StoreError::Damaged("an index worker stopped".to_owned()));
        workers.into_iter().map(|worker| worker.join().unwrap_or_else(|_| stopped())).collect()
    });
    let mut parts: Vec<(usize, Built)> =
        done.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
    parts.sort_unstable_by_key(|part| part.0);
    let mut whole = Built { blocks: Vec::new(), postings: 0, keys: 0 };
    for (_, part) in parts {
        whole.blocks.extend(part.blocks);
        whole.postings += part.postings;
        whole.keys += part.keys;
    }
    Ok(whole)
}

/// Keys that cut the runs into ranges of about the same size.
fn pivots(runs: &[Vec<IndexEntry>], ranges: usize) -> Vec<PositionKey> {
    let mut sample: Vec<PositionKey> =
        runs.iter().flat_map(|run| run.iter().step_by((run.len() / 64).max(1)).map(|entry| entry.key)).collect();
    sample.sort_unstable();
    (1..ranges).filter_map(|i| sample.get(i * sample.len() / ranges).copied()).collect()
}

fn build_range(runs: &[Vec<IndexEntry>], low: PositionKey, high: PositionKey) -> Result<Built, StoreError> {
    let mut entries: Vec<IndexEntry> = Vec::new();
    for run in runs {
        let from = run.partition_point(|entry| entry.key < low);
        let to = run.partition_point(|entry| entry.key < high);
        entries.extend_from_slice(&run[from..to]);
    }
    // A stable sort finds the runs that are in order already and merges them.
    entries.sort();
    let mut writer = BlockWriter::new()?;
    let mut keys = 0;
    for group in entries.chunk_by(|a, b| a.key == b.key) {
        writer.add(group[0].key, group)?;
        keys += 1;
    }
    Ok(Built { blocks: writer.finish()?, postings: entries.len(), keys })
}
