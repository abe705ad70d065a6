//! Standard output, and the pager through which long output goes.
//!
//! What is printed on a terminal while `PAGER` is set is held back until it is clear that it needs more lines than the
//! screen has. Then the pager is started and gets everything; else all is printed as it is at the end. Messages that
//! belong after what is held back are held back with it, and wait for the end of the pager, which owns the screen.
//!
//! A screen goes through these states and never back, but for a pager that cannot be started:
//! 1. [`PagerState::Held`]: at most a screenful, or [`MAX_HELD_BYTES`] bytes.
//! 2. [`PagerState::Paged`]: the pager runs. What it was given first is kept, because a shell that finds no such program has
//!    accepted a pipe full of text before that shows.
//! 3. [`PagerState::Left`]: the person left the pager early, and more data is an error, that of a closed pipe.
//!
//! Where there is no pager, and after one that cannot be started, the only state is [`PagerState::Plain`]: straight to stdout. A
//! program that is not there is noticed before anything is printed, so that tables keep to the screen; where that matters, the
//! person hears of it last, below all that was printed.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::render::display_width;
use crate::table::quoted;

use super::environment::variable;
use super::terminal;

/// Bytes that are held back at most, whatever number of lines they are.
const MAX_HELD_BYTES: usize = 64 * 1024;
/// Bytes kept of what a pager was given: more than a pipe holds, so nothing is lost with a pager that never read.
const MAX_KEPT_BYTES: usize = 2 * 1024 * 1024;
/// What `less` does where `LESS` does not say: leave short texts on the screen, show colours, do not clear the screen.
const LESS_OPTIONS: &str = "FRX";
/// A shell's statuses for a program that cannot be run or is not there.
const NOT_STARTED_STATUSES: [i32; 2] = [126, 127];

/// Whether a pager owns the terminal: Ctrl-C is for it then, and `signals` passes over it.
static PAGING: AtomicBool = AtomicBool::new(false);

/// Whether a pager owns the terminal.
pub(super) fn is_paging() -> bool {
    PAGING.load(Ordering::Relaxed)
}

/// Data, or a message that stands between data.
enum PagePart {
    Data(Vec<u8>),
    Message(String),
}

/// A pager that runs.
struct Pager {
    command: String,
    child: Child,
    input: BufWriter<ChildStdin>,
    /// What it was given first.
    kept: Vec<u8>,
    messages: Vec<String>,
}

enum PagerState {
    Plain(BufWriter<io::Stdout>),
    Held { command: String, parts: Vec<PagePart>, room: Room },
    Paged(Pager),
    Left,
}

/// A pager that cannot be started.
struct Missing {
    command: String,
    /// What was printed without it, until that is more than a screenful.
    room: Room,
    /// Whether it would have had something to do.
    is_missed: bool,
}

impl Missing {
    fn take(&mut self, bytes: &[u8]) {
        if !self.is_missed {
            self.room.take(bytes);
            self.is_missed = self.room.is_full();
        }
    }
}

/// Standard output as a place for data.
pub(super) struct Screen {
    state: PagerState,
    missing: Option<Missing>,
}

impl Screen {
    /// Standard output, which goes through a pager where `may_page` allows it, stdout is a terminal and `PAGER` names one.
    pub(super) fn new(may_page: bool) -> Self {
        let command = variable("PAGER").filter(|_| may_page && io::stdout().is_terminal());
        let command = command.map(|command| command.to_string_lossy().into_owned());
        let (command, missing) = match command.filter(|command| !command.trim().is_empty()) {
            Some(command) if is_there(&command) => (Some(command), None),
            other => (None, other),
        };
        let state = match command {
            Some(command) => PagerState::Held { command, parts: Vec::new(), room: Room::of_terminal() },
            None => PagerState::Plain(BufWriter::new(io::stdout())),
        };
        let missing = missing.map(|command| Missing { command, room: Room::of_terminal(), is_missed: false });
        Self { state, missing }
    }

    /// Takes note that something was left out because the screen has no room for it.
    pub(super) const fn left_something_out(&mut self) {
        if let Some(missing) = &mut self.missing {
            missing.is_missed = true;
        }
    }

    /// Takes note of a pager that was found missing only when it was started.
    fn misses(&mut self, command: String) {
        self.missing = Some(Missing { command, room: Room::of_terminal(), is_missed: true });
    }

    /// Whether long output goes through a pager.
    pub(super) const fn pages(&self) -> bool {
        matches!(self.state, PagerState::Held { .. } | PagerState::Paged(_))
    }

    /// Takes a message that belongs after data held back here, to be printed in its turn; whether it was taken. What is not
    /// held back is written out first, so that the message can be printed after it at once.
    pub(super) fn takes_message(&mut self, message: &str) -> bool {
        let same_screen = io::stderr().is_terminal();
        match &mut self.state {
            PagerState::Held { parts, room, .. } if same_screen && !parts.is_empty() => {
                room.take(message.as_bytes());
                room.take(b"\n");
                parts.push(PagePart::Message(message.to_owned()));
                true
            }
            PagerState::Paged(pager) if same_screen => {
                pager.messages.push(message.to_owned());
                true
            }
            PagerState::Plain(out) => {
                // What fails here stays buffered and is reported at the end.
                let _ = out.flush();
                false
            }
            PagerState::Held { .. } | PagerState::Paged(_) | PagerState::Left => false,
        }
    }

    /// Writes out what is held back, and waits for the pager.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        match &self.state {
            PagerState::Plain(_) | PagerState::Left => {}
            PagerState::Held { .. } => self.print_held()?,
            PagerState::Paged(_) => drop(self.end_pager()?),
        }
        match &mut self.state {
            PagerState::Plain(out) => out.flush(),
            PagerState::Held { .. } | PagerState::Paged(_) | PagerState::Left => Ok(()),
        }
    }

    /// Prints what was held back as it is, and everything after it.
    fn print_held(&mut self) -> io::Result<()> {
        let held = std::mem::replace(&mut self.state, PagerState::Plain(BufWriter::new(io::stdout())));
        let PagerState::Held { parts, .. } = held else { return Ok(()) };
        for part in parts {
            match part {
                PagePart::Data(bytes) => self.write_all(&bytes)?,
                PagePart::Message(text) => {
                    self.flush()?;
                    print_message(&text);
                }
            }
        }
        Ok(())
    }

    /// Starts the pager with what was held back; prints that plainly where there is no starting it.
    fn start_pager(&mut self) -> io::Result<()> {
        let PagerState::Held { command, .. } = &self.state else { return Ok(()) };
        let command = command.clone();
        let Some((child, input)) = start(&command) else {
            self.misses(command);
            return self.print_held();
        };
        PAGING.store(true, Ordering::Relaxed);
        let pager = Pager { command, child, input: BufWriter::new(input), kept: Vec::new(), messages: Vec::new() };
        let held = std::mem::replace(&mut self.state, PagerState::Paged(pager));
        let PagerState::Held { parts, .. } = held else { return Ok(()) };
        for part in parts {
            match (part, &mut self.state) {
                (PagePart::Message(text), PagerState::Paged(pager)) => pager.messages.push(text),
                (PagePart::Message(text), _) => print_message(&text),
                (PagePart::Data(bytes), _) => self.write_all(&bytes)?,
            }
        }
        Ok(())
    }

    /// Waits until the person leaves the pager; what it could not be given because it was never started is printed plainly.
    /// Returns whether it was started.
    fn end_pager(&mut self) -> io::Result<bool> {
        let paged = std::mem::replace(&mut self.state, PagerState::Plain(BufWriter::new(io::stdout())));
        let PagerState::Paged(Pager { command, mut child, mut input, kept, messages }) = paged else {
            return Ok(false);
        };
        // Where the person left before the end this fails, and what follows fails with it.
        let flushed = input.flush();
        // The pager sees the end of the text. What `into_parts` leaves unwritten was not wanted.
        drop(input.into_parts());
        let status = child.wait()?;
        PAGING.store(false, Ordering::Relaxed);
        let is_started = status.code().is_none_or(|code| !NOT_STARTED_STATUSES.contains(&code));
        if !is_started {
            self.misses(command);
            self.write_all(&kept)?;
            self.flush()?;
        }
        messages.iter().for_each(|message| print_message(message));
        if is_started {
            flushed?;
        }
        Ok(is_started)
    }
}

impl Drop for Screen {
    /// Says that the pager is missing, below everything else.
    fn drop(&mut self) {
        let Some(missing) = self.missing.take().filter(|missing| missing.is_missed) else { return };
        // Whoever printed has heard of an error here.
        let _ = self.finish();
        print_message(&not_started(&missing.command));
    }
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let failed = match &mut self.state {
            PagerState::Plain(out) => {
                let written = out.write(bytes)?;
                if let Some(missing) = &mut self.missing {
                    missing.take(&bytes[..written]);
                }
                return Ok(written);
            }
            PagerState::Left => return Err(io::ErrorKind::BrokenPipe.into()),
            PagerState::Held { parts, room, .. } => {
                room.take(bytes);
                match parts.last_mut() {
                    Some(PagePart::Data(data)) => data.extend_from_slice(bytes),
                    _ => parts.push(PagePart::Data(bytes.to_vec())),
                }
                if room.is_full() {
                    self.start_pager()?;
                }
                return Ok(bytes.len());
            }
            PagerState::Paged(pager) => {
                if pager.kept.len() < MAX_KEPT_BYTES {
                    pager.kept.extend_from_slice(bytes);
                }
                match pager.input.write_all(bytes) {
                    Ok(()) => return Ok(bytes.len()),
                    Err(error) => error,
                }
            }
        };
        // The pager is gone: the person left it, or it was never there, and then all of `bytes` is printed.
        match self.end_pager() {
            Ok(false) => Ok(bytes.len()),
            Ok(true) | Err(_) => {
                self.state = PagerState::Left;
                Err(failed)
            }
        }
    }

    /// What is held back stays so.
    fn flush(&mut self) -> io::Result<()> {
        match &mut self.state {
            PagerState::Plain(out) => out.flush(),
            PagerState::Held { .. } | PagerState::Left => Ok(()),
            PagerState::Paged(pager) => match pager.input.flush() {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => self.end_pager().map(drop),
                flushed => flushed,
            },
        }
    }
}

/// How much of a screen a text takes.
struct Room {
    columns: usize,
    lines: usize,
    used: usize,
    bytes: usize,
    /// The line that has no end yet.
    line: Vec<u8>,
}

impl Room {
    fn of_terminal() -> Self {
        let lines = usize::from(terminal::height().unwrap_or(24));
        Self { columns: terminal::width(true).into(), lines, used: 0, bytes: 0, line: Vec::new() }
    }

    fn take(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len();
        let mut rest = bytes;
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            self.line.extend_from_slice(&rest[..end]);
            let width = visible_width(&String::from_utf8_lossy(&self.line));
            self.used += width.div_ceil(self.columns.max(1)).max(1);
            self.line.clear();
            rest = &rest[end + 1..];
        }
        self.line.extend_from_slice(rest);
    }

    /// Whether the text and the next prompt do not fit.
    const fn is_full(&self) -> bool {
        self.used >= self.lines || self.bytes > MAX_HELD_BYTES
    }
}

/// How many columns a line takes: escape sequences for colours take none.
fn visible_width(line: &str) -> usize {
    let mut width = 0;
    for (at, part) in line.split('\x1b').enumerate() {
        let shown = if at == 0 { part } else { part.split_once('m').map_or("", |(_, shown)| shown) };
        width += display_width(shown);
    }
    width
}

/// Starts a pager as git and man do: a shell reads the variable, so it may have options.
fn start(command: &str) -> Option<(Child, ChildStdin)> {
    let mut pager = shell(command)?;
    pager.stdin(Stdio::piped());
    if variable("LESS").is_none() {
        pager.env("LESS", LESS_OPTIONS);
    }
    let mut child = pager.spawn().ok()?;
    let input = child.stdin.take()?;
    Some((child, input))
}

/// Whether a shell can read a pager's command and finds its program. A program of more than plain letters is not looked for.
#[cfg(unix)]
fn is_there(command: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./+".contains(letter);
    let program = command.split_whitespace().next().filter(|program| program.chars().all(plain));
    // Plain words need no look at quotes and the like.
    let script = match program {
        Some(_) if command.split_whitespace().all(|word| word.chars().all(plain)) => "command -v \"$1\"",
        Some(_) => "command -v \"$1\" && sh -n -c \"$0\"",
        None => "sh -n -c \"$0\"",
    };
    let mut shell = Command::new("sh");
    shell.args(["-c", script, command, program.unwrap_or_default()]);
    shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    shell.status().is_ok_and(|status| status.success())
}

#[cfg(not(unix))]
const fn is_there(_command: &str) -> bool {
    true
}

#[cfg(unix)]
fn shell(command: &str) -> Option<Command> {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]);
    Some(shell)
}

#[cfg(not(unix))]
fn shell(command: &str) -> Option<Command> {
    let mut words = command.split_whitespace();
    let mut pager = Command::new(words.next()?);
    pager.args(words);
    Some(pager)
}

fn not_started(command: &str) -> String {
    terminal::message(&format!(
        "The pager {command} that PAGER names cannot be started; this was printed without it.",
        command = quoted(command)
    ))
}

/// Prints a message that is clean already. A closed stderr loses nothing that anyone could read.
fn print_message(message: &str) {
    let _ = writeln!(io::stderr(), "{message}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_screen_is_full_when_the_prompt_has_no_line_left() {
        let mut room = Room { columns: 10, lines: 4, used: 0, bytes: 0, line: Vec::new() };
        room.take(b"one\ntw");
        room.take(b"o\n\x1b[1m0123456789\x1b[0m\nunfinished");
        assert!((room.used, room.is_full()) == (3, false));
        room.take(b" line\n");
        assert!((room.used, room.is_full()) == (5, true));
        let mut long = Room { columns: 10, lines: 40, used: 0, bytes: 0, line: Vec::new() };
        long.take(&[b'x'; MAX_HELD_BYTES + 1]);
        assert!(long.is_full());
    }
}
