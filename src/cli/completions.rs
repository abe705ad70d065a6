//! `completions`: what a shell needs to complete commands, options, and the words that options take.
//!
//! Words are added to a copy of the command line for the script alone: on the command line itself an opening or a column that
//! a program does not know by heart is no error of parsing.

use std::borrow::Cow;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, CommandFactory};
use clap_complete::Shell;

use crate::board::Variant;
use crate::book;
use crate::query::{CheckRow, ImportedText, MoveRow, PlayedRow, PlyRow, SearchRow};
use crate::render::Format;
use crate::report::REPORTS;
use crate::table::{Column, Row};

use super::Cli;
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
    let mut whole = with_words(super::Cli::command());
    clap_complete::generate(args.shell, &mut whole, "crownhead", &mut script);
    if args.shell == Shell::Fish {
        script.extend_from_slice(fish_arguments(&whole).as_bytes());
    }
    context.out().write_all(&script)?;
    Ok(Exit::Done)
}

/// The command line with the words that its options and arguments take.
fn with_words(whole: Command) -> Command {
    let globals: Vec<Arg> = whole.get_arguments().filter(|arg| arg.is_global_set()).cloned().collect();
    let names: Vec<String> = whole.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let whole = whole.mut_args(with_general_words);
    names.into_iter().fold(whole, |whole, name| {
        whole.mut_subcommand(&name, |command| with_columns(with_own_words(command), &name, &globals))
    })
}

/// A global option with its words, those of the columns of a command not among them.
fn with_general_words(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "variant" => with_values(arg, Variant::ALL.iter().map(|variant| variant.name())),
        "format" => with_values(arg, Format::ALL.iter().map(|format| format.name())),
        _ => arg,
    }
}

fn with_values(arg: Arg, words: impl IntoIterator<Item = &'static str>) -> Arg {
    arg.value_parser(PossibleValuesParser::new(words.into_iter().collect::<Vec<_>>()))
}

/// A command whose arguments are names that the program has a list of.
fn with_own_words(command: Command) -> Command {
    match command.get_name() {
        "report" => command.mut_arg("name", |arg| with_values(arg, REPORTS.iter().map(|one| one.name))),
        "glossary" => {
            let terms = book::glossary().unwrap_or_default();
            // clap takes words that live as long as the process, which ends after the script.
            command.mut_arg("term", |arg| with_values(arg, terms.into_iter().map(|term| &*term.term.leak())))
        }
        _ => command,
    }
}

/// A command, and those of its own, with its columns as the words of `--columns` and `--sort`.
fn with_columns(command: Command, name: &str, globals: &[Arg]) -> Command {
    let own: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let columns = columns_of(name);
    let command = own.into_iter().fold(command, |command, own| {
        let path = format!("{name} {own}");
        command.mut_subcommand(own, |command| with_columns(command, &path, globals))
    });
    if columns.is_empty() {
        return command;
    }
    // A command's own option of a name keeps the global one away.
    let options = globals.iter().filter_map(|arg| {
        let all = (arg.get_id() == "columns").then_some("all");
        let takes_columns = matches!(arg.get_id().as_str(), "columns" | "sort");
        takes_columns.then(|| with_values(arg.clone(), columns.iter().copied().chain(all)))
    });
    command.args(options)
}

/// Whether any command prints a column of this name.
pub(super) fn is_column(name: &str) -> bool {
    let whole = Cli::command();
    whole.get_subcommands().any(|command| {
        let own = command.get_subcommands().map(|own| format!("{} {}", command.get_name(), own.get_name()));
        std::iter::once(command.get_name().to_owned()).chain(own).any(|path| columns_of(&path).contains(&name))
    })
}

/// The names of the columns that a command can print, each once.
fn columns_of(command: &str) -> Vec<&'static str> {
    let lists: Vec<&'static [Column]> = match command {
        "import" => vec![super::import::SummaryRow::COLUMNS],
        "verify" => vec![super::findings::FindingRow::COLUMNS],
        "opening" | "identify" => vec![book::OpeningRow::COLUMNS],
        "games" => vec![PlayedRow::COLUMNS],
        "export" => vec![PlayedRow::COLUMNS, PlyRow::COLUMNS],
        "show" => vec![PlyRow::COLUMNS],
        "moves" => vec![MoveRow::COLUMNS],
        "search" => vec![SearchRow::COLUMNS],
        "report" => REPORTS.iter().map(|report| report.columns).collect(),
        "sources" => vec![ImportedText::COLUMNS],
        "check" => vec![CheckRow::COLUMNS],
        "glossary" => vec![book::Term::COLUMNS],
        "the-move" => vec![super::the_move::ExchangeRow::COLUMNS],
        "annotate" => vec![super::annotate::AnnotationRow::COLUMNS],
        "analyse" => vec![super::analyse::AnalysedMove::COLUMNS],
        "prove" => vec![super::prove::ProofRow::COLUMNS],
        "check-proof" => vec![super::check_proof::CheckedRow::COLUMNS],
        "match" => vec![super::self_play::MatchRow::COLUMNS],
        "tune" => vec![super::tune::EpochRow::COLUMNS],
        "bench" => vec![super::bench::BenchRow::COLUMNS],
        "perft" => vec![super::perft::PerftRow::COLUMNS],
        "egdb info" => vec![super::egdb::InfoRow::COLUMNS],
        "egdb probe" => vec![super::egdb::ProbeRow::COLUMNS],
        "egdb verify" => vec![super::egdb::VerifyRow::COLUMNS],
        _ => Vec::new(),
    };
    let mut names = Vec::new();
    for column in lists.into_iter().flatten() {
        if let Cow::Borrowed(name) = column.name
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    names
}

/// What the script for fish lacks: the words of arguments that are no options.
fn fish_arguments(whole: &Command) -> String {
    let mut script = String::new();
    for command in whole.get_subcommands() {
        let words = command.get_positionals().flat_map(Arg::get_possible_values);
        for word in words.filter(|word| !word.get_name().contains('\'')) {
            script.push_str(&format!(
                "complete -c crownhead -n \"__fish_crownhead_using_subcommand {}\" -f -a \"'{}'\"\n",
                command.get_name(),
                word.get_name()
            ));
        }
    }
    script
}
