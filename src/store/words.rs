//! The words by which the database writes values, witnesses, sides and notes: the one place that reads and writes them.

use rusqlite::Row;
use rusqlite::types::{FromSqlError, Type};

use crate::board::{Bounds, Color, Witness};
use crate::game::NoteKind;

/// The word of a side.
pub(super) const fn color_name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// The error of a word that stands in a column and is none of those that may.
fn unknown(column: usize, word: &str) -> rusqlite::Error {
    let source = format!("{word:?} is not a word of this column");
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, FromSqlError::Other(source.into()).into())
}

/// A side, or nothing.
pub(super) fn color(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Color>> {
    match row.get::<_, Option<String>>(column)?.as_deref() {
        None => Ok(None),
        Some("black") => Ok(Some(Color::Black)),
        Some("white") => Ok(Some(Color::White)),
        Some(other) => Err(unknown(column, other)),
    }
}

/// Who says something.
pub(super) fn witness(row: &Row<'_>, column: usize) -> rusqlite::Result<Witness> {
    let word: String = row.get(column)?;
    Witness::from_name(&word).ok_or_else(|| unknown(column, &word))
}

/// Who says something, or nothing.
pub(super) fn optional_witness(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Witness>> {
    let word: Option<String> = row.get(column)?;
    word.map(|word| Witness::from_name(&word).ok_or_else(|| unknown(column, &word))).transpose()
}

/// What is known of a value. A database that an older version wrote has that version's words until a command that writes
/// migrates it.
pub(super) fn bounds(row: &Row<'_>, column: usize) -> rusqlite::Result<Bounds> {
    let word: String = row.get(column)?;
    let today = match word.as_str() {
        "won" => "win",
        "drawn" => "draw",
        "lost" => "loss",
        "not lost" => "not-loss",
        "not won" => "not-win",
        word => word,
    };
    Bounds::from_name(today).filter(|bounds| *bounds != Bounds::OPEN).ok_or_else(|| unknown(column, &word))
}

/// A note: its kind in one column, what it says in the next.
pub(super) fn note_kind(row: &Row<'_>, column: usize) -> rusqlite::Result<NoteKind> {
    let (name, value): (String, String) = (row.get(column)?, row.get(column + 1)?);
    NoteKind::from_words(&name, value).ok_or_else(|| unknown(column, &name))
}
