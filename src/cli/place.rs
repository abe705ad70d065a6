//! POSITION arguments: a FEN, a list of moves, or an opening's name; nothing means the start.

use std::ops::Range;

use crate::board::{Move, Variant};
use crate::book::Book;
use crate::game;
use crate::notation::fen;
use crate::rules::Position;

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

/// Reads a POSITION argument.
pub(super) fn position(words: &[String], variant: Variant, book: &Book) -> Result<Named, CliError> {
    let text = words.join(" ");
    let text = text.trim();
    let start = Position::start(variant);
    if text.is_empty() && !words.is_empty() {
        return Err(CliError::usage(
            "the position is empty: leave it out for the start, or write a FEN, moves or a name",
        ));
    }
    if text.is_empty() || text.eq_ignore_ascii_case("start") {
        return Ok(Named { position: start, start, moves: Vec::new() });
    }
    if looks_like_fen(text) {
        let read = fen::read(text, variant).map_err(|error| {
            CliError::usage(format!("no position: {error}"))
                .at(text, word_at(text, error.at))
                .hint("a FEN looks like B:W18,K21:B1,5")
        })?;
        let position = Position::from_setup(&read.setup)
            .map_err(|reasons| CliError::usage(format!("{text:?} is no legal position: {reasons}")))?;
        return Ok(Named { position, start: position, moves: Vec::new() });
    }
    if text.starts_with(|c: char| c.is_ascii_digit()) && !is_name(text, book) {
        let moves = game::read_moves(text, start).map_err(|error| {
            let end = error.at + error.found.len();
            CliError::usage(error.to_string()).at(text, error.at..end).hint("moves look like 11-15 23-19 or 15x22")
        })?;
        let position = moves.iter().fold(start, |position, played| position.play_unchecked(played));
        return Ok(Named { position, start, moves });
    }
    let matches = book.lookup(text);
    match matches.first() {
        Some(best) if best.is_sure() || matches.len() == 1 => {
            let line = &best.opening.definition;
            Ok(Named { position: line.position, start, moves: line.moves.clone() })
        }
        Some(_) => {
            let names: Vec<_> = matches.iter().take(5).map(|found| found.opening.name.as_str()).collect();
            Err(CliError::usage(format!("{text:?} may be several openings, or none"))
                .hint(format!("did you mean {}?", names.join(", "))))
        }
        None => Err(CliError::usage(format!("{text:?} is no FEN, no list of moves and no opening's name"))
            .hint("look names up with: crownhead opening NAME")),
    }
}

/// Whether a text is a FEN or a list of moves rather than an opening's name.
pub(super) fn is_play(text: &str, book: &Book) -> bool {
    let text = text.trim();
    looks_like_fen(text) || looks_like_moves(text) && !is_name(text, book)
}

/// Whether a text starts as a list of moves does: a move number or a square, and a second square somewhere behind it.
fn looks_like_moves(text: &str) -> bool {
    let is_between = |c: char| matches!(c, '-' | 'x' | 'X' | '\u{d7}' | '\u{2013}' | '\u{2212}' | ':');
    let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    text.starts_with(|c: char| c.is_ascii_digit()) && text.contains(is_between) && numbers.count() > 1
}

/// Whether a text is an opening's name to the letter.
fn is_name(text: &str, book: &Book) -> bool {
    book.lookup(text).first().is_some_and(|best| best.rank == crate::book::Rank::Exact)
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
