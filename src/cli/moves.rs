//! `moves`: the tree at a position.

mod screen;

use crate::analysis::{self, MAX_UNSTORED_POSITIONS, TreeSource, TreeValue};
use crate::board::Witness;
use crate::book::Book;
use crate::engine::egdb::Databases;
use crate::query::{self, CountedLines, Filters, MoveRow, MoveValue, PositionStats};
use crate::render::{Format, plural};
use crate::rules::Position;
use crate::store::{Database, StoreError};
use crate::table::Table;

use super::context::Context;
use super::engine::{database_line, databases, databases_for, no_move, value_line};
use super::error::{CliError, Exit};
use super::games::{FilterArgs, tell_misfits};
use super::position_argument::{self, Named};
use super::show::BoardArgs;

const EXAMPLES: &str = "\
Examples:
  crownhead moves                      what is played first
  crownhead moves 11-15 23-19          what is played next in a line
  crownhead moves \"old fourteenth\"     and in an opening
  crownhead moves \"W:W18,21,K3:B5,12\"  and in any position
  crownhead moves \"W:WK12:BK19\"       an ending: every move with its value
  crownhead moves 11-15 --player wyllie --year 1840..1850
  crownhead moves defiance --games 5   and five games to play through
  crownhead --format json moves 9-14   the same as JSON

A terminal shows the board beside the moves where it is 80 columns wide, and a
bar of how the games with each move ended: █ won by Black, ▒ drawn, ░ by White.
Elsewhere, and with --columns, there is a table with the columns below.

games counts those that played the move here; position_games those that stood in
the position it leads to, by any order of moves; arrivals are the ones among
them that never played it from here. A game counts once however often it comes
back; one that came back and went on another way counts under both moves. score
is for the side to move: 1 it won every game with a known winner, 0 it lost them
all. Filters choose the games that all these numbers are of; --position asks
that a game also passed through another position. What is known of the value of
a move is the same whatever the filters.

Where an endgame database knows it, value says whether the move wins, draws or
loses for the side that plays it (witness: proved), and plies_to_end how soon
the game is over with best play. If the position itself is known, moves that
nobody played are listed too, and no database of games is needed.

Elsewhere value is what the stored verdicts imply: those of books, marks of
losing moves, endgame databases and certificates, by minimax through the play of
books and variations and through games that are marked or called drawn (witness:
tree, or proved where it follows from proofs alone). Moves that only books have
are listed where they have a value. The result of a plain game and the score of
an engine are no verdicts. In a library of more than
300,000 half-moves these values are those that crownhead annotate --tree kept.";

/// List the moves played from a position, with results
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A FEN, moves, a ballot, or an opening's name; none means the start
    #[arg(value_name = "POSITION")]
    position: Vec<String>,
    /// List this many model games too: those with a known winner, the latest first
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    games: Option<u16>,
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    filters: FilterArgs,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    if args.games.is_some() && context.args.format != Format::Table {
        return Err(CliError::usage("--games belongs to the table format: other formats have one table each")
            .hint("games as data: crownhead games --position POSITION"));
    }
    let book = context.book()?;
    let named = position_argument::position(context, &args.position)?;
    let position = named.position;
    let filters = args.filters.filters(context)?;
    if !position.has_legal_move() {
        return at_an_end(context, args, &book, &named, &filters);
    }
    let next: Vec<Position> = position.legal_moves().iter().map(|played| position.play_unchecked(played)).collect();
    let endings = databases_for(context, &next)?;
    let database = match &endings {
        Some(_) => context.database_if_any()?,
        None => Some(context.database()?),
    };
    let counted = match &database {
        Some(database) => Some(CountedLines::select(database, &filters)?),
        None => None,
    };
    let (mut rows, here) = match &counted {
        Some(counted) => query::moves_among(counted, &book, &position)?,
        None => Default::default(),
    };
    let proved = match &endings {
        Some(endings) => query::add_proved_values(&mut rows, counted.as_ref(), &book, &position, endings)?,
        None => None,
    };
    if database.is_none() && proved.is_none() {
        // Nothing knows this position: say that there is no database.
        context.database()?;
    }
    let implied = match &counted {
        Some(counted) if proved.is_none() => add_implied(context, counted, &book, &position, endings, &mut rows)?,
        _ => ImpliedValue::default(),
    };
    let is_valued = rows.iter().any(|row| row.value.is_some());
    let best = rows.iter().filter_map(|row| row.value).map(|worth| worth.value).max();
    let on_screen = screen::is_wanted(context);
    if is_valued && !on_screen && context.args.format == Format::Table && rows.iter().all(|row| row.position_games == 0)
    {
        // Counts of nothing would only hide what there is to see.
        let columns = ["move", "value", "witness", "plies_to_end"].map(str::to_owned);
        let distances = rows.iter().any(|row| row.value.is_some_and(|worth| worth.plies.is_some()));
        context.args.columns.get_or_insert(columns[..if distances { 4 } else { 3 }].to_vec());
    }
    // Programs get a table without rows, people a sentence.
    let found = !rows.is_empty();
    let none = if filters == Filters::default() {
        "No stored game goes on from here."
    } else {
        "No game that these filters let through goes on from here."
    };
    if on_screen && (found || here.games > 0) {
        screen::print(context, &args.board, &book, &named, rows, none)?;
    } else if found || context.args.format != Format::Table {
        context.print(Table::from_rows(rows), true)?;
    }
    if !on_screen && !found && here.games > 0 {
        context.message(none);
    }
    if let Some(proved) = proved {
        context.message(&format!("{} to move. {}.", position.turn(), database_line(&position, proved)));
    }
    if let Some(value) = implied.value {
        let says = if value.is_proved {
            "proved by what follows"
        } else if best.is_some_and(|best| best < value.value) {
            "a source says so of the position itself"
        } else {
            "what stored verdicts imply"
        };
        let value = value_line(&position, value.value, None, says);
        context.message(&format!("{} to move. {value}.", position.turn()));
    }
    if here.games == 0 {
        if let Some(database) = &database {
            say_no_games(context, database, &filters)?;
        }
        return Ok(if found { Exit::Done } else { Exit::No });
    }
    say_games(context, &position, &here);
    if implied.is_stale {
        // The answer stands without it, so that it comes last.
        let renew = "what the stored verdicts imply has changed since it was worked out: crownhead annotate --tree";
        context.say_what_is_left(&[renew.to_owned()]);
    }
    if let (Some(most), Some(counted)) = (args.games, &counted) {
        screen::print_games(context, counted, &position, most.into())?;
    }
    Ok(Exit::Done)
}

/// How many games passed through a position, and how they ended.
fn say_games(context: &Context, position: &Position, here: &PositionStats) {
    context.message(&format!(
        "{}, {} to move: Black won {}, {} drawn, White won {}.",
        plural(here.games.into(), "game", "games"),
        position.turn(),
        here.black_wins,
        here.draws,
        here.white_wins
    ));
}

/// The answer about a position without a move: who has lost, and which games came to it. It needs no database of games.
fn at_an_end(
    context: &mut Context,
    args: &Args,
    book: &Book,
    named: &Named,
    filters: &Filters,
) -> Result<Exit, CliError> {
    let position = &named.position;
    if context.args.format != Format::Table {
        context.print(Table::from_rows(std::iter::empty::<MoveRow>()), true)?;
    }
    if screen::is_wanted(context) {
        screen::print(context, &args.board, book, named, Vec::new(), &no_move(position))?;
    } else {
        context.message(&no_move(position));
    }
    if let Some(database) = context.database_if_any()? {
        let (_, here) = query::moves_among(&CountedLines::select(&database, filters)?, book, position)?;
        if here.games > 0 {
            say_games(context, position, &here);
        }
    }
    Ok(Exit::Done)
}

/// Says why no game counts here.
fn say_no_games(context: &mut Context, database: &Database, filters: &Filters) -> Result<(), CliError> {
    if *filters == Filters::default() {
        context.message("No stored game reached this position.");
    } else if !tell_misfits(context, database, filters)? {
        context.message("No game that passes these filters reached this position.");
    }
    Ok(())
}

/// What the stored verdicts imply of a position.
#[derive(Default)]
struct ImpliedValue {
    value: Option<TreeValue>,
    /// Whether the verdicts have changed since the values were worked out; there is no value then.
    is_stale: bool,
}

/// Adds what the whole library implies of the moves of `position` to `rows`; what it implies of the position itself.
fn add_implied(
    context: &Context,
    counted: &CountedLines<'_>,
    book: &Book,
    position: &Position,
    endings: Option<Databases>,
    rows: &mut Vec<MoveRow>,
) -> Result<ImpliedValue, CliError> {
    let database = counted.database();
    let mut keys = query::next_keys(database, position)?;
    if keys.is_empty() {
        return Ok(ImpliedValue::default());
    }
    keys.push(position.key());
    let endings = match endings {
        Some(endings) => endings,
        None => databases(context)?,
    };
    let answer = match analysis::tree_answer(database, Some(&endings), &keys, MAX_UNSTORED_POSITIONS) {
        Ok(answer) => answer,
        // Damage elsewhere in the library does not keep what was found here from anybody.
        Err(error @ StoreError::Damaged(_)) => {
            context.message(&format!("What the stored verdicts imply cannot be told: {error}"));
            return Ok(ImpliedValue::default());
        }
        Err(error) => return Err(error.into()),
    };
    let told = |value: TreeValue| MoveValue {
        value: value.value,
        plies: None,
        witness: if value.is_proved { Witness::Proved } else { Witness::Tree },
    };
    query::add_tree_values(rows, counted, book, position, |key| {
        let at = keys.iter().position(|asked| *asked == key)?;
        answer.values.get(at).copied().flatten().map(told)
    })?;
    let value = answer.values.last().copied().flatten();
    Ok(ImpliedValue { value, is_stale: answer.source == TreeSource::Stale })
}
