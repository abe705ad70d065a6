//! A quick hash for exact keys: they are spread well enough by two multiplications, and nobody chooses them to collide.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::rules::PositionKey;

/// A map from positions.
pub(super) type KeyMap<T> = HashMap<PositionKey, T, BuildHasherDefault<KeyHasher>>;

/// Folds the two halves of a key by multiplying and exclusive or.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0.rotate_left(5) ^ u64::from(byte)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
    }

    fn write_u128(&mut self, key: u128) {
        let (high, low) = ((key >> 64) as u64, key as u64);
        let mixed = high.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ low.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        self.0 = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    }
}
