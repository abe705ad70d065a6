//! What names one line to people: its players, event, date, opening and winner, as one sentence.

use rusqlite::OptionalExtension;

use crate::store::Database;

use crate::table::{Column, Row, Value};

use super::QueryError;

/// What names a line to people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineHead {
    /// The line.
    pub id: u32,
    /// `game`, `book`, `variation` or `opening`.
    pub kind: String,
    /// The source it is from.
    pub source: String,
    /// The line of the source's text where it begins.
    pub place: i64,
    /// The name its source gives it.
    pub label: Option<String>,
    /// Who played the black men.
    pub black: Option<String>,
    /// Who played the white men.
    pub white: Option<String>,
    /// Where it was played.
    pub event: Option<String>,
    /// When it was played, as written.
    pub date: Option<String>,
    /// `black`, `white`, `draw` or `unknown`.
    pub winner: String,
    /// The opening.
    pub opening: Option<String>,
}

impl Row for LineHead {
    const COLUMNS: &'static [Column] = &[
        Column::number("id", 0),
        Column::text("date", 1),
        Column::text("black", 0).grouped("players"),
        Column::text("white", 0).grouped("players"),
        Column::text("winner", 0),
        Column::text("event", 2),
        Column::text("opening", 1),
    ];

    fn values(self) -> Vec<Value> {
        vec![
            self.id.into(),
            self.date.into(),
            self.black.into(),
            self.white.into(),
            self.winner.into(),
            self.event.into(),
            self.opening.into(),
        ]
    }
}

impl LineHead {
    /// What names the line of this id.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn of(database: &Database, id: u32) -> Result<Option<Self>, QueryError> {
        let mut statement = database.connection().prepare_cached(
            "SELECT kind, source, place, (SELECT label FROM line WHERE line.id = games.id), black, white, event, date,
                 winner, opening FROM games WHERE id = ?1",
        )?;
        let read = |row: &rusqlite::Row<'_>| {
            Ok(Self {
                id,
                kind: row.get(0)?,
                source: row.get(1)?,
                place: row.get(2)?,
                label: row.get(3)?,
                black: row.get(4)?,
                white: row.get(5)?,
                event: row.get(6)?,
                date: row.get(7)?,
                winner: row.get(8)?,
                opening: row.get(9)?,
            })
        };
        Ok(statement.query_row([id], read).optional()?)
    }

    /// The head as one sentence: `Ash, A. v Beech, B.; Spring; 1880; Defiance; White won`. Black stands first; what is unknown is
    /// left out. A variation has no head of its own.
    #[must_use]
    pub fn sentence(&self) -> String {
        let name =
            |name: &Option<String>| name.as_deref().map_or_else(|| "?".to_owned(), |name| name.trim().to_owned());
        let mut parts = Vec::new();
        if self.black.is_some() || self.white.is_some() {
            parts.push(format!("{} v {}", name(&self.black), name(&self.white)));
        }
        parts.extend([&self.label, &self.event, &self.date, &self.opening].into_iter().flatten().cloned());
        parts.extend(match self.winner.as_str() {
            "black" => Some("Black won".to_owned()),
            "white" => Some("White won".to_owned()),
            "draw" => Some("drawn".to_owned()),
            _ => None,
        });
        parts.join("; ")
    }
}
