//! Where data goes: stdout, or a file that takes its name when the command has ended well.

use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use crate::files::{self, WholeFile};

use super::error::CliError;
use super::escaped::Escapes;
use super::pager::Screen;

/// Names of stdout as a file.
const STDOUT_NAMES: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// Where data goes.
pub(super) enum Output {
    /// Standard output; with escapes where it is a terminal that is given data for programs: PDN, CSV or JSON.
    Stdout(Screen, Option<Escapes>),
    /// A file by its name; `None` once it is committed or given up.
    File(PathBuf, Option<WholeFile>),
}

impl Output {
    /// The file at `path`, or stdout, where long output goes through a pager if `may_page` allows it.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(super) fn open(path: Option<&Path>, may_page: bool) -> Result<Self, CliError> {
        match path {
            Some(path) if !is_stdout(path) => {
                let file = WholeFile::create(path).map_err(|error| cannot_write(path, &error))?;
                Ok(Self::File(path.to_owned(), Some(file)))
            }
            _ => Ok(Self::Stdout(Screen::new(may_page), None)),
        }
    }

    /// Standard output, where data goes there.
    pub(super) const fn screen(&mut self) -> Option<&mut Screen> {
        match self {
            Self::Stdout(screen, _) => Some(screen),
            Self::File(..) => None,
        }
    }

    /// From here on data is written that does not escape what a terminal would obey, because programs read it.
    pub(super) fn begin_data(&mut self) {
        if let Self::Stdout(_, escapes) = self
            && io::stdout().is_terminal()
        {
            *escapes = Some(Escapes::default());
        }
    }

    /// Has everything written, and gives the file its name.
    ///
    /// # Errors
    /// When that fails; an older file is left then.
    pub(super) fn commit(&mut self) -> Result<(), CliError> {
        let committed = match self {
            Self::Stdout(screen, escapes) => return Ok(finish(screen, escapes.as_mut())?),
            Self::File(_, file) => file.take().map_or(Ok(()), WholeFile::commit),
        };
        committed.map_err(|error| self.explain(CliError::from(error)))
    }

    /// Gives the file up: an older one stays as it was. To a device or a pipe, and to stdout, what was printed is written.
    pub(super) fn give_up(&mut self) {
        // The error that is reported is the one that led here.
        let _ = match self {
            Self::Stdout(screen, escapes) => finish(screen, escapes.as_mut()),
            Self::File(_, file) => match file.take() {
                Some(file) if file.is_stream() => file.commit(),
                _ => Ok(()),
            },
        };
    }

    /// The file that has yet to take its name.
    pub(super) fn pending(&self) -> Option<&Path> {
        match self {
            Self::File(path, Some(file)) if !file.is_stream() => Some(path),
            _ => None,
        }
    }

    /// The file that giving up would leave as it is, in words.
    pub(super) fn untouched(&self) -> Option<String> {
        match self {
            Self::File(path, Some(file)) if !file.is_stream() && path.exists() => {
                Some(format!("{} is left as it was", path.display()))
            }
            _ => None,
        }
    }

    /// `error` with what becomes of the file.
    pub(super) fn explain(&self, error: CliError) -> CliError {
        match self {
            Self::File(path, _) if path.exists() && path.is_file() => {
                error.hint(format!("{} is left as it was", path.display()))
            }
            _ => error,
        }
    }
}

/// Writes out what is held back.
fn finish(screen: &mut Screen, escapes: Option<&mut Escapes>) -> io::Result<()> {
    if let Some(escapes) = escapes {
        escapes.finish(screen)?;
    }
    screen.finish()
}

/// Whether a path means standard output.
pub(super) fn is_stdout(path: &Path) -> bool {
    STDOUT_NAMES.iter().any(|name| path == Path::new(name))
}

/// The error of a file that cannot be written.
pub(super) fn cannot_write(path: &Path, error: &io::Error) -> CliError {
    CliError::usage(format!("cannot write {}: {}", path.display(), files::reason(error)))
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(out, None) => out.write(bytes),
            Self::Stdout(out, Some(escapes)) => escapes.write(bytes, out).map(|()| bytes.len()),
            Self::File(_, Some(file)) => file.write(bytes),
            Self::File(_, None) => Err(io::Error::other("the file is finished already")),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(out, _) => out.flush(),
            Self::File(_, Some(file)) => file.flush(),
            Self::File(_, None) => Ok(()),
        }
    }
}
