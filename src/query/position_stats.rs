//! Results of the games that stood in a position.

use crate::board::{Color, Winner};
use crate::store::Posting;

/// Results of games, added up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PositionStats {
    /// Games.
    pub games: u32,
    /// Of them, won by Black.
    pub black_wins: u32,
    /// Drawn.
    pub draws: u32,
    /// Won by White.
    pub white_wins: u32,
    /// The latest year of any.
    pub last_year: Option<u16>,
}

impl PositionStats {
    /// Counts a game.
    pub fn add(&mut self, winner: Winner, year: Option<u16>) {
        self.games += 1;
        match winner {
            Winner::Black => self.black_wins += 1,
            Winner::Draw => self.draws += 1,
            Winner::White => self.white_wins += 1,
            Winner::Unknown => {}
        }
        self.last_year = self.last_year.max(year);
    }

    /// The share of points of `color`, 0 to 1, over games whose winner is known.
    #[must_use]
    pub fn score(&self, color: Color) -> Option<f64> {
        let decided = self.black_wins + self.draws + self.white_wins;
        let wins = match color {
            Color::Black => self.black_wins,
            Color::White => self.white_wins,
        };
        (decided > 0).then(|| (f64::from(wins) + f64::from(self.draws) / 2.0) / f64::from(decided))
    }
}

/// Postings up to this many are sorted; more are marked in a set of bits.
const FEW_LINES: usize = 256;

/// The lines of postings, each once, ascending: a line that came back to the position and went on another way has two
/// postings.
#[must_use]
pub fn distinct_lines(postings: &[Posting]) -> Vec<u32> {
    if postings.len() <= FEW_LINES {
        let mut lines: Vec<u32> = postings.iter().map(|posting| posting.line).collect();
        lines.sort_unstable();
        lines.dedup();
        return lines;
    }
    let last = postings.iter().map(|posting| posting.line).max().unwrap_or(0);
    let mut seen = vec![0_u64; last as usize / 64 + 1];
    for posting in postings {
        seen[posting.line as usize / 64] |= 1 << (posting.line % 64);
    }
    let mut lines = Vec::with_capacity(postings.len());
    for (word, mut bits) in (0_u32..).zip(seen) {
        while bits != 0 {
            lines.push(word * 64 + bits.trailing_zeros());
            bits &= bits - 1;
        }
    }
    lines
}
