//! `sources`: what came from where, and why some of it was refused.

use std::collections::BTreeMap;

use crate::table::{Cell, Column, Row, Table};

use super::{ReportError, Request};

/// A row: one source, in the order of the imports.
pub(super) struct SourceRow {
    id: i64,
    source: String,
    form: String,
    result_order: String,
    complete: bool,
    /// Read, stored, partly, refused, duplicates.
    counts: [i64; 5],
    lines: i64,
    plies: i64,
    /// Each code with how many findings there are, the most frequent first.
    reasons: Vec<String>,
}

impl Row for SourceRow {
    const COLUMNS: &'static [Column] = &[
        Column::path("source", 0),
        Column::number("read", 0).grouped("counts"),
        Column::number("stored", 0).grouped("counts"),
        Column::number("partly", 0).grouped("counts"),
        Column::number("refused", 0).grouped("counts"),
        Column::number("duplicates", 0).grouped("counts"),
        Column::text("reasons", 3),
        Column::text("complete", 4),
        Column::number("lines", 5).grouped("size"),
        Column::number("plies", 5).grouped("size"),
        Column::text("form", 7),
        Column::text("result_order", 8),
        Column::number("id", 9),
    ];

    fn values(self) -> Vec<Cell> {
        let [read, stored, partly, refused, duplicates] = self.counts;
        vec![
            self.source.into(),
            read.into(),
            stored.into(),
            partly.into(),
            refused.into(),
            duplicates.into(),
            self.reasons.into(),
            self.complete.into(),
            self.lines.into(),
            self.plies.into(),
            self.form.into(),
            self.result_order.into(),
            self.id.into(),
        ]
    }
}

/// A row a source; `lines` and `plies` count stored lines of every kind.
pub(super) fn report(request: &Request<'_>) -> Result<Table, ReportError> {
    request.filters.check_words()?;
    let connection = request.database.connection();
    let mut reasons: BTreeMap<i64, Vec<String>> = BTreeMap::new();
    let mut codes = connection.prepare(
        "SELECT source, code, count(*) AS found FROM finding GROUP BY source, code ORDER BY source, found DESC, code",
    )?;
    let mut rows = codes.query([])?;
    while let Some(row) = rows.next()? {
        let (source, code, found): (i64, String, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        reasons.entry(source).or_default().push(format!("{code} {found}"));
    }
    let mut sources = connection.prepare(
        "SELECT sources.id, name, form, result_order, complete, read, stored, partly, refused, duplicates,
             coalesce(held.lines, 0), coalesce(held.plies, 0)
         FROM sources LEFT JOIN (SELECT source, count(*) AS lines, sum(plies) AS plies FROM line GROUP BY source) AS held
         ON held.source = sources.id ORDER BY sources.id",
    )?;
    let mut rows = sources.query([])?;
    let mut table = Vec::new();
    while let Some(row) = rows.next()? {
        let (id, source): (i64, String) = (row.get(0)?, row.get(1)?);
        if !request.filters.has_source(&source) {
            continue;
        }
        table.push(SourceRow {
            id,
            source,
            form: row.get(2)?,
            result_order: row.get(3)?,
            complete: row.get(4)?,
            counts: [row.get(5)?, row.get(6)?, row.get(7)?, row.get(8)?, row.get(9)?],
            lines: row.get(10)?,
            plies: row.get(11)?,
            reasons: reasons.remove(&id).unwrap_or_default(),
        });
    }
    Ok(Table::from_rows(table))
}
