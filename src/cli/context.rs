//! What every command needs: global options, the database, the book of names, the output.

use std::cell::RefCell;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use clap::Args;

use crate::board::Variant;
use crate::book::Book;
use crate::files;
use crate::render::{self, ExcerptOptions, Format, TableOptions, plural};
use crate::store::{Database, Upgrade};
use crate::table::{Table, quoted};

use super::environment;
use super::error::{CliError, Exit};
use super::output::Output;
use super::terminal::{self, ColorWhen};

/// Options that every command takes.
#[derive(Debug, Args)]
pub(super) struct GlobalArgs {
    /// Use this database [default: CROWNHEAD_DB, or crownhead.db in the platform's data directory]
    #[arg(long, global = true, value_name = "PATH", help_heading = "Global options")]
    pub(super) db: Option<PathBuf>,
    /// Take play for this game where the text does not say
    #[arg(long, global = true, value_name = "V", default_value = "english", value_parser = parse_variant, help_heading = "Global options")]
    pub(super) variant: Variant,
    /// Add or override opening names from this file (columns name and moves, tab-separated; at most 16 MiB)
    #[arg(long, global = true, value_name = "FILE", help_heading = "Global options")]
    pub(super) names: Option<PathBuf>,
    /// Print data in this form: table, csv, json, ndjson, markdown
    #[arg(long, global = true, value_name = "FORMAT", default_value = "table", value_parser = parse_format, hide_default_value = true, help_heading = "Global options")]
    pub(super) format: Format,
    /// Write data to this file instead of stdout; - is stdout
    #[arg(short, long, global = true, value_name = "FILE", help_heading = "Global options")]
    pub(super) output: Option<PathBuf>,
    /// Replace a file of another kind, an imported text, or an older backup
    #[arg(long, global = true, help_heading = "Global options")]
    pub(super) force: bool,
    /// Print at most this many rows
    #[arg(long, global = true, value_name = "N", help_heading = "Global options")]
    pub(super) limit: Option<u64>,
    /// Pass over this many rows first
    #[arg(
        long,
        global = true,
        value_name = "N",
        default_value_t = 0,
        hide_default_value = true,
        help_heading = "Global options"
    )]
    pub(super) offset: u64,
    /// Sort by this column; a leading - turns the order round
    #[arg(long, global = true, value_name = "COL", allow_hyphen_values = true, help_heading = "Global options")]
    pub(super) sort: Option<String>,
    /// Print these columns only, in this order; all for every column
    #[arg(long, global = true, value_name = "A,B,…", value_delimiter = ',', help_heading = "Global options")]
    pub(super) columns: Option<Vec<String>>,
    /// Print no words beside the data
    #[arg(short, long, global = true, help_heading = "Global options")]
    pub(super) quiet: bool,
    /// Use colour: auto, always, never
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true,
        hide_possible_values = true,
        help_heading = "Global options"
    )]
    pub(super) color: ColorWhen,
    /// Print long output straight to the terminal, also where PAGER is set
    #[arg(long, global = true, help_heading = "Global options")]
    pub(super) no_pager: bool,
}

impl GlobalArgs {
    /// Where the database is or will be.
    pub(super) fn db_path(&self) -> Result<PathBuf, CliError> {
        if let Some(path) = self.db.clone().or_else(|| environment::path("CROWNHEAD_DB")) {
            check_database_name(&path)?;
            return Ok(path);
        }
        let folders = directories::ProjectDirs::from("", "", "crownhead")
            .ok_or_else(|| CliError::usage("this account has no data directory").hint("name a database with --db"))?;
        Ok(folders.data_dir().join("crownhead.db"))
    }
}

/// Refuses names that SQLite, other programs or a shell take for something else than a file.
fn check_database_name(path: &Path) -> Result<(), CliError> {
    let name = path.to_string_lossy();
    let why = match &*name {
        "" => "an empty name is no file",
        "-" => "a database is not read from standard input",
        ":memory:" => "a database is kept in a file, not in memory",
        _ if name.starts_with("file:") => "a database is named by its path, not by an address",
        _ => return Ok(()),
    };
    Err(CliError::usage(format!("--db {name}: {why}", name = quoted(&name)))
        .hint(format!("for a file that is called so, write --db ./{name}")))
}

fn parse_variant(text: &str) -> Result<Variant, String> {
    Variant::from_name(text).ok_or_else(|| {
        let known: Vec<_> = Variant::ALL.iter().map(|variant| variant.name()).collect();
        format!("known variants: {}", known.join(", "))
    })
}

fn parse_format(text: &str) -> Result<Format, String> {
    Format::from_name(text).ok_or_else(|| {
        let known: Vec<_> = Format::ALL.iter().map(|format| format.name()).collect();
        format!("known formats: {}", known.join(", "))
    })
}

/// Lines of a screen that the rows of a table leave for its heading (two), what is not shown (one), a sentence (two) and the
/// next prompt (one).
const TABLE_FRAME_LINES: u16 = 6;
/// The same of records, which have no heading.
const RECORD_FRAME_LINES: u16 = 4;
/// The least rows that a table shows on a screen, however low it is.
const MIN_ROWS: u16 = 5;

/// Bytes of the longest file of names.
const MAX_NAMES_BYTES: u64 = 16 << 20;

/// What a command works with.
pub(super) struct Context {
    pub(super) args: GlobalArgs,
    output: RefCell<Output>,
    /// Whether all that was printed is the frame of an empty table.
    nothing: bool,
    book: Option<Rc<Book>>,
}

impl Context {
    pub(super) fn new(args: GlobalArgs) -> Result<Self, CliError> {
        let output = Output::open(args.output.as_deref(), !args.no_pager)?;
        let mut context = Self { args, output: RefCell::new(output), nothing: true, book: None };
        if matches!(context.args.format, Format::Csv | Format::Json | Format::Ndjson) {
            context.begin_data();
        }
        if context.args.names.is_some() {
            // A file that cannot be used is told by every command, not only by those that look names up.
            context.book()?;
        }
        Ok(context)
    }

    /// The stream that data is written to.
    pub(super) fn out(&mut self) -> &mut dyn Write {
        self.nothing = false;
        self.output.get_mut()
    }

    /// From here on the command writes data for programs, which a terminal gets with escapes.
    pub(super) fn begin_data(&mut self) {
        self.output.get_mut().begin_data();
    }

    /// What was printed so far is the frame of an empty table, and nothing that anybody asked for.
    pub(super) fn nothing_found(&mut self) {
        self.nothing = true;
    }

    /// Has all data written before the command says so: a file takes its name here.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn commit(&mut self) -> Result<(), CliError> {
        self.output.get_mut().commit()
    }

    /// Ends a command: the file of `--output` takes its name where the command ended well and found anything, or was stopped by
    /// hand after it had printed what it knows so far; otherwise an older file stays as it was. Both are reported.
    ///
    /// # Errors
    /// That of the command, or when the file cannot be written.
    pub(super) fn finish(mut self, ended: Result<Exit, CliError>) -> Result<Exit, CliError> {
        let untouched = self.output.borrow().untouched();
        let output = self.output.get_mut();
        match &ended {
            Ok(Exit::Done) => output.commit()?,
            Ok(Exit::Interrupted) if !self.nothing => {
                let partial = output.pending().map(|path| format!("{} has what is known so far.", path.display()));
                output.commit()?;
                partial.into_iter().for_each(|sentence| self.message(&sentence));
            }
            Ok(Exit::No) if !self.nothing => output.commit()?,
            Ok(_) => {
                let unmade = output.pending().map(|path| format!("{} is not written", path.display()));
                output.give_up();
                if let Some(what) = untouched.or(unmade) {
                    self.message(&format!("{what}."));
                }
            }
            Err(_) => {
                output.give_up();
                return ended.map_err(|error| untouched.into_iter().fold(error, CliError::hint));
            }
        }
        ended
    }

    /// Says a sentence to the person, unless they want quiet; what was printed before stands above it.
    pub(super) fn message(&self, sentence: &str) {
        self.print_message(&terminal::message(sentence));
    }

    /// Says what was not shown, and how to see it: in faint letters, because it is not the answer.
    pub(super) fn say_what_is_left(&self, left: &[String]) {
        if left.is_empty() {
            return;
        }
        if let Some(screen) = self.output.borrow_mut().screen() {
            screen.left_something_out();
        }
        let color = self.args.color.shows(io::stderr().is_terminal());
        let (faint, reset) = if color { ("\x1b[2m", "\x1b[0m") } else { ("", "") };
        self.print_message(&format!("{faint}{}{reset}", terminal::message(&left.join("; "))));
    }

    /// Prints a message that is clean, after the data before it.
    fn print_message(&self, message: &str) {
        if self.args.quiet {
            return;
        }
        if let Some(screen) = self.output.borrow_mut().screen()
            && screen.takes_message(message)
        {
            return;
        }
        // A closed stderr loses nothing that anyone could read.
        let _ = writeln!(io::stderr(), "{message}");
    }

    /// Whether data goes to a terminal.
    pub(super) fn is_terminal(&self) -> bool {
        self.output.borrow_mut().screen().is_some() && io::stdout().is_terminal()
    }

    /// Whether to use colour for data.
    pub(super) fn color(&self) -> bool {
        self.args.color.shows(self.is_terminal())
    }

    /// How wide pages may be: what is laid out for people, such as boards beside tables.
    pub(super) fn width(&self) -> u16 {
        terminal::width(self.is_terminal())
    }

    /// How wide tables and records may be; `None` for no limit, which is so wherever there is no terminal.
    pub(super) fn table_width(&self) -> Option<u16> {
        terminal::table_width(self.is_terminal())
    }

    /// Whether long output goes through a pager.
    fn pages(&self) -> bool {
        self.output.borrow_mut().screen().is_some_and(|screen| screen.pages())
    }

    /// Whether details are left out so that a screen has room for the answer: on a terminal without a pager, unless `all` is
    /// asked for.
    pub(super) fn hides_details(&self, all: bool) -> bool {
        !all && self.is_terminal() && !self.pages()
    }

    /// Says that so many details were left out.
    pub(super) fn say_hidden_details(&self, count: usize) {
        if count > 0 {
            self.say_what_is_left(&[format!("+{}: --all", plural(count as u64, "detail", "details"))]);
        }
    }

    /// How many rows of a table are printed: as many as were asked for, else as many as a terminal without a pager shows at once
    /// with the heading before and the sentences after them. `None` for all.
    pub(super) fn row_limit(&self) -> Option<u64> {
        let on_screen = |height: u16| u64::from(height.saturating_sub(TABLE_FRAME_LINES).max(MIN_ROWS));
        self.args.limit.or_else(|| self.screen_height().map(on_screen))
    }

    /// How many lines records may take: those of a screen that a sentence and the next prompt leave, unless a number of rows was
    /// asked for.
    fn record_lines(&self) -> Option<usize> {
        let height = self.screen_height().filter(|_| self.args.limit.is_none())?;
        Some(height.saturating_sub(RECORD_FRAME_LINES).into())
    }

    /// How many lines the terminal shows on which a table or a page is printed without a pager; `None` elsewhere.
    pub(super) fn screen_height(&self) -> Option<u16> {
        let on_screen = self.args.format == Format::Table && self.is_terminal() && !self.pages();
        if on_screen { terminal::height() } else { None }
    }

    /// How the place of a finding is shown on stderr.
    pub(super) fn excerpt_options(&self) -> ExcerptOptions {
        let is_terminal = io::stderr().is_terminal();
        let width = terminal::width(is_terminal).into();
        ExcerptOptions { width, line: None, color: self.args.color.shows(is_terminal) }
    }

    /// The book of names, with those of `--names`; read at the first call.
    pub(super) fn book(&mut self) -> Result<Rc<Book>, CliError> {
        if let Some(book) = &self.book {
            return Ok(Rc::clone(book));
        }
        let mut book = Book::embedded().map_err(|error| CliError::usage(error.to_string()))?;
        if let Some(path) = &self.args.names {
            let name = path.display().to_string();
            let text = names_text(path).map_err(|why| CliError::usage(format!("cannot read {name}: {why}")))?;
            book = book.with_names(&name, &text).map_err(|error| {
                let at = byte_at(&text, error.line, error.column);
                CliError::usage(error.to_string()).at(&text, at..at + 1)
            })?;
        }
        let book = self.book.insert(Rc::new(book));
        // Never freed: the process is about to end, and releasing thousands of names takes longer than many an answer.
        std::mem::forget(Rc::clone(book));
        Ok(Rc::clone(book))
    }

    /// Where the database is or will be.
    pub(super) fn db_path(&self) -> Result<PathBuf, CliError> {
        self.args.db_path()
    }

    /// The database, for reading.
    pub(super) fn database(&self) -> Result<Database, CliError> {
        let database = Database::open(&self.db_path()?)?;
        self.say_upgraded(&database);
        Ok(database)
    }

    /// Opens the database for writing, or creates it. The flag says whether it was created.
    pub(super) fn database_to_write(&self) -> Result<(Database, bool), CliError> {
        let (database, made) = Database::create(&self.db_path()?)?;
        self.say_upgraded(&database);
        Ok((database, made))
    }

    /// Says that a database of an older version was brought to today's.
    pub(super) fn say_upgraded(&self, database: &Database) {
        if let Some(Upgrade { from, to, backup }) = database.upgraded() {
            self.message(&format!(
                "The database was brought from version {from} to {to}; {} is a copy of it as it was.",
                backup.display()
            ));
        }
    }

    /// The database if there is one.
    pub(super) fn database_if_any(&self) -> Result<Option<Database>, CliError> {
        match Database::open(&self.db_path()?) {
            Ok(database) => {
                self.say_upgraded(&database);
                Ok(Some(database))
            }
            Err(crate::store::StoreError::Missing(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Prints a table in the form that was asked for, sorted and cut as asked where `cut` says that this was not done yet.
    pub(super) fn print(&mut self, mut table: Table, cut: bool) -> Result<(), CliError> {
        if !cut {
            let passed = self.args.offset.saturating_add(table.rows.len() as u64);
            return self.print_part(&table, passed, ("row", "rows"));
        }
        if let Some(column) = &self.args.sort {
            table.sort(column).map_err(|error| CliError::usage(error.to_string()))?;
        }
        let total = table.rows.len() as u64;
        let number = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
        let keep = self.row_limit().map_or(usize::MAX, number);
        table.rows = table.rows.into_iter().skip(number(self.args.offset)).take(keep).collect();
        self.print_part(&table, total, ("row", "rows"))
    }

    /// Prints a second table of a command whole: options that choose rows and columns are for the first.
    pub(super) fn print_whole(&mut self, table: &Table) -> Result<(), CliError> {
        let options = TableOptions { width: self.table_width(), color: self.color(), ..TableOptions::default() };
        let _ = render::render(table, self.args.format, &options, self.out())?;
        Ok(())
    }

    /// Prints a table of which these rows were chosen by [`Self::row_limit`] and `--offset` from `total`, and says how to see the
    /// rows and columns that are not shown. `noun` is what a row is, one and many.
    pub(super) fn print_part(&mut self, table: &Table, total: u64, noun: (&str, &str)) -> Result<(), CliError> {
        let options = TableOptions {
            width: self.table_width(),
            color: self.color(),
            columns: self.args.columns.clone(),
            record_lines: self.record_lines(),
            ..TableOptions::default()
        };
        let format = self.args.format;
        let nothing = self.nothing && table.rows.is_empty();
        let rendered = render::render(table, format, &options, self.out())?;
        self.nothing = nothing;
        let mut left = Vec::new();
        let printed = table.rows.len() - rendered.left_rows;
        let passed = self.args.offset.saturating_add(printed as u64);
        if let Some(more) = total.checked_sub(passed).filter(|more| *more > 0 && !table.rows.is_empty()) {
            // Who named a limit goes on from there; others raise the one that the screen set.
            let how = match self.args.limit {
                Some(_) => format!("--offset {passed}"),
                None => format!("--limit {}", total.saturating_sub(self.args.offset)),
            };
            left.push(format!("+{}: {how}", plural(more, noun.0, noun.1)));
        }
        if !rendered.hidden_columns.is_empty() {
            let hidden = plural(rendered.hidden_columns.len() as u64, "column", "columns");
            left.push(format!("+{hidden}: --columns all"));
        }
        self.say_what_is_left(&left);
        Ok(())
    }
}

/// The text of a file of names.
fn names_text(path: &Path) -> Result<String, String> {
    let bytes = files::read_limited(path, MAX_NAMES_BYTES).map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| format!("it is not UTF-8 after byte {}", error.utf8_error().valid_up_to()))
}

/// The byte of `text` at a line and a column of characters, both from 1.
fn byte_at(text: &str, line: u32, column: u32) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1) as usize).map(str::len).sum();
    let rest = text.get(before..).unwrap_or_default();
    before + rest.chars().take(column.saturating_sub(1) as usize).map(char::len_utf8).sum::<usize>()
}
