//! `report`: what the whole database tells.

use crate::engine::Endings;
use crate::query::{self, Filters};
use crate::render::Format;
use crate::report::{REPORTS, Report, ReportError, ReportOption, Request};
use crate::table::{Cell, Table, quoted};

use super::context::Context;
use super::engine::databases;
use super::error::{CliError, Exit};
use super::games::{FilterArgs, NO_PLAYERS, tell_misfits};

const EXAMPLES: &str = "\
Examples:
  crownhead report                                  the list of reports
  crownhead report sources                          what came from where
  crownhead report refusals --source slips          why games were refused
  crownhead report openings --year 1880..1899       results by opening
  crownhead --sort -games --limit 20 report ballots
  crownhead report players --opening \"ayrshire lassie\"
  crownhead report transpositions --max-ply 12 --min-lines 5
  crownhead --format csv report contradictions > contradictions.csv
  crownhead report coverage --kind book             what books alone cover
  crownhead report novelties --since 1990 --min-ply 10
  crownhead report duplicates
  crownhead report stars --player wyllie
  crownhead report errors --year 1840..1850             of annotated games
  crownhead report cooks --kind book                what books have wrong

Filters choose the lines that count. A report refuses what it has no use for.";

/// Print a report on the whole database
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The report; none lists them
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// novelties: only games of this year or later
    #[arg(long, value_name = "YEAR")]
    since: Option<i64>,
    /// novelties, transpositions: only from this ply on
    #[arg(long, value_name = "PLY")]
    min_ply: Option<u32>,
    /// novelties, transpositions: only up to this ply [transpositions: 20]
    #[arg(long, value_name = "PLY")]
    max_ply: Option<u32>,
    /// transpositions: only positions that so many lines share [2]
    #[arg(long, value_name = "N")]
    min_lines: Option<u32>,
    #[command(flatten)]
    filters: FilterArgs,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    let filters = args.filters.filters(context)?;
    let Some(name) = &args.name else {
        let numbers = args.min_ply.is_some() || args.max_ply.is_some() || args.min_lines.is_some();
        if args.since.is_some() || numbers || filters != Filters::default() {
            return Err(CliError::usage("the list of reports takes no filters and no choices")
                .hint("name a report first: crownhead report novelties --since 1990"));
        }
        context.print(Table::from_rows(REPORTS.iter().copied()), true)?;
        return Ok(Exit::Done);
    };
    let report = Report::from_name(name).ok_or_else(|| unknown(name))?;
    let database = context.database()?;
    let book = context.book()?;
    let endings = if report.asks_endings { Some(databases(context)?) } else { None };
    let request = Request {
        endings: endings.as_ref().map(|endings| endings as &dyn Endings),
        filters: filters.clone(),
        since: args.since,
        min_ply: args.min_ply,
        max_ply: args.max_ply,
        min_lines: args.min_lines,
        ..Request::new(&database, &book)
    };
    let mut table = report.make(&request).map_err(|error| explain(error, report))?;
    if let Some(column) = &context.args.sort {
        table.sort(column).map_err(|error| CliError::usage(error.to_string()))?;
    }
    let total = table.rows.len() as u64;
    let misfit = counts_nothing(&table) && filters != Filters::default() && tell_misfits(context, &database, &filters)?;
    // That nothing is wrong is no failure; that a filter fits nothing is none of that.
    let is_done = total > 0 || report.is_good_when_empty && !misfit;
    let exit = if is_done { Exit::Done } else { Exit::No };
    let number = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    let keep = context.row_limit().map_or(usize::MAX, number);
    table.rows = table.rows.into_iter().skip(number(context.args.offset)).take(keep).collect();
    if total == 0 && context.args.format == Format::Table {
        if report.name == "players" && !query::names_players(&database)? {
            context.message(NO_PLAYERS);
        } else if !misfit {
            context.message("Nothing to report.");
        }
        return Ok(exit);
    }
    context.print_part(&table, total, ("row", "rows"))?;
    Ok(exit)
}

/// Whether a table has no rows, or no games in any of them, as one with a row a ballot may.
fn counts_nothing(table: &Table) -> bool {
    let games = table.columns.iter().position(|column| column.name == "games");
    table.rows.iter().all(|row| games.and_then(|at| row.get(at)).is_some_and(|games| *games == Cell::Int(0)))
}

fn unknown(name: &str) -> CliError {
    let names: Vec<&str> = REPORTS.iter().map(|report| report.name).collect();
    let meant = names.iter().max_by(|a, b| strsim::jaro_winkler(name, a).total_cmp(&strsim::jaro_winkler(name, b)));
    let told = CliError::usage(format!(
        "there is no report {name}; the reports are {}",
        names.join(", "),
        name = quoted(name)
    ));
    match meant.filter(|meant| strsim::jaro_winkler(name, meant) > 0.75) {
        Some(meant) => told.hint(format!("did you mean {meant}?")),
        None => told,
    }
}

fn explain(error: ReportError, report: &Report) -> CliError {
    match error {
        ReportError::Query(error) => error.into(),
        ReportError::NotTaken { report: name, choice } => {
            let taken: Vec<String> = report.choices.iter().map(|choice| option(*choice)).collect();
            CliError::usage(format!("the report {name} has no use for {}", option(choice)))
                .hint(format!("it takes {}", taken.join(", ")))
        }
    }
}

/// What people type for a choice.
fn option(choice: ReportOption) -> String {
    match choice {
        ReportOption::Filters => "the other filters".to_owned(),
        choice => format!("--{}", choice.name()),
    }
}
