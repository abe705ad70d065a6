//! What each feature is worth: tables made by [`crate::engine::tuning`], and the file that keeps them.

use std::sync::OnceLock;

use crate::rules::FastPosition;

use super::features::{COUNT_FEATURES, FeatureSink, PATTERN_COUNT, STATES_PER_PATTERN, mirror, visit};

/// Units of a weight in a hundredth of a man.
pub(super) const UNITS_PER_HUNDREDTH: f32 = 16.0;
/// The pieces at the start: all middle game there, all ending with none.
pub(super) const STARTING_PIECES: i32 = 24;
/// The first bytes of a file of weights; the digit is its version.
const MAGIC: &[u8; 8] = b"CHEVAL1\n";
/// How many weights of patterns are independent: of a state and its mirror one is stored.
pub(super) const PATTERN_WEIGHTS: usize = PATTERN_COUNT * STATES_PER_PATTERN;

/// The weights of one feature in the middle game and in the ending, in sixteenths of a hundredth of a man.
pub(super) type PhaseWeights = [i16; 2];

/// What each feature is worth, from Black's side.
pub struct Weights {
    states: Vec<PhaseWeights>,
    counts: [PhaseWeights; COUNT_FEATURES],
}

/// Why a file of weights cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    /// It does not begin as such a file does, or is of another version.
    #[error("this is no file of evaluation weights of this version")]
    Foreign,
    /// It has fewer or more weights than there are features.
    #[error("the file of evaluation weights is damaged")]
    Damaged,
}

/// The place of the weight that stands for a pattern's state, and its sign: 0 where the state is its own mirror.
pub(super) fn free_state(pattern: usize, state: usize) -> (usize, i16) {
    let here = pattern * STATES_PER_PATTERN + state;
    let (other, turned) = mirror(pattern, state);
    let there = other * STATES_PER_PATTERN + turned;
    match here.cmp(&there) {
        std::cmp::Ordering::Less => (here, 1),
        std::cmp::Ordering::Equal => (here, 0),
        std::cmp::Ordering::Greater => (there, -1),
    }
}

impl Weights {
    /// Weights by feature, each in both phases: of free states by place (others are not looked at), then of counts.
    pub(super) fn new(free_states: &[PhaseWeights], counts: [PhaseWeights; COUNT_FEATURES]) -> Self {
        let mut states = vec![[0; 2]; PATTERN_WEIGHTS];
        for pattern in 0..PATTERN_COUNT {
            for state in 0..STATES_PER_PATTERN {
                let (place, sign) = free_state(pattern, state);
                let free = free_states.get(place).copied().unwrap_or_default();
                states[pattern * STATES_PER_PATTERN + state] = free.map(|weight| weight * sign);
            }
        }
        Self { states, counts }
    }

    /// The weights that the program comes with; `data/evaluation.txt` says how they were made.
    #[must_use]
    pub fn embedded() -> Option<&'static Self> {
        static EMBEDDED: OnceLock<Option<Weights>> = OnceLock::new();
        EMBEDDED.get_or_init(|| Self::from_bytes(include_bytes!("../../../data/evaluation.bin")).ok()).as_ref()
    }

    /// Reads what [`Self::to_bytes`] wrote.
    ///
    /// # Errors
    /// When it was written by something else, or is not whole.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WeightsError> {
        let packed = bytes.strip_prefix(MAGIC).ok_or(WeightsError::Foreign)?;
        let size = 4 * (PATTERN_WEIGHTS + COUNT_FEATURES);
        let plain = zstd::bulk::decompress(packed, size).map_err(|_| WeightsError::Damaged)?;
        if plain.len() != size {
            return Err(WeightsError::Damaged);
        }
        // Low bytes of all weights, then high ones: they compress better apart.
        let (low, high) = plain.split_at(size / 2);
        let weights: Vec<i16> = low.iter().zip(high).map(|(low, high)| i16::from_le_bytes([*low, *high])).collect();
        let pairs: Vec<PhaseWeights> = weights.as_chunks().0.to_vec();
        let counts = std::array::from_fn(|at| pairs[PATTERN_WEIGHTS + at]);
        Ok(Self::new(&pairs[..PATTERN_WEIGHTS], counts))
    }

    /// The weights as a file.
    ///
    /// # Errors
    /// [`WeightsError::Damaged`] when they cannot be compressed.
    pub fn to_bytes(&self) -> Result<Vec<u8>, WeightsError> {
        let free = (0..PATTERN_WEIGHTS).map(|at| {
            let (place, sign) = free_state(at / STATES_PER_PATTERN, at % STATES_PER_PATTERN);
            if place == at && sign != 0 { self.states[at] } else { [0; 2] }
        });
        let weights: Vec<i16> = free.chain(self.counts).flatten().collect();
        let low = weights.iter().map(|weight| weight.to_le_bytes()[0]);
        let plain: Vec<u8> = low.chain(weights.iter().map(|weight| weight.to_le_bytes()[1])).collect();
        let packed = zstd::bulk::compress(&plain, 19).map_err(|_| WeightsError::Damaged)?;
        Ok([MAGIC.as_slice(), &packed].concat())
    }

    /// What `position` is worth to Black, in hundredths of a man.
    #[inline]
    pub(super) fn black(&self, position: &FastPosition) -> i32 {
        let mut sum = Sum { weights: self, middle: 0, ending: 0 };
        visit(position, &mut sum);
        let pieces = position.pieces() as i32;
        (sum.middle * pieces + sum.ending * (STARTING_PIECES - pieces)) / (STARTING_PIECES * UNITS_PER_HUNDREDTH as i32)
    }
}

/// The weights of the features met so far.
struct Sum<'a> {
    weights: &'a Weights,
    middle: i32,
    ending: i32,
}

impl Sum<'_> {
    #[inline]
    fn add(&mut self, [middle, ending]: PhaseWeights, times: i32) {
        self.middle += i32::from(middle) * times;
        self.ending += i32::from(ending) * times;
    }
}

impl FeatureSink for Sum<'_> {
    #[inline]
    fn state(&mut self, pattern: usize, state: usize) {
        self.add(self.weights.states[pattern * STATES_PER_PATTERN + state], 1);
    }

    #[inline]
    fn count(&mut self, count: usize, times: i32) {
        self.add(self.weights.counts[count], times);
    }
}
