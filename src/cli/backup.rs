//! `backup`: a copy of a database, whole even while somebody writes to it.

use std::path::PathBuf;

use crate::render;

use super::context::Context;
use super::error::{CliError, Exit};
use super::targets::{Target, TargetKind};

const EXAMPLES: &str = "\
Examples:
  crownhead backup openings.backup.db          copy the database
  crownhead backup --force openings.backup.db  in place of an older copy
  crownhead --db openings.backup.db games      use a copy

The copy holds what was committed when it began, in one file. It takes its name
only when it is complete, and replaces nothing but a Crownhead database.";

/// Copy the database to a file, even while an import runs
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The file to write
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl Args {
    /// The file it writes.
    pub(super) fn target(&self) -> Target<'_> {
        Target { option: "FILE", path: &self.file, wanted: TargetKind::Copy }
    }
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    let size = context.database()?.backup(&args.file, context.args.force)?;
    context.message(&format!("Wrote {} ({}).", args.file.display(), render::bytes(size)));
    Ok(Exit::Done)
}
