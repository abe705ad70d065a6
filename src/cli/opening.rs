//! `opening`: the named openings, and one of them looked up.

use crate::book::{Book, NameReading, Opening, OpeningRow, Rank};
use crate::game::write_moves;
use crate::query;
use crate::render::{self, DiagramOptions, Format, TableOptions, plural, sentence};
use crate::rules::Position;
use crate::store::Database;
use crate::table::{Row, Table, quoted};

use super::context::Context;
use super::error::{CliError, Exit};
use super::show::BoardArgs;
use super::{identify, position_argument};

const EXAMPLES: &str = "\
Examples:
  crownhead opening                     every name with its moves
  crownhead opening \"ayrshire lasie\"    near misses are forgiven
  crownhead opening \"old 14th\"          and numbers, in letters or digits
  crownhead opening --ballot 86         a three-move ballot by number
  crownhead opening \"11-15 23-19\"       what moves are called, as identify does
  crownhead --format json opening fife  the same as JSON

With a database, says how many games stood in the position of the opening, in
whatever order its moves were played, and what was played next.";

/// How many near names are worth telling.
const MAX_SUGGESTIONS: usize = 5;
/// Moves of stored games told for an opening.
const NEXT_MOVES: usize = 5;

/// List the named openings, or look one up by name
///
/// Looking up forgives case, accents, apostrophes, scan damage, the order of words and near misses. Prints the moves, a
/// diagram, other names, later positions that bear the name, the ballot, the source and a note.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A name, or a part of one; or moves or a FEN to identify; none lists all
    #[arg(value_name = "NAME")]
    name: Vec<String>,
    /// Look a three-move ballot up by its number instead
    #[arg(long, value_name = "NUMBER", conflicts_with = "name", value_parser = super::games::ballot_number)]
    ballot: Option<u16>,
    /// Show the details too on a terminal: source, FEN, status, level and the like
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    board: BoardArgs,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    context.book()?;
    let query = args.name.join(" ");
    if let Some(number) = args.ballot {
        return ballot(context, args, &format!("ballot {number}"));
    }
    if query.trim().is_empty() {
        let book = context.book()?;
        let rows: Vec<OpeningRow> =
            book.openings().iter().flat_map(|opening| OpeningRow::of_opening(&book, opening)).collect();
        context.print(Table::from_rows(rows), true)?;
        return Ok(Exit::Done);
    }
    let book = context.book()?;
    if position_argument::is_play(&query, &book) {
        return identify::name_of(context, &args.name);
    }
    if !matches!(book.read_name(&query), Some(NameReading::Exact(_))) && book.read_ballot(&query).is_some() {
        return ballot(context, args, &query);
    }
    let matches = book.lookup(&query);
    let Some(best) = matches.first() else {
        context.message(&format!("No opening is called {}. List them with: crownhead opening", quoted(&query)));
        return Ok(Exit::No);
    };
    let opening = best.opening.clone();
    let near: Vec<String> = matches[1..].iter().take(MAX_SUGGESTIONS).map(|found| found.opening.name.clone()).collect();
    let (matched, fuzzy) = (best.matched.to_owned(), best.rank == Rank::Fuzzy);
    if context.args.format != Format::Table {
        let rows: Vec<OpeningRow> =
            matches.iter().flat_map(|found| OpeningRow::of_opening(&book, found.opening)).collect();
        context.print(Table::from_rows(rows), true)?;
        return Ok(Exit::Done);
    }
    let rows = OpeningRow::of_opening(&book, &opening);
    let position = opening.definition.position;
    let last_move = opening.definition.moves.last().copied();
    let mut below =
        format!("\n{}", render::board(&position.setup(), &DiagramOptions { last_move, ..args.board.options(context) }));
    if let Some(database) = context.database_if_any()? {
        below.push_str(&in_database(&database, &*context.book()?, &opening)?);
    }
    let mut said = Vec::new();
    said.extend(fuzzy.then(|| format!("Read {} as {matched}.", quoted(&query))));
    said.extend((!near.is_empty()).then(|| format!("Other names that fit: {}.", near.join(", "))));
    let width = usize::from(context.width());
    let said_lines = said.iter().map(|sentence| render::wrap(sentence, width).len()).sum::<usize>();
    let (text, hidden) = fitting_card(context, rows, args.all, below.lines().count() + said_lines)?;
    write!(context.out(), "{text}{below}")?;
    context.say_hidden_details(hidden);
    for sentence in &said {
        context.message(sentence);
    }
    Ok(Exit::Done)
}

/// What a card has first of all.
const ESSENTIAL_FIELDS: &[&str] = &["name", "aliases", "moves", "family", "ballot", "deck", "ballot_names", "note"];
/// What it does without, one after the other, where a screen has no room for it; what is not a column is the later positions.
const DROPPABLE_FIELDS: &[&str] = &["also at", "note", "ballot_names", "aliases"];

/// The card of an opening, and how many details it has not. A screen gets what people look for and what has room above `below`
/// lines, unless they ask for `all`.
fn fitting_card(
    context: &Context,
    rows: Vec<OpeningRow>,
    all: bool,
    below: usize,
) -> Result<(String, usize), CliError> {
    if context.args.columns.is_some() || !context.hides_details(all) {
        return Ok((card(context, rows, None)?, 0));
    }
    // The line about details and the next prompt stand below it.
    let room = usize::from(context.screen_height().unwrap_or(u16::MAX)).saturating_sub(below + 2);
    let mut shown: Vec<&str> = ESSENTIAL_FIELDS.iter().chain(&["also at"]).copied().collect();
    let mut text = card(context, rows.clone(), Some(&shown))?;
    let mut hidden = OpeningRow::COLUMNS.len() - ESSENTIAL_FIELDS.len();
    for name in DROPPABLE_FIELDS {
        if text.lines().count() <= room {
            break;
        }
        shown.retain(|shown| shown != name);
        let shorter = card(context, rows.clone(), Some(&shown))?;
        hidden += usize::from(shorter != text);
        text = shorter;
    }
    Ok((text, hidden))
}

/// The definition as a card, then a line for each tabiya; `shown` are the only fields it has.
fn card(context: &Context, rows: Vec<OpeningRow>, shown: Option<&[&str]>) -> Result<String, CliError> {
    let essential = shown.map(|shown| {
        let fields = shown.iter().filter(|name| ESSENTIAL_FIELDS.contains(name));
        fields.map(|&name| name.to_owned()).collect()
    });
    let options = TableOptions {
        width: context.table_width(),
        color: context.color(),
        columns: context.args.columns.clone().or(essential),
        ..TableOptions::default()
    };
    let mut rows = rows.into_iter();
    let Some(definition) = rows.next() else { return Ok(String::new()) };
    let mut text = render::record(OpeningRow::COLUMNS, &definition.values(), &options)
        .map_err(|error| CliError::usage(error.to_string()))?;
    let tabiyas: Vec<String> = rows.filter_map(|row| row.moves).collect();
    if !tabiyas.is_empty() && shown.is_none_or(|shown| shown.contains(&"also at")) {
        text.push_str("also at\n");
        for moves in tabiyas {
            for line in render::wrap(&moves, context.table_width().map_or(usize::MAX, usize::from).saturating_sub(2)) {
                text.push_str(&format!("  {line}\n"));
            }
        }
    }
    Ok(text)
}

/// What the games of a database did with an opening.
fn in_database(database: &Database, book: &Book, opening: &Opening) -> Result<String, CliError> {
    let position = opening.definition.position;
    let (rows, here) = query::moves(database, book, &position)?;
    if here.games == 0 {
        return Ok("\nNo stored game stood in this position.\n".to_owned());
    }
    let mut text = format!(
        "\n{} stood in this position: Black won {}, {} drawn, White won {}.\n",
        plural(here.games.into(), "game", "games"),
        here.black_wins,
        here.draws,
        here.white_wins
    );
    if !rows.is_empty() {
        let next: Vec<String> =
            rows.iter().take(NEXT_MOVES).map(|row| format!("{} ({})", row.text, row.stats.games)).collect();
        text.push_str(&format!("Played next: {}.\n", next.join(", ")));
    }
    Ok(text)
}

/// A ballot by its number, as `query` gives it.
fn ballot(context: &mut Context, args: &Args, query: &str) -> Result<Exit, CliError> {
    let book = context.book()?;
    let ballot = match book.read_ballot(query) {
        Some(Ok(ballot)) => ballot.clone(),
        Some(Err(unknown)) => {
            context.message(&sentence(&unknown.to_string()));
            return Ok(Exit::No);
        }
        None => return Ok(Exit::No),
    };
    let row = OpeningRow::of_ballot(&book, &ballot);
    if context.args.format != Format::Table {
        context.print(Table::from_rows([row]), true)?;
        return Ok(Exit::Done);
    }
    let mut text = format!("ballot {} of the {} deck: {}\n", ballot.number, ballot.deck.name(), ballot.text);
    let start = Position::start(ballot.position.variant());
    for order in &ballot.other_orders {
        text.push_str(&format!("also by {}\n", write_moves(start, order)));
    }
    let last_move = ballot.moves.last().copied();
    let options = DiagramOptions { last_move, ..args.board.options(context) };
    let below = format!("\n{}", render::board(&ballot.position.setup(), &options));
    let (card, hidden) = fitting_card(context, vec![row], args.all, below.lines().count() + text.lines().count())?;
    write!(context.out(), "{text}{card}{below}")?;
    context.say_hidden_details(hidden);
    Ok(Exit::Done)
}
