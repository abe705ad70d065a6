//! Proof-number search, depth first (df-pn): what is easiest to prove, or to refute, is looked at next.
//!
//! A proof number says how much there is to show before the claim holds, a disproof number how much before it fails. At
//! turns where all steps count the greatest number stands for all, and one for each further step that is open (weak proof
//! numbers): play that meets again is so not counted twice. A position that fails only because play comes back to an earlier
//! one fails for as long as that one is in the path, see [`Loops`].

use std::collections::HashMap;

use smallvec::SmallVec;

use crate::rules::{FastMoves, FastPosition};

use super::budget::{Budget, Ended};
use super::claim::Judge;
use super::loops::{LoopSpan, Loops};
use super::proven::{Proven, Quick};
use crate::engine::evaluation::Evaluation;

/// Nothing can be shown any more.
const INFINITE_NUMBER: u32 = u32::MAX / 4;
/// No line is longer, so the recursion is no deeper.
const MAX_TREE_PLIES: usize = 400;
/// Positions kept; beyond, those that are open are forgotten.
const MAX_TABLE_POSITIONS: usize = 6_000_000;
/// Coming back to a position costs nothing, until that happened so many times for each position developed.
const QUICK_SEARCH_VISITS: u64 = 20;
/// By what part of the second best step's number the best may pass it before the search turns to that: the less, the nearer
/// to what is best, and the more coming and going.
const STALL_VISITS: u32 = 8;
/// Hundredths of a man that count as one in a first number.
const HUNDREDTHS_PER_NUMBER: i32 = 40;
/// A prover so far ahead, in hundredths, has as little to show as any: what it takes to win.
const AHEAD_SCORE: i32 = 150;
/// The same for a prover to whom a draw is enough.
const BEHIND_SCORE: i32 = -100;
/// No position is farther from a claim than this, in hundredths.
const FAR_SCORE: i32 = 600;

/// What is left to prove and to disprove.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Numbers {
    proof: u32,
    disproof: u32,
}

const PROVED: Numbers = Numbers { proof: 0, disproof: INFINITE_NUMBER };
const REFUTED: Numbers = Numbers { proof: INFINITE_NUMBER, disproof: 0 };

impl Numbers {
    const fn is_open(&self) -> bool {
        self.proof != 0 && self.disproof != 0
    }
}

/// A position that a step leads to, with its numbers; where it is refuted, by what happens at which places of the path.
struct Next {
    position: FastPosition,
    numbers: Numbers,
    by: LoopSpan,
}

/// One attempt.
pub(super) struct ProofNumbers<'a, 'b> {
    judge: &'a Judge<'a>,
    evaluation: &'a Evaluation,
    proven: &'a mut Proven,
    budget: &'a mut Budget<'b>,
    open: HashMap<FastPosition, Numbers, Quick>,
    loops: Loops,
    path: Vec<FastPosition>,
    /// Visits of positions that were developed before.
    visits: u64,
}

impl<'a, 'b> ProofNumbers<'a, 'b> {
    pub(super) fn new(
        judge: &'a Judge<'a>,
        evaluation: &'a Evaluation,
        proven: &'a mut Proven,
        budget: &'a mut Budget<'b>,
    ) -> Self {
        Self {
            judge,
            evaluation,
            proven,
            budget,
            open: HashMap::default(),
            loops: Loops::default(),
            path: Vec::new(),
            visits: 0,
        }
    }

    /// Whether the claim is shown of `position` before the budget ends.
    pub(super) fn run(&mut self, position: &FastPosition) -> bool {
        if let Some(holds) = self.judge.known(position) {
            return holds;
        }
        let found = self.develop(position, Numbers { proof: INFINITE_NUMBER, disproof: INFINITE_NUMBER });
        matches!(found, Ok((Numbers { proof: 0, .. }, _)))
    }

    /// Counts a position that is developed for the first time; one that was developed before only if there is no end of it.
    fn enter(&mut self, position: &FastPosition) -> Result<(), Ended> {
        if !self.open.contains_key(position) && !self.loops.contains(position) {
            return self.budget.spend();
        }
        self.visits += 1;
        if self.visits > QUICK_SEARCH_VISITS * self.budget.used.max(1_024) {
            return self.budget.spend();
        }
        if self.visits.is_multiple_of(1_024) && self.budget.stop.is_set() { Err(Ended::Stopped) } else { Ok(()) }
    }

    /// Develops the tree below `position` until one of its numbers reaches its limit. Recursion ends at [`MAX_TREE_PLIES`].
    fn develop(&mut self, position: &FastPosition, limits: Numbers) -> Result<(Numbers, LoopSpan), Ended> {
        self.enter(position)?;
        let steps = position.steps();
        if steps.is_empty() {
            let numbers = if self.judge.holds_when_stuck(position) {
                self.proven.insert(position, None);
                PROVED
            } else {
                self.keep(position, REFUTED)
            };
            return Ok((numbers, LoopSpan::NONE));
        }
        if self.path.len() >= MAX_TREE_PLIES {
            return Ok((REFUTED, LoopSpan::whole_path(&self.path)));
        }
        self.path.push(*position);
        let found = self.develop_steps(position, &steps, limits);
        self.path.pop();
        found
    }

    fn develop_steps(
        &mut self,
        position: &FastPosition,
        steps: &FastMoves,
        limits: Numbers,
    ) -> Result<(Numbers, LoopSpan), Ended> {
        let provers = self.judge.is_provers(position);
        let mut next: SmallVec<[Next; 16]> = steps.iter().map(|step| self.next(position.after(step))).collect();
        loop {
            // Seen from the prover at its turns, and with the two numbers exchanged at the other side's.
            let seen = |n: &Numbers| if provers { (n.proof, n.disproof) } else { (n.disproof, n.proof) };
            let (mut least, mut second, mut chosen) = (INFINITE_NUMBER, INFINITE_NUMBER, 0);
            let (mut most, mut unsettled) = (0, 0u32);
            for (place, each) in next.iter().enumerate() {
                let (choice, all) = seen(&each.numbers);
                if choice < least {
                    (least, second, chosen) = (choice, least, place);
                } else {
                    second = second.min(choice);
                }
                if all >= INFINITE_NUMBER {
                    most = INFINITE_NUMBER;
                } else if all > 0 {
                    most = most.max(all);
                    unsettled += 1;
                }
            }
            let all = if most >= INFINITE_NUMBER { INFINITE_NUMBER } else { most + unsettled.saturating_sub(1) };
            let here =
                if provers { Numbers { proof: least, disproof: all } } else { Numbers { proof: all, disproof: least } };
            if here.proof == 0 {
                let step = if provers { Some(chosen as u8) } else { None };
                self.proven.insert(position, step);
                self.open.remove(position);
                return Ok((PROVED, LoopSpan::NONE));
            }
            if here.disproof == 0 {
                return Ok(self.fail(position, &next, provers));
            }
            if here.proof >= limits.proof || here.disproof >= limits.disproof {
                return Ok((self.keep(position, here), LoopSpan::NONE));
            }
            let (limit_of_choice, limit_of_all) =
                if provers { (limits.proof, limits.disproof) } else { (limits.disproof, limits.proof) };
            let choice = limit_of_choice
                .min(second.saturating_add(second / STALL_VISITS).saturating_add(1))
                .min(INFINITE_NUMBER);
            let (_, chosen_all) = seen(&next[chosen].numbers);
            let rest = limit_of_all.saturating_sub(all).saturating_add(chosen_all).min(INFINITE_NUMBER);
            let given = if provers {
                Numbers { proof: choice, disproof: rest }
            } else {
                Numbers { proof: rest, disproof: choice }
            };
            let (numbers, by) = self.develop(&next[chosen].position, given)?;
            next[chosen] = Next { position: next[chosen].position, numbers, by };
            for each in next.iter_mut().filter(|each| each.numbers.is_open()) {
                *each = self.next(each.position);
            }
        }
    }

    /// What is known of a position that a step leads to.
    fn next(&self, position: FastPosition) -> Next {
        let (numbers, by) = if let Some(holds) = self.judge.known(&position) {
            (if holds { PROVED } else { REFUTED }, LoopSpan::NONE)
        } else if self.proven.holds(&position) {
            (PROVED, LoopSpan::NONE)
        } else if let Some(by) = LoopSpan::locate(&position, &self.path) {
            // A repetition is no success.
            (REFUTED, by)
        } else if let Some(numbers) = self.open.get(&position) {
            (*numbers, LoopSpan::NONE)
        } else if let Some(by) = self.loops.failing(&position, &self.path) {
            (REFUTED, by)
        } else {
            (self.guess(&position), LoopSpan::NONE)
        };
        Next { position, numbers, by }
    }

    /// `position`, the last of the path, fails: for good, or while the path is what it is.
    fn fail(&mut self, position: &FastPosition, next: &[Next], provers: bool) -> (Numbers, LoopSpan) {
        let failed = next.iter().filter(|each| each.numbers.disproof == 0).map(|each| each.by);
        // Where one failure is enough it is the one that asks least of the path.
        let by = if provers {
            failed.fold(LoopSpan::NONE, LoopSpan::and)
        } else {
            failed.reduce(LoopSpan::or).unwrap_or(LoopSpan::NONE)
        };
        let by = by.before(self.path.len().saturating_sub(1));
        if by == LoopSpan::NONE {
            self.loops.forget(position);
            self.keep(position, REFUTED);
        } else {
            self.open.remove(position);
            self.loops.keep(position, by, &self.path);
        }
        (REFUTED, by)
    }

    /// First numbers: the better the prover stands when all captures are made, and the fewer pieces there are beyond what
    /// the databases know, the less there is to show.
    fn guess(&self, position: &FastPosition) -> Numbers {
        let worth = quiet_worth(self.evaluation, position, MAX_CAPTURES);
        let provers = if self.judge.is_provers(position) { worth } else { -worth };
        let ahead = provers - if self.judge.needs_win() { AHEAD_SCORE } else { BEHIND_SCORE };
        let far = |hundredths: i32| 1 + (hundredths.clamp(0, FAR_SCORE) / HUNDREDTHS_PER_NUMBER) as u32;
        let unknown = position.pieces().saturating_sub(self.judge.pieces_known());
        Numbers { proof: far(-ahead) + unknown / 2, disproof: far(ahead) }
    }

    fn keep(&mut self, position: &FastPosition, numbers: Numbers) -> Numbers {
        if self.open.len() >= MAX_TABLE_POSITIONS {
            self.open.retain(|_, kept| kept.disproof == 0);
            // Looked at again they only cost time; kept without end they would cost more.
            if self.open.len() >= MAX_TABLE_POSITIONS / 2 {
                self.open.clear();
            }
        }
        self.open.insert(*position, numbers);
        numbers
    }
}

/// No side has more pieces to take.
const MAX_CAPTURES: u32 = 24;

/// What `position` is worth to the side to move, in hundredths of a man, when captures have been made as long as there are
/// any; recursion ends after `most` of them.
fn quiet_worth(evaluation: &Evaluation, position: &FastPosition, most: u32) -> i32 {
    if most == 0 || !position.must_capture() {
        return evaluation.hundredths(position);
    }
    let after = |step| -quiet_worth(evaluation, &position.after(step), most - 1);
    position.steps().iter().map(after).max().unwrap_or(0)
}
