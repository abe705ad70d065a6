//! Moves and results as books print them.
//!
//! A hyphen says nothing here: Foster hyphens every move of Black, captures too, and others every move of both sides.
//! Only a cross or a colon says that something is taken.
//!
//! Letters that a scan puts for digits have one reading each (`l` and `I` 1, `O` 0, `B` 8, `S` 5) and are read so where
//! a true digit stands in the same move. What the source has is kept beside.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use smallvec::SmallVec;

use crate::board::{Color, Outcome};
use crate::notation::{Sign, Verdict};

/// A number, perhaps with letters for digits.
const NUMBER_PATTERN: &str = "[0-9lIiOoBSs]{1,2}";

fn pattern(text: &str) -> Regex {
    Regex::new(&text.replace("NUM", NUMBER_PATTERN)).expect("a constant pattern")
}

/// A move in running text: the sign must be written.
static WRITTEN: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:NUM)(?:(?:\s*[-‐–—xX×:]\s*|\s+to\s+)(?:NUM)\b)+"));
/// A move that has a cell or a line for itself: a blank or a dot will do.
static ALONE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:NUM)(?:(?:\s*[.]\s*|\s+to\s+|\s+)(?:NUM)|(?:\s*[-‐–—xX×:]\s*(?:NUM))+)$"));
/// What stands between two moves of a list.
static BETWEEN: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:\s*[,;]\s*(?:and\s+)?|\s+(?:and\s+)?)"));
/// What stands between the numbers of a move.
static SIGN: LazyLock<Regex> = LazyLock::new(|| pattern(r"\s*[-‐–—xX×:.]\s*|\s+to\s+|\s+"));
/// A result.
static RESULT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:(?P<won>b|w|r|black|white|red)\.?\s+(?P<word>wins?|won|loses?|lost)|(?P<draw>drawn?|a\s+draw|drawn\s+game))\.?$",
    )
});

/// A move found in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FoundMove {
    /// The numbers in the order written.
    pub(super) squares: SmallVec<[u8; 8]>,
    /// The sign between them.
    pub(super) sign: Sign,
    /// Its bytes.
    pub(super) range: Range<usize>,
    /// The bytes of the slip that was read in its one possible way, if there is one.
    pub(super) repaired: Option<Range<usize>>,
}

/// What a cell of a table holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ColumnEntry {
    /// Nothing.
    Empty,
    /// A move, perhaps with an asterisk.
    Move(FoundMove, bool),
    /// The result.
    Result(Verdict),
    /// Something else.
    Unknown,
}

/// What the bytes `range` of `text` hold, read as a cell.
pub(super) fn cell(text: &str, range: Range<usize>, squares: u8) -> ColumnEntry {
    let Some(range) = trimmed(text, range) else { return ColumnEntry::Empty };
    let written = &text[range.clone()];
    if let Some(verdict) = result(written) {
        return ColumnEntry::Result(verdict);
    }
    let mut bare = range.clone();
    while text[bare.clone()].starts_with('*') {
        bare.start += 1;
    }
    while text[bare.clone()].ends_with('*') {
        bare.end -= 1;
    }
    let starred = bare != range;
    let Some(bare) = trimmed(text, bare) else { return ColumnEntry::Unknown };
    alone(text, bare, squares).map_or(ColumnEntry::Unknown, |found| ColumnEntry::Move(found, starred))
}

/// The result that `written` is, if it is nothing else.
pub(super) fn result(written: &str) -> Option<Verdict> {
    let written = written.trim();
    let parts = RESULT.captures(written)?;
    let outcome = match (parts.name("won"), parts.name("word")) {
        (Some(side), Some(word)) => {
            let side = if side.as_str().starts_with(['w', 'W']) { Color::White } else { Color::Black };
            let loses = word.as_str().starts_with(['l', 'L']);
            Outcome::Won(if loses { !side } else { side })
        }
        _ => Outcome::Draw,
    };
    Some(Verdict { outcome, written: written.to_owned() })
}

/// A move that is all of `range`.
fn alone(text: &str, range: Range<usize>, squares: u8) -> Option<FoundMove> {
    let written = &text[range.clone()];
    if ALONE.is_match(written) {
        return read(text, range, squares);
    }
    glued(written, squares).map(|numbers| FoundMove {
        squares: SmallVec::from_slice(&numbers),
        sign: Sign::Silent,
        repaired: Some(range.clone()),
        range,
    })
}

/// The two squares of a move that lost what stood between them, where only one cut gives squares of the board.
fn glued(written: &str, squares: u8) -> Option<[u8; 2]> {
    if !(3..=4).contains(&written.len()) || !written.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let on_board = |part: &str| part.parse().ok().filter(|number| (1..=squares).contains(number));
    let mut cuts = (1..=2).filter_map(|cut| {
        let (from, to) = written.split_at_checked(cut)?;
        (to.len() <= 2).then_some([on_board(from)?, on_board(to)?])
    });
    let first = cuts.next()?;
    cuts.next().is_none().then_some(first)
}

/// The move at the start of `range`, written with a sign.
pub(super) fn next(text: &str, range: Range<usize>, squares: u8) -> Option<FoundMove> {
    let found = WRITTEN.find(text.get(range.clone())?)?;
    read(text, range.start..range.start + found.end(), squares)
}

/// The numbers of a written move.
fn read(text: &str, range: Range<usize>, squares: u8) -> Option<FoundMove> {
    let written = &text[range.clone()];
    let mut numbers = SmallVec::new();
    let mut repaired = false;
    for part in SIGN.split(written) {
        let digits: String = part.chars().map(digit).collect();
        repaired |= digits != part;
        numbers.push(digits.parse::<u8>().ok()?);
    }
    let guessed = repaired
        && (!written.bytes().any(|byte| byte.is_ascii_digit()) || numbers.iter().any(|n| !(1..=squares).contains(n)));
    if numbers.len() < 2 || guessed {
        return None;
    }
    let takes = written.contains(['x', 'X', '×', ':']);
    let sign = if takes { Sign::Capture } else { Sign::Silent };
    Some(FoundMove { squares: numbers, sign, repaired: repaired.then(|| range.clone()), range })
}

/// The digit that a scan shows as this letter.
const fn digit(letter: char) -> char {
    match letter {
        'l' | 'I' | 'i' => '1',
        'O' | 'o' => '0',
        'B' => '8',
        'S' | 's' => '5',
        other => other,
    }
}

/// The moves from the start of `range` on, each with its sign, and where the list ends.
///
pub(super) struct List {
    /// The moves.
    pub(super) moves: Vec<FoundMove>,
    /// The first byte after the last of them.
    pub(super) end: usize,
    /// Where something else stands that is set apart from the last move as a move would be.
    pub(super) cut: Option<usize>,
}

/// Reads a list of moves.
pub(super) fn list(text: &str, range: Range<usize>, squares: u8) -> List {
    let mut list = List { moves: Vec::new(), end: range.start, cut: None };
    let mut at = range.start;
    let mut comma_without_blank = None;
    while let Some(mut found) = next(text, at..range.end, squares) {
        if let (None, Some(start)) = (&found.repaired, comma_without_blank) {
            found.repaired = Some(start..found.range.end);
        }
        if is_spoilt(text.get(found.range.end..range.end).unwrap_or_default()) {
            list.cut = Some(at);
            return list;
        }
        at = found.range.end;
        list.end = at;
        list.cut = None;
        let start = number_before(text, &found);
        list.moves.push(found);
        let Some(between) = text.get(at..range.end).and_then(|rest| BETWEEN.find(rest)) else { return list };
        let separator = between.as_str();
        comma_without_blank = (separator == "," || separator == ";").then_some(start);
        at += between.end();
        list.cut = Some(at);
    }
    list
}

/// Whether a sign clings to the end of a move that shows it to be read wrong: `22 to 1?`.
fn is_spoilt(rest: &str) -> bool {
    rest.chars()
        .next()
        .is_some_and(|next| next.is_alphanumeric() || matches!(next, '?' | '$' | '%' | '&' | '#' | '^' | '~'))
}

/// Where the last number of a move starts: a lost blank is shown with the number before it.
fn number_before(text: &str, found: &FoundMove) -> usize {
    let written = &text[found.range.clone()];
    SIGN.find_iter(written).last().map_or(found.range.start, |sign| found.range.start + sign.end())
}

/// The range without the blanks at its ends; `None` when nothing else is there.
pub(super) fn trimmed(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let part = text.get(range.clone())?;
    let inner = part.trim();
    let start = range.start + (part.len() - part.trim_start().len());
    (!inner.is_empty()).then_some(start..start + inner.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(cell: &ColumnEntry) -> Option<(&[u8], bool)> {
        match cell {
            ColumnEntry::Move(found, starred) => Some((&found.squares, *starred)),
            _ => None,
        }
    }

    #[test]
    fn cells_hold_moves_in_many_spellings() {
        for (written, expected, starred) in [
            (" 11-15 ", [11, 15], false),
            (" 25  4 ", [25, 4], false),
            (" 18   9", [18, 9], false),
            ("*17 14 ", [17, 14], true),
            ("* 9-13 ", [9, 13], true),
            ("27 24*", [27, 24], true),
            (" 3- 8 ", [3, 8], false),
            ("22.17", [22, 17], false),
            ("17:13", [17, 13], false),
            ("11x15", [11, 15], false),
            ("11 to 15", [11, 15], false),
            ("l1-15", [11, 15], false),
            ("4-B", [4, 8], false),
            ("0914", [9, 14], false),
            ("914", [9, 14], false),
        ] {
            let cell = cell(written, 0..written.len(), 32);
            assert_eq!(squares(&cell), Some((&expected[..], starred)), "{written}");
        }
    }

    #[test]
    fn what_has_two_readings_or_none_is_unknown() {
        for written in ["118", "I-l", "*", "B", "11", "11-", "1 2 3", "99I-3", "S-SO", "12345", "a-b"] {
            let read = cell(written, 0..written.len(), 32);
            assert_eq!(read, ColumnEntry::Unknown, "{written}");
        }
    }

    #[test]
    fn results_name_the_winner() {
        for (written, outcome) in [
            ("W wins.", Outcome::Won(Color::White)),
            ("B wins.", Outcome::Won(Color::Black)),
            ("White loses.", Outcome::Won(Color::Black)),
            ("Drawn.", Outcome::Draw),
            ("drawn", Outcome::Draw),
        ] {
            assert_eq!(result(written).map(|verdict| verdict.outcome), Some(outcome), "{written}");
        }
        assert_eq!(result("B wins a man"), None);
    }

    #[test]
    fn a_comma_without_a_blank_is_seen() {
        let text = "22 to 17,4 to 8. More";
        let list = list(text, 0..text.len(), 32);
        let slips: Vec<_> = list.moves.iter().map(|found| found.repaired.clone().map(|slip| &text[slip])).collect();
        assert_eq!(slips, [None, Some("17,4 to 8")]);
        assert_eq!(&text[list.end..], ". More");
        assert_eq!(list.cut, None);
        for text in ["22 to 17, 4 to", "22 to 17, 4 to ?, 8 to 11", "22 to 17, 4 to 1?"] {
            let list = super::list(text, 0..text.len(), 32);
            assert_eq!((list.moves.len(), list.cut), (1, Some(10)), "{text}");
        }
    }
}
