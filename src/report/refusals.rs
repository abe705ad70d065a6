//! `refusals`: every game that was refused or cut short, with its place and why.

use crate::table::{Cell, Column, Row, Table};

use super::{ReportError, Request};

/// A row: one finding, in the order of sources and games.
pub(super) struct RefusalRow {
    source: String,
    line: i64,
    game: i64,
    ply: i64,
    code: String,
    found: String,
    expected: String,
}

impl Row for RefusalRow {
    const COLUMNS: &'static [Column] = &[
        Column::path("source", 1),
        Column::number("line", 0),
        Column::number("game", 2),
        Column::number("ply", 0),
        Column::text("code", 0),
        Column::text("found", 0),
        Column::text("expected", 1),
    ];

    fn values(self) -> Vec<Cell> {
        vec![
            self.source.into(),
            self.line.into(),
            self.game.into(),
            self.ply.into(),
            self.code.into(),
            self.found.into(),
            self.expected.into(),
        ]
    }
}

/// A row a finding: `line` is the line of the file, `game` the number of the game in it, `ply` 0 where no move is to blame.
pub(super) fn report(request: &Request<'_>) -> Result<Table, ReportError> {
    request.filters.check_words()?;
    let mut findings = request.database.connection().prepare(
        "SELECT source.name, file_line, number, ply, code, found, expected
         FROM finding JOIN source ON source.id = finding.source ORDER BY finding.source, number, file_line, ply, finding.rowid",
    )?;
    let mut rows = findings.query([])?;
    let mut table = Vec::new();
    while let Some(row) = rows.next()? {
        let source: String = row.get(0)?;
        if request.filters.has_source(&source) {
            table.push(RefusalRow {
                source,
                line: row.get(1)?,
                game: row.get(2)?,
                ply: row.get(3)?,
                code: row.get(4)?,
                found: row.get(5)?,
                expected: row.get(6)?,
            });
        }
    }
    Ok(Table::from_rows(table))
}
