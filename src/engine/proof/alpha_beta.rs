//! The alpha-beta prover: iterative deepening over *is it shown within so many plies, or not*.
//!
//! At the prover's turns anything may be passed over, so the moves are ordered, and hopeless positions cut, by evaluation;
//! at the other side's turns every legal move must be answered.

use std::collections::HashMap;

use crate::rules::{FastMove, FastPosition};

use super::budget::{Budget, Ended};
use super::claim::Judge;
use super::proven::{Proven, Quick};
use crate::engine::evaluation::Evaluation;

/// No line is longer, so the recursion is no deeper.
const MAX_LINE_PLIES: usize = 200;
/// The deepest iteration.
const MAX_SEARCH_DEPTH: i32 = 60;

/// One attempt.
pub(super) struct AlphaBeta<'a, 'b> {
    judge: &'a Judge<'a>,
    evaluation: &'a Evaluation,
    proven: &'a mut Proven,
    budget: &'a mut Budget<'b>,
    /// How deep positions were looked at in vain, and the step that did best or refuted.
    failed: HashMap<FastPosition, (i32, u8), Quick>,
    path: Vec<FastPosition>,
}

impl<'a, 'b> AlphaBeta<'a, 'b> {
    pub(super) fn new(
        judge: &'a Judge<'a>,
        evaluation: &'a Evaluation,
        proven: &'a mut Proven,
        budget: &'a mut Budget<'b>,
    ) -> Self {
        Self { judge, evaluation, proven, budget, failed: HashMap::default(), path: Vec::new() }
    }

    /// Whether the claim is shown of `position` before the budget ends.
    pub(super) fn run(&mut self, position: &FastPosition) -> bool {
        for depth in (1..=MAX_SEARCH_DEPTH).step_by(2) {
            self.path.clear();
            match self.holds(position, depth) {
                Ok(true) => return true,
                Ok(false) => {}
                Err(Ended::Budget | Ended::Stopped) => return false,
            }
        }
        false
    }

    /// Whether the claim is shown of `position` within `depth` plies. Recursion ends at [`MAX_LINE_PLIES`].
    fn holds(&mut self, position: &FastPosition, depth: i32) -> Result<bool, Ended> {
        self.budget.spend()?;
        if let Some(holds) = self.judge.known(position) {
            return Ok(holds);
        }
        if self.proven.holds(position) {
            return Ok(true);
        }
        // A repetition is no success.
        if self.path.len() >= MAX_LINE_PLIES || self.path.contains(position) {
            return Ok(false);
        }
        let steps = position.steps();
        let Some(first) = steps.first() else { return Ok(self.judge.holds_when_stuck(position)) };
        let quiet = !first.is_capture();
        let before = self.failed.get(position).copied();
        if before.is_some_and(|(failed, _)| failed >= depth) || (quiet && depth <= 0) {
            return Ok(false);
        }
        let provers = self.judge.is_provers(position);
        if provers && quiet && self.is_hopeless(position, depth) {
            return Ok(false);
        }
        // Where nothing can be chosen no depth is spent.
        let left = if steps.len() == 1 { depth } else { depth - 1 };
        self.path.push(*position);
        let outcome =
            self.tries(position, &self.ordered(position, &steps, before.map(|(_, best)| best)), left, provers);
        self.path.pop();
        match outcome? {
            Ok(step) => {
                self.proven.insert(position, step);
                Ok(true)
            }
            Err(best) => {
                self.failed.insert(*position, (depth, best));
                Ok(false)
            }
        }
    }

    /// Tries steps until the outcome is clear: the step that shows the claim (none at the other side's turn), or the one to
    /// try first next time.
    fn tries(
        &mut self,
        position: &FastPosition,
        ordered: &[(u8, FastMove)],
        left: i32,
        provers: bool,
    ) -> Result<Result<Option<u8>, u8>, Ended> {
        for (place, step) in ordered {
            let holds = self.holds(&position.after(step), left)?;
            if holds == provers {
                return Ok(if provers { Ok(Some(*place)) } else { Err(*place) });
            }
        }
        let first = ordered.first().map_or(0, |(place, _)| *place);
        Ok(if provers { Err(first) } else { Ok(None) })
    }

    /// The steps, the one that was best before first, then by what the evaluation says of the positions they lead to.
    fn ordered(&self, position: &FastPosition, steps: &[FastMove], best: Option<u8>) -> Vec<(u8, FastMove)> {
        let mut ranked: Vec<(i32, u8, FastMove)> = steps
            .iter()
            .enumerate()
            .map(|(place, step)| {
                let place = place as u8;
                let worth = if best == Some(place) {
                    i32::MIN
                } else {
                    let next = position.after(step);
                    // The fewer answers, the sooner it is clear.
                    self.evaluation.hundredths(&next) + 8 * next.steps().len() as i32
                };
                (worth, place, *step)
            })
            .collect();
        ranked.sort_by_key(|(worth, place, _)| (*worth, *place));
        ranked.into_iter().map(|(_, place, step)| (place, step)).collect()
    }

    /// Whether the prover stands so badly that so few plies will not mend it.
    fn is_hopeless(&self, position: &FastPosition, depth: i32) -> bool {
        let least = if self.judge.needs_win() { 0 } else { -200 };
        self.evaluation.hundredths(position) < least - 25 * depth
    }
}
