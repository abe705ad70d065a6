//! A block of moves set in columns without rules, and the notes below it.
//!
//! ```text
//! 11—15   8—11   4—8 (a)
//! 23 19   22 17  17 13
//!
//! (a) Or 9 14, 25 22.
//! ```

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::moves::{self, ColumnEntry, FoundMove};

/// A letter in brackets at the end of a cell.
static LETTER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\s*\(([A-Za-z])\)$").expect("a constant pattern"));
/// The start of a note.
static NOTE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)^\(([a-z])\)\s*(?:or,?\s+)?").expect("a constant pattern"));
/// What stands between two columns.
static GAP: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[ \t]{2,}|\t").expect("a constant pattern"));

/// A move of a block and the letter of the note on it.
pub(super) struct ColumnMove {
    /// The move.
    pub(super) found: FoundMove,
    /// The letter.
    pub(super) letter: Option<char>,
}

/// A note: the line played in place of the move that has its letter.
pub(super) struct ColumnNote {
    /// The letter.
    pub(super) letter: char,
    /// The moves.
    pub(super) moves: Vec<FoundMove>,
    /// What the note says after them.
    pub(super) rest: Range<usize>,
}

/// The rows of a block that has nothing but moves in two columns or more; none is longer than the one above.
pub(super) fn rows(text: &str, block: Range<usize>, squares: u8) -> Option<Vec<Vec<ColumnMove>>> {
    let mut rows: Vec<Vec<ColumnMove>> = Vec::new();
    let mut at = block.start;
    for line in text.get(block)?.split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        let row = row(text, range, squares)?;
        if rows.last().is_some_and(|above| row.len() > above.len()) {
            return None;
        }
        rows.push(row);
    }
    (rows.len() > 1 && rows.first().is_some_and(|first| first.len() > 1)).then_some(rows)
}

/// The moves of a line; `None` when anything else stands there.
fn row(text: &str, line: Range<usize>, squares: u8) -> Option<Vec<ColumnMove>> {
    let inner = moves::trimmed(text, line)?;
    let mut entries = Vec::new();
    let mut start = inner.start;
    let gaps: Vec<_> = GAP.find_iter(&text[inner.clone()]).map(|gap| gap.range()).collect();
    let ends = gaps.into_iter().map(|gap| inner.start + gap.start..inner.start + gap.end);
    for gap in ends.chain(std::iter::once(inner.end..inner.end)) {
        let mut cell = start..gap.start;
        start = gap.end;
        let letter = LETTER.captures(&text[cell.clone()]).and_then(|found| found.get(0).zip(found.get(1)));
        if let Some((mark, _)) = letter {
            cell.end = cell.start + mark.start();
        }
        let letter = letter.and_then(|(_, letter)| letter.as_str().chars().next());
        match moves::cell(text, cell, squares) {
            ColumnEntry::Move(found, false) => entries.push(ColumnMove { found, letter }),
            _ => return None,
        }
    }
    Some(entries)
}

/// The note that a paragraph is.
pub(super) fn note(text: &str, block: Range<usize>, squares: u8) -> Option<ColumnNote> {
    let block = moves::trimmed(text, block)?;
    let head = NOTE.captures(&text[block.clone()])?;
    let letter = head.get(1)?.as_str().chars().next()?;
    let mut at = block.start + head.get(0)?.end();
    let mut found = Vec::new();
    while at < block.end {
        let rest = &text[at..block.end];
        let end = at + rest.find([',', ';']).or_else(|| rest.find(". ")).unwrap_or(rest.trim_end_matches('.').len());
        let ColumnEntry::Move(next, false) = moves::cell(text, at..end, squares) else { break };
        found.push(next);
        at = (end + 1).min(block.end);
    }
    (!found.is_empty()).then_some(ColumnNote { letter, moves: found, rest: at..block.end })
}
