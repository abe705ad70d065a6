//! The pipeline: a thread that reads and cuts, workers that parse and prove, and the caller's thread that takes outcomes in
//! the order of the text.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;

use crate::game::{ReplayOptions, Replayed, replay};
use crate::notation::{Code, Diagnostic, LeftAlone, Place, Severity};

use super::chunks::{Chunks, RawChunk, parse};
use super::inputs::Part;
use super::packed;
use super::stdin::Patient;
use super::{Form, Input, IntakeError};

/// Chunks a worker that may be cut before the first of them is handed over.
const AHEAD: usize = 4;

/// How to read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// What replaying may assume.
    pub replay: ReplayOptions,
    /// How the text is to be read; `None` to tell from it.
    pub form: Option<Form>,
    /// Worker threads; 0 for one a core.
    pub threads: usize,
}

/// A proved piece of text.
#[derive(Debug)]
pub struct Chunk {
    /// The text, as UTF-8. Starts and ends at game boundaries.
    pub text: String,
    /// Where it starts in the whole text.
    pub start: Place,
    /// How it was read.
    pub form: Form,
    /// The games before it in the text.
    pub games_before: u32,
    /// What came of each game, in order.
    pub games: Vec<Replayed>,
    /// Parts without play.
    pub left_alone: Vec<LeftAlone>,
    /// What there is to report outside games.
    pub findings: Vec<Diagnostic>,
    /// Bytes of the input read so far.
    pub bytes_read: u64,
}

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
    options: &Options,
    stop: &AtomicBool,
    prepare: &(dyn Fn(&mut Chunk) -> T + Sync),
    sink: &mut dyn FnMut(Chunk, T) -> Result<Control, E>,
) -> Result<Summary, E> {
    let reader = open(input, stop).map_err(|source| IntakeError::Open { name: input.name.clone(), source })?;
    let threads = match options.threads {
        0 => thread::available_parallelism().map_or(1, NonZero::get),
        n => n,
    };
    let halt = AtomicBool::new(false);
    let (to_workers, jobs) = mpsc::sync_channel::<(usize, RawChunk)>(threads);
    let (to_caller, outcomes) = mpsc::sync_channel::<(usize, Chunk, T)>(threads);
    // A chunk is cut only when one that was cut earlier has been handed over: a slow one must not let the rest pile up behind it.
    let (give_back, permits) = mpsc::sync_channel::<()>(AHEAD * threads);
    for _ in 0..AHEAD * threads {
        let _ = give_back.send(());
    }
    // Owned by the workers alone: when the last of them is gone, the feeder is told.
    let jobs = Arc::new(Mutex::new(jobs));
    thread::scope(|scope| {
        let mut chunks = Chunks::new(input, reader, options.form);
        let halt = &halt;
        let feeder = scope.spawn(move || feed(&mut chunks, &to_workers, &permits, halt, stop));
        let mut workers = Vec::with_capacity(threads);
        for _ in 0..threads {
            let (jobs, to_caller) = (Arc::clone(&jobs), to_caller.clone());
            workers.push(scope.spawn(move || {
                while let Some((index, raw)) = jobs.lock().ok().and_then(|jobs| jobs.recv().ok()) {
                    let mut chunk = prove(raw, options);
                    let prepared = prepare(&mut chunk);
                    if to_caller.send((index, chunk, prepared)).is_err() {
                        break;
                    }
                }
            }));
        }
        drop((jobs, to_caller));
        let handed = hand_over(&outcomes, give_back, halt, sink);
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

/// The text of `input`, unpacked.
pub(super) fn open<'r>(input: &Input, stop: &'r AtomicBool) -> io::Result<Box<dyn Read + Send + 'r>> {
    match (&input.path, &input.part) {
        (_, Part::Unreadable(why)) => Err(io::Error::new(io::ErrorKind::InvalidData, why.clone())),
        (None, _) => packed::open(Patient::stdin(stop)),
        (Some(path), Part::Member(member)) => member.open(path),
        (Some(path), Part::Whole) if path.is_file() => File::open(path).and_then(packed::open),
        (Some(path), Part::Whole) => packed::open(Patient::special(path.clone(), stop)),
    }
}

/// Cuts and queues chunks; whether the text was read to its end.
fn feed(
    chunks: &mut Chunks<Box<dyn Read + Send + '_>>,
    to_workers: &mpsc::SyncSender<(usize, RawChunk)>,
    permits: &mpsc::Receiver<()>,
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
        if permits.recv().is_err() || to_workers.send((index, chunk)).is_err() {
            return Ok(false);
        }
        index += 1;
    }
}

/// Parses a chunk and replays its games.
fn prove(raw: RawChunk, options: &Options) -> Chunk {
    let mut games = Vec::new();
    let rest = parse(&raw, options.replay.variant, |parsed| games.push(replay(parsed, options.replay)));
    let mut findings = rest.diagnostics;
    if raw.guessed {
        findings.push(
            Diagnostic::new(Severity::Warning, Code::Encoding, raw.start)
                .found("bytes that are not UTF-8")
                .expected("UTF-8")
                .hint("read as Windows-1252; convert the file if names look wrong"),
        );
    }
    Chunk {
        text: raw.text,
        start: raw.start,
        form: raw.form,
        games_before: 0,
        games,
        left_alone: rest.left_alone,
        findings,
        bytes_read: raw.bytes_read,
    }
}

/// Puts outcomes into the order of the text and hands them over, games numbered through.
#[expect(clippy::needless_pass_by_value, reason = "its end tells a waiting feeder that nobody takes chunks any more")]
fn hand_over<T, E>(
    outcomes: &mpsc::Receiver<(usize, Chunk, T)>,
    give_back: mpsc::SyncSender<()>,
    halt: &AtomicBool,
    sink: &mut dyn FnMut(Chunk, T) -> Result<Control, E>,
) -> Result<Control, E> {
    let mut waiting: BTreeMap<usize, (Chunk, T)> = BTreeMap::new();
    let (mut next, mut games, mut encoding_told) = (0, 0, false);
    for (index, chunk, prepared) in outcomes {
        waiting.insert(index, (chunk, prepared));
        while let Some((mut chunk, prepared)) = waiting.remove(&next) {
            next += 1;
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
            // The feeder may be gone already.
            let _ = give_back.try_send(());
            if wanted == Control::Stop {
                halt.store(true, Ordering::Relaxed);
                return Ok(Control::Stop);
            }
        }
    }
    Ok(Control::Continue)
}
