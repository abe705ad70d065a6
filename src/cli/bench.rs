//! `bench`: fixed positions searched to a fixed depth, for the engine's signature and speed.

use std::path::Path;
use std::time::Instant;

use crate::engine::{Search, SearchLimits, StopFlag};
use crate::notation::fen;
use crate::render::thousands;
use crate::rules::Position;
use crate::table::{Cell, Column, Row, Table};

use super::context::Context;
use super::engine::{evaluation, fast};
use super::error::{CliError, Exit};
use super::signals::stop_flag;

const EXAMPLES: &str = "\
Examples:
  crownhead bench                      the signature, and nodes a second
  crownhead --format csv bench --depth 9

The number of nodes depends on the search and the evaluation alone, not on the
machine: a change that is meant to change nothing leaves it as it is.";

/// The start, positions out of games at various stages, and endings; all quiet for the side to move or not, as they come.
const BENCH_POSITIONS: [&str; 12] = [
    "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
    "B:W17,19,21,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,9,10,11,12,15",
    "W:W18,20,21,23,26,27,28,30,31,32:B1,2,3,5,6,7,9,11,12,14",
    "B:W16,20,22,25,27,28,29,30,32:B1,2,3,4,5,9,10,13,15",
    "W:W13,21,22,23,27,29,30,31:B2,5,6,8,11,12,14,15",
    "B:W18,28,30:B5,9,20",
    "W:W20,22,27,30,K2:B5,12,13,21,K18",
    "B:W19,21,24,28,32:B3,10,12,13,K26",
    "W:W24,25,26,32:B6,9,14,K30",
    "W:WK18,K23,15:BK10,4,12",
    "B:WK6,K11,24:BK15,K22,20",
    "W:W17,21,25,26,30,31,32:B5,7,8,10,12,13,15",
];

/// Search fixed positions: the engine's signature and speed
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Plies
    #[arg(long, value_name = "PLIES", default_value_t = 13, value_parser = clap::value_parser!(u8).range(1..=40))]
    depth: u8,
    /// Judge positions by: best, material, or a file of weights
    #[arg(long, value_name = "NAME", default_value = "best")]
    evaluation: String,
}

impl Args {
    /// The files it reads.
    pub(super) fn inputs(&self) -> impl Iterator<Item = &Path> {
        std::iter::once(Path::new(&self.evaluation))
    }
}

pub(super) struct BenchRow {
    fen: &'static str,
    score: Option<String>,
    nodes: u64,
}

impl Row for BenchRow {
    const COLUMNS: &'static [Column] = &[Column::number("nodes", 0), Column::text("score", 0), Column::text("fen", 0)];

    fn values(self) -> Vec<Cell> {
        vec![(self.nodes as i64).into(), self.score.into(), self.fen.into()]
    }
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    // No endings: the signature must not depend on which databases a machine has.
    let mut search = Search::new(evaluation(&args.evaluation)?, None, 16 << 20);
    let limits = SearchLimits { depth: args.depth, ..SearchLimits::default() };
    let started = Instant::now();
    let mut rows = Vec::new();
    let stop = StopFlag::from(stop_flag());
    for text in BENCH_POSITIONS {
        let read = fen::read(text, context.args.variant).map_err(|error| CliError::usage(error.to_string()))?;
        let position = Position::from_setup(&read.setup).map_err(|error| CliError::usage(error.to_string()))?;
        search.forget();
        let found = search.analyse(&fast(&position)?, &[], &limits, &stop, &mut |_| ());
        if stop.is_set() {
            // What is unfinished would give another number of nodes.
            break;
        }
        rows.push(BenchRow { fen: text, score: found.best().map(|best| best.score.to_string()), nodes: found.nodes });
    }
    let seconds = started.elapsed().as_secs_f64();
    let nodes: u64 = rows.iter().map(|row| row.nodes).sum();
    let done = rows.len();
    context.print(Table::from_rows(rows), true)?;
    if stop.is_set() {
        context
            .message(&format!("Stopped after {done} of {} positions: there is no signature.", BENCH_POSITIONS.len()));
        return Ok(Exit::Interrupted);
    }
    context.message(&format!(
        "Signature {nodes}: {} nodes in {seconds:.2} s, {} a second.",
        thousands(nodes),
        thousands((nodes as f64 / seconds.max(1e-6)) as u64)
    ));
    Ok(Exit::Done)
}
