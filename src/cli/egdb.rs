//! `egdb`: endgame databases made, listed, asked and checked.

use std::path::PathBuf;
use std::time::Instant;

use clap::Subcommand;
use indicatif::{ProgressBar, ProgressStyle};

use crate::board::Value;
use crate::engine::EngineError;
use crate::engine::egdb::{self, CheckedSlice, Databases, Fault, GenerationOptions, Probed, SliceInfo};
use crate::game::move_text;
use crate::notation::fen;
use crate::render::{self, Format, plural, thousands};
use crate::rules::Position;
use crate::table::{Cell, Column, Row, Table};

use super::context::Context;
use super::engine;
use super::environment;
use super::error::{CliError, Exit};
use super::position_argument;
use super::signals::stop_flag;
use super::targets::{Target, TargetKind};

const EXAMPLES: &str = "\
Examples:
  crownhead egdb probe \"W:WK22,K23,K24:BK31,K32\"  a position and each move
  crownhead egdb info                     what is there: five pieces come along
  crownhead egdb generate --pieces 6      make six pieces, in a few minutes
  crownhead egdb verify --sample 100      hold values against their successors

A value is exact: win, draw or loss for the side to move with best play,
however long it takes; up to four pieces the plies to the end are known too.
Files beside the database, in egdb or egdb/english, or in CROWNHEAD_EGDB are
used by every command that knows endings, and add to what the program has.";

/// Make, list, probe and check endgame databases
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(subcommand)]
    action: EgdbAction,
}

impl Args {
    /// The files it writes beside its data and the files of its folder.
    pub(super) fn targets(&self) -> Vec<Target<'_>> {
        match &self.action {
            EgdbAction::Generate(args) => {
                let values = args.bundle.as_deref().map(|path| ("--bundle", path));
                let distances = args.bundle_distances.as_deref().map(|path| ("--bundle-distances", path));
                let bundles = values.into_iter().chain(distances);
                bundles.map(|(option, path)| Target { option, path, wanted: TargetKind::Endings }).collect()
            }
            _ => Vec::new(),
        }
    }
}

#[derive(Debug, Subcommand)]
enum EgdbAction {
    Generate(GenerateArgs),
    Info(InfoArgs),
    Probe(ProbeArgs),
    Verify(VerifyArgs),
}

#[derive(Debug, clap::Args)]
struct FolderArgs {
    /// The folder of the files [default: CROWNHEAD_EGDB, or egdb beside the database]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

/// Make the databases that are not there yet
///
/// A file takes its name only when it is whole: after an interruption the same command goes on.
#[derive(Debug, clap::Args)]
struct GenerateArgs {
    /// Up to so many pieces
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=8))]
    pieces: u8,
    /// Also make files that tell the plies to the end; they are large
    #[arg(long)]
    distance: bool,
    #[command(flatten)]
    folder: FolderArgs,
    /// Work with so many threads [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Refuse to take more memory than this, such as 8G or 500M
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory: Option<u64>,
    /// Also write all values into this one file, as the program ships them
    #[arg(long, value_name = "FILE")]
    bundle: Option<PathBuf>,
    /// Also write all distances into this one file, as the program ships them
    #[arg(long, value_name = "FILE", requires = "distance", conflicts_with = "bundle")]
    bundle_distances: Option<PathBuf>,
}

/// Tell which databases are there, with counts and sizes
#[derive(Debug, clap::Args)]
struct InfoArgs {
    #[command(flatten)]
    folder: FolderArgs,
    /// A row for each material, the side to move named first, in place of one for each number of pieces
    #[arg(long)]
    slices: bool,
}

/// Tell what a position and each of its moves is worth
#[derive(Debug, clap::Args)]
struct ProbeArgs {
    /// A FEN, moves, a ballot, or an opening's name
    #[arg(value_name = "POSITION", required = true)]
    position: Vec<String>,
    #[command(flatten)]
    folder: FolderArgs,
}

/// Check digests, and values against those of their successors
///
/// Exit status 1 when anything is wrong.
#[derive(Debug, clap::Args)]
struct VerifyArgs {
    #[command(flatten)]
    folder: FolderArgs,
    /// Check only so many positions of each material, the same every time
    #[arg(long, value_name = "N")]
    sample: Option<u64>,
    /// Work with so many threads [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

fn parse_size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => 1,
        "K" | "KB" => 1_000,
        "M" | "MB" => 1_000_000,
        "G" | "GB" => 1_000_000_000,
        _ => return Err("a size looks like 8G or 500M".to_owned()),
    };
    let number: u64 = digits.parse().map_err(|_| "a size looks like 8G or 500M".to_owned())?;
    number.checked_mul(unit).ok_or_else(|| "that is too much".to_owned())
}

fn threads(asked: Option<u16>) -> usize {
    asked.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}

impl From<EngineError> for CliError {
    fn from(error: EngineError) -> Self {
        let told = Self::usage(error.to_string());
        match error {
            EngineError::Damaged { .. } | EngineError::Foreign { .. } => {
                told.hint("take the file away and make it anew with: crownhead egdb generate")
            }
            EngineError::TooNew { .. } => told.hint("use a newer crownhead for this file"),
            EngineError::OtherGame { .. } => told.hint("name another folder with --dir, or the game with --variant"),
            EngineError::Memory { .. } => told.hint("allow more with --memory, or make fewer pieces"),
            EngineError::Vanished(_) => told.hint("make it with: crownhead egdb generate"),
            EngineError::Locked(_) => told.hint("wait until it is done, or name another folder with --dir"),
            _ => told,
        }
    }
}

impl FolderArgs {
    /// The folder that the option or the variable names.
    fn named(&self) -> Option<PathBuf> {
        self.dir.clone().or_else(|| environment::path(engine::FOLDER_VARIABLE))
    }

    /// The folder: the one named, or that beside the database.
    fn path(&self, context: &Context) -> Result<PathBuf, CliError> {
        match self.named() {
            Some(dir) => Ok(dir),
            None => engine::default_folder(context),
        }
    }

    /// The databases: those of the folder that was named alone, else those of the program with what the default folder adds.
    fn open(&self, context: &Context) -> Result<Databases, CliError> {
        let Some(dir) = self.named() else { return engine::databases(context) };
        let variant = context.args.variant;
        let folders = engine::folders_of(&dir, variant);
        if folders.is_empty() {
            return Err(CliError::usage(format!("there is no folder {}", dir.display())));
        }
        Ok(Databases::open(&folders, variant)?)
    }
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    match &args.action {
        EgdbAction::Generate(args) => generate(context, args),
        EgdbAction::Info(args) => info(context, args),
        EgdbAction::Probe(args) => probe(context, args),
        EgdbAction::Verify(args) => verify(context, args),
    }
}

/// Counts of a slice, or of all slices of so many pieces.
pub(super) struct InfoRow {
    slice: Option<String>,
    pieces: u8,
    slices: u32,
    counts: egdb::ValueCounts,
    bytes: Option<u64>,
    has_distances: bool,
    distance_bytes: Option<u64>,
}

impl Row for InfoRow {
    const COLUMNS: &'static [Column] = &[
        Column::number("pieces", 0),
        Column::text("slice", 0),
        Column::number("slices", 6),
        Column::number("positions", 0),
        Column::number("wins", 1).grouped("values"),
        Column::number("losses", 1).grouped("values"),
        Column::number("draws", 1).grouped("values"),
        Column::number("captures", 7),
        Column::number("longest_win", 3).grouped("longest"),
        Column::number("longest_loss", 3).grouped("longest"),
        Column::number("bytes", 2),
        Column::number("distance_bytes", 5),
    ];

    fn values(self) -> Vec<Cell> {
        let number = |number: u64| Cell::Int(i64::try_from(number).unwrap_or(i64::MAX));
        // Without files of distances the longest win is not known.
        let plies = |plies: u16| if self.has_distances { plies.into() } else { Cell::Null };
        vec![
            self.pieces.into(),
            self.slice.into(),
            self.slices.into(),
            number(self.counts.positions()),
            number(self.counts.wins),
            number(self.counts.losses),
            number(self.counts.draws),
            number(self.counts.captures),
            plies(self.counts.longest_win),
            plies(self.counts.longest_loss),
            self.bytes.map_or(Cell::Null, number),
            self.distance_bytes.map_or(Cell::Null, number),
        ]
    }
}

/// A row for each slice, the files' bytes told with the canonical one.
fn slice_rows(slices: &[SliceInfo]) -> Vec<InfoRow> {
    let mut rows = Vec::new();
    for info in slices {
        for (half, slice) in [info.slice, info.slice.mirror()].into_iter().enumerate() {
            if half == 1 && slice == info.slice {
                break;
            }
            rows.push(InfoRow {
                slice: Some(slice.to_string()),
                pieces: slice.pieces(),
                slices: 1,
                counts: info.counts[half],
                bytes: (half == 0).then_some(info.bytes),
                has_distances: info.distance_bytes.is_some(),
                distance_bytes: info.distance_bytes.filter(|_| half == 0),
            });
        }
    }
    rows
}

/// The table without a column that says nothing in it.
fn without(mut table: Table, name: &str) -> Table {
    if let Some(at) = table.columns.iter().position(|column| column.name == name) {
        table.columns.to_mut().remove(at);
        for row in &mut table.rows {
            row.remove(at);
        }
    }
    table
}

/// The rows of slices added up by the number of pieces.
fn by_pieces(rows: Vec<InfoRow>) -> Vec<InfoRow> {
    let mut sums: Vec<InfoRow> = Vec::new();
    for row in rows {
        match sums.last_mut().filter(|sum| sum.pieces == row.pieces) {
            Some(sum) => {
                sum.slices += 1;
                sum.counts += row.counts;
                sum.bytes = Some(sum.bytes.unwrap_or(0) + row.bytes.unwrap_or(0));
                sum.has_distances &= row.has_distances;
                let both = sum.distance_bytes.unwrap_or(0) + row.distance_bytes.unwrap_or(0);
                sum.distance_bytes = (both > 0).then_some(both);
            }
            None => sums.push(InfoRow { slice: None, ..row }),
        }
    }
    sums
}

fn generate(context: &mut Context, args: &GenerateArgs) -> Result<Exit, CliError> {
    let folder = args.folder.path(context)?;
    let stop = stop_flag();
    let options = GenerationOptions {
        variant: context.args.variant,
        pieces: args.pieces,
        distances: args.distance,
        folder: folder.clone(),
        threads: threads(args.threads),
        memory: args.memory,
    };
    let bar = bar(context.args.quiet);
    let started = Instant::now();
    let made = egdb::generate(&options, &stop, &|progress| {
        bar.set_length(progress.total);
        bar.set_position(progress.done);
        bar.set_message(format!("{} pieces, {} men", progress.pieces, progress.men));
    });
    bar.finish_and_clear();
    let generated = match made {
        Ok(generated) => generated,
        Err(EngineError::Stopped) => {
            context.message("Stopped; what is finished stays, and the same command goes on.");
            return Ok(Exit::Interrupted);
        }
        Err(error) => return Err(error.into()),
    };
    let made = generated.slices.iter().filter(|slice| slice.made);
    let positions: u64 = made.clone().map(egdb::Made::positions).sum();
    let summary = slice_rows(&Databases::open(&[&folder], options.variant)?.slices());
    context.print(without(Table::from_rows(by_pieces(summary)), "slice"), true)?;
    let bytes: u64 = generated.slices.iter().map(|made| made.bytes).sum();
    context.message(&format!(
        "Made {} of {}, {} positions, in {:.1} s ({:.1} s solving, {:.1} s packing); {} in {}.",
        plural(made.count() as u64, "file", "files"),
        generated.slices.len(),
        thousands(positions),
        started.elapsed().as_secs_f64(),
        generated.seconds[0],
        generated.seconds[1],
        render::bytes(bytes),
        folder.display()
    ));
    let bundles = [(&args.bundle, false), (&args.bundle_distances, true)];
    for (to, distances) in bundles.into_iter().filter_map(|(to, distances)| Some((to.as_ref()?, distances))) {
        let size = egdb::bundle(&folder, args.pieces, distances, options.variant, to)?;
        context.message(&format!("Wrote {} ({}).", to.display(), render::bytes(size)));
    }
    Ok(Exit::Done)
}

/// A bar over what is to be solved; hidden when stderr is no terminal.
fn bar(quiet: bool) -> ProgressBar {
    use std::io::IsTerminal as _;
    if quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{spinner} {percent}% {wide_bar} {eta} left {msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(0).with_style(style)
}

fn info(context: &mut Context, args: &InfoArgs) -> Result<Exit, CliError> {
    let databases = args.folder.open(context)?;
    let rows = slice_rows(&databases.slices());
    let found = !rows.is_empty();
    let table = if args.slices {
        without(Table::from_rows(rows), "slices")
    } else {
        without(Table::from_rows(by_pieces(rows)), "slice")
    };
    context.print(table, true)?;
    context.message(&match databases.pieces() {
        0 => "Not every material of two pieces is there.".to_owned(),
        pieces => format!("Every position of up to {pieces} pieces has its value."),
    });
    Ok(if found { Exit::Done } else { Exit::No })
}

/// A position, or a move and the position after it.
pub(super) struct ProbeRow {
    played: Option<String>,
    value: Option<Probed>,
    position: Position,
}

impl Row for ProbeRow {
    const COLUMNS: &'static [Column] = &[
        Column::text("move", 0),
        Column::text("value", 0).grouped("value"),
        Column::number("plies", 0).grouped("value"),
        Column::text("fen", 1),
    ];

    fn values(self) -> Vec<Cell> {
        vec![
            self.played.into(),
            self.value.map(|told| told.value.name()).into(),
            self.value.and_then(|told| told.plies).into(),
            fen::write(&self.position.setup()).into(),
        ]
    }
}

/// How good a move is for the side that plays it: wins first, the soonest first; losses last, the latest first.
fn order(told: Option<Probed>) -> (u8, i32) {
    match told {
        Some(Probed { value: Value::Win, plies }) => (0, plies.map_or(0, i32::from)),
        Some(Probed { value: Value::Draw, .. }) => (1, 0),
        None => (2, 0),
        Some(Probed { value: Value::Loss, plies }) => (3, -plies.map_or(0, i32::from)),
    }
}

fn probe(context: &mut Context, args: &ProbeArgs) -> Result<Exit, CliError> {
    let position = position_argument::position(context, &args.position)?.position;
    let databases = engine::databases_and(context, args.folder.named().as_deref())?;
    let told = databases.probe(&position)?;
    let mut rows = Vec::new();
    for played in position.legal_moves() {
        let after = position.play_unchecked(&played);
        let told = databases
            .probe(&after)?
            .map(|told| Probed { value: told.value.turned(), plies: told.plies.map(|plies| plies + 1) });
        rows.push(ProbeRow { played: Some(move_text(&position, &played)), value: told, position: after });
    }
    rows.sort_by_key(|row| order(row.value));
    rows.insert(0, ProbeRow { played: None, value: told, position });
    context.print(Table::from_rows(rows), true)?;
    let turn = position.turn();
    let Some(told) = told else {
        let pieces = (position.pieces(turn).count() + position.pieces(!turn).count()).into();
        context.message(&format!(
            "{} to move: not known. There are {}; positions of up to {} are known.",
            turn,
            plural(pieces, "piece", "pieces"),
            databases.pieces()
        ));
        return Ok(Exit::No);
    };
    if !position.has_legal_move() {
        context.message(&engine::no_move(&position));
        return Ok(Exit::Done);
    }
    let value = match told.value {
        Value::Win => "wins",
        Value::Draw => "draws",
        Value::Loss => "loses",
    };
    let plies = told.plies.map_or_else(String::new, |plies| format!(" in {}", plural(plies.into(), "ply", "plies")));
    context.message(&format!("{turn} to move {value}{plies}."));
    Ok(Exit::Done)
}

pub(super) struct VerifyRow(CheckedSlice);

impl Row for VerifyRow {
    const COLUMNS: &'static [Column] = &[
        Column::text("slice", 0),
        Column::number("positions", 0),
        Column::number("wrong", 0),
        Column::text("counts", 2),
        Column::text("example", 3),
        Column::text("damage", 1),
    ];

    fn values(self) -> Vec<Cell> {
        let counts = self.0.counts_agree.map(|agree| if agree { "agree" } else { "differ" });
        vec![
            self.0.slice.to_string().into(),
            Cell::Int(i64::try_from(self.0.positions).unwrap_or(i64::MAX)),
            Cell::Int(i64::try_from(self.0.wrong).unwrap_or(i64::MAX)),
            counts.into(),
            self.0.faults.first().map(fault_text).into(),
            self.0.damage.into(),
        ]
    }
}

fn fault_text(fault: &Fault) -> String {
    let told = |(value, plies): (Value, Option<u16>)| {
        plies.map_or_else(|| value.name().to_owned(), |plies| format!("{value} in {plies}"))
    };
    let fen = fen::write(&fault.position.setup());
    format!("{fen}: {} stored, {} by its successors", told(fault.stored), told(fault.expected))
}

fn verify(context: &mut Context, args: &VerifyArgs) -> Result<Exit, CliError> {
    let databases = args.folder.open(context)?;
    let stop = stop_flag();
    let started = Instant::now();
    let mut done = Vec::new();
    let result =
        egdb::verify(&databases, args.sample, threads(args.threads), &stop, &mut |slice| done.push(slice.clone()));
    let (checked, stopped) = match result {
        Ok(checked) => (checked, false),
        Err(EngineError::Stopped) => (done, true),
        Err(error) => return Err(error.into()),
    };
    let positions: u64 = checked.iter().map(|slice| slice.positions).sum();
    let slices = checked.len() as u64;
    let bad = |slice: &CheckedSlice| slice.wrong > 0 || slice.damage.is_some() || slice.counts_agree == Some(false);
    let wrong = checked.iter().filter(|slice| bad(slice)).count() as u64;
    let rows: Vec<VerifyRow> =
        checked.into_iter().filter(|slice| context.args.format != Format::Table || bad(slice)).map(VerifyRow).collect();
    if !rows.is_empty() {
        context.print(Table::from_rows(rows), true)?;
    }
    context.message(&format!(
        "{}{} checked, {} held against their successors in {:.1} s; {} wrong or damaged.",
        if stopped { "Stopped. " } else { "" },
        plural(slices, "file", "files"),
        plural(positions, "position", "positions"),
        started.elapsed().as_secs_f64(),
        if wrong == 0 { "none".to_owned() } else { wrong.to_string() }
    ));
    Ok(match wrong {
        _ if stopped => Exit::Interrupted,
        0 if slices > 0 => Exit::Done,
        _ => Exit::No,
    })
}
