//! Patterns of pieces: `W18 b9|b10 -14 ?22`.
//!
//! A pattern is words between blanks, all of which must hold; a word is one or more items with `|` between them, of which
//! one must. An item is a piece and a square: `B` a black man, `BK` a black king, `b` either kind, `W`, `WK`, `w` likewise,
//! `-` nothing, `?` anything. Squares that no word names are free, or empty under `exact`.

use std::ops::Range;

use crate::board::{Square, Variant};
use crate::table::quoted;

use super::masks::{Contents, Masks};

/// Words with more than one square multiply the ways a pattern can hold; more ways than this are refused.
const MAX_ALTERNATIVES: usize = 4096;

/// Why a text is no pattern, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{what}: expected {expected}")]
pub struct PatternError {
    /// The whole text.
    pub text: String,
    /// The bytes of it that make no sense; empty at its end.
    pub at: Range<usize>,
    /// What stands there.
    pub what: String,
    /// What should.
    pub expected: &'static str,
}

/// A pattern of pieces on squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    variant: Variant,
    /// Each way that the pattern can hold.
    ways: Vec<Masks<u128>>,
}

impl Pattern {
    /// Reads a pattern for the board of `variant`. With `exact`, squares that it does not name must be empty.
    ///
    /// # Errors
    /// [`PatternError`] with the first place that makes no sense.
    pub fn read(text: &str, variant: Variant, exact: bool) -> Result<Self, PatternError> {
        let squares = variant.geometry().squares();
        let all = variant.geometry().all().0;
        let mut named = 0_u128;
        let mut ways = vec![Masks::free()];
        let mut words = 0;
        for (start, word) in words_of(text) {
            words += 1;
            // What each square of the word may hold: alternatives on one square are one item.
            let mut items: Vec<(Square, Contents)> = Vec::new();
            let mut at = start;
            for item in word.split('|') {
                let (square, contents) = read_item(text, at, item, squares)?;
                match items.iter_mut().find(|(other, _)| *other == square) {
                    Some((_, before)) => *before |= contents,
                    None => items.push((square, contents)),
                }
                named |= 1 << square.index();
                at += item.len() + 1;
            }
            if ways.len() * items.len() > MAX_ALTERNATIVES {
                let expected = "fewer words with | over several squares";
                return Err(error(text, start, "too many ways to hold".to_owned(), expected));
            }
            ways =
                ways.iter().flat_map(|way| items.iter().map(|&(square, contents)| way.and(square, contents))).collect();
            if ways.iter().all(Masks::is_contradiction) {
                return Err(error(
                    text,
                    start,
                    format!("{word} contradicts what stands before it", word = quoted(word)),
                    "one piece a square",
                ));
            }
        }
        if words == 0 {
            return Err(error(text, text.len(), "nothing".to_owned(), "a piece and a square, such as W18, bk5 or -14"));
        }
        ways.retain(|way| !way.is_contradiction());
        if exact {
            ways.iter_mut().for_each(|way| *way = way.with_empty(all & !named));
        }
        ways.sort_unstable();
        ways.dedup();
        Ok(Self { variant, ways })
    }

    /// The same with colours reversed: colours swapped and the board turned half round.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let squares = self.variant.geometry().squares();
        Self { variant: self.variant, ways: self.ways.iter().map(|way| way.reversed(squares)).collect() }
    }

    /// Each way that the pattern can hold.
    pub(super) fn ways(&self) -> &[Masks<u128>] {
        &self.ways
    }
}

/// The words of a text with the byte each starts at.
fn words_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let begin = text.as_ptr() as usize;
    text.split_whitespace().map(move |word| (word.as_ptr() as usize - begin, word))
}

/// What stands at `byte` of `text`, up to the next blank or separator, makes no sense.
pub(super) fn error(text: &str, byte: usize, what: String, expected: &'static str) -> PatternError {
    let ends = |c: char| c.is_whitespace() || matches!(c, '|' | '+' | 'v' | 'V');
    let length = text.get(byte..).map_or(0, |rest| rest.find(ends).unwrap_or(rest.len()));
    PatternError { text: text.to_owned(), at: byte..byte + length, what, expected }
}

/// Reads a piece and its square; `at` is the byte of `text` where `item` starts.
fn read_item(text: &str, at: usize, item: &str, squares: u8) -> Result<(Square, Contents), PatternError> {
    const PIECE_SYNTAX: &str = "a piece: B, W (men), BK, WK (kings), b, w (either), - (empty) or ? (anything)";
    let digits = item.find(|c: char| c.is_ascii_digit()).unwrap_or(item.len());
    let (piece, number) = item.split_at(digits);
    let contents = match piece {
        "B" => Contents::BLACK_MAN,
        "BK" => Contents::BLACK_KING,
        "b" => Contents::BLACK_MAN | Contents::BLACK_KING,
        "W" => Contents::WHITE_MAN,
        "WK" => Contents::WHITE_KING,
        "w" => Contents::WHITE_MAN | Contents::WHITE_KING,
        "bk" => Contents::BLACK_KING,
        "wk" => Contents::WHITE_KING,
        "-" => Contents::EMPTY,
        "?" => Contents::ANYTHING,
        "" if item.is_empty() => return Err(error(text, at, "nothing".to_owned(), PIECE_SYNTAX)),
        "" => {
            return Err(error(
                text,
                at,
                format!("a square without a piece, {item}", item = quoted(item)),
                PIECE_SYNTAX,
            ));
        }
        other => return Err(error(text, at, quoted(other), PIECE_SYNTAX)),
    };
    let bad_square = |what: String| {
        let expected = if squares == 32 { "a square from 1 to 32" } else { "a square of the board" };
        Err(error(text, at + digits, what, expected))
    };
    if number.is_empty() {
        return bad_square("no square".to_owned());
    }
    match number.parse().ok().and_then(|number| Square::from_number(number, squares)) {
        Some(square) => Ok((square, contents)),
        None => bad_square(quoted(number)),
    }
}
