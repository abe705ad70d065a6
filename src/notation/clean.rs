//! Control characters in texts, whatever the reader: they become U+FFFD, so that what is stored is what every export writes and every
//! import reads again.

use super::{NoteKind, ParsedGame, ParsedLine};

/// Whether `text` holds control characters other than tabs and line breaks.
pub(super) fn has_control(text: &str) -> bool {
    // Most texts have no such byte, and bytes are looked at faster than characters.
    text.bytes().any(|b| b < 0x20 || b == 0x7F || b == 0xC2) && text.chars().any(is_bad)
}

fn is_bad(c: char) -> bool {
    c.is_control() && !matches!(c, '\t' | '\n' | '\r')
}

/// `text` with U+FFFD for control characters.
pub(super) fn replace_control(text: &str) -> String {
    text.chars().map(|c| if is_bad(c) { '\u{FFFD}' } else { c }).collect()
}

/// Cleans a text of several lines; whether it held control characters.
fn clean(text: &mut String) -> bool {
    let controls = has_control(text);
    if controls {
        *text = replace_control(text);
    }
    controls
}

/// Cleans a text of one line, such as the value of a tag: it has no blanks at its ends, and a line break in it is a blank.
fn clean_line(text: &mut String) -> bool {
    if text.contains(['\n', '\r']) {
        *text = text.replace("\r\n", " ").replace(['\n', '\r'], " ");
    }
    if text.trim().len() < text.len() {
        *text = text.trim().to_owned();
    }
    clean(text)
}

impl ParsedLine {
    fn clean_texts(&mut self) -> bool {
        let texts = self.notes.iter_mut().filter_map(|note| match &mut note.kind {
            NoteKind::Comment(text) | NoteKind::Repaired(text) => Some(text),
            NoteKind::Mark(_) => None,
        });
        texts.fold(false, |found, text| clean(text) | found)
    }
}

impl ParsedGame {
    /// Replaces control characters in every text of the game, and line breaks where a text has one line; whether there were control
    /// characters.
    pub fn clean_texts(&mut self) -> bool {
        let tags = self.tags.iter_mut().flat_map(|tag| [&mut tag.name, &mut tag.value]);
        let ends = [&mut self.label, &mut self.terminator, &mut self.original_result].into_iter().flatten();
        let words = self.verdict.as_mut().map(|verdict| &mut verdict.written);
        let found = tags.chain(ends).chain(words).fold(false, |found, text| clean_line(text) | found);
        let labels = self.variations.iter_mut().filter_map(|variation| variation.label.as_mut());
        let found = labels.fold(found, |found, text| clean(text) | found);
        let lines = self.variations.iter_mut().map(|variation| &mut variation.line);
        let lines = std::iter::once(&mut self.line).chain(&mut self.other_readings).chain(lines);
        lines.fold(found, |found, line| line.clean_texts() | found)
    }
}
