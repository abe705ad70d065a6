//! Looking a database over: what is damaged, and which lines are whole.
//!
//! Nothing here trusts what it reads, and nothing stops at the first damage: a page that cannot be read costs what it holds,
//! and the rest is looked at all the same.

use std::collections::{BTreeSet, HashMap, HashSet};

use rusqlite::Row;

use crate::board::{ResultOrder, Variant};
use crate::book::Book;
use crate::game::{LineKind, year_of};
use crate::table::quoted;

use super::index::{self, IndexEntry};
use super::inspect_derived::{Derived, Family};
use super::prepared_lines::index_moves;
use super::texts::StoredText;
use super::{Database, StoreError};

/// Rows that cannot be read, one after the other, after which a table is given up.
const MAX_TROUBLES: u32 = 2_000;

/// The parts of a database.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DatabasePart {
    /// The SQLite file.
    File,
    /// A source.
    Source,
    /// A chunk of raw text.
    Text,
    /// A line of play.
    Line,
    /// What statistics know of a line.
    Facts,
    /// The position index.
    Index,
    /// What was found out about a line, and the proofs of it.
    Analysis,
    /// Spellings of players that count as another name.
    Alias,
}

impl DatabasePart {
    /// The name printed in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Source => "source",
            Self::Text => "text",
            Self::Line => "line",
            Self::Facts => "facts",
            Self::Index => "index",
            Self::Analysis => "analysis",
            Self::Alias => "alias",
        }
    }
}

/// Something that is damaged.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Trouble {
    /// Where.
    pub part: DatabasePart,
    /// The id of the source, text or line.
    pub id: Option<i64>,
    /// What is wrong.
    pub found: String,
}

/// What a look at a database found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inspection {
    /// What is damaged.
    pub troubles: Vec<Trouble>,
    /// Lines whose rows can be read.
    pub lines: u64,
    /// Of them, those that are legal from first to last and fully in the index.
    pub whole: u64,
    /// Their plies.
    pub plies: u64,
    /// Chunks of raw text.
    pub texts: u64,
}

impl Inspection {
    pub(super) fn trouble(&mut self, part: DatabasePart, id: impl Into<Option<i64>>, found: impl Into<String>) {
        self.troubles.push(Trouble { part, id: id.into(), found: found.into() });
    }
}

/// What one row of `line` says.
struct InspectedLine {
    id: u32,
    kind: u8,
    plies: u32,
    date: Option<String>,
    /// The winner of a line; nothing of further copies.
    winner: Option<String>,
    variant: u32,
    start: Option<Vec<u8>>,
    moves: Vec<u8>,
    derived: Derived,
    /// The line it is a further copy of.
    same_as: Option<u32>,
}

impl InspectedLine {
    fn sql() -> String {
        format!(
            "SELECT line.id, line.kind, line.plies, games.winner, source.variant, line.start, line.moves, line.date, line.same_as, {}
             FROM copy AS line JOIN source ON source.id = line.source LEFT JOIN games ON games.id = line.id
             WHERE line.id > ?1 ORDER BY line.id",
            Derived::COLUMNS
        )
    }

    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            kind: row.get(1)?,
            plies: row.get(2)?,
            winner: row.get(3)?,
            variant: row.get(4)?,
            start: row.get(5)?,
            moves: row.get(6)?,
            date: row.get(7)?,
            same_as: row.get(8)?,
            derived: Derived::read(row, 9)?,
        })
    }
}

/// The index entries of a line, added up in any order.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct IndexChecksum(u64);

impl IndexChecksum {
    fn add(&mut self, entry: &IndexEntry) {
        let posting = entry.posting;
        let mut sum = 0x9e37_79b9_7f4a_7c15_u64;
        let words = [
            (entry.key.0 >> 64) as u64,
            entry.key.0 as u64,
            u64::from(posting.code.ends) << 32 | u64::from(posting.code.captured),
            u64::from(posting.ply) + 1,
        ];
        for word in words {
            // The finisher of splitmix64: neighbouring entries must not cancel out.
            sum = (sum ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
            sum = (sum ^ sum >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            sum = (sum ^ sum >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            sum ^= sum >> 31;
        }
        self.0 = self.0.wrapping_add(sum);
    }
}

impl Database {
    /// Looks the whole database over; call it within a transaction, so that it sees one state even while somebody writes. Every
    /// chunk of raw text that can be read is shown to `visit`; `book` says which ballot a line is of.
    ///
    /// # Errors
    /// When not even a look can be begun. What is damaged is no error here, but a trouble told.
    pub fn inspect(&self, book: &Book, visit: &mut dyn FnMut(&StoredText)) -> Result<Inspection, StoreError> {
        let mut found = Inspection::default();
        for part in [
            DatabasePart::File,
            DatabasePart::Source,
            DatabasePart::Text,
            DatabasePart::Line,
            DatabasePart::Analysis,
            DatabasePart::Alias,
        ] {
            let looked = match part {
                DatabasePart::File => self.inspect_file(&mut found),
                DatabasePart::Source => self.inspect_sources(&mut found),
                DatabasePart::Text => self.inspect_texts(&mut found, visit),
                DatabasePart::Line | DatabasePart::Facts | DatabasePart::Index => {
                    self.inspect_lines(book, &mut found).and_then(|()| self.inspect_copies(&mut found))
                }
                DatabasePart::Analysis => self.inspect_analyses(&mut found),
                DatabasePart::Alias => self.inspect_aliases(&mut found),
            };
            if let Err(error) = looked {
                found.trouble(part, None, error.to_string());
            }
        }
        // Before all that follows from it.
        if let Some(found_is) = self.shortfall.clone() {
            found.troubles.insert(0, Trouble { part: DatabasePart::File, id: None, found: found_is });
        }
        Ok(found)
    }

    fn inspect_file(&self, found: &mut Inspection) -> Result<(), StoreError> {
        let mut integrity = self.connection.prepare("PRAGMA integrity_check")?;
        let mut rows = integrity.query([])?;
        while let Some(row) = rows.next()? {
            let text: String = row.get(0)?;
            for line in text.lines().filter(|line| *line != "ok") {
                found.trouble(DatabasePart::File, None, line);
            }
        }
        let mut orphans = self.connection.prepare("PRAGMA foreign_key_check")?;
        let mut rows = orphans.query([])?;
        while let Some(row) = rows.next()? {
            let (table, id, parent): (String, Option<i64>, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
            found.trouble(DatabasePart::File, id, format!("a row of {table} names a {parent} that is not there"));
        }
        Ok(())
    }

    fn inspect_sources(&self, found: &mut Inspection) -> Result<(), StoreError> {
        let mut sources = self.connection.prepare(
            "SELECT id, read, stored + partly + refused + duplicates, stored + partly, coalesce(held.lines, 0),
                 result_order, variant, duplicates,
                 coalesce(held.copies, 0) + (SELECT count(*) FROM unread_copy WHERE unread_copy.source = source.id)
             FROM source LEFT JOIN (SELECT source AS owner, sum(same_as IS NULL) AS lines, sum(same_as IS NOT NULL) AS copies
                 FROM copy WHERE parent IS NULL GROUP BY source) AS held ON held.owner = source.id
             ORDER BY id",
        )?;
        let mut rows = sources.query([])?;
        while let Some(row) = rows.next()? {
            let [id, read, sum, stored, lines]: [i64; 5] =
                [row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?];
            let (order, variant): (String, u32) = (row.get(5)?, row.get(6)?);
            if ResultOrder::from_name(&order).is_none() {
                found.trouble(DatabasePart::Source, id, format!("{} is not an order of results", quoted(&order)));
            }
            if Variant::from_game_type(variant).is_none() {
                found.trouble(DatabasePart::Source, id, format!("{variant} is not the number of a game"));
            }
            if read != sum {
                found.trouble(
                    DatabasePart::Source,
                    id,
                    format!("read {read} is not stored + partly + refused + duplicates = {sum}"),
                );
            }
            let (duplicates, copies): (i64, i64) = (row.get(7)?, row.get(8)?);
            if duplicates != copies {
                let what = format!("{duplicates} held already, but {copies} copies are there");
                found.trouble(DatabasePart::Source, id, what);
            }
            if stored != lines {
                found.trouble(DatabasePart::Source, id, format!("{stored} stored, but {lines} lines are there"));
            }
        }
        Ok(())
    }

    fn inspect_texts(&self, found: &mut Inspection, visit: &mut dyn FnMut(&StoredText)) -> Result<(), StoreError> {
        let mut troubles = Vec::new();
        found.texts = self.walk_texts(&mut |id, text, chained| {
            match &text {
                Ok(text) => visit(text),
                Err(error) => troubles.push((id, error.to_string())),
            }
            if text.is_ok() && !chained {
                troubles.push((id, "is not the text its digest tells, or text before it is damaged".to_owned()));
            }
        })?;
        for (id, text) in troubles {
            found.trouble(DatabasePart::Text, id, text);
        }
        Ok(())
    }

    fn inspect_lines(&self, book: &Book, found: &mut Inspection) -> Result<(), StoreError> {
        let mut tallies: HashMap<u32, IndexChecksum> = HashMap::new();
        let mut illegal: HashSet<u32> = HashSet::new();
        let facts = match self.facts() {
            Ok(facts) => Some(facts),
            Err(error) => {
                found.trouble(DatabasePart::Facts, None, error.to_string());
                None
            }
        };
        let (mut entries, mut keys) = (Vec::new(), Vec::new());
        let (mut family, mut altered) = (Family::new(self), HashSet::new());
        self.each_line_row(found, |found, row| {
            found.lines += u64::from(row.same_as.is_none());
            let mut copied = IndexChecksum::default();
            // Further copies are not in the index.
            let tally = if row.same_as.is_none() { tallies.entry(row.id).or_default() } else { &mut copied };
            match prove(&row, &mut keys, &mut entries) {
                Ok(()) => {
                    found.plies += if row.same_as.is_none() { u64::from(row.plies) } else { 0 };
                    entries.iter().for_each(|entry| tally.add(entry));
                    family.turn_to(&row.derived);
                    for what in row.derived.differences(&keys, book, &mut family) {
                        altered.insert(row.id);
                        found.trouble(DatabasePart::Line, i64::from(row.id), what);
                    }
                }
                Err(what) => {
                    illegal.insert(row.id);
                    found.trouble(DatabasePart::Line, i64::from(row.id), what);
                }
            }
            if row.same_as.is_some() {
                return;
            }
            let year = row.date.as_deref().and_then(year_of);
            let told =
                facts.map(|facts| facts.get(row.id).map(|fact| (fact.kind as u8, fact.winner.name(), fact.year)));
            if told.is_some_and(|told| told != Some((row.kind, row.winner.as_deref().unwrap_or_default(), year))) {
                let found_is = "statistics know another kind, winner or year than its row";
                found.trouble(DatabasePart::Facts, i64::from(row.id), found_is);
            }
        })?;
        self.compare_index(found, &tallies, &illegal, &altered);
        Ok(())
    }

    /// Hands over every row of `line` that can be read; gaps are troubles.
    fn each_line_row(
        &self,
        found: &mut Inspection,
        mut visit: impl FnMut(&mut Inspection, InspectedLine),
    ) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare(&InspectedLine::sql())?;
        let (mut after, mut failures) = (0_i64, 0);
        let mut gap: Option<(i64, String)> = None;
        while failures < MAX_TROUBLES {
            let mut rows = statement.query([after])?;
            let error = loop {
                let row = match rows.next() {
                    Ok(None) => break None,
                    Ok(Some(row)) => InspectedLine::read(row),
                    Err(error) => Err(error),
                };
                match row {
                    Ok(row) => {
                        if let Some((from, what)) = gap.take() {
                            found.trouble(
                                DatabasePart::Line,
                                from,
                                format!("lines up to {} cannot be read: {what}", row.id - 1),
                            );
                        }
                        (after, failures) = (i64::from(row.id), 0);
                        visit(found, row);
                    }
                    Err(error) => break Some(error),
                }
            };
            let Some(error) = error else { break };
            after = after.saturating_add(1);
            gap.get_or_insert((after, error.to_string()));
            failures += 1;
        }
        if let Some((from, what)) = gap {
            found.trouble(DatabasePart::Line, from, format!("lines from here on cannot be read: {what}"));
        }
        Ok(())
    }

    /// Holds the index against what the lines themselves say. Lines that are `altered` are not counted as whole.
    fn compare_index(
        &self,
        found: &mut Inspection,
        lines: &HashMap<u32, IndexChecksum>,
        illegal: &HashSet<u32>,
        altered: &HashSet<u32>,
    ) {
        let mut indexed: HashMap<u32, IndexChecksum> = HashMap::new();
        let segments = self
            .connection
            .prepare("SELECT id, postings FROM segment ORDER BY id")
            .and_then(|mut segments| segments.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect())
            .unwrap_or_else(|error| {
                found.trouble(DatabasePart::Index, None, error.to_string());
                Vec::<(i64, i64)>::new()
            });
        for (segment, told) in segments {
            let mut postings = 0;
            let read = index::each_key(&self.connection, &[segment], |_, entries| {
                for entry in entries {
                    indexed.entry(entry.posting.line).or_default().add(entry);
                }
                postings += entries.len() as i64;
                Ok(())
            });
            match read {
                Err(error) => found.trouble(DatabasePart::Index, segment, error.to_string()),
                Ok(()) if postings != told => {
                    found.trouble(DatabasePart::Index, segment, format!("{told} postings told, {postings} there"));
                }
                Ok(()) => {}
            }
        }
        for (&line, tally) in lines.iter().filter(|(line, _)| !illegal.contains(line)) {
            if indexed.get(&line) == Some(tally) {
                found.whole += u64::from(!altered.contains(&line));
            } else {
                found.trouble(DatabasePart::Index, i64::from(line), "the index and the moves of this line differ");
            }
        }
        let strangers: BTreeSet<u32> = indexed.keys().filter(|line| !lines.contains_key(line)).copied().collect();
        for line in strangers {
            found.trouble(
                DatabasePart::Index,
                i64::from(line),
                "the index has a line that cannot be read or is not there",
            );
        }
        found.troubles.sort();
    }
}

/// Proves a line anew, and leaves its index entries in `entries`.
fn prove(
    row: &InspectedLine,
    keys: &mut Vec<crate::rules::PositionKey>,
    entries: &mut Vec<IndexEntry>,
) -> Result<(), String> {
    if usize::from(row.kind) >= LineKind::ALL.len() {
        return Err(format!("{} is no kind of line", row.kind));
    }
    let line = super::lines::decode(row.id, row.variant, row.start.as_deref(), &row.moves)
        .map_err(|error| error.to_string())?;
    let mut position = line.start;
    for (at, played) in line.moves.iter().enumerate() {
        position = position.play(played).map_err(|_| format!("ply {} is not legal", at + 1))?;
    }
    if line.moves.len() != row.plies as usize {
        return Err(format!("{} plies told, {} there", row.plies, line.moves.len()));
    }
    let mut packed = Vec::with_capacity(row.moves.len());
    keys.clear();
    entries.clear();
    let whole = index_moves(row.id, &line.start, &line.moves, &mut packed, keys, entries).is_some();
    if whole && packed == row.moves {
        Ok(())
    } else {
        Err("its moves are stored in another way than this program does".to_owned())
    }
}
