//! The fast generator of English draughts, on 35-bit words.
//!
//! Square index `i` is bit `i + i / 8`: after every second row one *ghost* bit stands where a step over the edge of the
//! board lands. So a step is a shift by 4 or 5 from every square alike, and masking with the empty squares, which never
//! hold a ghost, removes the steps that leave the board:
//!
//! ```text
//!      0   1   2   3        squares  1..4
//!    4   5   6   7          squares  5..8
//!  8   9  10  11  12        ghost 8, squares  9..12
//!   13  14  15  16          squares 13..16
//! ```
//!
//! Why no code here crowns in the middle of a capture: a man that jumps onto the crown-head has no square ahead of it, so
//! its capture ends there by itself, as the law wants.

use smallvec::SmallVec;

use crate::board::{Bitboard, CapturePath, Color, Move, Square};

use super::{MoveList, Position};

/// The playable squares.
const ALL: u64 = pad(Bitboard(0xffff_ffff));
/// Two routes of a king that take the same pieces part somewhere, and each must come back for what the other takes first:
/// a way round, which is four jumps at least. Shorter captures need no comparison.
const MIN_AMBIGUOUS_CAPTURES: usize = 4;
/// A side has at most twelve pieces to lose, so a route visits at most thirteen squares.
const MAX_ROUTE_SQUARES: usize = 13;

/// The words of a position: the side to move and the other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct OrientedBoard {
    pub(super) own: u64,
    pub(super) other: u64,
    pub(super) kings: u64,
}

/// The side to move, as a type: each function is compiled once for either side, without turning the board.
pub(super) trait Side {
    type Other: Side;
    /// The row where this side's men are crowned.
    const CROWN_HEAD: u64;
    /// One step the way this side's men go; `step` is 4 or 5.
    fn ahead(word: u64, step: u32) -> u64;
    /// How many squares two sets have together. Neither may touch the crown-head: 31 bits each, so that one count of 64
    /// bits does for both.
    fn count_both(a: u64, b: u64) -> u32;
}

/// White to move: towards lower numbers.
pub(super) struct White;
/// Black to move: towards greater numbers.
pub(super) struct Black;

impl Side for White {
    type Other = Black;
    const CROWN_HEAD: u64 = 0xf;
    #[inline]
    fn ahead(word: u64, step: u32) -> u64 {
        word >> step
    }
    #[inline]
    fn count_both(a: u64, b: u64) -> u32 {
        (a >> 4 | b << 28).count_ones()
    }
}

impl Side for Black {
    type Other = White;
    const CROWN_HEAD: u64 = 0xf << 31;
    #[inline]
    fn ahead(word: u64, step: u32) -> u64 {
        word << step
    }
    #[inline]
    fn count_both(a: u64, b: u64) -> u32 {
        (a | b << 32).count_ones()
    }
}

/// One step back for `S`: the way the other side's men go.
#[inline]
pub(super) fn back<S: Side>(word: u64, step: u32) -> u64 {
    S::Other::ahead(word, step)
}

/// Squares from which a step or a jump in each direction succeeds, whatever stands there.
pub(super) struct Ways {
    /// A step ahead by 4, ahead by 5, back by 4, back by 5.
    pub(super) steps: [u64; 4],
    /// A jump, likewise.
    pub(super) jumps: [u64; 4],
}

impl OrientedBoard {
    /// The words of `position`, which is one of English draughts.
    pub(super) const fn from_position(position: &Position) -> Self {
        let own = position.pieces(position.turn());
        let other = match position.turn() {
            Color::Black => position.pieces(Color::White),
            Color::White => position.pieces(Color::Black),
        };
        Self { own: pad(own), other: pad(other), kings: pad(position.kings()) }
    }

    const fn empty(&self) -> u64 {
        ALL & !(self.own | self.other)
    }

    #[inline]
    pub(super) fn ways<S: Side>(&self) -> Ways {
        let empty = self.empty();
        let steps = [back::<S>(empty, 4), back::<S>(empty, 5), S::ahead(empty, 4), S::ahead(empty, 5)];
        let [a4, a5, b4, b5] = steps.map(|behind| behind & self.other);
        Ways { steps, jumps: [back::<S>(a4, 4), back::<S>(a5, 5), S::ahead(b4, 4), S::ahead(b5, 5)] }
    }

    /// The own pieces that can go some way of `ways`: all of them ahead, kings also back.
    #[inline]
    pub(super) const fn able(&self, [a4, a5, b4, b5]: [u64; 4]) -> u64 {
        self.own & (a4 | a5 | (self.kings & (b4 | b5)))
    }

    /// The empty squares one step from the own piece on `from`.
    #[inline]
    fn steps_from<S: Side>(&self, from: u64) -> u64 {
        let ahead = S::ahead(from, 4) | S::ahead(from, 5);
        let back = if self.kings & from == 0 { 0 } else { back::<S>(from, 4) | back::<S>(from, 5) };
        (ahead | back) & self.empty()
    }

    /// The board after the piece on `from` went to `to` taking `captured`: the other side's turn. All are sets of bits.
    #[inline]
    pub(super) const fn after<S: Side>(&self, from: u64, to: u64, captured: u64) -> Self {
        let crowned = if self.kings & from != 0 { to } else { to & S::CROWN_HEAD };
        Self {
            own: self.other & !captured,
            other: self.own & !from | to,
            kings: self.kings & !(from | captured) | crowned,
        }
    }

    /// Calls `visit` with the end and the captured set of every capture of the piece on `from`: each once when `UNIQUE`,
    /// else once a route. `jumps` are those of [`Self::ways`].
    #[inline]
    pub(super) fn captures<S: Side, const UNIQUE: bool>(
        &self,
        from: u64,
        jumps: &[u64; 4],
        visit: &mut impl FnMut(u64, u64),
    ) {
        if self.kings & from == 0 {
            man_captures::<S>(from, 0, jumps, visit);
        } else {
            self.king_captures::<S, UNIQUE>(from, visit);
        }
    }

    /// Calls `visit` with the ends and the captured set of every legal move (or every route, unless `UNIQUE`).
    #[inline]
    pub(super) fn each_step<S: Side, const UNIQUE: bool>(&self, mut visit: impl FnMut(u64, u64, u64)) {
        let ways = self.ways::<S>();
        let jumpers = self.able(ways.jumps);
        if jumpers != 0 {
            for from in bits(jumpers) {
                self.captures::<S, UNIQUE>(from, &ways.jumps, &mut |to, captured| visit(from, to, captured));
            }
            return;
        }
        let kings = self.own & self.kings;
        for from in bits(self.own & ways.steps[0]) {
            visit(from, S::ahead(from, 4), 0);
        }
        for from in bits(self.own & ways.steps[1]) {
            visit(from, S::ahead(from, 5), 0);
        }
        for from in bits(kings & ways.steps[2]) {
            visit(from, back::<S>(from, 4), 0);
        }
        for from in bits(kings & ways.steps[3]) {
            visit(from, back::<S>(from, 5), 0);
        }
    }

    fn king_captures<S: Side, const UNIQUE: bool>(&self, from: u64, visit: &mut impl FnMut(u64, u64)) {
        let mut seen: SmallVec<[(u64, u64); 4]> = SmallVec::new();
        self.routes::<S>(from, &mut |squares, captured| {
            let to = squares[squares.len() - 1];
            if UNIQUE && squares.len() > MIN_AMBIGUOUS_CAPTURES {
                if seen.contains(&(to, captured)) {
                    return;
                }
                seen.push((to, captured));
            }
            visit(to, captured);
        });
    }

    /// Calls `visit` with the squares (each a bit) and the captured set of every capturing route of the piece on `from`.
    fn routes<S: Side>(&self, from: u64, visit: &mut impl FnMut(&[u64], u64)) {
        let mut route = Route { squares: [0; MAX_ROUTE_SQUARES], jumps: 0 };
        route.squares[0] = from;
        let directions = if self.kings & from == 0 { 2 } else { 4 };
        self.extend::<S>(&mut route, from, self.other, directions, visit);
    }

    /// Goes on from the end of `route`. Captured pieces left `takeable` but stay on the board as obstacles. Recursion
    /// ends with the pieces that can be taken, twelve at most.
    fn extend<S: Side>(
        &self,
        route: &mut Route,
        at: u64,
        takeable: u64,
        directions: usize,
        visit: &mut impl FnMut(&[u64], u64),
    ) {
        let free = self.empty() | route.squares[0];
        let overs = [S::ahead(at, 4), S::ahead(at, 5), back::<S>(at, 4), back::<S>(at, 5)].map(|over| over & takeable);
        let landings = [S::ahead(overs[0], 4), S::ahead(overs[1], 5), back::<S>(overs[2], 4), back::<S>(overs[3], 5)];
        let mut ended = true;
        for (over, to) in overs.into_iter().zip(landings).take(directions) {
            let to = to & free;
            if to != 0 {
                ended = false;
                route.jumps += 1;
                route.squares[route.jumps] = to;
                self.extend::<S>(route, to, takeable & !over, directions, visit);
                route.jumps -= 1;
            }
        }
        if ended && route.jumps > 0 {
            visit(&route.squares[..=route.jumps], self.other & !takeable);
        }
    }
}

/// Calls `visit` with the end and the captured set of every capture of a man that has come to `at` taking `captured`. All
/// its jumps go ahead, so no two routes take the same pieces and none meets a piece that it has taken: it goes on exactly
/// where a man standing on `at` could jump, three times at most.
#[inline]
pub(super) fn man_captures<S: Side>(at: u64, captured: u64, jumps: &[u64; 4], visit: &mut impl FnMut(u64, u64)) {
    if at & (jumps[0] | jumps[1]) == 0 {
        visit(at, captured);
        return;
    }
    if at & jumps[0] != 0 {
        man_captures::<S>(S::ahead(at, 8), captured | S::ahead(at, 4), jumps, visit);
    }
    if at & jumps[1] != 0 {
        man_captures::<S>(S::ahead(at, 10), captured | S::ahead(at, 5), jumps, visit);
    }
}

/// The squares visited so far, each as a bit.
struct Route {
    squares: [u64; MAX_ROUTE_SQUARES],
    jumps: usize,
}

/// The set of squares as a word of this layout.
pub(super) const fn pad(set: Bitboard) -> u64 {
    let word = set.0 as u64;
    word & 0xff | (word & 0xff00) << 1 | (word & 0xff_0000) << 2 | (word & 0xff00_0000) << 3
}

/// The set of squares that a word of this layout stands for; ghosts must be masked out.
pub(super) const fn unpad(word: u64) -> Bitboard {
    let set = word & 0xff | word >> 1 & 0xff00 | word >> 2 & 0xff_0000 | word >> 3 & 0xff00_0000;
    Bitboard(set as u128)
}

/// The square of a single bit.
pub(super) const fn square(bit: u64) -> Square {
    let place = bit.trailing_zeros() as u8;
    Square::new(place - place / 9)
}

/// The bit of `square`, or 0 when it is not on this board.
const fn bit(square: Square) -> u64 {
    if square.index() < 32 { 1 << (square.index() + square.index() / 8) } else { 0 }
}

/// The bits of a word one by one, ascending.
pub(super) fn bits(word: u64) -> impl Iterator<Item = u64> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let lowest = rest & rest.wrapping_neg();
        rest ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

/// The value of an expression in which a name stands for the [`Side`] to move of a position.
macro_rules! by_side {
    ($position:expr, $side:ident => $value:expr) => {
        match $position.turn() {
            $crate::board::Color::White => {
                type $side = $crate::rules::english::White;
                $value
            }
            $crate::board::Color::Black => {
                type $side = $crate::rules::english::Black;
                $value
            }
        }
    };
}
pub(super) use by_side;

/// [`Position::legal_moves`].
pub(super) fn legal_moves(position: &Position) -> MoveList {
    by_side!(position, S => moves_of::<S>(&OrientedBoard::from_position(position)))
}

fn moves_of<S: Side>(board: &OrientedBoard) -> MoveList {
    let ways = board.ways::<S>();
    let mut moves = MoveList::new();
    let jumpers = board.able(ways.jumps);
    if jumpers == 0 {
        for from in bits(board.able(ways.steps)) {
            moves.extend(bits(board.steps_from::<S>(from)).map(|to| written(from, to, 0)));
        }
        return moves;
    }
    for from in bits(jumpers) {
        board.captures::<S, true>(from, &ways.jumps, &mut |to, captured| moves.push(written(from, to, captured)));
    }
    moves.sort_unstable();
    moves
}

/// The move of these bits.
const fn written(from: u64, to: u64, captured: u64) -> Move {
    Move { from: square(from), to: square(to), captured: unpad(captured) }
}

/// [`Position::find_moves`].
pub(super) fn find_moves(position: &Position, from: Square, to: Square) -> SmallVec<[Move; 2]> {
    by_side!(position, S => find::<S>(&OrientedBoard::from_position(position), bit(from), bit(to)))
}

fn find<S: Side>(board: &OrientedBoard, from: u64, to: u64) -> SmallVec<[Move; 2]> {
    let mut found = SmallVec::new();
    if from & board.own == 0 || to == 0 {
        return found;
    }
    let ways = board.ways::<S>();
    let jumpers = board.able(ways.jumps);
    if jumpers == 0 {
        if board.steps_from::<S>(from) & to != 0 {
            found.push(written(from, to, 0));
        }
    } else if jumpers & from != 0 {
        board.captures::<S, true>(from, &ways.jumps, &mut |end, captured| {
            if end == to {
                found.push(written(from, to, captured));
            }
        });
        found.sort_unstable();
    }
    found
}

/// [`Position::must_capture`].
pub(super) fn must_capture(position: &Position) -> bool {
    let board = OrientedBoard::from_position(position);
    by_side!(position, S => board.able(board.ways::<S>().jumps)) != 0
}

/// [`Position::has_legal_move`].
pub(super) fn has_legal_move(position: &Position) -> bool {
    let board = OrientedBoard::from_position(position);
    let ways = by_side!(position, S => board.ways::<S>());
    board.able(ways.steps) | board.able(ways.jumps) != 0
}

/// [`Position::capture_paths`].
pub(super) fn capture_paths(position: &Position) -> Vec<CapturePath> {
    let board = OrientedBoard::from_position(position);
    let mut paths = Vec::new();
    let mut visit = |squares: &[u64], captured| {
        let squares = squares.iter().map(|&bit| square(bit)).collect();
        paths.push(CapturePath { squares, captured: unpad(captured) });
    };
    by_side!(position, S => {
        bits(board.able(board.ways::<S>().jumps)).for_each(|from| board.routes::<S>(from, &mut visit));
    });
    paths.sort_unstable();
    paths
}
