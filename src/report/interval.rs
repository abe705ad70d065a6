//! How much a score of few games tells: a 95% interval.
//!
//! Wilson's interval with the variance of a score that has draws. Games won, drawn and lost give 1, ½ and 0; with a
//! share *d* of draws the variance of one game at the true score *m* is *m*(1 − *m*) − *d*/4. The interval is all *m*
//! that the score *s* of *n* games does not speak against: (*s* − *m*)² ≤ *z*² · variance / *n*. Without draws this
//! is Wilson's interval; with draws it is narrower, as it should be. The share of draws is taken smaller than seen,
//! draws / (*n* + *z*²), so that ten draws in ten games do not prove that nobody ever wins.

use crate::board::Color;
use crate::query::PositionStats;

/// 1.96²: 95 of 100.
const Z_SQUARED: f64 = 1.959_964 * 1.959_964;

/// The least and the greatest score, 0 to 1, that go with these results of games with a known winner; `None` without any.
pub(super) fn interval(wins: u32, draws: u32, losses: u32) -> Option<(f64, f64)> {
    let games = f64::from(wins + draws + losses);
    if games == 0.0 {
        return None;
    }
    let score = (f64::from(wins) + f64::from(draws) / 2.0) / games;
    let drawn = f64::from(draws) / (games + Z_SQUARED);
    // m²(1 + z²/n) − m(2s + z²/n) + s² + z²d/4n = 0
    let spread = Z_SQUARED / games;
    let (a, b, c) = (1.0 + spread, 2.0 * score + spread, score * score + spread * drawn / 4.0);
    let root = (b * b - 4.0 * a * c).max(0.0).sqrt();
    Some((((b - root) / (2.0 * a)).max(0.0), ((b + root) / (2.0 * a)).min(1.0)))
}

/// The same for Black's score.
pub(super) fn for_black(stats: PositionStats) -> (Option<f64>, Option<f64>, Option<f64>) {
    let (low, high) = interval(stats.black_wins, stats.draws, stats.white_wins).unzip();
    (stats.score(Color::Black), low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_near(found: Option<(f64, f64)>, low: f64, high: f64) {
        let found = found.unwrap();
        assert!((found.0 - low).abs() < 5e-4 && (found.1 - high).abs() < 5e-4, "{found:?}");
    }

    #[test]
    fn without_draws_it_is_wilsons() {
        // From tables of Wilson's interval: 0 of 10, 5 of 10, 1 of 1.
        assert_near(interval(0, 0, 10), 0.0, 0.2775);
        assert_near(interval(5, 0, 5), 0.2366, 0.7634);
        assert_near(interval(1, 0, 0), 0.2065, 1.0);
        assert_eq!(interval(0, 0, 0), None);
    }

    #[test]
    fn draws_make_it_narrower_and_never_nothing() {
        let width = |wins, draws, losses| interval(wins, draws, losses).map(|(low, high)| high - low).unwrap();
        assert!(width(5, 0, 5) > width(3, 4, 3) && width(3, 4, 3) > width(0, 10, 0));
        // By hand: d = 10/13.84, x² = 0.384 · (0.25 − d/4) / 1.384.
        assert_near(interval(0, 10, 0), 0.3611, 0.6389);
    }

    /// How often the interval holds the true score, summed over every outcome of `games` games.
    fn held(games: u32, win: f64, draw: f64) -> f64 {
        let truth = win + draw / 2.0;
        let factorial = |n: u32| (1..=n).map(f64::from).product::<f64>();
        let mut sum = 0.0;
        for wins in 0..=games {
            for draws in 0..=games - wins {
                let losses = games - wins - draws;
                let ways = factorial(games) / (factorial(wins) * factorial(draws) * factorial(losses));
                let chance = win.powi(wins as i32) * draw.powi(draws as i32) * (1.0 - win - draw).powi(losses as i32);
                let (low, high) = interval(wins, draws, losses).unwrap();
                if low <= truth && truth <= high {
                    sum += ways * chance;
                }
            }
        }
        sum
    }

    #[test]
    fn it_holds_the_true_score_about_95_times_in_100() {
        for games in [5, 10, 20, 40] {
            for (win, draw) in [(0.5, 0.0), (0.3, 0.4), (0.2, 0.6), (0.1, 0.8), (0.25, 0.6), (0.4, 0.5)] {
                let held = held(games, win, draw);
                assert!(held > 0.90, "{games} games, {win} won, {draw} drawn: {held}");
            }
        }
    }
}
