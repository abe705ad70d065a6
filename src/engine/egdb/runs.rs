//! Runs of equal values as bytes.
//!
//! A byte is a value (0 draw, 1 win, 2 loss) times 85 plus a length class. Classes 0 to 80 are runs of 1 to 81 places; 81 to
//! 84 are longer ones whose length, less what the classes below reach, follows in 1, 2, 3 or 4 bytes, least first. A place
//! whose value nobody asks for belongs to whichever run it falls into.
//!
//! Unpacked runs are searched from *marks*, one every so many places, so that a look-up walks over some thirty bytes.

use super::value::{bits_of, value_of_bits};
use crate::board::Value;
/// Lengths that fit in the byte itself.
const MAX_SHORT_RUN: u64 = 81;
/// How many classes a value has.
const LENGTH_CLASSES: u8 = 85;
/// Bytes of runs between two marks, about.
const BYTES_PER_MARK: usize = 32;

/// Writes runs.
#[derive(Default)]
pub(super) struct RunWriter {
    bytes: Vec<u8>,
    current: Option<Value>,
    start: u64,
}

impl RunWriter {
    /// The value at `at`, which is greater than before.
    #[inline]
    pub(super) fn put(&mut self, at: u64, value: Value) {
        if self.current == Some(value) {
            return;
        }
        if let Some(current) = self.current {
            self.run(current, at - self.start);
            self.start = at;
        }
        self.current = Some(value);
    }

    /// The bytes of all runs, the last of which goes to `end`.
    pub(super) fn finish(mut self, end: u64) -> Vec<u8> {
        self.run(self.current.unwrap_or(Value::Draw), end - self.start);
        self.bytes
    }

    fn run(&mut self, value: Value, length: u64) {
        let first = bits_of(value) * LENGTH_CLASSES;
        let mut rest = length - 1;
        if rest < MAX_SHORT_RUN {
            self.bytes.push(first + rest as u8);
            return;
        }
        rest -= MAX_SHORT_RUN;
        for width in 1..=3_u32 {
            if rest < 1 << (8 * width) {
                return self.long(first, width, rest);
            }
            rest -= 1 << (8 * width);
        }
        self.long(first, 4, rest);
    }

    fn long(&mut self, first: u8, width: u32, rest: u64) {
        self.bytes.push(first + MAX_SHORT_RUN as u8 + width as u8 - 1);
        self.bytes.extend_from_slice(&rest.to_le_bytes()[..width as usize]);
    }
}

/// The run that begins at `at`: value, length, and where the next begins. `None` past the end or where bytes are missing.
#[inline]
fn read_run(bytes: &[u8], at: usize) -> Option<(Value, u64, usize)> {
    let byte = *bytes.get(at)?;
    let (value, class) = (byte / LENGTH_CLASSES, u64::from(byte % LENGTH_CLASSES));
    if class < MAX_SHORT_RUN {
        return Some((value_of_bits(value), class + 1, at + 1));
    }
    let width = (class - MAX_SHORT_RUN) as usize + 1;
    let tail = bytes.get(at + 1..at + 1 + width)?;
    let (mut length, mut less) = (0_u64, MAX_SHORT_RUN + 1);
    for (place, &byte) in tail.iter().enumerate() {
        length |= u64::from(byte) << (8 * place);
        if place > 0 {
            less += 1 << (8 * place);
        }
    }
    Some((value_of_bits(value), length + less, at + 1 + width))
}

/// Reads runs from the beginning.
pub(super) struct RunReader<'a> {
    bytes: &'a [u8],
    next: usize,
    value: Value,
    /// Where the current run ends.
    end: u64,
}

impl<'a> RunReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, next: 0, value: Value::Draw, end: 0 }
    }

    /// The value at `place`, not before one asked for already; past the end that of the last run.
    #[inline]
    pub(super) fn get(&mut self, place: u64) -> Value {
        while place >= self.end && self.advance() {}
        self.value
    }

    fn advance(&mut self) -> bool {
        let Some((value, length, next)) = read_run(self.bytes, self.next) else { return false };
        (self.value, self.end, self.next) = (value, self.end + length, next);
        true
    }

    /// Whether all runs together have so many places.
    pub(super) fn ends_at(&mut self, places: u64) -> bool {
        while self.advance() {}
        self.end == places && self.next == self.bytes.len()
    }
}

/// Runs in memory, ready to be searched.
pub(super) struct Runs {
    bytes: Box<[u8]>,
    /// Where the run stands that holds each marked place, and the place where it begins.
    marks: Box<[(u32, u32)]>,
    shift: u32,
}

impl Runs {
    /// Checks that `bytes` are runs of `places` places together, and sets the marks. `None` if they are not.
    pub(super) fn new(bytes: Vec<u8>, places: u64) -> Option<Self> {
        let wanted = places.saturating_mul(BYTES_PER_MARK as u64) / bytes.len().max(1) as u64;
        let shift = wanted.max(1).ilog2();
        let mut marks = Vec::with_capacity((places >> shift) as usize + 1);
        let (mut at, mut start) = (0, 0);
        while at < bytes.len() {
            let (_, length, next) = read_run(&bytes, at)?;
            while (marks.len() as u64) << shift < start + length {
                marks.push((u32::try_from(at).ok()?, u32::try_from(start).ok()?));
            }
            (at, start) = (next, start + length);
            if start > places {
                return None;
            }
        }
        (start == places).then(|| Self { bytes: bytes.into(), marks: marks.into(), shift })
    }

    /// The value at `place`, which is one of those there are; past the end a draw.
    #[inline]
    pub(super) fn get(&self, place: u64) -> Value {
        let Some(&(at, start)) = self.marks.get((place >> self.shift) as usize) else { return Value::Draw };
        let (mut at, mut start) = (at as usize, u64::from(start));
        while let Some((value, length, next)) = read_run(&self.bytes, at) {
            start += length;
            if place < start {
                return value;
            }
            at = next;
        }
        Value::Draw
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_put_is_found(runs in prop::collection::vec((0_u8..3, prop_oneof![1_u64..100, 300_u64..400, 60_000_u64..70_000]), 1..60)) {
            let mut writer = RunWriter::default();
            let (mut at, mut expected) = (0, Vec::new());
            for &(value, length) in &runs {
                for place in [at, at + length / 2, at + length - 1] {
                    writer.put(place, value_of_bits(value));
                    expected.push((place, value_of_bits(value)));
                }
                at += length;
            }
            let bytes = writer.finish(at);
            let unpacked = Runs::new(bytes.clone(), at).unwrap();
            for (place, value) in expected {
                prop_assert_eq!(unpacked.get(place), value);
            }
            prop_assert!(Runs::new(bytes.clone(), at + 1).is_none());
            prop_assert!(Runs::new(bytes[..bytes.len() - 1].to_vec(), at).is_none());
        }
    }

    #[test]
    fn lengths_at_the_edges_of_classes_come_back() {
        for length in [1, 81, 82, 337, 338, 65_873, 65_874, 16_843_089, 16_843_090, 1 << 30] {
            let mut writer = RunWriter::default();
            writer.put(0, Value::Win);
            writer.put(length, Value::Loss);
            let runs = Runs::new(writer.finish(length + 1), length + 1).unwrap();
            assert_eq!((runs.get(length - 1), runs.get(length)), (Value::Win, Value::Loss), "{length}");
        }
    }
}
