//! The words by which the database writes values, witnesses, sides and notes: the one place that reads and writes them.

use rusqlite::Row;
use rusqlite::types::{FromSqlError, Type};

use crate::board::{Bounds, Color, Witness};
use crate::game::NoteKind;

/// The error for a word that its column does not allow.
fn unknown(column: usize, word: &str) -> rusqlite::Error {
    let source = format!("{word:?} is not a word of this column");
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, FromSqlError::Other(source.into()).into())
}

/// A side, or nothing.
pub(super) fn color(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Color>> {
    let word: Option<String> = row.get(column)?;
    let color = |word: String| {
        let found = [Color::Black, Color::White].into_iter().find(|color| color.name() == word);
        found.ok_or_else(|| unknown(column, &word))
    };
    word.map(color).transpose()
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
