//! Whether a capture is due and how many king moves there are, on 35-bit words.
//!
//! Square index `i` is bit `i + i / 8`, so that a step is a shift by 4 or 5 from every square alike and those over the edge
//! land on bits that are never empty squares (as in the generator of `rules`).

use super::board::Law;

/// The playable squares.
const ALL: u64 = pad(u32::MAX);

/// The set of squares in this layout.
#[inline]
pub(super) const fn pad(set: u32) -> u64 {
    let word = set as u64;
    word & 0xff | (word & 0xff00) << 1 | (word & 0xff_0000) << 2 | (word & 0xff00_0000) << 3
}

/// A position: my pieces, the kings among them, and the same of the other side.
#[derive(Clone, Copy)]
pub(super) struct Padded {
    pub(super) mine: u64,
    pub(super) kings: u64,
    pub(super) his: u64,
    pub(super) his_kings: u64,
}

impl Padded {
    #[inline]
    const fn empty(&self) -> u64 {
        ALL & !(self.mine | self.his)
    }

    /// Whether I must capture.
    #[inline]
    pub(super) const fn must_capture(&self, law: Law) -> bool {
        let (his, empty) = (self.his, self.empty());
        let up = his >> 4 & empty >> 8 | his >> 5 & empty >> 10;
        let down = his << 4 & empty << 8 | his << 5 & empty << 10;
        let back = if law.men_capture_back { self.mine } else { self.kings };
        self.mine & up | back & down != 0
    }

    /// Whether the other side could capture if it were to move.
    #[inline]
    pub(super) const fn is_threatened(&self, law: Law) -> bool {
        let (mine, empty) = (self.mine, self.empty());
        let up = mine >> 4 & empty >> 8 | mine >> 5 & empty >> 10;
        let down = mine << 4 & empty << 8 | mine << 5 & empty << 10;
        let back = if law.men_capture_back { self.his } else { self.his_kings };
        self.his & down | back & up != 0
    }

    /// How many quiet moves my kings have.
    #[inline]
    pub(super) const fn king_moves(&self) -> u32 {
        let (kings, empty) = (self.kings, self.empty());
        (kings & empty >> 4).count_ones()
            + (kings & empty >> 5).count_ones()
            + (kings & empty << 4).count_ones()
            + (kings & empty << 5).count_ones()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::board::Variant;
    use crate::engine::egdb::bits::bits;
    use crate::engine::egdb::board::{EndgameBoard, steps};

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

        #[test]
        fn it_agrees_with_the_board(squares in prop::collection::vec((0_u32..32, 0_u8..4), 1..9)) {
            let mut board = EndgameBoard { my_men: 0, my_kings: 0, his_men: 0, his_kings: 0 };
            for (square, piece) in squares {
                let bit = 1 << square;
                if (board.my_men | board.my_kings | board.his_men | board.his_kings) & bit == 0 {
                    match piece {
                        0 if square < 28 => board.my_men |= bit,
                        1 => board.my_kings |= bit,
                        2 if square >= 4 => board.his_men |= bit,
                        _ => board.his_kings |= bit,
                    }
                }
            }
            let law = Law::for_variant(Variant::English).unwrap();
            let mine = board.my_men | board.my_kings;
            let padded = Padded {
                mine: pad(mine),
                kings: pad(board.my_kings),
                his: pad(board.his_men | board.his_kings),
                his_kings: pad(board.his_kings),
            };
            prop_assert_eq!(padded.must_capture(law), board.must_capture(law));
            prop_assert_eq!(padded.is_threatened(law), board.is_threatened(law));
            prop_assert_eq!(board.is_threatened(law), board.turned().must_capture(law));
            let moves: u32 =
                bits(board.my_kings).map(|king| (steps(king) & !(mine | board.his_men | board.his_kings)).count_ones()).sum();
            prop_assert_eq!(padded.king_moves(), moves);
        }
    }
}
