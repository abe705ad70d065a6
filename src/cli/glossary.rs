//! `glossary`: the words of the field.

use crate::book::{self, Term};
use crate::render::{self, Format, TableOptions};
use crate::table::{Row, Table};

use super::context::Context;
use super::error::{CliError, Exit};

const EXAMPLES: &str = "\
Examples:
  crownhead glossary                every word
  crownhead glossary ply            one word
  crownhead glossary half-move      leads to the word used here
  crownhead --format json glossary  the same as JSON";

/// Explain the words of the field, one meaning each
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A word, or its beginning; none lists all
    #[arg(value_name = "TERM")]
    term: Vec<String>,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    let query = args.term.join(" ");
    let mut terms = book::glossary().map_err(|error| CliError::usage(error.to_string()))?;
    if !query.trim().is_empty() {
        terms = book::find_terms(terms, &query);
    }
    let found = !terms.is_empty();
    if context.args.format == Format::Table {
        // A meaning is a sentence: whole and wrapped, where a table would cut it.
        let options = TableOptions {
            width: context.table_width(),
            color: context.color(),
            columns: context.args.columns.clone(),
            ..TableOptions::default()
        };
        let number = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
        let (skip, keep) = (number(context.args.offset), context.args.limit.map_or(usize::MAX, number));
        for (at, term) in terms.into_iter().skip(skip).take(keep).enumerate() {
            let text = render::record(Term::COLUMNS, &term.values(), &options)
                .map_err(|error| CliError::usage(error.to_string()))?;
            write!(context.out(), "{}{text}", if at > 0 { "\n" } else { "" })?;
        }
    } else {
        context.print(Table::from_rows(terms), true)?;
    }
    if !found {
        context.message(&format!("The glossary has no {query:?}. See all words with: crownhead glossary"));
    }
    Ok(if found { Exit::Done } else { Exit::No })
}
