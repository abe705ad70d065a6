//! Lists of games.

use rusqlite::types::Value as Sql;

use crate::game::write_moves;
use crate::notation::fen;
use crate::rules::Position;
use crate::store::{Database, StoreError, StoredLine};
use crate::table::{Cell, Column, Row, SortOrder, column_index};

use super::QueryError;
use super::filters::{Filters, add_functions};

/// How a list is ordered and cut.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sort {
    /// The column; by id where none is given. A leading `-` turns the order round.
    pub column: Option<String>,
    /// Rows passed over.
    pub offset: u64,
    /// Rows at most; all where none is given.
    pub limit: Option<u64>,
}

/// A row of `games`.
#[derive(Clone, PartialEq, Debug)]
pub struct GameRow {
    cells: Vec<Cell>,
}

/// How many columns of [`WITH_MOVES`] a list has that does not ask for the moves.
const WITHOUT_MOVES: usize = 19;

/// Every column of a game, those on request last.
const WITH_MOVES: &[Column] = &[
    Column::number("id", 0),
    Column::text("kind", 8),
    Column::path("source", 9).grouped("place"),
    Column::number("place", 9).grouped("place"),
    Column::text("event", 5),
    Column::date("date", 4),
    Column::text("black", 1).grouped("players"),
    Column::text("white", 1).grouped("players"),
    Column::text("result", 7),
    Column::text("winner", 0),
    Column::text("verdict", 10),
    Column::text("result_check", 11).headed("check"),
    Column::number("plies", 2),
    Column::text("status", 12),
    Column::text("opening", 1),
    Column::number("ballot", 6),
    Column::number("losing_ply", 3).grouped("losing"),
    Column::text("witness", 3).grouped("losing"),
    Column::text("final_fen", 13),
    Column::text("start_fen", 14),
    Column::text("moves", 8),
];

impl Row for GameRow {
    const COLUMNS: &'static [Column] = WITH_MOVES.split_at(WITHOUT_MOVES).0;

    fn values(self) -> Vec<Cell> {
        self.cells
    }
}

/// A row of `games` with its play behind it: `start_fen`, empty where play begins at the usual start, and `moves` in standard
/// notation without numbers, as a POSITION takes them.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedRow {
    cells: Vec<Cell>,
}

impl Row for PlayedRow {
    const COLUMNS: &'static [Column] = WITH_MOVES;

    fn values(self) -> Vec<Cell> {
        self.cells
    }
}

impl PlayedRow {
    /// Whether a list of these columns needs this row: it names a column that [`GameRow`] lacks. A name that no row has is
    /// refused with the names of this one.
    #[must_use]
    pub fn is_asked(columns: &[String]) -> bool {
        columns.iter().any(|name| column_index(GameRow::COLUMNS, name).is_err())
    }
}

/// The ids of the lines that `filters` let through, ordered and cut as `sort` says: four bytes a line, for what is too much to
/// hold in rows.
///
/// # Errors
/// When a filter cannot be read or the database cannot.
pub fn line_ids(database: &Database, filters: &Filters, sort: &Sort) -> Result<Vec<u32>, QueryError> {
    let connection = database.connection();
    add_functions(database)?;
    let condition = filters.of_list(database)?;
    let (filter, mut bound) = (condition.sql(), condition.bound().to_vec());
    let order = order(sort)?;
    bound.extend(cut(sort));
    let mut ids =
        connection.prepare(&format!("SELECT id FROM games WHERE {filter} ORDER BY {order} LIMIT ? OFFSET ?"))?;
    let ids = ids.query_map(rusqlite::params_from_iter(&bound), |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

/// The row of one line.
///
/// # Errors
/// When the database cannot be read.
pub fn game_row(database: &Database, id: u32) -> Result<Option<GameRow>, QueryError> {
    Ok(row_of(database, id)?.map(|(row, _)| row))
}

/// The row of one line, with its play.
///
/// # Errors
/// When the database cannot be read.
pub fn played_row(database: &Database, id: u32) -> Result<Option<PlayedRow>, QueryError> {
    Ok(row_of(database, id)?.map(played))
}

/// The row of one line, and its play.
fn row_of(database: &Database, id: u32) -> Result<Option<(GameRow, Option<StoredLine>)>, QueryError> {
    // A copy has the id of its line.
    let names = stored_columns().replacen("id", "line", 1);
    let mut statement = database.connection().prepare_cached(&format!("SELECT {names} FROM copies WHERE id = ?1"))?;
    let mut found = statement.query([id])?;
    Ok(match found.next()? {
        Some(row) => Some(read_row(database, row)?),
        None => None,
    })
}

fn stored_columns() -> String {
    stored().iter().map(|column| &*column.name).collect::<Vec<_>>().join(", ")
}

/// A row of the stored columns with the last position beside it, and the play that leads there.
fn read_row(database: &Database, row: &rusqlite::Row<'_>) -> Result<(GameRow, Option<StoredLine>), QueryError> {
    let mut cells = Vec::with_capacity(GameRow::COLUMNS.len());
    let id: u32 = row.get(0)?;
    for (column, named) in stored().iter().enumerate() {
        let damaged = |_| StoreError::Damaged(format!("line {id} has a {} that cannot be read", named.name));
        cells.push(match row.get::<_, Sql>(column).map_err(damaged)? {
            Sql::Integer(number) => Cell::Int(number),
            Sql::Text(text) => Cell::Text(text),
            Sql::Real(number) => Cell::Real(number),
            Sql::Null | Sql::Blob(_) => Cell::Null,
        });
    }
    let line = database.line(id)?;
    cells.push(line.as_ref().map(|line| fen::write(&line.end().setup())).into());
    Ok((GameRow { cells }, line))
}

/// Puts its play behind a row.
fn played((row, line): (GameRow, Option<StoredLine>)) -> PlayedRow {
    let mut cells = row.cells;
    let is_usual = |line: &&StoredLine| line.start == Position::start(line.start.variant());
    let start = line.as_ref().filter(|line| !is_usual(line)).map(|line| fen::write(&line.start.setup()));
    cells.push(start.into());
    cells.push(line.map(|line| write_moves(line.start, &line.moves)).into());
    PlayedRow { cells }
}

/// The values of `LIMIT ? OFFSET ?`.
fn cut(sort: &Sort) -> [Sql; 2] {
    let limit = sort.limit.map_or(-1, |limit| i64::try_from(limit).unwrap_or(i64::MAX));
    [limit.into(), i64::try_from(sort.offset).unwrap_or(i64::MAX).into()]
}

/// The lines that `filters` let through, and how many there are before `sort` cuts the list.
///
/// # Errors
/// When a filter cannot be read or the database cannot.
pub fn games(database: &Database, filters: &Filters, sort: &Sort) -> Result<(Vec<GameRow>, u64), QueryError> {
    list(database, filters, sort, |(row, _)| row)
}

/// The same lines with their play.
///
/// # Errors
/// As [`games`].
pub fn played_games(database: &Database, filters: &Filters, sort: &Sort) -> Result<(Vec<PlayedRow>, u64), QueryError> {
    list(database, filters, sort, played)
}

fn list<R>(
    database: &Database,
    filters: &Filters,
    sort: &Sort,
    make: impl Fn((GameRow, Option<StoredLine>)) -> R,
) -> Result<(Vec<R>, u64), QueryError> {
    let connection = database.connection();
    add_functions(database)?;
    let condition = filters.of_list(database)?;
    let (filter, mut bound) = (condition.sql(), condition.bound().to_vec());
    let total: i64 = connection.query_row(
        &format!("SELECT count(*) FROM games WHERE {filter}"),
        rusqlite::params_from_iter(&bound),
        |row| row.get(0),
    )?;
    let (names, order) = (stored_columns(), order(sort)?);
    bound.extend(cut(sort));
    let mut statement =
        connection.prepare(&format!("SELECT {names} FROM games WHERE {filter} ORDER BY {order} LIMIT ? OFFSET ?"))?;
    let mut found = statement.query(rusqlite::params_from_iter(&bound))?;
    let mut rows = Vec::new();
    while let Some(row) = found.next()? {
        rows.push(make(read_row(database, row)?));
    }
    Ok((rows, total.unsigned_abs()))
}

/// The columns that are stored: all but the last position, which is worked out.
fn stored() -> &'static [Column] {
    &GameRow::COLUMNS[..GameRow::COLUMNS.len() - 1]
}

fn order(sort: &Sort) -> Result<String, QueryError> {
    let Some(wanted) = &sort.column else { return Ok("id".to_owned()) };
    let SortOrder { column, turned, .. } = SortOrder::read(stored(), wanted)?;
    let direction = if turned { "DESC" } else { "ASC" };
    let Column { name, is_date, .. } = &stored()[column];
    let key = if *is_date { format!("date_order({name})") } else { format!("{name} COLLATE NOCASE") };
    Ok(format!("{key} {direction} NULLS LAST, id"))
}
