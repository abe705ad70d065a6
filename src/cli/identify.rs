//! `identify`: what a line of moves or a position is called.

use crate::book::OpeningRow;
use crate::render::{self, Format, TableOptions, plural};
use crate::table::{Row, Table};

use super::context::Context;
use super::error::{CliError, Exit};
use super::position_argument;

const EXAMPLES: &str = "\
Examples:
  crownhead identify \"11-15 23-19 9-14 22-17 5-9\"      the Fife
  crownhead identify 11-15 22-17 8-11 23-19 9-13       the Laird and Lady
  crownhead identify \"W:W19,21,22,24-32:B1-7,9-12,15\"  a position
  crownhead --format json identify 9-13

A line is named by the named position that it reaches last, in whatever order;
family and ballot are always told.";

/// Name the opening, family and ballot of a line or a position
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A list of moves, a FEN, a ballot, or an opening's name
    #[arg(value_name = "POSITION", required = true)]
    position: Vec<String>,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    name_of(context, &args.position)
}

/// What a terminal shows of an answer.
const ESSENTIAL_FIELDS: &[&str] =
    &["name", "aliases", "moves", "ply", "family", "ballot", "deck", "by_transposition", "note"];

/// Prints what the position that `words` give is called.
pub(super) fn name_of(context: &mut Context, words: &[String]) -> Result<Exit, CliError> {
    let named = position_argument::position(context, words)?;
    let mut positions = vec![named.start];
    for played in &named.moves {
        positions.push(positions[positions.len() - 1].play_unchecked(played));
    }
    let book = context.book()?;
    let identified = book.identify(&positions, &named.moves);
    let nothing = identified.is_nothing();
    let row = OpeningRow::from_identified(&identified);
    if context.args.format != Format::Table {
        context.print(Table::from_rows((!nothing).then_some(row)), true)?;
        return Ok(if nothing { Exit::No } else { Exit::Done });
    }
    if nothing {
        context.message("No named opening, family or ballot: play from the start is named by its positions.");
        return Ok(Exit::No);
    }
    let hides = context.args.columns.is_none() && context.hides_details(false);
    let essential = || hides.then(|| ESSENTIAL_FIELDS.iter().map(|&name| name.to_owned()).collect());
    let options = TableOptions {
        width: context.table_width(),
        color: context.color(),
        columns: context.args.columns.clone().or_else(essential),
        ..TableOptions::default()
    };
    let text = render::record(OpeningRow::COLUMNS, &row.values(), &options)
        .map_err(|error| CliError::usage(error.to_string()))?;
    write!(context.out(), "{text}")?;
    let plies = named.moves.len() as u64;
    if let Some(ply) = identified.ply.filter(|ply| identified.opening.is_some() && u64::from(*ply) < plies) {
        let all = plural(plies, "half-move", "half-moves");
        context.message(&format!("The name is that of the position after ply {ply}; the line has {all}."));
    }
    if hides {
        let hidden = OpeningRow::COLUMNS.len() - ESSENTIAL_FIELDS.len();
        context.say_what_is_left(&[format!("+{}: --columns all", plural(hidden as u64, "column", "columns"))]);
    }
    Ok(Exit::Done)
}
