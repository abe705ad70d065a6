//! `check`: a database looked over.

use crate::query;
use crate::render::{Format, plural};
use crate::table::Table;

use super::context::Context;
use super::error::{CliError, Exit};

const EXAMPLES: &str = "\
Examples:
  crownhead check                look the database over
  crownhead --db copy.db check   or another one
  crownhead --format json check  the same as JSON

Every line of play is read and proved anew, every raw text unpacked and held
against its digest, the position index counted again from the lines, and the
file itself looked over by SQLite. Damage is an error; a game whose result the
final position contradicts, or whose Result tag and final marker differ, is a
warning. Nothing is changed.
Exit status: 0 no damage; 1 something is damaged; 2 the file cannot be read at
all.";

/// Look the database over: what is damaged, which games are whole, which results cannot be right
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {}

pub(super) fn run(context: &mut Context, _: &Args) -> Result<Exit, CliError> {
    let check = query::check(&context.database()?)?;
    let warnings = check.rows.len() - check.errors;
    if context.args.format != Format::Table || !check.rows.is_empty() {
        context.print(Table::of(check.rows), true)?;
    }
    let looked = &check.inspection;
    context.say(&format!(
        "{} of {} whole, {} proved anew, {} of raw text read.",
        looked.whole,
        plural(looked.lines, "line", "lines"),
        plural(looked.plies, "half-move", "half-moves"),
        plural(looked.texts, "chunk", "chunks"),
    ));
    if warnings > 0 {
        context.say(&format!("{} that cannot be right.", plural(warnings as u64, "result", "results")));
    }
    if check.errors == 0 {
        context.say("No damage was found.");
        return Ok(Exit::Done);
    }
    context.say(&format!(
        "{}. Keep this file; go back to a backup, or import the sources into a new database.",
        plural(check.errors as u64, "damage was found", "damages were found")
    ));
    Ok(Exit::No)
}
