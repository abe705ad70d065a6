//! Openings told in prose: `The "Cross" is formed by the first two moves: 11 to 15, 23 to 18.`
//!
//! The name stands in quotation marks right before the words, the number of moves and a remark in brackets may follow
//! them. What comes after the moves, to the next opening or the end of the paragraph, is the book's remark.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::moves::{self, List};

/// The words that introduce an opening.
static FORMED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"(?xi) (?: \b \d{1,3} \. \s+ )? (?: \bthe \s+ )?
        ["“”] (?P<name> [^"“”|]{1,80} ) ["“”] \s+ (?: (?: opening | game ) \s+ )?
        is \s+ formed \s+ by \s+ (?: the \s+ )? (?: first \s+ )? (?: (?P<count> [a-z]{3,6} | \d{1,2} ) \s+ )?
        (?: moves? | plies | ply )? \s* (?: \( [^()]{0,120} \) \s* )? [:;,]? \s*"#,
    )
    .expect("a constant pattern")
});

/// The counts a book writes in words, from one.
const COUNT_WORDS: [&str; 12] =
    ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/// The longest remark kept with an opening, in bytes: more is a chapter that lost its line ends.
const MAX_REMARK_BYTES: usize = 1000;

/// An opening found in a text.
pub(super) struct NamedPlay {
    /// Where its name stands.
    pub(super) name: Range<usize>,
    /// The number of moves that the text states.
    pub(super) stated: Option<u32>,
    /// Its moves.
    pub(super) list: List,
    /// Where the book's remark stands; may be empty.
    pub(super) remark: Range<usize>,
    /// All of it.
    pub(super) range: Range<usize>,
}

/// The openings in `range` of `text`, on a board of so many squares.
pub(super) fn all(text: &str, range: Range<usize>, squares: u8) -> Vec<NamedPlay> {
    let Some(part) = text.get(range.clone()) else { return Vec::new() };
    let mut openings: Vec<NamedPlay> = Vec::new();
    for captures in FORMED.captures_iter(part) {
        let (Some(all), Some(name)) = (captures.get(0), captures.name("name")) else { continue };
        let list = moves::list(text, range.start + all.end()..range.end, squares);
        if list.moves.is_empty() {
            continue;
        }
        let start = range.start + all.start();
        if let Some(last) = openings.last_mut() {
            close(text, last, start);
        }
        openings.push(NamedPlay {
            name: range.start + name.start()..range.start + name.end(),
            stated: captures.name("count").and_then(|count| number(count.as_str())),
            remark: list.end..range.end,
            list,
            range: start..range.end,
        });
    }
    if let Some(last) = openings.last_mut() {
        close(text, last, range.end);
    }
    openings
}

/// Ends an opening before byte `end`, or earlier where its remark is too long to be one.
fn close(text: &str, opening: &mut NamedPlay, end: usize) {
    let start = opening.list.end;
    let remark = text.get(start..end).unwrap_or_default();
    let end = if remark.len() > MAX_REMARK_BYTES { start + sentence(remark) } else { end };
    let after_stop = remark.trim_start_matches(['.', ' ', '\n', '\r', '\t']).len();
    opening.remark = (start + remark.len() - after_stop).min(end)..end;
    opening.range.end = end;
}

/// The bytes of the first sentence of a remark, the stop after the moves included.
fn sentence(remark: &str) -> usize {
    let stop = remark.find(". ").or_else(|| remark.find('.')).map_or(0, |stop| stop + 1);
    if stop > MAX_REMARK_BYTES { 0 } else { stop }
}

/// The number that a word or digits say.
fn number(count: &str) -> Option<u32> {
    let word = count.to_ascii_lowercase();
    let index = (1..).zip(COUNT_WORDS).find(|(_, known)| *known == word).map(|(number, _)| number);
    index.or_else(|| word.parse().ok())
}
