//! `match`: self-play between two evaluations, from the ballots.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::board::Color;
use crate::book::BallotStatus;
use crate::engine::{Endings, Evaluation, MatchTally, Player, Search, SearchLimits, StopFlag, play_until};
use crate::rules::FastPosition;
use crate::table::{Cell, Column, Row, Table};

use super::context::Context;
use super::engine::{endings, evaluation, fast};
use super::error::{CliError, Exit};
use super::signals::stop_flag;

const EXAMPLES: &str = "\
Examples:
  crownhead match material --games 10 --nodes 1000
  crownhead match material --games 4 --time 0.01

Each ballot that is played across the board or by mail (156) is played with
both colours. A game ends when a side cannot move, when an endgame database
knows its value, at the third repetition, or after 300 plies.";

/// Memory for each search, in bytes.
const TABLE_BYTES: usize = 16 << 20;

/// Play two evaluations against each other from the ballots
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The other side judges by: material, best, or a file of weights
    #[arg(value_name = "EVALUATION")]
    against: String,
    /// The first side judges by: best, material, or a file of weights
    #[arg(long, value_name = "NAME", default_value = "best")]
    evaluation: String,
    /// Positions looked at for a move
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Seconds for a move, instead of a number of positions
    #[arg(long, value_name = "SECONDS", conflicts_with = "nodes", value_parser = super::engine::parse_seconds)]
    time: Option<Duration>,
    /// Play this many games at most; 312 are all ballots with both colours
    #[arg(long, value_name = "N", default_value_t = 312)]
    games: usize,
}

impl Args {
    /// The files it reads.
    pub(super) fn inputs(&self) -> impl Iterator<Item = &Path> {
        [&self.evaluation, &self.against].into_iter().map(Path::new)
    }
}

pub(super) struct MatchRow {
    players: [String; 2],
    tally: MatchTally,
}

impl Row for MatchRow {
    const COLUMNS: &'static [Column] = &[
        Column::text("player", 0),
        Column::text("against", 0),
        Column::number("games", 0),
        Column::number("wins", 0).grouped("results"),
        Column::number("draws", 0).grouped("results"),
        Column::number("losses", 0).grouped("results"),
        Column::number("score", 0),
        Column::number("elo", 0),
        Column::number("error", 0),
    ];

    fn values(self) -> Vec<Cell> {
        let [player, against] = self.players;
        let (elo, error) = self.tally.elo();
        let told = |number: f64| number.is_finite().then_some((number * 10.0).round() / 10.0);
        vec![
            player.into(),
            against.into(),
            self.tally.games().into(),
            self.tally.wins.into(),
            self.tally.draws.into(),
            self.tally.losses.into(),
            self.tally.score().into(),
            told(elo).into(),
            told(error).into(),
        ]
    }
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    let book = context.book()?;
    let mut starts = Vec::new();
    for ballot in book.ballots() {
        if matches!(ballot.status, BallotStatus::CrossBoard | BallotStatus::MailPlay) {
            starts.push(fast(&ballot.position)?);
        }
    }
    let sides = [evaluation(&args.evaluation)?, evaluation(&args.against)?];
    let limits = match args.time {
        Some(time) => SearchLimits { time: Some(time), ..SearchLimits::default() },
        None => SearchLimits { nodes: Some(args.nodes), ..SearchLimits::default() },
    };
    let stop = StopFlag::from(stop_flag());
    let plan = Plan { starts, sides, limits, endings: endings(context)?, games: args.games, stop };
    let tally = plan.play();
    let players = [args.evaluation.clone(), args.against.clone()];
    context.print(Table::from_rows([MatchRow { players, tally }]), true)?;
    if plan.stop.is_set() {
        context.message(&format!("Stopped after {} of {} games.", tally.games(), plan.games()));
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Done)
}

/// The games to play.
struct Plan {
    starts: Vec<FastPosition>,
    sides: [Arc<Evaluation>; 2],
    limits: SearchLimits,
    endings: Option<Arc<dyn Endings>>,
    games: usize,
    stop: StopFlag,
}

impl Plan {
    /// How many games there are to play.
    fn games(&self) -> usize {
        self.games.min(2 * self.starts.len())
    }

    /// Plays all games, on all processors; each game is by itself, so the order does not matter.
    fn play(&self) -> MatchTally {
        let games = self.games();
        let next = AtomicUsize::new(0);
        let tally = Mutex::new(MatchTally::default());
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    let [mut first, mut second] = self.sides.each_ref().map(|side| Player {
                        search: Search::new(Arc::clone(side), self.endings.clone(), TABLE_BYTES),
                        limits: self.limits,
                    });
                    loop {
                        let game = next.fetch_add(1, Ordering::Relaxed);
                        let Some(start) = self.starts.get(game / 2).filter(|_| game < games) else { break };
                        let first_is_black = game.is_multiple_of(2);
                        let endings = self.endings.as_deref();
                        let played = if first_is_black {
                            play_until(start, &mut first, &mut second, endings, &self.stop)
                        } else {
                            play_until(start, &mut second, &mut first, endings, &self.stop)
                        };
                        let Some(winner) = played.map(|game| game.winner) else { break };
                        if let Ok(mut tally) = tally.lock() {
                            match winner {
                                None => tally.draws += 1,
                                Some(color) if (color == Color::Black) == first_is_black => tally.wins += 1,
                                Some(_) => tally.losses += 1,
                            }
                        }
                    }
                });
            }
        });
        tally.into_inner().unwrap_or_default()
    }
}
