//! What the commands that compute share: positions for the engine, its evaluation, endings.

use std::path::PathBuf;
use std::sync::Arc;

use crate::engine::egdb::Databases;
use crate::engine::{Endings, Evaluation, Weights};
use crate::rules::{FastPosition, Position};

use super::context::Context;
use super::error::CliError;

/// `position` as the engine takes it.
pub(super) fn fast(position: &Position) -> Result<FastPosition, CliError> {
    FastPosition::of(position)
        .ok_or_else(|| CliError::usage(format!("positions of {} cannot be analysed yet", position.variant().name())))
}

/// The evaluation that `name` stands for: `best`, `material`, or a file of weights.
pub(super) fn evaluation(name: &str) -> Result<Arc<Evaluation>, CliError> {
    match name {
        "best" => Ok(Arc::new(Evaluation::best())),
        "material" => Ok(Arc::new(Evaluation::Material)),
        path => {
            let bytes =
                std::fs::read(path).map_err(|error| CliError::usage(format!("cannot read {path}: {error}")).hint(
                    "an evaluation is best, material, or a file that `crownhead tune` wrote",
                ))?;
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
    let variant = context.args.variant;
    let folder = match std::env::var_os("CROWNHEAD_EGDB") {
        Some(folder) => PathBuf::from(folder),
        None => default_folder(context)?,
    };
    Ok(if folder.is_dir() { Databases::embedded_and(&folder, variant)? } else { Databases::embedded(variant)? })
}

/// The same for searches and proofs.
pub(super) fn endings(context: &Context) -> Result<Option<Arc<dyn Endings>>, CliError> {
    Ok(Some(Arc::new(databases(context)?)))
}
