//! Copies of lines: what several sources say of one game.
//!
//! A row of the table `copy` is one source's version of a line. The first copy has the id of the line, its moves are in the
//! position index, and its columns `agreed` and `marked_ply` hold what all copies say together. Further copies name it in
//! `same_as`, have ids of their own range, and no entries in the index. A source has at most one copy of a line.
//!
//! [`agree`] must be called whenever a copy comes or goes, or statistics tell something else than the copies do.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, params};

use crate::board::{Color, Outcome};
use crate::game::{LineKind, WrittenScore, year_of};

use super::rows::FIRST_COPY_ID;
use super::{StoreError, facts};

/// The greatest id of a line and of a further copy.
pub(super) fn last_ids(connection: &Connection) -> Result<(u32, u32), StoreError> {
    let last = |sql: &str| connection.query_row(sql, [FIRST_COPY_ID], |row| row.get::<_, Option<u32>>(0));
    let line = last("SELECT max(id) FROM copy WHERE id < ?1")?.unwrap_or(0);
    let copy = last("SELECT max(id) FROM copy WHERE id >= ?1")?.unwrap_or(FIRST_COPY_ID - 1);
    Ok((line, copy))
}

/// Works out what the copies of `line` say together: the winner on whom all agree who name one without a score, and the first move
/// that any of them marks as losing. What statistics need of it, where that has changed.
pub(super) fn agree(connection: &Connection, line: u32) -> Result<Option<[u8; facts::FACT_BYTES]>, StoreError> {
    let (agreed, marked): (Option<i8>, Option<u32>) = connection
        .prepare_cached(
            "SELECT CASE count(DISTINCT decided) WHEN 1 THEN min(decided) END, min(losing_ply)
             FROM copy WHERE id = ?1 OR (same_as = ?1 AND same_as IS NOT NULL)",
        )?
        .query_row([line], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let changed = connection
        .prepare_cached(
            "UPDATE copy SET agreed = ?2, marked_ply = ?3
             WHERE id = ?1 AND (agreed IS NOT ?2 OR marked_ply IS NOT ?3)",
        )?
        .execute(params![line, agreed, marked])?;
    if changed == 0 { Ok(None) } else { fact(connection, line).map(Some) }
}

/// What statistics need of a line, by its row.
pub(super) fn fact(connection: &Connection, line: u32) -> Result<[u8; facts::FACT_BYTES], StoreError> {
    let mut row = connection.prepare_cached("SELECT kind, score, agreed, date FROM copy WHERE id = ?1")?;
    let (kind, score, agreed, date) = row.query_row([line], |row| {
        Ok((
            row.get::<_, u8>(0)?,
            row.get::<_, Option<i8>>(1)?,
            row.get::<_, Option<i8>>(2)?,
            row.get::<_, Option<String>>(3)?,
        ))
    })?;
    let damaged = || StoreError::Damaged(format!("line {line} has no known kind"));
    let kind = LineKind::ALL.get(usize::from(kind)).copied().ok_or_else(damaged)?;
    let score = score.map(|score| match score {
        1 => WrittenScore::First,
        -1 => WrittenScore::Second,
        _ => WrittenScore::Equal,
    });
    let agreed = agreed.map(|winner| match winner {
        1 => Outcome::Won(Color::Black),
        -1 => Outcome::Won(Color::White),
        _ => Outcome::Draw,
    });
    Ok(facts::encode(kind, score, agreed, date.as_deref().and_then(year_of)))
}

/// The columns that a copy has like another of the same text.
const SHARED_COLUMNS: &str = "kind, number, branch, branch_ply, label, text, text_offset, text_length, file_line, event, site, date,
    round, black, white, tags, start, moves, plies, result, score, verdict, decided, board, status, opening, ballot, losing_ply,
    ending";

/// Gives the source of row `source` copies of all games of the chunks `texts`, which it begins with too, with their notes and variations. The
/// first gets the id `next_copy`; the id after the last.
pub(super) fn share_chunks(
    connection: &Connection,
    texts: &[i64],
    source: i64,
    mut next_copy: u32,
) -> Result<u32, StoreError> {
    let texts = texts.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
    // All at once: without an index on texts, each look at them goes through all copies.
    let mut games = connection.prepare(
        "SELECT copy.id, coalesce(same_as, copy.id) FROM copy JOIN text ON text.id = copy.text AND text.source = copy.source
         WHERE copy.text IN (SELECT value FROM json_each(?1)) AND parent IS NULL ORDER BY number, copy.id",
    )?;
    let found: Vec<(u32, u32)> =
        games.query_map([format!("[{texts}]")], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
    let mut insert = connection.prepare_cached(&format!(
        "INSERT INTO copy (id, source, parent, same_as, {SHARED_COLUMNS}, agreed, marked_ply)
         SELECT ?2, ?3, ?4, ?5, {SHARED_COLUMNS}, decided, losing_ply FROM copy WHERE id = ?1"
    ))?;
    let mut notes = connection.prepare_cached(
        "INSERT INTO note (line, ply, kind, value) SELECT ?2, ply, kind, value FROM note WHERE line = ?1 ORDER BY rowid",
    )?;
    for (game, line) in found {
        let mut ids: HashMap<u32, u32> = HashMap::new();
        let variations = variations(connection, game)?;
        let rows = std::iter::once((game, line, None));
        for (copy, line, parent) in rows.chain(variations.into_iter().map(|v| (v.id, v.line, Some(v.parent)))) {
            let parent = parent.and_then(|parent| ids.get(&parent).copied());
            insert.execute(params![copy, next_copy, source, parent, line])?;
            notes.execute(params![copy, next_copy])?;
            ids.insert(copy, next_copy);
            next_copy = next_copy.checked_add(1).ok_or_else(|| used_up("copy"))?;
        }
    }
    Ok(next_copy)
}

/// A variation as one source has it.
pub(super) struct VariationCopy {
    /// The row.
    pub(super) id: u32,
    /// The line that it is a copy of; itself where it is the first.
    pub(super) line: u32,
    /// The row of the line that it leaves.
    pub(super) parent: u32,
}

/// The variations of a copy of a game, those of variations too, in the order of its text.
pub(super) fn variations(connection: &Connection, game: u32) -> Result<Vec<VariationCopy>, StoreError> {
    let mut children = connection.prepare_cached(
        "SELECT id, coalesce(same_as, id), branch FROM copy WHERE parent = ?1 AND parent IS NOT NULL",
    )?;
    let (mut found, mut next, mut parent) = (Vec::new(), 0, game);
    loop {
        let rows = children.query_map([parent], |row| {
            let copy = VariationCopy { id: row.get(0)?, line: row.get(1)?, parent };
            Ok((row.get::<_, Option<u32>>(2)?, copy))
        })?;
        for row in rows {
            found.push(row?);
        }
        let Some((_, copy)) = found.get(next) else { break };
        // A damaged row may name itself.
        if next > MAX_VARIATIONS {
            return Err(StoreError::Damaged(format!("the variations of line {game} go round in a ring")));
        }
        (parent, next) = (copy.id, next + 1);
    }
    found.sort_by_key(|(branch, copy)| (*branch, copy.id));
    Ok(found.into_iter().map(|(_, copy)| copy).collect())
}

/// More variations than any reader lets a game have.
const MAX_VARIATIONS: usize = 1_000_000;

/// The variation of another source that a copy of `source` has in the same place: behind `parent`, a line, at `ply`, with these
/// moves. One that it has a copy of already is passed over.
pub(super) fn find_variation(
    connection: &Connection,
    source: i64,
    parent: u32,
    ply: u32,
    moves: &[u8],
) -> Result<Option<u32>, StoreError> {
    Ok(connection
        .prepare_cached(
            "SELECT id FROM copy WHERE parent IN (
                 SELECT ?2 UNION ALL SELECT id FROM copy AS further WHERE further.same_as = ?2 AND further.same_as IS NOT NULL)
                 AND parent IS NOT NULL AND same_as IS NULL AND branch_ply = ?3 AND moves = ?4 AND source <> ?1
                 AND NOT EXISTS (SELECT 1 FROM copy AS own
                     WHERE own.same_as = copy.id AND own.same_as IS NOT NULL AND own.source = ?1)
             ORDER BY id LIMIT 1",
        )?
        .query_row(params![source, parent, ply, moves], |row| row.get(0))
        .optional()?)
}

/// The first of the further copies of a line.
pub(super) fn second(connection: &Connection, line: u32) -> Result<Option<u32>, StoreError> {
    Ok(connection
        .prepare_cached("SELECT min(id) FROM copy WHERE same_as = ?1 AND same_as IS NOT NULL")?
        .query_row([line], |row| row.get(0))
        .optional()?
        .flatten())
}

/// Puts the copy `second` in the place of the first copy of `line`, whose notes and variations are gone. It keeps the id of the
/// line, so that the index, analyses and the other copies stay as they are.
pub(super) fn promote(connection: &Connection, line: u32, second: u32) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "UPDATE copy SET (source, number, parent, branch, label, text, text_offset, text_length, file_line, event, site, date, round, black,
                 white, tags, result, score, verdict, decided, losing_ply, ending)
             = (SELECT source, number, parent, branch, label, text, text_offset, text_length, file_line, event, site, date, round, black,
                 white, tags, result, score, verdict, decided, losing_ply, ending FROM copy AS second WHERE second.id = ?2)
             WHERE id = ?1",
        )?
        .execute([line, second])?;
    connection.prepare_cached("UPDATE note SET line = ?1 WHERE line = ?2")?.execute([line, second])?;
    connection
        .prepare_cached("UPDATE copy SET parent = ?1 WHERE parent = ?2 AND parent IS NOT NULL")?
        .execute([line, second])?;
    connection.prepare_cached("DELETE FROM copy WHERE id = ?1")?.execute([second])?;
    Ok(())
}

/// Ids have run out.
pub(super) fn used_up(what: &str) -> StoreError {
    StoreError::Damaged(format!("{what} numbers are used up"))
}
