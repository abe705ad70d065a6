//! `sources`: the list of imported texts.

use crate::query;
use crate::table::Table;

use super::context::Context;
use super::error::{CliError, Exit};

const EXAMPLES: &str = "\
Examples:
  crownhead sources                          every imported text
  crownhead --sort -date sources             the latest first
  crownhead --format csv sources > texts.csv

Names are those that games --source and remove --source take. The date is the
day of the import in UTC, the digest (BLAKE3) that of the text as it was read:
the same digest is the same text. Counts are of what was stored with a text;
what an earlier one had already counts there. For what was read and refused:
crownhead report sources.";

/// List the imported texts
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {}

pub(super) fn run(context: &mut Context) -> Result<Exit, CliError> {
    let rows = query::sources(&context.database()?)?;
    if rows.is_empty() {
        context.say("No text is stored. Import one with: crownhead import FILE");
    }
    context.print(Table::of(rows), true)?;
    Ok(Exit::Done)
}
