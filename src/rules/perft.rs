//! Perft: how many legal lines of a given number of plies a position has.
//!
//! The counts are the check on the generator, and its speed the measure of it. The last ply is counted in bulk: its moves
//! are counted as sets, never made.

use crate::board::{Move, Variant};

use super::Position;
use super::english::{OrientedBoard, Side, back, bits, by_side, man_captures};

/// The number of lines of `depth` plies from `position`, as unique moves: two routes with the same ends and captured
/// pieces are one move.
///
/// # Examples
/// ```
/// use crownhead::board::Variant;
/// use crownhead::rules::{Position, perft};
///
/// assert_eq!(perft(&Position::start(Variant::English), 6), 36_768);
/// ```
#[must_use]
pub fn perft(position: &Position, depth: u8) -> u64 {
    match position.variant() {
        Variant::English => by_side!(position, S => lines::<S, true>(&OrientedBoard::from_position(position), depth)),
    }
}

/// The number of lines of `depth` plies from `position`, with each route of a capture counted.
#[must_use]
pub fn perft_paths(position: &Position, depth: u8) -> u64 {
    match position.variant() {
        Variant::English => by_side!(position, S => lines::<S, false>(&OrientedBoard::from_position(position), depth)),
    }
}

/// Each legal move, ascending, with the number of lines of `depth` plies that begin with it, by unique moves; the sum is
/// [`perft`] of the same depth. Empty at depth 0.
#[must_use]
pub fn divide(position: &Position, depth: u8) -> Vec<(Move, u64)> {
    let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
    position.legal_moves().iter().map(|each| (*each, perft(&position.play_unchecked(each), rest))).collect()
}

/// The lines of `depth` plies. Recursion is as deep as `depth`, 255 at most. Depth 2 is a case of its own so that the
/// counting is compiled into its loop.
fn lines<S: Side, const UNIQUE: bool>(board: &OrientedBoard, depth: u8) -> u64 {
    let mut sum = 0;
    match depth {
        0 => return 1,
        1 => return count::<S, UNIQUE>(board),
        2 => each_next::<S, UNIQUE>(board, |next| sum += count::<S::Other, UNIQUE>(next)),
        _ => each_next::<S, UNIQUE>(board, |next| sum += lines::<S::Other, UNIQUE>(next, depth - 1)),
    }
    sum
}

/// Calls `visit` with the board after each legal move (or each route, unless `UNIQUE`).
#[inline]
fn each_next<S: Side, const UNIQUE: bool>(board: &OrientedBoard, mut visit: impl FnMut(&OrientedBoard)) {
    board.each_step::<S, UNIQUE>(|from, to, captured| visit(&board.after::<S>(from, to, captured)));
}

/// The number of legal moves (or routes, unless `UNIQUE`).
#[inline]
fn count<S: Side, const UNIQUE: bool>(board: &OrientedBoard) -> u64 {
    let ways = board.ways::<S>();
    let kings = board.own & board.kings;
    let jumpers = board.able(ways.jumps);
    if jumpers == 0 {
        let ahead = S::count_both(board.own & ways.steps[0], board.own & ways.steps[1]);
        if kings == 0 {
            return u64::from(ahead);
        }
        return u64::from(ahead + S::Other::count_both(kings & ways.steps[2], kings & ways.steps[3]));
    }
    let [jumps4, jumps5, ..] = ways.jumps;
    let (men4, men5) = (jumpers & !kings & jumps4, jumpers & !kings & jumps5);
    let goes_on = jumps4 | jumps5;
    // Men that jump once are counted as sets.
    let (last4, last5) = (men4 & !back::<S>(goes_on, 8), men5 & !back::<S>(goes_on, 10));
    let mut sum = u64::from(S::count_both(last4, last5));
    let mut one = |_, _| sum += 1;
    for from in bits(men4 ^ last4) {
        man_captures::<S>(S::ahead(from, 8), 0, &ways.jumps, &mut one);
    }
    for from in bits(men5 ^ last5) {
        man_captures::<S>(S::ahead(from, 10), 0, &ways.jumps, &mut one);
    }
    for from in bits(jumpers & kings) {
        board.captures::<S, UNIQUE>(from, &ways.jumps, &mut one);
    }
    sum
}
