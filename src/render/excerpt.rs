//! A line of a text with a mark under a place in it, as compilers show it.
//!
//! Wide characters take two columns, a tab goes to the next stop, what a terminal would obey is shown as an escape, and a line
//! too long is cut around the place.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::text::clean_for_terminal;

/// Columns between tab stops.
const TAB_WIDTH: usize = 4;
/// The narrowest window worth showing.
const MIN_WIDTH: usize = 8;
const RED: &str = "\x1b[1;31m";
const RESET: &str = "\x1b[0m";

/// How an excerpt is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExcerptOptions {
    /// Columns that the reader has.
    pub width: usize,
    /// The number of the line in its file; `None` for a text that has no lines to speak of, such as an argument.
    pub line: Option<u32>,
    /// Whether escape sequences for colour may be written.
    pub color: bool,
}

/// A character as it is shown.
struct ShownCharacter<'a> {
    text: std::borrow::Cow<'a, str>,
    width: usize,
    marked: bool,
}

/// The line of `text` in which the bytes `at` begin, and carets under them; two lines without a line end behind. A place behind the
/// end of the text stands behind its last character; what goes on in the next line is marked to the end of this one.
#[must_use]
pub fn excerpt(text: &str, at: Range<usize>, options: ExcerptOptions) -> String {
    let start = boundary(text, at.start);
    let first = text[..start].rfind('\n').map_or(0, |end| end + 1);
    let last = text[start..].find('\n').map_or(text.len(), |end| start + end);
    let line = text[first..last].trim_end_matches('\r');
    let marked = start - first..at.end.max(at.start + 1).saturating_sub(first);
    let gutter = options.line.map_or(String::new(), |number| number.to_string());
    let room = options.width.saturating_sub(gutter.len() + 3).max(MIN_WIDTH);
    let (shown, before, carets) = window(&characters(line, &marked), room);
    let (red, reset) = if options.color { (RED, RESET) } else { ("", "") };
    let mark = format!("{}{red}{}{reset}", " ".repeat(before), "^".repeat(carets.max(1)));
    format!("{gutter} | {}\n{} | {mark}", shown.trim_end(), " ".repeat(gutter.len()))
}

/// The last place at or before `at` where a character begins.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&place| text.is_char_boundary(place)).unwrap_or(0)
}

/// The characters of `line`, with what a reader sees of each.
fn characters<'a>(line: &'a str, marked: &Range<usize>) -> Vec<ShownCharacter<'a>> {
    let mut column = 0;
    let shown = line.grapheme_indices(true).map(|(at, grapheme)| {
        let text = if grapheme == "\t" {
            " ".repeat(TAB_WIDTH - column % TAB_WIDTH).into()
        } else {
            clean_for_terminal(grapheme)
        };
        let width = text.width();
        column += width;
        ShownCharacter { text, width, marked: at < marked.end && marked.start < at + grapheme.len() }
    });
    shown.collect()
}

/// As much of a line as `room` has place for, around what is marked: its text, the columns before the mark, and those of the mark.
fn window(characters: &[ShownCharacter<'_>], room: usize) -> (String, usize, usize) {
    let width = |part: &[ShownCharacter<'_>]| part.iter().map(|shown| shown.width).sum::<usize>();
    let mark = characters.iter().position(|shown| shown.marked).unwrap_or(characters.len());
    let end = characters.iter().rposition(|shown| shown.marked).map_or(mark, |last| last + 1);
    // A place behind the end needs a column of its own.
    let behind = usize::from(mark == characters.len());
    if width(characters) + behind <= room {
        return (join(characters), width(&characters[..mark]), width(&characters[mark..end]));
    }
    // A column at either side is kept for an ellipsis. The window grows to both sides, what is before the mark at most by half.
    let room = room - 2;
    let (mut from, mut to, mut used) = (mark, mark, behind);
    while from > 0 && used + characters[from - 1].width <= room / 2 {
        from -= 1;
        used += characters[from].width;
    }
    while to < characters.len() && used + characters[to].width <= room {
        used += characters[to].width;
        to += 1;
    }
    while from > 0 && used + characters[from - 1].width <= room {
        from -= 1;
        used += characters[from].width;
    }
    let (left, right) = (if from > 0 { "…" } else { "" }, if to < characters.len() { "…" } else { "" });
    let before = left.width() + width(&characters[from..mark]);
    let carets = width(&characters[mark..end.min(to)]);
    (format!("{left}{}{right}", join(&characters[from..to])), before, carets)
}

fn join(characters: &[ShownCharacter<'_>]) -> String {
    characters.iter().map(|shown| &*shown.text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str, at: Range<usize>, width: usize) -> String {
        excerpt(text, at, ExcerptOptions { width, line: None, color: false })
    }

    #[test]
    fn the_mark_stands_under_its_place() {
        assert_eq!(plain("11-15 1-2", 6..9, 40), " | 11-15 1-2\n |       ^^^");
        assert_eq!(plain("first\n1-2 x\nlast", 6..9, 40), " | 1-2 x\n | ^^^");
        assert_eq!(plain("11-15", 5..5, 40), " | 11-15\n |      ^");
        assert_eq!(plain("", 7..9, 40), " | \n | ^");
        let numbered = ExcerptOptions { width: 40, line: Some(120), color: true };
        assert_eq!(excerpt("ab\r\n", 1..2, numbered), "120 | ab\n    |  \x1b[1;31m^\x1b[0m");
    }

    #[test]
    fn columns_are_those_of_a_terminal() {
        // Three wide signs, a letter with a combining mark, a tab, an escape.
        assert_eq!(plain("林小明 1-2", 10..13, 40), " | 林小明 1-2\n |        ^^^");
        assert_eq!(plain("e\u{301}x", 3..4, 40), " | e\u{301}x\n |  ^");
        assert_eq!(plain("a\tb", 2..3, 40), " | a   b\n |     ^");
        assert_eq!(plain("\x1b[2Jb", 4..5, 40), " | \\u{1b}[2Jb\n |          ^");
        // Half a character is the whole of it.
        assert_eq!(plain("明x", 1..2, 40), " | 明x\n | ^^");
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let long = format!("{}HERE{}", "a".repeat(100), "b".repeat(100));
        assert_eq!(plain(&long, 100..104, 27), " | …aaaaaaaaaaaHEREbbbbbbb…\n |             ^^^^");
        assert_eq!(plain(&long, 0..1, 15), " | aaaaaaaaaa…\n | ^");
        assert_eq!(plain(&long, 204..204, 15), " | …bbbbbbbbb\n |           ^");
        for width in 0..60 {
            for at in [0, 3, 50, 99, 100, 150, 203, 204, 300] {
                let told = plain(&long, at..at + 30, width);
                assert!(told.lines().all(|line| line.width() <= width.max(MIN_WIDTH + 3)), "{width} {at}: {told}");
                assert!(told.contains('^'));
            }
        }
    }
}
