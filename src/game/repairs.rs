//! Suggestions for a move that cannot be played: found by trying, never applied.

use smallvec::SmallVec;

use crate::board::Move;
use crate::notation::ParsedMove;
use crate::rules::Position;

use super::matching::match_move;
use super::notate::{move_text, moves_text};

/// How many of the plies that follow must fit for a suggestion to be worth making.
const LOOK_AHEAD_PLIES: usize = 4;

/// What might have been meant: moves whose digits are nearly those written, or moves that the text may have lost here.
/// Empty when nothing fits what follows. `rest` starts with the move that failed.
#[must_use]
pub(super) fn suggest(position: &Position, rest: &[ParsedMove]) -> String {
    let Some((written, following)) = rest.split_first() else { return String::new() };
    if written.squares.is_empty() {
        return String::new();
    }
    let legal = position.legal_moves();
    let fits = |next: Position, line: &[ParsedMove]| {
        let line = &line[..line.len().min(LOOK_AHEAD_PLIES)];
        plies_that_fit(next, line) == line.len()
    };
    let misread: Vec<Move> = legal
        .iter()
        .copied()
        .filter(|m| one_digit_apart(&move_text(position, m), written))
        .filter(|m| fits(position.play_unchecked(m), following))
        .collect();
    let lost: Vec<Move> = legal.iter().copied().filter(|m| fits(position.play_unchecked(m), rest)).collect();
    let mut parts: SmallVec<[String; 2]> = SmallVec::new();
    if !misread.is_empty() {
        parts.push(format!("perhaps {}", moves_text(position, &misread).replace(' ', " or ")));
    }
    if !lost.is_empty() {
        let moves = moves_text(position, &lost).replace(' ', " or ");
        parts.push(format!("perhaps a move is missing before it: {moves} would let the rest go on"));
    }
    parts.join("; ")
}

/// How many of `line` can be played from `position`.
pub(super) fn plies_that_fit(mut position: Position, line: &[ParsedMove]) -> usize {
    for (ply, written) in line.iter().enumerate() {
        match match_move(&position, written) {
            Ok(matched) => position = position.play_unchecked(&matched.legal),
            Err(_) => return ply,
        }
    }
    line.len()
}

/// Whether one digit changed, added or left out turns the written move into `text`.
fn one_digit_apart(text: &str, written: &ParsedMove) -> bool {
    let wanted: Vec<&str> = text.split(['-', 'x']).collect();
    if wanted.len() != written.squares.len() {
        return false;
    }
    let differences: usize = wanted
        .iter()
        .zip(&written.squares)
        .map(|(wanted, number)| edits(wanted.as_bytes(), number.to_string().as_bytes()))
        .sum();
    differences == 1
}

/// Edit distance of two numbers of at most two digits, or 2 where it is more.
fn edits(a: &[u8], b: &[u8]) -> usize {
    if a == b {
        return 0;
    }
    let one_apart = match (a, b) {
        ([x], [y, z]) | ([y, z], [x]) => x == y || x == z,
        ([_], [_]) => true,
        ([u, v], [x, y]) => u == x || v == y,
        _ => false,
    };
    if one_apart { 1 } else { 2 }
}
