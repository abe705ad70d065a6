//! What the evaluation sees of a position: patterns of men, and counts.
//!
//! Everything is seen from Black, so that the same with colours reversed has each sign turned. Invariant: a feature of the
//! position with colours reversed is the negative of it: each count by itself, each pattern through [`mirror`].

use crate::board::Color;
use crate::rules::{FastPosition, PackedSquares};

/// How many patterns there are: seven pairs of rows, and fifteen blocks of four rows by two columns.
pub(super) const PATTERN_COUNT: usize = 22;
/// Each of a pattern's eight squares is empty (or holds a king), has a black man or a white one.
pub(super) const STATES_PER_PATTERN: usize = 6_561;
/// Pairs of neighbouring rows.
const ROW_PAIRS: usize = 7;
/// Blocks side by side.
const BLOCK_COLUMNS: usize = 3;

/// How many counts there are.
pub(super) const COUNT_FEATURES: usize = FIRST_RUNAWAY_FEATURE + 5;
/// Men of one side more than of the other.
pub(super) const MEN_FEATURE: usize = 0;
/// Kings.
const KINGS_FEATURE: usize = 1;
/// A king of one side and none of the other.
const ONLY_KINGS_FEATURE: usize = 2;
/// The side to move.
const TURN_FEATURE: usize = 3;
/// *The move*, with equal numbers.
const OPPOSITION_FEATURE: usize = 4;
/// Quiet moves.
const MOBILITY_FEATURE: usize = 5;
/// Kings by square: 32 counts.
const FIRST_KING_SQUARE_FEATURE: usize = 6;
/// Men with nothing of the other side ahead, by the rows that they have to go, 1 to 5.
const FIRST_RUNAWAY_FEATURE: usize = FIRST_KING_SQUARE_FEATURE + 32;

/// The state that eight squares are in when they hold a black man where a bit is set; twice that for white men.
static TERNARY: [u16; 256] = {
    let mut table = [0; 256];
    let mut set = 0;
    while set < 256 {
        let (mut bit, mut power) = (0, 1);
        while bit < 8 {
            if set >> bit & 1 == 1 {
                table[set] += power;
            }
            power *= 3;
            bit += 1;
        }
        set += 1;
    }
    table
};

/// For each square, the squares that a black man on it may still come to.
static AHEAD: [u32; 32] = {
    let mut ahead = [0u32; 32];
    let mut place: usize = 32;
    while place > 0 {
        place -= 1;
        let (row, column) = (place / 4, place % 4);
        if row == 7 {
            continue;
        }
        // In even rows the squares stand to the right of those that lie four places on.
        let other = if row % 2 == 0 { column + 1 } else { column.wrapping_sub(1) };
        let straight = 4 * (row + 1) + column;
        ahead[place] |= 1 << straight | ahead[straight];
        if other < 4 {
            let aslant = 4 * (row + 1) + other;
            ahead[place] |= 1 << aslant | ahead[aslant];
        }
    }
    ahead
};

/// Squares of one of the two systems of columns by which *the move* is counted.
const SYSTEM_SQUARES: u32 = 0xf0f0_f0f0;

/// What takes in the features of a position, one after the other.
pub(super) trait FeatureSink {
    /// `pattern` is in `state`.
    fn state(&mut self, pattern: usize, state: usize);
    /// Black has `times` more of count `count` than White; never 0.
    fn count(&mut self, count: usize, times: i32);
}

/// The eight squares of a set that pattern `pattern` looks at.
#[inline]
const fn window(set: u32, pattern: usize) -> usize {
    if pattern < ROW_PAIRS {
        (set >> (4 * pattern) & 0xff) as usize
    } else {
        let block = pattern - ROW_PAIRS;
        let squares = set >> (4 * (block / BLOCK_COLUMNS) + block % BLOCK_COLUMNS) & 0x3333;
        ((squares | squares >> 6) & 0xff) as usize
    }
}

/// The pattern and the state that are the same as these with colours reversed.
pub(super) const fn mirror(pattern: usize, state: usize) -> (usize, usize) {
    let other = if pattern < ROW_PAIRS { ROW_PAIRS - 1 - pattern } else { PATTERN_COUNT - 1 + ROW_PAIRS - pattern };
    let (mut rest, mut turned, mut at) = (state, 0, 0);
    while at < 8 {
        let reversed = match rest % 3 {
            1 => 2,
            2 => 1,
            _ => 0,
        };
        turned = turned * 3 + reversed;
        rest /= 3;
        at += 1;
    }
    (other, turned)
}

/// Hands all features of `position` to `sink`: each pattern once, then the counts that are not 0.
#[inline]
pub(super) fn visit(position: &FastPosition, sink: &mut impl FeatureSink) {
    let PackedSquares { black, white, kings } = position.squares();
    let (black_men, white_men) = (black & !kings, white & !kings);
    for pattern in 0..PATTERN_COUNT {
        let state = TERNARY[window(black_men, pattern)] + 2 * TERNARY[window(white_men, pattern)];
        sink.state(pattern, usize::from(state));
    }
    let mut count = |count: usize, times: i32| {
        if times != 0 {
            sink.count(count, times);
        }
    };
    let size = |set: u32| set.count_ones() as i32;
    let to_move = if position.turn() == Color::Black { 1 } else { -1 };
    count(TURN_FEATURE, to_move);
    count(MEN_FEATURE, size(black_men) - size(white_men));
    if size(black) == size(white) {
        let odd = size((black | white) & SYSTEM_SQUARES) % 2 == 1;
        count(OPPOSITION_FEATURE, if odd { to_move } else { -to_move });
    }
    let (own, other) = position.mobility();
    count(MOBILITY_FEATURE, to_move * (own as i32 - other as i32));
    if kings != 0 {
        let (black_kings, white_kings) = (black & kings, white & kings);
        count(KINGS_FEATURE, size(black_kings) - size(white_kings));
        count(ONLY_KINGS_FEATURE, i32::from(white_kings == 0) - i32::from(black_kings == 0));
        for place in PackedSquares::bit_indexes(black_kings) {
            count(FIRST_KING_SQUARE_FEATURE + place, 1);
        }
        for place in PackedSquares::bit_indexes(white_kings) {
            count(FIRST_KING_SQUARE_FEATURE + 31 - place, -1);
        }
    }
    runaways(black_men, white, |rows| count(FIRST_RUNAWAY_FEATURE + rows, 1));
    runaways(white_men.reverse_bits(), black.reverse_bits(), |rows| count(FIRST_RUNAWAY_FEATURE + rows, -1));
}

/// Tells of each man that goes up the board with nothing of `others` ahead how many rows beyond one it has to go.
#[inline]
fn runaways(men: u32, others: u32, mut tell: impl FnMut(usize)) {
    // From row 2 (places 8 to 11) on: five rows to go at most.
    for place in PackedSquares::bit_indexes(men & 0xffff_ff00) {
        if AHEAD[place] & others == 0 {
            tell(6 - place / 4);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Variant;
    use crate::rules::Position;

    struct Features {
        states: [usize; PATTERN_COUNT],
        counts: [i32; COUNT_FEATURES],
    }

    impl FeatureSink for Features {
        fn state(&mut self, pattern: usize, state: usize) {
            self.states[pattern] = state;
        }

        fn count(&mut self, count: usize, times: i32) {
            self.counts[count] += times;
        }
    }

    impl Features {
        fn from_position(position: &Position) -> Self {
            let mut features = Self { states: [STATES_PER_PATTERN; PATTERN_COUNT], counts: [0; COUNT_FEATURES] };
            visit(&FastPosition::from_position(position).unwrap(), &mut features);
            features
        }
    }

    #[test]
    fn colours_reversed_turn_every_sign() {
        let mut position = Position::start(Variant::English);
        let mut random = 12_345_u64;
        for _ in 0..300 {
            let features = Features::from_position(&position);
            let reversed = Features::from_position(&position.reversed());
            for (at, count) in features.counts.iter().enumerate() {
                assert_eq!(*count, -reversed.counts[at], "count {at}");
            }
            for (pattern, state) in features.states.iter().enumerate() {
                let (other, turned) = mirror(pattern, *state);
                assert_eq!(reversed.states[other], turned, "pattern {pattern}");
                assert_eq!(mirror(other, turned), (pattern, *state));
            }
            let moves = position.legal_moves();
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            position = match moves.get((random >> 33) as usize % moves.len().max(1)) {
                Some(played) => position.play_unchecked(played),
                None => Position::start(Variant::English),
            };
        }
    }

    #[test]
    fn the_squares_ahead_are_those_that_men_can_reach() {
        assert_eq!(AHEAD[0].count_ones(), 2 + 2 + 3 + 3 + 4 + 4 + 4);
        assert_eq!(AHEAD[27], 1 << 31);
        assert_eq!(AHEAD[24], 1 << 28 | 1 << 29);
    }
}
