//! Errors for people, and exit statuses.

use std::io::{self, IsTerminal, Write};
use std::ops::Range;
use std::process::ExitCode;

use crate::files;
use crate::import::ImportError;
use crate::intake::IntakeError;
use crate::query::{PatternError, QueryError};
use crate::render::{ExcerptOptions, RenderError, excerpt};
use crate::store::StoreError;

use super::signals;
use super::suggest::for_shell;
use super::terminal::{self, ColorWhen};

/// How a command ended without an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Exit {
    /// Done.
    Done,
    /// Nothing found, a check failed, or something was refused.
    No,
    /// Stopped by Ctrl-C or another signal.
    Interrupted,
}

impl Exit {
    pub(super) fn code(self) -> ExitCode {
        match self {
            Self::Done => ExitCode::SUCCESS,
            Self::No => ExitCode::from(1),
            Self::Interrupted => ExitCode::from(signals::status()),
        }
    }
}

/// An error as it is told to a person: what is wrong, and what to do next.
#[derive(Debug)]
pub(super) struct CliError {
    message: String,
    /// An argument and the bytes of it that are wrong.
    span: Option<(String, Range<usize>)>,
    hints: Vec<String>,
    closed_pipe: bool,
}

impl CliError {
    /// Something is wrong with what was asked.
    pub(super) fn usage(message: impl Into<String>) -> Self {
        Self { message: message.into(), span: None, hints: Vec::new(), closed_pipe: false }
    }

    /// The same, the bytes `at` of `argument` being what is wrong.
    pub(super) fn at(mut self, argument: &str, at: Range<usize>) -> Self {
        self.span = Some((argument.to_owned(), at));
        self
    }

    /// The same with advice.
    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Several errors as one, each told on a line of its own.
    pub(super) fn of_many(errors: impl IntoIterator<Item = Self>) -> Self {
        let mut whole = Self::usage("");
        for error in errors {
            if !whole.message.is_empty() {
                whole.message.push_str("; ");
            }
            whole.message.push_str(&error.message);
            for hint in error.hints {
                if !whole.hints.contains(&hint) {
                    whole.hints.push(hint);
                }
            }
        }
        whole
    }

    /// Prints the error, where the command goes on or ends otherwise.
    pub(super) fn print(&self, color: ColorWhen) {
        let _ = self.report(color);
    }

    /// Prints the error and gives the exit status: 2, or 0 for a closed pipe.
    pub(super) fn report(&self, color: ColorWhen) -> ExitCode {
        if self.closed_pipe {
            return ExitCode::SUCCESS;
        }
        let mut stderr = io::stderr();
        let is_terminal = stderr.is_terminal();
        let color = color.shows(is_terminal);
        let (red, reset) = if color { ("\x1b[1;31m", "\x1b[0m") } else { ("", "") };
        // A closed stderr is nobody's loss.
        let message = terminal::message(&format!("error: {}", self.message));
        let _ = writeln!(stderr, "{red}error:{reset}{}", message.strip_prefix("error:").unwrap_or(&message));
        if let Some((argument, at)) = &self.span {
            let options = ExcerptOptions { width: terminal::width(is_terminal).into(), line: None, color };
            let _ = writeln!(stderr, "{}", excerpt(argument, at.clone(), options));
        }
        for hint in &self.hints {
            let _ = writeln!(stderr, "{}", terminal::message(&format!("hint: {hint}")));
        }
        ExitCode::from(2)
    }
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> Self {
        let closed_pipe = error.kind() == io::ErrorKind::BrokenPipe;
        Self { closed_pipe, ..Self::usage(format!("cannot write the output: {}", files::reason(&error))) }
    }
}

impl From<RenderError> for CliError {
    fn from(error: RenderError) -> Self {
        match error {
            RenderError::Io(error) => error.into(),
            RenderError::UnknownColumn(error) => Self::usage(error.to_string()),
        }
    }
}

impl From<StoreError> for CliError {
    fn from(error: StoreError) -> Self {
        let told = Self::usage(error.to_string());
        match error {
            StoreError::Missing(_) => told.hint("make one with: crownhead import FILE"),
            StoreError::Foreign(_) | StoreError::NoDatabase(_) | StoreError::NotAFile { .. } => told.hint("name another file with --db"),
            StoreError::Altered { .. } => {
                told.hint("crownhead check lists what is changed; go back to a backup, or import the sources anew")
            }
            StoreError::OldVersion { why, .. } if why.is_broken_file() || matches!(*why, StoreError::Damaged(_)) => {
                told.hint("the file is damaged: go back to a backup, or import the sources into a new database")
            }
            StoreError::OldVersion { .. } => {
                told.hint("copy it to a folder that can be written to, and name the copy with --db")
            }
            StoreError::TooNew { .. } => told.hint("use a newer crownhead for this database"),
            StoreError::Exists(_) => {
                told.hint("take the place of an older copy with --force; never of the database itself")
            }
            StoreError::NotACopy { .. } => told.hint("name another file, or remove this one first"),
            StoreError::CopyInUse { .. } => told.hint(
                "close the programs that use it; crownhead --db FILE games takes what was not closed into that database",
            ),
            StoreError::Sqlite(_) if error.is_broken_file() => {
                told.hint("the file is damaged: crownhead check tells what is left; a backup brings the rest back")
            }
            StoreError::Full(_) => told
                .hint("what was stored before is whole: make room, or raise the limit, and run the same command again"),
            StoreError::NotWritable { .. } => {
                told.hint("name a database in a folder of yours with --db; one that is there can be read all the same")
            }
            StoreError::LiveLog { .. } => told.hint(
                "copy the database with its -wal file to a folder that can be written to, and name that with --db",
            ),
            StoreError::Locked { .. } => told.hint("try again when it is done; reading goes on meanwhile"),
            StoreError::Damaged(_) => told.hint("crownhead check tells what is damaged and which games are whole"),
            StoreError::Sqlite(_) if error.is_busy() => {
                told.hint("another program is writing to the database: try again when it is done")
            }
            _ => told,
        }
    }
}

impl From<QueryError> for CliError {
    fn from(error: QueryError) -> Self {
        match error {
            QueryError::Store(error) => error.into(),
            QueryError::Pattern(error) => error.into(),
            QueryError::Engine(error) => error.into(),
            other => Self::usage(other.to_string()),
        }
    }
}

impl From<PatternError> for CliError {
    fn from(error: PatternError) -> Self {
        Self::usage(error.to_string()).at(&error.text, error.at.clone())
    }
}

impl From<IntakeError> for CliError {
    fn from(error: IntakeError) -> Self {
        let told = Self::usage(error.to_string());
        match error {
            IntakeError::Open { source, .. } if source.kind() == io::ErrorKind::NotFound => {
                told.hint("give a file, a folder, or - for standard input")
            }
            IntakeError::Checksum { name } => told.hint(format!(
                "look for another copy; what was imported of this one goes with: crownhead remove --source {}",
                for_shell(&name)
            )),
            IntakeError::Read { source, .. } if source.raw_os_error().is_none() => {
                told.hint("the file is cut short or damaged: look for another copy; what was read before is good")
            }
            IntakeError::NotText { .. } => told.hint("play is read from PDN and from the text of books, packed or not"),
            IntakeError::EmptyFolder(_) | IntakeError::EmptyArchive(_) => {
                told.hint("name the files themselves to read other endings")
            }
            _ => told,
        }
    }
}

impl From<ImportError> for CliError {
    fn from(error: ImportError) -> Self {
        match error {
            ImportError::Intake(error) => error.into(),
            ImportError::Store(error) => error.into(),
        }
    }
}
