//! `analyse`: what a position is worth, by search.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use crate::engine::egdb::{Databases, Guide, KnownEnding, KnownMove, Probed};
use crate::engine::{Analysis, Bound, EngineError, Evaluation, MAX_DEPTH, RootLine, Search, SearchLimits, StopFlag};
use crate::game::{move_text, write_moves};
use crate::render::thousands;
use crate::rules::Position;
use crate::table::{Cell, Column, Row, Table};

use super::context::Context;
use super::engine::{database_line, databases, fast, no_move};
use super::error::{CliError, Exit};
use super::position_argument::{self, Named};
use super::progress::spinner;
use super::signals::stop_flag;

const EXAMPLES: &str = "\
Examples:
  crownhead analyse --depth 13                        the start
  crownhead analyse \"11-15 23-19\" --nodes 1000000     a budget that repeats
  crownhead analyse defiance --time 1 --lines 3         three exact moves

Scores are for the side to move, in men: +0.25 is a quarter of a man. Moves
beyond the lines asked for are not better than the last of these. Ctrl-C prints
what was found so far. Endings of up to five pieces are known, and not searched:
every move has its value (win, draw or loss; with the plies to the end where
they are known), and who always plays the first row wins what can be won.";

/// Look ahead from a position: score, best play, every move
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A FEN, moves, a ballot, or an opening's name; none means the start
    #[arg(value_name = "POSITION")]
    position: Vec<String>,
    /// Look this many plies ahead
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u8).range(1..=i64::from(MAX_DEPTH)))]
    depth: Option<u8>,
    /// Look at this many positions
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Look for this many seconds; the answer may then differ from run to run
    #[arg(long, value_name = "SECONDS", value_parser = super::engine::parse_seconds)]
    time: Option<Duration>,
    /// Find exact scores for this many moves
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    lines: u16,
    /// Memory for what was found, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..))]
    table: u16,
}

/// A budget that a person waits for, where none is given.
const DEFAULT_NODES: u64 = 5_000_000;

/// A move with its line: searched, or known.
pub(super) struct AnalysedMove {
    played: Option<String>,
    score: String,
    bound: Option<&'static str>,
    hundredths: Option<i64>,
    depth: Option<u8>,
    line: String,
}

impl AnalysedMove {
    /// A move that was searched; one of those whose score was asked for if `is_wanted`.
    fn searched(position: Position, depth: u8, found: &RootLine, is_wanted: bool) -> Self {
        let (score, bound) = match found.bound {
            _ if !is_wanted => ("not better".to_owned(), "at most"),
            Bound::Exact => (found.score.to_string(), "exact"),
            Bound::AtLeast => (found.score.to_string(), "at least"),
            Bound::AtMost => (found.score.to_string(), "at most"),
        };
        Self {
            played: found.moves.first().map(|played| move_text(&position, played)),
            score,
            bound: Some(bound),
            // A game that ends has no worth in men.
            hundredths: (!found.score.is_decided()).then(|| i64::from(found.score.0)),
            depth: Some(depth),
            line: write_moves(position, &found.moves),
        }
    }

    /// A move of an ending whose value is known.
    fn known(position: Position, found: &KnownMove) -> Self {
        Self {
            played: found.line.first().map(|played| move_text(&position, played)),
            score: found.value.map_or_else(String::new, value_text),
            bound: found.value.map(|_| "exact"),
            hundredths: None,
            depth: None,
            line: write_moves(position, &found.line),
        }
    }
}

impl Row for AnalysedMove {
    const COLUMNS: &'static [Column] = &[
        Column::text("move", 0),
        Column::text("score", 0),
        Column::text("bound", 2),
        Column::number("hundredths", 3),
        Column::number("depth", 2),
        Column::text("line", 1),
    ];

    fn values(self) -> Vec<Cell> {
        vec![
            self.played.into(),
            self.score.into(),
            self.bound.into(),
            self.hundredths.into(),
            self.depth.into(),
            self.line.into(),
        ]
    }
}

/// `win in 7`, `win`, `draw`.
fn value_text(told: Probed) -> String {
    told.plies.map_or_else(|| told.value.to_string(), |plies| format!("{} in {plies}", told.value))
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    let named = position_argument::position(context, &args.position)?;
    let position = named.position;
    if !position.has_legal_move() {
        context.print(Table::from_rows(std::iter::empty::<AnalysedMove>()), true)?;
        context.message(&no_move(&position));
        return Ok(Exit::Done);
    }
    let endings = databases(context)?;
    let stop = stop_flag();
    match known(&endings, &position, args, &stop) {
        Ok(Some(ending)) => print_known(context, position, &ending),
        Ok(None) => search(context, args, &named, endings, stop),
        Err(EngineError::Stopped) => {
            if let Some(told) = databases(context)?.probe(&position)? {
                context.message(&format!("Stopped before there was a line. {}.", database_line(&position, told)));
            }
            Ok(Exit::Interrupted)
        }
        Err(error) => Err(error.into()),
    }
}

/// The play of a position that the endgame databases know.
fn known(
    endings: &Databases,
    position: &Position,
    args: &Args,
    stop: &AtomicBool,
) -> Result<Option<KnownEnding>, EngineError> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    Guide::new(endings, threads).moves(position, usize::from(args.lines), stop)
}

fn print_known(context: &mut Context, position: Position, ending: &KnownEnding) -> Result<Exit, CliError> {
    context.print(Table::from_rows(ending.moves.iter().map(|found| AnalysedMove::known(position, found))), true)?;
    context.message(&format!("{} to move. {}.", position.turn(), database_line(&position, ending.value)));
    Ok(Exit::Done)
}

fn search(
    context: &mut Context,
    args: &Args,
    named: &Named,
    endings: Databases,
    stop: Arc<AtomicBool>,
) -> Result<Exit, CliError> {
    let position = named.position;
    let limits = SearchLimits {
        depth: args.depth.unwrap_or(MAX_DEPTH),
        nodes: args.nodes.or_else(|| (args.depth.is_none() && args.time.is_none()).then_some(DEFAULT_NODES)),
        time: args.time,
        lines: usize::from(args.lines),
    };
    let mut earlier = Vec::new();
    for before in named.start.along(&named.moves).take(named.moves.len()) {
        earlier.push(fast(&before)?);
    }
    let memory = usize::from(args.table) << 20;
    let mut search = Search::new(Arc::new(Evaluation::best()), Some(Arc::new(endings)), memory);
    let started = Instant::now();
    let bar = spinner(context.args.quiet);
    let stop = StopFlag::from(stop);
    let found = search.analyse(&fast(&position)?, &earlier, &limits, &stop, &mut |so_far| {
        show_progress(&bar, &position, so_far);
    });
    bar.finish_and_clear();
    let seconds = started.elapsed().as_secs_f64();
    let (depth, wanted) = (found.depth, limits.lines);
    let rows = found.lines.iter().enumerate();
    context.print(
        Table::from_rows(rows.map(|(at, line)| AnalysedMove::searched(position, depth, line, at < wanted))),
        true,
    )?;
    context.message(&format!(
        "{}{} to move; depth {depth}, {} positions in {seconds:.2} s ({} a second).",
        if stop.is_set() { "Stopped. " } else { "" },
        position.turn(),
        thousands(found.nodes),
        thousands((found.nodes as f64 / seconds.max(1e-6)) as u64)
    ));
    Ok(if stop.is_set() { Exit::Interrupted } else { Exit::Done })
}

/// Shows the depth that is done and the best move on a terminal.
fn show_progress(bar: &ProgressBar, position: &Position, found: &Analysis) {
    let Some(best) = found.best() else { return };
    let first = best.moves.first().map(|played| move_text(position, played)).unwrap_or_default();
    bar.set_message(format!("depth {}: {first} {}, {} positions", found.depth, best.score, thousands(found.nodes)));
    bar.tick();
}
