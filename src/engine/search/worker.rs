//! The search itself: principal variation search, one thread.

use std::time::Instant;

use crate::board::Value;
use crate::rules::{FastMove, FastPosition};

use super::order::MoveOrder;
use super::score::{Bound, Score};
use super::table::{NO_MOVE, TableHit, TranspositionTable};
use super::{SearchLimits, StopFlag};
use crate::engine::Endings;
use crate::engine::evaluation::Evaluation;

/// No line is longer, so the recursion is no deeper.
pub(super) const MAX_PLIES: usize = 256;
/// Nodes between two looks at the clock.
const NODES_PER_CLOCK_CHECK: u64 = 1_024;

/// The search was stopped; what it was about is unfinished and must not be kept.
pub(super) struct Stopped;

/// What scores matter: those above `alpha` and below `beta`.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    /// Only asks whether the score is above `alpha`.
    pub(super) const fn above(alpha: Score) -> Self {
        Self { alpha, beta: Score(alpha.0 + 1) }
    }

    /// Only asks whether the score is below `beta`.
    pub(super) const fn below(beta: Score) -> Self {
        Self { alpha: Score(beta.0 - 1), beta }
    }

    /// The same for the other side.
    const fn turned(self) -> Self {
        Self { alpha: self.beta.negated(), beta: self.alpha.negated() }
    }

    /// Whether it only asks if the score is above `alpha`.
    pub(super) fn is_null(self) -> bool {
        i32::from(self.beta.0) - i32::from(self.alpha.0) == 1
    }

    /// Whether an answer may be taken on trust: only a bound is asked for, and no end of the game is at stake.
    pub(super) fn trusts(self) -> bool {
        self.is_null() && !self.alpha.is_decided() && !self.beta.is_decided()
    }
}

/// How a step is looked at.
#[derive(Clone, Copy)]
pub(super) struct MoveContext {
    /// The plies left at the position before it.
    pub(super) depth: i32,
    pub(super) window: Window,
    /// The plies from the root to the position before it.
    pub(super) ply: usize,
    /// Whether it is the first: looked at in the whole window.
    pub(super) is_first: bool,
    /// By how many plies less deep it is looked at, until it turns out to be better than what is known.
    pub(super) reduction: i32,
}

/// What one thread of search works with.
pub(super) struct Worker<'a> {
    pub(super) evaluation: &'a Evaluation,
    pub(super) endings: Option<&'a dyn Endings>,
    pub(super) table: &'a mut TranspositionTable,
    pub(super) order: &'a mut MoveOrder,
    /// The positions before this one, the game's own included.
    pub(super) path: Vec<FastPosition>,
    /// Where in the path those begin that may come again: behind the last move that cannot be taken back.
    pub(super) reversible: usize,
    /// Principal variations by ply.
    pub(super) lines: Vec<Vec<FastMove>>,
    pub(super) nodes: u64,
    pub(super) limits: &'a SearchLimits,
    pub(super) stop: &'a StopFlag,
    pub(super) started: Instant,
    /// The depth that the iteration asks for: no line is extended beyond twice that.
    pub(super) root_depth: i32,
}

impl Worker<'_> {
    /// Counts a node, and tells whether the search must end.
    fn enter(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        // Whatever the budget, the first iteration says something of every move.
        let over = self.root_depth > 1 && self.limits.nodes.is_some_and(|most| self.nodes > most);
        let look = self.nodes.is_multiple_of(NODES_PER_CLOCK_CHECK);
        let late = look && self.limits.time.is_some_and(|most| self.started.elapsed() >= most);
        if over || late || (look && self.stop.is_set()) { Err(Stopped) } else { Ok(()) }
    }

    /// The score of `position` for the side to move, within `window`: at most its alpha or at least its beta where it lies
    /// outside. Each level is a ply farther from the root, up to [`MAX_PLIES`], or shallower by some plies of depth.
    pub(super) fn score(
        &mut self,
        position: &FastPosition,
        depth: i32,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        self.enter()?;
        if let Some(line) = self.lines.get_mut(ply) {
            line.clear();
        }
        if self.path[self.reversible..].contains(position) {
            return Ok(Score::DRAW);
        }
        let alpha = window.alpha.max(Score::lost_at(ply));
        let beta = window.beta.min(Score::lost_at(ply + 1).negated());
        if alpha >= beta {
            return Ok(alpha);
        }
        if let Some(known) = self.known(position, ply) {
            return Ok(known);
        }
        let window = Window { alpha, beta };
        if depth <= 0
            && !position.must_capture()
            && let Some(score) = self.at_horizon(position, depth, window, ply)
        {
            return Ok(score);
        }
        let wide = !window.is_null();
        let found = self.table.get(position);
        if let Some(found) = found
            && !wide
            && i32::from(found.depth) >= depth
            && let Some(score) = decisive(&found, alpha, beta, ply)
        {
            return Ok(score);
        }
        let steps = position.steps();
        let Some(first) = steps.first() else { return Ok(Score::lost_at(ply)) };
        let captures = first.is_capture();
        if ply + 1 >= MAX_PLIES {
            return Ok(self.evaluate(position));
        }
        let mut depth = depth;
        if !captures {
            if let Some(score) = self.outside(position, depth, window, ply)? {
                return Ok(score);
            }
        } else if steps.len() == 1 && (ply as i32) < 2 * self.root_depth {
            // A forced capture costs no depth: nothing was chosen.
            depth += 1;
        }

        let best_known = found.map_or(NO_MOVE, |found| found.best);
        let ordered = self.order.sorted(&steps, best_known, position.turn(), ply);
        let mut best = Score::LEAST;
        let mut best_step = NO_MOVE;
        let mut floor = alpha;
        for (tried, (place, step)) in ordered.iter().enumerate() {
            let in_full = captures || wide && tried < 2;
            let reduction = if in_full { 0 } else { self.reduction(position, step, depth, tried) };
            let window = Window { alpha: floor, beta };
            let score =
                self.after(position, step, MoveContext { depth, window, ply, is_first: tried == 0, reduction })?;
            if score > best {
                best = score;
                best_step = *place;
                if score > floor {
                    floor = score;
                    self.keep_line(ply, step);
                }
                if score >= beta {
                    if !captures {
                        self.order.reward(step, &ordered[..tried], position.turn(), ply, depth.max(1));
                    }
                    break;
                }
            }
        }
        let bound = if best >= beta {
            Bound::AtLeast
        } else if best > alpha {
            Bound::Exact
        } else {
            Bound::AtMost
        };
        let depth = depth.clamp(-100, 100) as i8;
        self.table.put(position, TableHit { depth, bound, score: best.seen_from(ply), best: best_step });
        Ok(best)
    }

    /// The score of `step`: in full for the first, and for the others only as far as they seem better than what is known.
    pub(super) fn after(
        &mut self,
        position: &FastPosition,
        step: &FastMove,
        look: MoveContext,
    ) -> Result<Score, Stopped> {
        let next = position.after(step);
        let before = self.reversible;
        self.path.push(*position);
        if position.is_irreversible(step) {
            // After a man's move or a capture no earlier position can come again.
            self.reversible = self.path.len();
        }
        let outcome = self.windows(&next, look);
        self.path.pop();
        self.reversible = before;
        outcome
    }

    fn windows(&mut self, next: &FastPosition, look: MoveContext) -> Result<Score, Stopped> {
        let MoveContext { depth, window, ply, is_first, reduction } = look;
        let mut search = |depth: i32, window: Window| Ok(self.score(next, depth, window.turned(), ply + 1)?.negated());
        if is_first {
            return search(depth - 1, window);
        }
        let mut score = search(depth - 1 - reduction, Window::above(window.alpha))?;
        if score > window.alpha && reduction > 0 {
            score = search(depth - 1, Window::above(window.alpha))?;
        }
        if score > window.alpha && score < window.beta {
            score = search(depth - 1, window)?;
        }
        Ok(score)
    }

    /// What an endgame database says, if it knows the position.
    fn known(&self, position: &FastPosition, ply: usize) -> Option<Score> {
        let endings = self.endings?;
        if position.pieces() > endings.most_pieces() {
            return None;
        }
        Some(match endings.value(position)? {
            Value::Win => Score::database_win_at(ply),
            Value::Draw => Score::DRAW,
            Value::Loss => Score::database_win_at(ply).negated(),
        })
    }

    pub(super) fn evaluate(&self, position: &FastPosition) -> Score {
        Score::evaluated(self.evaluation.hundredths(position))
    }

    /// `step`, then the line kept one ply below, is the line kept at `ply`.
    pub(super) fn keep_line(&mut self, ply: usize, step: &FastMove) {
        if let [.., line, below] = &mut self.lines[..=ply + 1] {
            line.clear();
            line.push(*step);
            line.extend_from_slice(below);
        }
    }
}

/// The score that the table gives, if it settles the window.
fn decisive(found: &TableHit, alpha: Score, beta: Score, ply: usize) -> Option<Score> {
    let score = Score::seen_from_root(found.score, ply);
    let settles = match found.bound {
        Bound::Exact => true,
        Bound::AtLeast => score >= beta,
        Bound::AtMost => score <= alpha,
    };
    settles.then_some(score)
}
