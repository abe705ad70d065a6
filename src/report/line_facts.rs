//! What is told of lines: the columns of `games` that reports speak of, read line by line.

use crate::board::Winner;
use crate::game::{LineKind, write_moves};
use crate::notation::fen;
use crate::query::{LineSet, Origins, year_of};
use crate::rules::Position;
use crate::store::{Database, StoreError, StoredLine};

use super::ReportError;

/// What is told of one line.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct LineFacts {
    pub(super) id: u32,
    /// `game`, `book`, `variation` or `opening`.
    pub(super) kind: LineKind,
    pub(super) source: String,
    /// Its line in the source.
    pub(super) game_number: i64,
    pub(super) event: Option<String>,
    pub(super) date: Option<String>,
    pub(super) black: Option<String>,
    pub(super) white: Option<String>,
    /// As written.
    pub(super) result: Option<String>,
    pub(super) winner: Winner,
    pub(super) verdict: Option<String>,
    pub(super) plies: u32,
    pub(super) opening: Option<String>,
    pub(super) ballot: Option<u16>,
    /// As the source marks it; what others say does not count here.
    pub(super) losing_ply: Option<u32>,
}

const COLUMNS: &str =
    "id, kind, source, place, event, date, black, white, result, winner, verdict, plies, opening, ballot,
     (SELECT losing_ply FROM line WHERE line.id = games.id)";

impl LineFacts {
    fn read(row: &rusqlite::Row<'_>) -> Result<Self, rusqlite::Error> {
        Ok(Self {
            id: row.get(0)?,
            // The view of the database has no other words; a word that it does not know is no game.
            kind: LineKind::from_name(row.get_ref(1)?.as_str()?).unwrap_or(LineKind::Variation),
            source: row.get(2)?,
            game_number: row.get(3)?,
            event: row.get(4)?,
            date: row.get(5)?,
            black: row.get(6)?,
            white: row.get(7)?,
            result: row.get(8)?,
            winner: Winner::from_name(row.get_ref(9)?.as_str()?).unwrap_or(Winner::Unknown),
            verdict: row.get(10)?,
            plies: row.get(11)?,
            opening: row.get(12)?,
            ballot: row.get(13)?,
            losing_ply: row.get(14)?,
        })
    }

    pub(super) fn is_game(&self) -> bool {
        self.kind == LineKind::Game
    }

    /// The year of its date.
    pub(super) fn year(&self) -> Option<u16> {
        self.date.as_deref().and_then(year_of)
    }

    /// What is told of a line.
    pub(super) fn load(database: &Database, line: u32) -> Result<Self, ReportError> {
        let sql = format!("SELECT {COLUMNS} FROM games WHERE id = ?1");
        let mut statement = database.connection().prepare_cached(&sql)?;
        Ok(statement.query_row([line], Self::read)?)
    }
}

/// Shows `visit` what is told of every line of `lines`, ascending by id, one at a time.
pub(super) fn each(
    database: &Database,
    lines: &LineSet,
    mut visit: impl FnMut(LineFacts) -> Result<(), ReportError>,
) -> Result<(), ReportError> {
    let mut statement = database.connection().prepare(&format!("SELECT {COLUMNS} FROM games ORDER BY id"))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        if lines.contains(row.get(0)?) {
            visit(LineFacts::read(row)?)?;
        }
    }
    Ok(())
}

/// The first and the last of some years.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Years {
    pub(super) first: Option<u16>,
    pub(super) last: Option<u16>,
}

impl Years {
    pub(super) fn add(&mut self, year: Option<u16>) {
        let Some(year) = year else { return };
        self.first = Some(self.first.map_or(year, |first| first.min(year)));
        self.last = self.last.max(Some(year));
    }
}

/// The line of this id, which the index or a row told of.
pub(super) fn line(database: &Database, id: u32) -> Result<StoredLine, ReportError> {
    let damaged = || StoreError::Damaged(format!("line {id} is gone"));
    Ok(database.line(id)?.ok_or_else(damaged)?)
}

/// The text of the first `plies` moves of a line, and of its game's before them where it is a variation.
pub(super) fn moves_to(
    database: &Database,
    origins: &mut Origins<'_>,
    id: u32,
    plies: u32,
) -> Result<String, ReportError> {
    let mut parts = Vec::new();
    let (mut at, mut plies) = (id, plies as usize);
    loop {
        let stored = line(database, at)?;
        let played = stored.moves.get(..plies).unwrap_or(&stored.moves);
        let text = write_moves(stored.start, played);
        let origin = origins.lookup(at)?;
        match origin.parent.filter(|parent| *parent < at) {
            None => {
                parts.push(text);
                if stored.start != Position::start(stored.start.variant()) {
                    parts.push(fen::write(&stored.start.setup()));
                }
                break;
            }
            Some(parent) => {
                let above = origins.lookup(parent)?.plies;
                plies = origin.plies.saturating_sub(above) as usize;
                at = parent;
                parts.push(text);
            }
        }
    }
    parts.retain(|part| !part.is_empty());
    parts.reverse();
    Ok(parts.join(" "))
}
