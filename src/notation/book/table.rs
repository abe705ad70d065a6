//! Tables of games: numbered columns, each read downwards.
//!
//! A row is `| 11-15 | 11-15 | … |` and rules (`+-----+`) may stand between rows. The numbers in the header say how many
//! columns there are, so the line ends may all be lost: between the last bar of a row and the first of the next stands
//! nothing but blanks, and every so many bars a row begins.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::moves::{self, ColumnEntry};

/// More columns than any page has: a longer header is taken for something else.
const MAX_COLUMNS: usize = 64;

/// A table of games: where its cells stand.
#[derive(Debug)]
pub(super) struct GameTable {
    /// The numbers in the header.
    pub(super) numbers: Vec<u32>,
    /// The rows below it, each with a cell a column.
    pub(super) rows: Vec<Vec<Range<usize>>>,
    /// The bytes of the text it fills, from the first bar on.
    pub(super) range: Range<usize>,
    /// Where the bars stop coming out even, if they do: nothing was read from there on.
    pub(super) broken: Option<usize>,
}

/// The tables of games in `range` of `text`, on a board of so many squares.
pub(super) fn all(text: &str, range: Range<usize>, squares: u8) -> Vec<GameTable> {
    let mut tables = Vec::new();
    let Some(part) = text.get(range.clone()).filter(|part| part.contains('|')) else { return tables };
    let pieces = pieces(part, range.start);
    let mut from = range.start;
    let mut index = 1;
    while index < pieces.len() {
        let numbers = header(text, &pieces, index);
        if numbers.len() < 2 {
            index += 1;
            continue;
        }
        let end = index + numbers.len();
        let head = pieces[index].start - 1..pieces[end].start;
        let table = GameTable { numbers, rows: Vec::new(), range: head, broken: None };
        let mut read = if has_lines(text, &pieces, index, end) {
            by_lines(text, range.end, table, squares)
        } else {
            by_bars(text, &pieces, end + 1, table, squares)
        };
        index = end + 1;
        if read.rows.first().is_some_and(|row| opens(text, row, squares)) {
            read.range.end += FOOT.find(&text[read.range.end..range.end]).map_or(0, |foot| foot.end());
            read.range.start = top(text, from..read.range.start);
            from = read.range.end;
            index = index.max(pieces.partition_point(|piece| piece.start < from));
            tables.push(read);
        }
    }
    tables
}

/// The parts of `part` between bars, rules counting as blanks; `base` is where it starts.
///
/// The first piece stands before the first bar and the last one after the last.
fn pieces(part: &str, base: usize) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for bar in memchr::memchr_iter(b'|', part.as_bytes()) {
        pieces.push(base + start..base + bar);
        start = bar + 1;
    }
    pieces.push(base + start..base + part.len());
    pieces
}

/// The consecutive numbers from piece `index` to the end of its row; empty when there is no such header.
fn header(text: &str, pieces: &[Range<usize>], index: usize) -> Vec<u32> {
    let number = |piece: &Range<usize>| {
        let written = text[piece.clone()].trim().trim_end_matches('.');
        if written.len() > 4 { None } else { written.parse::<u32>().ok() }
    };
    let mut numbers: Vec<u32> = Vec::new();
    for piece in pieces.get(index..).unwrap_or_default().iter().take(MAX_COLUMNS) {
        match (number(piece), numbers.last()) {
            (Some(first), None) => numbers.push(first),
            (Some(next), Some(last)) if next == last + 1 => numbers.push(next),
            _ => break,
        }
    }
    // A row ends with a bar and, before the next, with nothing.
    let gap = pieces.get(index + numbers.len());
    if gap.is_some_and(|gap| is_blank(text, gap)) { numbers } else { Vec::new() }
}

/// Rules and a row of titles right above a header.
static ABOVE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:\+[-=+.]{2,}\s*(?:(?:\|[^|+\d]{0,80})+\|\s*)?){1,2}$").expect("a constant pattern")
});

/// The rule below the last row.
static FOOT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\s*\+[-=+.]{2,}\+[ \t]*\r?\n?").expect("a constant pattern"));

/// Where the table starts whose header ends `range`: above its titles, if it has any.
fn top(text: &str, range: Range<usize>) -> usize {
    let above = text.get(range.clone()).and_then(|above| ABOVE.find(above));
    above.map_or(range.end, |above| range.start + above.start())
}

/// Whether the header has a line for itself, so that every row may be expected to.
fn has_lines(text: &str, pieces: &[Range<usize>], first: usize, end: usize) -> bool {
    let before = pieces.get(first - 1).is_some_and(|piece| {
        let above = &text[piece.clone()];
        first == 1 && !above.contains('\n') && above.trim().is_empty() || above.contains('\n')
    });
    let inside = pieces.get(first..end).unwrap_or_default().iter().any(|piece| text[piece.clone()].contains('\n'));
    let after = pieces.get(end).is_some_and(|piece| text[piece.clone()].contains('\n'));
    before && after && !inside
}

/// Reads row after row, each on its own line.
fn by_lines(text: &str, end: usize, mut table: GameTable, squares: u8) -> GameTable {
    let mut at = table.range.end;
    for line in text.get(at..end).unwrap_or_default().split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        if is_blank(text, &range) {
            continue;
        }
        let Some(inner) = moves::trimmed(text, range.clone()) else { continue };
        if !text[inner.clone()].contains('|') || !text[inner.clone()].starts_with('|') {
            break;
        }
        let mut cells = pieces(&text[inner.clone()], inner.start);
        cells.remove(0);
        if text[inner.clone()].ends_with('|') {
            cells.pop();
        }
        let is_row = has_play(text, &cells, squares) || cells.iter().all(|cell| is_blank(text, cell));
        let is_even = cells.len() == table.numbers.len();
        if cells.iter().any(|cell| holds_two(text, cell)) || is_row && !is_even {
            table.broken = Some(inner.start);
            break;
        }
        if !is_row {
            break;
        }
        table.range.end = range.end;
        table.rows.push(cells);
    }
    table
}

/// Reads row after row by the count of bars.
fn by_bars(text: &str, pieces: &[Range<usize>], mut index: usize, mut table: GameTable, squares: u8) -> GameTable {
    let columns = table.numbers.len();
    loop {
        // The last piece stands after the last bar and is no cell.
        let Some(gap) = pieces.get(index + columns) else {
            let rest = pieces.get(index..pieces.len() - 1).unwrap_or_default();
            table.broken = rest.iter().find(|cell| !is_blank(text, cell)).map(|cell| cell.start);
            return table;
        };
        let cells = pieces.get(index..index + columns).unwrap_or_default().to_vec();
        if cells.iter().any(|cell| holds_two(text, cell)) {
            table.broken = cells.first().map(|cell| cell.start);
            return table;
        }
        let filled = cells.iter().any(|cell| !is_blank(text, cell));
        if filled && !has_play(text, &cells, squares) {
            return table;
        }
        let even = is_blank(text, gap) || index + columns + 1 == pieces.len() || !is_cell(text, gap, squares);
        if !even {
            table.broken = cells.first().map(|cell| cell.start);
            return table;
        }
        table.range.end = cells.last().map_or(table.range.end, |cell| cell.end + 1);
        table.rows.push(cells);
        if !is_blank(text, gap) {
            return table;
        }
        index += columns + 1;
    }
}

/// Whether nothing stands there but blanks and rules.
fn is_blank(text: &str, range: &Range<usize>) -> bool {
    text.get(range.clone()).is_none_or(is_rule)
}

/// Whether a text is made of the signs of rules and blanks. A single hyphen is none.
fn is_rule(text: &str) -> bool {
    text.split_whitespace()
        .all(|word| word.len() > 2 && word.bytes().all(|byte| matches!(byte, b'+' | b'-' | b'=' | b'.')))
}

/// Whether a first row has a move in half of its columns at least.
fn opens(text: &str, row: &[Range<usize>], squares: u8) -> bool {
    let is_move = |cell: &&Range<usize>| matches!(moves::cell(text, (*cell).clone(), squares), ColumnEntry::Move(..));
    row.iter().filter(is_move).count() * 2 >= row.len()
}

/// Whether a cell has a move or a result.
fn is_cell(text: &str, range: &Range<usize>, squares: u8) -> bool {
    matches!(moves::cell(text, range.clone(), squares), ColumnEntry::Move(..) | ColumnEntry::Result(_))
}

/// Whether any cell of a row has a move or a result.
fn has_play(text: &str, cells: &[Range<usize>], squares: u8) -> bool {
    cells.iter().any(|cell| is_cell(text, cell, squares))
}

/// Whether a bar was lost between two moves: four numbers and no letter stand in one cell.
fn holds_two(text: &str, range: &Range<usize>) -> bool {
    let cell = text.get(range.clone()).unwrap_or_default();
    let numbers = cell.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty()).count();
    numbers == 4 && cell.len() <= 24 && !cell.contains(char::is_alphabetic)
}
