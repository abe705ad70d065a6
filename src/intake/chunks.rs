//! Cutting a stream of bytes into chunks of whole games.

use std::io::Read;
use std::path::Path;

use crate::board::Variant;
use crate::notation::{Place, book, json, pdn};

use super::decode::{self, Encoding};
use super::inputs::Part;
use super::{Form, Input, IntakeError};
use super::{binary, packed};

/// Bytes of text that a chunk has at least, unless the text ends: small enough to keep all cores busy with a file of a few
/// megabytes, large enough for raw text to compress well.
const CHUNK: usize = 256 * 1024;
/// The largest text that is read whole: books, UTF-16, and PDN in which no boundary between games can be told.
const WHOLE_LIMIT: u64 = 256 * 1024 * 1024;
/// Bytes asked of the system at a time.
const READ: usize = 1024 * 1024;

/// A piece of text that starts and ends at game boundaries.
pub(super) struct RawChunk {
    pub(super) text: String,
    pub(super) start: Place,
    pub(super) form: Form,
    /// Whether the bytes were no UTF-8 and were read as Windows-1252.
    pub(super) guessed: bool,
    /// Bytes of the input read so far, this chunk included.
    pub(super) bytes_read: u64,
}

/// The chunks of one input.
pub(super) struct Chunks<R> {
    name: String,
    reader: R,
    buffer: Vec<u8>,
    /// Bytes of `buffer` that were handed out already.
    taken: usize,
    form: Option<Form>,
    encoding: Encoding,
    start: Place,
    bytes_read: u64,
    at_end: bool,
    started: bool,
    done: bool,
    /// What a packed text broke off with; told when all before it is handed out.
    broken: Option<IntakeError>,
}

impl<R: Read> Chunks<R> {
    /// The chunks of `reader`; without a `form`, the first bytes and the name decide.
    pub(super) fn new(input: &Input, reader: R, form: Option<Form>) -> Self {
        let named =
            if matches!(input.part, Part::Member(_)) { Some(Path::new(&input.name)) } else { input.path.as_deref() };
        let ending = named.and_then(|path| packed::inner_name(path).extension());
        let ends_in =
            |endings: &[&str]| ending.is_some_and(|e| endings.iter().any(|known| e.eq_ignore_ascii_case(known)));
        let by_name = if ends_in(&["pdn"]) {
            Some(Form::Pdn)
        } else {
            ends_in(&["json", "ndjson", "jsonl"]).then_some(Form::Json)
        };
        Self {
            name: input.name.clone(),
            reader,
            buffer: Vec::new(),
            taken: 0,
            form: form.or(by_name),
            encoding: Encoding::Bytes,
            start: Place::START,
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
        let form = self.form.unwrap_or(Form::Pdn);
        if form == Form::Book || self.encoding != Encoding::Bytes {
            self.fill_whole(form)?;
            self.done = true;
            let rest = self.buffer.split_off(self.taken);
            let (text, guessed) = match self.encoding {
                Encoding::Bytes => decode::bytes(rest),
                other => (decode::utf16(&rest, other), false),
            };
            return Ok(Some(self.chunk(text, form, guessed)));
        }
        let mut at_least = CHUNK;
        loop {
            let pending = self.buffer.len() - self.taken;
            // A boundary is looked for only in text that is there; double the look-ahead where a game is longer than that.
            if pending < 2 * at_least && !self.at_end {
                self.fill_more()?;
                if self.buffer.is_empty()
                    && let Some(broken) = self.broken.take()
                {
                    self.done = true;
                    return Err(broken);
                }
                continue;
            }
            let text = &self.buffer[self.taken..];
            let cut = if form == Form::Json { json::split(text, CHUNK) } else { pdn::split(text, CHUNK) };
            if cut.is_none() && !self.at_end {
                at_least *= 2;
                if at_least as u64 > WHOLE_LIMIT {
                    let what = if form == Form::Json { "game" } else { "text without a tag line between its games" };
                    return Err(IntakeError::TooLarge { name: self.name.clone(), limit: WHOLE_LIMIT, what });
                }
                continue;
            }
            let end = cut.map_or(self.buffer.len(), |cut| self.taken + cut);
            if end == self.buffer.len() {
                self.done = self.at_end;
            }
            let bytes = self.buffer[self.taken..end].to_vec();
            self.taken = end;
            let (text, guessed) = decode::bytes(bytes);
            return Ok(Some(self.chunk(text, form, guessed)));
        }
    }

    fn chunk(&mut self, text: String, form: Form, guessed: bool) -> RawChunk {
        let start = self.start;
        // A chunk of JSON may end inside a line.
        let (column, last_line) = match text.rfind('\n') {
            Some(at) => (1, &text[at + 1..]),
            None => (start.column, &*text),
        };
        self.start = Place {
            byte: start.byte + text.len() as u64,
            line: start.line + memchr::memchr_iter(b'\n', text.as_bytes()).count() as u32,
            column: column + last_line.chars().count() as u32,
        };
        RawChunk { text, start, form, guessed, bytes_read: self.bytes_read }
    }

    fn start_reading(&mut self) -> Result<(), IntakeError> {
        self.started = true;
        self.fill_more()?;
        if let Some(what) = binary::told(&self.buffer) {
            return Err(IntakeError::NotText { name: self.name.clone(), what });
        }
        self.encoding = Encoding::of(&self.buffer);
        if self.buffer.starts_with("\u{feff}".as_bytes()) {
            self.taken = 3;
        }
        if self.form.is_none() {
            let head = match self.encoding {
                Encoding::Bytes => String::from_utf8_lossy(&self.buffer).into_owned(),
                other => decode::utf16(&self.buffer, other),
            };
            self.form = Some(if json::looks_like_json(&head) {
                Form::Json
            } else if looks_like_pdn(&head) {
                Form::Pdn
            } else {
                Form::Book
            });
        }
        self.done = self.at_end && self.buffer.len() == self.taken;
        Ok(())
    }

    fn fill_more(&mut self) -> Result<(), IntakeError> {
        self.buffer.drain(..self.taken);
        self.taken = 0;
        let before = self.buffer.len();
        let read = self.reader.by_ref().take(READ as u64).read_to_end(&mut self.buffer);
        let got = self.buffer.len() - before;
        self.bytes_read += got as u64;
        match read {
            Ok(_) => {
                self.at_end = got < READ;
                Ok(())
            }
            Err(source) => {
                // Text that was unpacked before the damage is sound. A limit that is passed, and a disk that fails, end all at once.
                let is_damage = packed::is_damage(&source);
                let is_cut = !packed::is_behind_the_end(&source);
                let told = IntakeError::Read { name: self.name.clone(), bytes: self.bytes_read, source };
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

    /// Leaves out what stands behind the last end of a game that can be told: half a game is none.
    fn leave_out_half_a_game(&mut self) {
        let text = &self.buffer[self.taken..];
        // A line that ends with a result ends its game, and what broke off stands behind it.
        let mut words =
            text.strip_suffix(b"\n").map_or(&b""[..], |text| text.trim_ascii_end()).rsplit(u8::is_ascii_whitespace);
        if words.next().is_some_and(|word| matches!(word, b"*" | b"1-0" | b"0-1" | b"1/2-1/2")) {
            return;
        }
        let is_json = self.form == Some(Form::Json)
            || text.first().is_some_and(|byte| matches!(byte, b'[' | b'{'))
                && json::looks_like_json(&String::from_utf8_lossy(&text[..text.len().min(1_000)]));
        let split = |from: usize| if is_json { json::split(text, from) } else { pdn::split(text, from) };
        let mut end = 0;
        while let Some(next) = split(end + 1).filter(|next| *next > end) {
            end = next;
        }
        // Where no boundary can be told, all is read as far as it goes.
        if end > 0 {
            self.buffer.truncate(self.taken + end);
        }
    }

    fn fill_whole(&mut self, form: Form) -> Result<(), IntakeError> {
        while !self.at_end {
            if self.bytes_read > WHOLE_LIMIT {
                let what = if form == Form::Book { "book" } else { "text in UTF-16" };
                return Err(IntakeError::TooLarge { name: self.name.clone(), limit: WHOLE_LIMIT, what });
            }
            self.fill_more()?;
        }
        Ok(())
    }
}

/// Whether a text is PDN and not the text of a book: it has a tag line, or starts with a numbered move.
fn looks_like_pdn(head: &str) -> bool {
    book::looks_like_pdn(head)
}

/// Reads a chunk: the parse boundary, where bytes become play as written.
pub(super) fn parse(
    raw: &RawChunk,
    variant: Variant,
    mut each: impl FnMut(crate::notation::ParsedGame),
) -> book::BookText {
    match raw.form {
        Form::Pdn => {
            let mut reader = pdn::PdnReader::new(&raw.text, raw.start, 1, variant);
            reader.by_ref().for_each(&mut each);
            book::BookText { diagnostics: reader.take_outside(), ..book::BookText::default() }
        }
        Form::Json => {
            let mut reader = json::JsonReader::new(&raw.text, raw.start, 1, variant);
            reader.by_ref().for_each(&mut each);
            book::BookText { diagnostics: reader.take_outside(), ..book::BookText::default() }
        }
        Form::Book => {
            let mut found = book::read(&raw.text, variant);
            std::mem::take(&mut found.games).into_iter().for_each(each);
            found
        }
    }
}
