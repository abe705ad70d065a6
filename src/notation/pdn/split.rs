//! Where a big text can be cut.

use memchr::{memmem, memrchr};

use crate::board::Variant;
use crate::notation::Location;

use super::{PdnReader, tag};

/// Returns the byte of the first game at or after `at_least` that surely starts there, where `text` starts with a game
/// itself; `None` when there is none.
///
/// Sure is: a line starts with a tag, and the last line before it that has text ends with a move or a result. A line that
/// starts with a tag ends every comment for the reader, so braces, closed or forgotten, need no look. Texts whose games
/// have no tags cannot be cut.
#[must_use]
pub fn split(text: &[u8], at_least: usize) -> Option<usize> {
    let mut from = at_least.saturating_sub(1);
    loop {
        let found = memmem::find(text.get(from..)?, b"\n[")?;
        let line_end = from + found;
        let start = line_end + 1;
        if start >= at_least && tag::starts(&text[start..]) && ends_game(&text[..line_end]) {
            return Some(start);
        }
        from = start;
    }
}

/// Whether the last line with text in it ends with a move or a result.
fn ends_game(before: &[u8]) -> bool {
    let before = before.trim_ascii_end();
    let line = &before[memrchr(b'\n', before).map_or(0, |at| at + 1)..];
    if line.first() == Some(&b'%') || line.contains(&b';') {
        return false;
    }
    // Behind the tags that may stand in the same line.
    let line = &line[memrchr(b']', line).map_or(0, |at| at + 1)..];
    let start = line.iter().rposition(u8::is_ascii_whitespace).map_or(0, |at| at + 1);
    let word = &line[start..];
    let score = |b: &u8| matches!(b, b'-' | b'x' | b'X' | b':' | b'/');
    word.ends_with(b"*") || (word.first().is_some_and(u8::is_ascii_digit) && word.iter().any(score))
}

/// Bytes behind a game that must be known for its end to be sure: comments may belong to it.
const MAX_SKIPPED_BYTES: usize = 64 << 10;

/// The byte behind a game of `text` that ends at `at_least` or later, found by reading; where a game in between is too long
/// to be seen whole, the byte before it. `None` where that is the first. More text may follow behind `text` unless it is
/// `whole`.
///
/// For texts that [`split`] cannot cut: games without tags. What is no UTF-8 is read as letters.
#[must_use]
pub fn game_end(text: &[u8], at_least: usize, whole: bool) -> Option<usize> {
    let mut valid = String::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        valid.push_str(chunk.valid());
        // A no-break space of Windows-1252 is a blank.
        valid.extend(chunk.invalid().iter().map(|byte| if *byte == 0xA0 { ' ' } else { 'a' }));
    }
    let mut reader = PdnReader::new(&valid, Location::FIRST, 1, Variant::English);
    let mut end = None;
    while reader.next().is_some() {
        let read = reader.bytes_read();
        if !whole && read + MAX_SKIPPED_BYTES > text.len() {
            break;
        }
        end = Some(read);
        if read >= at_least {
            break;
        }
    }
    end.filter(|end| *end < text.len())
}

/// Looks for the end of a game too long to be held in memory: a line that starts with a tag, or a final marker outside of
/// comments and brackets.
#[derive(Clone, Debug)]
pub struct GameSkim {
    state: SkimState,
    depth: u32,
    /// The word here, as far as it may be a marker, and its length.
    word: [u8; 8],
    length: usize,
    line_start: bool,
}

/// Where in a game a skim is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SkimState {
    Moves,
    Brace,
    Line,
}

impl Default for GameSkim {
    fn default() -> Self {
        Self { state: SkimState::Moves, depth: 0, word: [0; 8], length: 0, line_start: false }
    }
}

impl GameSkim {
    /// Takes in the next bytes of the game; how many of them belong to it, where it ends among them.
    pub fn feed(&mut self, bytes: &[u8]) -> Option<usize> {
        for (at, &byte) in bytes.iter().enumerate() {
            if self.line_start && byte == b'[' && tag::starts(&bytes[at..]) {
                return Some(at);
            }
            self.line_start = byte == b'\n';
            match (self.state, byte) {
                (SkimState::Moves, b'{') => self.state = SkimState::Brace,
                (SkimState::Moves, b';') => self.state = SkimState::Line,
                (SkimState::Moves, b'(') => self.depth = self.depth.saturating_add(1),
                (SkimState::Moves, b')') => self.depth = self.depth.saturating_sub(1),
                (SkimState::Brace, b'}') | (SkimState::Line, b'\n') => self.state = SkimState::Moves,
                (SkimState::Moves, _) if byte.is_ascii_whitespace() => {
                    let word = self.word.get(..self.length).unwrap_or_default();
                    let ends = matches!(word, b"*" | b"1-0" | b"0-1" | b"1/2-1/2" | b"2-0" | b"0-2" | b"1-1" | b"0-0");
                    self.length = 0;
                    if ends && self.depth == 0 {
                        return Some(at);
                    }
                    continue;
                }
                (SkimState::Moves, _) => {
                    if let Some(place) = self.word.get_mut(self.length) {
                        *place = byte;
                    }
                    self.length = self.length.saturating_add(1);
                    continue;
                }
                _ => {}
            }
            self.length = 0;
        }
        None
    }
}
