//! `glossary`: the words of the field.

use crate::book::{self, Term};
use crate::render::{self, Format, TableOptions, display_width};
use crate::table::{Row, Table, quoted};

use super::context::Context;
use super::error::{CliError, Exit};

const EXAMPLES: &str = "\
Examples:
  crownhead glossary                the words that are explained
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
    /// List every word with its meaning, on a terminal without a pager too
    #[arg(long, conflicts_with = "term")]
    all: bool,
}

/// Words in as many columns as fit in `width`, filled column by column.
fn in_columns(words: &[String], width: usize) -> String {
    const GAP: usize = 2;
    let column = words.iter().map(|word| display_width(word)).max().unwrap_or(0) + GAP;
    let columns = ((width + GAP) / column.max(1)).clamp(1, words.len().max(1));
    let lines = words.len().div_ceil(columns);
    let mut text = String::new();
    for line in 0..lines {
        let row: Vec<String> = words.iter().skip(line).step_by(lines).map(|word| padded(word, column)).collect();
        text.push_str(row.concat().trim_end());
        text.push('\n');
    }
    text
}

/// `word` with blanks behind, up to `width` columns.
fn padded(word: &str, width: usize) -> String {
    format!("{word}{}", " ".repeat(width.saturating_sub(display_width(word))))
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    let query = args.term.join(" ");
    let mut terms = book::glossary().map_err(|error| CliError::usage(error.to_string()))?;
    if !query.trim().is_empty() {
        terms = book::find_terms(terms, &query);
    }
    let found = !terms.is_empty();
    let lists_words = query.trim().is_empty() && context.hides_details(args.all) && context.args.columns.is_none();
    if lists_words && context.args.format == Format::Table {
        let words: Vec<String> = terms.into_iter().map(|term| term.term).collect();
        let width = context.table_width().map_or(usize::MAX, usize::from);
        context.out().write_all(in_columns(&words, width).as_bytes())?;
        context.message("One of them: crownhead glossary WORD. All with their meanings: crownhead glossary --all.");
        return Ok(Exit::Done);
    }
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
        context.message(&format!(
            "The glossary has no {query}. See all words with: crownhead glossary",
            query = quoted(&query)
        ));
    }
    Ok(if found { Exit::Done } else { Exit::No })
}
