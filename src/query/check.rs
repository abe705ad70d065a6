//! `check`: what is damaged in a database, and which games have results that cannot be right.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::board::{ResultOrder, Variant};
use crate::book::Book;
use crate::game::{ReplayOptions, fold, replay};
use crate::notation::{Code, Place, pdn};
use crate::store::{Database, Inspection, StoreError, StoredText, Trouble};
use crate::table::{Column, Row, Value};

use super::QueryError;
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
    pub place: Option<i64>,
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
    // Views that are another program's are not asked: they may never end.
    let altered = database.schema_differences()?;
    if !altered.is_empty() {
        let row = |found| CheckRow { severity: "error", part: "file", id: None, source: None, place: None, found };
        let rows: Vec<CheckRow> = altered.into_iter().map(row).collect();
        return Ok(Check { errors: rows.len(), rows, inspection: Inspection::default() });
    }
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
    CheckRow { severity: "error", part: part.name(), id, source: None, place: None, found }
}

/// What raw texts say of their games, by text and the byte of it that a game starts at: a line of a file may hold several.
#[derive(Default)]
struct RawText {
    /// Games whose Result tag and final marker say different things, and what.
    differing: HashMap<(i64, i64), String>,
    /// A hash of the tags of each game.
    tags: HashMap<(i64, i64), u64>,
}

/// The tags that are held against the raw text. A line that `remove` gave to a source that has it too may spell them as the
/// first source did, so case, accents and blanks are forgiven, and the site is left out.
const TAGS: [&str; 5] = ["Event", "Date", "Round", "Black", "White"];

/// A hash of tags in the order of [`TAGS`], and of the result.
fn hash_of<'t>(tags: impl Iterator<Item = Option<&'t str>>) -> u64 {
    let mut hasher = DefaultHasher::new();
    for tag in tags {
        let folded = fold(tag.unwrap_or_default(), false);
        folded.split_whitespace().for_each(|word| word.hash(&mut hasher));
        // The end of a tag is no word.
        0_u8.hash(&mut hasher);
    }
    hasher.finish()
}

impl RawText {
    /// Reads the games of a text once more.
    fn read(&mut self, text: &StoredText) {
        let Some(variant) = Variant::from_game_type(text.variant.into()).filter(|_| text.form == "pdn") else { return };
        let start = Place { byte: text.first_byte.unsigned_abs(), line: text.first_line, column: 1 };
        let options = ReplayOptions::of(variant);
        for parsed in pdn::PdnReader::new(&text.text, start, 1, variant) {
            let at = (text.id, (parsed.span.start - start.byte) as i64);
            let replayed = replay(parsed, options);
            if let Some(game) = &replayed.game {
                let tags = TAGS.iter().map(|name| game.tag(name)).chain([game.result()]);
                self.tags.insert(at, hash_of(tags));
            }
            let differs = replayed.findings.into_iter().find(|finding| finding.code == Code::ResultDiffers);
            if let Some(finding) = differs {
                self.differing.insert(at, finding.found);
            }
        }
    }
}

/// Holds the rows of games against their raw text and the board: `damaged` gets those whose tags are others, `warnings` those
/// whose result the final position contradicts, or of which tag and marker differ.
fn compare(
    database: &Database,
    raw: &RawText,
    damaged: &mut Vec<CheckRow>,
    warnings: &mut Vec<CheckRow>,
) -> Result<(), QueryError> {
    let mut games = database.connection().prepare(
        "SELECT line.id, source.name, line.file_line, line.text, games.result_check, line.result, line.verdict,
             source.result_order, line.event, line.date, line.round, line.black, line.white, line.text_offset
         FROM line JOIN source ON source.id = line.source JOIN games ON games.id = line.id
         WHERE line.parent IS NULL ORDER BY line.id",
    )?;
    let mut found = games.query([])?;
    while let Some(row) = found.next()? {
        // A row that cannot be read is told by `unreadable`.
        let Ok(game) = GameTold::read(row) else { continue };
        let told = |severity, part, found| CheckRow {
            severity,
            part,
            id: Some(game.id),
            source: Some(game.source.clone()),
            place: Some(game.place),
            found,
        };
        if game.contradicted {
            let said = game.result.as_ref().or(game.verdict.as_ref()).map_or("", String::as_str);
            let found = contradiction(database, game.id, said, ResultOrder::from_name(&game.order));
            warnings.push(told("warning", "result", found));
        }
        let at = (game.text, game.offset);
        if let Some(what) = raw.differing.get(&at) {
            warnings.push(told("warning", "result", format!("tag and final marker differ: {what}")));
        }
        let here = hash_of(game.tags.iter().map(Option::as_deref).chain([game.result.as_deref()]));
        if raw.tags.get(&at).is_some_and(|&there| there != here) {
            damaged.push(told("error", "line", "its tags are not those of its raw text".to_owned()));
        }
    }
    Ok(())
}

/// What the row of a game tells.
struct GameTold {
    id: i64,
    source: String,
    place: i64,
    text: i64,
    offset: i64,
    contradicted: bool,
    result: Option<String>,
    verdict: Option<String>,
    order: String,
    tags: Vec<Option<String>>,
}

impl GameTold {
    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            source: row.get(1)?,
            place: row.get(2)?,
            text: row.get(3)?,
            offset: row.get(13)?,
            contradicted: row.get_ref(4)?.as_str()? == "contradicted",
            result: row.get(5)?,
            verdict: row.get(6)?,
            order: row.get(7)?,
            tags: (8..13).map(|column| row.get(column)).collect::<Result<_, _>>()?,
        })
    }
}

/// Adds the lines of which an export could not read something to `damaged`. Lines whose play cannot be read are told already.
fn unreadable(database: &Database, damaged: &mut Vec<CheckRow>) -> Result<(), QueryError> {
    for id in database.line_ids()? {
        if !matches!(database.line(id), Ok(Some(_))) {
            continue;
        }
        let Err(error) = probe(database, id) else { continue };
        let found = match error {
            QueryError::Store(StoreError::Damaged(what)) => what,
            other => other.to_string(),
        };
        let mut place = database.connection().prepare_cached(
            "SELECT source.name, line.file_line FROM line JOIN source ON source.id = line.source WHERE line.id = ?1",
        )?;
        let (source, place) = place.query_row([id], |row| Ok((row.get(0)?, row.get(1)?))).unwrap_or((None, None));
        damaged.push(CheckRow { severity: "error", part: "line", id: Some(id.into()), source, place, found });
    }
    let mut beyond = database.connection().prepare(
        "SELECT line.id FROM line JOIN text ON text.id = line.text
         WHERE line.text_offset < 0 OR line.text_length < 0 OR line.text_offset + line.text_length > text.length",
    )?;
    for id in beyond.query_map([], |row| row.get(0))? {
        let found = "its raw text lies outside the text it is in".to_owned();
        damaged.push(CheckRow { severity: "error", part: "line", id: Some(id?), source: None, place: None, found });
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
