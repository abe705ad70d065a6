//! Sets of like pieces and their ranks: the arithmetic under every index.
//!
//! A set of k squares has the rank of the combinatorial number system: the sum of C(s_i, i) over its squares
//! s_1 < … < s_k. Sets in the order of their ranks are in the order of their bits read as numbers. Ranks of men run
//! over the 28 squares that a man can stand on, ranks of kings over all 32, whatever else stands there: an index is then
//! a sum of terms that do not depend on each other, and a move changes one of them. Places where two pieces share a square
//! are left unused.

use std::sync::OnceLock;

use super::bits::bits;
use super::padded::pad;
use super::slice::MAX_PIECES;

/// Squares of the board.
pub(super) const BOARD_SQUARES: u32 = 32;
/// Squares a man can stand on.
pub(super) const MAN_SQUARES: u32 = 28;

/// C(n, k) at `[k][n]`, for n below 32; 16 rows so that an index masked to four bits is in range.
static BINOMIALS: [[u32; 32]; 16] = {
    let mut table = [[0_u32; 32]; 16];
    let mut n = 0;
    while n < 32 {
        table[0][n] = 1;
        let mut k = 1;
        while k <= MAX_PIECES as usize {
            table[k][n] = if n == 0 { 0 } else { table[k - 1][n - 1] + table[k][n - 1] };
            k += 1;
        }
        n += 1;
    }
    table
};

/// How many sets of `k` squares among `n` there are; `n` at most 32, `k` at most [`MAX_PIECES`].
pub(super) fn choose(n: u32, k: u8) -> u32 {
    let k = usize::from(k);
    match n.checked_sub(1) {
        None => u32::from(k == 0),
        Some(less) if k == 0 => BINOMIALS[0][less as usize & 31],
        Some(less) => BINOMIALS[k & 15][less as usize & 31] + BINOMIALS[(k - 1) & 15][less as usize & 31],
    }
}

/// The rank of `set` among sets of as many squares.
#[inline]
pub(super) fn rank(mut set: u32) -> u32 {
    let (mut sum, mut k) = (0, 1);
    while set != 0 {
        sum += BINOMIALS[k & 15][set.trailing_zeros() as usize & 31];
        set &= set - 1;
        k += 1;
    }
    sum
}

/// The rank of `set` on the board turned half round.
#[inline]
pub(super) fn rank_turned(mut set: u32) -> u32 {
    let (mut sum, mut k) = (0, 1);
    while set != 0 {
        let from_top = set.leading_zeros();
        sum += BINOMIALS[k & 15][from_top as usize & 31];
        set ^= 0x8000_0000 >> from_top;
        k += 1;
    }
    sum
}

/// All sets of `k` of the first `n` squares, in the order of their ranks.
pub(super) fn sets(n: u32, k: u8) -> impl Iterator<Item = u32> {
    let first = (1_u64 << k) - 1;
    let end = 1_u64 << n;
    // The next greater number with as many bits.
    std::iter::successors(Some(first), |&set| {
        let lowest = set & set.wrapping_neg();
        let carried = set + lowest;
        Some(carried | ((set ^ carried) >> 2).checked_div(lowest)?)
    })
    .take_while(move |&set| set < end)
    .map(|set| set as u32)
}

/// All sets of `k` kings with their quiet moves on an otherwise empty board.
pub(super) struct KingSets {
    /// The sets in the order of their ranks.
    pub(super) sets: Vec<u32>,
    /// The rank of each turned half round.
    pub(super) turned: Vec<u32>,
    /// Each on 35 bits.
    pub(super) padded: Vec<u64>,
    /// Where the moves of each set begin; one more than there are sets.
    starts: Vec<u32>,
    /// Moves: the rank of the set after, times 32, plus the square moved to.
    moves: Vec<u32>,
}

impl KingSets {
    /// The sets of `k` kings, made at the first call.
    pub(super) fn for_kings(k: u8) -> &'static Self {
        static MADE: [OnceLock<KingSets>; MAX_PIECES as usize] = [const { OnceLock::new() }; MAX_PIECES as usize];
        MADE[usize::from(k) % MADE.len()].get_or_init(|| Self::make(k))
    }

    fn make(k: u8) -> Self {
        let sets: Vec<u32> = sets(BOARD_SQUARES, k).collect();
        let turned = sets.iter().map(|&set| rank_turned(set)).collect();
        let padded = sets.iter().map(|&set| pad(set)).collect();
        let (mut starts, mut moves) = (vec![0], Vec::new());
        for &set in &sets {
            for from in bits(set) {
                for to in bits(super::board::steps(from) & !set) {
                    moves.push(rank(set ^ from | to) << 5 | to.trailing_zeros());
                }
            }
            starts.push(moves.len() as u32);
        }
        Self { sets, turned, padded, starts, moves }
    }

    /// How many sets there are.
    pub(super) fn count(&self) -> usize {
        self.sets.len()
    }

    /// The moves of the set of rank `rank`: the rank after, and the square moved to.
    #[inline]
    pub(super) fn moves(&self, rank: usize) -> impl Iterator<Item = (usize, u32)> {
        let range = self.starts[rank] as usize..self.starts[rank + 1] as usize;
        self.moves[range].iter().map(|&packed| ((packed >> 5) as usize, packed & 31))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_stand_in_the_order_of_their_ranks() {
        for n in [MAN_SQUARES, BOARD_SQUARES] {
            for k in 0..=4 {
                let all: Vec<u32> = sets(n, k).collect();
                assert_eq!(all.len() as u32, choose(n, k), "{k} of {n}");
                for (expected, &set) in all.iter().enumerate() {
                    assert_eq!(rank(set) as usize, expected);
                    assert_eq!(rank_turned(set.reverse_bits()) as usize, expected);
                }
            }
        }
    }

    #[test]
    fn turning_twice_is_nothing_and_moves_go_back() {
        let kings = KingSets::for_kings(2);
        for at in 0..kings.count() {
            assert_eq!(kings.turned[kings.turned[at] as usize] as usize, at);
            for (to, _) in kings.moves(at) {
                assert!(kings.moves(to).any(|(back, _)| back == at));
            }
        }
    }
}
