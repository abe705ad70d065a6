//! `alias`: spellings of players that count as one name.

use std::collections::HashMap;

use clap::Subcommand;

use crate::query;
use crate::store::{AliasAdded, Database};
use crate::table::{Cell, Column, Row, Table, quoted};

use super::context::Context;
use super::error::{CliError, Exit};
use super::suggest::for_command;

const EXAMPLES: &str = "\
Examples:
  crownhead alias add \"Tinsley, M\" \"Marion Tinsley\"  one player, two names
  crownhead alias list                               what counts as what
  crownhead alias remove \"Tinsley, M\"                two players again

From then on the first spelling counts as the second in filters and reports, and
either finds the games of both. The tags of games, and what export gives back,
stay as they are. Case, accents, signs and the order of words never matter, so
\"Tinsley, Marion\" and \"marion tinsley\" are one name without an alias.";

/// Count spellings of a player as one name
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(subcommand)]
    action: AliasAction,
}

#[derive(Debug, Subcommand)]
enum AliasAction {
    /// Count a spelling as another name from now on
    Add {
        /// The spelling
        spelling: String,
        /// The name that it counts as
        name: String,
    },
    /// List the spellings and what they count as
    List,
    /// Let a spelling be a name of its own again
    Remove {
        /// The spelling
        spelling: String,
    },
}

/// A row of `alias list`.
struct AliasRow {
    spelling: String,
    name: String,
    games: u32,
}

impl Row for AliasRow {
    const COLUMNS: &'static [Column] =
        &[Column::text("spelling", 0), Column::text("name", 0), Column::number("games", 0)];

    fn values(self) -> Vec<Cell> {
        vec![self.spelling.into(), self.name.into(), self.games.into()]
    }
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    // A path without a database is a slip, not the wish for an empty one.
    let database = context.database()?;
    match &args.action {
        AliasAction::List => list(context, &database),
        AliasAction::Add { spelling, name } => {
            drop(database);
            add(context, spelling, name)
        }
        AliasAction::Remove { spelling } => {
            drop(database);
            remove(context, spelling)
        }
    }
}

fn list(context: &mut Context, database: &Database) -> Result<Exit, CliError> {
    let games = query::games_by_spelling(database)?;
    let count = |spelling: &str| games.get(&query::name_key(spelling, false)).copied().unwrap_or(0);
    let row = |alias: crate::store::PlayerAlias| AliasRow {
        games: count(&alias.spelling),
        spelling: alias.spelling,
        name: alias.name,
    };
    let rows: Vec<AliasRow> = database.aliases()?.into_iter().map(row).collect();
    if rows.is_empty() {
        context.message("No spelling counts as another name. Add one with: crownhead alias add SPELLING NAME");
    }
    context.print(Table::from_rows(rows), true)?;
    Ok(Exit::Done)
}

fn add(context: &mut Context, spelling: &str, name: &str) -> Result<Exit, CliError> {
    let (mut database, _) = context.database_to_write()?;
    let added = database.add_alias(spelling, name)?;
    let refused = |why: String| CliError::usage(why);
    let (alias, main) = (quoted(spelling), quoted(name));
    match added {
        AliasAdded::Stored { name: target, moved } => {
            context.message(&format!("{alias} counts as {} from now on.", quoted(&target)));
            if target != name {
                context.message(&format!("{main} counts as {} itself.", quoted(&target)));
            }
            for spelling in moved {
                context.message(&format!("So does {}, which counted as the first.", quoted(&spelling)));
            }
            say_unknown(context, &query::games_by_spelling(&database)?, [spelling, name]);
            Ok(Exit::Done)
        }
        AliasAdded::Known => {
            context.message(&format!("{alias} counts as that name already."));
            Ok(Exit::Done)
        }
        AliasAdded::SameName => Err(refused(format!(
            "{alias} and {main} are one name already: case, accents, signs and the order of words do not matter"
        ))),
        AliasAdded::NoName => {
            Err(refused("an alias needs two names of players; ?, NN and signs alone name no one".to_owned()))
        }
        AliasAdded::Circle => Err(refused(format!("{main} counts as {alias} already"))
            .hint(format!("turn it round with: crownhead alias remove {}", for_command(name)))),
        AliasAdded::Taken(other) => Err(refused(format!("{alias} counts as {} already", quoted(&other)))
            .hint(format!("first: crownhead alias remove {}", for_command(spelling)))),
    }
}

/// Says of which names no game has a tag: probably a slip, and at least worth knowing.
fn say_unknown(context: &Context, games: &HashMap<String, u32>, names: [&str; 2]) {
    for name in names {
        if !games.contains_key(&query::name_key(name, false)) {
            context.message(&format!("No game here has a player called {name}.", name = quoted(name)));
        }
    }
}

fn remove(context: &mut Context, spelling: &str) -> Result<Exit, CliError> {
    let (mut database, _) = context.database_to_write()?;
    match database.remove_alias(spelling)? {
        Some(alias) => {
            context.message(&format!("{} no longer counts as {}.", quoted(&alias.spelling), quoted(&alias.name)));
            Ok(Exit::Done)
        }
        None => {
            context.message(&format!(
                "No alias has the spelling {spelling}. List them with: crownhead alias list",
                spelling = quoted(spelling)
            ));
            Ok(Exit::No)
        }
    }
}
