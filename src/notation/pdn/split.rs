//! Where a big text can be cut.

use memchr::{memmem, memrchr};

use super::tag;

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
