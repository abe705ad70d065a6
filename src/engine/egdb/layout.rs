//! The order of places in a file: rows of kings that stand in every way beside the same other pieces.
//!
//! A row is a segment and a set of one side's kings; along it the other side's kings go through all their sets. Which side's
//! kings run along the rows is chosen for each half of a file, whichever packs better. Places where pieces would share a
//! square are part of the order, so that a place is found by arithmetic alone; they hold nothing.

use super::board::{EndgameBoard, Law};
use super::padded::{Padded, pad};
use super::sets::{KingSets, MAN_SQUARES, rank, rank_turned, sets};
use super::slice::Slice;
use super::table::SliceShape;

/// Which kings run along the rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Along {
    /// Those of the side to move.
    Mine,
    /// Those of the other side.
    His,
}

/// The order of the places of one slice.
pub(super) struct Layout {
    slice: Slice,
    shape: SliceShape,
    along: Along,
    my_men: Vec<u32>,
    /// As the other side sees them.
    his_men: Vec<u32>,
    my_kings: &'static KingSets,
    his_kings: &'static KingSets,
}

/// A position of a row.
pub(super) struct InRow {
    /// How far along the row it stands.
    pub(super) column: usize,
    /// Its segment and place in a table.
    pub(super) segment: usize,
    pub(super) index: usize,
    pub(super) board: EndgameBoard,
    padded: Padded,
}

impl InRow {
    /// Whether the side to move must capture.
    #[inline]
    pub(super) const fn must_capture(&self, law: Law) -> bool {
        self.padded.must_capture(law)
    }

    /// Whether the other side threatens to capture.
    #[inline]
    pub(super) const fn is_threatened(&self, law: Law) -> bool {
        self.padded.is_threatened(law)
    }
}

/// The number of rows of a slice and their length.
pub(super) const fn rows_of(shape: &SliceShape, along: Along) -> (usize, usize) {
    match along {
        Along::His => (shape.segments() * shape.my_kings, shape.his_kings),
        Along::Mine => (shape.segments() * shape.his_kings, shape.my_kings),
    }
}

/// The row and the column of `board`, one of the slice of this shape.
#[inline]
pub(super) fn find(shape: &SliceShape, along: Along, board: &EndgameBoard) -> (usize, usize) {
    let segment = rank(board.my_men) as usize * shape.his_men + rank_turned(board.his_men) as usize;
    let (mine, his) = (rank(board.my_kings) as usize, rank(board.his_kings) as usize);
    match along {
        Along::His => (segment * shape.my_kings + mine, his),
        Along::Mine => (segment * shape.his_kings + his, mine),
    }
}

impl Layout {
    pub(super) fn new(slice: Slice, along: Along) -> Self {
        Self {
            slice,
            shape: SliceShape::for_slice(slice),
            along,
            my_men: sets(MAN_SQUARES, slice.my_men).collect(),
            his_men: sets(MAN_SQUARES, slice.his_men).collect(),
            my_kings: KingSets::for_kings(slice.my_kings),
            his_kings: KingSets::for_kings(slice.his_kings),
        }
    }

    /// The slice.
    pub(super) const fn slice(&self) -> Slice {
        self.slice
    }

    /// How many rows there are.
    pub(super) const fn rows(&self) -> usize {
        rows_of(&self.shape, self.along).0
    }

    /// How many places a row has.
    pub(super) const fn row_length(&self) -> usize {
        rows_of(&self.shape, self.along).1
    }

    /// Calls `visit` with the positions of a row, in order.
    #[inline]
    pub(super) fn row(&self, row: usize, mut visit: impl FnMut(&InRow)) {
        let (across, along) = match self.along {
            Along::His => (self.my_kings, self.his_kings),
            Along::Mine => (self.his_kings, self.my_kings),
        };
        let (segment, fixed) = (row / across.count(), row % across.count());
        let my_men = self.my_men[segment / self.shape.his_men];
        let his_men = self.his_men[segment % self.shape.his_men].reverse_bits();
        let fixed_kings = across.sets[fixed];
        if my_men & his_men != 0 || fixed_kings & (my_men | his_men) != 0 {
            return;
        }
        let occupied = my_men | his_men | fixed_kings;
        let (my_men_padded, his_men_padded, fixed_padded) = (pad(my_men), pad(his_men), pad(fixed_kings));
        for (column, (&kings, &padded)) in along.sets.iter().zip(&along.padded).enumerate() {
            if kings & occupied != 0 {
                continue;
            }
            let (my_kings, his_kings, place) = match self.along {
                Along::His => (fixed_kings, kings, fixed * self.shape.his_kings + column),
                Along::Mine => (kings, fixed_kings, column * self.shape.his_kings + fixed),
            };
            let (mine, his) = match self.along {
                Along::His => (fixed_padded, padded),
                Along::Mine => (padded, fixed_padded),
            };
            visit(&InRow {
                column,
                segment,
                index: place,
                board: EndgameBoard { my_men, my_kings, his_men, his_kings },
                padded: Padded { mine: my_men_padded | mine, kings: mine, his: his_men_padded | his, his_kings: his },
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_found_where_it_stands() {
        for name in ["KMvK", "MvKK", "KMvMM", "KKvM"] {
            let slice = Slice::from_name(name).unwrap();
            for along in [Along::Mine, Along::His] {
                let layout = Layout::new(slice, along);
                for row in 0..layout.rows() {
                    layout.row(row, |found| {
                        assert_eq!(find(&layout.shape, along, &found.board), (row, found.column), "{name}");
                        assert_eq!(layout.shape.locate(&found.board), (found.segment, found.index), "{name}");
                        assert_eq!(found.board.slice(), slice);
                    });
                }
            }
        }
    }
}
