//! `backup`: a copy of a database, whole even while somebody writes to it.

use std::path::PathBuf;

use crate::query;
use crate::render::{bytes, plural};

use super::context::Context;
use super::error::{CliError, Exit};
use super::targets::{Target, TargetKind};

const EXAMPLES: &str = "\
Examples:
  crownhead backup openings.backup.db          copy the database
  crownhead backup --force openings.backup.db  in place of an older copy
  crownhead --db openings.backup.db games      use a copy

The copy holds what was committed when it began, in one file. It takes its name
only when it is complete, and replaces nothing but a Crownhead database. The
database is checked first: a damaged one never replaces an older copy.
Exit status: 0 done; 1 the database, and so the copy, is damaged; 2 no copy.";

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
    let database = context.database()?;
    let force = context.args.force;
    database.check_backup_target(&args.file, force)?;
    let damages = query::check(&database)?.errors as u64;
    let damage = format!(
        "the database is damaged ({}; crownhead check lists them)",
        plural(damages, "damage was found", "damages were found")
    );
    if damages > 0 && args.file.exists() {
        return Err(CliError::usage(format!("{damage}, and the older copy {} is not replaced", args.file.display()))
            .hint("go back to that copy, or write the damaged database to another name"));
    }
    let size = database.backup(&args.file, force)?;
    context.message(&format!("Wrote {} ({}).", args.file.display(), bytes(size)));
    if damages > 0 {
        CliError::usage(format!("{damage}, and so is the copy"))
            .hint("keep older copies; or import the sources into a new database")
            .print(context.args.color);
        return Ok(Exit::No);
    }
    Ok(Exit::Done)
}
