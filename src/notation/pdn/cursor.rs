//! A place in the text that moves forward only, with its line and column.

use memchr::{memchr, memchr_iter, memchr2};

use crate::notation::Location;

/// How far into a line a tag or a damaged word is looked for.
pub(super) const MAX_TOKEN_BYTES: usize = 16 << 10;

/// A position in a text. Copying it is how the reader looks ahead.
#[derive(Clone, Copy)]
pub(super) struct TextCursor<'a> {
    text: &'a str,
    pos: usize,
    /// The place of the first byte of the text.
    start: Location,
    line: u32,
    /// A byte of this line whose column is known.
    mark: usize,
    mark_column: u32,
    /// What ends a line: a carriage return in the files of old Macintoshes.
    newline: u8,
    ascii: bool,
}

impl<'a> TextCursor<'a> {
    pub(super) fn new(text: &'a str, start: Location) -> Self {
        let bytes = text.as_bytes();
        let old_mac = memchr(b'\n', bytes).is_none() && memchr(b'\r', bytes).is_some();
        Self {
            text,
            pos: 0,
            start,
            line: start.line,
            mark: 0,
            mark_column: start.column,
            newline: if old_mac { b'\r' } else { b'\n' },
            ascii: text.is_ascii(),
        }
    }

    #[inline]
    pub(super) const fn pos(&self) -> usize {
        self.pos
    }

    #[inline]
    pub(super) const fn newline(&self) -> u8 {
        self.newline
    }

    /// The byte here.
    #[inline]
    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.pos).copied()
    }

    /// The bytes from here on.
    #[inline]
    pub(super) fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.pos..).unwrap_or_default()
    }

    /// The text from here on.
    pub(super) fn rest_text(&self) -> &'a str {
        self.text.get(self.pos..).unwrap_or_default()
    }

    /// The text of these bytes.
    pub(super) fn slice(&self, from: usize, to: usize) -> &'a str {
        self.text.get(from..to).unwrap_or_default()
    }

    /// Steps over `bytes` bytes that hold no line end.
    #[inline]
    pub(super) const fn step(&mut self, bytes: usize) {
        self.pos += bytes;
    }

    /// Steps over one line end.
    #[inline]
    pub(super) const fn step_newline(&mut self) {
        self.pos += 1;
        self.line += 1;
        self.mark = self.pos;
        self.mark_column = 1;
    }

    /// Steps over `bytes` bytes that may hold line ends.
    pub(super) fn step_lines(&mut self, bytes: usize) {
        let passed = self.rest().get(..bytes).unwrap_or_default();
        let mut last = None;
        for at in memchr_iter(self.newline, passed) {
            self.line += 1;
            last = Some(at);
        }
        if let Some(at) = last {
            self.mark = self.pos + at + 1;
            self.mark_column = 1;
        }
        self.pos += bytes;
    }

    /// The text from `start`, a place before this one, up to here.
    pub(super) fn since(&self, start: Self) -> &'a str {
        self.slice(start.pos, self.pos)
    }

    /// Whether the line ends behind so many bytes.
    pub(super) fn ends_line(&self, bytes: usize) -> bool {
        self.rest().get(bytes).is_none_or(|byte| *byte == self.newline)
    }

    /// The bytes of a tag too long to be read: up to its closing bracket, or the end of the line.
    pub(super) fn long_tag(&self) -> usize {
        let rest = self.rest();
        let mut from = 0;
        while let Some(at) = memchr2(b'"', self.newline, rest.get(from..).unwrap_or_default()) {
            from += at + 1;
            match (rest.get(from - 1), rest.get(from)) {
                (Some(b'"'), Some(b']')) => return from + 1,
                (Some(b'"'), _) => {}
                _ => return from - 1,
            }
        }
        rest.len()
    }

    /// How many bytes this line still has, its end not counted.
    pub(super) fn line_rest(&self) -> usize {
        memchr(self.newline, self.rest()).unwrap_or(self.rest().len())
    }

    /// The rest of this line, or its first [`MAX_TOKEN_BYTES`] bytes. The bound keeps a line of a million damaged words or tags
    /// from being walked a million times.
    pub(super) fn line_text(&self) -> &'a str {
        let text = self.rest_text();
        let bytes = text.as_bytes();
        let mut end = bytes.len().min(MAX_TOKEN_BYTES);
        end = memchr(self.newline, bytes.get(..end).unwrap_or_default()).unwrap_or(end);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.get(..end).unwrap_or_default()
    }

    /// Whether nothing stands before this place in its line.
    pub(super) fn at_line_start(&self) -> bool {
        match self.pos.checked_sub(1) {
            None => self.start.column == 1,
            Some(before) => self.text.as_bytes().get(before) == Some(&self.newline),
        }
    }

    /// The byte of the whole text here.
    #[inline]
    pub(super) const fn byte(&self) -> u64 {
        self.start.byte + self.pos as u64
    }

    /// The place of this byte.
    #[inline]
    pub(super) fn location(&mut self) -> Location {
        let passed = self.text.as_bytes().get(self.mark..self.pos).unwrap_or_default();
        let column = if self.ascii {
            self.mark_column + passed.len() as u32
        } else {
            // The mark moves along, so that a long line is counted once and not once a token.
            self.mark_column += passed.iter().filter(|&&b| b & 0xC0 != 0x80).count() as u32;
            self.mark = self.pos;
            self.mark_column
        };
        Location { byte: self.byte(), line: self.line, column }
    }
}
