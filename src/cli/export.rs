//! `export`: stored lines given back, whole, as CSV, JSON or PDN, line by line, so that any number of them takes the same
//! memory; or merged into one tree.

use std::collections::HashSet;
use std::io::Write as _;

use crate::notation::fen;
use crate::query::{
    self, Filters, GameRecord, GameRow, LineView, MainLines, PlayedRow, PlyRow, QueryError, Sort, TreeOptions,
};
use crate::render::{
    CsvRows, Format, GameObject, JsonGames, LineObject, MoveObject, NotesObject, RenderError, TableOptions,
    clean_for_terminal, plural,
};
use crate::store::{Database, StoreError};
use crate::table::{Cell, Row};

use super::context::Context;
use super::error::{CliError, Exit};
use super::games::{FilterArgs, tell_misfits};
use super::position_argument;
use super::targets::TargetKind;

const EXAMPLES: &str = "\
Examples:
  crownhead export csv > games.csv                  a row a game, every column
  crownhead export csv --plies --player wyllie      a row a ply
  crownhead export csv --spreadsheet -o games.csv   for a spreadsheet: see below
  crownhead export pdn --year 1840..1850 > old.pdn  strict PDN 3.0
  crownhead export pdn --annotations --losing       what annotate found, too
  crownhead export json --opening defiance          whole games
  crownhead --format ndjson export json             the same, an object a line
  crownhead export tree defiance --depth 6          play merged into one game
  crownhead export tree --min-games 50 --as dot     the same as a graph

CSV is for programs unless you say --spreadsheet: then it starts with a byte
order mark, and cells that a spreadsheet would run as a formula or turn into a
date (11-15, 1-0) start with an apostrophe. Numbers are never changed.

PDN has results in the order of its game (English: Black's score first); what
the source wrote stands in the tag CrownheadOriginalResult where it differs,
and CrownheadResultOrder tells an import whose score stands first.
Marks that are no PDN glyphs are comments such as {[%losing]}. Importing the
file or the JSON again adds no game and no move.

A tree has the most played moves as its line and the others as variations, each
with its games: \"12 games: 5-3-4\" are 5 won by Black, 3 drawn, 4 won by White.
A position is written out once; where play comes to it again stands \"= line
above\" with its number. In DOT a position is a node, so that transpositions
meet (dot -Tsvg draws it). Games are merged unless --kind asks for other lines.
A tree ends at --depth plies from POSITION and has at most 100000 positions, or
--limit: the nearest and most played.";

/// Export games as CSV, JSON or PDN, or as one merged tree
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The form: csv, json, pdn, tree
    #[arg(value_name = "FORM", hide_possible_values = true)]
    form: ExportForm,
    /// Tree: from here on. A FEN, moves, a ballot, or an opening's name; none means the start
    #[arg(value_name = "POSITION")]
    position: Vec<String>,
    /// CSV: a row a ply instead of a row a game
    #[arg(long)]
    plies: bool,
    /// CSV: guard cells that a spreadsheet would run or turn into dates
    #[arg(long)]
    spreadsheet: bool,
    /// PDN: with what annotate found, as glyphs, comments and variations
    #[arg(long)]
    annotations: bool,
    /// Tree: plies from the position [default: 8]
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Tree: moves played in at least this many games [default: 1]
    #[arg(long, value_name = "N")]
    min_games: Option<u32>,
    /// Tree: write it as pdn (the default) or dot, for Graphviz
    #[arg(long = "as", value_name = "FORM", hide_possible_values = true)]
    tree_form: Option<TreeForm>,
    /// PDN and JSON: of a game that several sources have, the comments, marks and variations of all
    #[arg(long)]
    merge: bool,
    #[command(flatten)]
    filters: FilterArgs,
}

impl Args {
    /// What it prints.
    pub(super) fn printed(&self) -> TargetKind {
        match self.form {
            ExportForm::Csv => TargetKind::Csv,
            ExportForm::Json => TargetKind::Json,
            ExportForm::Tree if self.tree_form == Some(TreeForm::Dot) => TargetKind::Dot,
            ExportForm::Pdn | ExportForm::Tree => TargetKind::Pdn,
        }
    }
}

/// Plies of a tree, where nobody says how many.
const DEFAULT_TREE_DEPTH: u32 = 8;

/// The forms of an export.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum ExportForm {
    Csv,
    Json,
    Pdn,
    Tree,
}

/// The forms of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum TreeForm {
    Pdn,
    Dot,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    if args.form != ExportForm::Csv && (args.plies || args.spreadsheet) {
        return Err(CliError::usage("--plies and --spreadsheet belong to export csv"));
    }
    if args.form != ExportForm::Pdn && args.annotations {
        return Err(CliError::usage("--annotations belongs to export pdn"));
    }
    if args.merge && !matches!(args.form, ExportForm::Pdn | ExportForm::Json) {
        return Err(CliError::usage("--merge belongs to export pdn and export json"));
    }
    let of_tree = args.depth.is_some() || args.min_games.is_some() || args.tree_form.is_some();
    if args.form != ExportForm::Tree && (of_tree || !args.position.is_empty()) {
        return Err(CliError::usage("a POSITION, --depth, --min-games and --as belong to export tree")
            .hint("lines are chosen with filters, such as --opening NAME"));
    }
    let cut = &context.args;
    if args.form != ExportForm::Csv && cut.columns.is_some() {
        return Err(CliError::usage("--columns belongs to export csv").hint("other forms give a game whole"));
    }
    if args.form == ExportForm::Tree && (cut.sort.is_some() || cut.offset > 0) {
        return Err(CliError::usage(
            "a tree is neither sorted nor begun further on: --sort and --offset belong to other exports",
        )
        .hint("its most played moves stand first"));
    }
    if args.form == ExportForm::Tree {
        return tree(context, args);
    }
    context.begin_data();
    let database = context.database()?;
    let cut = &context.args;
    let sort = Sort { column: cut.sort.clone(), offset: cut.offset, limit: cut.limit };
    let filters = args.filters.filters(context)?;
    let ids = query::line_ids(&database, &filters, &sort)?;
    if ids.is_empty() {
        tell_misfits(context, &database, &filters)?;
    }
    let ids = match (args.merge, &filters.source) {
        // Whichever sources were asked for, the order is that of all.
        (true, _) => query::copies_in_sources(&database, &Filters::default(), &ids, sort.column.is_some())?,
        (false, Some(_)) => query::copies_in_sources(&database, &filters, &ids, sort.column.is_some())?,
        _ => ids,
    };
    let mut left_out = LeftOut::default();
    let count = match args.form {
        ExportForm::Csv => csv(context, args, &database, &ids, &mut left_out)?,
        ExportForm::Json => json(context, args, &database, &ids, &mut left_out)?,
        // A tree was written above.
        ExportForm::Pdn | ExportForm::Tree => pdn(context, args, &database, &ids, &mut left_out)?,
    };
    if count == 0 {
        context.nothing_found();
    } else {
        // Nothing is said to be exported before it is written.
        context.commit()?;
    }
    context.message(&format!("{} exported.", plural(count, "line", "lines")));
    if left_out.count > 0 {
        context.message(&format!(
            "{} left out: crownhead check tells what is damaged.",
            plural(left_out.count, "damaged line is", "damaged lines are")
        ));
    }
    Ok(if count == 0 || left_out.count > 0 { Exit::No } else { Exit::Done })
}

/// Lines that an export goes on without.
#[derive(Default)]
struct LeftOut {
    count: u64,
}

impl LeftOut {
    /// What was read of line `id`; where it is damaged, that is told, with or without `--quiet`, and there is nothing of it.
    fn unless_damaged<T>(&mut self, id: u32, read: Result<Option<T>, QueryError>) -> Result<Option<T>, CliError> {
        match read {
            Err(QueryError::Store(error)) if matches!(error, StoreError::Damaged(_)) || error.is_broken_file() => {
                self.count += 1;
                let told = format!("line {id} is left out: {error}");
                // A closed stderr is nobody's loss.
                let _ = writeln!(std::io::stderr(), "{}", clean_for_terminal(&told));
                Ok(None)
            }
            read => Ok(read?),
        }
    }
}

fn tree(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    context.begin_data();
    let (database, book) = (context.database()?, context.book()?);
    let named = position_argument::position(context, &args.position)?;
    let filters = args.filters.filters(context)?;
    let most = context.args.limit.and_then(|limit| usize::try_from(limit).ok());
    let options = TreeOptions {
        depth: args.depth.unwrap_or(DEFAULT_TREE_DEPTH),
        min_games: args.min_games.unwrap_or(1),
        positions: most.unwrap_or(query::MAX_POSITIONS),
    };
    let tree = query::tree(&database, &book, &named.position, &filters, &options)?;
    if tree.here.games == 0 {
        if tell_misfits(context, &database, &filters)? {
            return Ok(Exit::No);
        }
        context.message("No stored game reached this position. Lines of other kinds are merged with --kind, for example --kind book.");
        return Ok(Exit::No);
    }
    let text = match args.tree_form.unwrap_or(TreeForm::Pdn) {
        TreeForm::Pdn => query::tree_pdn(&tree, &named.start, &named.moves),
        TreeForm::Dot => query::tree_dot(&tree),
    };
    context.out().write_all(text.as_bytes())?;
    context.commit()?;
    let moves: usize = tree.nodes.iter().map(|node| node.edges.len()).sum();
    context.message(&format!(
        "{} merged: {}, {}.",
        plural(tree.here.games.into(), "game", "games"),
        plural(tree.nodes.len() as u64, "position", "positions"),
        plural(moves as u64, "move", "moves")
    ));
    if tree.cut {
        context.message("There is more: --depth and --min-games choose what a tree holds.");
    }
    Ok(Exit::Done)
}

fn csv(
    context: &mut Context,
    args: &Args,
    database: &Database,
    ids: &[u32],
    left_out: &mut LeftOut,
) -> Result<u64, CliError> {
    let options = TableOptions {
        columns: context.args.columns.clone(),
        spreadsheet: args.spreadsheet,
        ..TableOptions::default()
    };
    // Only those who leave the moves out are spared writing them.
    let played = context.args.columns.as_deref().is_none_or(PlayedRow::is_asked);
    let columns = if args.plies { PlyRow::COLUMNS } else { PlayedRow::COLUMNS };
    let mut rows = CsvRows::new(columns, &options, context.out())?;
    let mut count = 0;
    for &id in ids {
        if args.plies {
            let Some(record) = left_out.unless_damaged(id, query::record(database, id))? else { continue };
            for ply in record.plies() {
                rows.row(&ply.values()).map_err(RenderError::Io)?;
            }
        } else {
            let row = if played {
                query::played_row(database, id).map(|row| row.map(Row::values))
            } else {
                query::game_row(database, id).map(|row| row.map(Row::values))
            };
            let Some(row) = left_out.unless_damaged(id, row)? else { continue };
            rows.row(&row).map_err(RenderError::Io)?;
        }
        count += 1;
    }
    rows.finish()?;
    Ok(count)
}

/// Hands every game of `ids` to `write`. Variations are written inside their games, each game once.
fn each_game(
    database: &Database,
    ids: &[u32],
    merge: bool,
    left_out: &mut LeftOut,
    write: &mut dyn FnMut(&GameRecord) -> Result<(), CliError>,
) -> Result<u64, CliError> {
    let mut written = HashSet::new();
    let mut main_lines = MainLines::new(database);
    let mut count = 0;
    for &id in ids {
        let read = if merge { query::merged } else { query::record };
        let find = |main| if merge { Ok(database.line_of_copy(main)?) } else { Ok(main) };
        let main = main_lines.find(id).and_then(find).map(Some);
        let Some(main) = left_out.unless_damaged(id, main)? else { continue };
        if main != id && !written.insert(main) {
            continue;
        }
        let Some(record) = left_out.unless_damaged(main, read(database, main))? else { continue };
        write(&record)?;
        count += 1;
    }
    Ok(count)
}

fn pdn(
    context: &mut Context,
    args: &Args,
    database: &Database,
    ids: &[u32],
    left_out: &mut LeftOut,
) -> Result<u64, CliError> {
    each_game(database, ids, args.merge, left_out, &mut |record| {
        let mut analyses = Vec::new();
        if args.annotations {
            let variations = record.branches.iter().map(|branch| branch.line.line.id);
            for id in std::iter::once(record.id).chain(variations) {
                analyses.extend(database.analysis(id)?);
            }
        }
        let text = if analyses.is_empty() {
            query::pdn(record)
        } else {
            let mut annotated = record.clone();
            query::add_annotations(&mut annotated, &analyses);
            query::pdn(&annotated)
        };
        Ok(context.out().write_all(text.as_bytes())?)
    })
}

fn json(
    context: &mut Context,
    args: &Args,
    database: &Database,
    ids: &[u32],
    left_out: &mut LeftOut,
) -> Result<u64, CliError> {
    let lines = context.args.format == Format::Ndjson;
    let mut games = JsonGames::new(lines, context.out());
    let count = each_game(database, ids, args.merge, left_out, &mut |record| {
        let values = record.row.clone().values();
        Ok(games.game(&game_object(record, &values))?)
    })?;
    games.finish()?;
    Ok(count)
}

/// A stored line as the JSON export writes it; `values` are those of its row.
#[must_use]
pub fn game_object<'a>(record: &'a GameRecord, values: &'a [Cell]) -> GameObject<'a> {
    let variations = record
        .branches
        .iter()
        .map(|branch| (branch.line.line.id, branch.parent, branch.ply, branch.label.as_deref(), line(&branch.line)));
    GameObject {
        columns: GameRow::COLUMNS,
        values,
        game_type: record.variant.game_type(),
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
        object.notes.add(&note.kind);
    }
    for (index, (text, position)) in view.texts.iter().zip(view.line.positions().skip(1)).enumerate() {
        let ply = index as u32 + 1;
        let mut about = NotesObject::default();
        while let Some(note) = notes.next_if(|note| note.ply <= ply) {
            about.add(&note.kind);
        }
        let fen = fen::write(&position.setup());
        object.moves.push(MoveObject { ply, color: view.color_at(ply), text, fen, notes: about });
    }
    object
}
