//! `sources`: the list of imported texts.

use crate::query;
use crate::render::Format;
use crate::table::{Cell, Table};

use super::context::Context;
use super::error::{CliError, Exit};

/// Characters of a digest that a table on a terminal shows.
const DIGEST_DIGITS: usize = 12;

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
        context.message("No text is stored. Import one with: crownhead import FILE");
    }
    let mut table = Table::from_rows(rows);
    if context.args.format == Format::Table && context.is_terminal() && context.args.columns.is_none() {
        shorten_digests(&mut table);
    }
    context.print(table, true)?;
    Ok(Exit::Done)
}

/// Leaves the beginnings of digests, which tell texts apart as well.
fn shorten_digests(table: &mut Table) {
    let Some(at) = table.columns.iter().position(|column| column.name == "digest") else { return };
    for digest in table.rows.iter_mut().filter_map(|row| row.get_mut(at)) {
        if let Cell::Text(text) = digest {
            text.truncate(DIGEST_DIGITS);
        }
    }
}
