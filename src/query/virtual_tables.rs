//! Tables that questions in SQL can ask and that stand in no file: positions, the moves played there, the plies of lines.
//!
//! Each has a key: asked for one position or one line it looks that up; else it walks over everything, row by row, in constant
//! memory. A table is a line of [`TABLES`].

use std::path::Path;

use rusqlite::OptionalExtension;
use rusqlite::types::Value as Sql;

use crate::board::Variant;
use crate::book::Book;
use crate::game::LineKind;
use crate::notation::fen;
use crate::rules::{Position, PositionKey};
use crate::store::{Database, PositionWalk, Posting};
use crate::table::{Cell, Column, Row};

use super::QueryError;
use super::moves::{MoveRow, moves, stats_of};
use super::position_stats::{PositionStats, distinct_lines};
use super::record::{PlyRow, record};

/// What a table reads from.
pub(super) struct Store {
    database: Database,
    book: Book,
}

impl Store {
    /// The database at `path` as it is now.
    pub(super) fn open(path: &Path) -> Result<Self, QueryError> {
        let database = Database::open(path)?;
        database.hold_snapshot()?;
        let book = Book::embedded().map_err(|error| QueryError::Statement { what: error.to_string(), at: None })?;
        Ok(Self { database, book })
    }
}

/// The rows of a table, one after the other.
pub(super) trait TableRows {
    /// The next row; a value a column.
    fn next(&mut self, store: &Store) -> Result<Option<Vec<Sql>>, QueryError>;
}

/// Rows by key, or all of them without one.
type OpenRows = fn(&Store, Option<&Sql>) -> Result<Box<dyn TableRows>, QueryError>;

/// A table.
pub(super) struct TableKind {
    /// Its name in SQL.
    pub(super) name: &'static str,
    /// A column that its rows do not have themselves and that stands first.
    first: Option<&'static str>,
    rest: &'static [Column],
    /// The column it finds rows by.
    pub(super) key: usize,
    /// Its rows.
    pub(super) open: OpenRows,
}

impl TableKind {
    /// The names of its columns.
    pub(super) fn columns(&self) -> Vec<&str> {
        self.first.into_iter().chain(self.rest.iter().map(|column| &*column.name)).collect()
    }
}

/// Every table.
pub(super) static TABLES: &[TableKind] = &[
    TableKind {
        name: "positions",
        first: None,
        rest: PositionRow::COLUMNS,
        key: 0,
        open: |store, key| by_position(store, key, position_rows),
    },
    TableKind {
        name: "moves",
        first: Some("fen"),
        rest: MoveRow::COLUMNS,
        key: 0,
        open: |store, key| by_position(store, key, move_rows),
    },
    TableKind { name: "plies", first: None, rest: PlyRow::COLUMNS, key: 0, open: by_line },
];

/// A row of `positions`.
struct PositionRow {
    position: Position,
    stats: PositionStats,
    lines: u32,
    opening: Option<String>,
}

impl Row for PositionRow {
    const COLUMNS: &'static [Column] = &[
        Column::text("fen", 0),
        Column::text("turn", 0),
        Column::number("games", 0),
        Column::number("lines", 0),
        Column::number("black_wins", 0),
        Column::number("draws", 0),
        Column::number("white_wins", 0),
        Column::number("score", 0),
        Column::number("last_year", 0),
        Column::text("opening", 0),
    ];

    fn values(self) -> Vec<Cell> {
        let stats = self.stats;
        vec![
            fen::write(&self.position.setup()).into(),
            self.position.turn().name().into(),
            stats.games.into(),
            self.lines.into(),
            stats.black_wins.into(),
            stats.draws.into(),
            stats.white_wins.into(),
            stats.score(self.position.turn()).into(),
            stats.last_year.into(),
            self.opening.into(),
        ]
    }
}

/// The rows of one position, in which these lines stood.
type PositionRows = fn(&Store, &Position, &[Posting]) -> Result<Vec<Vec<Cell>>, QueryError>;

fn position_rows(store: &Store, position: &Position, postings: &[Posting]) -> Result<Vec<Vec<Cell>>, QueryError> {
    if postings.is_empty() {
        return Ok(Vec::new());
    }
    let row = PositionRow {
        position: *position,
        stats: stats_of(&store.database, postings)?,
        lines: distinct_lines(postings).len() as u32,
        opening: store.book.at(position.key()).map(|named| named.name.clone()),
    };
    Ok(vec![row.values()])
}

fn move_rows(store: &Store, position: &Position, postings: &[Posting]) -> Result<Vec<Vec<Cell>>, QueryError> {
    let facts = store.database.facts()?;
    // Most positions of a walk are the ends of lines or stand in variations alone.
    if !postings.iter().any(|posting| facts.get(posting.line).is_some_and(|fact| fact.kind == LineKind::Game)) {
        return Ok(Vec::new());
    }
    let fen = fen::write(&position.setup());
    let (rows, _) = moves(&store.database, &store.book, position)?;
    Ok(rows.into_iter().map(|row| std::iter::once(fen.clone().into()).chain(row.values()).collect()).collect())
}

fn by_position(store: &Store, key: Option<&Sql>, answer: PositionRows) -> Result<Box<dyn TableRows>, QueryError> {
    let walk = if key.is_none() { Some(store.database.walk_positions()?) } else { None };
    let mut rows = ByPosition { answer, walk, ready: Vec::new().into_iter() };
    // What is no text is no position; a text that is none is a slip worth telling.
    if let Some(Sql::Text(text)) = key {
        let position = read_fen(text)?;
        rows.ready = answer(store, &position, &store.database.postings(position.key())?)?.into_iter();
    }
    Ok(Box::new(rows))
}

fn read_fen(text: &str) -> Result<Position, QueryError> {
    let told = |reason: String| QueryError::NoPosition { text: text.to_owned(), reason };
    let read = fen::read(text, Variant::English).map_err(|error| told(error.to_string()))?;
    Position::from_setup(&read.setup).map_err(|error| told(error.to_string()))
}

/// Rows of one position, or of all, one after the other.
struct ByPosition {
    answer: PositionRows,
    walk: Option<PositionWalk>,
    ready: std::vec::IntoIter<Vec<Cell>>,
}

impl TableRows for ByPosition {
    fn next(&mut self, store: &Store) -> Result<Option<Vec<Sql>>, QueryError> {
        loop {
            if let Some(row) = self.ready.next() {
                return Ok(Some(row.into_iter().map(sql_value).collect()));
            }
            let Some(walk) = &mut self.walk else { return Ok(None) };
            let Some((key, postings)) = walk.next(&store.database)? else { return Ok(None) };
            self.ready = (self.answer)(store, &position_of(key)?, postings)?.into_iter();
        }
    }
}

fn position_of(key: PositionKey) -> Result<Position, QueryError> {
    let damaged = || crate::store::StoreError::Damaged("a key of the index is no position".to_owned());
    Ok(key.position().ok_or_else(damaged)?)
}

fn by_line(_: &Store, key: Option<&Sql>) -> Result<Box<dyn TableRows>, QueryError> {
    let (next, last) = match key {
        None => (0, u32::MAX),
        Some(Sql::Integer(id)) => u32::try_from(*id).map_or((1, 0), |id| (id, id)),
        // The same number with a fraction of nothing, as SQLite compares.
        Some(Sql::Real(id)) if id.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(id) => {
            (*id as u32, *id as u32)
        }
        Some(_) => (1, 0),
    };
    Ok(Box::new(ByLine { next, last, ready: Vec::new().into_iter() }))
}

/// Plies of one line, or of all.
struct ByLine {
    next: u32,
    last: u32,
    ready: std::vec::IntoIter<PlyRow>,
}

impl TableRows for ByLine {
    fn next(&mut self, store: &Store) -> Result<Option<Vec<Sql>>, QueryError> {
        loop {
            if let Some(row) = self.ready.next() {
                return Ok(Some(row.values().into_iter().map(sql_value).collect()));
            }
            let mut next = store
                .database
                .connection()
                .prepare_cached("SELECT id FROM line WHERE id BETWEEN ?1 AND ?2 ORDER BY id LIMIT 1")?;
            let Some(id) = next.query_row([self.next, self.last], |row| row.get(0)).optional()? else {
                return Ok(None);
            };
            self.next = id + 1;
            if let Some(line) = record(&store.database, id)? {
                self.ready = line.plies().into_iter();
            }
        }
    }
}

fn sql_value(value: Cell) -> Sql {
    match value {
        Cell::Null => Sql::Null,
        Cell::Int(number) => Sql::Integer(number),
        Cell::Real(number) => Sql::Real(number),
        Cell::Text(text) => Sql::Text(text),
        Cell::Bool(yes) => Sql::Integer(i64::from(yes)),
        Cell::List(texts) => Sql::Text(texts.join("; ")),
    }
}
