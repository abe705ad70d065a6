//! What each feature is worth: tables made by [`crate::engine::tuning`], and the file that keeps them.

use std::sync::OnceLock;

use crate::rules::FastPosition;

use super::features::{COUNTS, PATTERNS, STATES, Sink, mirror, visit};

/// Units of a weight in a hundredth of a man.
pub(super) const UNITS: f32 = 16.0;
/// The pieces at the start: all middle game there, all ending with none.
pub(super) const MOST_PIECES: i32 = 24;
/// The first bytes of a file of weights; the digit is its version.
const MAGIC: &[u8; 8] = b"CHEVAL1\n";
/// How many weights of patterns are independent: of a state and its mirror one is stored.
pub(super) const FREE_STATES: usize = PATTERNS * STATES;

/// The weights of one feature in the middle game and in the ending, in sixteenths of a hundredth of a man.
pub(super) type Pair = [i16; 2];

/// What each feature is worth, from Black's side.
pub struct Weights {
    states: Vec<Pair>,
    counts: [Pair; COUNTS],
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
    let here = pattern * STATES + state;
    let (other, turned) = mirror(pattern, state);
    let there = other * STATES + turned;
    match here.cmp(&there) {
        std::cmp::Ordering::Less => (here, 1),
        std::cmp::Ordering::Equal => (here, 0),
        std::cmp::Ordering::Greater => (there, -1),
    }
}

impl Weights {
    /// Weights by feature, each in both phases: of free states by place (others are not looked at), then of counts.
    pub(super) fn new(free_states: &[Pair], counts: [Pair; COUNTS]) -> Self {
        let mut states = vec![[0; 2]; FREE_STATES];
        for pattern in 0..PATTERNS {
            for state in 0..STATES {
                let (place, sign) = free_state(pattern, state);
                let free = free_states.get(place).copied().unwrap_or_default();
                states[pattern * STATES + state] = free.map(|weight| weight * sign);
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
        let size = 4 * (FREE_STATES + COUNTS);
        let plain = zstd::bulk::decompress(packed, size).map_err(|_| WeightsError::Damaged)?;
        if plain.len() != size {
            return Err(WeightsError::Damaged);
        }
        // Low bytes of all weights, then high ones: they compress better apart.
        let (low, high) = plain.split_at(size / 2);
        let weights: Vec<i16> = low.iter().zip(high).map(|(low, high)| i16::from_le_bytes([*low, *high])).collect();
        let pairs: Vec<Pair> = weights.as_chunks().0.to_vec();
        let counts = std::array::from_fn(|at| pairs[FREE_STATES + at]);
        Ok(Self::new(&pairs[..FREE_STATES], counts))
    }

    /// The weights as a file.
    ///
    /// # Errors
    /// [`WeightsError::Damaged`] when they cannot be compressed.
    pub fn to_bytes(&self) -> Result<Vec<u8>, WeightsError> {
        let free = (0..FREE_STATES).map(|at| {
            let (place, sign) = free_state(at / STATES, at % STATES);
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
        (sum.middle * pieces + sum.ending * (MOST_PIECES - pieces)) / (MOST_PIECES * UNITS as i32)
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
    fn add(&mut self, [middle, ending]: Pair, times: i32) {
        self.middle += i32::from(middle) * times;
        self.ending += i32::from(ending) * times;
    }
}

impl Sink for Sum<'_> {
    #[inline]
    fn state(&mut self, pattern: usize, state: usize) {
        self.add(self.weights.states[pattern * STATES + state], 1);
    }

    #[inline]
    fn count(&mut self, count: usize, times: i32) {
        self.add(self.weights.counts[count], times);
    }
}
