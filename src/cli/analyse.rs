//! `analyse`: what a position is worth, by search.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::board::Color;
use crate::engine::{Analysis, Bound, Evaluation, Limits, MOST_DEPTH, Search, Stop};
use crate::game::{move_text, write_moves};
use crate::render::thousands;
use crate::rules::Position;
use crate::table::{Column, Row, Table, Value};

use super::context::Context;
use super::engine::{endings, fast};
use super::error::{CliError, Exit};
use super::place;

const EXAMPLES: &str = "\
Examples:
  crownhead analyse --depth 13                        the start
  crownhead analyse \"11-15 23-19\" --nodes 1000000     a budget that repeats
  crownhead analyse defiance --time 1 --lines 3         three exact moves

Scores are for the side to move, in men: +0.25 is a quarter of a man. A move
beyond the lines asked for has a score that it does not pass ('at most').
Endings of up to five pieces are known exactly; see egdb for more.";

/// Look ahead from a position: score, best play, every move
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A FEN, a list of moves, or an opening's name; none means the start
    #[arg(value_name = "POSITION")]
    position: Vec<String>,
    /// Look this many plies ahead
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u8).range(1..=i64::from(MOST_DEPTH)))]
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

struct LineRow {
    position: Position,
    depth: u8,
    line: crate::engine::RootLine,
}

impl Row for LineRow {
    const COLUMNS: &'static [Column] = &[
        Column::text("move", 0),
        Column::text("score", 0),
        Column::text("bound", 2),
        Column::number("hundredths", 3),
        Column::number("depth", 2),
        Column::text("line", 1),
    ];

    fn values(self) -> Vec<Value> {
        let bound = match self.line.bound {
            Bound::Exact => "exact",
            Bound::AtLeast => "at least",
            Bound::AtMost => "at most",
        };
        let first = self.line.moves.first().map(|played| move_text(&self.position, played));
        vec![
            first.into(),
            self.line.score.to_string().into(),
            bound.into(),
            i64::from(self.line.score.0).into(),
            self.depth.into(),
            write_moves(self.position, &self.line.moves).into(),
        ]
    }
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    let variant = context.args.variant;
    let named = place::position(&args.position, variant, &*context.book()?)?;
    let position = named.position;
    let limits = Limits {
        depth: args.depth.unwrap_or(MOST_DEPTH),
        nodes: args.nodes.or_else(|| (args.depth.is_none() && args.time.is_none()).then_some(DEFAULT_NODES)),
        time: args.time,
        lines: usize::from(args.lines),
    };
    let mut earlier = Vec::new();
    for before in named.start.along(&named.moves).take(named.moves.len()) {
        earlier.push(fast(&before)?);
    }
    let mut search = Search::new(Arc::new(Evaluation::best()), endings(context)?, usize::from(args.table) << 20);
    let started = Instant::now();
    let mut told = |_: &Analysis| ();
    let found = search.analyse(&fast(&position)?, &earlier, &limits, &Stop::default(), &mut told);
    let seconds = started.elapsed().as_secs_f64();
    let depth = found.depth;
    let is_over = found.lines.is_empty();
    context.print(Table::of(found.lines.into_iter().map(|line| LineRow { position, depth, line })), true)?;
    let side = if position.turn() == Color::Black { "Black" } else { "White" };
    if is_over {
        context.say(&format!("{side} to move: without a move {side} has lost."));
        return Ok(Exit::Done);
    }
    context.say(&format!(
        "{side} to move; depth {depth}, {} positions in {seconds:.2} s ({} a second).",
        thousands(found.nodes),
        thousands((found.nodes as f64 / seconds.max(1e-6)) as u64)
    ));
    Ok(Exit::Done)
}
