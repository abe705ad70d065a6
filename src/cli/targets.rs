//! Files that a command is to write, held against those it reads and those that are there: nothing is written over that the
//! command works with, and nothing unasked that is unlike what is to be written.
//!
//! Looks at names, at what the system says of files, and at the first bytes of a file that would be replaced.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use crate::files::{self, FileKind, is_open_file, resolved};
use crate::intake;
use crate::render::Format;
use crate::store::Database;

use super::error::CliError;
use super::output::cannot_write;

/// Bytes of the longest file that is compared with imported texts, whatever its name.
const MAX_TEXT_BYTES: u64 = 64 << 20;

/// Bytes of the first line of a file that are held against the names of columns.
const MAX_HEADING_BYTES: u64 = 256;

/// A file to be written.
pub(super) struct Target<'a> {
    /// What it was asked for with.
    pub(super) option: &'static str,
    /// Its name.
    pub(super) path: &'a Path,
    /// What is to be written.
    pub(super) wanted: TargetKind,
}

/// What is to be written into a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TargetKind {
    /// Comma-separated values.
    Csv,
    /// JSON, as one value or one per line.
    Json,
    /// A table of text or Markdown.
    Table,
    /// A page or a script.
    Text,
    /// Portable Draughts Notation.
    Pdn,
    /// The text of a source, as it is.
    Raw,
    /// A graph for Graphviz.
    Dot,
    /// An SVG picture.
    Svg,
    /// A PNG picture.
    Png,
    /// The certificate of a proof.
    Certificate,
    /// Weights of the evaluation.
    Weights,
    /// An endgame database.
    Endings,
    /// A copy of the database; what it may replace, the store decides.
    Copy,
}

impl TargetKind {
    /// What it is, in words.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Csv => "CSV",
            Self::Json => "JSON",
            Self::Table => "a table",
            Self::Text => "a page of text",
            Self::Pdn => "PDN",
            Self::Raw => "the text of a source",
            Self::Dot => "a graph for Graphviz",
            Self::Svg | Self::Png => "a picture",
            Self::Certificate => "a certificate",
            Self::Weights => "weights",
            Self::Endings => "an endgame database",
            Self::Copy => "a copy of the database",
        }
    }

    /// What a table is written as.
    pub(super) const fn of_format(format: Format) -> Self {
        match format {
            Format::Csv => Self::Csv,
            Format::Json | Format::Ndjson => Self::Json,
            Format::Table | Format::Markdown => Self::Table,
        }
    }

    /// Whether it may replace a file of this kind unasked: one like itself.
    const fn replaces(self, found: FileKind) -> bool {
        match found {
            FileKind::Empty => true,
            FileKind::Csv | FileKind::Words => matches!(self, Self::Csv),
            FileKind::Json => matches!(self, Self::Json),
            FileKind::Table => matches!(self, Self::Table | Self::Text),
            // Pages of ours are text like any other, and anybody's notes are, too.
            FileKind::Text => false,
            FileKind::Pdn => matches!(self, Self::Pdn | Self::Raw),
            FileKind::Dot => matches!(self, Self::Dot),
            FileKind::Svg => matches!(self, Self::Svg),
            FileKind::Png => matches!(self, Self::Png),
            FileKind::Certificate => matches!(self, Self::Certificate),
            FileKind::Weights => matches!(self, Self::Weights),
            FileKind::Endings => matches!(self, Self::Endings),
            FileKind::Database | FileKind::OtherDatabase | FileKind::Markup | FileKind::Binary => false,
        }
    }
}

/// Refuses to write any of `targets` over a file of the database at `database`, over one of `inputs` (files, folders, or `-`), or
/// over one another; and unless `force` is given, over a file of another kind or one that was imported.
///
/// # Errors
/// Which target is which of them, and what cannot be written at all.
pub(super) fn guard(
    targets: &[Target<'_>],
    database: &Path,
    inputs: &[&Path],
    force: bool,
    is_heading: &dyn Fn(&str) -> bool,
) -> Result<(), CliError> {
    let mut told: Vec<(PathBuf, String)> = Vec::new();
    if !targets.is_empty() {
        let files = Database::files(&resolved(database)).into_iter().chain(Database::files(database));
        for (at, file) in files.enumerate() {
            let what = if at == 0 || file == database { "the database" } else { "a file of the database" };
            told.push((file, what.to_owned()));
        }
        told.extend(inputs.iter().flat_map(|input| files_of(input)).map(|file| (file, "what is read".to_owned())));
    }
    for &Target { option, path, wanted } in targets {
        if let Some((_, what)) = told.iter().find(|(file, _)| is_same(path, file)) {
            let message = format!("{option} {} is {what}, and is not written over", path.display());
            return Err(CliError::usage(message).hint("name another file"));
        }
        told.push((path.to_owned(), format!("the file of {option}")));
        if wanted != TargetKind::Copy {
            files::check_writable(path).map_err(|error| cannot_write(path, &error))?;
            if !force {
                keep_others(option, path, wanted, database, is_heading)?;
            }
        }
    }
    Ok(())
}

/// Refuses to replace a file that is not like what is to be written, or that was imported.
fn keep_others(
    option: &str,
    path: &Path,
    wanted: TargetKind,
    database: &Path,
    is_heading: &dyn Fn(&str) -> bool,
) -> Result<(), CliError> {
    if !fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.len() > 0) || is_open_file(path) {
        return Ok(());
    }
    let is = |what: &str| {
        let message = format!("{option} {} is {what}, and is not replaced without --force", path.display());
        Err(CliError::usage(message).hint("name another file, or add --force"))
    };
    if let Some(source) = source_at(path, database) {
        return is(&format!("a text that was imported ({source})"));
    }
    // A file that cannot be read may be anything.
    let kind = FileKind::read(path).unwrap_or(FileKind::Binary);
    if wanted.replaces(kind) && (kind != FileKind::Words || has_our_heading(path, is_heading)) {
        Ok(())
    } else {
        is(kind.name())
    }
}

/// Whether the first line of a file is a heading of this command: a list of words is one column of CSV only then.
fn has_our_heading(path: &Path, is_heading: &dyn Fn(&str) -> bool) -> bool {
    let mut line = String::new();
    let read = fs::File::open(path).and_then(|file| BufReader::new(file.take(MAX_HEADING_BYTES)).read_line(&mut line));
    read.is_ok() && is_heading(line.trim_start_matches('\u{feff}').trim())
}

/// The source that was imported from the file at `path`, or has the same text. Where the database cannot be read, nothing is
/// known of sources.
fn source_at(path: &Path, database: &Path) -> Option<String> {
    let database = Database::open(database).ok()?;
    let names = database.source_names().ok()?;
    if let Some((_, name)) = names.into_iter().find(|(_, name)| name != "-" && is_same(path, Path::new(name))) {
        return Some(name);
    }
    let text = files::read_limited(path, MAX_TEXT_BYTES).ok()?;
    database.source_of_text(&text).ok()?
}

/// The files that an input stands for.
fn files_of(input: &Path) -> Vec<PathBuf> {
    if input.as_os_str() == "-" {
        // A file that the shell gives as standard input is seen by its number.
        return vec![PathBuf::from("/dev/stdin")];
    }
    let mut files = vec![input.to_owned()];
    if input.is_dir() {
        // What cannot be looked at is told by who reads it.
        let found = intake::inputs(&files).unwrap_or_default();
        files.extend(found.into_iter().filter_map(|input| input.path));
    }
    files
}

/// Whether two names are, or would be, one file, by whatever links they lead there.
fn is_same(one: &Path, other: &Path) -> bool {
    match (fs::metadata(one), fs::metadata(other)) {
        // Terminals and pipes are written and read at once.
        (Ok(meta), _) | (_, Ok(meta)) if !meta.is_file() => false,
        (Ok(one_meta), Ok(other_meta)) => {
            same_number(&one_meta, &other_meta).unwrap_or_else(|| resolved(one) == resolved(other))
        }
        (Err(_), Err(_)) => resolved(one) == resolved(other),
        _ => false,
    }
}

/// Whether two files have one number on one device, where the system numbers files.
#[cfg(unix)]
fn same_number(one: &fs::Metadata, other: &fs::Metadata) -> Option<bool> {
    use std::os::unix::fs::MetadataExt as _;
    Some((one.dev(), one.ino()) == (other.dev(), other.ino()))
}

#[cfg(not(unix))]
fn same_number(_: &fs::Metadata, _: &fs::Metadata) -> Option<bool> {
    None
}
