//! The imported texts: what each is called, when it was imported and what is stored of it.

use rusqlite::Row as SqlRow;

use crate::store::Database;
use crate::table::{Cell, Column, Row};

use super::QueryError;

/// An imported text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportedText {
    number: i64,
    name: String,
    games: i64,
    date: Option<String>,
    digest: Option<String>,
    lines: i64,
    plies: i64,
    bytes: i64,
    form: String,
    result_order: String,
    complete: bool,
    other_names: Vec<String>,
}

impl Row for ImportedText {
    const COLUMNS: &'static [Column] = &[
        Column::number("number", 0),
        Column::path("name", 0),
        Column::number("games", 0),
        Column::text("date", 1),
        Column::text("digest", 8),
        Column::number("lines", 3).grouped("size"),
        Column::number("plies", 3).grouped("size"),
        Column::number("bytes", 3).grouped("size"),
        Column::text("form", 4),
        Column::text("result_order", 5),
        Column::text("complete", 6),
        Column::text("other_names", 2),
    ];

    fn values(self) -> Vec<Cell> {
        vec![
            self.number.into(),
            self.name.into(),
            self.games.into(),
            self.date.into(),
            self.digest.into(),
            self.lines.into(),
            self.plies.into(),
            self.bytes.into(),
            self.form.into(),
            self.result_order.into(),
            self.complete.into(),
            Cell::List(self.other_names),
        ]
    }
}

impl ImportedText {
    fn from_sql(row: &SqlRow<'_>) -> rusqlite::Result<Self> {
        let digest: Option<Vec<u8>> = row.get(4)?;
        Ok(Self {
            number: row.get(0)?,
            name: row.get(1)?,
            games: row.get(2)?,
            date: row.get(3)?,
            digest: digest.map(|bytes| bytes.iter().map(|byte| format!("{byte:02x}")).collect()),
            lines: row.get(5)?,
            plies: row.get(6)?,
            bytes: row.get(7)?,
            form: row.get(8)?,
            result_order: row.get(9)?,
            complete: row.get(10)?,
            other_names: serde_json::from_str(row.get_ref(11)?.as_str()?).unwrap_or_default(),
        })
    }
}

/// Every imported text in the order of the imports. Games, lines, plies and bytes are those stored with it: what an earlier
/// text had already is counted there, so a text that adds nothing has none.
///
/// # Errors
/// When the database cannot be read.
pub fn sources(database: &Database) -> Result<Vec<ImportedText>, QueryError> {
    let mut statement = database.connection().prepare(
        "SELECT source.id, source.name, coalesce(held.games, 0), source.imported,
             (SELECT digest FROM text WHERE text.id = source.last_text),
             coalesce(held.lines, 0), coalesce(held.plies, 0),
             (SELECT coalesce(sum(length), 0) FROM text WHERE text.source = source.id),
             source.form, source.result_order, source.complete,
             (SELECT json_group_array(name) FROM source_name WHERE source_name.source = source.id)
         FROM source LEFT JOIN (
             SELECT source, sum(kind = 0) AS games, count(*) AS lines, sum(plies) AS plies FROM line GROUP BY source
         ) AS held ON held.source = source.id
         ORDER BY source.id",
    )?;
    let rows = statement.query_map([], ImportedText::from_sql)?;
    Ok(rows.collect::<Result<_, _>>()?)
}
