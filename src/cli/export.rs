//! `export`: stored lines given back, whole, as CSV, JSON or PDN. Line by line: any number of them takes the same memory.

use std::collections::HashSet;

use crate::notation::fen;
use crate::query::{self, GameRecord, GameRow, LineView, PlyRow, Sort};
use crate::render::{
    CsvRows, Format, GameObject, JsonGames, LineObject, MoveObject, RenderError, TableOptions, plural,
};
use crate::store::Database;
use crate::table::Row;

use super::context::Context;
use super::error::{CliError, Exit};
use super::games::{FilterArgs, tell_misfits};

const EXAMPLES: &str = "\
Examples:
  crownhead export csv > games.csv                  a row a game, every column
  crownhead export csv --plies --player wyllie      a row a ply
  crownhead export csv --spreadsheet -o games.csv   for a spreadsheet: see below
  crownhead export pdn --year 1840..1850 > old.pdn  strict PDN 3.0
  crownhead export json --opening defiance          whole games
  crownhead --format ndjson export json             the same, an object a line

CSV is for programs unless you say --spreadsheet: then it starts with a byte
order mark, and cells that a spreadsheet would run as a formula or turn into a
date (11-15, 1-0) start with an apostrophe. Numbers are never changed.

PDN has results in the order of its game (English: Black's score first); what
the source wrote stands in the tag CrownheadOriginalResult where it differs.
Marks that are no PDN glyphs are comments such as {[%losing]}. Importing the
file again adds no game and no move.";

/// Give stored games back as CSV, JSON or PDN
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The form: csv, json, pdn
    #[arg(value_name = "FORM", hide_possible_values = true)]
    form: Form,
    /// CSV: a row a ply instead of a row a game
    #[arg(long)]
    plies: bool,
    /// CSV: guard cells that a spreadsheet would run or turn into dates
    #[arg(long)]
    spreadsheet: bool,
    #[command(flatten)]
    filters: FilterArgs,
}

/// The forms of an export.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Form {
    Csv,
    Json,
    Pdn,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    if args.form != Form::Csv && (args.plies || args.spreadsheet) {
        return Err(CliError::usage("--plies and --spreadsheet belong to export csv"));
    }
    let database = context.database()?;
    let cut = &context.args;
    let sort = Sort { column: cut.sort.clone(), offset: cut.offset, limit: cut.limit };
    let filters = args.filters.filters();
    let ids = query::line_ids(&database, &filters, &sort)?;
    if ids.is_empty() {
        tell_misfits(context, &database, &filters)?;
    }
    let count = match args.form {
        Form::Csv => csv(context, args, &database, &ids)?,
        Form::Json => json(context, &database, &ids)?,
        Form::Pdn => pdn(context, &database, &ids)?,
    };
    context.say(&format!("{} exported.", plural(count, "line", "lines")));
    Ok(if count == 0 { Exit::No } else { Exit::Done })
}

fn csv(context: &mut Context, args: &Args, database: &Database, ids: &[u32]) -> Result<u64, CliError> {
    let options = TableOptions {
        columns: context.args.columns.clone(),
        spreadsheet: args.spreadsheet,
        ..TableOptions::default()
    };
    let columns = if args.plies { PlyRow::COLUMNS } else { GameRow::COLUMNS };
    let mut rows = CsvRows::new(columns, &options, context.out())?;
    let mut count = 0;
    for &id in ids {
        if args.plies {
            let Some(record) = query::record(database, id)? else { continue };
            for ply in record.plies() {
                rows.row(&ply.values()).map_err(RenderError::Io)?;
            }
        } else {
            let Some(row) = query::game_row(database, id)? else { continue };
            rows.row(&row.values()).map_err(RenderError::Io)?;
        }
        count += 1;
    }
    rows.finish()?;
    Ok(count)
}

fn pdn(context: &mut Context, database: &Database, ids: &[u32]) -> Result<u64, CliError> {
    // Variations are written inside their games, each game once.
    let mut written = HashSet::new();
    let mut count = 0;
    for &id in ids {
        let main = query::main_line(database, id)?;
        if main != id && !written.insert(main) {
            continue;
        }
        let Some(record) = query::record(database, main)? else { continue };
        context.out().write_all(query::pdn(&record).as_bytes())?;
        count += 1;
    }
    Ok(count)
}

fn json(context: &mut Context, database: &Database, ids: &[u32]) -> Result<u64, CliError> {
    let lines = context.args.format == Format::Ndjson;
    let mut games = JsonGames::new(lines, context.out());
    let mut count = 0;
    for &id in ids {
        let Some(record) = query::record(database, id)? else { continue };
        let values = record.row.clone().values();
        games.game(&object(&record, &values))?;
        count += 1;
    }
    games.finish()?;
    Ok(count)
}

fn object<'a>(record: &'a GameRecord, values: &'a [crate::table::Value]) -> GameObject<'a> {
    let variations = record
        .branches
        .iter()
        .map(|branch| (branch.line.line.id, branch.parent, branch.ply, branch.label.as_deref(), line(&branch.line)));
    GameObject {
        columns: GameRow::COLUMNS,
        values,
        label: record.label.as_deref(),
        start: fen::write(&record.main.line.start.setup()),
        tags: &record.tags,
        main: line(&record.main),
        variations: variations.collect(),
    }
}

fn line(view: &LineView) -> LineObject<'_> {
    let mut notes = view.notes.iter().peekable();
    let mut object = LineObject::default();
    while let Some(note) = notes.next_if(|note| note.ply == 0) {
        object.comments.push(&note.value);
    }
    for (index, (text, position)) in view.texts.iter().zip(view.line.positions().skip(1)).enumerate() {
        let ply = index as u32 + 1;
        let mut played = MoveObject {
            ply,
            color: view.color_at(ply),
            text,
            fen: fen::write(&position.setup()),
            marks: Vec::new(),
            comments: Vec::new(),
            repairs: Vec::new(),
        };
        while let Some(note) = notes.next_if(|note| note.ply <= ply) {
            match note.kind.as_str() {
                "mark" => played.marks.push(&note.value),
                "repair" => played.repairs.push(&note.value),
                _ => played.comments.push(&note.value),
            }
        }
        object.moves.push(played);
    }
    object
}
