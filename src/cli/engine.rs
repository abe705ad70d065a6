//! What the commands that compute share: positions for the engine, its evaluation, endings.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Once};
use std::time::Duration;

use crate::board::{Color, Value, Variant};
use crate::engine::egdb::{self, Databases, MAX_PIECES, Probed};
use crate::engine::{Endings, Evaluation, Weights};
use crate::files;
use crate::render::plural;
use crate::rules::{FastPosition, Position};

use super::context::Context;
use super::environment;
use super::error::CliError;

/// The environment variable that names the folder of endgame databases.
pub(super) const FOLDER_VARIABLE: &str = "CROWNHEAD_EGDB";

/// A time that somebody gives in seconds.
pub(super) fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.parse().ok();
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.filter(|time| !time.is_zero())
        .ok_or_else(|| "a time is a number of seconds above 0, such as 5 or 0.2".to_owned())
}

/// `position` as the engine takes it.
pub(super) fn fast(position: &Position) -> Result<FastPosition, CliError> {
    FastPosition::from_position(position)
        .ok_or_else(|| CliError::usage(format!("positions of {} cannot be analysed yet", position.variant().name())))
}

/// Bytes of the longest file of weights.
const MAX_WEIGHTS_BYTES: u64 = 64 << 20;

/// The evaluation that `name` stands for: `best`, `material`, or a file of weights.
pub(super) fn evaluation(name: &str) -> Result<Arc<Evaluation>, CliError> {
    match name {
        "best" => Ok(Arc::new(Evaluation::best())),
        "material" => Ok(Arc::new(Evaluation::Material)),
        path => {
            let bytes = files::read_limited(Path::new(path), MAX_WEIGHTS_BYTES).map_err(|error| {
                CliError::usage(format!("cannot read {path}: {error}"))
                    .hint("an evaluation is best, material, or a file that `crownhead tune` wrote")
            })?;
            let weights = Weights::from_bytes(&bytes).map_err(|error| CliError::usage(format!("{path}: {error}")))?;
            Ok(Arc::new(Evaluation::Weighed(Box::new(weights))))
        }
    }
}

/// The folder of endgame databases where none is named: beside the database of games.
pub(super) fn default_folder(context: &Context) -> Result<PathBuf, CliError> {
    Ok(context.db_path()?.with_file_name("egdb").join(context.args.variant.name()))
}

/// The endgame databases of the program, and what CROWNHEAD_EGDB or the default folder adds to them.
pub(super) fn databases(context: &Context) -> Result<Databases, CliError> {
    databases_and(context, environment::path(FOLDER_VARIABLE).as_deref())
}

/// The endgame databases of the program, and what the folder `named` or the default folder adds to them. What is wrong with
/// the folder is said; the values of the program are there in any case.
pub(super) fn databases_and(context: &Context, named: Option<&Path>) -> Result<Databases, CliError> {
    let variant = context.args.variant;
    let folder = match named {
        Some(folder) => folder.to_path_buf(),
        None => match default_folder(context).ok().and_then(|folder| folder.parent().map(Path::to_path_buf)) {
            Some(folder) if folder.is_dir() => folder,
            // An account without a data directory has no files there.
            _ => return Ok(Databases::embedded(variant)?),
        },
    };
    let folders = folders_of(&folder, variant);
    static SAID: Once = Once::new();
    SAID.call_once(|| say_what_is_missing(context, &folder, &folders));
    Ok(Databases::embedded_and(&folders, variant)?)
}

/// The folders that a folder of endgame databases stands for: its own for the variant, as those beside the database are laid
/// out, and itself, as `egdb generate --dir` fills it.
pub(super) fn folders_of(folder: &Path, variant: Variant) -> Vec<PathBuf> {
    let both = [folder.join(variant.name()), folder.to_path_buf()];
    both.into_iter().filter(|folder| folder.is_dir()).collect()
}

/// Says that a folder of endgame databases is not there, has none, or has only some of those of as many pieces.
fn say_what_is_missing(context: &Context, folder: &Path, folders: &[PathBuf]) {
    let shown = folder.display();
    let parts = egdb::parts_in(folders);
    if folders.is_empty() {
        context.message(&format!(
            "There is no folder {shown} with endgame databases: only those of the program are used."
        ));
    } else if parts.is_empty() {
        context.message(&format!("No endgame database is in {shown}: only those of the program are used."));
    }
    for part in parts.iter().filter(|part| part.there < part.whole) {
        let what = if part.distances { "files of distances" } else { "files" };
        context.message(&format!(
            "{shown} has {} of the {} {what} of {} pieces: of other materials only what the program has is known.",
            part.there, part.whole, part.pieces
        ));
    }
}

/// The same for searches and proofs.
pub(super) fn endings(context: &Context) -> Result<Option<Arc<dyn Endings>>, CliError> {
    Ok(Some(Arc::new(databases(context)?)))
}

/// The databases, where any could know one of `positions`; they are not opened for nothing.
pub(super) fn databases_for<'p>(
    context: &Context,
    positions: impl IntoIterator<Item = &'p Position>,
) -> Result<Option<Databases>, CliError> {
    let few = |position: &Position| {
        let pieces = position.pieces(Color::Black).count() + position.pieces(Color::White).count();
        pieces <= u32::from(MAX_PIECES)
    };
    if positions.into_iter().any(few) { databases(context).map(Some) } else { Ok(None) }
}

/// What endgame databases know of `position`, if anything.
pub(super) fn proved(context: &Context, position: &Position) -> Result<Option<Probed>, CliError> {
    match databases_for(context, [position])? {
        Some(databases) => Ok(databases.probe(position)?),
        None => Ok(None),
    }
}

/// What a database proves of `position` as a sentence: `Value: White wins in 61 plies (endgame database)`.
pub(super) fn database_line(position: &Position, proved: Probed) -> String {
    value_line(position, proved.value, proved.plies, "endgame database")
}

/// Who wins `position`, which is worth `value`.
pub(super) fn winner(position: &Position, value: Value) -> Option<Color> {
    match value {
        Value::Draw => None,
        Value::Win => Some(position.turn()),
        Value::Loss => Some(!position.turn()),
    }
}

/// That the side to move has lost, for it has no move.
pub(super) fn no_move(position: &Position) -> String {
    format!("{} has no move and has lost.", position.turn())
}

/// What `position` is worth by what `says` so, as a sentence.
pub(super) fn value_line(position: &Position, value: Value, plies: Option<u16>, says: &str) -> String {
    let Some(winner) = winner(position, value) else { return format!("Value: draw ({says})") };
    let plies = plies.map_or_else(String::new, |plies| format!(" in {}", plural(plies.into(), "ply", "plies")));
    format!("Value: {winner} wins{plies} ({says})")
}
