//! One stored line whole: what its source tells of it, its moves, notes and variations.

use rusqlite::OptionalExtension;

use crate::board::Color;
use crate::game::{Mark, Note, NoteKind, move_text};
use crate::store::{Database, StoredLine};

use super::QueryError;

/// A line with its notes, ready to be printed.
#[derive(Clone, PartialEq, Debug)]
pub struct LineView {
    /// The line.
    pub line: StoredLine,
    /// The text of each move.
    pub texts: Vec<String>,
    /// What is attached to its plies, ascending by ply.
    pub notes: Vec<Note>,
    /// Plies, ascending, with what our own analysis found there, where an export asks for it.
    pub found: Vec<(u32, String)>,
}

impl LineView {
    pub(super) fn read(database: &Database, line: StoredLine) -> Result<Self, QueryError> {
        let texts = line.positions().zip(&line.moves).map(|(position, played)| move_text(&position, played)).collect();
        let notes = database.notes(line.id)?;
        Ok(Self { line, texts, notes, found: Vec::new() })
    }

    /// The side that moves at `ply`, from 1.
    #[must_use]
    pub fn color_at(&self, ply: u32) -> Color {
        if ply % 2 == 1 { self.line.start.turn() } else { !self.line.start.turn() }
    }

    /// What is attached to a ply.
    #[must_use]
    pub fn notes_at(&self, ply: u32) -> &[Note] {
        let from = self.notes.partition_point(|note| note.ply < ply);
        let count = self.notes[from..].partition_point(|note| note.ply == ply);
        &self.notes[from..from + count]
    }

    /// The marks of a ply as they are printed behind the move: `*` for a losing move, `!` and the like.
    #[must_use]
    pub fn marks_at(&self, ply: u32) -> String {
        let sign = |note: &Note| match note.kind {
            NoteKind::Mark(Mark::Losing) => Some("*".into()),
            NoteKind::Mark(Mark::Star) => Some("(*)".into()),
            NoteKind::Mark(mark) => Some(mark.sign()),
            NoteKind::Comment(_) | NoteKind::Repaired(_) => None,
        };
        self.notes_at(ply).iter().filter_map(sign).collect()
    }
}

/// A stored line with everything that hangs on it.
#[derive(Clone, PartialEq, Debug)]
pub struct GameView {
    /// Fields in the order they are told: name and value.
    pub fields: Vec<(&'static str, String)>,
    /// The main line.
    pub main: LineView,
    /// The variations: the line each leaves, the ply it replaces, its label.
    pub branches: Vec<(u32, u32, Option<String>, LineView)>,
    /// Other sources that have the same game.
    pub also_in: Vec<String>,
}

/// The line of this id with everything that hangs on it.
///
/// # Errors
/// When the database cannot be read.
pub fn show(database: &Database, id: u32) -> Result<Option<GameView>, QueryError> {
    let Some(line) = database.line(id)? else { return Ok(None) };
    let connection = database.connection();
    const RECORD_FIELDS: [&str; 16] = [
        "kind",
        "source",
        "place",
        "event",
        "date",
        "black",
        "white",
        "result",
        "winner",
        "verdict",
        "result_check",
        "plies",
        "status",
        "opening",
        "ballot",
        "losing_ply",
    ];
    let mut fields = connection
        .query_row(&format!("SELECT {} FROM copies WHERE id = ?1", RECORD_FIELDS.join(", ")), [id], |row| {
            let mut fields = Vec::new();
            for (column, name) in RECORD_FIELDS.into_iter().enumerate() {
                let text = match row.get_ref(column)? {
                    rusqlite::types::ValueRef::Integer(number) => number.to_string(),
                    rusqlite::types::ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
                    _ => continue,
                };
                fields.push((name, text));
            }
            Ok(fields)
        })
        .optional()?
        .unwrap_or_default();
    let label: Option<String> =
        connection.query_row("SELECT label FROM copy WHERE id = ?1", [id], |row| row.get(0)).optional()?.flatten();
    if let Some(label) = label {
        fields.insert(0, ("name", label));
    }
    let mut branches = Vec::new();
    for branch in database.branches(id)? {
        branches.push((branch.parent, branch.ply, branch.label, LineView::read(database, branch.line)?));
    }
    let mut others = connection.prepare_cached(
        "SELECT copies.source || ', line ' || copies.place FROM copies JOIN copy AS asked ON asked.id = ?1
             WHERE copies.line = coalesce(asked.same_as, asked.id) AND copies.id <> ?1
         UNION
         SELECT source.name || ', line ' || unread_copy.file_line FROM unread_copy
             JOIN source ON source.id = unread_copy.source WHERE unread_copy.line = ?1
         UNION
         SELECT source_name.name || ', the same file' FROM source_name JOIN copy ON copy.source = source_name.source WHERE copy.id = ?1
         ORDER BY 1",
    )?;
    let also_in = others.query_map([id], |row| row.get(0))?.collect::<Result<_, _>>()?;
    Ok(Some(GameView { fields, main: LineView::read(database, line)?, branches, also_in }))
}
