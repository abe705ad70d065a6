//! What the program alone prints: what it can do, and which database is in use.

use crate::game::LineKind;
use crate::query::{self, Filters, QueryError, Sort};
use crate::render::{clean_for_terminal, plural};
use crate::store::{Database, StoreError};

use super::context::Context;
use super::error::{CliError, Exit};

const WELCOME: &str = "\
Crownhead is an opening book and study database for draughts.

  crownhead opening \"ayrshire lassie\"   look up an opening by name
  crownhead moves \"11-15 23-19\"         what is played next, and how it ended
  crownhead import games.pdn            store games, every move replayed
  crownhead annotate                    find the move that lost each stored game
  crownhead report players              results of every player
";

/// Prints the welcome.
pub(super) fn run(context: &mut Context) -> Result<Exit, CliError> {
    let path = context.db_path()?;
    let line = database_line(&path.display().to_string(), Database::open(&path));
    write!(context.out(), "{WELCOME}\n{}\nAll commands: crownhead --help\n", clean_for_terminal(&line))?;
    Ok(Exit::Done)
}

/// Which database is in use and what it holds, or how it comes to be. One that cannot be read is no reason to fail: the
/// welcome was asked for, not the database.
fn database_line(path: &str, opened: Result<Database, StoreError>) -> String {
    match opened.map_err(QueryError::from).and_then(|database| count(&database)) {
        Ok(games) => format!("Database: {path} ({}).", plural(games, "game", "games")),
        Err(QueryError::Store(StoreError::Missing(_))) => format!("No database yet: the first import makes {path}."),
        Err(error) => format!("The database cannot be read: {error}."),
    }
}

/// How many games are stored: books, variations and openings are not counted.
fn count(database: &Database) -> Result<u64, QueryError> {
    let games = Filters { kind: Some(LineKind::Game), ..Filters::default() };
    let (_, total) = query::games(database, &games, &Sort { limit: Some(0), ..Sort::default() })?;
    Ok(total)
}
