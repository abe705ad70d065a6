//! `perft`: counting lines of play, to hold the rules against published tables.

use std::time::Instant;

use crate::render::thousands;
use crate::rules;
use crate::table::{Column, Row, Table, Value};

use super::context::Context;
use super::error::{CliError, Exit};
use super::place;

const EXAMPLES: &str = "\
Examples:
  crownhead perft 9           nine plies from the start: 3,963,680
  crownhead perft 6 --divide  six plies, by first move
  crownhead perft 8 --paths \"W:WK26,K30:B14,15,22,23,6,7\"";

/// The deepest count that ends in a person's lifetime.
const DEEPEST: i64 = 20;

/// Count the lines of play of some plies
///
/// One move is from, to and captured pieces: two routes with the same three count once. --paths counts routes apart.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Plies
    #[arg(value_parser = clap::value_parser!(u8).range(1..=DEEPEST))]
    depth: u8,
    /// A FEN, a list of moves, or an opening's name; none means the start
    #[arg(value_name = "POSITION")]
    position: Vec<String>,
    /// Count by first move
    #[arg(long)]
    divide: bool,
    /// Count routes of captures apart
    #[arg(long, conflicts_with = "divide")]
    paths: bool,
}

struct PerftRow(String, u64);

impl Row for PerftRow {
    const COLUMNS: &'static [Column] = &[Column::text("move", 0), Column::number("lines", 0)];

    fn values(self) -> Vec<Value> {
        vec![self.0.into(), Value::Int(i64::try_from(self.1).unwrap_or(i64::MAX))]
    }
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    let variant = context.args.variant;
    let position = place::position(&args.position, variant, &*context.book()?)?.position;
    let started = Instant::now();
    let rows: Vec<PerftRow> = if args.divide {
        let divided = rules::divide(&position, args.depth);
        divided.iter().map(|(m, lines)| PerftRow(crate::game::move_text(&position, m), *lines)).collect()
    } else if args.paths {
        vec![PerftRow("all".to_owned(), rules::perft_paths(&position, args.depth))]
    } else {
        vec![PerftRow("all".to_owned(), rules::perft(&position, args.depth))]
    };
    let seconds = started.elapsed().as_secs_f64();
    let total: u64 = rows.iter().map(|row| row.1).sum();
    context.print(Table::of(rows), true)?;
    context.say(&format!("{} lines in {seconds:.2} s.", thousands(total)));
    Ok(Exit::Done)
}
