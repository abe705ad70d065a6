//! `sql`: questions in SQL.

use std::ops::Range;
use std::time::Duration;

use crate::query::{self, QueryError};

use super::context::Context;
use super::error::{CliError, Exit};

const EXAMPLES: &str = "\
Examples:
  crownhead sql \"SELECT * FROM sources\"
  crownhead sql \"SELECT winner, count(*) AS n FROM games GROUP BY winner\"
  crownhead sql \"SELECT name, games FROM openings ORDER BY games DESC LIMIT 10\"
  crownhead sql \"SELECT id, fen(id, plies), moves_text(id) FROM games LIMIT 5\"
  crownhead sql \"SELECT move, games FROM moves WHERE fen = 'B:W21-32:B1-12'\"
  crownhead sql \"SELECT fen, games FROM positions ORDER BY games DESC LIMIT 9\"
  crownhead --format csv sql --timeout 300 \"SELECT * FROM games\"

Tables:
  games          id, kind, source, place, event, date, black, white, result,
                 winner, verdict, result_check, plies, status, opening, ballot,
                 losing_ply, witness, ending
  sources        id, name, form, result_order, complete, read, stored, partly,
                 refused, duplicates
  openings       name, games, lines, black_wins, draws, white_wins, ballot
  losing_moves   game, ply, witness
  positions      fen, turn, games, lines, black_wins, draws, white_wins, score,
                 last_year, opening
  moves          fen, move, games, black_wins, draws, white_wins, score,
                 position_games, arrivals, value, witness, last_year, opening,
                 plies_to_end
  plies          game, ply, side, move, fen, mark, losing, witness, comment
positions and moves answer at once for one fen, plies for one game; else they
are computed row by row. In moves, fen is the position before the move and
every column is of games; in plies, the position after it. lines counts
variations and books too.
Functions: fen(line, ply) is the position after so many plies, moves_text(line)
the moves, date_order(date) a number by which dates sort however written.
Tables not named here may change with the next version. Nothing can be written:
one statement, SELECT only. Limits: 60 seconds, 192 MiB of memory for SQLite,
32 MiB per cell, 200 columns, 20,000,000 values and 256 MiB of text per result.
Exit status: 0 done; 1 no row; 2 error.";

/// Answer a question in SQL, read-only
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// One SELECT statement
    #[arg(value_name = "QUERY")]
    query: String,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    timeout: u64,
}

impl Args {
    /// Whether the statement contains `word`, such as the name that it gives to a column.
    pub(super) fn has_word(&self, word: &str) -> bool {
        let word = word.trim_matches('"');
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        !word.is_empty()
            && self.query.match_indices(word).any(|(at, _)| {
                let (before, after) = (&self.query[..at], &self.query[at + word.len()..]);
                !before.ends_with(is_part) && !after.starts_with(is_part)
            })
    }
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    let mut database = context.database()?;
    // Rows that nobody sees need not be read, unless they are sorted first.
    let wanted = match (&context.args.sort, context.args.limit) {
        (None, Some(limit)) => usize::try_from(limit.saturating_add(context.args.offset)).unwrap_or(usize::MAX),
        _ => usize::MAX,
    };
    let table = query::sql(&mut database, &args.query, Duration::from_secs(args.timeout), wanted).map_err(|error| {
        let told = CliError::usage(error.to_string());
        match error {
            QueryError::TimeLimit(_) => told.hint("give it more time with --timeout SECONDS"),
            QueryError::Statement { at: Some(at), .. } => told.at(&args.query, word_at(&args.query, at)),
            other => other.into(),
        }
    })?;
    let found = !table.rows.is_empty();
    context.print(table, true)?;
    Ok(if found { Exit::Done } else { Exit::No })
}

/// The bytes of the word of SQL that begins at `at`.
fn word_at(query: &str, at: usize) -> Range<usize> {
    let rest = query.get(at..).unwrap_or_default();
    let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    at..at + length.max(1)
}
