//! `man`: manual pages, one a command.

use std::path::{Path, PathBuf};

use clap::CommandFactory;

use crate::files;
use crate::render::plural;

use super::context::Context;
use super::error::{CliError, Exit};
use super::output::cannot_write;

const EXAMPLES: &str = "\
Examples:
  crownhead man ~/.local/share/man/man1  then: man crownhead-import
  crownhead man pages";

/// Write manual pages into a folder, one a command
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The folder; it is made where there is none
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl Args {
    /// The folder it writes to.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    files::create_folder(&args.folder).map_err(|error| cannot_write(&args.folder, &error))?;
    let mut pages = 0;
    for (name, page) in pages_of(super::Cli::command())? {
        let path = args.folder.join(format!("{name}.1"));
        files::write(&path, &page).map_err(|error| cannot_write(&path, &error))?;
        pages += 1;
    }
    context.message(&format!("Wrote {} to {}.", plural(pages, "manual page", "manual pages"), args.folder.display()));
    Ok(Exit::Done)
}

/// The page of the program and one of each command, by the name that `man` finds them under.
fn pages_of(mut program: clap::Command) -> Result<Vec<(String, Vec<u8>)>, CliError> {
    // Global options reach the commands only when the whole is built.
    program.build();
    let mut commands = vec![("crownhead".to_owned(), program.clone())];
    for command in program.get_subcommands().filter(|command| command.get_name() != "help") {
        commands.push((format!("crownhead-{}", command.get_name()), command.clone().disable_help_subcommand(true)));
    }
    let mut pages = Vec::with_capacity(commands.len());
    for (name, command) in commands {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        pages.push((name, page));
    }
    Ok(pages)
}
