//! Rows of proved play: what one line, its notes and its findings look like in the tables, and when two lines are one game.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use rusqlite::{Connection, OptionalExtension, params};

use crate::board::{Color, Outcome, ResultOrder, Variant};
use crate::game::{LineKind, Note, Replayed, Severity, Status, VerifiedGame, WrittenScore};
use crate::rules::Position;

use super::StoreError;
use super::prepared_lines::{COLUMNS, PreparedLine, known_player, name_of_tag, repeats_play};

/// Findings of a source that are stored; the rest are counted.
pub(super) const MAX_FINDINGS: u64 = 10_000;

/// The first id of further copies. Lines have ids below it, so that imports number them without gaps.
pub(super) const FIRST_COPY_ID: u32 = 1 << 31;

/// Puts rows in; the caller has begun a transaction.
pub(super) struct RowWriter<'c>(pub(super) &'c Connection);

/// Where a line's row comes from.
pub(super) struct LineOrigin {
    /// Its id.
    pub(super) id: u32,
    /// The row of its source.
    pub(super) source: i64,
    /// The game its source is of.
    pub(super) variant: Variant,
    /// The row of its raw text.
    pub(super) text: i64,
    /// Bytes of the source before that text.
    pub(super) first_byte: u64,
    /// Of the game in its source, from 1.
    pub(super) number: u32,
    /// The line it leaves.
    pub(super) parent: Option<u32>,
    /// The line that it is a further copy of.
    pub(super) same_as: Option<u32>,
}

/// For each game with many copies, the stored line up to which none is left that a further copy in the same source could be
/// linked to. Without it each copy would look at all that were linked before it.
#[derive(Default)]
pub(super) struct Passed(HashMap<(i64, Option<i8>, u64), i64>);

impl Passed {
    /// Notes a line, where finding it took more than a few looks: most games have no copies and need no memory.
    fn note(&mut self, key: (i64, Option<i8>, u64), looked_at: usize, line: i64) {
        const FEW_LOOKS: usize = 8;
        if looked_at > FEW_LOOKS || self.0.contains_key(&key) {
            self.0.insert(key, line);
        }
    }
}

/// A hash of what copies are compared by beside their identity.
fn hash_of(game: &VerifiedGame, prepared: &PreparedLine) -> u64 {
    let mut hasher = DefaultHasher::new();
    prepared.moves.hash(&mut hasher);
    game.tags().iter().for_each(|tag| (&tag.name, &tag.value).hash(&mut hasher));
    hasher.finish()
}

impl RowWriter<'_> {
    /// Stores what was refused or cut short: the first [`MAX_FINDINGS`] of a source, of which `stored` are there; how many there
    /// are with these, left out or not.
    pub(super) fn insert_findings(&self, source: i64, games: &[Replayed], mut stored: u64) -> Result<u64, StoreError> {
        let mut insert = self.0.prepare_cached(
            "INSERT INTO finding (source, number, file_line, ply, code, found, expected) VALUES (?,?,?,?,?,?,?)",
        )?;
        let errors = games.iter().flat_map(|game| &game.findings).filter(|f| f.severity == Severity::Error);
        for finding in errors {
            stored += 1;
            if stored > MAX_FINDINGS {
                continue;
            }
            insert.execute(params![
                source,
                finding.game,
                finding.location.line,
                finding.ply,
                finding.code.name(),
                finding.found,
                finding.expected
            ])?;
        }
        Ok(stored)
    }

    /// Stores that `more` findings of a source are not.
    pub(super) fn note_left_out(&self, source: i64, more: u64) -> Result<(), StoreError> {
        self.0.execute(
            "INSERT INTO finding (source, number, file_line, ply, code, found, expected) VALUES (?,0,0,0,?,?,?)",
            params![source, "too-large", format!("{more} more"), "findings of this source, left out"],
        )?;
        Ok(())
    }

    /// Stores a line with its notes; its plies.
    pub(super) fn insert_line(
        &self,
        row: &LineOrigin,
        game: &VerifiedGame,
        prepared: &PreparedLine,
    ) -> Result<u64, StoreError> {
        let branch = prepared.branch.and_then(|index| game.branches().get(index as usize));
        let line = branch.map_or(game.line(), |branch| &branch.line);
        let is_main = branch.is_none();
        let kind = if is_main { game.kind() } else { LineKind::Variation };
        let tag = |name| if is_main { game.tag(name) } else { None };
        let own_start = *line.start() != Position::start(row.variant);
        let start = own_start.then(|| line.start().key().to_bytes());
        let span = game.span();
        let opening = match &prepared.opening {
            Some(name) => Some(self.opening_id(name)?),
            None => None,
        };
        let plies = line.moves().len() as u64;
        self.0.prepare_cached(
            "INSERT INTO copy (id, source, kind, number, parent, branch_ply, label, text, text_offset, text_length,
                 file_line, event, site, date, round, black, white, tags, start, moves, plies, result, score, verdict,
                 decided, board, status, opening, ballot, losing_ply, identity, ending, same_as, branch, agreed, marked_ply)
             VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,?19,?20,?21,?22,?23,?24,?25,?26,?27,?28,?29,?30,?31,?32,
                 ?33,?34,?25,?30)",
        )?
        .execute(params![
            row.id,
            row.source,
            kind as u8,
            row.number,
            row.parent,
            branch.map(|branch| branch.ply),
            branch.map_or(game.label(), |branch| branch.label.as_deref()),
            row.text,
            span.start.saturating_sub(row.first_byte) as i64,
            (span.end - span.start) as i64,
            game.location().line,
            tag("Event"),
            tag("Site"),
            tag("Date"),
            tag("Round"),
            tag("Black"),
            tag("White"),
            if is_main { other_tags(game) } else { None },
            start,
            prepared.moves,
            plies as i64,
            if is_main { game.result() } else { None },
            if is_main { game.score().map(score_number) } else { None },
            if is_main { game.verdict().map(|verdict| verdict.written.as_str()) } else { None },
            prepared.decided.map(outcome_number),
            if is_main { game.on_board().map(outcome_number) } else { None },
            if is_main { u8::from(game.status() == Status::Partly) } else { 0 },
            opening,
            prepared.ballot,
            prepared.losing_ply,
            // Copies are looked for among first copies.
            prepared.identity.filter(|_| row.same_as.is_none()),
            if is_main { game.ending().map(|ending| outcome_number(ending.outcome)) } else { None },
            row.same_as,
            prepared.branch,
        ])?;
        self.insert_notes(row.id, &line.notes)?;
        Ok(plies)
    }

    /// Whether a line has these moves.
    pub(super) fn has_moves(&self, line: u32, moves: &[u8]) -> Result<bool, StoreError> {
        let mut same = self.0.prepare_cached("SELECT count(*) FROM copy WHERE id = ?1 AND moves = ?2")?;
        Ok(same.query_row(params![line, moves], |row| row.get::<_, i64>(0))? > 0)
    }

    fn opening_id(&self, name: &str) -> Result<i64, StoreError> {
        let found = self
            .0
            .prepare_cached("SELECT id FROM opening_name WHERE name = ?1")?
            .query_row([name], |row| row.get(0))
            .optional()?;
        if let Some(id) = found {
            return Ok(id);
        }
        self.0.prepare_cached("INSERT INTO opening_name (name) VALUES (?1)")?.execute([name])?;
        Ok(self.0.last_insert_rowid())
    }

    fn insert_notes(&self, line: u32, notes: &[Note]) -> Result<(), StoreError> {
        if notes.is_empty() {
            return Ok(());
        }
        let mut insert = self.0.prepare_cached("INSERT INTO note (line, ply, kind, value) VALUES (?,?,?,?)")?;
        for note in notes {
            insert.execute(params![line, note.ply, note.kind.name(), note.kind.value()])?;
        }
        Ok(())
    }

    /// A stored line of another source that is the same game and not yet linked to this one. `passed` remembers for one
    /// source where to go on for games of which there are many copies.
    pub(super) fn find_duplicate(
        &self,
        source: i64,
        order: ResultOrder,
        game: &VerifiedGame,
        prepared: &PreparedLine,
        passed: &mut Passed,
    ) -> Result<Option<u32>, StoreError> {
        let Some(identity) = prepared.identity else { return Ok(None) };
        let outcome = game.score().map(|score| outcome_number(score.outcome(order)));
        let key = (identity, outcome, hash_of(game, prepared));
        let after = passed.0.get(&key).copied().unwrap_or(-1);
        let mut candidates = self.0.prepare_cached(
            "SELECT id, kind, status, start, moves, result, event, date, round, black, white, site, tags, label,
                 score * (SELECT CASE result_order WHEN 'black-first' THEN 1 ELSE -1 END FROM source
                     WHERE source.id = copy.source),
                 source = ?2 OR EXISTS (SELECT 1 FROM copy AS other
                     WHERE other.same_as = copy.id AND other.same_as IS NOT NULL AND other.source = ?2)
             FROM copy WHERE identity = ?1 AND identity IS NOT NULL AND id > ?3 ORDER BY id",
        )?;
        let mut rows = candidates.query(params![identity, source, after])?;
        let mut looked_at = 0;
        while let Some(row) = rows.next()? {
            looked_at += 1;
            if row.get::<_, bool>(15)? {
                continue;
            }
            let text = |column: usize| row.get::<_, Option<String>>(column);
            let same_play = row.get::<_, u8>(1)? == game.kind() as u8
                && row.get::<_, bool>(2)? == (game.status() == Status::Partly)
                && row.get::<_, Option<Vec<u8>>>(3)?
                    == game.has_own_start().then(|| game.line().start().key().to_bytes().to_vec())
                && row.get_ref(4)?.as_blob().ok() == Some(&prepared.moves[..])
                && text(5)?.as_deref() == game.result()
                && text(13)?.as_deref() == game.label()
                // The same text of a result says another winner where the other score stands first.
                && row.get::<_, Option<i8>>(14)? == outcome;
            if !same_play {
                continue;
            }
            let both_known = known_player(game.tag("Black")) && known_player(game.tag("White"));
            let mut same_tags = true;
            for (column, name) in [(6, "Event"), (7, "Date"), (8, "Round"), (9, "Black"), (10, "White")] {
                let (held, new) = (text(column)?.unwrap_or_default(), game.tag(name).unwrap_or_default());
                same_tags &= if both_known { name_of_tag(&held) == name_of_tag(new) } else { held == new };
            }
            if !both_known {
                same_tags &= text(11)?.as_deref() == game.tag("Site")
                    && telling(text(12)?.as_deref()) == telling(other_tags(game).as_deref());
            }
            if same_tags {
                let id = row.get(0)?;
                passed.note(key, looked_at, i64::from(id));
                return Ok(Some(id));
            }
        }
        // Lines that are stored from now on are of this source.
        passed.note(key, looked_at, i64::MAX);
        Ok(None)
    }
}

fn other_tags(game: &VerifiedGame) -> Option<String> {
    let others: Vec<[&str; 2]> = game
        .tags()
        .iter()
        .filter(|tag| !COLUMNS.iter().any(|column| tag.name.eq_ignore_ascii_case(column)))
        .map(|tag| [tag.name.as_str(), tag.value.as_str()])
        .collect();
    if others.is_empty() { None } else { serde_json::to_string(&others).ok() }
}

/// Of the tags stored as JSON, those that say what the moves do not: the variant and the start are compared as such, and a
/// strict export adds their tags to games that have none.
fn telling(json: Option<&str>) -> Vec<(String, String)> {
    let tags: Vec<(String, String)> = json.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    tags.into_iter().filter(|(name, _)| !repeats_play(name)).collect()
}

const fn score_number(score: WrittenScore) -> i8 {
    match score {
        WrittenScore::First => 1,
        WrittenScore::Equal => 0,
        WrittenScore::Second => -1,
    }
}

const fn outcome_number(outcome: Outcome) -> i8 {
    match outcome {
        Outcome::Won(Color::Black) => 1,
        Outcome::Draw => 0,
        Outcome::Won(Color::White) => -1,
    }
}
