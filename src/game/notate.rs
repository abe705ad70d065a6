//! Moves as text: the shortest that the rules make clear.

use smallvec::SmallVec;

use crate::board::{Move, Square};
use crate::rules::Position;

/// The squares that name `legal`, a legal move of `position`: both ends, or the whole path where another capture has the
/// same ends (PDN 3.0: the long notation only where the short one is ambiguous).
#[must_use]
pub fn move_path(position: &Position, legal: &Move) -> SmallVec<[Square; 8]> {
    let ends = SmallVec::from_slice(&[legal.from, legal.to]);
    // One piece taken: the two squares tell it apart from every other move.
    if legal.captured.count() < 2 {
        return ends;
    }
    let same_ends = position.legal_moves().iter().filter(|m| m.from == legal.from && m.to == legal.to).count();
    if same_ends < 2 {
        return ends;
    }
    position.capture_paths().into_iter().find(|path| path.to_move() == *legal).map_or(ends, |path| path.squares)
}

/// The text of `legal`, a legal move of `position`: `11-15`, `15x22`, `22x13x6`.
#[must_use]
pub fn move_text(position: &Position, legal: &Move) -> String {
    let mut text = String::with_capacity(6);
    push_move_text(&mut text, position, legal);
    text
}

/// Adds the text of `legal`, a legal move of `position`, to `text`.
pub(super) fn push_move_text(text: &mut String, position: &Position, legal: &Move) {
    let sign = if legal.is_capture() { 'x' } else { '-' };
    for (i, square) in move_path(position, legal).iter().enumerate() {
        if i > 0 {
            text.push(sign);
        }
        // Squares have one or two digits.
        let number = square.number();
        if number >= 10 {
            text.push(char::from(b'0' + number / 10));
        }
        text.push(char::from(b'0' + number % 10));
    }
}

/// The texts of several moves of `position`, with blanks between.
#[must_use]
pub fn moves_text<'a>(position: &Position, moves: impl IntoIterator<Item = &'a Move>) -> String {
    moves.into_iter().map(|legal| move_text(position, legal)).collect::<Vec<_>>().join(" ")
}
