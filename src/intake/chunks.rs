//! Cutting a stream of bytes into chunks of whole games.

use std::io::Read;
use std::path::Path;

use crate::notation::limits::{MAX_BOOK_BYTES, MAX_GAME_BYTES};
use crate::notation::{Location, book, json, pdn};

use super::decode::{self, Encoding};
use super::input::InputPart;
use super::{Input, InputForm, IntakeError};
use super::{binary, packed};

/// Bytes of text that a chunk has at least, unless the text ends: small enough to keep all cores busy with a file of a few
/// megabytes, large enough for raw text to compress well.
pub(super) const CHUNK_BYTES: usize = 256 * 1024;
/// Bytes of a game beyond [`MAX_GAME_BYTES`] that are handed over at a time.
const MAX_SKIPPED_BYTES: usize = 1024 * 1024;
/// Bytes at the end of what is known of a text in which the end of a game may be told wrong.
const UNDECIDED_BYTES: usize = 1024;
/// Bytes asked of the system at a time.
const READ_BYTES: usize = 1024 * 1024;

/// A piece of text that starts and ends at game boundaries.
pub(super) struct RawChunk {
    pub(super) text: String,
    pub(super) start: Location,
    pub(super) form: InputForm,
    /// Whether the bytes were no UTF-8 and were read as Windows-1252.
    pub(super) guessed: bool,
    /// Bytes of the input read so far, this chunk included.
    pub(super) bytes_read: u64,
    /// Of a game that has too much text, which is not read.
    pub(super) skipped: Option<Skipped>,
}

/// A part of a game that has too much text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Skipped {
    /// The first: the game is refused there.
    First,
    /// A later one.
    More,
}

/// Looks for the end of a game that has too much text.
enum OversizeSkim {
    Pdn(pdn::GameSkim),
    Json(json::ObjectSkim),
}

impl OversizeSkim {
    fn feed(&mut self, bytes: &[u8]) -> Option<usize> {
        match self {
            Self::Pdn(skim) => skim.feed(bytes),
            Self::Json(skim) => skim.feed(bytes),
        }
    }
}

/// What can be made of the text that is known.
enum Cut {
    /// A chunk of so many bytes.
    At(usize),
    /// Nothing yet.
    Later,
    /// The game at its start has too much text.
    TooLong,
}

/// The chunks of one input.
pub(super) struct Chunks<R> {
    name: String,
    reader: R,
    buffer: Vec<u8>,
    /// Bytes of `buffer` that were handed out already.
    taken: usize,
    form: Option<InputForm>,
    encoding: Encoding,
    /// Bytes of UTF-16 that are half a character.
    half: Vec<u8>,
    /// Bytes that are to be known before a chunk is cut.
    wanted: usize,
    /// In the middle of a game that has too much text.
    skim: Option<OversizeSkim>,
    start: Location,
    bytes_read: u64,
    at_end: bool,
    started: bool,
    done: bool,
    /// What a packed text broke off with; told when all before it is handed out.
    broken: Option<IntakeError>,
}

impl<R: Read> Chunks<R> {
    /// The chunks of `reader`; without a `form`, the first bytes and the name decide.
    pub(super) fn new(input: &Input, reader: R, form: Option<InputForm>) -> Self {
        let named = if matches!(input.part, InputPart::Member(_)) {
            Some(Path::new(&input.name))
        } else {
            input.path.as_deref()
        };
        let ending = named.and_then(|path| packed::inner_name(path).extension());
        let ends_in =
            |endings: &[&str]| ending.is_some_and(|e| endings.iter().any(|known| e.eq_ignore_ascii_case(known)));
        let by_name = if ends_in(&["pdn"]) {
            Some(InputForm::Pdn)
        } else {
            ends_in(&["json", "ndjson", "jsonl"]).then_some(InputForm::Json)
        };
        Self {
            name: input.name.clone(),
            reader,
            buffer: Vec::new(),
            taken: 0,
            form: form.or(by_name),
            encoding: Encoding::Bytes,
            half: Vec::new(),
            wanted: 2 * CHUNK_BYTES,
            skim: None,
            start: Location::FIRST,
            bytes_read: 0,
            at_end: false,
            started: false,
            done: false,
            broken: None,
        }
    }

    /// The next chunk, or `None` at the end.
    pub(super) fn next_chunk(&mut self) -> Result<Option<RawChunk>, IntakeError> {
        if !self.started {
            self.start_reading()?;
        }
        if self.done {
            return self.broken.take().map_or(Ok(None), Err);
        }
        let form = self.form.unwrap_or(InputForm::Pdn);
        if form == InputForm::Book {
            self.fill_whole()?;
            self.done = true;
            let rest = self.buffer.split_off(self.taken);
            self.buffer = Vec::new();
            let (text, guessed) = decode::bytes(rest);
            return Ok(Some(self.chunk(text, form, guessed)));
        }
        loop {
            // A boundary is looked for only in text that is there.
            if self.buffer.len() - self.taken < self.wanted && !self.at_end {
                self.fill_more()?;
                // A text may end where a chunk did, which only the next reading shows.
                if self.buffer.is_empty() && self.at_end {
                    self.done = true;
                    return self.broken.take().map_or(Ok(None), Err);
                }
                continue;
            }
            if self.skim.is_some() {
                match self.skip(form) {
                    Some(part) => return Ok(Some(part)),
                    None => continue,
                }
            }
            match cut(&self.buffer[self.taken..], form, self.at_end) {
                Cut::At(length) => return Ok(Some(self.take(length, form))),
                // More is looked at where a game is longer than that.
                Cut::Later => self.wanted = (self.wanted * 2).min(MAX_GAME_BYTES + 1),
                Cut::TooLong => {
                    let mut skim = match form {
                        InputForm::Json => OversizeSkim::Json(json::ObjectSkim::default()),
                        InputForm::Pdn | InputForm::Book => OversizeSkim::Pdn(pdn::GameSkim::default()),
                    };
                    // An end so early is one of those that the reader did not take for one.
                    skim.feed_all(&self.buffer[self.taken..self.taken + MAX_GAME_BYTES]);
                    self.skim = Some(skim);
                    return Ok(Some(self.part(MAX_GAME_BYTES, form, Skipped::First)));
                }
            }
        }
    }

    /// The next `length` bytes as a chunk.
    fn take(&mut self, length: usize, form: InputForm) -> RawChunk {
        let end = self.taken + length;
        self.done = self.at_end && end == self.buffer.len();
        self.wanted = 2 * CHUNK_BYTES;
        let (text, guessed) = decode::bytes(self.buffer[self.taken..end].to_vec());
        self.taken = end;
        self.chunk(text, form, guessed)
    }

    /// The next `length` bytes as a part of a game that has too much text.
    fn part(&mut self, length: usize, form: InputForm, skipped: Skipped) -> RawChunk {
        let mut chunk = self.take(length, form);
        (chunk.skipped, chunk.guessed) = (Some(skipped), false);
        self.wanted = MAX_SKIPPED_BYTES + UNDECIDED_BYTES;
        chunk
    }

    /// The next part of a game that has too much text, to its end where that is known; nothing where it has ended.
    fn skip(&mut self, form: InputForm) -> Option<RawChunk> {
        let known = &self.buffer[self.taken..];
        let sure =
            if self.at_end { known.len() } else { known.len().saturating_sub(UNDECIDED_BYTES) }.min(MAX_SKIPPED_BYTES);
        let end = self.skim.as_mut().and_then(|skim| skim.feed(&known[..sure]));
        let part = (end != Some(0)).then(|| self.part(end.unwrap_or(sure), form, Skipped::More));
        if end.is_some() {
            self.skim = None;
            self.wanted = 2 * CHUNK_BYTES;
        }
        part
    }

    fn chunk(&mut self, text: String, form: InputForm, guessed: bool) -> RawChunk {
        let start = self.start;
        // A chunk of JSON may end inside a line.
        // Files of old Macintoshes end lines with a carriage return alone.
        let newline = if !text.contains('\n') && text.contains('\r') { '\r' } else { '\n' };
        let (column, last_line) = match text.rfind(newline) {
            Some(at) => (1, &text[at + 1..]),
            None => (start.column, &*text),
        };
        self.start = Location {
            byte: start.byte + text.len() as u64,
            line: start.line + memchr::memchr_iter(newline as u8, text.as_bytes()).count() as u32,
            column: column + last_line.chars().count() as u32,
        };
        RawChunk { text, start, form, guessed, bytes_read: self.bytes_read, skipped: None }
    }

    fn start_reading(&mut self) -> Result<(), IntakeError> {
        self.started = true;
        self.fill_more()?;
        if let Some(what) = binary::detect(&self.buffer) {
            return Err(IntakeError::NotText { name: self.name.clone(), what });
        }
        self.encoding = Encoding::detect(&self.buffer);
        if self.encoding != Encoding::Bytes {
            let raw = std::mem::take(&mut self.buffer);
            self.add_utf16(&raw);
        }
        if self.buffer.starts_with("\u{feff}".as_bytes()) {
            self.taken = 3;
        }
        if self.form.is_none() {
            let head = String::from_utf8_lossy(&self.buffer).into_owned();
            self.form = Some(if json::looks_like_json(&head) {
                InputForm::Json
            } else if looks_like_pdn(&head) {
                InputForm::Pdn
            } else {
                InputForm::Book
            });
        }
        self.done = self.at_end && self.buffer.len() == self.taken;
        Ok(())
    }

    fn fill_more(&mut self) -> Result<(), IntakeError> {
        self.buffer.drain(..self.taken);
        self.taken = 0;
        let before = self.buffer.len();
        let (read, got) = if self.encoding == Encoding::Bytes {
            let read = self.reader.by_ref().take(READ_BYTES as u64).read_to_end(&mut self.buffer);
            (read, self.buffer.len() - before)
        } else {
            let mut raw = Vec::with_capacity(READ_BYTES);
            let read = self.reader.by_ref().take(READ_BYTES as u64).read_to_end(&mut raw);
            self.add_utf16(&raw);
            (read, raw.len())
        };
        self.bytes_read += got as u64;
        match read {
            Ok(_) => {
                self.at_end = got < READ_BYTES;
                if self.at_end {
                    let rest = decode::utf16(&std::mem::take(&mut self.half), self.encoding);
                    self.buffer.extend_from_slice(rest.as_bytes());
                }
                Ok(())
            }
            Err(source) => {
                // Text that was unpacked before the damage is sound, or is proved move by move and said to be doubtful. A limit that is passed, and a disk that fails, end all at once.
                let is_damage = packed::is_damage(&source);
                let is_wrong = packed::is_wrong_checksum(&source);
                let is_cut = !is_wrong && !packed::is_behind_the_end(&source);
                let name = self.name.clone();
                let told = match is_wrong {
                    true => IntakeError::Checksum { name },
                    false => IntakeError::Read { name, bytes: self.bytes_read, source },
                };
                if !is_damage {
                    return Err(told);
                }
                self.broken = Some(told);
                self.at_end = true;
                if is_cut {
                    self.leave_out_half_a_game();
                }
                Ok(())
            }
        }
    }

    /// Adds bytes of UTF-16 as UTF-8.
    fn add_utf16(&mut self, raw: &[u8]) {
        self.half.extend_from_slice(raw);
        let kept = decode::half(&self.half, self.encoding);
        let whole = self.half.len() - kept;
        let text = decode::utf16(&self.half[..whole], self.encoding);
        self.buffer.extend_from_slice(text.as_bytes());
        self.half.drain(..whole);
    }

    /// Leaves out what stands behind the last end of a game that can be told: half a game is none.
    fn leave_out_half_a_game(&mut self) {
        let text = &self.buffer[self.taken..];
        // A line that ends with a result ends its game, and what broke off stands behind it.
        let mut words =
            text.strip_suffix(b"\n").map_or(&b""[..], |text| text.trim_ascii_end()).rsplit(u8::is_ascii_whitespace);
        if words.next().is_some_and(|word| matches!(word, b"*" | b"1-0" | b"0-1" | b"1/2-1/2")) {
            return;
        }
        let is_json = self.form == Some(InputForm::Json)
            || text.first().is_some_and(|byte| matches!(byte, b'[' | b'{'))
                && json::looks_like_json(&String::from_utf8_lossy(&text[..text.len().min(1_000)]));
        let mut end = 0;
        if is_json {
            end = json::last_end(text);
        }
        while let Some(next) = pdn::split(text, end + 1).filter(|next| !is_json && *next > end) {
            end = next;
        }
        // Where no boundary can be told, all is read as far as it goes.
        if end > 0 {
            self.buffer.truncate(self.taken + end);
        }
    }

    fn fill_whole(&mut self) -> Result<(), IntakeError> {
        loop {
            if self.buffer.len() - self.taken > MAX_BOOK_BYTES {
                let limit = MAX_BOOK_BYTES as u64;
                return Err(IntakeError::TooLarge { name: self.name.clone(), limit, what: "book" });
            }
            if self.at_end {
                return Ok(());
            }
            self.fill_more()?;
        }
    }
}

impl OversizeSkim {
    /// Takes in bytes in which no end counts.
    fn feed_all(&mut self, mut bytes: &[u8]) {
        while let Some(end) = self.feed(bytes) {
            // An end at once would be told for ever.
            bytes = bytes.get(end.max(1)..).unwrap_or_default();
        }
    }
}

/// Where `text` can be cut; `at_end` where nothing follows it.
fn cut(text: &[u8], form: InputForm, at_end: bool) -> Cut {
    let found = if form == InputForm::Json { json::split(text, CHUNK_BYTES) } else { pdn::split(text, CHUNK_BYTES) };
    if let Some(end) = found {
        return Cut::At(end);
    }
    let found = match form {
        _ if text.len() < 2 * CHUNK_BYTES => None,
        InputForm::Json => {
            let end = json::last_end(text);
            // Not through the middle of a character.
            let odd = text[..end].iter().rev().take(4).take_while(|byte| !byte.is_ascii()).count();
            Some(if at_end { end } else { end - odd }).filter(|end| *end > 0)
        }
        InputForm::Pdn | InputForm::Book => pdn::game_end(text, CHUNK_BYTES, at_end),
    };
    match found {
        Some(end) => Cut::At(end),
        None if text.len() <= MAX_GAME_BYTES => {
            if at_end {
                Cut::At(text.len())
            } else {
                Cut::Later
            }
        }
        // Blanks are no game.
        None => match text.iter().position(|byte| !byte.is_ascii_whitespace()) {
            Some(0) => Cut::TooLong,
            blanks => Cut::At(blanks.unwrap_or(text.len())),
        },
    }
}

/// Whether a text is PDN and not the text of a book: it has a tag line, or starts with a numbered move.
fn looks_like_pdn(head: &str) -> bool {
    book::looks_like_pdn(head)
}
