//! `annotate`: the losing move of stored games, found and proved.

mod reading;
mod remarks;

use std::collections::{BTreeSet, HashMap};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};

use crate::analysis::{
    self, AnnotationLimits, AnnotationObserver, AnnotationOptions, AnnotationOutcome, MAX_UNSTORED_POSITIONS,
    TreeCounts,
};
use crate::board::{Color, Witness};
use crate::engine::{Endings, Evaluation, MAX_DEPTH};
use crate::files;
use crate::game::move_text;
use crate::query::{self, Filters, LineSet, Sort};
use crate::render::{Format, plural, thousands};
use crate::rules::Position;
use crate::store::{Database, StoredAnalysis, StoredLine, StoredSwing, short_digest};
use crate::table::{Cell, Column, Row, Table};

use super::context::Context;
use super::engine::{databases, endings};
use super::error::{CliError, Exit};
use super::games::{FilterArgs, tell_misfits};
use super::import::ReadingArgs;
use super::output::cannot_write;
use super::signals::stop_flag;
use super::verify_deep::DEEP_LIMITS;

const EXAMPLES: &str = "\
Examples:
  crownhead annotate 5 7                             two stored lines
  crownhead annotate games.pdn                       a file; nothing is stored
  crownhead annotate --player wyllie                 every line of a player
  crownhead annotate --source chapter --nodes 20000  quickly
  crownhead annotate --event masters --certificates proofs
  crownhead --format csv annotate --all-swings --ballot 12 > swings.csv
  crownhead annotate --tree                          only what verdicts imply

A score of 60 hundredths of a man and more is a win. Scores have the
witness engine; rules, endgame databases and certificates that the checker
accepted have the witness proved. A source's mark is never called wrong without
a proof. What was found within the same limits or wider ones is not looked for
again, and an interrupted run is finished by running it again.

?? stands behind the losing move, ? behind another that gave something away.
Of a file or folder nothing is stored and no database is needed; --format csv
has its games numbered as they were read, with source and place.";

/// Find the move that lost each game, and prove it
///
/// All positions of each line are searched, the last first. The losing move is the last one by which the side that finally lost
/// passed from not lost to lost. From the end back its positions are proved lost, and the one before the losing move not lost, as
/// far as the budget goes.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Ids of stored lines; or files, folders or - for standard input. None means every stored line that the filters let through
    #[arg(value_name = "ID|PATH")]
    what: Vec<PathBuf>,
    /// Look at this many positions for each position of a line
    #[arg(long, value_name = "N", default_value_t = DEEP_LIMITS.nodes, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Look this many plies ahead at most
    #[arg(long, value_name = "PLIES", default_value_t = DEEP_LIMITS.depth, hide_default_value = true, value_parser = clap::value_parser!(u8).range(1..=i64::from(MAX_DEPTH)))]
    depth: u8,
    /// Look at this many positions for each attempt at a proof; 0 for none
    #[arg(long, value_name = "N", default_value_t = DEEP_LIMITS.proof_nodes)]
    proof_nodes: u64,
    /// Write the certificates of these lines into this folder; `check-proof` goes through them
    #[arg(long, value_name = "DIR")]
    certificates: Option<PathBuf>,
    /// Print every move that changed what the position was worth, not only the losing ones
    #[arg(long)]
    all_swings: bool,
    /// Look again even at what was found within these limits already
    #[arg(long)]
    again: bool,
    /// Only work out what all stored verdicts imply, and keep it for `moves`
    #[arg(long, conflicts_with_all = ["nodes", "depth", "proof_nodes", "certificates", "all_swings", "again", "what"])]
    tree: bool,
    #[command(flatten)]
    reading: ReadingArgs,
    #[command(flatten)]
    filters: FilterArgs,
}

impl Args {
    /// The files it reads.
    pub(super) fn inputs(&self) -> impl Iterator<Item = &Path> {
        self.what.iter().map(PathBuf::as_path).filter(|word| id_of(word).is_none())
    }

    /// The ids among what was named: all of it, or none.
    fn ids(&self) -> Result<Vec<u32>, CliError> {
        let ids: Vec<u32> = self.what.iter().filter_map(|word| id_of(word)).collect();
        if !ids.is_empty() && ids.len() < self.what.len() {
            return Err(CliError::usage("name either stored lines by their ids or files, not both")
                .hint("a file whose name is a number is written ./12"));
        }
        Ok(ids)
    }
}

/// The id that a word is, if it is one.
fn id_of(word: &Path) -> Option<u32> {
    let text = word.to_str().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))?;
    text.parse().ok()
}

/// A line as the table shows it: its losing move, or a move that changed something.
pub(super) struct AnnotationRow {
    line: u32,
    played: Option<(u32, Color, String)>,
    swing: Option<StoredSwing>,
    source_ply: Option<u32>,
    compares: Option<String>,
    /// Only where there is something else to say than of the moves.
    note: Option<String>,
    engine_ply: Option<u32>,
    proved_ply: Option<u32>,
    /// The certificate of that.
    proof: Option<String>,
    source: String,
    game_number: i64,
}

impl Row for AnnotationRow {
    const COLUMNS: &'static [Column] = &[
        Column::number("id", 0),
        Column::number("losing_ply", 0),
        Column::text("side", 3),
        Column::text("move", 0),
        Column::text("before", 1).grouped("values"),
        Column::text("after", 1).grouped("values"),
        Column::text("witness", 1),
        Column::text("better", 0),
        Column::text("refutation", 2),
        Column::number("distance", 5),
        Column::number("source_ply", 4),
        Column::text("compares", 0),
        Column::text("before_witness", 6).grouped("witnesses"),
        Column::text("after_witness", 6).grouped("witnesses"),
        Column::number("before_score", 7).grouped("scores"),
        Column::number("after_score", 7).grouped("scores"),
        Column::number("engine_ply", 7),
        Column::number("proved_ply", 5),
        Column::text("certificate", 8),
        Column::text("note", 7),
        Column::path("source", 9).grouped("place"),
        Column::number("place", 9).grouped("place"),
    ];

    fn values(self) -> Vec<Cell> {
        let (ply, side, played) = match self.played {
            Some((ply, side, played)) => (Some(ply), Some(side.name()), Some(played)),
            None => (None, None, None),
        };
        let swing = self.swing;
        let of = |pick: fn(&StoredSwing) -> Option<String>| swing.as_ref().and_then(pick);
        vec![
            self.line.into(),
            ply.into(),
            side.into(),
            played.into(),
            swing.as_ref().map(|swing| swing.before.name()).into(),
            swing.as_ref().map(|swing| swing.after.name()).into(),
            swing.as_ref().map(|swing| swing.witness.name()).into(),
            of(|swing| swing.better.as_deref().map(|line| start(line, 1))).into(),
            of(|swing| swing.refutation.as_deref().map(|line| start(line, 6))).into(),
            swing.as_ref().and_then(|swing| swing.distance).map(i64::from).into(),
            self.source_ply.into(),
            self.compares.into(),
            swing.as_ref().map(|swing| swing.before_witness.name()).into(),
            swing.as_ref().map(|swing| swing.after_witness.name()).into(),
            swing.as_ref().and_then(|swing| swing.before_score).map(i64::from).into(),
            swing.as_ref().and_then(|swing| swing.after_score).map(i64::from).into(),
            self.engine_ply.into(),
            self.proved_ply.into(),
            of(|swing| swing.certificate.clone()).or(self.proof).map(|digest| short_digest(&digest).to_owned()).into(),
            self.note.into(),
            self.source.into(),
            self.game_number.into(),
        ]
    }
}

/// What a tree has, counted.
struct TreeRow(TreeCounts);

impl Row for TreeRow {
    const COLUMNS: &'static [Column] = &[
        Column::number("positions", 0),
        Column::number("moves", 1),
        Column::number("claims", 0),
        Column::number("proved", 0),
        Column::number("implied", 0),
    ];

    fn values(self) -> Vec<Cell> {
        let counts = self.0;
        [counts.positions, counts.moves, counts.claims, counts.proved, counts.implied].map(Cell::from).to_vec()
    }
}

/// The first moves of a line.
fn start(line: &str, moves: usize) -> String {
    line.split(' ').take(moves).collect::<Vec<_>>().join(" ")
}

/// A bar by plies, and what was found by line.
struct AnnotateWatcher {
    bar: ProgressBar,
    found: HashMap<u32, StoredAnalysis>,
}

impl AnnotateWatcher {
    fn new(quiet: bool) -> Self {
        let bar = if quiet || !std::io::stderr().is_terminal() {
            ProgressBar::hidden()
        } else {
            let style =
                ProgressStyle::with_template("{spinner} {human_pos}/{human_len} plies {wide_bar} {elapsed} so far");
            ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        };
        Self { bar, found: HashMap::new() }
    }
}

impl AnnotationObserver for AnnotateWatcher {
    fn line(&mut self, analysis: &StoredAnalysis, _is_new: bool) {
        self.found.insert(analysis.line, analysis.clone());
    }

    fn begin(&mut self, plies: u64) {
        self.bar.set_length(plies);
        self.bar.tick();
    }

    fn plies(&mut self, done: u64) {
        self.bar.set_position(done);
    }
}

/// The play to look at, and where it is.
struct Library {
    database: Database,
    /// How reading files ended; nothing is known of it where stored lines are looked at.
    read: Option<Exit>,
}

impl Library {
    fn is_stored(&self) -> bool {
        self.read.is_none()
    }
}

impl Args {
    /// The folder it writes certificates to.
    pub(super) fn folder(&self) -> Option<&Path> {
        self.certificates.as_deref()
    }
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    let ids = args.ids()?;
    let files = ids.is_empty() && !args.what.is_empty();
    if !files && args.reading.is_given() {
        return Err(CliError::usage("--as, --result-order and --asterisk belong to files: name one"));
    }
    if !ids.is_empty() && context.args.sort.is_some() {
        return Err(CliError::usage(
            "lines that are named by their ids come in the order you name them: leave out --sort",
        ));
    }
    let stop = stop_flag();
    let mut library = if files {
        let (database, exit) = reading::read(context, &args.what, &args.reading, &stop)?;
        Library { database, read: Some(exit) }
    } else {
        // A path without a database is a slip, not the wish for an empty one.
        drop(context.database()?);
        Library { database: context.database_to_write()?.0, read: None }
    };
    let filters = args.filters.filters(context)?;
    if args.tree {
        if filters != Filters::default() {
            return Err(CliError::usage("--tree takes no filters: what is implied depends on all stored play"));
        }
        return keep_tree(context, &mut library.database);
    }
    if library.read == Some(Exit::Interrupted) {
        return Ok(Exit::Interrupted);
    }
    let (ids, missing) = lines(context, &library.database, &filters, ids)?;
    if ids.is_empty() {
        if missing == 0 && !tell_misfits(context, &library.database, &filters)? {
            context.message(if files { "There is no play to look at." } else { "No stored line fits." });
        }
        return Ok(Exit::No);
    }
    let exit = look(context, args, &mut library, &ids, &stop)?;
    Ok(if exit == Exit::Done && missing > 0 { Exit::No } else { exit })
}

/// Looks at the lines `ids` and prints what is found.
fn look(
    context: &mut Context,
    args: &Args,
    library: &mut Library,
    ids: &[u32],
    stop: &AtomicBool,
) -> Result<Exit, CliError> {
    let options = AnnotationOptions {
        limits: AnnotationLimits { nodes: args.nodes, depth: args.depth, proof_nodes: args.proof_nodes },
        evaluation: Arc::new(Evaluation::best()),
        endings: endings(context)?,
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        again: args.again,
    };
    if let Some(folder) = &args.certificates {
        // What cannot be written to is told before the work, not after it.
        make_folder(folder)?;
    }
    let mut watcher = AnnotateWatcher::new(context.args.quiet);
    let started = Instant::now();
    let outcome = analysis::annotate(&mut library.database, ids, &options, stop, &mut watcher);
    watcher.bar.finish_and_clear();
    let outcome = outcome.map_err(|error| match error {
        analysis::AnalysisError::Store(error) => CliError::from(error),
    })?;
    if context.args.format == Format::Table && context.args.columns.is_none() {
        remarks::print(context, library, ids, &watcher.found, args.all_swings)?;
    } else {
        print_rows(context, &library.database, ids, &watcher.found, args.all_swings)?;
    }
    let written = match &args.certificates {
        Some(folder) => Some(write_certificates(&library.database, watcher.found.values(), folder)?),
        None => None,
    };
    print_summary(context, &outcome, &watcher.found, written, started.elapsed().as_secs_f64());
    if outcome.stopped {
        context.message(if library.is_stored() {
            "Stopped. What was finished is stored; run the same command again to go on."
        } else {
            "Stopped. What was finished is printed; nothing is stored."
        });
        return Ok(Exit::Interrupted);
    }
    if let Some(exit) = library.read {
        context.message("Nothing was stored. To keep it, import the file and annotate the stored lines.");
        return Ok(exit);
    }
    if library.database.posting_count()? > MAX_UNSTORED_POSITIONS {
        let endings = options.endings.as_deref().map(|endings| endings as &dyn Endings);
        analysis::keep_tree_values(&mut library.database, endings)?;
    }
    Ok(Exit::Done)
}

/// What was found as a table, for programs and for those who choose its columns.
fn print_rows(
    context: &mut Context,
    database: &Database,
    ids: &[u32],
    found: &HashMap<u32, StoredAnalysis>,
    all_swings: bool,
) -> Result<(), CliError> {
    let mut rows = Vec::new();
    for id in ids {
        let (Some(analysis), Some(line)) = (found.get(id), database.line(*id)?) else { continue };
        let Some(head) = query::LineTitle::read(database, *id)? else { continue };
        add_rows(&mut rows, analysis, &line, &head, all_swings, &source_plies(database, *id)?);
    }
    // The lines were sorted and cut already.
    context.print(Table::from_rows(rows), false)
}

/// Works out what all stored verdicts imply, and keeps it.
fn keep_tree(context: &mut Context, database: &mut Database) -> Result<Exit, CliError> {
    let started = Instant::now();
    let counts = analysis::keep_tree_values(database, Some(&databases(context)?))?;
    context.print(Table::from_rows([TreeRow(counts)]), false)?;
    context.message(&format!("Worked out in {:.1} s.", started.elapsed().as_secs_f64()));
    Ok(Exit::Done)
}

/// The lines to look at, and how many of those named are not there. Those of openings only where they are asked for.
fn lines(
    context: &Context,
    database: &Database,
    filters: &Filters,
    named: Vec<u32>,
) -> Result<(Vec<u32>, usize), CliError> {
    let (mut ids, mut missing) = (named, 0);
    if ids.is_empty() {
        // Limits count the lines that are looked at.
        let sort = Sort { column: context.args.sort.clone(), offset: 0, limit: None };
        let facts = database.facts()?;
        let is_opening = |id: &u32| facts.get(*id).is_some_and(|fact| fact.kind == crate::game::LineKind::Opening);
        ids = query::line_ids(database, filters, &sort)?;
        if filters.kind.is_none() {
            ids.retain(|id| !is_opening(id));
        }
    } else {
        let held = LineSet::select(database, &Filters::default())?;
        for id in ids.iter().filter(|id| !held.contains(**id)) {
            context.message(&format!("No line has the id {id}. List them with: crownhead games"));
            missing += 1;
        }
        let fitting = LineSet::select(database, filters)?;
        let mut seen = LineSet::default();
        ids.retain(|id| {
            let is_new = !seen.contains(*id) && fitting.contains(*id);
            if is_new {
                seen.insert(*id);
            }
            is_new
        });
    }
    let (passed, most) = (context.args.offset as usize, context.args.limit.map_or(usize::MAX, |limit| limit as usize));
    Ok((ids.into_iter().skip(passed).take(most).collect(), missing))
}

/// The plies that the source marks as losing.
fn source_plies(database: &Database, id: u32) -> Result<Vec<u32>, CliError> {
    let notes = database.notes(id)?;
    let marks = notes.iter().filter(|note| note.kind.marks_losing());
    Ok(marks.map(|note| note.ply).collect())
}

fn add_rows(
    rows: &mut Vec<AnnotationRow>,
    analysis: &StoredAnalysis,
    line: &StoredLine,
    head: &query::LineTitle,
    all_swings: bool,
    source_plies: &[u32],
) {
    let positions: Vec<Position> = line.positions().collect();
    let played = |ply: u32| {
        let index = (ply as usize).checked_sub(1)?;
        let position = positions.get(index)?;
        Some((ply, position.turn(), move_text(position, line.moves.get(index)?)))
    };
    let compares: Vec<&str> = analysis.swings.iter().filter_map(|swing| swing.mark.as_deref()).collect();
    let row = |swing: Option<&StoredSwing>| AnnotationRow {
        line: analysis.line,
        played: swing.and_then(|swing| played(swing.ply)),
        swing: swing.cloned(),
        source_ply: source_plies.last().copied(),
        compares: (!compares.is_empty()).then(|| compares.join("; ")),
        note: analysis.note.clone(),
        engine_ply: analysis.engine_ply,
        proved_ply: analysis.proved_ply,
        proof: analysis.proof.clone(),
        source: head.source.clone(),
        game_number: head.game_number,
    };
    if all_swings {
        rows.extend(analysis.swings.iter().filter(|swing| swing.is_swing).map(|swing| row(Some(swing))));
    } else {
        rows.push(row(analysis.swings.iter().find(|swing| swing.is_losing)));
    }
}

fn make_folder(folder: &Path) -> Result<(), CliError> {
    files::create_folder(folder).map_err(|error| cannot_write(folder, &error))
}

/// Writes the certificates that `analyses` name; how many there are.
fn write_certificates<'a>(
    database: &Database,
    analyses: impl Iterator<Item = &'a StoredAnalysis>,
    folder: &Path,
) -> Result<u64, CliError> {
    let digests: BTreeSet<&str> = analyses.flat_map(StoredAnalysis::digests).collect();
    let mut written = 0;
    for digest in digests {
        let Some(text) = database.certificate(digest)? else { continue };
        let path = folder.join(short_digest(digest)).with_extension("proof");
        files::write(&path, text.as_bytes()).map_err(|error| cannot_write(&path, &error))?;
        written += 1;
    }
    Ok(written)
}

/// How much was searched at most, in words: by this run, and by earlier ones where they had looked at lines already.
fn budget(found: &HashMap<u32, StoredAnalysis>) -> Option<String> {
    let range = |pick: fn(&StoredAnalysis) -> u64| {
        let least = found.values().map(pick).min()?;
        let most = found.values().map(pick).max()?;
        Some(if least == most { thousands(most) } else { format!("{} to {}", thousands(least), thousands(most)) })
    };
    let nodes = range(|analysis| analysis.limits.nodes)?;
    let proofs = match range(|analysis| analysis.limits.proof_nodes)? {
        none if none == "0" => "; no proofs were tried".to_owned(),
        proofs => format!(" and {proofs} per attempt at a proof"),
    };
    Some(format!("Searched at most {nodes} positions per move{proofs}."))
}

fn print_summary(
    context: &Context,
    outcome: &AnnotationOutcome,
    found: &HashMap<u32, StoredAnalysis>,
    written: Option<u64>,
    seconds: f64,
) {
    let mut text = format!("{} analysed in {seconds:.1} s", plural(outcome.analysed, "line", "lines"));
    if outcome.held > 0 {
        text.push_str(&format!(", {} analysed before", outcome.held));
    }
    if outcome.passed_over > 0 {
        text.push_str(&format!(", {} without moves passed over", outcome.passed_over));
    }
    let count = |pick: fn(&StoredAnalysis) -> bool| found.values().filter(|analysis| pick(analysis)).count() as u64;
    text.push_str(&format!(
        ". A losing move was found in {} of {}, and is proved in {}. In {} the loser is proved lost from some move on.",
        count(|analysis| analysis.losing_ply.is_some()),
        plural(found.len() as u64, "line", "lines"),
        count(|analysis| analysis.witness == Some(Witness::Proved)),
        count(|analysis| analysis.proved_ply.is_some()),
    ));
    context.message(&text);
    budget(found).iter().for_each(|sentence| context.message(sentence));
    if let Some(written) = written {
        context.message(&format!("{} written.", plural(written, "certificate", "certificates")));
    }
}
