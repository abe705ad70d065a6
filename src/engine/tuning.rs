//! Tuning: weights of the evaluation from positions and how their games ended.
//!
//! Logistic regression: the evaluation, divided by a scale, is the logarithm of the odds that Black does better. Each sample
//! moves the weights that it uses against its error, by a rate that falls with all that was moved before (Adagrad). The
//! order of the samples comes from a fixed seed, so the same samples give the same weights.

use crate::rules::FastPosition;

use super::evaluation::{TrainedModel, Weights};
use super::search::StopFlag;

/// A position and what became of it.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// A quiet position.
    pub position: FastPosition,
    /// How its game ended, for Black: 1 won, ½ drawn, 0 lost.
    pub result: f32,
}

impl Sample {
    /// The sample of `position`, or `None` where a capture is due or threatened: what is lost there is not on the board yet.
    #[must_use]
    pub fn from_position(position: &FastPosition, result: f32) -> Option<Self> {
        let quiet = !position.must_capture() && !position.is_threatened();
        quiet.then_some(Self { position: *position, result })
    }
}

/// How weights are tuned.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// How often all samples are gone through.
    pub epochs: u32,
    /// How far a first error moves a weight, in logarithms of odds.
    pub rate: f32,
    /// How much of a weight is lost each time it is used: keeps rare patterns small.
    pub decay: f32,
}

impl Default for Recipe {
    fn default() -> Self {
        Self { epochs: 10, rate: 0.02, decay: 2e-5 }
    }
}

/// What tuning came to.
pub struct Tuned {
    /// The weights, a man being worth 100 hundredths in the middle game.
    pub weights: Weights,
    /// The mean logarithmic loss after each epoch, over the samples as they were met.
    pub losses: Vec<f64>,
}

/// Weights that tell the results of `samples` as well as they can.
#[must_use]
pub fn tune(samples: &[Sample], recipe: &Recipe) -> Tuned {
    tune_until(samples, recipe, &StopFlag::default())
}

/// The same, which ends after the epoch during which `stop` is set.
#[must_use]
pub fn tune_until(samples: &[Sample], recipe: &Recipe, stop: &StopFlag) -> Tuned {
    let mut model = TrainedModel::new();
    let mut order: Vec<usize> = (0..samples.len()).collect();
    let mut random = Random(0x5eed);
    let mut losses = Vec::new();
    for _ in 0..recipe.epochs {
        random.shuffle(&mut order);
        let mut loss = 0.0;
        for &at in &order {
            let Sample { position, result } = &samples[at];
            loss += f64::from(model.learn(position, *result, recipe.rate, recipe.decay));
        }
        losses.push(loss / samples.len().max(1) as f64);
        if stop.is_set() {
            break;
        }
    }
    Tuned { weights: model.weights(), losses }
}

/// A small generator of numbers that look random (SplitMix64).
pub struct Random(pub u64);

impl Random {
    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number from 0 below `end`; 0 when that is 0.
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.number()) * end as u128) >> 64) as usize
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            let other = self.below(at + 1);
            items.swap(at, other);
        }
    }
}
