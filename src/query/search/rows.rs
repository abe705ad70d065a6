//! From lines found to rows: filters, order, and what is told of each.

use rusqlite::OptionalExtension;
use rusqlite::types::Value as Sql;

use crate::game::move_text;
use crate::notation::fen;
use crate::query::QueryError;
use crate::query::filters::{Condition, Filters, add_functions};
use crate::query::games::Sort;
use crate::query::variation_origins::Origins;
use crate::store::Database;
use crate::table::{Cell, Column, Row, SortOrder};

use super::{Hit, threads};

/// From so many hits on a second connection pays.
const MAX_SINGLE_LOOKUPS: usize = 2048;

/// A row of `search`.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchRow {
    cells: Vec<Cell>,
}

impl Row for SearchRow {
    const COLUMNS: &'static [Column] = &[
        Column::number("game", 0),
        Column::text("kind", 4),
        Column::number("ply", 0),
        Column::text("move_to_come", 1),
        Column::text("fen", 7),
        Column::text("opening", 2),
        Column::text("black", 1).grouped("players"),
        Column::text("white", 1).grouped("players"),
        Column::text("winner", 2),
        Column::text("reversed", 8),
        Column::number("line", 6),
        Column::text("variation", 5),
        Column::number("parent", 9),
    ];

    fn values(self) -> Vec<Cell> {
        self.cells
    }
}

/// The hits that `filters` let through, in the same order.
pub(super) fn filter(database: &Database, mut hits: Vec<Hit>, filters: &Filters) -> Result<Vec<Hit>, QueryError> {
    let (of_game, of_line) = (filters.of_game()?, filters.of_line(database)?);
    if hits.is_empty() || (of_game.is_empty() && of_line.is_empty()) {
        return Ok(hits);
    }
    if !of_line.is_empty() {
        let lines = hits.iter().map(|hit| hit.line).collect::<Vec<_>>();
        hits = kept(database, &hits, &lines, &of_line)?;
    }
    if !of_game.is_empty() {
        let mut origins = Origins::new(database.connection(), hits.len())?;
        let games =
            hits.iter().map(|hit| Ok(origins.lookup(hit.line)?.game)).collect::<Result<Vec<_>, QueryError>>()?;
        hits = kept(database, &hits, &games, &of_game)?;
    }
    Ok(hits)
}

/// The hits of whose `ids`, one a hit, the condition holds. Many are asked on all cores.
fn kept(database: &Database, hits: &[Hit], ids: &[u32], condition: &Condition) -> Result<Vec<Hit>, QueryError> {
    let path = database.path();
    // A database in memory cannot be opened twice.
    if hits.len() < MAX_SINGLE_LOOKUPS || path.as_os_str().is_empty() {
        return kept_here(database, hits, ids, condition);
    }
    let share = hits.len().div_ceil(threads());
    let ((own_hits, other_hits), (own_ids, other_ids)) = (hits.split_at(share), ids.split_at(share));
    std::thread::scope(|scope| {
        let begin = |(hits, ids)| {
            let path = &path;
            scope.spawn(move || kept_here(&Database::open(path)?, hits, ids, condition))
        };
        let others: Vec<_> = other_hits.chunks(share).zip(other_ids.chunks(share)).map(begin).collect();
        let mut found = kept_here(database, own_hits, own_ids, condition)?;
        for other in others {
            match other.join() {
                Ok(more) => found.extend(more?),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(found)
    })
}

/// The same on one connection.
fn kept_here(database: &Database, hits: &[Hit], ids: &[u32], condition: &Condition) -> Result<Vec<Hit>, QueryError> {
    add_functions(database)?;
    let list = ids.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    // CROSS JOIN keeps SQLite from walking all games to look for each in the list.
    let mut statement = database.connection().prepare(&format!(
        "SELECT hit FROM (SELECT key AS hit, value AS wanted FROM json_each(?)) CROSS JOIN games
         ON games.id = wanted WHERE {} ORDER BY hit",
        condition.sql()
    ))?;
    let values = std::iter::once(Sql::Text(format!("[{list}]"))).chain(condition.bound().iter().cloned());
    let places = statement.query_map(rusqlite::params_from_iter(values), |row| row.get::<_, i64>(0))?;
    let mut found = Vec::new();
    for place in places {
        found.extend(usize::try_from(place?).ok().and_then(|place| hits.get(place)));
    }
    Ok(found)
}

/// What is told of each hit.
pub(super) fn rows(database: &Database, hits: &[Hit]) -> Result<Vec<SearchRow>, QueryError> {
    let connection = database.connection();
    let mut origins = Origins::new(connection, hits.len())?;
    let mut facts = connection.prepare_cached(
        "SELECT own.kind, own.winner, game.opening, game.black, game.white, line.label
         FROM games AS own CROSS JOIN copy AS line ON line.id = own.id CROSS JOIN games AS game ON game.id = ?2
         WHERE own.id = ?1",
    )?;
    let mut rows = Vec::with_capacity(hits.len());
    for hit in hits {
        let origin = origins.lookup(hit.line)?;
        let told = facts
            .query_row([hit.line, origin.game], |row| {
                let mut told = [const { Cell::Null }; 6];
                for (column, value) in told.iter_mut().enumerate() {
                    *value = row.get::<_, Option<String>>(column)?.into();
                }
                Ok(told)
            })
            .optional()?;
        // A line that was taken away since it was found is not there any more.
        let (Some(told), Some(line)) = (told, database.line(hit.line)?) else { continue };
        let [kind, winner, opening, black, white, label] = told;
        let position = line.positions().nth(hit.ply as usize).unwrap_or(line.start);
        let to_come = line.moves.get(hit.ply as usize).map(|played| move_text(&position, played));
        let cells = vec![
            origin.game.into(),
            kind,
            (origin.plies + hit.ply).into(),
            to_come.into(),
            fen::write(&position.setup()).into(),
            opening,
            black,
            white,
            winner,
            hit.reversed.into(),
            hit.line.into(),
            if origin.parent.is_some() { label } else { Cell::Null },
            origin.parent.into(),
        ];
        rows.push(SearchRow { cells });
    }
    Ok(rows)
}

/// The order that `sort` asks for; `None` for the one that rows are found in.
pub(super) fn order(sort: &Sort) -> Result<Option<SortOrder>, QueryError> {
    Ok(sort.column.as_ref().map(|wanted| SortOrder::read(SearchRow::COLUMNS, wanted)).transpose()?)
}

/// Sorts `rows` by `order`.
pub(super) fn sort(rows: &mut [SearchRow], order: SortOrder) {
    rows.sort_by(|a, b| order.compare(&a.cells, &b.cells));
}
