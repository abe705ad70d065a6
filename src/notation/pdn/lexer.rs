//! Bytes to the tokens of PDN's move text.
//!
//! Every token makes progress, so that a reader which asks for the next one ends. The frequent ones, moves and move
//! numbers, are read without decoding characters and without allocating.

use memchr::{memchr, memchr2};
use smallvec::SmallVec;

use crate::notation::Sign;

use super::cursor::TextCursor;
use super::tag;

/// One token. The cursor stands behind it.
pub(super) enum PdnToken<'a> {
    /// The end of the text.
    End,
    /// An opening square bracket; the cursor stands on it.
    Bracket,
    /// `12.`, `12...`, or a bare number.
    Number { value: u32, dots: u32 },
    /// The dots of a move number that stand apart.
    Dots,
    /// A move as squares.
    Move { squares: SmallVec<[u8; 8]>, sign: Sign },
    /// A placeholder for a move nobody knows: `--`, `- -`.
    UnknownMove,
    /// The end of a game.
    Result(&'a str),
    /// An asterisk with a blank before it (the end of a game), or glued to what stands before.
    Asterisk { glued: bool },
    /// `{…}`, and whether the brace was closed.
    Comment { text: &'a str, closed: bool },
    /// What follows `;`.
    LineComment(&'a str),
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// `$12`; `None` for a number that is no glyph's.
    Nag(&'a str, Option<u8>),
    /// `!`, `?!`, also in brackets.
    Strength(&'a str),
    /// `/FEN "…"/`.
    Setup(&'a str),
    /// `}` that closes nothing.
    StrayBrace,
    /// Control bytes between tokens.
    Control(&'a str),
    /// Anything else; `like_move` when it may have been meant as a move.
    Junk { text: &'a str, like_move: bool },
}

/// Steps over blanks, escape lines and byte order marks. Returns how many line ends were passed.
#[inline]
pub(super) fn skip_blanks(cursor: &mut TextCursor<'_>) -> u32 {
    let mut lines = 0;
    while let Some(byte) = cursor.peek() {
        match byte {
            b' ' => cursor.step(1),
            b if b == cursor.newline() => {
                cursor.step_newline();
                lines += 1;
            }
            b'\t' | b'\r' | 0x0B | 0x0C => cursor.step(1),
            // PDN 3.0 has escape lines: a percent sign in the first column.
            b'%' if cursor.at_line_start() => cursor.step(cursor.line_rest()),
            0xEF if cursor.rest().starts_with(b"\xEF\xBB\xBF") => cursor.step(3),
            0xC2 if cursor.rest().starts_with(b"\xC2\xA0") => cursor.step(2),
            _ => break,
        }
    }
    lines
}

/// Reads the token here; blanks have been skipped. `result` is the value of the Result tag: where the game's text ends
/// with it, it is a result whatever it looks like (`4-6`).
#[inline]
pub(super) fn next<'a>(cursor: &mut TextCursor<'a>, result: Option<&str>) -> PdnToken<'a> {
    let Some(byte) = cursor.peek() else { return PdnToken::End };
    if let Some(result) = result
        && let Some(length) = stated_result(cursor, result)
    {
        return take(cursor, length, PdnToken::Result);
    }
    match byte {
        b'0'..=b'9' => number(cursor),
        b'{' => comment(cursor),
        b';' => {
            let length = cursor.line_rest();
            take(cursor, length, |text| PdnToken::LineComment(text.get(1..).unwrap_or_default()))
        }
        b'(' => match bracketed_strength(cursor.rest()) {
            Some(length) => take(cursor, length, |text| {
                PdnToken::Strength(text.trim_matches(|c: char| matches!(c, '(' | ')') || c.is_whitespace()))
            }),
            None => one(cursor, PdnToken::Open),
        },
        b')' => one(cursor, PdnToken::Close),
        b'[' => PdnToken::Bracket,
        b'}' => one(cursor, PdnToken::StrayBrace),
        b'*' => {
            let before = cursor.pos().checked_sub(1).and_then(|at| cursor.slice(at, at + 1).bytes().next());
            one(cursor, PdnToken::Asterisk { glued: before.is_some_and(|b| b.is_ascii_digit()) })
        }
        b'$' => {
            let digits = digits(cursor.rest().get(1..).unwrap_or_default());
            if digits == 0 {
                return junk(cursor);
            }
            take(cursor, 1 + digits, |text| PdnToken::Nag(text, text.get(1..).and_then(|number| number.parse().ok())))
        }
        b'!' | b'?' => {
            let length = cursor.rest().iter().take_while(|b| matches!(b, b'!' | b'?')).count();
            take(cursor, length, PdnToken::Strength)
        }
        b'.' => one(cursor, PdnToken::Dots),
        b'-' => {
            let rest = cursor.rest();
            let blanks = blanks(rest, 1);
            if rest.get(1 + blanks) == Some(&b'-') {
                cursor.step(blanks + 2);
                return PdnToken::UnknownMove;
            }
            junk(cursor)
        }
        b'/' => setup(cursor),
        0xE2 if cursor.rest().starts_with("…".as_bytes()) => {
            cursor.step(3);
            PdnToken::Dots
        }
        0xC2 if cursor.rest().starts_with("½".as_bytes()) => {
            let rest = cursor.rest();
            let half = "½".len();
            let whole = ["½-½", "½ - ½"].iter().find(|whole| rest.starts_with(whole.as_bytes()));
            take(cursor, whole.map_or(half, |whole| whole.len()), PdnToken::Result)
        }
        0..=0x1F | 0x7F => {
            let is_control = |b: &u8| matches!(b, 0..=0x08 | 0x0E..=0x1F | 0x7F);
            let length = cursor.rest().iter().take_while(|b| is_control(b)).count().max(1);
            take(cursor, length, PdnToken::Control)
        }
        _ => junk(cursor),
    }
}

fn one<'a>(cursor: &mut TextCursor<'a>, token: PdnToken<'a>) -> PdnToken<'a> {
    cursor.step(1);
    token
}

fn take<'a>(cursor: &mut TextCursor<'a>, length: usize, make: impl FnOnce(&'a str) -> PdnToken<'a>) -> PdnToken<'a> {
    let text = cursor.slice(cursor.pos(), cursor.pos() + length);
    cursor.step(length);
    make(text)
}

fn digits(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|b| b.is_ascii_digit()).count()
}

fn blanks(bytes: &[u8], from: usize) -> usize {
    bytes.get(from..).unwrap_or_default().iter().take_while(|b| matches!(b, b' ' | b'\t')).count()
}

fn dots(bytes: &[u8], from: usize) -> usize {
    bytes.get(from..).unwrap_or_default().iter().take_while(|b| **b == b'.').count()
}

/// The number that starts at `at`, and how many digits it has.
#[inline]
fn value(bytes: &[u8], at: usize) -> (u32, usize) {
    let mut value = 0u32;
    let mut length = 0;
    while let Some(digit) = bytes.get(at + length).map(|b| b.wrapping_sub(b'0')).filter(|&digit| digit < 10) {
        value = value.saturating_mul(10).saturating_add(u32::from(digit));
        length += 1;
    }
    (value, length)
}

/// The sign at `at`, and how many bytes it has.
#[inline]
fn sign(bytes: &[u8], at: usize) -> Option<(Sign, usize)> {
    match *bytes.get(at)? {
        b'-' => Some((Sign::Quiet, 1)),
        b'x' | b'X' | b':' => Some((Sign::Capture, 1)),
        0xC3 if bytes.get(at + 1) == Some(&0x97) => Some((Sign::Capture, 2)),
        // Hyphens of word processors: U+2010 to U+2015, and the minus sign U+2212.
        0xE2 => match (bytes.get(at + 1), bytes.get(at + 2)) {
            (Some(0x80), Some(0x90..=0x95)) | (Some(0x88), Some(0x92)) => Some((Sign::Quiet, 3)),
            _ => None,
        },
        _ => None,
    }
}

/// Reads what starts with a digit: a move, a move number or a result.
#[inline]
fn number<'a>(cursor: &mut TextCursor<'a>) -> PdnToken<'a> {
    let rest = cursor.rest();
    if let Some((from, to, sign, length)) = plain_move(rest) {
        cursor.step(length);
        return PdnToken::Move { squares: SmallVec::from_buf_and_len([from, to, 0, 0, 0, 0, 0, 0], 2), sign };
    }
    let (first, mut at) = value(rest, 0);
    if rest.get(at) == Some(&b'.') {
        let dots = dots(rest, at);
        cursor.step(at + dots);
        return PdnToken::Number { value: first, dots: dots as u32 };
    }
    let mut squares: SmallVec<[u8; 8]> = SmallVec::new();
    let mut whole = u8::try_from(first).inspect(|&square| squares.push(square)).is_ok();
    let mut kind = Sign::Silent;
    // Old programs line moves up in columns: `1- 6`, `19 - 23`, `47x 9`. A blank may stand before the first sign only,
    // so that the next move is never taken for the rest of this one.
    let mut next = at + blanks(rest, at);
    while let Some((sign, length)) = sign(rest, next) {
        let start = next + length + blanks(rest, next + length);
        let (square, digits) = value(rest, start);
        if digits == 0 {
            break;
        }
        match u8::try_from(square) {
            Ok(square) => squares.push(square),
            Err(_) => whole = false,
        }
        kind = if sign == Sign::Capture || kind == Sign::Capture { Sign::Capture } else { sign };
        at = start + digits;
        next = at;
    }
    if kind == Sign::Silent {
        return bare_number(cursor, first, at);
    }
    if kind == Sign::Quiet && squares.len() == 2 && is_result(&squares) {
        return take(cursor, at, PdnToken::Result);
    }
    if !whole || squares.contains(&0) || rest.get(at).is_some_and(|&b| b.is_ascii_alphanumeric() || b >= 0x80) {
        return junk(cursor);
    }
    cursor.step(at);
    PdnToken::Move { squares, sign: kind }
}

/// Reads a move of the commonest form, two squares and a blank behind them. Anything else is left to the long way.
#[inline]
fn plain_move(rest: &[u8]) -> Option<(u8, u8, Sign, usize)> {
    let head: &[u8; 6] = rest.first_chunk()?;
    let digit = |at: usize| head[at].wrapping_sub(b'0');
    let pair =
        |at: usize| if digit(at + 1) < 10 { (digit(at) * 10 + digit(at + 1), at + 2) } else { (digit(at), at + 1) };
    let (from, at) = pair(0);
    let sign = match head[at] {
        b'-' => Sign::Quiet,
        b'x' => Sign::Capture,
        _ => return None,
    };
    if digit(at + 1) >= 10 {
        return None;
    }
    let (to, end) = pair(at + 1);
    let plain = matches!(head[end], b' ' | b'\n' | b'\r') && from != 0 && to != 0 && from != to;
    plain.then_some((from, to, sign, end))
}

/// Whether two numbers are a score: no square is 0, and nothing moves from 1 to 1.
fn is_result(squares: &[u8]) -> bool {
    matches!(squares, [1, 0] | [0, 1] | [0, 0] | [2, 0] | [0, 2] | [1, 1])
}

/// Reads a number with no sign behind it.
fn bare_number<'a>(cursor: &mut TextCursor<'a>, value: u32, length: usize) -> PdnToken<'a> {
    let rest = cursor.rest();
    for half in ["1/2-1/2", "1/2 - 1/2", "1/2"] {
        if rest.starts_with(half.as_bytes()) {
            return take(cursor, half.len(), PdnToken::Result);
        }
    }
    match rest.get(length) {
        Some(b) if b.is_ascii_alphanumeric() || matches!(b, b'-' | b':' | b'/' | b',') => junk(cursor),
        Some(b) if *b >= 0x80 && !rest[length..].starts_with("…".as_bytes()) => junk(cursor),
        _ => {
            let blanks = blanks(rest, length);
            let dots = dots(rest, length + blanks);
            cursor.step(if dots > 0 { length + blanks + dots } else { length });
            PdnToken::Number { value, dots: dots as u32 }
        }
    }
}

/// The length of `result` when the text has it here and the game ends with it.
#[inline]
fn stated_result(cursor: &TextCursor<'_>, result: &str) -> Option<usize> {
    let behind = cursor.rest().strip_prefix(result.as_bytes())?;
    if behind.first().is_some_and(u8::is_ascii_alphanumeric) {
        return None;
    }
    let mut lines = 0;
    for &byte in behind {
        match byte {
            b if b == cursor.newline() => lines += 1,
            b' ' | b'\t' | b'\r' | 0x0C | 0x1A => {}
            b'[' | 0xEF => return Some(result.len()),
            _ => return (lines > 1).then_some(result.len()),
        }
    }
    Some(result.len())
}

/// Reads a comment. A line that starts with a tag ends it as well: a brace that was forgotten must not swallow the games
/// behind it.
fn comment<'a>(cursor: &mut TextCursor<'a>) -> PdnToken<'a> {
    let rest = cursor.rest();
    let mut length = rest.len();
    let mut at = 1;
    while let Some(found) = memchr2(b'}', cursor.newline(), rest.get(at..).unwrap_or_default()) {
        at += found;
        if rest.get(at) == Some(&b'}') {
            let text = cursor.slice(cursor.pos() + 1, cursor.pos() + at);
            cursor.step_lines(at + 1);
            return PdnToken::Comment { text, closed: true };
        }
        at += 1;
        if tag::starts(rest.get(at..).unwrap_or_default()) {
            length = at;
            break;
        }
    }
    let text = cursor.slice(cursor.pos() + 1, cursor.pos() + length);
    cursor.step_lines(length);
    PdnToken::Comment { text, closed: false }
}

fn bracketed_strength(rest: &[u8]) -> Option<usize> {
    let signs = rest.get(1..)?.iter().take_while(|b| matches!(b, b'!' | b'?' | b' ')).count();
    let marked = rest[1..=signs].iter().any(|b| *b != b' ');
    (marked && rest.get(1 + signs) == Some(&b')')).then_some(signs + 2)
}

/// Reads a set-up inside a game (PDN 3.0, SETUP).
fn setup<'a>(cursor: &mut TextCursor<'a>) -> PdnToken<'a> {
    let rest = cursor.line_text().as_bytes();
    let Some(close) = rest.get(1..).and_then(|inner| memchr(b'/', inner)) else { return junk(cursor) };
    if !rest[1..=close].trim_ascii().get(..3).is_some_and(|word| word.eq_ignore_ascii_case(b"fen")) {
        return junk(cursor);
    }
    take(cursor, close + 2, PdnToken::Setup)
}

/// Reads what nobody can: a word that may have been meant as a move, or words up to something that can be read.
fn junk<'a>(cursor: &mut TextCursor<'a>) -> PdnToken<'a> {
    let rest = cursor.line_text().as_bytes();
    let word = |from: usize| {
        let stops = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'{' | b'}' | b'(' | b')' | b'[' | b';');
        rest.get(from..).unwrap_or_default().iter().position(stops).map_or(rest.len(), |length| from + length)
    };
    let mut end = word(0).max(1);
    let like_move = rest[..end.min(rest.len())].iter().any(u8::is_ascii_digit);
    if !like_move {
        // Prose is reported once a line and not once a word.
        loop {
            let start = end + blanks(rest, end);
            let stop = word(start);
            if stop == start || rest[start..stop].iter().any(|b| b.is_ascii_digit() || matches!(b, b'*' | b'$')) {
                break;
            }
            end = stop;
        }
    }
    let text = cursor.rest_text();
    while end < text.len() && !text.is_char_boundary(end) {
        end += 1;
    }
    take(cursor, end, |text| PdnToken::Junk { text, like_move })
}
