//! The command line: arguments in, bytes and an exit status out.
//!
//! Purpose: one file a command, holding its arguments (whose doc comments are the help) and `run`. Invariants: data goes to
//! stdout, words and progress to stderr; exit 0 done, 1 nothing found or a check failed or something was refused, 2 error,
//! 130 after Ctrl-C; a closed pipe is 0.
//!
//! Only this layer knows clap, indicatif and the terminal.

mod alias;
mod analyse;
mod annotate;
mod backup;
mod bench;
mod check;
mod check_proof;
mod completions;
mod context;
mod egdb;
mod engine;
mod environment;
mod error;
mod escaped;
mod export;
mod file_ending;
mod findings;
mod games;
mod glossary;
mod help;
mod identify;
mod import;
mod man;
mod moves;
mod opening;
mod output;
mod pager;
mod perft;
mod position_argument;
mod prepare;
mod progress;
mod prove;
mod remove;
mod report;
mod search;
mod self_play;
mod show;
mod signals;
mod sources;
mod sql;
mod suggest;
mod targets;
mod terminal;
mod the_move;
mod tune;
mod verify;
mod verify_deep;
mod welcome;

use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum as _};

pub use export::game_object;

use crate::render::{Format, clean_for_terminal};
use crate::table::{escaped, is_hostile};

use context::{Context, GlobalArgs};
use error::{CliError, Exit};
use pager::Screen;
use targets::{Target, TargetKind};
use terminal::ColorWhen;

const ABOUT: &str =
    "Opening book and study database for draughts: every move proved, one tree of positions, one SQLite file";

const EXAMPLES: &str = "\
Examples:
  crownhead import games.pdn             store a file's games, every move proved
  crownhead moves \"11-15 23-19\"          what is played next, and how it ended
  crownhead opening \"ayrshire lassie\"    look up an opening by name
  crownhead identify \"11-15 23-19 9-14\"  name a line of moves
  crownhead verify games.pdn             check a file and store nothing";

/// The whole command line.
#[derive(Debug, Parser)]
#[command(name = "crownhead", version, about = ABOUT, after_help = EXAMPLES, max_term_width = 100)]
pub struct Cli {
    #[command(flatten)]
    global: GlobalArgs,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Import(import::Args),
    Verify(verify::Args),
    Opening(opening::Args),
    Identify(identify::Args),
    Games(games::Args),
    Show(show::Args),
    Export(export::Args),
    Moves(moves::Args),
    Search(search::Args),
    Report(report::Args),
    Prepare(prepare::Args),
    #[command(name = "the-move")]
    TheMove(the_move::Args),
    Alias(alias::Args),
    Annotate(annotate::Args),
    Analyse(analyse::Args),
    Prove(prove::Args),
    #[command(name = "check-proof")]
    CheckProof(check_proof::Args),
    Bench(bench::Args),
    Match(self_play::Args),
    Tune(tune::Args),
    Egdb(egdb::Args),
    Perft(perft::Args),
    Sources(sources::Args),
    Sql(sql::Args),
    Remove(remove::Args),
    Backup(backup::Args),
    Check(check::Args),
    Glossary(glossary::Args),
    Completions(completions::Args),
    Man(man::Args),
}

impl Command {
    /// Refuses to write over a file that the command works with, before any is opened.
    fn guard(&self, global: &GlobalArgs, is_format_given: bool) -> Result<(), CliError> {
        let own: Vec<Target<'_>> = match self {
            Self::Show(args) => args.target().into_iter().collect(),
            Self::Prove(args) => args.target().into_iter().collect(),
            Self::Tune(args) => vec![args.target()],
            Self::Egdb(args) => args.targets(),
            Self::Backup(args) => vec![args.target()],
            _ => Vec::new(),
        };
        let inputs: Vec<&Path> = match self {
            Self::Import(args) => args.inputs().collect(),
            Self::Verify(args) => args.inputs().collect(),
            Self::CheckProof(args) => args.inputs().collect(),
            Self::Annotate(args) => args.inputs().collect(),
            Self::Bench(args) => args.inputs().collect(),
            Self::Match(args) => args.inputs().collect(),
            _ => Vec::new(),
        };
        let inputs: Vec<&Path> = inputs.into_iter().chain(global.names.as_deref()).collect();
        let folder = match self {
            Self::Man(args) => Some(args.folder()),
            Self::Annotate(args) => args.folder(),
            _ => None,
        };
        if own.iter().map(|own| own.path).chain(folder).any(|path| path.as_os_str() == "-") {
            return Err(CliError::usage("-: only --output writes to standard output")
                .hint("for a file or folder that is called so, write ./-"));
        }
        let output = global.output.as_deref().filter(|path| !output::is_stdout(path));
        if output.is_some() && matches!(self, Self::Remove(_) | Self::Backup(_) | Self::Man(_)) {
            return Err(CliError::usage("this command prints no data for --output to write"));
        }
        let wanted = self.printed(global.format);
        let output_path = output;
        let output = output.map(|path| Target { option: "--output", path, wanted });
        let targets: Vec<Target<'_>> = own.into_iter().chain(output).collect();
        // An SQL statement may name its columns freely, so that any word of it may be a heading.
        let is_heading = |line: &str| match self {
            Self::Sql(args) => completions::is_column(line) || args.has_word(line),
            _ => completions::is_column(line),
        };
        if !targets.is_empty() {
            targets::guard(&targets, &global.db_path()?, &inputs, global.force, &is_heading)?;
        }
        output_path.filter(|_| !is_format_given).map_or(Ok(()), |path| file_ending::check(path, wanted))
    }

    /// What the command prints.
    fn printed(&self, format: Format) -> TargetKind {
        match self {
            Self::Export(args) => args.printed(),
            Self::Show(args) if args.is_raw() => TargetKind::Raw,
            Self::Completions(_) => TargetKind::Text,
            // Pages about one thing, with or without a board.
            Self::Show(_) | Self::Opening(_) | Self::Prepare(_) if format == Format::Table => TargetKind::Text,
            _ => TargetKind::of_format(format),
        }
    }
}

/// Runs the program with the arguments of this process; the status it exits with.
#[must_use]
pub fn main() -> ExitCode {
    // A write beyond a limit on the size of files ends as an error that is told, not as a core dump: the signal only raises a flag
    // that nobody looks at. Where it cannot be watched for, nothing is lost but the message.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let asked_color = asked_color(&words);
    let declared = || Cli::command().color(asked_color.for_clap());
    let command =
        if help::is_asked(words.iter().cloned()) { help::command().color(asked_color.for_clap()) } else { declared() };
    let matches = match command.try_get_matches() {
        Ok(matches) => matches,
        Err(error) if error.kind() == ErrorKind::InvalidUtf8 => return not_utf8().report(asked_color),
        Err(error) => {
            let error = suggest::mend(error, declared(), &words);
            // Help and version go to stdout and are no error; clap knows which is which.
            let status = u8::try_from(error.exit_code()).unwrap_or(2);
            // What was written on the command line stands in the message, and may not steer the terminal.
            let is_hostile = words.iter().any(|word| word.contains(is_hostile));
            let printed = if is_hostile && error.exit_code() != 0 {
                write!(io::stderr(), "{}", clean_for_terminal(&on_one_line(error.to_string(), &words)))
            } else if error.exit_code() == 0 && io::stdout().is_terminal() {
                print_page(&error, &words)
            } else {
                error.print()
            };
            return if printed.is_ok() { ExitCode::from(status) } else { ExitCode::SUCCESS };
        }
    };
    let is_format_given = matches.value_source("format") == Some(ValueSource::CommandLine);
    let mut cli = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => return CliError::usage(error.to_string()).report(asked_color),
    };
    if let Some(format) = cli.global.output.as_deref().filter(|_| !is_format_given).and_then(file_ending::format) {
        cli.global.format = format;
    }
    let color = cli.global.color;
    let guard = || match &cli.command {
        Some(command) => command.guard(&cli.global, is_format_given),
        None => guard_welcome(&cli.global),
    };
    let guarded = signals::watch(cli.global.quiet)
        .map_err(|error| CliError::usage(format!("cannot watch for Ctrl-C: {error}")))
        .and_then(|()| guard());
    match guarded.and_then(|()| Context::new(cli.global)).and_then(|context| run(context, cli.command.as_ref())) {
        Ok(exit) => exit.code(),
        Err(error) => error.report(color),
    }
}

/// `message` with the line ends of `words`, and of their values, as escapes: an argument must not look like a message of its own.
fn on_one_line(message: String, words: &[String]) -> String {
    let parts = words.iter().flat_map(|word| [Some(word.as_str()), word.split_once('=').map(|(_, value)| value)]);
    let broken = parts.flatten().filter(|part| part.contains('\n'));
    broken.fold(message, |message, part| message.replace(part, &escaped(part)))
}

/// Refuses to write the welcome into a file: it is for people, and may not replace anything.
fn guard_welcome(global: &GlobalArgs) -> Result<(), CliError> {
    match global.output.as_deref().filter(|path| !output::is_stdout(path)) {
        Some(_) => Err(CliError::usage("--output needs a command whose data it writes")
            .hint("list the commands with: crownhead --help")),
        None => Ok(()),
    }
}

/// The error about an argument that is not UTF-8 where a text is wanted.
fn not_utf8() -> CliError {
    let broken = std::env::args_os().find(|word| word.to_str().is_none());
    let shown = broken.map(|word| word.to_string_lossy().into_owned()).unwrap_or_default();
    CliError::usage(format!("an argument is not UTF-8: {shown}"))
        .hint("names of files to read may be in any encoding; everything else is written in UTF-8")
}

/// Prints a page of help on the terminal, through the pager where it is long.
fn print_page(page: &clap::Error, words: &[String]) -> io::Result<()> {
    let mut screen = Screen::new(!words.iter().any(|word| word == "--no-pager"));
    let page = page.render();
    let text = if asked_color(words).shows(true) { page.ansi().to_string() } else { page.to_string() };
    screen.write_all(text.as_bytes())?;
    screen.finish()
}

/// The value of `--color` among `words`, which no one has parsed where a page of help is asked for.
fn asked_color(words: &[String]) -> ColorWhen {
    // Behind a lone `--` there are no options.
    let words = words.split(|word| word == "--").next().unwrap_or_default();
    let mut values = words.iter().enumerate().rev().filter_map(|(at, word)| match word.strip_prefix("--color")? {
        "" => words.get(at + 1).map(String::as_str),
        rest => rest.strip_prefix('='),
    });
    values.next().and_then(|value| ColorWhen::from_str(value, true).ok()).unwrap_or(ColorWhen::Auto)
}

/// Runs a command, or prints the welcome where there is none.
fn run(mut context: Context, command: Option<&Command>) -> Result<Exit, CliError> {
    let ended = match command {
        Some(command) => run_command(&mut context, command),
        None => welcome::run(&mut context),
    };
    // What was printed to stdout before an error is written all the same.
    context.finish(ended)
}

fn run_command(context: &mut Context, command: &Command) -> Result<Exit, CliError> {
    match command {
        Command::Import(args) => import::run(context, args),
        Command::Verify(args) => verify::run(context, args),
        Command::Opening(args) => opening::run(context, args),
        Command::Identify(args) => identify::run(context, args),
        Command::Games(args) => games::run(context, args),
        Command::Show(args) => show::run(context, args),
        Command::Export(args) => export::run(context, args),
        Command::Moves(args) => moves::run(context, args),
        Command::Search(args) => search::run(context, args),
        Command::Report(args) => report::run(context, args),
        Command::Prepare(args) => prepare::run(context, args),
        Command::TheMove(args) => the_move::run(context, args),
        Command::Alias(args) => alias::run(context, args),
        Command::Annotate(args) => annotate::run(context, args),
        Command::Analyse(args) => analyse::run(context, args),
        Command::Prove(args) => prove::run(context, args),
        Command::CheckProof(args) => check_proof::run(context, args),
        Command::Bench(args) => bench::run(context, args),
        Command::Match(args) => self_play::run(context, args),
        Command::Tune(args) => tune::run(context, args),
        Command::Egdb(args) => egdb::run(context, args),
        Command::Perft(args) => perft::run(context, args),
        Command::Sources(_) => sources::run(context),
        Command::Sql(args) => sql::run(context, args),
        Command::Remove(args) => remove::run(context, args),
        Command::Backup(args) => backup::run(context, args),
        Command::Check(args) => check::run(context, args),
        Command::Glossary(args) => glossary::run(context, args),
        Command::Completions(args) => completions::run(context, args),
        Command::Man(args) => man::run(context, args),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_has_help_with_an_example() {
        for command in Cli::command().get_subcommands() {
            assert!(command.get_about().is_some(), "{} has no help", command.get_name());
            let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(examples.contains(&format!("crownhead {}", command.get_name())), "{}", command.get_name());
        }
    }
}
