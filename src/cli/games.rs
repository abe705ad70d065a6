//! `games`: lists of stored games.

use crate::board::Witness;
use crate::book::Rank;
use crate::game::LineKind;
use crate::query::{self, Filters, Misfit, PlayedRow, Sort, WinnerFilter};
use crate::render::sentence;
use crate::rules::Position;
use crate::store::Database;
use crate::table::{Table, quoted};

use super::context::Context;
use super::error::{CliError, Exit};
use super::position_argument;
use super::suggest::for_command;

const EXAMPLES: &str = "\
Examples:
  crownhead games                                       the first screenful
  crownhead games --player wyllie --year 1840..1850     a player, some years
  crownhead games --opening \"ayrshire lassie\" --result black
  crownhead games --black wyllie --position 11-15       that passed through it
  crownhead --sort -plies --limit 10 games              the ten longest
  crownhead --format csv games --kind game > games.csv  for a spreadsheet
  crownhead games --result draw --columns id,moves      with their moves

The columns start_fen (where play does not begin at the usual start) and moves
are printed where --columns names them. Words of names may be in any order;
case and accents are forgiven. A date known in part counts by its year.
Variations are listed with --kind variation.";

/// List stored games
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    filters: FilterArgs,
}

/// FILTERS: combinable; all that are given must hold.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Filters")]
pub(super) struct FilterArgs {
    /// Games of this opening
    #[arg(long, value_name = "NAME")]
    opening: Option<String>,
    /// Games of this three-move ballot
    #[arg(long, value_name = "NUMBER", value_parser = ballot_number)]
    ballot: Option<u16>,
    /// Games of this player, either colour
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Games in which this player had Black
    #[arg(long, value_name = "NAME")]
    black: Option<String>,
    /// Games in which this player had White
    #[arg(long, value_name = "NAME")]
    white: Option<String>,
    /// Games of this event
    #[arg(long, value_name = "NAME")]
    event: Option<String>,
    /// Games from this source
    #[arg(long, value_name = "NAME")]
    source: Option<String>,
    /// Games of this year or these years, 1840..1850
    #[arg(long, value_name = "A..B")]
    year: Option<String>,
    /// Games with this winner: black, white, decisive (either), draw (drawn), unknown (not told)
    #[arg(long, value_name = "WINNER", value_parser = ["black", "white", "decisive", "draw", "unknown"], hide_possible_values = true)]
    result: Option<String>,
    /// Lines of this kind: game, book, variation, opening
    #[arg(long, value_name = "KIND", value_parser = ["game", "book", "variation", "opening"], hide_possible_values = true)]
    kind: Option<String>,
    /// Games that passed through this position, by any order of moves
    #[arg(long = "position", value_name = "POSITION")]
    passed: Option<String>,
    /// Only games with a losing move marked
    #[arg(long)]
    losing: bool,
    /// Only games whose losing move has this witness: source, engine, proved
    #[arg(long, value_name = "WITNESS", value_parser = ["source", "engine", "proved"], hide_possible_values = true)]
    witness: Option<String>,
    /// Take accents of names, and patterns, exactly as given: unnamed squares are then empty
    #[arg(long)]
    exact: bool,
}

/// The number of a ballot of the three-move deck; whether there is one is for the database and the book to say.
pub(super) fn ballot_number(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| "a ballot is a number of the three-move deck, 1 to 174".to_owned())
}

impl FilterArgs {
    /// The filters as they are written in a command, but for those whose options are among `without`.
    pub(super) fn words(&self, without: &[&str]) -> String {
        let ballot = self.ballot.map(|number| number.to_string());
        let named = [
            ("--opening", &self.opening),
            ("--ballot", &ballot),
            ("--player", &self.player),
            ("--black", &self.black),
            ("--white", &self.white),
            ("--event", &self.event),
            ("--source", &self.source),
            ("--year", &self.year),
            ("--result", &self.result),
            ("--kind", &self.kind),
            ("--position", &self.passed),
            ("--witness", &self.witness),
        ];
        let named = named.into_iter().filter(|(option, _)| !without.contains(option));
        let mut words: Vec<String> =
            named.filter_map(|(option, value)| Some(format!("{option} {}", for_command(value.as_deref()?)))).collect();
        words.extend(self.losing.then(|| "--losing".to_owned()));
        words.extend(self.exact.then(|| "--exact".to_owned()));
        words.join(" ")
    }

    /// The filters as `query` takes them.
    pub(super) fn filters(&self, context: &mut Context) -> Result<Filters, CliError> {
        Ok(Filters {
            opening: self.opening.as_deref().map(|text| opening(context, text)).transpose()?,
            ballot: self.ballot,
            player: self.player.clone(),
            black: self.black.clone(),
            white: self.white.clone(),
            event: self.event.clone(),
            source: self.source.clone(),
            years: self.year.clone(),
            winner: self.result.as_deref().and_then(WinnerFilter::from_name),
            kind: self.kind.as_deref().and_then(LineKind::from_name),
            position: self.passed(context)?,
            losing: self.losing,
            witness: self.witness.as_deref().and_then(Witness::from_name),
            exact: self.exact,
        })
    }

    /// The position that games must have passed through.
    fn passed(&self, context: &mut Context) -> Result<Option<Position>, CliError> {
        let Some(text) = &self.passed else { return Ok(None) };
        let named = position_argument::position(context, std::slice::from_ref(text))?;
        Ok(Some(named.position))
    }
}

/// The name that `--opening` filters by: what was given, or the name of the position that a FEN or a list of moves leads to.
fn opening(context: &mut Context, text: &str) -> Result<String, CliError> {
    let book = context.book()?;
    if !position_argument::is_play(text, &book) {
        return Ok(position_argument::name_of_slip(context, text)?.unwrap_or_else(|| text.to_owned()));
    }
    let named = position_argument::position(context, &[text.to_owned()])?;
    let Some(opening) = book.at(named.position.key()) else {
        return Err(CliError::usage(format!("the position after {text} has no opening's name", text = quoted(text)))
            .hint(format!("games that passed through it: --position {}", for_command(text))));
    };
    context.message(&format!("The position after {text} is the {}.", opening.name, text = quoted(text)));
    Ok(opening.name.clone())
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    let database = context.database()?;
    let sort = Sort { column: context.args.sort.clone(), offset: context.args.offset, limit: context.row_limit() };
    let filters = args.filters.filters(context)?;
    let (table, total) = table(context, &database, &filters, &sort)?;
    if total == 0 && !tell_misfits(context, &database, &filters)? {
        context.message(if filters == Filters::default() {
            "The database has no games yet."
        } else {
            "Nothing fits all of these filters, though each fits something. Try fewer."
        });
    }
    // Without --kind the lines of books and openings are listed too.
    let noun = if filters.kind == Some(LineKind::Game) { ("game", "games") } else { ("line", "lines") };
    context.print_part(&table, total, noun)?;
    Ok(if total == 0 { Exit::No } else { Exit::Done })
}

/// The lines that fit with the columns asked for, and how many fit before the list is cut. Moves are written only where they are
/// asked for.
fn table(context: &Context, database: &Database, filters: &Filters, sort: &Sort) -> Result<(Table, u64), CliError> {
    if context.args.columns.as_deref().is_some_and(PlayedRow::is_asked) {
        let (rows, total) = query::played_games(database, filters, sort)?;
        return Ok((Table::from_rows(rows), total));
    }
    let (rows, total) = query::games(database, filters, sort)?;
    Ok((Table::from_rows(rows), total))
}

/// Says which of `filters` fit no line by themselves, and what was probably meant; whether there was something to say.
pub(super) fn tell_misfits(context: &mut Context, database: &Database, filters: &Filters) -> Result<bool, CliError> {
    let misfits = query::misfits(database, filters)?;
    let some = !misfits.is_empty();
    for Misfit { filter, asked, similar: near } in misfits {
        let held = near.join("; ");
        let told = match filter {
            "opening" => match context.book()?.lookup(&asked).first() {
                Some(found) if near.is_empty() && found.rank == Rank::Exact => {
                    format!("No game here reached the {}.", found.opening.name)
                }
                _ => did_you_mean(format!("No game here has an opening called {asked}", asked = quoted(&asked)), &near),
            },
            "ballot" => match context.book()?.read_ballot(&asked) {
                Some(Err(unknown)) => sentence(&unknown.to_string()),
                Some(Ok(ballot)) => format!("No game here has ballot {asked} ({}).", ballot.text),
                None => format!("No game here has ballot {asked}."),
            },
            "player" | "black" | "white" if near.is_empty() && !query::names_players(database)? => {
                NO_PLAYERS.to_owned()
            }
            "player" => did_you_mean(format!("No player here is called {asked}", asked = quoted(&asked)), &near),
            "black" => did_you_mean(
                format!("No game here has a player called {asked} with Black", asked = quoted(&asked)),
                &near,
            ),
            "white" => did_you_mean(
                format!("No game here has a player called {asked} with White", asked = quoted(&asked)),
                &near,
            ),
            "position" => format!("No game here passed through the position {asked}."),
            "event" => did_you_mean(format!("No event here is called {asked}", asked = quoted(&asked)), &near),
            "source" => did_you_mean(format!("No source here is called {asked}", asked = quoted(&asked)), &near),
            "year" if near.is_empty() => "No game here has a date with a year.".to_owned(),
            "year" => format!("No game here is of {asked}: the years held are {held}."),
            "result" => format!("No game here has the result {asked}."),
            "kind" => format!("There are no lines of kind {asked} here."),
            "losing" => "No game here has a losing move marked.".to_owned(),
            _ => format!("No losing move here has the witness {asked}."),
        };
        context.message(&told);
    }
    Ok(some)
}

/// The message where no game names a player.
pub(super) const NO_PLAYERS: &str = "No game here names its players.";

pub(super) fn did_you_mean(sentence: String, near: &[String]) -> String {
    match near {
        [] => sentence + ".",
        near => format!("{sentence}. Did you mean {}?", near.join(" or ")),
    }
}
