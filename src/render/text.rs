//! Words, numbers and widths: the small tools of everything that prints for people.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::table::{is_hostile, push_escape};

/// How many columns `text` takes in a terminal: wide characters two, combining marks none.
#[must_use]
pub fn display_width(text: &str) -> usize {
    text.width()
}

/// `text` with everything that a terminal would obey shown as an escape (`\u{1b}`, `\u{202e}`). Newlines stay, CR LF
/// becomes one, and a tab becomes a blank.
#[must_use]
pub fn clean_for_terminal(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| is_hostile(c) && c != '\n') {
        return Cow::Borrowed(text);
    }
    let mut clean = String::with_capacity(text.len() + 8);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\n' => clean.push('\n'),
            '\t' => clean.push(' '),
            '\r' if rest.peek() == Some(&'\n') => {}
            c if is_hostile(c) => push_escape(&mut clean, c),
            c => clean.push(c),
        }
    }
    Cow::Owned(clean)
}

/// `text` on one line: cleaned, and each line end made a blank.
pub(super) fn one_line(text: &str) -> String {
    clean_for_terminal(text).replace('\n', " ")
}

/// `text` if it fits in `width` columns, else as much of it as fits with an ellipsis behind. Never cuts inside a
/// character as readers see it: a letter keeps its combining marks.
#[must_use]
pub fn cut<'a>(text: &'a str, width: usize, ellipsis: &str) -> Cow<'a, str> {
    if text.width() <= width {
        return Cow::Borrowed(text);
    }
    // A very narrow cell gets as much of the ellipsis as it can hold.
    let mut end = String::new();
    for grapheme in ellipsis.graphemes(true) {
        if end.width() + grapheme.width() <= width {
            end.push_str(grapheme);
        }
    }
    let room = width - end.width();
    let kept = prefix(text, room).trim_end();
    Cow::Owned(format!("{kept}{end}"))
}

/// A path if it fits in `width` columns, else as much of its end as fits, with an ellipsis before it: whole folders go
/// first, because the end says more than the beginning. Texts without a separator of paths are cut at their end.
#[must_use]
pub fn cut_path<'a>(path: &'a str, width: usize, ellipsis: &str) -> Cow<'a, str> {
    if path.width() <= width || !path.contains(SEPARATORS) || ellipsis.width() >= width {
        return cut(path, width, ellipsis);
    }
    let room = width - ellipsis.width();
    let whole = path.match_indices(SEPARATORS).map(|(at, _)| &path[at..]).find(|end| end.width() <= room);
    let kept = whole.filter(|end| end.len() > 1).unwrap_or_else(|| suffix(path, room));
    Cow::Owned(format!("{ellipsis}{kept}"))
}

/// What separates the parts of a path, on any system.
const SEPARATORS: [char; 2] = ['/', '\\'];

/// The longest end of `text` that takes at most `width` columns.
fn suffix(text: &str, width: usize) -> &str {
    let (mut used, mut start) = (0, text.len());
    for (at, grapheme) in text.grapheme_indices(true).rev() {
        used += grapheme.width();
        if used > width {
            break;
        }
        start = at;
    }
    &text[start..]
}

/// The longest start of `text` that takes at most `width` columns.
fn prefix(text: &str, width: usize) -> &str {
    let (mut used, mut end) = (0, 0);
    for (at, grapheme) in text.grapheme_indices(true) {
        used += grapheme.width();
        if used > width {
            break;
        }
        end = at + grapheme.len();
    }
    &text[..end]
}

/// `text` broken into lines of at most `width` columns, at blanks where there are any. Newlines break always; runs of
/// blanks become one. A character wider than `width` stands alone on its line.
#[must_use]
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let before = lines.len();
        let mut line = String::new();
        let mut used = 0;
        for word in paragraph.split_whitespace() {
            let mut word = word;
            if used > 0 && used + 1 + word.width() <= width {
                line.push(' ');
                used += 1;
            } else if used > 0 {
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            while used == 0 && word.width() > width {
                let part = match prefix(word, width) {
                    "" => word.graphemes(true).next().unwrap_or(word),
                    // A list without blanks, such as the squares of a FEN, is broken behind a comma.
                    part => part.rfind(',').and_then(|comma| part.get(..=comma)).unwrap_or(part),
                };
                lines.push(part.to_owned());
                word = &word[part.len()..];
            }
            line.push_str(word);
            used += word.width();
        }
        // An empty paragraph is an empty line; nothing left of a long word is none.
        if !line.is_empty() || lines.len() == before {
            lines.push(line);
        }
    }
    lines
}

/// A message whose lines wider than `width` columns are broken between words, but not inside a command: neither between
/// backquotes, nor before the word after `crownhead`, nor where the command ends the line. What a line is set in by stays, and so
/// do words that are wider than a line, such as paths, so that they can be copied whole.
#[must_use]
pub fn wrap_message(text: &str, width: usize) -> Cow<'_, str> {
    if text.lines().all(|line| line.width() <= width) {
        return Cow::Borrowed(text);
    }
    let mut wrapped = String::with_capacity(text.len() + 8);
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            wrapped.push('\n');
        }
        wrap_line(line, width, &mut wrapped);
    }
    Cow::Owned(wrapped)
}

/// Appends `line` to `wrapped`, broken between words where it is wider than `width` columns.
fn wrap_line(line: &str, width: usize, wrapped: &mut String) {
    if line.width() <= width {
        wrapped.push_str(line);
        return;
    }
    let indent = &line[..line.len() - line.trim_start().len()];
    let mut used = 0;
    // A command at the end of a sentence stays whole, so that it can be copied.
    let (words, command) = match line.rfind(": crownhead ") {
        Some(at) if indent.width() + line[at + 2..].width() <= width => (&line[..=at], Some(&line[at + 2..])),
        _ => (line, None),
    };
    for word in unbroken(words, width).into_iter().chain(command.map(Cow::Borrowed)) {
        if used > indent.width() && used + 1 + word.width() <= width {
            wrapped.push(' ');
            used += 1;
        } else {
            if used > 0 {
                wrapped.push('\n');
            }
            wrapped.push_str(indent);
            used = indent.width();
        }
        wrapped.push_str(&word);
        used += word.width();
    }
}

/// The words of `line`; those of a command between backquotes, and `crownhead` with the word behind it, are one where they fit in
/// `width` columns.
fn unbroken(line: &str, width: usize) -> Vec<Cow<'_, str>> {
    let mut words: Vec<Cow<'_, str>> = Vec::new();
    for word in line.split_whitespace() {
        match words.last_mut() {
            Some(last)
                if (last.matches('`').count() % 2 == 1 || last.ends_with("crownhead"))
                    && last.width() + 1 + word.width() <= width =>
            {
                *last = Cow::Owned(format!("{last} {word}"));
            }
            _ => words.push(Cow::Borrowed(word)),
        }
    }
    words
}

/// `text`, which begins small and has no stop, as a sentence.
#[must_use]
pub fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

/// `count` with the noun in the right number: `1 game`, `460,287 games`.
#[must_use]
pub fn plural(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", thousands(count), if count == 1 { one } else { many })
}

/// `number` with its thousands apart: `460,287`.
#[must_use]
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A number of bytes in decimal units: `512 bytes`, `3.4 MB`.
#[must_use]
pub fn bytes(count: u64) -> String {
    if count < 1000 {
        return plural(count, "byte", "bytes");
    }
    let mut amount = count as f64 / 1000.0;
    let mut units = ["kB", "MB", "GB", "TB", "PB"].into_iter();
    let mut unit = units.next().unwrap_or_default();
    // From 999.95 on, one decimal would print 1000.0.
    while amount >= 999.95 {
        let Some(next) = units.next() else { break };
        amount /= 1000.0;
        unit = next;
    }
    format!("{amount:.1} {unit}")
}
