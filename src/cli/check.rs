//! `check`: a database looked over.

use std::path::Path;

use crate::analysis;
use crate::query::{self, Check, CheckRow, QueryError};
use crate::render::{Format, plural};
use crate::store::{Database, StoreError};
use crate::table::Table;

use super::context::Context;
use super::engine::databases;
use super::error::{CliError, Exit};
use super::import::read_again;

const EXAMPLES: &str = "\
Examples:
  crownhead check                look the database over
  crownhead --db copy.db check   or another one
  crownhead --format json check  the same as JSON

Every line of play is read and proved anew, every raw text unpacked and held
against its digest, the position index counted again from the lines, and the
file itself looked over by SQLite. Tags, notes and results must be those of the
raw text, and ballots those of the moves. Certificates must be about what they
are kept for, and values that annotate --tree keeps those that follow from the
rest.
Damage is an error; a game whose result the final position contradicts, or whose
Result tag and final marker differ, is a warning. Nothing is changed, but for
--repair.
Exit status: 0 no damage; 1 something is damaged; 2 the file cannot be read at
all.";

/// Check the database for damage and impossible results
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// First read copies again that an older version stored without their own words
    #[arg(long)]
    repair: bool,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    let path = context.db_path()?;
    if args.repair {
        drop(context.database()?);
        let (mut database, _) = context.database_to_write()?;
        read_again(context, &mut database)?;
    }
    let looked = Database::open_to_check(&path)
        .map_err(QueryError::from)
        .and_then(|database| Ok((query::check(&database)?, database)));
    let (mut check, database) = looked.map_err(|error| cannot_look(error, &path))?;
    context.say_upgraded(&database);
    // Values follow from all the rest: where that is damaged they say nothing.
    if check.errors == 0 && database.tree_stamp()?.is_some() {
        let wrong = analysis::wrong_kept_values(&database, Some(&databases(context)?))?;
        tell_wrong_values(&mut check, wrong);
    }
    let warnings = check.rows.len() - check.errors;
    if context.args.format != Format::Table || !check.rows.is_empty() {
        context.print(Table::from_rows(check.rows), true)?;
    }
    let looked = &check.inspection;
    context.message(&format!(
        "{} of {} whole, {} proved anew, {} of raw text read.",
        looked.whole,
        plural(looked.lines, "line", "lines"),
        plural(looked.plies, "half-move", "half-moves"),
        plural(looked.texts, "chunk", "chunks"),
    ));
    if warnings > 0 {
        context.message(&format!("{} that cannot be right.", plural(warnings as u64, "result", "results")));
    }
    if check.errors == 0 {
        context.message("No damage was found.");
        return Ok(Exit::Done);
    }
    context.message(&format!(
        "{}. Keep this file; go back to a backup, or import the sources into a new database.",
        plural(check.errors as u64, "damage was found", "damages were found")
    ));
    Ok(Exit::No)
}

/// Adds the row of `wrong` values of positions, if there are any.
fn tell_wrong_values(check: &mut Check, wrong: u64) {
    if wrong == 0 {
        return;
    }
    let found = format!("values kept that do not follow from the rest: {wrong}; crownhead annotate --tree renews them");
    let row = CheckRow { severity: "error", part: "analysis", id: None, source: None, game_number: None, found };
    check.rows.insert(check.errors, row);
    check.errors += 1;
}

/// What is told where nothing of a database can be read: not to run this command.
fn cannot_look(error: QueryError, path: &Path) -> CliError {
    let damaged = match &error {
        QueryError::Store(error) => error.is_broken_file() || matches!(error, StoreError::Damaged(_)),
        _ => false,
    };
    match Database::shortfall(path) {
        short if damaged || short.is_some() => {
            let why = short.unwrap_or_else(|| error.to_string());
            CliError::usage(format!("{} is damaged, and none of its lines can be read: {why}", path.display()))
                .hint("go back to a backup, or import the sources into a new database")
        }
        _ => error.into(),
    }
}
