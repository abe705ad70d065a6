//! Taking a source back: afterwards the database answers as if it had never been read.

use std::collections::{HashMap, HashSet};

use rusqlite::{Connection, OptionalExtension, params};

use super::texts::{DIGEST_BYTES, digest_of_excerpt, digest_of_source, unpack};
use super::{Database, StoreError, annotations, facts, index};

/// Level of compression of excerpts.
const TEXT_ZSTD_LEVEL: i32 = 1;

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

/// A line of the source that stays, as another source's own.
struct KeptCopy {
    line: u32,
    source: i64,
    number: u32,
    file_line: u32,
    old_file_line: u32,
    text: i64,
    keeps_text: bool,
    partly: bool,
}

impl Database {
    /// The ids and names of all sources, ascending by id.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn source_names(&self) -> Result<Vec<(i64, String)>, StoreError> {
        let mut sources = self.connection.prepare("SELECT id, name FROM source ORDER BY id")?;
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
        let known = self.fact_bytes(source)?;
        self.hand_texts_on(source)?;
        let mut moved_lines: Vec<(u32, i64)> = Vec::new();
        let mut unpacked = UnpackedTexts::default();
        for step in self.lines_to_move(source)? {
            self.move_line(&step, &mut unpacked)?;
            moved_lines.extend(family(connection, step.line)?.into_iter().map(|line| (line, step.source)));
        }
        let gone: HashSet<u32> = connection
            .prepare("SELECT id FROM line WHERE source = ?1")?
            .query_map([source], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        let count = |sql: &str| connection.query_row(sql, [source], |row| row.get::<_, i64>(0).map(i64::unsigned_abs));
        let removed = Removed {
            lines: gone.len() as u64,
            moved: moved_lines.len() as u64,
            games: count("SELECT count(*) FROM line WHERE source = ?1 AND kind = 0")?,
            notes: count("SELECT count(*) FROM note WHERE line IN (SELECT id FROM line WHERE source = ?1)")?,
            bytes: count("SELECT coalesce(sum(length), 0) FROM text WHERE source = ?1")?,
            had_tree_values: connection.execute("DELETE FROM tree_state", [])? > 0,
        };
        connection.execute("DELETE FROM tree_value", [])?;
        annotations::forget_source(connection, source)?;
        for sql in [
            "DELETE FROM note WHERE line IN (SELECT id FROM line WHERE source = ?1)",
            "DELETE FROM appearance WHERE source = ?1",
            "DELETE FROM finding WHERE source = ?1",
            "DELETE FROM line WHERE source = ?1",
            "DELETE FROM text WHERE source = ?1",
            "DELETE FROM facts WHERE source = ?1",
            "DELETE FROM source WHERE id = ?1",
        ] {
            connection.execute(sql, [source])?;
        }
        connection.execute(
            "DELETE FROM opening_name WHERE id NOT IN (SELECT opening FROM line WHERE opening IS NOT NULL)",
            [],
        )?;
        moved_lines.sort_unstable();
        write_facts(connection, &moved_lines, &known)?;
        if !gone.is_empty() {
            index::drop_lines(connection, &gone)?;
        }
        Ok(removed)
    }

    /// Gives texts that other sources' digests build on to one of those sources.
    fn hand_texts_on(&self, source: i64) -> Result<(), StoreError> {
        let connection = &self.connection;
        let mut owners: HashMap<i64, i64> = connection
            .prepare("SELECT id, source FROM text")?
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<_, _>>()?;
        let parents = self.text_parents()?;
        let mut children: Vec<i64> = parents.keys().copied().collect();
        children.sort_unstable();
        // Text, heir, first and last line of the file.
        let mut kept: Vec<(i64, i64, i64, i64)> = Vec::new();
        for child in children {
            let Some(&heir) = owners.get(&child).filter(|owner| **owner != source) else { continue };
            let mut next = parents.get(&child).copied();
            while let Some(text) = next.filter(|text| owners.get(text) == Some(&source)) {
                owners.insert(text, heir);
                let (first, last) = connection.query_row(
                    "SELECT first_line, coalesce((SELECT min(first_line) FROM text AS later
                         WHERE later.source = text.source AND later.first_byte > text.first_byte), 4294967296) - 1
                     FROM text WHERE id = ?1",
                    [text],
                    |row| Ok((row.get(0)?, row.get(1)?)),
                )?;
                kept.push((text, heir, first, last));
                next = parents.get(&text).copied();
            }
        }
        for (text, heir, first, last) in kept {
            // What third sources hold of the text is linked to the heir; the links of the source itself go with it.
            connection.execute(
                "INSERT OR IGNORE INTO appearance (line, source, number, file_line)
                 SELECT line, ?2, number, file_line FROM appearance WHERE source = ?1 AND file_line BETWEEN ?3 AND ?4",
                params![source, heir, first, last],
            )?;
            connection.execute("UPDATE text SET source = ?2 WHERE id = ?1", [text, heir])?;
        }
        Ok(())
    }

    /// The main lines of a source that stay: those of texts handed on, and those that another source has too.
    fn lines_to_move(&self, source: i64) -> Result<Vec<KeptCopy>, StoreError> {
        let mut lines = self.connection.prepare(
            "SELECT line.id, line.text, line.status, line.number, line.file_line, text.source,
                 other.source, other.number, other.file_line
             FROM line JOIN text ON text.id = line.text
             LEFT JOIN appearance AS other ON other.line = line.id AND other.source <> ?1
             WHERE line.source = ?1 AND line.parent IS NULL
               AND (text.source <> ?1 OR other.source IS NOT NULL)
             ORDER BY line.id, other.source <> text.source, other.source, other.number",
        )?;
        let mut rows = lines.query([source])?;
        let mut steps: Vec<KeptCopy> = Vec::new();
        while let Some(row) = rows.next()? {
            let line: u32 = row.get(0)?;
            // The first row of a line names the source that has its text, else the oldest that has it too.
            if steps.last().is_some_and(|step| step.line == line) {
                continue;
            }
            let owner: i64 = row.get(5)?;
            let (keeps_text, at) = if owner == source { (false, 6) } else { (true, 3) };
            let (to, number, file_line) = if keeps_text {
                (owner, row.get(at)?, row.get(at + 1)?)
            } else {
                (row.get(at)?, row.get(at + 1)?, row.get(at + 2)?)
            };
            steps.push(KeptCopy {
                line,
                source: to,
                number,
                file_line,
                old_file_line: row.get(4)?,
                text: row.get(1)?,
                keeps_text,
                partly: row.get(2)?,
            });
        }
        Ok(steps)
    }

    /// Makes a line another source's own.
    fn move_line(&self, step: &KeptCopy, unpacked: &mut UnpackedTexts) -> Result<(), StoreError> {
        let connection = &self.connection;
        let (text, offset, length) = self.number_in_source(step, unpacked)?;
        for line in family(connection, step.line)? {
            connection
                .prepare_cached(
                    "UPDATE line SET source = ?2, number = ?3, text = ?4, text_offset = ?5, text_length = ?6,
                         file_line = CASE id WHEN ?7 THEN ?8 ELSE max(1, file_line + ?8 - ?9) END WHERE id = ?1",
                )?
                .execute(params![
                    line,
                    step.source,
                    step.number,
                    text,
                    offset,
                    length,
                    step.line,
                    step.file_line,
                    step.old_file_line
                ])?;
        }
        connection
            .prepare_cached("DELETE FROM appearance WHERE line = ?1 AND source = ?2 AND number = ?3")?
            .execute(params![step.line, step.source, step.number])?;
        connection
            .prepare_cached(
                "UPDATE source SET duplicates = duplicates - 1, stored = stored + ?2, partly = partly + ?3 WHERE id = ?1",
            )?
            .execute(params![step.source, !step.partly, step.partly])?;
        Ok(())
    }

    /// Where the raw text of a line stands once it is moved: where it stood, in the text of its new source, or in an excerpt
    /// where that spells it otherwise. Text, offset and length.
    fn number_in_source(&self, step: &KeptCopy, unpacked: &mut UnpackedTexts) -> Result<(i64, i64, i64), StoreError> {
        let connection = &self.connection;
        let (offset, length): (i64, i64) = connection
            .prepare_cached("SELECT text_offset, text_length FROM line WHERE id = ?1")?
            .query_row([step.line], |row| Ok((row.get(0)?, row.get(1)?)))?;
        if step.keeps_text {
            return Ok((step.text, offset, length));
        }
        let damaged = || StoreError::Damaged(format!("the raw text of line {} cannot be read", step.line));
        let range = usize::try_from(offset).ok().zip(usize::try_from(offset.saturating_add(length)).ok());
        let (from, to) = range.ok_or_else(damaged)?;
        let raw = unpacked.get(connection, step.text)?.get(from..to).ok_or_else(damaged)?.trim_ascii().to_vec();
        let other: Option<(i64, u32)> = connection
            .prepare_cached(
                "SELECT id, first_line FROM text WHERE source = ?1 AND first_byte >= 0 AND first_line <= ?2
                 ORDER BY first_line DESC LIMIT 1",
            )?
            .query_row(params![step.source, step.file_line], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        if let Some((text, first_line)) = other {
            let there = unpacked.get(connection, text)?;
            let start = match step.file_line - first_line {
                0 => Some(0),
                lines => memchr::memchr_iter(b'\n', there).nth(lines as usize - 1).map(|at| at + 1),
            };
            let at = start.and_then(|start| Some(start + memchr::memmem::find(there.get(start..)?, &raw)?));
            let is_same_line = |at: usize| start.is_some_and(|start| !there[start..at].contains(&b'\n'));
            if let Some(at) = at.filter(|&at| is_same_line(at)) {
                return Ok((text, at as i64, raw.len() as i64));
            }
        }
        connection
            .prepare_cached(
                "INSERT INTO text (source, first_byte, first_line, games, refused, length, digest, zstd)
                 VALUES (?1, -1, ?2, 1, 0, ?3, ?4, ?5)",
            )?
            .execute(params![
                step.source,
                step.file_line,
                raw.len() as i64,
                digest_of_excerpt(step.source, step.file_line, &raw),
                zstd::bulk::compress(&raw, TEXT_ZSTD_LEVEL)?
            ])?;
        Ok((connection.last_insert_rowid(), 0, raw.len() as i64))
    }

    /// What statistics know of the lines of a source.
    fn fact_bytes(&self, source: i64) -> Result<HashMap<u32, [u8; facts::FACT_BYTES]>, StoreError> {
        let mut known = HashMap::new();
        let mut runs = self.connection.prepare("SELECT first_line, data FROM facts WHERE source = ?1")?;
        let mut rows = runs.query([source])?;
        while let Some(row) = rows.next()? {
            let first: u32 = row.get(0)?;
            let data: Vec<u8> = row.get(1)?;
            let (chunks, _) = data.as_chunks::<{ facts::FACT_BYTES }>();
            known.extend((first..).zip(chunks.iter().copied()));
        }
        Ok(known)
    }
}

/// The last texts that were unpacked, by id.
#[derive(Default)]
struct UnpackedTexts(Vec<(i64, Vec<u8>)>);

impl UnpackedTexts {
    /// Texts kept: the one that lines leave and the one they go to, and their neighbours.
    const MAX_UNPACKED_TEXTS: usize = 4;

    fn get(&mut self, connection: &Connection, id: i64) -> Result<&[u8], StoreError> {
        let at = match self.0.iter().position(|(held, _)| *held == id) {
            Some(at) => at,
            None => {
                let (packed, length): (Vec<u8>, i64) = connection
                    .prepare_cached("SELECT zstd, length FROM text WHERE id = ?1")?
                    .query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))?;
                if self.0.len() == Self::MAX_UNPACKED_TEXTS {
                    self.0.remove(0);
                }
                self.0.push((id, unpack(&packed, length)?));
                self.0.len() - 1
            }
        };
        Ok(&self.0[at].1)
    }
}

/// A line with its variations and those of variations.
fn family(connection: &Connection, line: u32) -> Result<Vec<u32>, StoreError> {
    let mut lines = vec![line];
    let mut next = 0;
    while let Some(&parent) = lines.get(next) {
        next += 1;
        let mut children = connection.prepare_cached("SELECT id FROM line WHERE parent = ?1 ORDER BY id")?;
        let found: Vec<u32> = children.query_map([parent], |row| row.get(0))?.collect::<Result<_, _>>()?;
        // A damaged row may name itself.
        lines.extend(found.into_iter().filter(|child| *child > parent));
    }
    Ok(lines)
}

/// Writes what statistics know of `lines`, which ascend, as runs of their new sources.
fn write_facts(
    connection: &Connection,
    lines: &[(u32, i64)],
    known: &HashMap<u32, [u8; facts::FACT_BYTES]>,
) -> Result<(), StoreError> {
    for run in lines.chunk_by(|(a, of_a), (b, of_b)| a + 1 == *b && of_a == of_b) {
        let mut data = Vec::with_capacity(run.len() * facts::FACT_BYTES);
        for (line, _) in run {
            let bytes = known.get(line);
            data.extend_from_slice(
                bytes.ok_or_else(|| StoreError::Damaged(format!("statistics know nothing of line {line}")))?,
            );
        }
        connection.execute(
            "INSERT INTO facts (first_line, source, data) VALUES (?1, ?2, ?3)",
            params![run[0].0, run[0].1, data],
        )?;
    }
    Ok(())
}
