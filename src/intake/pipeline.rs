//! The pipeline: a thread that reads and cuts, workers that parse and prove, and the caller's thread that takes outcomes in
//! the order of the text.
//!
//! What bounds memory: at most [`MAX_CHUNKS_AHEAD`] chunks are under way, those of large texts count several times; and a chunk in
//! which a little text makes many games goes through in pieces, each handed over before the next is made.

use std::collections::BTreeMap;
use std::io::Read;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, mpsc};
use std::thread;
use std::time::Duration;

use crate::notation::Code;

use super::chunks::{CHUNK_BYTES, Chunks, RawChunk};
use super::open::open;
use super::pieces::{Chunk, ChunkPiece, ReadOptions, pieces};
use super::{Input, IntakeError};

/// Chunks a worker that may be cut before the first of them is handed over.
const CHUNKS_AHEAD: usize = 4;
/// Chunks that may be under way at most, however many workers there are.
const MAX_CHUNKS_AHEAD: usize = 16;
/// Bytes of text for which a chunk counts once.
const CHUNK_WEIGHT_BYTES: usize = 2 * CHUNK_BYTES;
/// How often who waits for its turn looks whether anything goes on.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// What the receiver of chunks wants next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// Go on.
    Continue,
    /// Stop here: later chunks are not wanted.
    Stop,
}

/// How an input was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Whether the whole text was read; `false` after a stop.
    pub complete: bool,
}

/// Reads `input`, proves what it holds, and hands chunks to `sink` in order. `prepare` runs on the workers, on each chunk before
/// it is handed over. `stop` ends the reading at the next chunk.
///
/// # Errors
/// When the input cannot be opened or read, or as `sink` says. Chunks before the error have been handed over.
pub fn read<T: Send, E: From<IntakeError>>(
    input: &Input,
    options: &ReadOptions,
    stop: &AtomicBool,
    prepare: &(dyn Fn(&mut Chunk) -> T + Sync),
    sink: &mut dyn FnMut(Chunk, T) -> Result<Control, E>,
) -> Result<Summary, E> {
    let reader = open(input, stop).map_err(|source| IntakeError::Open { name: input.name.clone(), source })?;
    let threads = match options.threads {
        0 => thread::available_parallelism().map_or(1, NonZero::get),
        n => n,
    };
    let ahead = (CHUNKS_AHEAD * threads).min(MAX_CHUNKS_AHEAD.max(threads + 1));
    let halt = AtomicBool::new(false);
    let turn = Turn::default();
    let (to_workers, jobs) = mpsc::sync_channel::<(usize, RawChunk)>(threads);
    let (to_caller, outcomes) = mpsc::sync_channel::<ReadOutcome<T>>(threads);
    // A chunk is cut only when one that was cut earlier has been handed over: a slow one must not let the rest pile up behind it.
    let (give_back, permits) = mpsc::sync_channel::<()>(ahead);
    for _ in 0..ahead {
        let _ = give_back.send(());
    }
    let weight = |bytes: usize| (bytes / CHUNK_WEIGHT_BYTES).clamp(1, ahead);
    // Owned by the workers alone: when the last of them is gone, the feeder is told.
    let jobs = Arc::new(Mutex::new(jobs));
    thread::scope(|scope| {
        let mut chunks = Chunks::new(input, reader, options.form);
        let (halt, turn) = (&halt, &turn);
        let feeder = scope.spawn(move || feed(&mut chunks, &to_workers, &permits, weight, halt, stop));
        let mut workers = Vec::with_capacity(threads);
        for _ in 0..threads {
            let (jobs, to_caller) = (Arc::clone(&jobs), to_caller.clone());
            workers.push(scope.spawn(move || {
                while let Some((index, raw)) = jobs.lock().ok().and_then(|jobs| jobs.recv().ok()) {
                    let weight = weight(raw.text.len());
                    let mut give = |piece: ChunkPiece| {
                        let ChunkPiece { mut chunk, is_only, is_last } = piece;
                        let prepared = prepare(&mut chunk);
                        if !is_only && !turn.wait_for(index, halt) {
                            return false;
                        }
                        let last = is_last.then_some(weight);
                        to_caller.send(ReadOutcome { index, last, chunk, prepared }).is_ok()
                    };
                    if !pieces(raw, options, &mut give) {
                        break;
                    }
                }
            }));
        }
        drop((jobs, to_caller));
        let handed = hand_over(&outcomes, give_back, halt, turn, sink);
        // Whatever ended the hand-over, let feeder and workers run dry so that the scope can close.
        halt.store(true, Ordering::Relaxed);
        while outcomes.recv().is_ok() {}
        let stopped = || IntakeError::Worker(input.name.clone());
        let fed = feeder.join().unwrap_or_else(|_| Err(stopped()));
        // Every one is joined, so that a worker that panicked ends as an error and not as a panic here.
        let failed = workers.into_iter().map(thread::ScopedJoinHandle::join).filter(Result::is_err).count();
        let went_on = handed?;
        let fed = fed?;
        if failed > 0 {
            return Err(stopped().into());
        }
        Ok(Summary { complete: fed && went_on == Control::Continue })
    })
}

/// A chunk or a piece of one on its way to the caller.
struct ReadOutcome<T> {
    /// The number of the chunk.
    index: usize,
    /// The weight of the chunk, with its last piece.
    last: Option<usize>,
    chunk: Chunk,
    prepared: T,
}

/// Which chunk is handed over next: pieces are made only of that one.
#[derive(Default)]
struct Turn {
    next: Mutex<usize>,
    changed: Condvar,
}

impl Turn {
    /// Waits until it is the turn of chunk `index`; false when nothing is handed over any more.
    fn wait_for(&self, index: usize, halt: &AtomicBool) -> bool {
        let Ok(mut next) = self.next.lock() else { return false };
        while *next != index {
            if halt.load(Ordering::Relaxed) {
                return false;
            }
            let Ok((now, _)) = self.changed.wait_timeout(next, POLL_INTERVAL) else { return false };
            next = now;
        }
        true
    }

    fn set(&self, index: usize) {
        if let Ok(mut next) = self.next.lock() {
            *next = index;
        }
        self.changed.notify_all();
    }
}

/// Cuts and queues chunks; whether the text was read to its end.
fn feed(
    chunks: &mut Chunks<Box<dyn Read + Send + '_>>,
    to_workers: &mpsc::SyncSender<(usize, RawChunk)>,
    permits: &mpsc::Receiver<()>,
    weight: impl Fn(usize) -> usize,
    halt: &AtomicBool,
    stop: &AtomicBool,
) -> Result<bool, IntakeError> {
    let mut index = 0;
    loop {
        if halt.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed) {
            return Ok(false);
        }
        let chunk = match chunks.next_chunk() {
            Ok(Some(chunk)) => chunk,
            Ok(None) => return Ok(true),
            // A read that a stop cut short.
            Err(_) if stop.load(Ordering::Relaxed) => return Ok(false),
            Err(error) => return Err(error),
        };
        let weight = weight(chunk.text.len());
        if (0..weight).any(|_| permits.recv().is_err()) || to_workers.send((index, chunk)).is_err() {
            return Ok(false);
        }
        index += 1;
    }
}

/// Puts outcomes into the order of the text and hands them over, games numbered through.
#[expect(clippy::needless_pass_by_value, reason = "its end tells a waiting feeder that nobody takes chunks any more")]
fn hand_over<T, E>(
    outcomes: &mpsc::Receiver<ReadOutcome<T>>,
    give_back: mpsc::SyncSender<()>,
    halt: &AtomicBool,
    turn: &Turn,
    sink: &mut dyn FnMut(Chunk, T) -> Result<Control, E>,
) -> Result<Control, E> {
    let mut waiting: BTreeMap<usize, ReadOutcome<T>> = BTreeMap::new();
    let (mut next, mut games, mut encoding_told) = (0, 0, false);
    for outcome in outcomes {
        waiting.insert(outcome.index, outcome);
        while let Some(ReadOutcome { mut chunk, prepared, last, .. }) = waiting.remove(&next) {
            if last.is_some() {
                next += 1;
            }
            chunk.games_before = games;
            for replayed in &mut chunk.games {
                replayed
                    .findings
                    .iter_mut()
                    .filter(|finding| finding.game > 0)
                    .for_each(|finding| finding.game += games);
            }
            games += chunk.games.len() as u32;
            // The encoding of an input is told once.
            let before = chunk.findings.len();
            chunk.findings.retain(|finding| finding.code != Code::Encoding || !encoding_told);
            encoding_told |= before > chunk.findings.len() || chunk.findings.iter().any(|f| f.code == Code::Encoding);
            let wanted = sink(chunk, prepared)?;
            for _ in 0..last.unwrap_or(0) {
                // The feeder may be gone already.
                let _ = give_back.try_send(());
            }
            turn.set(next);
            if wanted == Control::Stop {
                halt.store(true, Ordering::Relaxed);
                return Ok(Control::Stop);
            }
        }
    }
    Ok(Control::Continue)
}
