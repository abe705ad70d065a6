//! JSON to tokens, with their places.

use std::borrow::Cow;

use crate::notation::Location;
use crate::table::quoted;

use super::split::string_end;

/// One token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum JsonToken<'a> {
    /// One of `{}[]:,`.
    Sign(u8),
    /// A string, escapes resolved.
    String(Cow<'a, str>),
    /// Anything else: a number, a word, or what is no JSON.
    Word(&'a str),
    /// The end of the text.
    End,
}

/// Goes through a text once, forward.
pub(super) struct Lexer<'a> {
    text: &'a str,
    pos: usize,
    /// The byte of the first token of the text, counted in the whole text.
    first_byte: u64,
    line: u32,
    /// A byte whose column is known.
    mark: usize,
    mark_column: u32,
}

impl<'a> Lexer<'a> {
    pub(super) const fn new(text: &'a str, start: Location) -> Self {
        Self { text, pos: 0, first_byte: start.byte, line: start.line, mark: 0, mark_column: start.column }
    }

    /// The bytes from here on.
    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.pos..).unwrap_or_default()
    }

    /// The place here.
    pub(super) fn location(&mut self) -> Location {
        // The mark moves along, so that a long line is counted once and not once a token.
        let passed = self.text.get(self.mark..self.pos).unwrap_or_default();
        self.mark_column = self.mark_column.saturating_add(passed.chars().count() as u32);
        self.mark = self.pos;
        Location { byte: self.first_byte + self.pos as u64, line: self.line, column: self.mark_column }
    }

    /// Steps over `bytes` bytes; to the next whole character.
    pub(super) fn step(&mut self, bytes: usize) {
        let mut end = (self.pos + bytes).min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        for at in memchr::memchr_iter(b'\n', &self.text.as_bytes()[self.pos..end]) {
            self.line += 1;
            (self.mark, self.mark_column) = (self.pos + at + 1, 1);
        }
        self.pos = end;
    }

    /// Steps over blanks.
    pub(super) fn skip_blanks(&mut self) {
        let blanks = self.rest().bytes().take_while(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n')).count();
        self.step(blanks);
    }

    /// The next token and where it stands.
    pub(super) fn next(&mut self) -> (JsonToken<'a>, Location) {
        self.skip_blanks();
        let place = self.location();
        let rest = self.rest();
        let token = match rest.bytes().next() {
            None => JsonToken::End,
            Some(sign @ (b'{' | b'}' | b'[' | b']' | b':' | b',')) => {
                self.step(1);
                JsonToken::Sign(sign)
            }
            Some(b'"') => {
                let end = string_end(rest.as_bytes(), 1).unwrap_or(rest.len());
                self.step(end);
                let inside = rest.get(1..end).unwrap_or_default();
                JsonToken::String(unescape(inside.strip_suffix('"').unwrap_or(inside)))
            }
            Some(_) => {
                let is_end = |c: char| c.is_whitespace() || matches!(c, '{' | '}' | '[' | ']' | ':' | ',' | '"');
                let word = rest.get(..rest.find(is_end).unwrap_or(rest.len())).unwrap_or_default();
                // A blank that is none for JSON is a word of its own.
                let word = if word.is_empty() { rest.get(..1).unwrap_or("\u{fffd}") } else { word };
                self.step(word.len());
                JsonToken::Word(word)
            }
        };
        (token, place)
    }
}

/// The text of a string. Half a pair of UTF-16 and what is no escape become U+FFFD.
fn unescape(inside: &str) -> Cow<'_, str> {
    if memchr::memchr(b'\\', inside.as_bytes()).is_none() {
        return Cow::Borrowed(inside);
    }
    let mut text = String::with_capacity(inside.len());
    let mut rest = inside;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let behind = &rest[at + 1..];
        let Some(kind) = behind.chars().next() else {
            text.push(char::REPLACEMENT_CHARACTER);
            return Cow::Owned(text);
        };
        rest = &behind[kind.len_utf8()..];
        match kind {
            '"' | '\\' | '/' => text.push(kind),
            'b' => text.push('\u{8}'),
            'f' => text.push('\u{c}'),
            'n' => text.push('\n'),
            'r' => text.push('\r'),
            't' => text.push('\t'),
            'u' => {
                let (c, length) = code_point(rest);
                text.push(c);
                rest = rest.get(length..).unwrap_or_default();
            }
            _ => text.push(char::REPLACEMENT_CHARACTER),
        }
    }
    text.push_str(rest);
    Cow::Owned(text)
}

/// The character of four hex digits, and of a second escape where they are half of a pair; how many bytes were read.
fn code_point(rest: &str) -> (char, usize) {
    let unit = |text: &str| {
        let digits = text.get(..4).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
        u16::from_str_radix(digits, 16).ok()
    };
    let Some(first) = unit(rest) else { return (char::REPLACEMENT_CHARACTER, 0) };
    let second = rest.get(4..).and_then(|behind| behind.strip_prefix("\\u")).and_then(unit);
    match (char::decode_utf16([first]).next(), second) {
        (Some(Ok(c)), _) => (c, 4),
        (_, Some(second)) => match char::decode_utf16([first, second]).next() {
            Some(Ok(c)) => (c, 10),
            _ => (char::REPLACEMENT_CHARACTER, 4),
        },
        _ => (char::REPLACEMENT_CHARACTER, 4),
    }
}

/// A token for people, cut short.
pub(super) fn describe(token: &JsonToken<'_>) -> String {
    let clip = |text: &str| text.chars().take(40).collect::<String>();
    match token {
        JsonToken::Sign(sign) => char::from(*sign).to_string(),
        JsonToken::String(text) => quoted(&clip(text)),
        JsonToken::Word(word) => clip(word),
        JsonToken::End => "the end of the object".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_resolved() {
        let found = |text: &str| unescape(text).into_owned();
        assert_eq!(found(r#"a\"\\\/\n\té"#), "a\"\\/\n\té");
        assert_eq!(found(r"\u00e9\ud83d\ude00"), "é😀");
        for broken in [r"\ud83d", r"\ud83dx", r"\ude00", r"\q", r"\u12", "\\"] {
            assert!(found(broken).starts_with('\u{fffd}'), "{broken}");
        }
    }

    #[test]
    fn tokens_have_places() {
        let mut lexer = Lexer::new("{\"é\":\n 12e3, nul", Location::FIRST);
        let mut found = Vec::new();
        loop {
            let (token, place) = lexer.next();
            found.push((place.line, place.column));
            if token == JsonToken::End {
                break;
            }
        }
        assert_eq!(found, [(1, 1), (1, 2), (1, 5), (2, 2), (2, 6), (2, 8), (2, 11)]);
    }
}
