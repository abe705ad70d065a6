//! Positions on 32-bit words as the databases see them, and their moves.
//!
//! Bit `i` is square index `i`. The side to move is *me*, and my men go up, towards greater indices: Black to move stands
//! as it is, White to move turned half round. After a move the words are turned, so that the other side is me.

use crate::board::{Bitboard, Color, Setup, Value, Variant};
use crate::rules::{Crowning, FastPosition, KingRange, ManCaptures, Position, Precedence, RuleSet};

use super::bits::bits;
use super::slice::Slice;

/// The row where my men are crowned.
const CROWN_HEAD: u32 = 0xf000_0000;
/// Rows 0, 2, 4, 6: a step from them is by 4 to the left and 5 to the right, from the others by 3 and 4.
const EVEN_ROWS: u32 = 0x0f0f_0f0f;
/// Squares without a neighbour on the right, in even rows.
const RIGHT_EDGE: u32 = 0x0808_0808;
/// Squares without a neighbour on the left, in odd rows.
const LEFT_EDGE: u32 = 0x1010_1010;

/// What the law of a variant means for its databases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Law {
    /// The value for the side that cannot move.
    pub(super) stuck: Value,
    /// Whether men capture in all directions.
    pub(super) men_capture_back: bool,
}

impl Law {
    /// The law of `variant`, where its databases can be made: kings go one step on 32 squares, a capture ends on the
    /// crown-head, and the choice among captures is free. The Losing Game differs by `stuck` alone.
    pub(super) fn for_variant(variant: Variant) -> Option<Self> {
        let rules = RuleSet::for_variant(variant);
        let fits = variant.geometry().squares() == 32
            && rules.king_range == KingRange::Short
            && rules.crowning == Crowning::EndsMove
            && rules.precedence == Precedence::Free;
        let stuck = match variant {
            Variant::English => Value::Loss,
        };
        fits.then_some(Self { stuck, men_capture_back: rules.man_captures == ManCaptures::Everywhere })
    }

    /// What is stored of a distance: half of it, rounded down; 255 stands for all from 510 plies.
    pub(super) fn half_of(self, plies: u16) -> u8 {
        u8::try_from(plies / 2).unwrap_or(u8::MAX)
    }

    /// The distance in plies of which half, rounded down, is stored: whoever is stuck is so after 0 plies, so the values
    /// tell odd distances from even ones.
    pub(super) fn plies(self, value: Value, half: u8) -> u16 {
        u16::from(half) * 2 + u16::from(value != self.stuck && value != Value::Draw)
    }
}

/// A position as *me* sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct EndgameBoard {
    pub(super) my_men: u32,
    pub(super) my_kings: u32,
    pub(super) his_men: u32,
    pub(super) his_kings: u32,
}

impl EndgameBoard {
    /// The words of `position`, one of a game on 32 squares.
    pub(super) fn from_position(position: &Position) -> Self {
        let turn = position.turn();
        let word = |set: Bitboard| {
            let low = set.0 as u32;
            if turn == Color::Black { low } else { low.reverse_bits() }
        };
        let (mine, his, kings) = (word(position.pieces(turn)), word(position.pieces(!turn)), word(position.kings()));
        Self { my_men: mine & !kings, my_kings: mine & kings, his_men: his & !kings, his_kings: his & kings }
    }

    /// The words of a position as searches hold it.
    #[inline]
    pub(super) fn of_fast(position: &FastPosition) -> Self {
        let squares = position.squares();
        let (mine, his, kings) = match position.turn() {
            Color::Black => (squares.black, squares.white, squares.kings),
            Color::White => {
                let turned = squares.reversed();
                (turned.black, turned.white, turned.kings)
            }
        };
        Self { my_men: mine & !kings, my_kings: mine & kings, his_men: his & !kings, his_kings: his & kings }
    }

    /// The position with Black to move that these words stand for, if it is legal.
    pub(super) fn position(&self, variant: Variant) -> Option<Position> {
        let set = |word: u32| Bitboard(word.into());
        let setup = Setup {
            variant,
            turn: Some(Color::Black),
            black: set(self.my_men | self.my_kings),
            white: set(self.his_men | self.his_kings),
            kings: set(self.my_kings | self.his_kings),
        };
        Position::from_setup(&setup).ok()
    }

    /// How many pieces there are.
    #[inline]
    pub(super) const fn pieces(&self) -> u32 {
        (self.my_men | self.my_kings | self.his_men | self.his_kings).count_ones()
    }

    /// The slice it belongs to.
    #[inline]
    pub(super) const fn slice(&self) -> Slice {
        Slice {
            my_men: self.my_men.count_ones() as u8,
            my_kings: self.my_kings.count_ones() as u8,
            his_men: self.his_men.count_ones() as u8,
            his_kings: self.his_kings.count_ones() as u8,
        }
    }

    /// The same seen from the other side.
    #[inline]
    pub(super) const fn turned(&self) -> Self {
        Self {
            my_men: self.his_men.reverse_bits(),
            my_kings: self.his_kings.reverse_bits(),
            his_men: self.my_men.reverse_bits(),
            his_kings: self.my_kings.reverse_bits(),
        }
    }

    #[inline]
    const fn mine(&self) -> u32 {
        self.my_men | self.my_kings
    }

    #[inline]
    const fn his(&self) -> u32 {
        self.his_men | self.his_kings
    }

    #[inline]
    const fn empty(&self) -> u32 {
        !(self.mine() | self.his())
    }

    /// Whether I must capture.
    #[inline]
    pub(super) const fn must_capture(&self, law: Law) -> bool {
        let (his, empty) = (self.his(), self.empty());
        let back = if law.men_capture_back { self.mine() } else { self.my_kings };
        (up_left(up_left(self.mine()) & his) & empty) != 0
            || (up_right(up_right(self.mine()) & his) & empty) != 0
            || (down_left(down_left(back) & his) & empty) != 0
            || (down_right(down_right(back) & his) & empty) != 0
    }

    /// Whether the other side threatens: it could capture if it were to move.
    #[inline]
    pub(super) const fn is_threatened(&self, law: Law) -> bool {
        let (mine, empty) = (self.mine(), self.empty());
        let back = if law.men_capture_back { self.his() } else { self.his_kings };
        (down_left(down_left(self.his()) & mine) & empty) != 0
            || (down_right(down_right(self.his()) & mine) & empty) != 0
            || (up_left(up_left(back) & mine) & empty) != 0
            || (up_right(up_right(back) & mine) & empty) != 0
    }

    /// Calls `visit` with the words after each of my captures, still as I see them; two routes of one capture are two
    /// calls. `visit` returns whether to go on.
    #[inline]
    pub(super) fn captures(&self, law: Law, visit: &mut impl FnMut(Self) -> bool) -> bool {
        bits(self.my_kings).all(|from| {
            let rest = Self { my_kings: self.my_kings ^ from, ..*self };
            rest.jump(from, 0, rest.empty(), true, 4, visit)
        }) && bits(self.my_men).all(|from| {
            let rest = Self { my_men: self.my_men ^ from, ..*self };
            rest.jump(from, 0, rest.empty(), false, if law.men_capture_back { 4 } else { 2 }, visit)
        })
    }

    /// Goes on with the capture of a piece that has come to `at` and is lifted off the board, so that `empty` holds where it
    /// began. What it `captured` stays on the board until the end. Recursion ends with the pieces that can be taken.
    fn jump(
        &self,
        at: u32,
        captured: u32,
        empty: u32,
        king: bool,
        directions: usize,
        visit: &mut impl FnMut(Self) -> bool,
    ) -> bool {
        let takeable = self.his() & !captured;
        let ways = [
            (up_left(at) & takeable, up_left(up_left(at)) & empty),
            (up_right(at) & takeable, up_right(up_right(at)) & empty),
            (down_left(at) & takeable, down_left(down_left(at)) & empty),
            (down_right(at) & takeable, down_right(down_right(at)) & empty),
        ];
        let mut ended = true;
        for (over, to) in ways.into_iter().take(directions) {
            if over != 0 && to != 0 {
                ended = false;
                let crowned = !king && to & CROWN_HEAD != 0;
                let goes_on = if crowned {
                    visit(self.landed(to, captured | over, true))
                } else {
                    self.jump(to, captured | over, empty, king, directions, visit)
                };
                if !goes_on {
                    return false;
                }
            }
        }
        if ended && captured != 0 { visit(self.landed(at, captured, king)) } else { true }
    }

    const fn landed(&self, at: u32, captured: u32, king: bool) -> Self {
        Self {
            my_men: if king { self.my_men } else { self.my_men | at },
            my_kings: if king { self.my_kings | at } else { self.my_kings },
            his_men: self.his_men & !captured,
            his_kings: self.his_kings & !captured,
        }
    }

    /// Calls `visit` with the words after each of my quiet moves, still as I see them. `visit` returns whether to go on.
    #[inline]
    pub(super) fn quiet(&self, visit: &mut impl FnMut(Self) -> bool) -> bool {
        let empty = self.empty();
        bits(self.my_kings).all(|from| {
            bits(steps(from) & empty).all(|to| visit(Self { my_kings: self.my_kings ^ from | to, ..*self }))
        }) && self.man_moves(visit)
    }

    /// The same for the moves of my men alone.
    #[inline]
    pub(super) fn man_moves(&self, visit: &mut impl FnMut(Self) -> bool) -> bool {
        let empty = self.empty();
        bits(self.my_men).all(|from| {
            bits(steps_up(from) & empty).all(|to| {
                let men = self.my_men ^ from;
                visit(if to & CROWN_HEAD == 0 {
                    Self { my_men: men | to, ..*self }
                } else {
                    Self { my_men: men, my_kings: self.my_kings | to, ..*self }
                })
            })
        })
    }

    /// Calls `visit` with the words after each of my legal moves, as the other side sees them.
    #[inline]
    pub(super) fn successors(&self, law: Law, visit: &mut impl FnMut(Self) -> bool) -> bool {
        let mut turned = |next: Self| visit(next.turned());
        if self.must_capture(law) { self.captures(law, &mut turned) } else { self.quiet(&mut turned) }
    }
}

/// One step towards greater indices on the left, that is, towards lesser columns.
#[inline]
const fn up_left(x: u32) -> u32 {
    (x & EVEN_ROWS) << 4 | (x & !EVEN_ROWS & !LEFT_EDGE) << 3
}

#[inline]
const fn up_right(x: u32) -> u32 {
    (x & EVEN_ROWS & !RIGHT_EDGE) << 5 | (x & !EVEN_ROWS) << 4
}

#[inline]
const fn down_left(x: u32) -> u32 {
    (x & EVEN_ROWS) >> 4 | (x & !EVEN_ROWS & !LEFT_EDGE) >> 5
}

#[inline]
const fn down_right(x: u32) -> u32 {
    (x & EVEN_ROWS & !RIGHT_EDGE) >> 3 | (x & !EVEN_ROWS) >> 4
}

/// The squares one step up from those of `from`.
#[inline]
pub(super) const fn steps_up(from: u32) -> u32 {
    up_left(from) | up_right(from)
}

/// The squares one step from those of `from` in any direction.
#[inline]
pub(super) const fn steps(from: u32) -> u32 {
    up_left(from) | up_right(from) | down_left(from) | down_right(from)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::board::Square;

    /// A legal position of up to eight pieces, from random numbers.
    fn position(pieces: &[(u8, u8)], turn: Color) -> Option<Position> {
        let mut setup = Setup { turn: Some(turn), ..Setup::empty(Variant::English) };
        for &(square, piece) in pieces {
            let square = Square::new(square);
            if setup.piece_at(square).is_none() {
                if piece & 1 == 0 {
                    setup.black.insert(square);
                } else {
                    setup.white.insert(square);
                }
                if piece & 2 == 0 {
                    setup.kings.insert(square);
                }
            }
        }
        Position::from_setup(&setup).ok()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

        /// The compact mover and the rules have the same moves, and agree on who must capture.
        #[test]
        fn moves_are_those_of_the_rules(
            pieces in prop::collection::vec((0_u8..32, 0_u8..4), 1..9),
            white: bool,
        ) {
            let turn = if white { Color::White } else { Color::Black };
            let Some(position) = position(&pieces, turn) else { return Ok(()) };
            let law = Law::for_variant(Variant::English).unwrap();
            let board = EndgameBoard::from_position(&position);
            prop_assert_eq!(board.must_capture(law), position.must_capture());
            let key = |board: &EndgameBoard| (board.my_men, board.my_kings, board.his_men, board.his_kings);
            let mut found = Vec::new();
            board.successors(law, &mut |next| { found.push(key(&next)); true });
            let moves = position.legal_moves();
            let mut expected: Vec<_> =
                moves.iter().map(|m| key(&EndgameBoard::from_position(&position.play_unchecked(m)))).collect();
            found.sort_unstable();
            found.dedup();
            expected.sort_unstable();
            expected.dedup();
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn words_go_to_positions_and_back(pieces in prop::collection::vec((0_u8..32, 0_u8..4), 1..9)) {
            let Some(position) = position(&pieces, Color::Black) else { return Ok(()) };
            prop_assert_eq!(EndgameBoard::from_position(&position).position(Variant::English), Some(position));
            prop_assert_eq!(EndgameBoard::from_position(&position), EndgameBoard::from_position(&position.reversed()));
            prop_assert_eq!(EndgameBoard::from_position(&position).turned().turned(), EndgameBoard::from_position(&position));
        }
    }
}
