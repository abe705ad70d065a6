//! Weights that are being learnt: the same features, as fractions, with what is needed to move them.

use crate::rules::FastPosition;

use super::features::{COUNT_FEATURES, FeatureSink, MEN_FEATURE, visit};
use super::weights::{PATTERN_WEIGHTS, PhaseWeights, STARTING_PIECES, UNITS_PER_HUNDREDTH, Weights, free_state};

/// One weight and the sum of the squares of what moved it.
#[derive(Clone, Copy, Default)]
struct Learnt {
    weight: f32,
    moved: f32,
}

/// Weights in logarithms of odds; two phases each.
pub(crate) struct TrainedModel {
    states: Vec<[Learnt; 2]>,
    counts: [[Learnt; 2]; COUNT_FEATURES],
}

impl Learnt {
    fn learn(&mut self, gradient: f32, rate: f32, decay: f32) {
        self.moved += gradient * gradient;
        self.weight -= rate * gradient / (self.moved.sqrt() + 1e-6) + decay * self.weight;
    }
}

impl TrainedModel {
    /// All features worth nothing, but a man something.
    pub(crate) fn new() -> Self {
        let mut model = Self {
            states: vec![[Learnt::default(); 2]; PATTERN_WEIGHTS],
            counts: [[Learnt::default(); 2]; COUNT_FEATURES],
        };
        model.counts[MEN_FEATURE] = [Learnt { weight: 1.0, moved: 0.0 }; 2];
        model
    }

    /// Learns that the game of `position` ended as `result` (1 Black won, 0 White); the loss before it was learnt.
    pub(crate) fn learn(&mut self, position: &FastPosition, result: f32, rate: f32, decay: f32) -> f32 {
        let mut used = Used::default();
        visit(position, &mut used);
        let middle = position.pieces() as f32 / STARTING_PIECES as f32;
        let phases = [middle, 1.0 - middle];
        let mut odds = 0.0;
        for (place, times) in &used.states {
            odds += product(&self.states[*place], phases, *times);
        }
        for (count, times) in &used.counts {
            odds += product(&self.counts[*count], phases, *times);
        }
        let expected = 1.0 / (1.0 + (-odds).exp());
        let error = expected - result;
        for (place, times) in &used.states {
            for (learnt, phase) in self.states[*place].iter_mut().zip(phases) {
                learnt.learn(error * times * phase, rate, decay);
            }
        }
        for (count, times) in &used.counts {
            for (learnt, phase) in self.counts[*count].iter_mut().zip(phases) {
                learnt.learn(error * times * phase, rate, 0.0);
            }
        }
        let likely = expected.clamp(1e-6, 1.0 - 1e-6);
        -(result * likely.ln() + (1.0 - result) * (1.0 - likely).ln())
    }

    /// The weights in hundredths of a man, a man being worth a hundred in the middle game.
    pub(crate) fn weights(&self) -> Weights {
        let man = self.counts[MEN_FEATURE][0].weight.max(0.05);
        let scaled = |pair: &[Learnt; 2]| -> PhaseWeights {
            pair.map(|learnt| {
                (learnt.weight / man * 100.0 * UNITS_PER_HUNDREDTH).round().clamp(-16_000.0, 16_000.0) as i16
            })
        };
        let states: Vec<PhaseWeights> = self.states.iter().map(scaled).collect();
        Weights::new(&states, self.counts.each_ref().map(scaled))
    }
}

/// What two phases of a weight make together.
fn product(learnt: &[Learnt; 2], phases: [f32; 2], times: f32) -> f32 {
    times * (learnt[0].weight * phases[0] + learnt[1].weight * phases[1])
}

/// The features of a position with how often each counts; states that are their own mirror are left out.
#[derive(Default)]
struct Used {
    states: Vec<(usize, f32)>,
    counts: Vec<(usize, f32)>,
}

impl FeatureSink for Used {
    fn state(&mut self, pattern: usize, state: usize) {
        let (place, sign) = free_state(pattern, state);
        if sign != 0 {
            self.states.push((place, f32::from(sign)));
        }
    }

    fn count(&mut self, count: usize, times: i32) {
        self.counts.push((count, times as f32));
    }
}
