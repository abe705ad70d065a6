//! Intake and store together: inputs in, batches of proved play stored, counts and findings out.
//!
//! Purpose: the one way into a database. Invariants: read = stored + partly + refused + duplicates, for each input and for all; an
//! input that cannot be opened or read does not lose the ones before it; a stop comes at a whole game. What is stored depends on
//! the text and the program alone: results are settled by the endgame databases that the program has in it, never by others.
//!
//! Must not know: the terminal. Progress and findings are handed to an [`ImportObserver`].

mod endings;
mod reread;

pub use reread::{Reread, reread};

use std::sync::atomic::{AtomicBool, Ordering};

use crate::book::Book;
use crate::engine::egdb::Databases;
use crate::game::{Diagnostic, Severity};
use crate::intake::{self, Chunk, Control, Input, IntakeError};
use crate::store::{self, ChunkCounts, ChunkText, Database, Known, PreparedChunk, StoreError};

/// Why an import ended early.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// An input that cannot be read.
    #[error(transparent)]
    Intake(#[from] IntakeError),
    /// A database that cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Who watches an import.
pub trait ImportObserver {
    /// A chunk was read, proved and stored, or found to be held.
    fn chunk(&mut self, input: &Input, chunk: &Chunk);
}

/// How to import.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ImportOptions {
    /// How to read.
    pub intake: intake::ReadOptions,
    /// Store nothing when anything is refused or cut short.
    pub strict: bool,
}

/// What came of one input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileReport {
    /// Its name.
    pub name: String,
    /// How it was read: `pdn`, `json`, `book`; empty where nothing was.
    pub form: &'static str,
    /// The counts.
    pub counts: ChunkCounts,
    /// Whether all of its text was held already.
    pub held: bool,
    /// The number of the source that has its whole text.
    pub source: Option<i64>,
}

/// What came of an import.
#[derive(Debug, Default)]
pub struct ImportReport {
    /// A report an input, in the order given.
    pub files: Vec<FileReport>,
    /// The sums.
    pub total: ChunkCounts,
    /// Inputs that could not be read, or not to their end; the others are read all the same.
    pub unreadable: Vec<ImportError>,
    /// Whether `stop` ended it.
    pub stopped: bool,
    /// Whether `strict` kept everything out.
    pub withheld: bool,
}

/// Imports `inputs` into `database`.
///
/// # Errors
/// When the database cannot be written. Whole batches before that are kept. Inputs that cannot be read are in the report.
pub fn import(
    database: &mut Database,
    inputs: &[Input],
    book: &Book,
    options: &ImportOptions,
    stop: &AtomicBool,
    observer: &mut dyn ImportObserver,
) -> Result<ImportReport, ImportError> {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let replay = options.intake.replay;
    let order = replay.result_order.unwrap_or(replay.variant.result_order());
    let mut writer = database.writer(threads, options.strict);
    let mut report = ImportReport::default();
    // A game without databases has no endings to know.
    let databases = Databases::embedded(replay.variant).ok();
    let prepare = |chunk: &mut Chunk| {
        databases.iter().for_each(|databases| endings::settle(chunk, databases));
        store::prepare(&chunk.text, &chunk.games, book)
    };
    for input in inputs {
        let mut file =
            FileReport { name: input.name.clone(), form: "", counts: ChunkCounts::default(), held: true, source: None };
        let mut broken = false;
        let mut sink = |chunk: Chunk, prepared: std::io::Result<PreparedChunk>| -> Result<Control, ImportError> {
            if file.form.is_empty() {
                file.form = chunk.form.name();
                writer.begin(&input.name, file.form, replay.variant, order);
            }
            let at = ChunkText {
                text: &chunk.text,
                first_byte: chunk.start.byte,
                first_line: chunk.start.line,
                games_before: chunk.games_before,
            };
            let (counts, known) = writer.chunk(at, &chunk.games, prepared.map_err(StoreError::from)?)?;
            file.counts += counts;
            file.held &= known == Known::Yes;
            broken |= chunk.findings.iter().any(|finding| finding.severity == Severity::Error);
            observer.chunk(input, &chunk);
            Ok(if stop.load(Ordering::Relaxed) { Control::Stop } else { Control::Continue })
        };
        let outcome = intake::read(input, &options.intake, stop, &prepare, &mut sink);
        if let Err(error @ ImportError::Store(_)) = outcome {
            // Half a chunk may be written: dropping the writer takes the batch back, the ones before it stay.
            return Err(error);
        }
        // What was read before an error of the input is proved and worth keeping.
        let complete = outcome.as_ref().is_ok_and(|summary| summary.complete);
        // A text without a game, and with damage in the place of games, is none that is held.
        file.source = writer.end(complete && !(broken && file.counts.read == 0))?;
        file.held &= file.counts.read > 0;
        report.total += file.counts;
        report.files.push(file);
        if let Err(error) = outcome {
            report.unreadable.push(error);
            continue;
        }
        if !complete {
            report.stopped = true;
            break;
        }
    }
    let bad = report.total.refused + report.total.partly > 0 || report.stopped || !report.unreadable.is_empty();
    if options.strict && bad {
        report.withheld = true;
        report.files.iter_mut().map(|file| &mut file.counts).for_each(withhold);
        withhold(&mut report.total);
        drop(writer);
    } else {
        writer.finish()?;
    }
    Ok(report)
}

/// Counts what was kept out as refused.
fn withhold(counts: &mut ChunkCounts) {
    let refused = counts.refused + counts.stored + counts.partly;
    *counts = ChunkCounts { read: counts.read, refused, duplicates: counts.duplicates, ..ChunkCounts::default() };
}

/// Reads and proves `inputs` without a database, handing every chunk to `observer`: `verify`. Results are held against
/// `databases`.
///
/// Whether it came to the end, and the inputs that could not be read, or not to their end.
pub fn verify(
    inputs: &[Input],
    options: &intake::ReadOptions,
    databases: &Databases,
    stop: &AtomicBool,
    observer: &mut dyn ImportObserver,
) -> (bool, Vec<ImportError>) {
    let mut unreadable = Vec::new();
    let prepare = |chunk: &mut Chunk| endings::settle(chunk, databases);
    for input in inputs {
        let mut sink = |chunk: Chunk, ()| -> Result<Control, ImportError> {
            observer.chunk(input, &chunk);
            Ok(Control::Continue)
        };
        match intake::read(input, options, stop, &prepare, &mut sink) {
            Ok(summary) if summary.complete => {}
            Ok(_) => return (false, unreadable),
            Err(error) => unreadable.push(error),
        }
    }
    (true, unreadable)
}

/// All findings of a chunk: those of its games, then those outside games.
pub fn findings(chunk: &Chunk) -> impl Iterator<Item = &Diagnostic> {
    chunk.games.iter().flat_map(|replayed| &replayed.findings).chain(&chunk.findings)
}
