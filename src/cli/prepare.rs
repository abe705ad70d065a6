//! `prepare`: one page on an opponent.

use crate::board::Color;
use crate::query::Filters;
use crate::render::{Format, clean_for_terminal, plural, wrap};
use crate::report::{self, Dossier, PlayerLookup, PlayerName, Question, ReportError};
use crate::table::{Cell, Table, quoted};

use super::context::Context;
use super::error::{CliError, Exit};
use super::games::{FilterArgs, tell_misfits};
use super::suggest::for_command;

const EXAMPLES: &str = "\
Examples:
  crownhead prepare wyllie                     all that is stored of a player
  crownhead prepare \"wyllie, j.\" --side white  only games with White
  crownhead prepare wyllie --ballot 126        only this ballot
  crownhead prepare wyllie --year 1840..1850 --limit 10
  crownhead --format csv prepare wyllie > wyllie.csv

The page has what the player plays and with what score (1 all won, 0 all lost),
where the player was the first to leave what was known (earlier games, and books
and games without a year), where the player went wrong (by annotate, or by a
source's mark of a losing move), and games to play through with crownhead show:
the latest that the player won, and the latest lost.

Spellings that differ in case, accents and the order of their words are one
player. Where the words fit several players, the one whose name has no other
words is meant, else they are listed. Other formats have one table of all
sections; --limit is the number of rows per section on a page.";

/// Rows of a section on a page that is not on a screen: all.
const ALL: u64 = u64::MAX;
/// Lines that a page has besides its sections and the sentences below it: the title, the results, what is left out, and the next
/// prompt.
const FRAME_LINES: usize = 7;
/// Lines that a section has besides its rows: its title, the heading of its table and the rule below.
const SECTION_LINES: usize = 3;

/// Print one page on an opponent
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Words of the player's name, in any order
    #[arg(value_name = "PLAYER", required = true)]
    name: Vec<String>,
    /// Only games in which the player had this side: black or white
    #[arg(long, value_name = "SIDE", value_parser = ["black", "white"], hide_possible_values = true)]
    side: Option<String>,
    #[command(flatten)]
    filters: FilterArgs,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    let database = context.database()?;
    let filters = args.filters.filters(context)?;
    let side = args.side.as_deref().map(|side| if side == "black" { Color::Black } else { Color::White });
    let question = Question { player: args.name.join(" "), side, filters: filters.clone() };
    let answer = report::prepare(&database, &question).map_err(|error| match error {
        ReportError::Query(error) => CliError::from(error),
        error => CliError::usage(error.to_string()),
    })?;
    let named = Filters { player: Some(question.player.clone()), exact: filters.exact, ..Filters::default() };
    let dossier = match answer {
        PlayerLookup::Unknown => {
            tell_misfits(context, &database, &named)?;
            return Ok(Exit::No);
        }
        PlayerLookup::Several(players) => {
            let sentence =
                format!("{} may be any of {} players: {}.", quoted(&question.player), players.len(), list(&players));
            context.message(&sentence);
            context.message("Write one of these names in full.");
            return Ok(Exit::No);
        }
        PlayerLookup::Found(dossier) => dossier,
    };
    if dossier.games() == 0 {
        if !tell_misfits(context, &database, &filters)? {
            context.message(&format!("No game of {} fits all of this. Try fewer filters.", dossier.player.name));
        }
        return Ok(Exit::No);
    }
    let notes = notes(args, &dossier);
    if context.args.format == Format::Table && context.args.columns.is_none() && context.args.sort.is_none() {
        page(context, &dossier, &notes)?;
    } else {
        context.print(dossier.table(), true)?;
    }
    for note in &notes {
        context.message(note);
    }
    Ok(Exit::Done)
}

/// Players with their games, the first ones.
fn list(players: &[PlayerName]) -> String {
    const MAX_SECTION_ROWS: usize = 8;
    let games = |player: &PlayerName| format!("{} ({})", player.name, plural(player.games.into(), "game", "games"));
    let mut names: Vec<String> = players.iter().take(MAX_SECTION_ROWS).map(games).collect();
    if players.len() > MAX_SECTION_ROWS {
        names.push(format!("{} more", players.len() - MAX_SECTION_ROWS));
    }
    names.join("; ")
}

/// The dossier as a page: a table per section that has rows. `notes` will stand below it.
fn page(context: &mut Context, dossier: &Dossier, notes: &[String]) -> Result<(), CliError> {
    let sections = dossier.sections();
    let is_detail = |name: &str| matches!(name, "ballots" | "first_moves");
    let long = sections.iter().filter(|section| !section.table.rows.is_empty() && !is_detail(section.name)).count();
    // The results are one of them.
    let width = usize::from(context.width());
    let below = notes.iter().map(|note| wrap(note, width).len()).sum();
    let keep = rows_per_section(context, long.saturating_sub(1), below);
    let title = format!("{}: {}", dossier.player.name, plural(dossier.games().into(), "game", "games"));
    let (bold, reset) = if context.color() { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
    for line in wrap(&clean_for_terminal(&title), width) {
        writeln!(context.out(), "{bold}{line}{reset}")?;
    }
    let mut left = Vec::new();
    for section in sections {
        let is_fixed = section.name == "results";
        // On a screen the openings say what the ballots and first moves do, or nearly.
        if section.table.rows.is_empty() || (is_detail(section.name) && keep.on_screen) {
            continue;
        }
        let total = section.table.rows.len() as u64;
        let is_choice = section.name == "openings" || is_detail(section.name);
        let most = if is_fixed { ALL } else { keep.limit(section.name) };
        let number = usize::try_from(most).unwrap_or(usize::MAX);
        let rows = section.table.rows;
        let rows = if is_choice { of_both_sides(rows, number) } else { rows.into_iter().take(number).collect() };
        if !is_fixed && !keep.on_screen {
            writeln!(context.out())?;
        }
        let is_untitled = is_fixed || (keep.is_tight() && section.name == "openings");
        if !is_untitled {
            writeln!(context.out(), "{bold}{}{reset}", section.title)?;
        }
        context.print_whole(&Table { columns: section.table.columns, rows })?;
        if total > most {
            left.push(format!("{} {}", total - most, section.name));
        }
    }
    if !left.is_empty() {
        context.say_what_is_left(&[format!("+{}: --limit 100", left.join(", "))]);
    }
    Ok(())
}

/// The first `most` rows of choices, of which Black's stand before White's: as many of the one side as of the other, if it has
/// them.
fn of_both_sides(mut rows: Vec<Vec<Cell>>, most: usize) -> Vec<Vec<Cell>> {
    let first = rows.first().and_then(|row| row.first()).cloned();
    let black = rows.iter().take_while(|row| row.first() == first.as_ref()).count();
    let white = rows.len() - black;
    let of_black = black.min(most - white.min(most / 2));
    let of_white = white.min(most - of_black);
    rows.drain(of_black..black);
    rows.truncate(of_black + of_white);
    rows
}

/// How many rows a section of a page has.
struct Keep {
    rows: u64,
    /// Rows of openings: what the other sections leave, and one per side at least.
    openings: u64,
    on_screen: bool,
}

impl Keep {
    fn limit(&self, section: &str) -> u64 {
        if section == "openings" { self.openings } else { self.rows }
    }

    /// Whether the openings have a row more than there is room for: then they go without their title, which heads a column too.
    const fn is_tight(&self) -> bool {
        self.on_screen && self.openings > self.rows && self.rows == 1
    }
}

/// How many rows each of `sections` sections has: as many as the screen has room for above `below` lines, one at least.
fn rows_per_section(context: &Context, sections: usize, below: usize) -> Keep {
    match (context.args.limit, context.screen_height()) {
        (Some(limit), _) => Keep { rows: limit, openings: limit, on_screen: false },
        (None, Some(height)) => {
            let room = usize::from(height).saturating_sub(FRAME_LINES + below + SECTION_LINES * sections);
            let rows = (room / sections.max(1)).max(1);
            let openings = (room + rows).saturating_sub(rows * sections).max(2);
            Keep { rows: rows as u64, openings: openings as u64, on_screen: true }
        }
        (None, None) => Keep { rows: ALL, openings: ALL, on_screen: false },
    }
}

/// What the page rests on, and what it left out.
fn notes(args: &Args, dossier: &Dossier) -> Vec<String> {
    let mut notes = Vec::new();
    if !dossier.player.spellings.is_empty() {
        notes.push(format!("Also spelled: {}", dossier.player.spellings.join("; ")));
    }
    if !dossier.others.is_empty() {
        notes.push(format!("Left out, as other players: {}", list(&dossier.others)));
    }
    let games = dossier.games();
    if dossier.undated > 0 {
        let undated = plural(dossier.undated.into(), "game", "games");
        notes.push(format!("{undated} without a year could not be compared with earlier play."));
    }
    if dossier.annotated < games {
        let missing = plural((games - dossier.annotated).into(), "game", "games");
        notes.push(format!(
            "{missing} not annotated yet: crownhead annotate {}",
            same_games(args, &dossier.player.name)
        ));
    }
    notes
}

/// The filters by which another command takes the games that a page on `player` has.
fn same_games(args: &Args, player: &str) -> String {
    let option = match args.side.as_deref() {
        Some("black") => "--black",
        Some(_) => "--white",
        None => "--player",
    };
    // An option can be given once: one that asks for the opponent too gives way.
    let others = args.filters.words(&[option]);
    format!("{option} {} {others}", for_command(player)).trim_end().to_owned()
}
