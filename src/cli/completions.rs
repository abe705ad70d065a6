//! `completions`: what a shell needs to complete commands and options.

use clap::CommandFactory;
use clap_complete::Shell;

use super::context::Context;
use super::error::{CliError, Exit};

const EXAMPLES: &str = "\
Examples:
  crownhead completions bash > ~/.bash_completion
  crownhead completions zsh > ~/.zfunc/_crownhead
  crownhead completions fish > ~/.config/fish/completions/crownhead.fish";

/// Print a script that completes commands in a shell
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut super::Cli::command(), "crownhead", &mut script);
    context.out().write_all(&script)?;
    Ok(Exit::Done)
}
