//! POSITION arguments: a FEN, a list of moves, a ballot, or an opening's name; nothing means the start.

use std::ops::Range;

use crate::board::{Move, Variant};
use crate::book::{Book, NameReading};
use crate::game;
use crate::notation::fen;
use crate::query;
use crate::rules::Position;
use crate::table::quoted;

use super::context::Context;
use super::error::CliError;

/// A position somebody named, with the moves that lead to it where they gave some.
#[derive(Clone, Debug)]
pub(super) struct Named {
    /// The position.
    pub(super) position: Position,
    /// Where the moves start.
    pub(super) start: Position,
    /// The moves.
    pub(super) moves: Vec<Move>,
}

/// Reads a POSITION argument. Where a name was not given as it is written, says how it was read.
pub(super) fn position(context: &mut Context, words: &[String]) -> Result<Named, CliError> {
    let (variant, book) = (context.args.variant, context.book()?);
    let text = words.join(" ");
    let text = text.trim();
    let start = Position::start(variant);
    if text.is_empty() && !words.is_empty() {
        return Err(CliError::usage(
            "the position is empty: leave it out for the start, or write a FEN, moves, a ballot or a name",
        ));
    }
    if text.is_empty() || text.eq_ignore_ascii_case("start") {
        return Ok(Named { position: start, start, moves: Vec::new() });
    }
    if looks_like_fen(text) {
        return of_fen(text, variant);
    }
    // The usual question: names have letters, and looking one up costs more than reading moves.
    if looks_like_moves(text)
        && !text.contains(|c: char| c.is_alphabetic() && !matches!(c, 'x' | 'X'))
        && let Ok(moves) = game::read_moves(text, start)
        && !moves.is_empty()
    {
        return Ok(of_line(&moves, start));
    }
    let reading = book.read_name(text);
    if let Some(NameReading::Exact(opening)) = reading {
        return Ok(of_line(&opening.definition.moves, start));
    }
    if let Some(ballot) = book.read_ballot(text) {
        let ballot = ballot.map_err(|error| CliError::usage(error.to_string()))?;
        return Ok(of_line(&ballot.moves, start));
    }
    // A number and letters without a second number are no moves: `14th` is part of a name.
    let is_name = !looks_like_moves(text) && text.contains(char::is_alphabetic);
    if text.starts_with(|c: char| c.is_ascii_digit()) && reading.is_none() && !is_name {
        return of_moves(text, start);
    }
    match reading {
        Some(reading) => {
            context.message(&reading_note(text, reading));
            Ok(of_line(&reading.opening().definition.moves, start))
        }
        None => Err(not_read(text, &book)),
    }
}

/// Whether a text is a FEN or a list of moves rather than an opening's name.
pub(super) fn is_play(text: &str, book: &Book) -> bool {
    let text = text.trim();
    looks_like_fen(text) || looks_like_moves(text) && book.read_name(text).is_none()
}

/// The name of the opening that `text` gives with another name of it, or with a slip of the pen, after saying so. `None` where
/// words of an opening's own name are given, or it names none.
pub(super) fn name_of_slip(context: &mut Context, text: &str) -> Result<Option<String>, CliError> {
    let book = context.book()?;
    let Some(reading @ NameReading::Forgiven { opening, .. }) = book.read_name(text) else { return Ok(None) };
    let name = opening.name.clone();
    if book.openings().iter().any(|opening| query::has_words_of(&opening.name, text)) {
        return Ok(None);
    }
    context.message(&reading_note(text, reading));
    Ok(Some(name))
}

fn of_line(moves: &[Move], start: Position) -> Named {
    let position = moves.iter().fold(start, |position, played| position.play_unchecked(played));
    Named { position, start, moves: moves.to_vec() }
}

fn of_fen(text: &str, variant: Variant) -> Result<Named, CliError> {
    let read = fen::read(text, variant).map_err(|error| {
        CliError::usage(format!("no position: {error}"))
            .at(text, word_at(text, error.at))
            .hint("a FEN looks like B:W18,K21:B1,5")
    })?;
    let position = Position::from_setup(&read.setup)
        .map_err(|reasons| CliError::usage(format!("{} is no legal position: {reasons}", quoted(text))))?;
    Ok(Named { position, start: position, moves: Vec::new() })
}

const MOVES_HINT: &str = "moves look like 11-15 23-19 or 15x22";

fn of_moves(text: &str, start: Position) -> Result<Named, CliError> {
    let moves = game::read_moves(text, start).map_err(|error| {
        let end = error.at + error.found.len();
        CliError::usage(error.to_string()).at(text, error.at..end).hint(MOVES_HINT)
    })?;
    if moves.is_empty() {
        return Err(CliError::usage(format!("{} has no move", quoted(text))).hint(MOVES_HINT));
    }
    Ok(of_line(&moves, start))
}

/// How a name was read, where it was not given as it is written.
fn reading_note(text: &str, reading: NameReading<'_>) -> String {
    let opening = reading.opening();
    let moves = &opening.definition.text;
    match reading {
        NameReading::Forgiven { name, .. } if name != opening.name => {
            format!("Read {} as {name}, a name of the {} ({moves}).", quoted(text), opening.name)
        }
        _ => format!("Read {} as {} ({moves}).", quoted(text), opening.name),
    }
}

/// Names that are proposed where one was not read.
const MAX_SUGGESTIONS: usize = 5;

/// The error for a text that is no position, with the openings that were probably meant.
fn not_read(text: &str, book: &Book) -> CliError {
    let matches = book.lookup(text);
    let near = matches.iter().take(MAX_SUGGESTIONS).map(|found| &found.opening);
    let near: Vec<String> = near.map(|near| format!("{} ({})", near.name, near.definition.text)).collect();
    if near.is_empty() {
        return CliError::usage(format!(
            "{} is no FEN, no list of moves, no ballot and no opening's name",
            quoted(text)
        ))
        .hint("look names up with: crownhead opening NAME");
    }
    CliError::usage(format!("no opening is called {}", quoted(text)))
        .hint(format!("did you mean {}?", near.join(", or ")))
}

/// Whether a text starts as a list of moves does: a move number or a square, and a second square somewhere behind it.
fn looks_like_moves(text: &str) -> bool {
    let is_between = |c: char| matches!(c, '-' | 'x' | 'X' | '\u{d7}' | '\u{2013}' | '\u{2212}' | ':');
    let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    text.starts_with(|c: char| c.is_ascii_digit()) && text.contains(is_between) && numbers.count() > 1
}

/// The bytes from `at` to the next separator of a FEN, one at least.
fn word_at(text: &str, at: usize) -> Range<usize> {
    let rest = text.get(at..).unwrap_or_default();
    let length = rest.find([',', ':', ' ']).unwrap_or(rest.len());
    at..at + length.max(1)
}

/// Whether a text can only be meant as a FEN: it names a side and squares with colons.
fn looks_like_fen(text: &str) -> bool {
    text.contains(':') && text.starts_with(['B', 'W', 'b', 'w', '?', ':', '"'])
}
