//! What is proved so far in one attempt.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::rules::FastPosition;

/// Positions that are proved, with the prover's step there by its place in the generator's order (at the other side's
/// turns, where every step is answered, there is none). A position is put in after all that its proof needs, and never
/// changed, so that following the steps always ends.
#[derive(Default)]
pub(super) struct Proven {
    steps: HashMap<FastPosition, Option<u8>, Quick>,
}

impl Proven {
    /// Whether `position` is proved.
    #[inline]
    pub(super) fn holds(&self, position: &FastPosition) -> bool {
        self.steps.contains_key(position)
    }

    /// How many positions are proved.
    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// The prover's step in a proved position.
    pub(super) fn step(&self, position: &FastPosition) -> Option<u8> {
        self.steps.get(position).copied().flatten()
    }

    /// `position` is proved by `step`, or at the other side's turn by answers to all steps.
    pub(super) fn insert(&mut self, position: &FastPosition, step: Option<u8>) {
        self.steps.entry(*position).or_insert(step);
    }
}

/// Hashing of positions: they are compared whole, so that only speed matters.
pub(super) type Quick = BuildHasherDefault<Mixer>;

/// Multiplies and folds the words that it is fed.
#[derive(Default)]
pub(super) struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ 0xa076_1d64_78bd_642f) * u128::from(0x9e37_79b9_7f4a_7c15_u64);
        self.0 = (product >> 64) as u64 ^ product as u64;
    }

    fn write_isize(&mut self, word: isize) {
        self.write_u64(word as u64);
    }
}
