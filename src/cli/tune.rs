//! `tune`: weights of the evaluation, learnt from how games ended.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use crate::board::{Color, Winner};
use crate::engine::{
    Endings, Evaluation, Player, Random, Recipe, Sample, Search, SearchLimits, StopFlag, Weights, play_until,
    random_start, tune_until,
};
use crate::files;
use crate::notation::LineKind;
use crate::render::{plural, thousands};
use crate::rules::{FastPosition, Position};
use crate::table::{Cell, Column, Row, Table};

use super::context::Context;
use super::engine::{endings, evaluation, fast};
use super::error::{CliError, Exit};
use super::output::cannot_write;
use super::signals::stop_flag;
use super::targets::{Target, TargetKind};

const EXAMPLES: &str = "\
Examples:
  crownhead tune new.weights --stored             from games of the database
  crownhead tune new.weights --stored --self-play 4 --nodes 500
  crownhead bench --depth 5 --evaluation new.weights

match tells what new weights are worth. The same database, options and program
give the same file.";

/// Memory for each search, in bytes.
const TABLE_BYTES: usize = 8 << 20;
/// Games of self-play begin after so many random plies, and up to twice as many.
const RANDOM_PLIES: usize = 4;

/// Learn the weights of the evaluation from results
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, group = clap::ArgGroup::new("games").required(true).multiple(true))]
pub(super) struct Args {
    /// The file to write; `match`, `analyse` and `bench` take it
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Learn from the games of the database that have a winner or were drawn
    #[arg(long, group = "games")]
    stored: bool,
    /// Learn from this many games that the engine plays against itself
    #[arg(long, group = "games", value_name = "N")]
    self_play: Option<usize>,
    /// Self-play: positions looked at for a move
    #[arg(long, value_name = "N", default_value_t = 3_000)]
    nodes: u64,
    /// Self-play: judge positions by best, material, or a file of weights
    #[arg(long, value_name = "NAME", default_value = "best")]
    evaluation: String,
    /// Self-play: where the random numbers begin
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Go through all positions this often
    #[arg(long, value_name = "N", default_value_t = 10)]
    epochs: u32,
}

impl Args {
    /// The file it writes beside its data.
    pub(super) fn target(&self) -> Target<'_> {
        Target { option: "FILE", path: &self.file, wanted: TargetKind::Weights }
    }
}

pub(super) struct EpochRow(u32, f64);

impl Row for EpochRow {
    const COLUMNS: &'static [Column] = &[Column::number("epoch", 0), Column::number("loss", 0)];

    fn values(self) -> Vec<Cell> {
        vec![self.0.into(), format!("{:.5}", self.1).into()]
    }
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    let stop = StopFlag::from(stop_flag());
    let mut samples = Vec::new();
    if args.stored {
        samples = stored(context)?;
    }
    if let Some(games) = args.self_play {
        let plan = SelfPlayPlan {
            start: fast(&Position::start(context.args.variant))?,
            evaluation: evaluation(&args.evaluation)?,
            endings: endings(context)?,
            nodes: args.nodes,
            seed: args.seed,
            stop: stop.clone(),
        };
        samples.extend(plan.samples(games));
    }
    if stop.is_set() {
        return stopped(context, args, &[]);
    }
    if samples.is_empty() {
        context.message("There is no quiet position to learn from.");
        return Ok(Exit::No);
    }
    let tuned = tune_until(&samples, &Recipe { epochs: args.epochs, ..Recipe::default() }, &stop);
    if stop.is_set() {
        return stopped(context, args, &tuned.losses);
    }
    let bytes = tuned.weights.to_bytes().map_err(|error| CliError::usage(error.to_string()))?;
    write(&args.file, &bytes)?;
    let epochs = (1..).zip(tuned.losses).map(|(epoch, loss)| EpochRow(epoch, loss));
    context.print(Table::from_rows(epochs), true)?;
    context.message(&format!(
        "Learnt from {} positions; {} written to {}.",
        thousands(samples.len() as u64),
        plural(bytes.len() as u64, "byte", "bytes"),
        args.file.display()
    ));
    Ok(Exit::Done)
}

/// What is known when Ctrl-C came: the epochs that are done. Weights that are not learnt to the end are not written.
fn stopped(context: &mut Context, args: &Args, losses: &[f64]) -> Result<Exit, CliError> {
    if !losses.is_empty() {
        context.print(Table::from_rows((1..).zip(losses).map(|(epoch, loss)| EpochRow(epoch, *loss))), true)?;
    }
    context.message(&format!(
        "Stopped after {} of {} epochs; {} is not written.",
        losses.len(),
        args.epochs,
        args.file.display()
    ));
    Ok(Exit::Interrupted)
}

fn write(path: &std::path::Path, bytes: &[u8]) -> Result<(), CliError> {
    // Read back first: a file that the program itself refuses is of no use.
    Weights::from_bytes(bytes).map_err(|error| CliError::usage(error.to_string()))?;
    files::write(path, bytes).map_err(|error| cannot_write(path, &error))
}

/// The quiet positions of stored games whose end is known.
fn stored(context: &Context) -> Result<Vec<Sample>, CliError> {
    let database = context.database()?;
    let facts = database.facts()?;
    let mut samples = Vec::new();
    for id in database.line_ids()? {
        let Some(fact) = facts.get(id).filter(|fact| fact.kind == LineKind::Game) else { continue };
        let result = match fact.winner {
            Winner::Black => 1.0,
            Winner::Draw => 0.5,
            Winner::White => 0.0,
            Winner::Unknown => continue,
        };
        if let Some(line) = database.line(id)? {
            for position in line.positions() {
                samples.extend(
                    FastPosition::from_position(&position)
                        .and_then(|position| Sample::from_position(&position, result)),
                );
            }
        }
    }
    Ok(samples)
}

/// Games that the engine plays against itself.
struct SelfPlayPlan {
    start: FastPosition,
    evaluation: Arc<Evaluation>,
    endings: Option<Arc<dyn Endings>>,
    nodes: u64,
    seed: u64,
    stop: StopFlag,
}

impl SelfPlayPlan {
    /// The quiet positions of so many games, in the games' order whichever was finished first.
    fn samples(&self, games: usize) -> Vec<Sample> {
        let next = AtomicUsize::new(0);
        let played: Mutex<Vec<(usize, Vec<Sample>)>> = Mutex::new(Vec::new());
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    let mut players = [Color::Black, Color::White].map(|_| self.player());
                    loop {
                        let game = next.fetch_add(1, Ordering::Relaxed);
                        if game >= games {
                            break;
                        }
                        let mut random = Random(self.seed.wrapping_add(game as u64).wrapping_mul(0x9e37_79b9));
                        let plies = RANDOM_PLIES + random.below(RANDOM_PLIES + 1);
                        let start = random_start(&self.start, plies, &mut random);
                        let [black, white] = &mut players;
                        let endings = self.endings.as_deref();
                        let played_out = play_until(&start, black, white, endings, &self.stop);
                        let Some(samples) = played_out.map(|game| game.samples().collect::<Vec<_>>()) else { break };
                        if let Ok(mut played) = played.lock() {
                            played.push((game, samples));
                        }
                    }
                });
            }
        });
        let mut played = played.into_inner().unwrap_or_default();
        played.sort_by_key(|(game, _)| *game);
        played.into_iter().flat_map(|(_, samples)| samples).collect()
    }

    fn player(&self) -> Player {
        Player {
            search: Search::new(Arc::clone(&self.evaluation), self.endings.clone(), TABLE_BYTES),
            limits: SearchLimits { nodes: Some(self.nodes), ..SearchLimits::default() },
        }
    }
}
