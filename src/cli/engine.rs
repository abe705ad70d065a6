//! What the commands that compute share: positions for the engine, its evaluation, endings.

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

/// The endgame databases at hand.
pub(super) fn endings(context: &Context) -> Result<Option<Arc<dyn Endings>>, CliError> {
    Ok(Some(Arc::new(Databases::embedded(context.args.variant)?)))
}
impl From<crate::engine::EngineError> for CliError {
    fn from(error: crate::engine::EngineError) -> Self { Self::usage(error.to_string()) }
}
