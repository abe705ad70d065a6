//! Small readings of text: control bytes, results, lengths fit for a message.

use std::borrow::Cow;

pub(super) use crate::notation::clean::{has_control, replace_control};
use crate::notation::{Code, Diagnostic, Location, Severity};

/// How many characters of a text a message quotes.
const MAX_QUOTED_CHARACTERS: usize = 60;

/// `text` in one line, cut to what a message can hold.
pub(super) fn clip(text: &str) -> String {
    let mut chars = text.chars().map(|c| if c.is_control() { '\u{FFFD}' } else { c });
    let mut clipped: String = chars.by_ref().take(MAX_QUOTED_CHARACTERS).collect();
    if chars.next().is_some() {
        clipped.push('…');
    }
    clipped
}

/// A comment with its ends trimmed, its lines joined by blanks and U+FFFD for control characters, and whether there
/// were any.
pub(super) fn tidy(text: &str) -> (String, bool) {
    let text = text.trim();
    let controls = has_control(text);
    let text = if controls { Cow::Owned(replace_control(text)) } else { Cow::Borrowed(text) };
    if !text.contains(['\n', '\r']) {
        return (text.into_owned(), controls);
    }
    let lines = text.split(['\n', '\r']).map(str::trim).filter(|line| !line.is_empty());
    let mut joined = String::with_capacity(text.len());
    for line in lines {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(line);
    }
    (joined, controls)
}

/// The warning about control bytes.
pub(super) fn control_bytes(text: &str, place: Location, wherein: &str) -> Diagnostic {
    Diagnostic::new(Severity::Warning, Code::ControlByte, place)
        .found(clip(text))
        .expected(format!("no control bytes {wherein}"))
        .hint("read as U+FFFD")
}

/// What a result means, as far as two of them can be compared.
#[derive(PartialEq, Eq)]
pub(super) enum Meaning {
    First,
    Second,
    Draw,
    Open,
    Other(String),
}

/// What `result` means.
pub(super) fn meaning(result: &str) -> Meaning {
    let plain: String = result.chars().filter(|c| !c.is_whitespace()).collect();
    match plain.replace('½', "1/2").as_str() {
        "1-0" | "2-0" => Meaning::First,
        "0-1" | "0-2" => Meaning::Second,
        "1/2-1/2" | "1-1" | "1/2" => Meaning::Draw,
        "" | "*" | "?" => Meaning::Open,
        other => Meaning::Other(other.to_owned()),
    }
}

/// Whether a Result tag has a value that the lexer knows without being told.
pub(super) fn is_usual_result(value: &str) -> bool {
    matches!(value, "" | "?" | "*" | "1-0" | "0-1" | "1/2-1/2" | "0-0" | "2-0" | "0-2" | "1-1")
}
