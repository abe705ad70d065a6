//! `perft`: counting lines of play, to hold the rules against published tables.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use crate::board::Move;
use crate::render::thousands;
use crate::rules::{self, Position};
use crate::table::{Cell, Column, Row, Table};

use super::context::Context;
use super::error::{CliError, Exit};
use super::position_argument;
use super::signals::stop_flag;

const EXAMPLES: &str = "\
Examples:
  crownhead perft 9           nine plies from the start: 3,963,680
  crownhead perft 6 --divide  six plies, by first move
  crownhead perft 8 --paths \"W:WK26,K30:B14,15,22,23,6,7\"";

/// The deepest count that ends in a person's lifetime.
const MAX_DEPTH: i64 = 20;
/// How long a count goes on before the flag of Ctrl-C is looked at.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Count the lines of play of some plies
///
/// One move is from, to and captured pieces: two routes with the same three count once. --paths counts routes apart.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Plies
    #[arg(value_parser = clap::value_parser!(u8).range(1..=MAX_DEPTH))]
    depth: u8,
    /// A FEN, moves, a ballot, or an opening's name; none means the start
    #[arg(value_name = "POSITION")]
    position: Vec<String>,
    /// Count by first move
    #[arg(long)]
    divide: bool,
    /// Count routes of captures apart
    #[arg(long, conflicts_with = "divide")]
    paths: bool,
}

pub(super) struct PerftRow(String, u64);

impl Row for PerftRow {
    const COLUMNS: &'static [Column] = &[Column::text("move", 0), Column::number("lines", 0)];

    fn values(self) -> Vec<Cell> {
        vec![self.0.into(), Cell::Int(i64::try_from(self.1).unwrap_or(i64::MAX))]
    }
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    let position = position_argument::position(context, &args.position)?.position;
    let started = Instant::now();
    let first_moves = position.legal_moves().len();
    let (counted, is_whole) = count(position, args.depth, args.paths, &stop_flag());
    let seconds = started.elapsed().as_secs_f64();
    let total: u64 = counted.iter().map(|(_, lines)| lines).sum();
    let by_move = counted.iter().filter_map(|(m, lines)| {
        let played = m.as_ref()?;
        Some(PerftRow(crate::game::move_text(&position, played), *lines))
    });
    // Of a count that was stopped the moves that are done are known.
    let rows: Vec<PerftRow> =
        if args.divide || !is_whole { by_move.collect() } else { vec![PerftRow("all".to_owned(), total)] };
    let done = rows.len();
    context.print(Table::from_rows(rows), true)?;
    if !is_whole {
        context.message(&format!("Stopped in {seconds:.2} s: {done} of {first_moves} first moves counted."));
        return Ok(Exit::Interrupted);
    }
    context.message(&format!("{} lines in {seconds:.2} s.", thousands(total)));
    Ok(Exit::Done)
}

/// The lines of `depth` plies by first move, or without one where routes count apart; whether all are counted. A thread counts,
/// so that `stop` ends the wait at once.
fn count(position: Position, depth: u8, paths: bool, stop: &AtomicBool) -> (Vec<(Option<Move>, u64)>, bool) {
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || {
        if paths {
            let _ = send.send((None, rules::perft_paths(&position, depth)));
            return;
        }
        for played in position.legal_moves() {
            let lines = rules::perft(&position.play_unchecked(&played), depth.saturating_sub(1));
            // No one listens after a stop.
            if send.send((Some(played), lines)).is_err() {
                return;
            }
        }
    });
    let mut counted = Vec::new();
    loop {
        match receive.recv_timeout(POLL_INTERVAL) {
            Ok(one) => counted.push(one),
            Err(RecvTimeoutError::Disconnected) => return (counted, true),
            Err(RecvTimeoutError::Timeout) if stop.load(Ordering::Relaxed) => return (counted, false),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}
