//! `check`: what is damaged in a database, and which games have results that cannot be right.

use std::collections::HashMap;

use crate::board::{ResultOrder, Variant};
use crate::game::{ReplayOptions, replay};
use crate::notation::{Code, Place, pdn};
use crate::store::{Database, Inspection, StoredText, Trouble};
use crate::table::{Column, Row, Value};

use super::QueryError;

/// A row of `check`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckRow {
    /// `error` where something is damaged, `warning` where a game is whole but says what cannot be.
    pub severity: &'static str,
    /// The part of the database: `file`, `source`, `text`, `line`, `facts`, `index`, `analysis`; `result` for a game's result.
    pub part: &'static str,
    /// The id of the source, text or line.
    pub id: Option<i64>,
    /// The source of a game.
    pub source: Option<String>,
    /// Its line in the source.
    pub place: Option<i64>,
    /// What is wrong.
    pub found: String,
}

impl Row for CheckRow {
    const COLUMNS: &'static [Column] = &[
        Column::text("severity", 2),
        Column::text("part", 0),
        Column::number("id", 0),
        Column::text("source", 4),
        Column::number("place", 3),
        Column::text("found", 0),
    ];

    fn values(self) -> Vec<Value> {
        vec![
            self.severity.into(),
            self.part.into(),
            self.id.into(),
            self.source.into(),
            self.place.into(),
            self.found.into(),
        ]
    }
}

/// What `check` found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// Damage, then results.
    pub rows: Vec<CheckRow>,
    /// How many rows are damage.
    pub errors: usize,
    /// The counts.
    pub inspection: Inspection,
}

/// Looks the whole database over.
///
/// # Errors
/// When not even a look can be begun.
pub fn check(database: &Database) -> Result<Check, QueryError> {
    let mut differing: HashMap<(i64, u32), String> = HashMap::new();
    let mut inspection = database.inspect(&mut |text| differing_results(text, &mut differing))?;
    let mut rows: Vec<CheckRow> = std::mem::take(&mut inspection.troubles).into_iter().map(of_trouble).collect();
    let errors = rows.len();
    // A damaged page in the way of this is told already.
    if let Err(error) = results(database, &differing, &mut rows)
        && errors == 0
    {
        return Err(error);
    }
    Ok(Check { rows, errors, inspection })
}

fn of_trouble(trouble: Trouble) -> CheckRow {
    let Trouble { part, id, found } = trouble;
    CheckRow { severity: "error", part: part.name(), id, source: None, place: None, found }
}

/// Adds the games of a text whose Result tag and final marker say different things, by text and line of the file.
fn differing_results(text: &StoredText, out: &mut HashMap<(i64, u32), String>) {
    let Some(variant) = Variant::from_game_type(text.variant.into()).filter(|_| text.form == "pdn") else { return };
    let start = Place { byte: text.first_byte.unsigned_abs(), line: text.first_line, column: 1 };
    let options = ReplayOptions::of(variant);
    for parsed in pdn::PdnReader::new(&text.text, start, 1, variant) {
        let line = parsed.place.line;
        let findings = replay(parsed, options).findings;
        if let Some(finding) = findings.into_iter().find(|finding| finding.code == Code::ResultDiffers) {
            out.insert((text.id, line), finding.found);
        }
    }
}

/// Adds the games whose result the final position contradicts, or of which tag and marker differ.
fn results(
    database: &Database,
    differing: &HashMap<(i64, u32), String>,
    rows: &mut Vec<CheckRow>,
) -> Result<(), QueryError> {
    let mut games = database.connection().prepare(
        "SELECT line.id, source.name, line.file_line, line.text, games.result_check, line.result, line.verdict,
             source.result_order
         FROM line JOIN source ON source.id = line.source JOIN games ON games.id = line.id
         WHERE line.parent IS NULL ORDER BY line.id",
    )?;
    let mut found = games.query([])?;
    while let Some(row) = found.next()? {
        let (id, source, place): (i64, String, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let mut add = |found: String| {
            rows.push(CheckRow {
                severity: "warning",
                part: "result",
                id: Some(id),
                source: Some(source.clone()),
                place: Some(place),
                found,
            });
        };
        if row.get::<_, String>(4)? == "contradicted" {
            let told: Option<String> = row.get::<_, Option<String>>(5)?.or(row.get(6)?);
            let order: String = row.get(7)?;
            add(contradiction(database, id, &told.unwrap_or_default(), ResultOrder::from_name(&order)));
        }
        let text: i64 = row.get(3)?;
        if let Some(what) = u32::try_from(place).ok().and_then(|place| differing.get(&(text, place))) {
            add(format!("tag and final marker differ: {what}"));
        }
    }
    Ok(())
}

/// How the board contradicts what is told.
fn contradiction(database: &Database, id: i64, told: &str, order: Option<ResultOrder>) -> String {
    let order = order.map_or("", ResultOrder::name);
    let end = u32::try_from(id).ok().and_then(|id| database.line(id).ok().flatten()).map(|line| line.end());
    let proof = match end.filter(|end| !end.has_legal_move()) {
        Some(end) => {
            format!("{} has no move, so {} has won", end.turn(), !end.turn())
        }
        None => "the final position says otherwise".to_owned(),
    };
    format!("result {told} ({order}) contradicted: {proof}")
}
