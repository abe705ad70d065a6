//! Proof-number search, depth first (df-pn): what is easiest to prove, or to refute, is looked at next.
//!
//! A proof number says how much there is to show before the claim holds, a disproof number how much before it fails. At
//! turns where all steps count the greatest number stands for all, and one for each further step that is open (weak proof
//! numbers): play that meets again is so not counted twice.

use std::collections::HashMap;

use smallvec::SmallVec;

use crate::rules::{FastPosition, Steps};

use super::claim::Judge;
use super::proven::{Proven, Quick};
use super::{Budget, Ended};
use crate::engine::evaluation::Evaluation;

/// Nothing can be shown any more.
const NEVER: u32 = u32::MAX / 4;
/// No line is longer, so the recursion is no deeper.
const MOST_PLIES: usize = 400;
/// Positions kept; beyond, those that are open are forgotten.
const MOST_POSITIONS: usize = 6_000_000;

/// What is left to prove and to disprove.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Numbers {
    proof: u32,
    disproof: u32,
}

const PROVED: Numbers = Numbers { proof: 0, disproof: NEVER };
const REFUTED: Numbers = Numbers { proof: NEVER, disproof: 0 };

/// One attempt.
pub(super) struct ProofNumbers<'a, 'b> {
    judge: &'a Judge<'a>,
    evaluation: &'a Evaluation,
    proven: &'a mut Proven,
    budget: &'a mut Budget<'b>,
    open: HashMap<FastPosition, Numbers, Quick>,
    path: Vec<FastPosition>,
}

impl<'a, 'b> ProofNumbers<'a, 'b> {
    pub(super) fn new(
        judge: &'a Judge<'a>,
        evaluation: &'a Evaluation,
        proven: &'a mut Proven,
        budget: &'a mut Budget<'b>,
    ) -> Self {
        Self { judge, evaluation, proven, budget, open: HashMap::default(), path: Vec::new() }
    }

    /// Whether the claim is shown of `position` before the budget ends.
    pub(super) fn run(&mut self, position: &FastPosition) -> bool {
        if let Some(holds) = self.judge.known(position) {
            return holds;
        }
        let found = self.develop(position, Numbers { proof: NEVER, disproof: NEVER });
        matches!(found, Ok(Numbers { proof: 0, .. }))
    }

    /// Develops the tree below `position` until one of its numbers reaches its limit. Recursion ends at [`MOST_PLIES`].
    fn develop(&mut self, position: &FastPosition, limits: Numbers) -> Result<Numbers, Ended> {
        self.budget.spend()?;
        let steps = position.steps();
        if steps.is_empty() {
            return Ok(if self.judge.holds_when_stuck(position) {
                self.proven.insert(position, None);
                PROVED
            } else {
                self.keep(position, REFUTED)
            });
        }
        if self.path.len() >= MOST_PLIES {
            return Ok(REFUTED);
        }
        self.path.push(*position);
        let found = self.develop_steps(position, &steps, limits);
        self.path.pop();
        found
    }

    fn develop_steps(&mut self, position: &FastPosition, steps: &Steps, limits: Numbers) -> Result<Numbers, Ended> {
        let provers = self.judge.is_provers(position);
        let next: SmallVec<[FastPosition; 24]> = steps.iter().map(|step| position.after(step)).collect();
        let mut numbers: SmallVec<[Numbers; 24]> = next.iter().map(|next| self.numbers(next)).collect();
        loop {
            // Seen from the prover at its turns, and with the two numbers exchanged at the other side's.
            let seen = |n: &Numbers| if provers { (n.proof, n.disproof) } else { (n.disproof, n.proof) };
            let (mut least, mut second, mut chosen) = (NEVER, NEVER, 0);
            let (mut most, mut unsettled) = (0, 0u32);
            for (place, each) in numbers.iter().enumerate() {
                let (choice, all) = seen(each);
                if choice < least {
                    (least, second, chosen) = (choice, least, place);
                } else {
                    second = second.min(choice);
                }
                if all >= NEVER {
                    most = NEVER;
                } else if all > 0 {
                    most = most.max(all);
                    unsettled += 1;
                }
            }
            let all = if most >= NEVER { NEVER } else { most + unsettled.saturating_sub(1) };
            let here =
                if provers { Numbers { proof: least, disproof: all } } else { Numbers { proof: all, disproof: least } };
            if here.proof == 0 {
                let step = if provers { Some(chosen as u8) } else { None };
                self.proven.insert(position, step);
                self.open.remove(position);
                return Ok(PROVED);
            }
            if here.proof >= limits.proof || here.disproof >= limits.disproof || here.disproof == 0 {
                return Ok(self.keep(position, here));
            }
            let (limit_of_choice, limit_of_all) =
                if provers { (limits.proof, limits.disproof) } else { (limits.disproof, limits.proof) };
            // A quarter more than the second best, so that the search does not jump to and fro.
            let choice = limit_of_choice.min(second.saturating_add(second / 4).saturating_add(1)).min(NEVER);
            let (_, chosen_all) = seen(&numbers[chosen]);
            let rest = limit_of_all.saturating_sub(all).saturating_add(chosen_all).min(NEVER);
            let given = if provers {
                Numbers { proof: choice, disproof: rest }
            } else {
                Numbers { proof: rest, disproof: choice }
            };
            numbers[chosen] = self.develop(&next[chosen], given)?;
            for (other, each) in next.iter().zip(&mut numbers) {
                if each.proof != 0 && each.disproof != 0 {
                    *each = self.numbers(other);
                }
            }
        }
    }

    /// What is known of a position that a step leads to.
    fn numbers(&self, position: &FastPosition) -> Numbers {
        if let Some(holds) = self.judge.known(position) {
            return if holds { PROVED } else { REFUTED };
        }
        if self.proven.holds(position) {
            return PROVED;
        }
        // A repetition is no success.
        if self.path.contains(position) {
            return REFUTED;
        }
        self.open.get(position).copied().unwrap_or_else(|| self.guess(position))
    }

    /// First numbers: the better the prover stands, the less there is to show.
    fn guess(&self, position: &FastPosition) -> Numbers {
        let worth = self.evaluation.hundredths(position);
        let provers = if self.judge.is_provers(position) { worth } else { -worth };
        let ahead = if self.judge.needs_win() { provers - 150 } else { provers + 100 };
        let far = |hundredths: i32| 1 + (hundredths.clamp(0, 600) / 50) as u32;
        Numbers { proof: far(-ahead), disproof: far(ahead) }
    }

    fn keep(&mut self, position: &FastPosition, numbers: Numbers) -> Numbers {
        if self.open.len() >= MOST_POSITIONS {
            self.open.retain(|_, kept| kept.disproof == 0);
        }
        self.open.insert(*position, numbers);
        numbers
    }
}
