//! The search itself: principal variation search, one thread.

use std::time::Instant;

use crate::rules::{FastPosition, Step};

use super::super::Endings;
use super::super::evaluation::Evaluation;
use super::order::Order;
use super::score::{Bound, Score};
use super::table::{Found, NO_STEP, Table};
use super::{Limits, Stop};

/// No line is longer, so the recursion is no deeper.
pub(super) const MOST_PLIES: usize = 256;
/// Nodes between two looks at the clock.
const NODES_A_LOOK: u64 = 1_024;
/// How many plies beyond the depth a threatened position is looked on.
const MOST_THREATS: i32 = -4;
/// Hundredths of a man a ply: a quiet position so far above the window will not come down into it.
const MARGIN: i32 = 55;

/// The search was stopped; what it was about is unfinished and must not be kept.
pub(super) struct Stopped;

/// What one thread of search works with.
pub(super) struct Worker<'a> {
    pub(super) evaluation: &'a Evaluation,
    pub(super) endings: Option<&'a dyn Endings>,
    pub(super) table: &'a mut Table,
    pub(super) order: &'a mut Order,
    /// The positions from the last move that cannot be taken back to the one before this, the game's own included.
    pub(super) path: Vec<FastPosition>,
    /// Principal variations by ply.
    pub(super) lines: Vec<Vec<Step>>,
    pub(super) nodes: u64,
    pub(super) limits: &'a Limits,
    pub(super) stop: &'a Stop,
    pub(super) started: Instant,
    /// The depth that the iteration asks for: no line is extended beyond twice that.
    pub(super) root_depth: i32,
}

impl Worker<'_> {
    /// Counts a node, and tells whether the search must end.
    fn enter(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        let over = self.limits.nodes.is_some_and(|most| self.nodes > most);
        let look = self.nodes.is_multiple_of(NODES_A_LOOK);
        let late = look && self.limits.time.is_some_and(|most| self.started.elapsed() >= most);
        if over || late || (look && self.stop.is_set()) { Err(Stopped) } else { Ok(()) }
    }

    /// The score of `position` for the side to move, within `alpha` and `beta`: at most `alpha` or at least `beta` where it
    /// lies outside. Recursion ends at [`MOST_PLIES`].
    pub(super) fn score(
        &mut self,
        position: &FastPosition,
        depth: i32,
        alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Result<Score, Stopped> {
        self.enter()?;
        if let Some(line) = self.lines.get_mut(ply) {
            line.clear();
        }
        if self.path.contains(position) {
            return Ok(Score::DRAW);
        }
        let alpha = alpha.max(Score::lost_at(ply));
        let beta = beta.min(Score::lost_at(ply + 1).negated());
        if alpha >= beta {
            return Ok(alpha);
        }
        if let Some(known) = self.known(position, ply) {
            return Ok(known);
        }
        // Most positions are quiet ones at the horizon: nothing is looked up or kept for them.
        let horizon = depth <= 0 && !position.must_capture();
        if horizon && (depth <= MOST_THREATS || !position.is_threatened()) {
            let stuck = !position.has_quiet_move();
            return Ok(if stuck { Score::lost_at(ply) } else { self.evaluate(position) });
        }
        let wide = i32::from(beta.0) - i32::from(alpha.0) > 1;
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
        if ply + 1 >= MOST_PLIES {
            return Ok(self.evaluate(position));
        }
        let mut depth = depth;
        if !captures {
            if !wide && (1..=6).contains(&depth) && !beta.is_decided() && !position.is_threatened() {
                // Truncation: the opponent would have to win this much without a capture in sight.
                let score = self.evaluate(position);
                if i32::from(score.0) - MARGIN * depth >= i32::from(beta.0) {
                    return Ok(score);
                }
            }
        } else if steps.len() == 1 && (ply as i32) < 2 * self.root_depth {
            // A forced capture costs no depth: nothing was chosen.
            depth += 1;
        }

        let best_known = found.map_or(NO_STEP, |found| found.best);
        let ordered = self.order.sorted(&steps, best_known, position.turn(), ply);
        let mut best = Score::LEAST;
        let mut best_step = NO_STEP;
        let mut floor = alpha;
        for (tried, (place, step)) in ordered.iter().enumerate() {
            let reduction = if captures || wide && tried < 2 { 0 } else { self.reduction(position, step, depth, tried) };
            let score = self.after(position, step, depth, floor, beta, ply, tried == 0, reduction)?;
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
        self.table.put(position, Found { depth, bound, score: best.seen_from(ply), best: best_step });
        Ok(best)
    }

    /// The score of `step`: in full for the first, and for the others only as far as they seem better than what is known.
    #[expect(clippy::too_many_arguments, reason = "the window, the depth and the place in the order are the search's state")]
    pub(super) fn after(
        &mut self,
        position: &FastPosition,
        step: &Step,
        depth: i32,
        floor: Score,
        beta: Score,
        ply: usize,
        first: bool,
        reduction: i32,
    ) -> Result<Score, Stopped> {
        let next = position.after(step);
        // No earlier position can come again after a man's move or a capture, so that the path begins anew.
        let before =
            if position.is_irreversible(step) { Some(std::mem::take(&mut self.path)) } else { None };
        self.path.push(*position);
        let outcome = self.windows(&next, depth, floor, beta, ply, first, reduction);
        self.path.pop();
        if let Some(before) = before {
            self.path = before;
        }
        outcome
    }

    #[expect(clippy::too_many_arguments, reason = "as above")]
    fn windows(
        &mut self,
        next: &FastPosition,
        depth: i32,
        floor: Score,
        beta: Score,
        ply: usize,
        first: bool,
        reduction: i32,
    ) -> Result<Score, Stopped> {
        let mut search = |depth: i32, low: Score, high: Score| {
            Ok(self.score(next, depth, high.negated(), low.negated(), ply + 1)?.negated())
        };
        if first {
            return search(depth - 1, floor, beta);
        }
        let narrow = Score(floor.0 + 1);
        let mut score = search(depth - 1 - reduction, floor, narrow)?;
        if score > floor && reduction > 0 {
            score = search(depth - 1, floor, narrow)?;
        }
        if score > floor && score < beta {
            score = search(depth - 1, floor, beta)?;
        }
        Ok(score)
    }

    /// How much less deep a quiet step is looked at that comes late in the order.
    fn reduction(&self, position: &FastPosition, step: &Step, depth: i32, tried: usize) -> i32 {
        if depth < 3 || tried < 3 {
            return 0;
        }
        let late = i32::from(tried >= 8) + i32::from(depth >= 8);
        let liked = i32::from(self.order.history_of(step, position.turn()) > 4_096);
        (1 + late - liked).max(0)
    }

    /// What an endgame database says, if it knows the position.
    fn known(&self, position: &FastPosition, ply: usize) -> Option<Score> {
        let endings = self.endings?;
        if position.pieces() > endings.most_pieces() {
            return None;
        }
        Some(match endings.value(position)? {
            super::super::egdb::Wld::Win => Score::database_win_at(ply),
            super::super::egdb::Wld::Draw => Score::DRAW,
            super::super::egdb::Wld::Loss => Score::database_win_at(ply).negated(),
        })
    }

    fn evaluate(&self, position: &FastPosition) -> Score {
        Score::evaluated(self.evaluation.hundredths(position))
    }

    /// `step`, then the line kept one ply below, is the line kept at `ply`.
    pub(super) fn keep_line(&mut self, ply: usize, step: &Step) {
        if let [.., line, below] = &mut self.lines[..=ply + 1] {
            line.clear();
            line.push(*step);
            line.extend_from_slice(below);
        }
    }
}

/// The score that the table gives, if it settles the window.
fn decisive(found: &Found, alpha: Score, beta: Score, ply: usize) -> Option<Score> {
    let score = Score::seen_from_root(found.score, ply);
    let settles = match found.bound {
        Bound::Exact => true,
        Bound::AtLeast => score >= beta,
        Bound::AtMost => score <= alpha,
    };
    settles.then_some(score)
}
