//! Search: what a position is worth, and the play that shows it.
//!
//! Purpose: iterative deepening over principal variation search with a transposition table. Invariants: the same position,
//! evaluation, endings and budget of nodes or depth give the same answer everywhere; a search that was stopped answers with
//! the last depth it finished (and, for one line, what the broken one had found better), and its table keeps nothing unfinished.
//!
//! Must not know: games, databases, notation.

mod order;
mod pruning;
mod score;
mod table;
mod worker;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::board::Move;
use crate::rules::FastPosition;

use super::Endings;
use super::evaluation::Evaluation;

pub use score::{Bound, Score};

use order::MoveOrder;
use table::TranspositionTable;
use worker::{MAX_PLIES, MoveContext, Stopped, Window, Worker};

/// The deepest iteration.
pub const MAX_DEPTH: u8 = 99;
/// Half the width of the first window around the last iteration's score, in hundredths of a man.
const ASPIRATION_HALF_WIDTH: i16 = 20;

/// When a search ends: at the first limit it meets. Without any it ends at [`MAX_DEPTH`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchLimits {
    /// The last iteration, in plies, from 1.
    pub depth: u8,
    /// Positions looked at; the first iteration is finished whatever it takes.
    pub nodes: Option<u64>,
    /// Time; what is found then differs from run to run.
    pub time: Option<Duration>,
    /// For how many moves an exact score is wanted, from 1.
    pub lines: usize,
}

impl Default for SearchLimits {
    fn default() -> Self {
        Self { depth: MAX_DEPTH, nodes: None, time: None, lines: 1 }
    }
}

/// A flag that others set to stop a search.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl From<Arc<AtomicBool>> for StopFlag {
    /// A stop that others set by their own flag.
    fn from(flag: Arc<AtomicBool>) -> Self {
        Self(flag)
    }
}

impl StopFlag {
    /// Asks the search to stop soon.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was asked.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// One move of the position and what is found of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RootLine {
    /// The move and the best play after it, as far as it is known; never empty.
    pub moves: Vec<Move>,
    /// For the side to move.
    pub score: Score,
    /// Moves beyond the lines asked for have only an upper bound.
    pub bound: Bound,
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Analysis {
    /// Plies of the last finished iteration.
    pub depth: u8,
    /// Positions looked at.
    pub nodes: u64,
    /// Every legal move, best first; empty where the side to move has lost.
    pub lines: Vec<RootLine>,
}

impl Analysis {
    /// The best move and its score.
    #[must_use]
    pub fn best(&self) -> Option<&RootLine> {
        self.lines.first()
    }
}

/// What searches share: the table and what was learnt about moves.
pub struct Search {
    table: TranspositionTable,
    order: Box<MoveOrder>,
    evaluation: Arc<Evaluation>,
    endings: Option<Arc<dyn Endings>>,
}

impl Search {
    /// A search by `evaluation` and, where there are any, `endings`, with a table of `bytes`.
    #[must_use]
    pub fn new(evaluation: Arc<Evaluation>, endings: Option<Arc<dyn Endings>>, bytes: usize) -> Self {
        Self { table: TranspositionTable::new(bytes), order: Box::new(MoveOrder::new()), evaluation, endings }
    }

    /// Forgets all earlier searches, so that the next answer does not depend on them.
    pub fn forget(&mut self) {
        self.table.clear();
        self.order.clear();
    }

    /// Looks at `position`, which `earlier` positions of its game led to (needed for repetitions only), until a limit is met
    /// or `stop` is set. `progress` hears of each finished iteration.
    pub fn analyse(
        &mut self,
        position: &FastPosition,
        earlier: &[FastPosition],
        limits: &SearchLimits,
        stop: &StopFlag,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        self.table.grow_older();
        let mut worker = Worker {
            evaluation: &self.evaluation,
            endings: self.endings.as_deref(),
            table: &mut self.table,
            order: &mut self.order,
            path: earlier.to_vec(),
            reversible: 0,
            lines: vec![Vec::new(); MAX_PLIES + 1],
            nodes: 0,
            limits,
            stop,
            started: Instant::now(),
            root_depth: 1,
        };
        let steps = position.steps();
        let mut root = Root {
            position: *position,
            lines: steps.iter().map(|step| (*step, Score::LEAST, Bound::AtMost, vec![*step])).collect(),
            wanted: limits.lines.clamp(1, steps.len().max(1)),
            disappoints: false,
        };
        let mut done = Analysis { depth: 0, nodes: 0, lines: root.shown() };
        for depth in 1..=limits.depth.min(MAX_DEPTH) {
            let finished = !root.lines.is_empty() && root.iterate(&mut worker, i32::from(depth)).is_ok();
            done.nodes = worker.nodes;
            if finished || root.is_better_known() {
                done.lines = root.shown();
            }
            if !finished {
                break;
            }
            done.depth = depth;
            progress(&done);
            if root.is_settled() {
                break;
            }
        }
        done
    }
}

/// The root's moves between iterations, best first.
struct Root {
    position: FastPosition,
    lines: Vec<(crate::rules::FastMove, Score, Bound, Vec<crate::rules::FastMove>)>,
    wanted: usize,
    /// All moves were found to be worth less than expected, in this iteration, and the one thought best is still the first.
    disappoints: bool,
}

impl Root {
    fn shown(&self) -> Vec<RootLine> {
        self.lines
            .iter()
            .map(|(_, score, bound, line)| RootLine {
                moves: line.iter().map(crate::rules::FastMove::to_move).collect(),
                score: *score,
                bound: *bound,
            })
            .collect()
    }

    /// Whether a broken iteration tells more than the one before: a better move, or what the best is worth. That it is worth
    /// less than expected tells nothing while the others are not looked at; and where several lines are wanted, each pass
    /// leaves bounds that only the next ones tell.
    fn is_better_known(&self) -> bool {
        let has_score = self.lines.first().is_some_and(|(_, _, bound, _)| *bound != Bound::AtMost);
        self.wanted == 1 && has_score && !self.disappoints
    }

    /// Whether a deeper search would say nothing else: the game ends within what was seen.
    fn is_settled(&self) -> bool {
        self.wanted == 1 && self.lines.first().is_some_and(|(_, score, ..)| score.plies_to_end().is_some())
    }

    /// One iteration: the wanted lines one after the other, each the best of the moves that are left.
    fn iterate(&mut self, worker: &mut Worker<'_>, depth: i32) -> Result<(), Stopped> {
        worker.root_depth = depth;
        self.disappoints = false;
        for first in 0..self.wanted {
            self.best_of_rest(worker, depth, first)?;
        }
        // What is taken on trust may make a later line better than one that was found before it.
        if let Some(wanted) = self.lines.get_mut(..self.wanted) {
            wanted.sort_by_key(|line| std::cmp::Reverse(line.1));
        }
        // Bounds of the rest in their order, the generator's where they are equal.
        if let Some(rest) = self.lines.get_mut(self.wanted..) {
            rest.sort_by_key(|line| std::cmp::Reverse(line.1));
        }
        Ok(())
    }

    /// Finds the best of the moves from `first` on and puts it there, widening the window until the score lies in it.
    fn best_of_rest(&mut self, worker: &mut Worker<'_>, depth: i32, first: usize) -> Result<(), Stopped> {
        let Some(&(_, expected, ..)) = self.lines.get(first) else { return Ok(()) };
        let most = Score::LEAST.negated();
        let mut reach = ASPIRATION_HALF_WIDTH;
        let (mut low, mut high) = if depth < 4 || expected.is_decided() {
            (Score::LEAST, most)
        } else {
            (Score(expected.0 - reach), Score(expected.0 + reach))
        };
        loop {
            let score = self.pass(worker, depth, first, low, high)?;
            if score > low && score < high {
                return Ok(());
            }
            reach = reach.saturating_mul(4);
            let wide = reach > 2_000;
            if score <= low {
                self.disappoints = true;
                low = if wide || low == Score::LEAST { Score::LEAST } else { Score(score.0.saturating_sub(reach)) };
            } else {
                high = if wide || high == most { most } else { Score(score.0.saturating_add(reach)) };
            }
            if (low, high) == (Score::LEAST, most) && (score <= low || score >= high) {
                return Ok(());
            }
        }
    }

    /// One pass over the moves from `first` on within a window; the best of them comes first.
    fn pass(
        &mut self,
        worker: &mut Worker<'_>,
        depth: i32,
        first: usize,
        low: Score,
        high: Score,
    ) -> Result<Score, Stopped> {
        let mut floor = low;
        let mut best = Score::LEAST;
        for at in first..self.lines.len() {
            let step = self.lines[at].0;
            let window = Window { alpha: floor, beta: high };
            let look = MoveContext { depth, window, ply: 0, is_first: at == first, reduction: 0 };
            let score = worker.after(&self.position, &step, look)?;
            let improves = score > floor;
            let line = &mut self.lines[at];
            line.1 = score;
            line.2 = if score >= high {
                Bound::AtLeast
            } else if improves {
                Bound::Exact
            } else {
                Bound::AtMost
            };
            if improves {
                worker.keep_line(0, &step);
                line.3.clone_from(&worker.lines[0]);
                floor = score;
                self.disappoints &= at == first;
                self.lines[first..=at].rotate_right(1);
            }
            best = best.max(score);
            if score >= high {
                break;
            }
        }
        Ok(best)
    }
}
