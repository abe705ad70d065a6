//! `moves`: the tree at a position.

use crate::query;
use crate::render::plural;
use crate::table::Table;

use super::context::Context;
use super::error::{CliError, Exit};
use super::place;

const EXAMPLES: &str = "\
Examples:
  crownhead moves                      what is played first
  crownhead moves 11-15 23-19          what is played next in a line
  crownhead moves \"old fourteenth\"     and in an opening
  crownhead moves \"W:W18,21,K3:B5,12\"  and in any position
  crownhead --format json moves 9-14   the same as JSON

games counts those that played the move here; position_games those that stood in
the position it leads to, by any order of moves; arrivals are the ones among
them that never played it from here. A game counts once however often it comes
back; one that came back and went on another way counts under both moves. score
is for the side to move: 1 it won every game with a known winner, 0 it lost them
all.";

/// Print the moves played from a position, each with its statistics
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A FEN, a list of moves, or an opening's name; none means the start
    #[arg(value_name = "POSITION")]
    position: Vec<String>,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    let database = context.database()?;
    let variant = context.args.variant;
    let named = place::position(&args.position, variant, &*context.book()?)?;
    let (rows, here) = query::moves(&database, &*context.book()?, &named.position)?;
    // Programs get a table without rows, people a sentence.
    if !rows.is_empty() || context.args.format != crate::render::Format::Table {
        context.print(Table::of(rows), true)?;
    }
    if here.games == 0 {
        context.say("No stored game stands in this position.");
        return Ok(Exit::No);
    }
    context.say(&format!(
        "{}, {} to move: Black won {}, {} drawn, White won {}.",
        plural(here.games.into(), "game", "games"),
        named.position.turn(),
        here.black_wins,
        here.draws,
        here.white_wins
    ));
    Ok(Exit::Done)
}
