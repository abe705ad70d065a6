//! Lists of games.

use rusqlite::types::Value as Sql;
use unicode_normalization::UnicodeNormalization;

use crate::notation::fen;
use crate::store::Database;
use crate::table::{Column, Row, Value};

use super::QueryError;

/// Which lines are wanted: one set of filters for every command. All that are given must hold.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Filters {
    /// Opening: a part of its name.
    pub opening: Option<String>,
    /// Three-move ballot, by number.
    pub ballot: Option<u16>,
    /// Either player: every word of it, in any order.
    pub player: Option<String>,
    /// Event: every word of it.
    pub event: Option<String>,
    /// Source: a part of its name.
    pub source: Option<String>,
    /// Years, `1880` or `1880..1899`; either end may be left open.
    pub years: Option<String>,
    /// Winner: `black`, `white`, `draw`, `unknown`.
    pub winner: Option<String>,
    /// Kind: `game`, `book`, `variation`, `opening`.
    pub kind: Option<String>,
    /// Only lines with a losing move marked.
    pub losing: bool,
}

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
    cells: Vec<Value>,
}

impl Row for GameRow {
    const COLUMNS: &'static [Column] = &[
        Column::number("id", 0),
        Column::text("kind", 9),
        Column::text("source", 10),
        Column::number("place", 12),
        Column::text("event", 4),
        Column::text("date", 5),
        Column::text("black", 2),
        Column::text("white", 2),
        Column::text("result", 6),
        Column::text("winner", 0),
        Column::text("verdict", 11),
        Column::text("result_check", 8),
        Column::number("plies", 1),
        Column::text("status", 13),
        Column::text("opening", 1),
        Column::number("ballot", 7),
        Column::number("losing_ply", 3),
        Column::text("witness", 14),
        Column::text("final_fen", 15),
    ];

    fn values(self) -> Vec<Value> {
        self.cells
    }
}

/// Text made comparable: accents off, lower case.
fn fold(text: &str) -> String {
    text.nfd().filter(|c| !unicode_normalization::char::is_combining_mark(*c)).collect::<String>().to_lowercase()
}

/// Whether every word of `wanted` stands in `text`, forgiving case and accents. No sign is a wildcard.
fn has_words(text: &str, wanted: &str) -> bool {
    let text = fold(text);
    let mut words = wanted.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    words.all(|word| text.contains(&fold(word)))
}

/// The years that `text` says, as an inclusive range.
fn years(text: &str) -> Result<(i64, i64), QueryError> {
    let error = || QueryError::Years(text.to_owned());
    let end = |part: &str, open: i64| {
        let part = part.trim();
        if part.is_empty() { Ok(open) } else { part.parse::<i64>().map_err(|_| error()) }
    };
    match text.split_once("..") {
        Some((from, to)) => Ok((end(from, 0)?, end(to, 9999)?)),
        None => text.trim().parse().map(|year| (year, year)).map_err(|_| error()),
    }
}

/// The lines that `filters` let through, and how many there are before `sort` cuts the list.
///
/// # Errors
/// When a filter cannot be read or the database cannot.
pub fn games(database: &Database, filters: &Filters, sort: &Sort) -> Result<(Vec<GameRow>, u64), QueryError> {
    let connection = database.connection();
    connection.create_scalar_function(
        "has_words",
        2,
        rusqlite::functions::FunctionFlags::SQLITE_UTF8 | rusqlite::functions::FunctionFlags::SQLITE_DETERMINISTIC,
        |context| {
            let text = context.get_raw(0).as_str_or_null().ok().flatten().unwrap_or_default();
            Ok(has_words(text, context.get_raw(1).as_str().unwrap_or_default()))
        },
    )?;
    let mut conditions: Vec<&str> = Vec::new();
    let mut bound: Vec<Sql> = Vec::new();
    let mut add = |condition: &'static str, values: Vec<Sql>| {
        conditions.push(condition);
        bound.extend(values);
    };
    if let Some(opening) = &filters.opening {
        add("has_words(opening, ?)", vec![opening.clone().into()]);
    }
    if let Some(ballot) = filters.ballot {
        add("ballot = ?", vec![i64::from(ballot).into()]);
    }
    if let Some(player) = &filters.player {
        add("(has_words(black, ?) OR has_words(white, ?))", vec![player.clone().into(), player.clone().into()]);
    }
    if let Some(event) = &filters.event {
        add("has_words(event, ?)", vec![event.clone().into()]);
    }
    if let Some(source) = &filters.source {
        add("has_words(source, ?)", vec![source.clone().into()]);
    }
    if let Some(text) = &filters.years {
        let (from, to) = years(text)?;
        add("CAST(substr(date, 1, 4) AS INTEGER) BETWEEN ? AND ?", vec![from.into(), to.into()]);
    }
    if let Some(winner) = &filters.winner {
        add("winner = ?", vec![winner.clone().into()]);
    }
    match &filters.kind {
        Some(kind) => add("kind = ?", vec![kind.clone().into()]),
        // Variations are part of their game; ask for them by kind.
        None => add("kind <> 'variation'", vec![]),
    }
    if filters.losing {
        add("losing_ply IS NOT NULL", vec![]);
    }
    let filter = conditions.join(" AND ");
    let total: i64 = connection.query_row(
        &format!("SELECT count(*) FROM games WHERE {filter}"),
        rusqlite::params_from_iter(&bound),
        |row| row.get(0),
    )?;
    let order = order(sort)?;
    let stored = GameRow::COLUMNS.len() - 1;
    let names = GameRow::COLUMNS[..stored].iter().map(|column| &*column.name).collect::<Vec<_>>().join(", ");
    bound.push(sort.limit.map_or(-1, |limit| i64::try_from(limit).unwrap_or(i64::MAX)).into());
    bound.push(i64::try_from(sort.offset).unwrap_or(i64::MAX).into());
    let mut statement =
        connection.prepare(&format!("SELECT {names} FROM games WHERE {filter} ORDER BY {order} LIMIT ? OFFSET ?"))?;
    let mut found = statement.query(rusqlite::params_from_iter(&bound))?;
    let mut rows = Vec::new();
    while let Some(row) = found.next()? {
        let mut cells = Vec::with_capacity(stored + 1);
        for column in 0..stored {
            cells.push(match row.get::<_, Sql>(column)? {
                Sql::Integer(number) => Value::Int(number),
                Sql::Text(text) => Value::Text(text),
                Sql::Real(number) => Value::Real(number),
                Sql::Null | Sql::Blob(_) => Value::Null,
            });
        }
        let line = database.line(row.get(0)?)?;
        cells.push(line.map(|line| fen::write(&line.end().setup())).into());
        rows.push(GameRow { cells });
    }
    Ok((rows, total.unsigned_abs()))
}

fn order(sort: &Sort) -> Result<String, QueryError> {
    let Some(wanted) = &sort.column else { return Ok("id".to_owned()) };
    let (name, direction) = match wanted.strip_prefix('-') {
        Some(name) => (name, "DESC"),
        None => (wanted.as_str(), "ASC"),
    };
    let stored = &GameRow::COLUMNS[..GameRow::COLUMNS.len() - 1];
    match stored.iter().find(|column| column.name == name) {
        Some(column) => Ok(format!("{} {direction} NULLS LAST, id", column.name)),
        None => {
            let known = stored.iter().map(|column| &*column.name).collect::<Vec<_>>().join(", ");
            Err(QueryError::Sort(name.to_owned(), known))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_forgive_case_accents_and_order_but_no_sign_is_a_wildcard() {
        assert!(has_words("Lindén, Å.", "linden"));
        assert!(has_words("Anderson, A.", "a. anderson"));
        assert!(!has_words("Birch, Q.", "%"));
        assert!(has_words("100% Draws", "%"));
    }

    #[test]
    fn years_are_one_or_a_range() {
        assert_eq!(years("1880").unwrap(), (1880, 1880));
        assert_eq!(years("1880..1899").unwrap(), (1880, 1899));
        assert_eq!(years("..1899").unwrap(), (0, 1899));
        assert!(years("long ago").is_err());
    }
}
