//! Taking a source back: afterwards the database answers as if it had never been read.

use std::collections::{HashMap, HashSet};

use rusqlite::{Connection, OptionalExtension, params};

use super::texts::{DIGEST_BYTES, digest_of_source};
use super::{Database, StoreError, annotations, copies, facts, index};

/// What was taken back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Removed {
    /// Lines taken out, variations among them.
    pub lines: u64,
    /// Lines that another source has too, and that are now its own.
    pub moved: u64,
    /// Of the lines taken out, those of kind game.
    pub games: u64,
    /// Marks, comments and other notes of the lines taken out.
    pub notes: u64,
    /// Bytes of raw text taken out.
    pub bytes: u64,
    /// Whether values of positions were kept, which are taken out, too: the removed play had its part in them.
    pub had_tree_values: bool,
}

impl Database {
    /// The ids and names of all sources, ascending by id; a source of which several files were read has several names.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn source_names(&self) -> Result<Vec<(i64, String)>, StoreError> {
        let mut sources = self.connection.prepare(
            "SELECT id, name, 0 FROM source UNION ALL SELECT source, name, 1 FROM source_name ORDER BY 1, 3, 2",
        )?;
        let found = sources.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// The name of a source whose whole text, or the first part of it, is `text`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn source_of_text(&self, text: &[u8]) -> Result<Option<String>, StoreError> {
        let kinds: Vec<(String, u8)> = self
            .connection
            .prepare("SELECT DISTINCT form, variant FROM source")?
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<_, _>>()?;
        let mut find = self
            .connection
            .prepare("SELECT name FROM text JOIN source ON source.id = text.source WHERE text.digest = ?1")?;
        for (form, variant) in kinds {
            let mut digest = digest_of_source(&form, variant);
            digest.update(text);
            let name = find.query_row([&digest.finalize().as_bytes()[..DIGEST_BYTES]], |row| row.get(0)).optional()?;
            if name.is_some() {
                return Ok(name);
            }
        }
        Ok(None)
    }

    /// Takes one of the names of a source back; `false` where it has no other, so that the source itself is to be removed.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn remove_source_name(&mut self, source: i64, name: &str) -> Result<bool, StoreError> {
        let dropped = self.in_transaction(|| {
            let other: Option<String> =
                self.connection
                    .query_row("SELECT min(name) FROM source_name WHERE source = ?1", [source], |row| row.get(0))?;
            let Some(other) = other else { return Ok(false) };
            let mut gone = name.to_owned();
            if self
                .connection
                .query_row("SELECT name FROM source WHERE id = ?1", [source], |row| row.get::<_, String>(0))?
                == name
            {
                self.connection.execute("UPDATE source SET name = ?2 WHERE id = ?1", params![source, other])?;
                gone = other;
            }
            self.connection
                .execute("DELETE FROM source_name WHERE source = ?1 AND name = ?2", params![source, gone])?;
            Ok(true)
        })?;
        self.settle();
        Ok(dropped)
    }

    /// Takes a source back whole: its lines with notes and index, its texts, facts and findings. A line that another source has
    /// too stays, as that source's own. All of it in one transaction.
    ///
    /// # Errors
    /// When the database cannot be written or is damaged; nothing has changed then.
    pub fn remove_source(&mut self, source: i64) -> Result<Removed, StoreError> {
        self.removing(|database| database.in_transaction(|| database.remove_rows(source)))
    }

    /// What [`Database::remove_source`] would take out: it is done and undone again, so that the answer is exact.
    ///
    /// # Errors
    /// As [`Database::remove_source`].
    pub fn try_removing_source(&mut self, source: i64) -> Result<Removed, StoreError> {
        self.removing(|database| {
            let mark = database.begin_writing()?;
            let removed = database.remove_rows(source);
            database.connection.execute_batch("ROLLBACK")?;
            drop(mark);
            removed
        })
    }

    /// Does what `remove` does, with the settings that a removal needs.
    fn removing(&mut self, remove: impl FnOnce(&Self) -> Result<Removed, StoreError>) -> Result<Removed, StoreError> {
        // Rows are deleted in an order that leaves no orphans; having SQLite look for them row by row would scan every line
        // for every text.
        self.connection.pragma_update(None, "foreign_keys", false)?;
        let removed = remove(self);
        self.connection.pragma_update(None, "foreign_keys", true)?;
        self.forget_facts();
        self.settle();
        removed
    }

    fn remove_rows(&self, source: i64) -> Result<Removed, StoreError> {
        let connection = &self.connection;
        self.hand_texts_on(source)?;
        let count = |sql: &str| connection.query_row(sql, [source], |row| row.get::<_, i64>(0).map(i64::unsigned_abs));
        let notes = count("SELECT count(*) FROM note WHERE line IN (SELECT id FROM copy WHERE source = ?1)")?;
        // Lines of which only a further copy goes.
        let kept: Vec<u32> =
            ids(connection, "SELECT same_as FROM copy WHERE source = ?1 AND same_as IS NOT NULL", source)?;
        let moved = self.promote_copies(source)?;
        let mut lines: Vec<u32> = moved.iter().map(|(line, _)| *line).collect();
        connection.execute("DELETE FROM note WHERE line IN (SELECT id FROM copy WHERE source = ?1)", [source])?;
        let gone: HashSet<u32> =
            ids(connection, "SELECT id FROM copy WHERE source = ?1 AND same_as IS NULL", source)?.into_iter().collect();
        let removed = Removed {
            lines: gone.len() as u64,
            moved: moved.len() as u64,
            games: count("SELECT count(*) FROM copy WHERE source = ?1 AND same_as IS NULL AND kind = 0")?,
            notes,
            bytes: count("SELECT coalesce(sum(length), 0) FROM text WHERE source = ?1")?,
            had_tree_values: connection.execute("DELETE FROM tree_state", [])? > 0,
        };
        connection.execute("DELETE FROM tree_value", [])?;
        annotations::forget_source(connection, source)?;
        for sql in [
            "DELETE FROM unread_copy WHERE source = ?1",
            "DELETE FROM finding WHERE source = ?1",
            "DELETE FROM copy WHERE source = ?1",
            "DELETE FROM text WHERE source = ?1",
            "DELETE FROM facts WHERE source = ?1",
            "DELETE FROM source_name WHERE source = ?1",
            "DELETE FROM source WHERE id = ?1",
        ] {
            connection.execute(sql, [source])?;
        }
        connection.execute(
            "DELETE FROM opening_name WHERE id NOT IN (SELECT opening FROM copy WHERE opening IS NOT NULL)",
            [],
        )?;
        for (line, owner) in moved {
            copies::agree(connection, line)?;
            let fact = copies::fact(connection, line)?;
            connection
                .prepare_cached("INSERT INTO facts (first_line, source, data) VALUES (?1, ?2, ?3)")?
                .execute(params![line, owner, fact])?;
        }
        lines.extend(&kept);
        for line in kept {
            if let Some(fact) = copies::agree(connection, line)? {
                facts::rewrite(connection, line, fact)?;
            }
        }
        annotations::forget_marks(connection, &lines)?;
        if !gone.is_empty() {
            index::drop_lines(connection, &gone)?;
        }
        Ok(removed)
    }

    /// Puts the next copies in the place of the copies of a source that are the first of their lines. Those lines, with the sources
    /// that have them now.
    fn promote_copies(&self, source: i64) -> Result<Vec<(u32, i64)>, StoreError> {
        let connection = &self.connection;
        let lines = ids(
            connection,
            "SELECT id FROM copy WHERE source = ?1 AND same_as IS NULL
                 AND EXISTS (SELECT 1 FROM copy AS other WHERE other.same_as = copy.id AND other.same_as IS NOT NULL)",
            source,
        )?;
        let mut moved = Vec::with_capacity(lines.len());
        for line in lines {
            let Some(second) = copies::second(connection, line)? else { continue };
            connection.prepare_cached("DELETE FROM note WHERE line = ?1")?.execute([line])?;
            copies::promote(connection, line, second)?;
            let owner = connection
                .prepare_cached("SELECT source FROM copy WHERE id = ?1")?
                .query_row([line], |row| row.get(0))?;
            connection
                .prepare_cached(
                    "UPDATE source SET duplicates = duplicates - 1, stored = stored + (held.status = 0),
                         partly = partly + (held.status <> 0)
                     FROM (SELECT source AS owner, status FROM copy WHERE copy.id = ?1 AND parent IS NULL) AS held
                     WHERE source.id = held.owner",
                )?
                .execute([line])?;
            moved.push((line, owner));
        }
        Ok(moved)
    }

    /// Gives texts that other sources have copies of, or whose digests theirs build on, to one of those sources.
    fn hand_texts_on(&self, source: i64) -> Result<(), StoreError> {
        let connection = &self.connection;
        let mut owners: HashMap<i64, i64> = connection
            .prepare("SELECT id, source FROM text")?
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<_, _>>()?;
        let mut heirs: HashMap<i64, i64> = HashMap::new();
        let mut shared = connection.prepare(
            "SELECT text.id, min(other.id) FROM text
             JOIN (SELECT DISTINCT text, source AS id FROM copy UNION SELECT last_text, id FROM source) AS other
                 ON other.text = text.id AND other.id <> ?1
             WHERE text.source = ?1 GROUP BY text.id",
        )?;
        for row in shared.query_map([source], |row| Ok((row.get(0)?, row.get(1)?)))? {
            let (text, heir) = row?;
            owners.insert(text, heir);
            heirs.insert(text, heir);
        }
        let parents = self.text_parents()?;
        let mut children: Vec<i64> = parents.keys().copied().collect();
        children.sort_unstable();
        for child in children {
            let Some(&heir) = owners.get(&child).filter(|owner| **owner != source) else { continue };
            let mut next = parents.get(&child).copied();
            while let Some(text) = next.filter(|text| owners.get(text) == Some(&source)) {
                owners.insert(text, heir);
                heirs.insert(text, heir);
                next = parents.get(&text).copied();
            }
        }
        for (text, heir) in heirs {
            connection.prepare_cached("UPDATE text SET source = ?2 WHERE id = ?1")?.execute([text, heir])?;
        }
        Ok(())
    }
}

/// The ids that a statement gives for a source.
fn ids(connection: &Connection, sql: &str, source: i64) -> Result<Vec<u32>, StoreError> {
    Ok(connection.prepare(sql)?.query_map([source], |row| row.get(0))?.collect::<Result<_, _>>()?)
}
