//! `remove`: an import taken back.

use crate::render::plural;
use crate::store::Database;

use super::context::Context;
use super::error::{CliError, Exit};

const EXAMPLES: &str = "\
Examples:
  crownhead remove --source games.pdn  by the name it was imported under
  crownhead remove --source 3          or by its id

Afterwards the database answers as if the source had never been read. Games that
another source has too stay, as that source's own. To read the same text again,
import it again.";

/// Take the play of a source out again, whole
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The source, by name or id
    #[arg(long, value_name = "NAME|ID")]
    source: String,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    let found = context.database()?.find_sources(&args.source)?;
    let (id, name) = match found.as_slice() {
        [] => {
            context.say(&format!("No source is called {:?}, nor has that id.", args.source));
            return Ok(Exit::No);
        }
        [one] => one.clone(),
        several => {
            let ids: Vec<String> = several.iter().map(|(id, name)| format!("{id} ({name})")).collect();
            return Err(CliError::usage(format!("several sources are called {:?}: {}", args.source, ids.join(", ")))
                .hint("name one by its id"));
        }
    };
    let (mut database, _) = Database::create(&context.db_path()?)?;
    let removed = database.remove_source(id)?;
    context.say(&format!("Removed source {id}, {name}: {}.", plural(removed.lines, "line", "lines")));
    if removed.moved > 0 {
        context.say(&format!("{} stayed: another source has the same.", plural(removed.moved, "line", "lines")));
    }
    Ok(Exit::Done)
}
