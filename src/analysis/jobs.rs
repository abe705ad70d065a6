//! Many lines at once: a thread a line, a transaction a line, one writer.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::board::Winner;
use crate::engine::{Endings, Evaluation, StopFlag};
use crate::store::{AnalysisLimits, Database, StoreError, StoredAnalysis, StoredLine};

use super::annotator::{Annotated, AnnotationLimits, Annotator, Meter};

/// How long the writer waits before it looks whether it shall stop.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Why lines could not be analysed.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisError {
    /// The database cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// How lines are analysed.
#[derive(Clone)]
pub struct AnnotationOptions {
    /// The limits of each line.
    pub limits: AnnotationLimits,
    /// What positions are weighed by.
    pub evaluation: Arc<Evaluation>,
    /// What is known of endings.
    pub endings: Option<Arc<dyn Endings>>,
    /// Lines looked at at once, from 1.
    pub threads: usize,
    /// Look at lines again that were looked at within these limits already.
    pub again: bool,
}

/// Who watches.
pub trait AnnotationObserver {
    /// A line was done: analysed now, or held already.
    fn line(&mut self, analysis: &StoredAnalysis, is_new: bool);

    /// The lines have so many plies together; called once, before the first is looked at.
    fn begin(&mut self, _plies: u64) {}

    /// So many of them are done, those of lines that are still looked at among them; called several times per second.
    fn plies(&mut self, _done: u64) {}
}

/// What came of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AnnotationOutcome {
    /// Lines analysed now.
    pub analysed: u64,
    /// Lines that were analysed already within these limits or wider ones.
    pub held: u64,
    /// Lines that could not be analysed: empty, of another game, or gone meanwhile.
    pub passed_over: u64,
    /// Whether `stop` ended it.
    pub stopped: bool,
}

struct Job {
    line: StoredLine,
    winner: Winner,
    marks: BTreeSet<u32>,
    limits: AnnotationLimits,
}

/// Analyses the lines `ids` of `database` and stores what is found, each line whole and by itself, so that a run which was
/// ended in any way goes on where it was. Lines that were analysed by this version within limits as wide are left alone.
///
/// # Errors
/// When the database cannot be read or written. Whole lines before that are kept.
pub fn annotate(
    database: &mut Database,
    ids: &[u32],
    options: &AnnotationOptions,
    stop: &AtomicBool,
    observer: &mut dyn AnnotationObserver,
) -> Result<AnnotationOutcome, AnalysisError> {
    let (flag, meter) = (StopFlag::default(), Meter::default());
    observer.begin(database.plies_of(ids)?);
    let (jobs, waiting) = sync_channel::<Job>(options.threads.max(1));
    let waiting = Mutex::new(waiting);
    let (done, finished) = channel::<Option<Annotated>>();
    thread::scope(|scope| {
        for _ in 0..options.threads.max(1) {
            let (done, flag, waiting, meter) = (done.clone(), flag.clone(), &waiting, meter.clone());
            scope.spawn(move || work(waiting, &done, options, &flag, &meter));
        }
        drop(done);
        // The writer owns the way to the workers: when it is gone they find that there is no more to do.
        let mut writer =
            AnalysisWriter { database, options, observer, jobs, meter, outcome: AnnotationOutcome::default() };
        let outcome = writer.run(ids, &finished, stop);
        // Whatever ended it, the workers must not go on.
        flag.set();
        outcome
    })
}

/// A worker: takes lines until there are no more.
fn work(
    waiting: &Mutex<Receiver<Job>>,
    done: &std::sync::mpsc::Sender<Option<Annotated>>,
    options: &AnnotationOptions,
    flag: &StopFlag,
    meter: &Meter,
) {
    let mut annotator = Annotator::new(Arc::clone(&options.evaluation), options.endings.clone()).counted_by(meter);
    loop {
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        let annotated = annotator.annotate(&job.line, job.winner, &job.marks, &job.limits, flag);
        if done.send(annotated).is_err() || flag.is_set() {
            return;
        }
    }
}

/// The thread that reads lines and writes analyses.
struct AnalysisWriter<'a> {
    database: &'a mut Database,
    options: &'a AnnotationOptions,
    observer: &'a mut dyn AnnotationObserver,
    jobs: SyncSender<Job>,
    meter: Meter,
    outcome: AnnotationOutcome,
}

impl AnalysisWriter<'_> {
    fn run(
        &mut self,
        ids: &[u32],
        finished: &Receiver<Option<Annotated>>,
        stop: &AtomicBool,
    ) -> Result<AnnotationOutcome, AnalysisError> {
        let mut given = 0_usize;
        let mut next = ids.iter();
        // As many lines are given out as are looked at; the next one is read when one comes back.
        let at_once = self.options.threads.max(1);
        loop {
            while given < at_once && !stop.load(Ordering::Relaxed) {
                let Some(&id) = next.next() else { break };
                if let Some(job) = self.job(id)? {
                    if self.jobs.send(job).is_err() {
                        break;
                    }
                    given += 1;
                }
            }
            if stop.load(Ordering::Relaxed) {
                self.outcome.stopped = true;
                return Ok(self.outcome);
            }
            if given == 0 {
                return Ok(self.outcome);
            }
            self.observer.plies(self.meter.plies());
            match finished.recv_timeout(POLL_INTERVAL) {
                Ok(annotated) => {
                    given -= 1;
                    self.store(annotated)?;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(self.outcome),
            }
        }
    }

    fn store(&mut self, annotated: Option<Annotated>) -> Result<(), AnalysisError> {
        let stored = match &annotated {
            Some(annotated) => self.database.store_analysis(&annotated.analysis, &annotated.certificates)?,
            None => false,
        };
        match annotated {
            Some(annotated) if stored => {
                self.outcome.analysed += 1;
                self.observer.line(&annotated.analysis, true);
            }
            _ => self.outcome.passed_over += 1,
        }
        Ok(())
    }

    /// The work that a line needs; `None` where it needs none.
    fn job(&mut self, id: u32) -> Result<Option<Job>, AnalysisError> {
        let mut limits = self.options.limits;
        let pieces = self.options.endings.as_ref().map_or(0, |endings| endings.most_pieces());
        if let Some(held) = self.database.analysis_limits(id)? {
            // What more pieces were known for is not given up for less.
            let is_richer = held.version == env!("CARGO_PKG_VERSION") && held.pieces > pieces;
            if !self.options.again && (is_richer || suffices(&held, &limits, pieces)) {
                if let Some(analysis) = self.database.analysis(id)? {
                    self.outcome.held += 1;
                    self.meter.add_plies(analysis.plies.into());
                    self.observer.line(&analysis, false);
                    return Ok(None);
                }
            } else if !self.options.again && held.version == env!("CARGO_PKG_VERSION") {
                // What is renewed is never renewed by less.
                limits.nodes = limits.nodes.max(held.nodes);
                limits.depth = limits.depth.max(held.depth);
                limits.proof_nodes = limits.proof_nodes.max(held.proof_nodes);
            }
        }
        let Some(line) = self.database.line(id)?.filter(|line| !line.moves.is_empty()) else {
            self.outcome.passed_over += 1;
            return Ok(None);
        };
        let winner = self.database.facts()?.get(id).map_or(Winner::Unknown, |fact| fact.winner);
        let notes = self.database.notes(id)?;
        let marked = notes.iter().filter(|note| note.kind.marks_losing());
        Ok(Some(Job { line, winner, marks: marked.map(|note| note.ply).collect(), limits }))
    }
}

/// Whether an analysis is as good as one within `limits` would be.
fn suffices(held: &AnalysisLimits, limits: &AnnotationLimits, pieces: u32) -> bool {
    held.maker == env!("CARGO_PKG_NAME")
        && held.version == env!("CARGO_PKG_VERSION")
        && held.nodes >= limits.nodes
        && held.depth >= limits.depth
        && held.proof_nodes >= limits.proof_nodes
        && held.pieces >= pieces
}
