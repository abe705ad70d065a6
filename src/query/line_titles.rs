//! What names one line to people: its players, event, date, opening and winner, as one sentence.

use rusqlite::OptionalExtension;

use crate::store::Database;

use crate::table::{Cell, Column, Row};

use super::QueryError;

/// What names a line to people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineTitle {
    /// The line.
    pub id: u32,
    /// `game`, `book`, `variation` or `opening`.
    pub kind: String,
    /// The source it is from.
    pub source: String,
    /// The line of the source's text where it begins.
    pub game_number: i64,
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

impl Row for LineTitle {
    const COLUMNS: &'static [Column] = &[
        Column::number("id", 0),
        Column::text("date", 1),
        Column::text("black", 0).grouped("players"),
        Column::text("white", 0).grouped("players"),
        Column::text("winner", 0),
        Column::text("event", 2),
        Column::text("opening", 1),
    ];

    fn values(self) -> Vec<Cell> {
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

impl LineTitle {
    /// What names the line of this id.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn read(database: &Database, id: u32) -> Result<Option<Self>, QueryError> {
        let mut statement = database.connection().prepare_cached(
            "SELECT kind, source, place, (SELECT label FROM line WHERE line.id = games.id), black, white, event, date,
                 winner, opening FROM games WHERE id = ?1",
        )?;
        let read = |row: &rusqlite::Row<'_>| {
            Ok(Self {
                id,
                kind: row.get(0)?,
                source: row.get(1)?,
                game_number: row.get(2)?,
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
        let is_label = |opening: &&String| self.label.as_deref().is_some_and(|label| label.trim() == opening.trim());
        // A line of a book often has the name of its opening.
        let opening = self.opening.as_ref().filter(|opening| !is_label(opening));
        let named = [self.label.as_ref(), self.event.as_ref(), self.date.as_ref(), opening];
        parts.extend(named.into_iter().flatten().cloned());
        parts.extend(match self.winner.as_str() {
            "black" => Some("Black won".to_owned()),
            "white" => Some("White won".to_owned()),
            "draw" => Some("drawn".to_owned()),
            _ => None,
        });
        parts.join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_that_of_the_opening_is_told_once() {
        let head = |label: &str| LineTitle {
            id: 8,
            kind: "book".to_owned(),
            source: "a book".to_owned(),
            game_number: 1,
            label: Some(label.to_owned()),
            black: None,
            white: None,
            event: None,
            date: None,
            winner: "unknown".to_owned(),
            opening: Some("Ayrshire Lassie".to_owned()),
        };
        assert_eq!(head("Ayrshire Lassie").sentence(), "Ayrshire Lassie");
        assert_eq!(head("Trunk").sentence(), "Trunk; Ayrshire Lassie");
    }
}
