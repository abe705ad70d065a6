//! `verify`: the checks of an import, and nothing stored.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::engine::StopFlag;
use crate::game::{Diagnostic, Severity};
use crate::import::{self, ImportObserver};
use crate::intake::{self, Chunk, Input};
use crate::notation::{Code, Location};
use crate::render::{ExcerptOptions, Format, clean_for_terminal, plural};
use crate::store::{Database, StoreError};
use crate::table::Table;

use super::context::Context;
use super::engine;
use super::error::{CliError, Exit};
use super::findings::{self, FindingRow, Quota, text};
use super::import::ReadingArgs;
use super::progress::ByteProgress;
use super::signals::stop_flag;
use super::verify_deep::Deep;

const EXAMPLES: &str = "\
Examples:
  crownhead verify games.pdn              all there is to report
  crownhead --format csv verify library/  a folder, for a spreadsheet
  crownhead verify --all                  replay every line of the database
  crownhead verify --game 12              replay one
  crownhead verify --deep --game 1        its asterisks held against an analysis

Exit status 1 when there is an error: something an import would refuse or cut
short.";

/// Check files or stored play, and store nothing
///
/// Prints what there is to report: illegal and ambiguous moves with the legal ones, results that the final position
/// contradicts, repairs, damaged tags and comments. A result that the endgame database denies is a note: players do resign
/// games that were won.
///
/// A terminal shows each with its place in the text; elsewhere, and with --columns, --sort or --limit, they are a table.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Files, folders, or - for standard input
    #[arg(value_name = "PATH", required_unless_present_any = ["all", "game"])]
    paths: Vec<PathBuf>,
    /// Replay every line of the database
    #[arg(long, conflicts_with_all = ["paths", "game"])]
    all: bool,
    /// Replay this line of the database (can be repeated)
    #[arg(long, value_name = "ID", conflicts_with = "paths")]
    game: Vec<u32>,
    /// Hold the moves marked as losing against an analysis: the stored one, or one made as annotate would
    #[arg(long)]
    deep: bool,
    #[command(flatten)]
    reading: ReadingArgs,
}

impl Args {
    /// The files it reads.
    pub(super) fn inputs(&self) -> impl Iterator<Item = &Path> {
        self.paths.iter().map(PathBuf::as_path)
    }
}

struct Collector {
    deep: Option<Deep>,
    progress: ByteProgress,
    rows: Vec<FindingRow>,
    /// How places are shown, where findings are told to a person and not listed.
    excerpts: Option<ExcerptOptions>,
    excerpt: String,
    quota: Quota,
    errors: u64,
    games: u64,
    plies: u64,
    refused: u64,
    partly: u64,
}

impl ImportObserver for Collector {
    fn chunk(&mut self, input: &Input, chunk: &Chunk) {
        self.progress.read(input, chunk.bytes_read);
        let games = chunk.games.iter().filter_map(|replayed| replayed.game.as_ref());
        let deep: Vec<Diagnostic> = match &mut self.deep {
            Some(deep) => games.flat_map(|game| deep.of_game(game)).collect(),
            None => Vec::new(),
        };
        for finding in import::findings(chunk).chain(&deep) {
            self.errors += u64::from(finding.severity == Severity::Error);
            if !self.quota.admits(&input.name) {
                continue;
            }
            if let Some(options) = self.excerpts {
                self.excerpt.push_str(&clean_for_terminal(&text(&input.name, finding)));
                self.excerpt.push('\n');
                if let Some(place) = findings::excerpt_of(chunk, finding, options) {
                    self.excerpt.push_str(&place);
                    self.excerpt.push('\n');
                }
            }
            if self.excerpts.is_some() {
                continue;
            }
            self.rows.push(FindingRow { file: input.name.clone(), finding: finding.clone() });
        }
        self.games += chunk.games.len() as u64;
        for replayed in &chunk.games {
            match &replayed.game {
                None => self.refused += 1,
                Some(game) => {
                    // Those of variations too, as an import counts them.
                    let branches = game.branches().iter().map(|branch| branch.line.moves().len());
                    self.plies += (game.line().moves().len() + branches.sum::<usize>()) as u64;
                    self.partly += u64::from(game.status() == crate::game::Status::Partly);
                }
            }
        }
    }
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    if args.all || !args.game.is_empty() {
        return stored(context, &args.game, args.deep);
    }
    let inputs = intake::inputs(&args.paths)?;
    let stop = stop_flag();
    let mut collector = Collector {
        deep: if args.deep { Some(Deep::new(context, StopFlag::from(Arc::clone(&stop)))?) } else { None },
        progress: ByteProgress::new(&inputs, context.args.quiet),
        rows: Vec::new(),
        excerpts: for_people(context).then(|| ExcerptOptions { color: context.color(), ..context.excerpt_options() }),
        excerpt: String::new(),
        quota: Quota::default(),
        errors: 0,
        games: 0,
        plies: 0,
        refused: 0,
        partly: 0,
    };
    let databases = engine::databases(context)?;
    let options = args.reading.options(context);
    let (complete, unreadable) = import::verify(&inputs, &options, &databases, &stop, &mut collector);
    collector.progress.finish();
    collector.quota.left_out().for_each(|line| context.message(&line));
    let errors = collector.errors;
    if collector.excerpts.is_some() {
        write!(context.out(), "{}", collector.excerpt)?;
    } else if !collector.rows.is_empty() || context.args.format != Format::Table {
        context.print(Table::from_rows(collector.rows), true)?;
    }
    context.message(&format!(
        "{} checked, {} proved; {} refused, {} cut short; {}.",
        plural(collector.games, "game", "games"),
        plural(collector.plies, "half-move", "half-moves"),
        collector.refused,
        collector.partly,
        plural(errors, "error", "errors"),
    ));
    // Games that were read whole may not have been looked at.
    if !complete || stop.load(Ordering::Relaxed) {
        return Ok(Exit::Interrupted);
    }
    // What could not be read does not spoil the findings in the rest.
    context.commit()?;
    if let Some(exit) = findings::broken_off(&unreadable, collector.games > 0) {
        CliError::of_many(unreadable.into_iter().map(CliError::from)).print(context.args.color);
        return Ok(exit);
    }
    if !unreadable.is_empty() {
        return Err(CliError::of_many(unreadable.into_iter().map(CliError::from)));
    }
    Ok(if errors == 0 && collector.refused == 0 { Exit::Done } else { Exit::No })
}

/// Whether findings go to a person's terminal, who did not ask for a table of their own making.
fn for_people(context: &Context) -> bool {
    let args = &context.args;
    let plain = args.columns.is_none() && args.sort.is_none() && args.limit.is_none() && args.offset == 0;
    plain && args.format == Format::Table && context.is_terminal()
}

/// Replays stored lines: those of `ids`, or all.
fn stored(context: &mut Context, ids: &[u32], deep: bool) -> Result<Exit, CliError> {
    let database = context.database()?;
    let all = if ids.is_empty() { database.line_ids()? } else { ids.to_vec() };
    let stop = stop_flag();
    let mut deep = if deep { Some(Deep::new(context, StopFlag::from(Arc::clone(&stop)))?) } else { None };
    let (mut rows, mut notes) = (Vec::new(), Vec::new());
    let (mut replayed, mut plies) = (0_u64, 0);
    let held: HashSet<u32> = database.line_ids()?.into_iter().collect();
    let (all, missing): (Vec<u32>, Vec<u32>) = all.into_iter().partition(|id| held.contains(id));
    for id in &missing {
        context.message(&format!("There is no line {id}."));
    }
    if all.is_empty() && !missing.is_empty() {
        return Ok(Exit::No);
    }
    for &id in &all {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        replayed += 1;
        if let Some(deep) = &mut deep {
            let file = database.path().display().to_string();
            let found = deep.of_line(&database, id)?;
            notes.extend(found.into_iter().map(|finding| FindingRow { file: file.clone(), finding }));
        }
        match check_line(&database, id) {
            Ok(checked) => plies += checked,
            Err(finding) => rows.push(FindingRow { file: database.path().display().to_string(), finding }),
        }
    }
    let failed = rows.len();
    rows.extend(notes);
    if !rows.is_empty() || context.args.format != Format::Table {
        context.print(Table::from_rows(rows), true)?;
    }
    context.message(&format!(
        "{} replayed, {}; {} failed.",
        plural(replayed, "line", "lines"),
        plural(plies, "half-move", "half-moves"),
        failed
    ));
    if stop.load(Ordering::Relaxed) {
        context.message(&format!("Stopped after {replayed} of {}.", plural(all.len() as u64, "line", "lines")));
        return Ok(Exit::Interrupted);
    }
    Ok(if failed == 0 && missing.is_empty() { Exit::Done } else { Exit::No })
}

/// Replays one stored line by the rules; how many plies it has, or what is wrong with it.
fn check_line(database: &Database, id: u32) -> Result<u64, Diagnostic> {
    let report = |code, found: String, ply: u32| {
        Diagnostic::new(Severity::Error, code, Location::FIRST).at(id, ply).found(found)
    };
    let line = database.line(id).and_then(|line| line.ok_or_else(|| StoreError::Damaged(format!("line {id} is gone"))));
    let line = line.map_err(|error| {
        report(Code::Unreadable, error.to_string(), 0).hint("crownhead check tells what is damaged and what is whole")
    })?;
    let mut position = line.start;
    for (index, played) in line.moves.iter().enumerate() {
        position = position.play(played).map_err(|_| {
            let written = format!("{}-{}", played.from, played.to);
            report(Code::Illegal, written, index as u32 + 1).expected("a legal move")
        })?;
    }
    Ok(line.moves.len() as u64)
}
