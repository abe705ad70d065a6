//! `check`: what is damaged in a database, and which games have results that cannot be right.

use std::collections::{HashMap, HashSet};

use crate::board::ResultOrder;
use crate::book::Book;
use crate::store::{Database, Inspection, StoreError, Trouble};
use crate::table::{Cell, Column, Row};

use super::QueryError;
use super::check_raw::{RawText, hash_of_branch, hash_of_head, hash_of_notes, hash_of_tags};
use super::record::probe;

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
    pub game_number: Option<i64>,
    /// What is wrong.
    pub found: String,
}

impl Row for CheckRow {
    const COLUMNS: &'static [Column] = &[
        Column::text("severity", 2),
        Column::text("part", 0),
        Column::number("id", 0),
        Column::path("source", 3).grouped("place"),
        Column::number("place", 3).grouped("place"),
        Column::text("found", 0),
    ];

    fn values(self) -> Vec<Cell> {
        vec![
            self.severity.into(),
            self.part.into(),
            self.id.into(),
            self.source.into(),
            self.game_number.into(),
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
    // Views that are another program's are not asked: they may never end.
    let altered = database.schema_differences()?;
    if !altered.is_empty() {
        let row =
            |found| CheckRow { severity: "error", part: "file", id: None, source: None, game_number: None, found };
        let rows: Vec<CheckRow> = altered.into_iter().map(row).collect();
        return Ok(Check { errors: rows.len(), rows, inspection: Inspection::default() });
    }
    // One state of the database, even while somebody writes.
    let _snapshot = database.connection().unchecked_transaction()?;
    let mut raw = RawText::default();
    let book = Book::embedded()?;
    let mut inspection = database.inspect(&book, &mut |text| raw.read(text))?;
    let mut rows: Vec<CheckRow> = std::mem::take(&mut inspection.troubles).into_iter().map(of_trouble).collect();
    let mut warnings = Vec::new();
    let before = rows.len();
    // A damaged page in the way of this is told already.
    if let Err(error) = compare(database, &raw, &mut rows, &mut warnings).and_then(|()| unreadable(database, &mut rows))
        && before == 0
    {
        return Err(error);
    }
    // A line is counted once, however much of it is damaged.
    let lines = |row: &CheckRow| row.id.filter(|_| matches!(row.part, "line" | "index"));
    let (told, found) = rows.split_at(before);
    let told: HashSet<i64> = told.iter().filter_map(lines).collect();
    let found: HashSet<i64> = found.iter().filter_map(lines).filter(|id| !told.contains(id)).collect();
    inspection.whole = inspection.whole.saturating_sub(found.len() as u64);
    let errors = rows.len();
    rows.append(&mut warnings);
    Ok(Check { rows, errors, inspection })
}

fn of_trouble(trouble: Trouble) -> CheckRow {
    let Trouble { part, id, found } = trouble;
    CheckRow { severity: "error", part: part.name(), id, source: None, game_number: None, found }
}

/// Holds the rows of games against their raw text and the board: `damaged` gets those that say something else, `warnings` those
/// whose result the final position contradicts, or of which tag and marker differ.
fn compare(
    database: &Database,
    raw: &RawText,
    damaged: &mut Vec<CheckRow>,
    warnings: &mut Vec<CheckRow>,
) -> Result<(), QueryError> {
    let mut games = database.connection().prepare(GameTold::SQL)?;
    let mut found = games.query([])?;
    while let Some(row) = found.next()? {
        // A row that cannot be read is told by `unreadable`.
        let Ok(game) = GameTold::read(row) else { continue };
        let told = |severity, part, id, found| CheckRow {
            severity,
            part,
            id: Some(id),
            source: Some(game.source.clone()),
            game_number: Some(game.game_number.into()),
            found,
        };
        if game.contradicted {
            let said = game.result.as_ref().or(game.verdict.as_ref()).map_or("", String::as_str);
            let found = contradiction(database, game.id.into(), said, game.order);
            warnings.push(told("warning", "result", game.id.into(), found));
        }
        if let Some(what) = raw.differing.get(&(game.text, game.offset)) {
            let found = format!("tag and final marker differ: {what}");
            warnings.push(told("warning", "result", game.id.into(), found));
        }
        for (id, found) in differences(database, &game, raw)? {
            damaged.push(told("error", "line", id.into(), found.to_owned()));
        }
    }
    Ok(())
}

/// The lines of a game that are not what its raw text says, and what of them is not.
fn differences(database: &Database, game: &GameTold, raw: &RawText) -> Result<Vec<(u32, &'static str)>, QueryError> {
    let told = match raw.facts(game.text, game.offset) {
        Ok(Some(told)) => told,
        Ok(None) => return Ok(Vec::new()),
        Err(()) => return Ok(vec![(game.id, "its raw text has no game where it is said to be")]),
    };
    let mut found = Vec::new();
    let mut hold = |is_so: bool, id: u32, what| {
        if !is_so {
            found.push((id, what));
        }
    };
    hold(game.tags_hash().is_none_or(|hash| hash == told.tags), game.id, "its tags are not those of its raw text");
    let head = hash_of_head(game.kind, game.label.as_deref(), game.verdict.as_deref(), game.status, game.game_number);
    hold(head == told.head, game.id, "its kind, name, verdict, status or place is not that of its raw text");
    hold(told.lengths.contains(&game.length), game.id, "its raw text is longer or shorter than it is said to be");
    let decided = match (game.score, told.verdict) {
        (Some(_), _) => None,
        (None, Some(winner)) => Some(winner),
        (None, None) => game.board,
    };
    let is_winner = told.is_score(game.score, game.order) && game.decided == decided;
    hold(is_winner, game.id, "its winner is not the one of its raw text");
    let mut row = database.connection().prepare_cached("SELECT parent, branch_ply, label FROM copy WHERE id = ?1")?;
    let mut lines = vec![game.id];
    if !told.branches.is_empty() {
        lines.extend(database.variation_ids(game.id)?);
    }
    let places: HashMap<u32, u32> = lines.iter().copied().zip(0..).collect();
    let has_all = told.branches.is_empty() || lines.len() == told.branches.len() + 1;
    hold(has_all, game.id, "its variations are not as many as its raw text has");
    for (&id, &expected) in lines.iter().zip(std::iter::once(&told.notes).chain(&told.branches)) {
        // What cannot be read is told by `unreadable`.
        let Ok(notes) = database.notes(id) else { continue };
        let notes = hash_of_notes(&notes);
        if id == game.id {
            hold(notes == expected, id, "its notes are not those of its raw text");
            continue;
        }
        let read = row.query_row([id], |row| {
            Ok((row.get::<_, Option<u32>>(0)?, row.get::<_, Option<u32>>(1)?, row.get::<_, Option<String>>(2)?))
        });
        // A line that leaves none is another game.
        let Ok((Some(parent), ply, label)) = read else { break };
        let branch = places.get(&parent).map(|&leaves| hash_of_branch(leaves, ply, label.as_deref(), notes));
        let what = "its notes, its name or where it leaves its game are not those of its raw text";
        hold(branch == Some(expected), id, what);
    }
    Ok(found)
}

/// What the row of a game tells.
struct GameTold {
    id: u32,
    source: String,
    game_number: u32,
    text: i64,
    offset: i64,
    length: u32,
    contradicted: bool,
    kind: u8,
    label: Option<String>,
    status: u8,
    result: Option<String>,
    verdict: Option<String>,
    score: Option<i8>,
    decided: Option<i8>,
    board: Option<i8>,
    order: ResultOrder,
    roster: Vec<Option<String>>,
    others: Option<String>,
}

impl GameTold {
    const SQL: &'static str = "SELECT line.id, source.name, line.file_line, line.text, line.text_offset, line.text_length,
             copies.result_check, line.kind, line.label, line.status, line.result, line.verdict, line.score, line.decided,
             line.board, source.result_order, line.tags, line.event, line.site, line.date, line.round, line.black, line.white
         FROM copy AS line JOIN source ON source.id = line.source JOIN copies ON copies.id = line.id
         WHERE line.parent IS NULL ORDER BY line.id";

    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        let order = row.get_ref(15)?.as_str()?;
        Ok(Self {
            id: row.get(0)?,
            source: row.get(1)?,
            game_number: row.get(2)?,
            text: row.get(3)?,
            offset: row.get(4)?,
            length: row.get(5)?,
            contradicted: row.get_ref(6)?.as_str()? == "contradicted",
            kind: row.get(7)?,
            label: row.get(8)?,
            status: row.get(9)?,
            result: row.get(10)?,
            verdict: row.get(11)?,
            score: row.get(12)?,
            decided: row.get(13)?,
            board: row.get(14)?,
            order: ResultOrder::from_name(order).ok_or(rusqlite::Error::InvalidQuery)?,
            others: row.get(16)?,
            roster: (17..23).map(|column| row.get(column)).collect::<Result<_, _>>()?,
        })
    }

    /// A hash of the tags and the result; `None` where they cannot be read, which is told by `unreadable`.
    fn tags_hash(&self) -> Option<u32> {
        let others: Vec<(String, String)> = match &self.others {
            Some(json) => serde_json::from_str(json).ok()?,
            None => Vec::new(),
        };
        let others = others.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        Some(hash_of_tags(self.roster.iter().map(Option::as_deref), others, self.result.as_deref()))
    }
}

/// Adds the lines of which an export could not read something to `damaged`. Lines whose play cannot be read are told already.
fn unreadable(database: &Database, damaged: &mut Vec<CheckRow>) -> Result<(), QueryError> {
    for id in database.copy_ids()? {
        if !matches!(database.line(id), Ok(Some(_))) {
            continue;
        }
        let Err(error) = probe(database, id) else { continue };
        let found = match error {
            QueryError::Store(StoreError::Damaged(what)) => what,
            other => other.to_string(),
        };
        let mut place = database.connection().prepare_cached(
            "SELECT source.name, line.file_line FROM copy AS line JOIN source ON source.id = line.source WHERE line.id = ?1",
        )?;
        let (source, place) = place.query_row([id], |row| Ok((row.get(0)?, row.get(1)?))).unwrap_or((None, None));
        damaged.push(CheckRow {
            severity: "error",
            part: "line",
            id: Some(id.into()),
            source,
            game_number: place,
            found,
        });
    }
    let mut beyond = database.connection().prepare(
        "SELECT line.id FROM copy AS line JOIN text ON text.id = line.text
         WHERE line.text_offset < 0 OR line.text_length < 0 OR line.text_offset + line.text_length > text.length",
    )?;
    for id in beyond.query_map([], |row| row.get(0))? {
        let found = "its raw text lies outside the text it is in".to_owned();
        damaged.push(CheckRow {
            severity: "error",
            part: "line",
            id: Some(id?),
            source: None,
            game_number: None,
            found,
        });
    }
    Ok(())
}

/// How the board contradicts what is told.
fn contradiction(database: &Database, id: i64, told: &str, order: ResultOrder) -> String {
    let order = order.name();
    let end = u32::try_from(id).ok().and_then(|id| database.line(id).ok().flatten()).map(|line| line.end());
    let proof = match end.filter(|end| !end.has_legal_move()) {
        Some(end) => {
            format!("{} has no move, so {} has won", end.turn(), !end.turn())
        }
        None => "the final position says otherwise".to_owned(),
    };
    format!("result {told} ({order}) contradicted: {proof}")
}
