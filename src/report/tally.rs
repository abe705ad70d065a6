//! Results of one player, added up from that player's side of the board.

use crate::board::{Color, Winner};
use crate::query::{Filters, Players};

use super::line_facts::LineFacts;

/// Results of games from the side of one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct ResultTally {
    /// Games, those with an unknown winner too.
    pub(super) games: u32,
    /// Games that the player won.
    pub(super) won: u32,
    /// Games that ended in a draw.
    pub(super) drawn: u32,
    /// Games that the player lost.
    pub(super) lost: u32,
}

impl ResultTally {
    /// Counts a game that the player played as `color`.
    pub(super) fn add(&mut self, winner: Winner, color: Color) {
        self.games += 1;
        match (winner, color) {
            (Winner::Black, Color::Black) | (Winner::White, Color::White) => self.won += 1,
            (Winner::Black, Color::White) | (Winner::White, Color::Black) => self.lost += 1,
            (Winner::Draw, _) => self.drawn += 1,
            (Winner::Unknown, _) => {}
        }
    }

    /// Counts a game of the player that `filters` ask for. A game between two that fit has no side to score from and counts
    /// as a draw once it is decided: what one of them won the other lost.
    pub(super) fn add_sides(&mut self, line: &LineFacts, filters: &Filters, players: &Players) {
        match sides(line, filters, players) {
            [true, true] if line.winner != Winner::Unknown => self.add(Winner::Draw, Color::Black),
            [true, _] => self.add(line.winner, Color::Black),
            [false, true] => self.add(line.winner, Color::White),
            [false, false] => {}
        }
    }

    /// The player's share of points, 0 to 1, over games whose winner is known.
    #[must_use]
    pub(super) fn score(&self) -> Option<f64> {
        let decided = self.won + self.drawn + self.lost;
        (decided > 0).then(|| (f64::from(self.won) + f64::from(self.drawn) / 2.0) / f64::from(decided))
    }
}

/// Whether Black and White of a game that `filters` let through are the one player that they ask for; no side is where they ask
/// for no player, or for one on each side.
pub(super) fn sides(line: &LineFacts, filters: &Filters, players: &Players) -> [bool; 2] {
    match (&filters.player, &filters.black, &filters.white) {
        (Some(_), ..) => {
            let is_asked = |name: &str| filters.has_player(players, name.trim());
            [&line.black, &line.white].map(|name| name.as_deref().is_some_and(is_asked))
        }
        (None, Some(_), None) => [true, false],
        (None, None, Some(_)) => [false, true],
        (None, ..) => [false, false],
    }
}
