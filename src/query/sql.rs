//! Questions in SQL: read-only, with a time limit, over the views of the database.

use std::borrow::Cow;
use std::time::Duration;

use rusqlite::ErrorCode;
use rusqlite::functions::FunctionFlags;
use rusqlite::types::ValueRef;

use crate::game::write_moves;
use crate::notation::fen;
use crate::store::Database;
use crate::table::{Cell, Column, Table, date_order};

use super::QueryError;
use super::vtab::add_tables;

/// Most values of a result: a few hundred megabytes.
const MAX_CELLS: usize = 20_000_000;
/// Most bytes that the texts of a result have together.
const MAX_RESULT_BYTES: usize = 256 << 20;

/// Views that stand beside those of the file. They are temporary, so that a database of any age has them.
const VIEWS: &str = "
CREATE TEMP VIEW openings AS
SELECT opening AS name,
       count(*) FILTER (WHERE kind = 'game') AS games,
       count(*) AS lines,
       count(*) FILTER (WHERE kind = 'game' AND winner = 'black') AS black_wins,
       count(*) FILTER (WHERE kind = 'game' AND winner = 'draw') AS draws,
       count(*) FILTER (WHERE kind = 'game' AND winner = 'white') AS white_wins,
       min(ballot) AS ballot
FROM main.games WHERE opening IS NOT NULL GROUP BY opening ORDER BY opening;";

/// Answers `query`, one statement that only reads, within `limit`. At most `rows` rows are read.
///
/// Beside the views there are the tables of `tables`; beside SQLite's own functions there are `fen(line, ply)`, the position after so many plies of a line,
/// `moves_text(line)` and `date_order(date)`, a number by which dates sort however they are written.
///
/// # Errors
/// When the statement cannot be read, would write, takes too long or has too much to tell.
pub fn sql(database: &mut Database, query: &str, limit: Duration, rows: usize) -> Result<Table, QueryError> {
    prepare_connection(database)?;
    database.confine(limit)?;
    let explain = |error: rusqlite::Error| explain(error, limit);
    let mut statement = database.connection().prepare(query).map_err(explain)?;
    let names = unique(statement.column_names());
    let width = names.len();
    let mut found: Vec<Vec<Cell>> = Vec::new();
    let mut bytes = 0_usize;
    let mut cursor = statement.query([]).map_err(explain)?;
    while found.len() < rows
        && let Some(row) = cursor.next().map_err(explain)?
    {
        if found.len().saturating_mul(width) > MAX_CELLS {
            return Err(QueryError::TooMuch("20000000 values"));
        }
        for column in 0..width {
            bytes = bytes.saturating_add(row.get_ref(column).map_or(0, size));
        }
        // Before a copy is made.
        if bytes > MAX_RESULT_BYTES {
            return Err(QueryError::TooMuch("256 MiB of text"));
        }
        let cells = (0..width).map(|column| row.get_ref(column).map(value)).collect::<Result<Vec<_>, _>>();
        found.push(cells.map_err(explain)?);
    }
    let columns = names.into_iter().enumerate().map(|(at, name)| Column {
        number: found.iter().all(|row| matches!(row[at], Cell::Int(_) | Cell::Real(_) | Cell::Null)),
        // Sources are called by the paths of their files.
        is_path: matches!(name.as_str(), "source" | "name" | "file" | "path"),
        is_date: name == "date",
        name: Cow::Owned(name),
        // The first columns of a question are those that matter.
        ..Column::text("", u8::try_from(at).unwrap_or(u8::MAX))
    });
    Ok(Table { columns: columns.collect(), rows: found })
}

/// Adds views, tables and functions. Tables, and functions that look lines up, do it over connections of their own.
fn prepare_connection(database: &Database) -> Result<(), QueryError> {
    let connection = database.connection();
    connection.execute_batch(VIEWS)?;
    add_tables(connection, &database.path())?;
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DIRECTONLY;
    let failed = |error: crate::store::StoreError| rusqlite::Error::UserFunctionError(Box::new(error));
    let other = Database::open(&database.path())?;
    connection.create_scalar_function("fen", 2, flags, move |context| {
        let (Some(line), Some(ply)) = (context.get::<Option<u32>>(0)?, context.get::<Option<u32>>(1)?) else {
            return Ok(None);
        };
        let line = other.line(line).map_err(failed)?;
        Ok(line.and_then(|line| line.positions().nth(ply as usize)).map(|position| fen::write(&position.setup())))
    })?;
    connection.create_scalar_function("date_order", 1, flags, |context| {
        Ok(context.get::<Option<String>>(0)?.as_deref().and_then(date_order))
    })?;
    let other = Database::open(&database.path())?;
    connection.create_scalar_function("moves_text", 1, flags, move |context| {
        let Some(line) = context.get::<Option<u32>>(0)? else { return Ok(None) };
        Ok(other.line(line).map_err(failed)?.map(|line| write_moves(line.start, &line.moves)))
    })?;
    Ok(())
}

/// Names for columns, each once: JSON keys must differ.
fn unique<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> Vec<String> {
    let mut taken: Vec<String> = Vec::with_capacity(names.len());
    for name in names {
        let mut tried = name.to_owned();
        let mut number = 1;
        while taken.contains(&tried) {
            number += 1;
            tried = format!("{name}_{number}");
        }
        taken.push(tried);
    }
    taken
}

/// How many bytes the text of a cell takes.
const fn size(cell: ValueRef<'_>) -> usize {
    match cell {
        ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => 0,
        ValueRef::Text(text) => text.len(),
        // In hexadecimal.
        ValueRef::Blob(bytes) => bytes.len() * 2,
    }
}

fn value(cell: ValueRef<'_>) -> Cell {
    match cell {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(number) => Cell::Int(number),
        ValueRef::Real(number) => Cell::Real(number),
        ValueRef::Text(text) => Cell::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => Cell::Text(bytes.iter().map(|byte| format!("{byte:02x}")).collect()),
    }
}

fn explain(error: rusqlite::Error, limit: Duration) -> QueryError {
    if error.to_string().contains("too many columns in result set") {
        return QueryError::TooMuch("200 columns");
    }
    match error.sqlite_error_code() {
        Some(ErrorCode::OperationInterrupted) => QueryError::TimeLimit(limit.as_secs()),
        Some(ErrorCode::AuthorizationForStatementDenied | ErrorCode::ReadOnly) => {
            QueryError::NotReading(error.to_string())
        }
        // The heap has a limit, see `Database::confine`.
        Some(ErrorCode::TooBig) => {
            QueryError::Statement { what: "string or blob too big: a cell has at most 32 MiB".to_owned(), at: None }
        }
        Some(ErrorCode::OutOfMemory) => QueryError::Memory("192 MiB"),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::DatabaseBusy) => QueryError::Store(error.into()),
        _ => match error {
            rusqlite::Error::SqlInputError { msg, offset, .. } => {
                QueryError::Statement { what: msg, at: usize::try_from(offset).ok() }
            }
            other => QueryError::Statement { what: other.to_string(), at: None },
        },
    }
}
