//! `import`: text in, proved play stored.

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;

use serde_json::{Map, Value as Json, json};

use crate::board::ResultOrder;
use crate::game::{Mark, ReplayOptions, Severity};
use crate::import::{self, FileReport, ImportObserver, ImportReport};
use crate::intake::{self, Chunk, Input, InputForm};
use crate::notation::{Code, LeftAlone};
use crate::query::{self, SourceDifference};
use crate::render::{ExcerptOptions, Format, plural, thousands};
use crate::store::{ChunkCounts, Database};
use crate::table::{Cell, Column, Row, Table};

use super::context::Context;
use super::error::{CliError, Exit};
use super::findings::{self, Quota, text};
use super::progress::ByteProgress;
use super::signals::stop_flag;
use super::suggest::for_shell;

const EXAMPLES: &str = "\
Examples:
  crownhead import games.pdn                a file
  crownhead import library/ more.pdn        a folder's .pdn and .txt files
  crownhead import games.pdn.gz more.zip    packed; each text of an archive
  curl URL | crownhead import -             standard input
  crownhead import --as book chapter.txt    the play in the text of a book
  crownhead import games.json               what export json gave
  crownhead --format json import games.pdn  the summary as JSON

The same text again changes nothing; an interrupted import is finished by
running it again. A corrected text is a source of its own: --replace takes the
older one of that name out. Each source keeps its words of a game (show ID).
Exit status 1 when anything was refused or stored in part, or no play was found.";

/// How many inputs are repeated in a command that is proposed.
const MAX_NAMED_FILES: usize = 3;

/// Import games from files or folders, every move replayed
///
/// Reads PDN, JSON of its own exports and the text of old books, replays every move, and stores games whole, or up to the first move that is not
/// legal. What is refused is reported with file, line, column, game, ply, what was written and the moves that are legal
/// there; the next game is read all the same.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Files, folders, or - for standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    reading: ReadingArgs,
    /// Store nothing when anything is refused or would be stored in part
    #[arg(long)]
    strict: bool,
    /// Take older texts of the same names out when these are stored
    #[arg(long)]
    replace: bool,
}

impl Args {
    /// The files it reads.
    pub(super) fn inputs(&self) -> impl Iterator<Item = &Path> {
        self.paths.iter().map(PathBuf::as_path)
    }

    /// The command that shows all findings about what is imported; of many inputs, and of standard input, it has a placeholder.
    fn verify(&self) -> String {
        let names_all = self.paths.len() <= MAX_NAMED_FILES && self.paths.iter().all(|path| path.as_os_str() != "-");
        let paths: Vec<String> = match names_all {
            true => self.paths.iter().map(|path| for_shell(&path.to_string_lossy())).collect(),
            false => vec!["FILE".to_owned()],
        };
        format!("crownhead verify {}", [self.reading.words(), paths].concat().join(" "))
    }
}

/// How text is read: shared by `import` and `verify`.
#[derive(Debug, clap::Args)]
pub(super) struct ReadingArgs {
    /// Read the text as pdn, json or book instead of telling from it
    #[arg(long = "as", value_name = "FORM", value_parser = parse_form)]
    form: Option<InputForm>,
    /// Whose score stands first in results: black-first or white-first [default: the variant's custom]
    #[arg(long, value_name = "ORDER", value_parser = parse_order)]
    result_order: Option<ResultOrder>,
    /// Read an asterisk at a move as losing (the move that loses) or star (the only move) [default: the text's own legend]
    #[arg(long, value_name = "MEANING", value_parser = parse_asterisk)]
    asterisk: Option<Mark>,
}

fn parse_asterisk(text: &str) -> Result<Mark, String> {
    match text {
        "losing" => Ok(Mark::Losing),
        "star" => Ok(Mark::Star),
        _ => Err("write losing or star".to_owned()),
    }
}

fn parse_form(text: &str) -> Result<InputForm, String> {
    InputForm::ALL.into_iter().find(|form| form.name() == text).ok_or_else(|| "write pdn, json or book".to_owned())
}

fn parse_order(text: &str) -> Result<ResultOrder, String> {
    ResultOrder::from_name(text).ok_or_else(|| "write black-first or white-first".to_owned())
}

impl ReadingArgs {
    /// Whether any of them was given.
    pub(super) const fn is_given(&self) -> bool {
        self.form.is_some() || self.result_order.is_some() || self.asterisk.is_some()
    }

    /// The options as they are written, where they are given.
    fn words(&self) -> Vec<String> {
        let form = self.form.map(|form| format!("--as {}", form.name()));
        let order = self.result_order.map(|order| format!("--result-order {}", order.name()));
        let asterisk = self.asterisk.map(|mark| if mark == Mark::Star { "star" } else { "losing" });
        [form, order, asterisk.map(|meaning| format!("--asterisk {meaning}"))].into_iter().flatten().collect()
    }

    /// The options of the intake.
    pub(super) fn options(&self, context: &Context) -> intake::ReadOptions {
        let replay =
            ReplayOptions { variant: context.args.variant, result_order: self.result_order, asterisk: self.asterisk };
        intake::ReadOptions { replay, form: self.form, threads: 0 }
    }
}

/// Tells findings as they come and keeps what the summary needs.
struct ImportWatcher {
    progress: ByteProgress,
    quiet: bool,
    /// How places are shown; on a terminal only.
    excerpts: Option<ExcerptOptions>,
    warnings: u64,
    errors: u64,
    /// Results that the endgame database denies.
    otherwise: u64,
    left_alone: Vec<(String, LeftAlone)>,
    quota: Quota,
}

impl ImportObserver for ImportWatcher {
    fn chunk(&mut self, input: &Input, chunk: &Chunk) {
        self.progress.read(input, chunk.bytes_read);
        for finding in import::findings(chunk) {
            if finding.severity == Severity::Error {
                self.errors += 1;
                if !self.quota.admits(&input.name) {
                    continue;
                }
                self.progress.line(&text(&input.name, finding));
                if let Some(place) = self.excerpts.and_then(|options| findings::excerpt_of(chunk, finding, options)) {
                    self.progress.as_is(&place);
                }
            } else {
                self.warnings += u64::from(finding.severity == Severity::Warning);
                self.otherwise += u64::from(finding.code == Code::ProvedOtherwise);
            }
        }
        for left in &chunk.left_alone {
            if !self.quota.admits(&input.name) {
                continue;
            }
            if !self.quiet {
                self.progress.line(&format!(
                    "{}:{}: left alone, {}: {} ({})",
                    input.name,
                    left.location.line,
                    left.reason,
                    left.what,
                    plural(left.lines.into(), "line", "lines")
                ));
            }
            self.left_alone.push((input.name.clone(), left.clone()));
        }
    }
}

/// A row of the summary.
pub(super) struct SummaryRow<'a>(&'a str, &'a str, &'a ChunkCounts);

impl Row for SummaryRow<'_> {
    const COLUMNS: &'static [Column] = &[
        Column::path("file", 0),
        Column::text("form", 6),
        Column::number("read", 0).grouped("counts"),
        Column::number("stored", 0).grouped("counts"),
        Column::number("partly", 0).grouped("counts"),
        Column::number("refused", 0).grouped("counts"),
        Column::number("duplicates", 0).grouped("counts"),
        Column::number("games", 2),
        Column::number("openings", 3),
        Column::number("lines", 5),
        Column::number("plies", 4),
    ];

    fn values(self) -> Vec<Cell> {
        let Self(name, form, counts) = self;
        let mut values: Vec<Cell> = vec![name.into(), if form.is_empty() { Cell::Null } else { form.into() }];
        values.extend(numbers(counts).into_iter().map(|(_, number)| Cell::Int(number.try_into().unwrap_or(i64::MAX))));
        values
    }
}

fn numbers(counts: &ChunkCounts) -> [(&'static str, u64); 9] {
    [
        ("read", counts.read),
        ("stored", counts.stored),
        ("partly", counts.partly),
        ("refused", counts.refused),
        ("duplicates", counts.duplicates),
        ("games", counts.games),
        ("openings", counts.openings),
        ("lines", counts.lines),
        ("plies", counts.plies),
    ]
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    let inputs = intake::inputs(&args.paths)?;
    let options = import::ImportOptions { intake: args.reading.options(context), strict: args.strict };
    let path = context.db_path()?;
    context.book()?;
    if !path.exists() {
        // No database is made where nothing at all can be read.
        let unreadable: Vec<_> = inputs.iter().filter_map(|input| intake::look(input).err()).collect();
        if unreadable.len() == inputs.len() {
            return Err(CliError::of_many(unreadable.into_iter().map(CliError::from)));
        }
    }
    let (mut database, made) = context.database_to_write()?;
    if made {
        context.message(&format!("Made the database {}.", path.display()));
    }
    read_again(context, &mut database)?;
    let stop = stop_flag();
    let mut watcher = ImportWatcher {
        progress: ByteProgress::new(&inputs, context.args.quiet),
        quiet: context.args.quiet,
        excerpts: std::io::stderr().is_terminal().then(|| context.excerpt_options()),
        warnings: 0,
        errors: 0,
        otherwise: 0,
        left_alone: Vec::new(),
        quota: Quota::default(),
    };
    let started = Instant::now();
    let outcome = import::import(&mut database, &inputs, &*context.book()?, &options, &stop, &mut watcher);
    watcher.progress.finish();
    let mut report = outcome?;
    watcher.quota.left_out().for_each(|line| context.message(&line));
    let seconds = started.elapsed().as_secs_f64();
    print(context, &report, &watcher.left_alone)?;
    // A summary is whole whatever ended the import.
    context.commit()?;
    print_summary(context, &database, args, &report, &watcher, seconds)?;
    if !report.withheld {
        tell_older_texts(context, &mut database, args, &report)?;
    }
    if (report.stopped || stop.load(Ordering::Relaxed)) && !report.withheld {
        context.message(&format!(
            "Stopped: {} stored by this run. Run the same command again to go on.",
            plural(report.total.games, "game", "games")
        ));
        return Ok(Exit::Interrupted);
    }
    if report.stopped {
        return Ok(Exit::Interrupted);
    }
    if let Some(exit) = findings::broken_off(&report.unreadable, report.total.read > 0) {
        CliError::of_many(report.unreadable.drain(..).map(CliError::from)).print(context.args.color);
        return Ok(exit);
    }
    if !report.unreadable.is_empty() {
        return Err(CliError::of_many(report.unreadable.drain(..).map(CliError::from)));
    }
    // An error may also stand outside games, or leave a game whole as far as it could be read.
    let clean = watcher.errors == 0 && report.total.read > 0 && report.total.refused == 0 && report.total.partly == 0;
    Ok(if clean { Exit::Done } else { Exit::No })
}

/// Says how texts that were imported before under the same names differ, and takes them out where that is asked for.
fn tell_older_texts(
    context: &Context,
    database: &mut Database,
    args: &Args,
    report: &ImportReport,
) -> Result<(), CliError> {
    let mut told = BTreeSet::new();
    for file in &report.files {
        let Some(newer) = file.source.filter(|_| file.name != "-") else { continue };
        for (older, name) in database.source_names()? {
            if older == newer || name != file.name || !told.insert((older, newer)) {
                continue;
            }
            if args.replace {
                if !database.remove_source_name(older, &name)? {
                    database.remove_source(older)?;
                }
                context.message(&format!("Source {older}, the older text of {name}, was taken out."));
                continue;
            }
            let SourceDifference { same, differing, gone } = query::source_difference(database, older, newer)?;
            context.message(&format!(
                "{name} was imported before with another text (source {older}): {} word for word the same here, {} other comments, \
                 marks, variations or tags, {} not here. Take the older text out with: crownhead import --replace {}",
                plural(same, "of its games is", "of its games are"),
                plural(differing, "has", "have"),
                plural(gone, "is", "are"),
                for_shell(&name)
            ));
        }
    }
    Ok(())
}

/// Reads the words of copies that an older version noted without them.
pub(super) fn read_again(context: &mut Context, database: &mut Database) -> Result<(), CliError> {
    let book = context.book()?;
    let import::Reread { read, left } = import::reread(database, &book)?;
    if read > 0 {
        context.message(&format!(
            "Read {} again that an older version had stored without {} own comments and variations.",
            plural(read, "copy", "copies"),
            if read == 1 { "its" } else { "their" }
        ));
    }
    if left > 0 {
        let sentence = "cannot be read again from the stored text: report duplicates lists them";
        context.message(&format!("{} {sentence}.", plural(left, "copy", "copies")));
    }
    Ok(())
}

/// The summary as data.
fn print(context: &mut Context, report: &ImportReport, left_alone: &[(String, LeftAlone)]) -> Result<(), CliError> {
    if context.args.format == Format::Json {
        let summary = summary_json(report, left_alone);
        let text = serde_json::to_string_pretty(&summary).map_err(|error| CliError::usage(error.to_string()))?;
        writeln!(context.out(), "{text}")?;
        return Ok(());
    }
    // In a narrow table the last part of a path tells files apart; other formats have the whole.
    let short = |name: &'_ str| match context.args.format {
        Format::Table => name.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or(name).to_owned(),
        _ => name.to_owned(),
    };
    let names: Vec<String> = report.files.iter().map(|file| short(&file.name)).collect();
    let mut rows: Vec<SummaryRow<'_>> =
        report.files.iter().zip(&names).map(|(file, name)| SummaryRow(name, file.form, &file.counts)).collect();
    if report.files.len() > 1 && context.args.format == Format::Table {
        rows.push(SummaryRow("all", "", &report.total));
    }
    context.print(Table::from_rows(rows), true)
}

fn summary_json(report: &ImportReport, left_alone: &[(String, LeftAlone)]) -> Json {
    let counts = |counts: &ChunkCounts| -> Map<String, Json> {
        numbers(counts).into_iter().map(|(name, number)| (name.to_owned(), number.into())).collect()
    };
    let file = |file: &FileReport| {
        let mut object = Map::new();
        object.insert("file".to_owned(), file.name.clone().into());
        object.insert("form".to_owned(), file.form.into());
        object.extend(counts(&file.counts));
        let left = left_alone.iter().filter(|(name, _)| *name == file.name).map(|(_, left)| {
            json!({ "line": left.location.line, "lines": left.lines, "what": left.what, "reason": left.reason })
        });
        object.insert("left_alone".to_owned(), left.collect());
        Json::Object(object)
    };
    let mut summary = counts(&report.total);
    summary.insert("stopped".to_owned(), report.stopped.into());
    summary.insert("withheld".to_owned(), report.withheld.into());
    summary.insert("files".to_owned(), report.files.iter().map(file).collect());
    Json::Object(summary)
}

/// The summary as sentences.
fn print_summary(
    context: &Context,
    database: &Database,
    args: &Args,
    report: &ImportReport,
    watcher: &ImportWatcher,
    seconds: f64,
) -> Result<(), CliError> {
    let total = &report.total;
    context.message(&format!(
        "Read {} = {} stored + {} stored in part + {} refused + {} held already; {} proved in {seconds:.2} s.",
        thousands(total.read),
        thousands(total.stored),
        thousands(total.partly),
        thousands(total.refused),
        thousands(total.duplicates),
        plural(total.plies, "half-move", "half-moves"),
    ));
    if watcher.warnings > 0 {
        context.message(&format!(
            "{}: see them with {}",
            plural(watcher.warnings, "warning", "warnings"),
            args.verify()
        ));
    }
    if watcher.otherwise > 0 {
        context.message(&format!(
            "{} other than the endgame database has it: see {}",
            plural(watcher.otherwise, "result is", "results are"),
            args.verify()
        ));
    }
    if report.withheld {
        context.message("Nothing was stored: --strict wants everything read to its end, and every game whole.");
    } else if total.read > 0 && report.files.iter().all(|file| file.held) {
        context.message("All of this text was already stored; nothing changed.");
    }
    if total.read == 0 && !report.stopped && report.unreadable.is_empty() {
        context
            .message("No play was found. Is it the right file? --as book reads the text of books, --as pdn reads PDN.");
        let is_read = |name: &str| report.files.iter().any(|file| file.name == name);
        for (_, name) in database.source_names()?.into_iter().filter(|(_, name)| is_read(name)) {
            let remove = format!("crownhead remove --source {}", for_shell(&name));
            context.message(&format!("{name} is listed by crownhead sources all the same; take it out with: {remove}"));
        }
    }
    Ok(())
}
