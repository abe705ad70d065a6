//! Lists of moves as text: read against the rules, and written.

use std::fmt;

use crate::board::Move;
use crate::notation::{Location, ParsedMove, Sign};
use crate::rules::Position;
use crate::table::quoted;

use super::matching::{Mismatch, match_move};
use super::notate::{move_text, push_move_text};

/// Why a list of moves cannot be read, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MovesError {
    /// Bytes before the place, in the text as given.
    pub at: usize,
    /// The ply, from 1.
    pub ply: u32,
    /// What stands there.
    pub found: String,
    /// What is wrong with it.
    pub kind: MovesErrorKind,
    /// The legal moves there; for an ambiguous move, only those that fit, with their routes. Empty when the side to move
    /// has lost.
    pub legal: Vec<String>,
}

/// What is wrong with a written move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MovesErrorKind {
    /// It cannot be read as a move.
    NotAMove,
    /// The board has no such square.
    NoSuchSquare,
    /// It is not legal there.
    Illegal,
    /// Several legal moves fit.
    Ambiguous,
}

impl fmt::Display for MovesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ply, found, .. } = self;
        let wrong = match self.kind {
            MovesErrorKind::NotAMove => "is no move",
            MovesErrorKind::NoSuchSquare => "names a square that is not on the board",
            MovesErrorKind::Illegal => "is not legal",
            MovesErrorKind::Ambiguous => "may be several moves",
        };
        write!(f, "{found} at ply {ply} {wrong}", found = quoted(found))?;
        if self.legal.is_empty() {
            return f.write_str("; the side to move has no move");
        }
        write!(f, "; legal: {}", self.legal.join(", "))
    }
}

impl std::error::Error for MovesError {}

/// One piece of a list of moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TokenKind {
    /// A number: a square or a move number.
    Number(u32),
    /// What joins the squares of one move.
    Joint,
    /// The full stops after a move number.
    Stop,
    /// Anything else.
    Other,
}

/// A piece and the bytes it stands in.
#[derive(Clone, Copy, Debug)]
struct MoveToken {
    kind: TokenKind,
    start: usize,
    end: usize,
}

/// Cuts `text` into pieces; blanks, commas, semicolons and the marks `!`, `?`, `*` only separate.
fn pieces(text: &str) -> Vec<MoveToken> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let run = |of: fn(char) -> bool| rest.find(|c| !of(c)).unwrap_or(rest.len());
        let (kind, length) = match first {
            '0'..='9' => {
                let length = run(|c| c.is_ascii_digit());
                // A number too long for the board is a square that is not on it.
                (Some(TokenKind::Number(rest[..length].parse().unwrap_or(u32::MAX))), length)
            }
            '-' | 'x' | 'X' | ':' | '\u{d7}' | '\u{2010}'..='\u{2015}' | '\u{2212}' => {
                (Some(TokenKind::Joint), first.len_utf8())
            }
            '.' | '\u{2026}' => (Some(TokenKind::Stop), run(|c| c == '.' || c == '\u{2026}')),
            ',' | ';' | '!' | '?' | '*' => (None, 1),
            blank if blank.is_whitespace() => (None, blank.len_utf8()),
            _ => {
                let length = run(char::is_alphabetic).max(first.len_utf8());
                let joint = rest[..length].eq_ignore_ascii_case("to");
                (Some(if joint { TokenKind::Joint } else { TokenKind::Other }), length)
            }
        };
        let start = text.len() - rest.len();
        pieces.extend(kind.map(|kind| MoveToken { kind, start, end: start + length }));
        rest = &rest[length..];
    }
    pieces
}

/// Reads a list of moves played from `start`: `11-15 23-19`, `1. 11-15 23-19`, `11 to 15, 23 to 19`, `11 15 23 19`; captures
/// with a hyphen or a cross, with or without the squares between.
///
/// # Errors
/// [`MovesError`] at the first move that cannot be read, is illegal or ambiguous.
///
/// # Examples
/// ```
/// use crownhead::{board::Variant, game, rules::Position};
/// let start = Position::start(Variant::English);
/// let moves = game::read_moves("1. 11-15 22-18 2. 15x22", start)?;
/// assert_eq!(game::write_moves(start, &moves), "11-15 22-18 15x22");
/// # Ok::<(), game::MovesError>(())
/// ```
pub fn read_moves(text: &str, start: Position) -> Result<Vec<Move>, MovesError> {
    let pieces = pieces(text);
    let kind = |at: usize| pieces.get(at).map(|piece: &MoveToken| piece.kind);
    let is_number = |at: usize| matches!(kind(at), Some(TokenKind::Number(_)));
    let mut position = start;
    let mut moves = Vec::new();
    let mut at = 0;
    while at < pieces.len() {
        let first = at;
        let mut squares = Vec::new();
        while let Some(TokenKind::Number(number)) = kind(at) {
            squares.push(number);
            at += 1;
            if kind(at) == Some(TokenKind::Joint) && is_number(at + 1) {
                at += 1;
            } else if !(squares.len() == 1 && is_number(at) && kind(at + 1) != Some(TokenKind::Joint)) {
                break;
            }
        }
        if squares.len() == 1 && kind(at) == Some(TokenKind::Stop) {
            at += 1;
            continue;
        }
        // "1 11-15": a move number without its full stop, believed only where it is the right one.
        let full_move = u32::try_from(moves.len() / 2 + 1).ok();
        if squares.len() == 1 && full_move == squares.first().copied() && is_number(at) {
            continue;
        }
        let last = if squares.len() > 1 { at - 1 } else { at.min(pieces.len() - 1) };
        let place = (pieces[first].start, pieces[last].end);
        let found = &text[place.0..place.1];
        let played = find(&position, &squares).map_err(|(kind, legal)| MovesError {
            at: place.0,
            ply: u32::try_from(moves.len() + 1).unwrap_or(u32::MAX),
            found: found.chars().take(40).collect(),
            kind,
            legal,
        })?;
        position = position.play_unchecked(&played);
        moves.push(played);
        // The full stop at the end of a sentence.
        at += usize::from(kind(at) == Some(TokenKind::Stop));
    }
    Ok(moves)
}

/// The legal move that names `squares`, or why there is none and which moves are meant instead.
fn find(position: &Position, squares: &[u32]) -> Result<Move, (MovesErrorKind, Vec<String>)> {
    let texts = |moves: &[Move]| moves.iter().map(|legal| move_text(position, legal)).collect();
    let refuse = |kind| (kind, texts(&position.legal_moves()));
    if squares.len() < 2 {
        return Err(refuse(MovesErrorKind::NotAMove));
    }
    // A number too great for a byte is on no board either way.
    let squares = squares.iter().map(|&number| u8::try_from(number).unwrap_or(u8::MAX)).collect();
    match match_move(position, &ParsedMove { squares, sign: Sign::Silent, location: Location::FIRST }) {
        Ok(matched) => Ok(matched.legal),
        Err(Mismatch::NoSuchSquare(_)) => Err(refuse(MovesErrorKind::NoSuchSquare)),
        Err(Mismatch::Ambiguous(fitting)) => Err((MovesErrorKind::Ambiguous, texts(&fitting))),
        Err(_) => Err(refuse(MovesErrorKind::Illegal)),
    }
}

/// Writes legal play from `start`, one move after the other: `11-15 22-18 15x22`.
#[must_use]
pub fn write_moves(start: Position, moves: &[Move]) -> String {
    let mut position = start;
    let mut text = String::with_capacity(moves.len() * 6);
    for played in moves {
        if !text.is_empty() {
            text.push(' ');
        }
        push_move_text(&mut text, &position, played);
        position = position.play_unchecked(played);
    }
    text
}
