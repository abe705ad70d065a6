//! Self-play: games of two searches against each other, for measuring strength and for tuning.

use crate::board::{Color, Value};
use crate::rules::FastPosition;

use super::Endings;
use super::search::{Score, Search, SearchLimits, StopFlag};
use super::tuning::{Random, Sample};

/// A game that has not ended by then is drawn.
const MAX_GAME_PLIES: usize = 300;
/// A position that stands for the third time ends the game drawn.
const DRAW_REPETITIONS: usize = 2;

/// One side: a search and what it may spend on a move.
pub struct Player {
    /// The search.
    pub search: Search,
    /// The budget of each move.
    pub limits: SearchLimits,
}

/// A game that was played.
pub struct SelfPlay {
    /// The positions from the start on, each with the score of the move chosen there, for the side to move.
    pub positions: Vec<(FastPosition, Score)>,
    /// Who won; `None` for a draw.
    pub winner: Option<Color>,
}

/// Plays one game from `start`. It ends when a side has no move, when `judge` knows the value, at the third repetition, or
/// after three hundred plies.
#[must_use]
pub fn play(start: &FastPosition, black: &mut Player, white: &mut Player, judge: Option<&dyn Endings>) -> SelfPlay {
    play_until(start, black, white, judge, &StopFlag::default())
        .unwrap_or(SelfPlay { positions: Vec::new(), winner: None })
}

/// The same until `stop` is set: a game that is not over then is none.
#[must_use]
pub fn play_until(
    start: &FastPosition,
    black: &mut Player,
    white: &mut Player,
    judge: Option<&dyn Endings>,
    stop: &StopFlag,
) -> Option<SelfPlay> {
    black.search.forget();
    white.search.forget();
    let mut path: Vec<FastPosition> = Vec::new();
    let mut game = SelfPlay { positions: Vec::new(), winner: None };
    let mut position = *start;
    for _ in 0..MAX_GAME_PLIES {
        if let Some(value) = judge.and_then(|judge| judge.value(&position)) {
            game.winner = match value {
                Value::Win => Some(position.turn()),
                Value::Draw => None,
                Value::Loss => Some(!position.turn()),
            };
            break;
        }
        if path.iter().filter(|earlier| **earlier == position).count() >= DRAW_REPETITIONS {
            break;
        }
        let player = if position.turn() == Color::Black { &mut *black } else { &mut *white };
        let found = player.search.analyse(&position, &path, &player.limits, stop, &mut |_| ());
        if stop.is_set() {
            return None;
        }
        let Some(best) = found.best() else {
            game.winner = Some(!position.turn());
            break;
        };
        game.positions.push((position, best.score));
        let Some(step) = best.moves.first().and_then(|played| position.step_of(played)) else { break };
        if position.is_irreversible(&step) {
            path.clear();
        } else {
            path.push(position);
        }
        position = position.after(&step);
    }
    Some(game)
}

/// A position some random plies from `start`, both sides with as many pieces and nothing to capture: where games for tuning
/// begin, so that they differ.
#[must_use]
pub fn random_start(start: &FastPosition, plies: usize, random: &mut Random) -> FastPosition {
    for _ in 0..1_000 {
        let mut position = *start;
        for _ in 0..plies {
            let steps = position.steps();
            match steps.get(random.below(steps.len())) {
                Some(step) => position = position.after(step),
                None => break,
            }
        }
        let squares = position.squares();
        let even = squares.black.count_ones() == squares.white.count_ones();
        if even && !position.must_capture() && position.has_quiet_move() {
            return position;
        }
    }
    *start
}

impl SelfPlay {
    /// What tuning can use of the game: its quiet positions with how it ended.
    pub fn samples(&self) -> impl Iterator<Item = Sample> {
        let result = match self.winner {
            Some(Color::Black) => 1.0,
            None => 0.5,
            Some(Color::White) => 0.0,
        };
        self.positions.iter().filter_map(move |(position, _)| Sample::from_position(position, result))
    }
}

/// Results of a match, for the first player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MatchTally {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl MatchTally {
    /// Games in all.
    #[must_use]
    pub const fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Points a game, from 0 to 1.
    #[must_use]
    pub fn score(&self) -> f64 {
        (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(self.games().max(1))
    }

    /// The difference in Elo that this score means, and how far it may be off (95 of 100 times within). Infinite where one
    /// side won everything; games that all ended alike do not tell how far it may be off, so that is infinite too.
    #[must_use]
    pub fn elo(&self) -> (f64, f64) {
        let elo = |score: f64| -400.0 * (1.0 / score - 1.0).log10();
        let games = f64::from(self.games().max(1));
        let score = self.score();
        let spread = |points: f64, count: u32| f64::from(count) * (points - score).powi(2);
        let variance = (spread(1.0, self.wins) + spread(0.5, self.draws) + spread(0.0, self.losses)) / games;
        if variance == 0.0 {
            return (elo(score), f64::INFINITY);
        }
        let error = 1.96 * (variance / games).sqrt();
        (elo(score), (elo((score + error).min(0.999_9)) - elo((score - error).max(0.000_1))) / 2.0)
    }
}
