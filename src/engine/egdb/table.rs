//! Finished values in memory: two bits a place, and a byte for the distance where that is wanted.
//!
//! A slice is cut into *segments*: the positions with the same men. Men never go back, so a segment leads only to itself by
//! king moves, to segments whose men stand further up, and to other slices. Within a segment the place of a position is the
//! rank of my kings times the number of sets of his, plus the rank of his.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use super::board::{EndgameBoard, Law};
use super::sets::{BOARD_SQUARES, MAN_SQUARES, choose, rank, rank_turned};
use super::slice::Slice;
use super::value::{bits_of, value_of_bits};
use crate::board::Value;

/// Where the values of a slice stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SliceShape {
    /// Sets of my men.
    pub(super) my_men: usize,
    /// Sets of his men.
    pub(super) his_men: usize,
    /// Sets of my kings.
    pub(super) my_kings: usize,
    /// Sets of his kings.
    pub(super) his_kings: usize,
}

impl SliceShape {
    pub(super) fn for_slice(slice: Slice) -> Self {
        Self {
            my_men: choose(MAN_SQUARES, slice.my_men) as usize,
            his_men: choose(MAN_SQUARES, slice.his_men) as usize,
            my_kings: choose(BOARD_SQUARES, slice.my_kings) as usize,
            his_kings: choose(BOARD_SQUARES, slice.his_kings) as usize,
        }
    }

    /// How many segments there are; those whose men overlap stay empty.
    pub(super) const fn segments(&self) -> usize {
        self.my_men * self.his_men
    }

    /// How many places a segment has; those where pieces overlap stay empty.
    pub(super) const fn positions(&self) -> usize {
        self.my_kings * self.his_kings
    }

    /// The segment and the place of `board`, which is of this slice.
    #[inline]
    pub(super) fn locate(&self, board: &EndgameBoard) -> (usize, usize) {
        (
            rank(board.my_men) as usize * self.his_men + rank_turned(board.his_men) as usize,
            rank(board.my_kings) as usize * self.his_kings + rank(board.his_kings) as usize,
        )
    }
}

/// The values of one slice.
pub(super) struct SliceTable {
    pub(super) shape: SliceShape,
    /// Bytes of values a segment.
    stride: usize,
    /// Four values a byte; each segment begins a byte.
    values: Vec<AtomicU8>,
    /// Half the distance, rounded down: the value and the law tell whether it is odd.
    distances: Vec<AtomicU8>,
}

impl SliceTable {
    /// A table of `slice` in which everything is a draw.
    pub(super) fn new(slice: Slice, distances: bool) -> Self {
        let shape = SliceShape::for_slice(slice);
        let stride = shape.positions().div_ceil(4);
        let zeros = |count: usize| std::iter::repeat_with(|| AtomicU8::new(0)).take(count).collect();
        Self {
            shape,
            stride,
            values: zeros(shape.segments() * stride),
            distances: zeros(if distances { shape.segments() * shape.positions() } else { 0 }),
        }
    }

    /// Bytes that [`Self::new`] takes.
    pub(super) fn size(slice: Slice, distances: bool) -> u64 {
        let shape = SliceShape::for_slice(slice);
        let values = shape.segments() as u64 * shape.positions().div_ceil(4) as u64;
        values + if distances { shape.segments() as u64 * shape.positions() as u64 } else { 0 }
    }

    /// The value at a place of a segment.
    #[inline]
    pub(super) fn value(&self, segment: usize, place: usize) -> Value {
        let byte = self.values[segment * self.stride + place / 4].load(Ordering::Relaxed);
        value_of_bits(byte >> (place % 4 * 2))
    }

    /// Half the distance at a place of a segment.
    #[inline]
    pub(super) fn half_distance(&self, segment: usize, place: usize) -> u8 {
        self.distances[segment * self.shape.positions() + place].load(Ordering::Relaxed)
    }

    /// Sets the value at a place that is still a draw.
    pub(super) fn set(&self, segment: usize, place: usize, value: Value) {
        // Threads that restore rows may share a byte.
        self.values[segment * self.stride + place / 4].fetch_or(bits_of(value) << (place % 4 * 2), Ordering::Relaxed);
    }

    /// Sets half the distance at a place.
    pub(super) fn set_half_distance(&self, segment: usize, place: usize, half: u8) {
        self.distances[segment * self.shape.positions() + place].store(half, Ordering::Relaxed);
    }

    /// Stores a whole segment: packed values, and half distances where the table has them.
    pub(super) fn store(&self, segment: usize, values: &[u8], distances: &[u8]) {
        let store = |to: &[AtomicU8], from: &[u8]| {
            for (to, &from) in to.iter().zip(from) {
                to.store(from, Ordering::Relaxed);
            }
        };
        store(&self.values[segment * self.stride..][..self.stride], values);
        if !self.distances.is_empty() {
            let places = self.shape.positions();
            store(&self.distances[segment * places..][..places], distances);
        }
    }

    /// Bytes of values a segment.
    pub(super) const fn stride(&self) -> usize {
        self.stride
    }
}

/// The tables at hand, by slice.
#[derive(Clone)]
pub(super) struct Tables {
    pub(super) law: Law,
    slots: Vec<Arc<SliceTable>>,
    none: Arc<SliceTable>,
}

impl Tables {
    /// No tables: every slot holds an empty one.
    pub(super) fn new(law: Law) -> Self {
        let none = SliceShape { my_men: 0, his_men: 0, my_kings: 0, his_kings: 0 };
        let none = Arc::new(SliceTable { shape: none, stride: 0, values: Vec::new(), distances: Vec::new() });
        Self { law, slots: vec![Arc::clone(&none); Slice::SLICE_INDEXES], none }
    }

    /// Puts the table of `slice` in place.
    pub(super) fn insert(&mut self, slice: Slice, table: Arc<SliceTable>) {
        self.slots[slice.index()] = table;
    }

    /// Takes the table of `slice` away.
    pub(super) fn remove(&mut self, slice: Slice) {
        self.slots[slice.index()] = Arc::clone(&self.none);
    }

    /// The table of `slice`.
    #[inline]
    pub(super) fn get(&self, slice: Slice) -> &Arc<SliceTable> {
        &self.slots[slice.index()]
    }

    /// Whether the table of `slice` is here.
    pub(super) fn has(&self, slice: Slice) -> bool {
        !self.get(slice).values.is_empty()
    }

    /// The value for the other side, and the distance in plies if `DISTANCE`, of the position whose words after my move,
    /// as I see them, are `after`. Its table is here.
    #[inline]
    pub(super) fn after<const DISTANCE: bool>(&self, after: &EndgameBoard) -> (Value, u16) {
        if after.his_men | after.his_kings == 0 {
            return (self.law.stuck, 0);
        }
        let table = self.get(after.slice().mirror());
        let shape = &table.shape;
        let segment = rank_turned(after.his_men) as usize * shape.his_men + rank(after.my_men) as usize;
        let place = rank_turned(after.his_kings) as usize * shape.his_kings + rank_turned(after.my_kings) as usize;
        table.at::<DISTANCE>(self.law, segment, place)
    }
}

impl SliceTable {
    /// The value, and the distance in plies if `DISTANCE` (else 0), at a place of a segment.
    #[inline]
    pub(super) fn at<const DISTANCE: bool>(&self, law: Law, segment: usize, place: usize) -> (Value, u16) {
        let value = self.value(segment, place);
        let plies = if DISTANCE { law.plies(value, self.half_distance(segment, place)) } else { 0 };
        (value, plies)
    }
}
