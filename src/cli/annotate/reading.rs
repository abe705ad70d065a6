//! `annotate FILE`: play of files in a database in memory, which is gone with the command.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use crate::cli::context::Context;
use crate::cli::error::{CliError, Exit};
use crate::cli::findings::{self, text};
use crate::cli::import::ReadingArgs;
use crate::cli::progress::ByteProgress;
use crate::game::Severity;
use crate::import::{self, ImportObserver};
use crate::intake::{self, Chunk, Input};
use crate::store::Database;

/// Reports what is wrong with a text as it comes.
struct ReadingWatcher {
    progress: ByteProgress,
    errors: u64,
}

impl ImportObserver for ReadingWatcher {
    fn chunk(&mut self, input: &Input, chunk: &Chunk) {
        self.progress.read(input, chunk.bytes_read);
        for finding in import::findings(chunk).filter(|finding| finding.severity == Severity::Error) {
            self.errors += 1;
            self.progress.line(&text(&input.name, finding));
        }
    }
}

/// Reads all play of `paths` into a database in memory. Beside it how reading ended: [`Exit::No`] where something was refused or
/// cut short.
pub(super) fn read(
    context: &mut Context,
    paths: &[PathBuf],
    reading: &ReadingArgs,
    stop: &AtomicBool,
) -> Result<(Database, Exit), CliError> {
    let inputs = intake::inputs(paths)?;
    let options = import::ImportOptions { intake: reading.options(context), strict: false };
    let book = context.book()?;
    let mut database = Database::in_memory()?;
    let mut watcher = ReadingWatcher { progress: ByteProgress::new(&inputs, context.args.quiet), errors: 0 };
    let outcome = import::import(&mut database, &inputs, &book, &options, stop, &mut watcher);
    watcher.progress.finish();
    let mut report = outcome?;
    if report.stopped {
        return Ok((database, Exit::Interrupted));
    }
    if let Some(exit) = findings::broken_off(&report.unreadable, report.total.read > 0) {
        CliError::of_many(report.unreadable.drain(..).map(CliError::from)).print(context.args.color);
        return Ok((database, exit));
    }
    if !report.unreadable.is_empty() {
        return Err(CliError::of_many(report.unreadable.drain(..).map(CliError::from)));
    }
    let clean = watcher.errors == 0 && report.total.refused == 0 && report.total.partly == 0;
    Ok((database, if clean { Exit::Done } else { Exit::No }))
}
