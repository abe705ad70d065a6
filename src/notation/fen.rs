//! FEN of draughts (PDN 3.0, tag FEN): `B:W18,K21:B1,K5`.
//!
//! Purpose: a liberal reader, a strict writer. Tolerated in silence, because the standard or most files have them:
//! ranges (`1-12`, `K4-6`), a final dot, the colours in either order, blanks, small letters, quotes around the whole,
//! a side without pieces (`W:W:BK3,7`). Tolerated with a warning: a side to move that is missing or `?` (a diagram), an
//! empty item between commas, counters (`H0`, `F1`) that some servers append. `R` (Red) is read as Black.
//!
//! Must not know: which positions are legal. Men on their crown-head are refused by `rules::Position`, not here.

use crate::board::{Bitboard, Color, Setup, Square, Variant};
use crate::table::{escaped, quoted};

/// A FEN as read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FenRead {
    /// What it says.
    pub setup: Setup,
    /// What was read in another way than it was written.
    pub warnings: Vec<FenWarning>,
}

/// Something about a FEN that was tolerated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FenWarning {
    /// The byte of the FEN it is about, from 0.
    pub at: usize,
    /// What it is.
    pub kind: FenTolerance,
}

/// What the reader tolerates with a warning.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FenTolerance {
    /// The side to move is missing or `?`.
    NoSide,
    /// Nothing stands between two commas, or behind the last.
    EmptyItem,
    /// A field behind the pieces was passed over.
    ExtraField,
}

impl FenTolerance {
    /// What to tell people.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::NoSide => "the side to move is not given",
            Self::EmptyItem => "nothing stands between two commas",
            Self::ExtraField => "a field behind the pieces is passed over",
        }
    }
}

/// Why a FEN cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{reason}")]
pub struct FenError {
    /// The byte of the FEN the trouble starts at, from 0.
    pub at: usize,
    /// What is wrong there.
    pub reason: FenReason,
}

/// What can be wrong with a FEN.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FenReason {
    /// Nothing of the form `side:W…:B…`.
    #[error("not a FEN: expected side to move, White's and Black's squares, as in B:W21,22:B1,K2")]
    NotFen,
    /// A side to move that is neither W, B nor `?`.
    #[error("unknown side to move {}: expected W, B or ?", quoted(.0))]
    UnknownSide(String),
    /// A list that starts with no colour.
    #[error("expected W or B before the squares, not '{}'", escaped(&.0.to_string()))]
    UnknownColor(char),
    /// A colour that has no list.
    #[error("{0}'s squares are missing: a side without pieces is written as its letter alone")]
    MissingList(Color),
    /// A colour that has two lists.
    #[error("{0}'s squares are given twice")]
    TwoLists(Color),
    /// A character that belongs in no list.
    #[error("expected a square number, not '{}'", escaped(&.0.to_string()))]
    Stray(char),
    /// A list that ends where a square is due.
    #[error("expected a square number, and the list ends")]
    Cut,
    /// A number that is no square of the board.
    #[error("square {number} is not on the board of {last} squares")]
    OffBoard {
        /// The number as written, cut short where it goes on and on.
        number: String,
        /// The greatest square number.
        last: u8,
    },
    /// A range that goes down.
    #[error("range {from}-{to} goes down")]
    Descending {
        /// Where it starts.
        from: u8,
        /// Where it ends.
        to: u8,
    },
    /// A square named twice for one colour.
    #[error("square {0} is named twice")]
    Twice(Square),
    /// A square named for both colours.
    #[error("square {0} is given to both colours")]
    BothColors(Square),
}

/// Digits of a number that are told.
const MAX_DIGITS: usize = 40;

/// Reads a FEN for a board of `variant`.
///
/// # Errors
/// The first thing that cannot be read, with its byte.
///
/// # Examples
/// ```
/// use crownhead::{board::Variant, notation::fen};
///
/// let read = fen::read("B:B1-12:W21-32.", Variant::English).expect("a FEN");
/// assert_eq!(fen::write(&read.setup), "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12");
/// ```
pub fn read(text: &str, variant: Variant) -> Result<FenRead, FenError> {
    let mut at = text.len() - text.trim_start().len();
    let mut body = text.trim();
    for quote in ['"', '\''] {
        if let Some(inner) = body.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)) {
            body = inner;
            at += 1;
        }
    }
    let body = body.trim_end();
    let body = body.strip_suffix('.').unwrap_or(body);
    let mut fields = Vec::new();
    for field in body.split(':') {
        fields.push((at, field));
        at += field.len() + 1;
    }
    FenReader { setup: Setup::empty(variant), warnings: Vec::new() }.read(&fields)
}

struct FenReader {
    setup: Setup,
    warnings: Vec<FenWarning>,
}

impl FenReader {
    fn read(mut self, fields: &[(usize, &str)]) -> Result<FenRead, FenError> {
        let Some(&(start, first)) = fields.first() else { return fail(0, FenReason::NotFen) };
        if fields.len() < 2 {
            return fail(start, FenReason::NotFen);
        }
        let lists = if is_list(first) {
            self.warn(start, FenTolerance::NoSide);
            fields
        } else {
            self.side(start, first)?;
            &fields[1..]
        };
        let mut seen = [false; 2];
        for &(at, field) in lists {
            let at = at + (field.len() - field.trim_start().len());
            let field = field.trim();
            if seen == [true; 2] && is_counter(field) {
                self.warn(at, FenTolerance::ExtraField);
                continue;
            }
            let Some(letter) = field.chars().next() else { return fail(at, FenReason::Cut) };
            let Some(color) = color_of(letter) else { return fail(at, FenReason::UnknownColor(letter)) };
            if std::mem::replace(&mut seen[color as usize], true) {
                return fail(at, FenReason::TwoLists(color));
            }
            self.list(at + 1, &field[1..], color)?;
        }
        for color in [Color::White, Color::Black] {
            if !seen[color as usize] {
                let end = fields.last().map_or(start, |(at, field)| at + field.len());
                return fail(end, FenReason::MissingList(color));
            }
        }
        Ok(FenRead { setup: self.setup, warnings: self.warnings })
    }

    fn warn(&mut self, at: usize, kind: FenTolerance) {
        self.warnings.push(FenWarning { at, kind });
    }

    fn side(&mut self, at: usize, field: &str) -> Result<(), FenError> {
        let word = field.trim();
        self.setup.turn = match word {
            "" | "?" => {
                self.warn(at, FenTolerance::NoSide);
                None
            }
            _ => {
                let mut chars = word.chars();
                match (chars.next().and_then(color_of), chars.next()) {
                    (Some(color), None) => Some(color),
                    _ => return fail(at, FenReason::UnknownSide(word.chars().take(20).collect())),
                }
            }
        };
        Ok(())
    }

    /// Reads `21,K22,25-28`: what stands behind the colour's letter.
    fn list(&mut self, start: usize, text: &str, color: Color) -> Result<(), FenError> {
        if text.trim().is_empty() {
            return Ok(());
        }
        let mut at = start;
        for item in text.split(',') {
            let mut scan = Scan { text: item, pos: 0, at };
            at += item.len() + 1;
            scan.blanks();
            if scan.peek().is_none() {
                self.warn(scan.here(), FenTolerance::EmptyItem);
                continue;
            }
            let king = scan.eat(|c| matches!(c, 'K' | 'k'));
            scan.blanks();
            let from_at = scan.here();
            let from = scan.square(self.setup.variant)?;
            scan.blanks();
            let mut to = from;
            if scan.eat(|c| matches!(c, '-' | '\u{2013}')) {
                scan.blanks();
                if king && scan.eat(|c| matches!(c, 'K' | 'k')) {
                    scan.blanks();
                }
                to = scan.square(self.setup.variant)?;
                scan.blanks();
                if to < from {
                    return fail(from_at, FenReason::Descending { from: from.number(), to: to.number() });
                }
            }
            if let Some(c) = scan.peek() {
                return fail(scan.here(), FenReason::Stray(c));
            }
            for index in from.index()..=to.index() {
                self.put(from_at, Square::new(index as u8), color, king)?;
            }
        }
        Ok(())
    }

    fn put(&mut self, at: usize, square: Square, color: Color, king: bool) -> Result<(), FenError> {
        if self.setup.pieces(color).contains(square) {
            return fail(at, FenReason::Twice(square));
        }
        if self.setup.pieces(!color).contains(square) {
            return fail(at, FenReason::BothColors(square));
        }
        match color {
            Color::Black => self.setup.black.insert(square),
            Color::White => self.setup.white.insert(square),
        }
        if king {
            self.setup.kings.insert(square);
        }
        Ok(())
    }
}

/// A walk over one item of a list.
struct Scan<'a> {
    text: &'a str,
    pos: usize,
    at: usize,
}

impl Scan<'_> {
    const fn here(&self) -> usize {
        self.at + self.pos
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.pos..)?.chars().next()
    }

    fn eat(&mut self, wanted: impl Fn(char) -> bool) -> bool {
        match self.peek() {
            Some(c) if wanted(c) => {
                self.pos += c.len_utf8();
                true
            }
            _ => false,
        }
    }

    fn blanks(&mut self) {
        while self.eat(char::is_whitespace) {}
    }

    fn square(&mut self, variant: Variant) -> Result<Square, FenError> {
        let (start, from) = (self.here(), self.pos);
        let mut number: Option<u32> = None;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            number = Some(number.unwrap_or(0).saturating_mul(10).saturating_add(digit));
            self.pos += 1;
        }
        let Some(number) = number else {
            return match self.peek() {
                Some(c) => fail(start, FenReason::Stray(c)),
                None => fail(start, FenReason::Cut),
            };
        };
        let last = variant.geometry().squares();
        match Square::from_number(number, last) {
            Some(square) => Ok(square),
            None => {
                let digits = self.text.get(from..self.pos).unwrap_or_default();
                let mut written: String = digits.chars().take(MAX_DIGITS + 1).collect();
                if written.len() > MAX_DIGITS {
                    written.truncate(MAX_DIGITS);
                    written.push('…');
                }
                fail(start, FenReason::OffBoard { number: written, last })
            }
        }
    }
}

fn fail<T>(at: usize, reason: FenReason) -> Result<T, FenError> {
    Err(FenError { at, reason })
}

const fn color_of(letter: char) -> Option<Color> {
    match letter {
        'W' | 'w' => Some(Color::White),
        'B' | 'b' | 'R' | 'r' => Some(Color::Black),
        _ => None,
    }
}

/// Whether the first field is already a list of squares, so that no side to move is given.
fn is_list(field: &str) -> bool {
    let mut chars = field.trim().chars();
    chars.next().and_then(color_of).is_some()
        && chars.next().is_some_and(|c| !c.is_alphabetic() || c == 'K' || c == 'k')
}

fn is_counter(field: &str) -> bool {
    field.strip_prefix(['H', 'F', 'h', 'f']).is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
}

/// The one way to write `setup`: side, White, Black, squares ascending, no ranges, no dot; `?` for no side to move.
#[must_use]
pub fn write(setup: &Setup) -> String {
    let mut text = String::with_capacity(80);
    text.push(setup.turn.map_or('?', Color::letter));
    for color in [Color::White, Color::Black] {
        text.push(':');
        text.push(color.letter());
        write_squares(&mut text, setup.pieces(color), setup.kings);
    }
    text
}

fn write_squares(text: &mut String, pieces: Bitboard, kings: Bitboard) {
    for (index, square) in pieces.squares().enumerate() {
        if index > 0 {
            text.push(',');
        }
        if kings.contains(square) {
            text.push('K');
        }
        text.push_str(&square.number().to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(text: &str) -> String {
        write(&read(text, Variant::English).unwrap().setup)
    }

    fn refused(text: &str) -> (usize, String) {
        let error = read(text, Variant::English).unwrap_err();
        (error.at, error.to_string())
    }

    #[test]
    fn spellings_of_the_same_position_are_read_alike() {
        let start = write(&Setup::start(Variant::English));
        assert_eq!(canonical("B:B1-12:W21-32."), start);
        assert_eq!(canonical("\"b:w21-32:b1-12\""), start);
        assert_eq!(canonical("W: W 21, 25, k9 : B 1, 5 ."), "W:WK9,21,25:B1,5");
        assert_eq!(canonical("W:WK4-6,31:BK25"), "W:WK4,K5,K6,31:BK25");
        assert_eq!(canonical("B:W30:B"), "B:W30:B");
        assert_eq!(canonical("W:W:BK3,7"), "W:W:BK3,7");
        assert_eq!(canonical("R:R1:W21"), "B:W21:B1");
    }

    #[test]
    fn a_diagram_has_no_side_to_move() {
        for text in ["?:W29,13,11:B22,4,2", ":W29,13,11:B22,4,2", "W29,13,11:B22,4,2"] {
            let read = read(text, Variant::English).unwrap();
            assert_eq!(write(&read.setup), "?:W11,13,29:B2,4,22");
            assert_eq!(read.warnings, [FenWarning { at: 0, kind: FenTolerance::NoSide }]);
        }
    }

    #[test]
    fn what_is_tolerated_is_told() {
        let read = read("W:W21,,22,:B1:H0:F1", Variant::English).unwrap();
        assert_eq!(write(&read.setup), "W:W21,22:B1");
        let told: Vec<_> = read.warnings.iter().map(|w| (w.at, w.kind)).collect();
        use FenTolerance::{EmptyItem, ExtraField};
        assert_eq!(told, [(6, EmptyItem), (10, EmptyItem), (14, ExtraField), (17, ExtraField)]);
    }

    #[test]
    fn bad_fens_are_refused_with_place_and_reason() {
        let cases = [
            ("W:WK99999999999999999999:B1", 4, "square 99999999999999999999 is not on the board of 32 squares"),
            ("W:W21x:B1", 5, "expected a square number, not 'x'"),
            ("W:WK4,WK5,31:B4", 6, "expected a square number, not 'W'"),
            ("W:W31,31:B1", 6, "square 31 is named twice"),
            ("W:W31:B31", 7, "square 31 is given to both colours"),
            ("W:W30-26:B1", 3, "range 30-26 goes down"),
            ("B:W33:B1", 3, "square 33 is not on the board of 32 squares"),
            ("B:W0:B1", 3, "square 0 is not on the board of 32 squares"),
            ("W:We2:Bc5", 3, "expected a square number, not 'e'"),
            ("X:W21:B1", 0, "unknown side to move \"X\": expected W, B or ?"),
            ("B:W21", 5, "Black's squares are missing: a side without pieces is written as its letter alone"),
            ("W:W21:W22", 6, "White's squares are given twice"),
            ("W:W21-:B1", 6, "expected a square number, and the list ends"),
            ("W:W99999999999:B1", 3, "square 99999999999 is not on the board of 32 squares"),
        ];
        for (text, at, reason) in cases {
            assert_eq!(refused(text), (at, reason.to_owned()), "{text}");
        }
        for text in ["hello", "", "W", "."] {
            assert!(refused(text).1.starts_with("not a FEN"), "{text}");
        }
    }
}
