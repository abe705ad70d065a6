//! `remove`: an import taken back.

use crate::query::{self, Filters};
use crate::render::{self, plural};
use crate::store::Database;
use crate::table::quoted;

use super::context::Context;
use super::error::{CliError, Exit};
use super::games::did_you_mean;
use super::import::read_again;

const EXAMPLES: &str = "\
Examples:
  crownhead remove --source games.pdn --dry-run  say what would be removed
  crownhead remove --source games.pdn            remove it
  crownhead remove --number 3                    by the number of the source

A name is found by the beginnings of its words, as games --source does; where it
fits several sources, they are listed and nothing is removed. A source that is
called exactly so comes first. A text that was imported again after a change is
a source of its own, of the same name: --number tells them apart.

Afterwards the database answers as if the source had never been read. Games that
another source has too stay, with that source's words alone. Of several files
with the same bytes, only the name goes; --number takes the source itself.";

/// Take the play of a source out again, whole
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, group = clap::ArgGroup::new("which").required(true))]
pub(super) struct Args {
    /// The source, by its name or words of it
    #[arg(long, value_name = "NAME", group = "which")]
    source: Option<String>,
    /// The source, by its number
    #[arg(long, value_name = "N", group = "which")]
    number: Option<i64>,
    /// Say what would be removed, and remove nothing
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    let database = context.database()?;
    let found = sources(&database, args)?;
    let (number, name) = match found.as_slice() {
        [] => {
            context.message(&match (&args.source, args.number) {
                (Some(name), _) => did_you_mean(
                    format!("No source is called {name}, nor has that number", name = quoted(name)),
                    &similar_sources(&database, name)?,
                ),
                (None, number) => format!("No source has the number {}.", number.unwrap_or_default()),
            });
            return Ok(Exit::No);
        }
        [one] => one,
        several => {
            let listed: Vec<String> = several.iter().map(|(number, name)| format!("{number} ({name})")).collect();
            let named = args.source.as_deref().unwrap_or_default();
            return Err(CliError::usage(format!(
                "{named} fits several sources: {}",
                listed.join(", "),
                named = quoted(named)
            ))
            .hint("name one by its number: --number N"));
        }
    };
    let names = database.source_names()?.into_iter().filter(|(of, _)| of == number).count();
    drop(database);
    let (mut database, _) = context.database_to_write()?;
    read_again(context, &mut database)?;
    if args.source.is_some() && names > 1 {
        // The same file under another name stays.
        let verb = if args.dry_run { "Would forget" } else { "Forgot" };
        if !args.dry_run {
            database.remove_source_name(*number, name)?;
        }
        let others = plural(names as u64 - 1, "other name", "other names");
        context.message(&format!("{verb} the name {name} of source {number}, which has {others}: its games stay."));
        return Ok(Exit::Done);
    }
    let (removed, verb) = if args.dry_run {
        (database.try_removing_source(*number)?, "Would remove")
    } else {
        (database.remove_source(*number)?, "Removed")
    };
    context.message(&format!(
        "{verb} source {number}, {name}: 1 text ({}), {} ({} of kind game), {}.",
        render::bytes(removed.bytes),
        plural(removed.lines, "line", "lines"),
        removed.games,
        plural(removed.notes, "note", "notes"),
    ));
    if removed.moved > 0 {
        let verb = if args.dry_run { "would stay" } else { "stayed" };
        context.message(&format!("{} {verb}: another source has the same.", plural(removed.moved, "line", "lines")));
    }
    if removed.had_tree_values {
        let verb = if args.dry_run { "would go" } else { "went" };
        context.message(&format!(
            "The values kept of positions {verb} with it: crownhead annotate --tree makes them anew."
        ));
    }
    Ok(Exit::Done)
}

/// Names of sources that are like `name`.
fn similar_sources(database: &Database, name: &str) -> Result<Vec<String>, CliError> {
    let filters = Filters { source: Some(name.to_owned()), ..Filters::default() };
    Ok(query::misfits(database, &filters)?.into_iter().flat_map(|misfit| misfit.similar).collect())
}

/// The sources that are asked for, as numbers and names: those called exactly so, else those that the words fit and the one
/// with that number.
fn sources(database: &Database, args: &Args) -> Result<Vec<(i64, String)>, CliError> {
    let all = database.source_names()?;
    let Some(wanted) = &args.source else {
        return Ok(all.into_iter().filter(|(number, _)| Some(*number) == args.number).collect());
    };
    let exact: Vec<_> = all.iter().filter(|(_, name)| name == wanted).cloned().collect();
    if !exact.is_empty() {
        return Ok(exact);
    }
    let filters = Filters { source: Some(wanted.clone()), ..Filters::default() };
    filters.check_words()?;
    let fits = |(number, name): &(i64, String)| filters.has_source(name) || number.to_string() == *wanted;
    Ok(all.into_iter().filter(fits).collect())
}
