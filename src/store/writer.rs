//! Writing: chunks of proved play in, batches of whole games out, each in one transaction with its part of the index.
//!
//! 1. [`ImportWriter::begin`] opens a source, without a row: a text that is stored already makes none.
//! 2. [`ImportWriter::chunk`] looks for the digest of the text so far. As long as it is found, the chunk is held by another source and
//!    only noted. At the first new chunk the source gets its row, and copies of what was held (`copies::share_chunks`); from there on
//!    each chunk is stored with its lines (`insert_lines`).
//! 3. [`ImportWriter::end`] adds a source whose text was held to its end as a name of the source that has the same text, or as a source
//!    of its own where that goes on.
//!
//! A batch is committed after [`BATCH_ENTRIES`] entries of the index or so many chunks, at a whole chunk: a killed import is finished
//! by importing again, which finds the chunks that are there. Whoever stores a line without its facts and index entries in the same
//! transaction breaks that.

use rusqlite::{Connection, OptionalExtension, params};

use crate::board::{ResultOrder, Variant};
use crate::game::Replayed;

use super::chunk::{ChunkCounts, ChunkRows, ChunkText, Known};
use super::copies::{self, used_up};
use super::index::{self, IndexEntry};
use super::lock::WriterMark;
use super::prepared_lines::PreparedChunk;
use super::rows::{FIRST_COPY_ID, MAX_FINDINGS, Passed, RowWriter};
use super::texts::digest_of_source;
use super::{Database, StoreError};

/// Index entries after which a batch is committed: memory for a batch stays near 32 MB.
const BATCH_ENTRIES: usize = 1_000_000;

/// What is being read.
struct OpenSource {
    name: String,
    form: &'static str,
    variant: Variant,
    order: ResultOrder,
    /// The row, once there is one: a source of which everything is held gets none.
    id: Option<i64>,
    digest: blake3::Hasher,
    /// The chunks from the start that are held already.
    held: Vec<HeldText>,
    counts: ChunkCounts,
    /// Findings so far, those left out too.
    findings: u64,
    passed: Passed,
}

/// A stored chunk that a source begins with too. Digests cover everything up to the chunk, so the text of its owner is the same
/// up to there; chunks of one text may have different owners where it grew between imports.
#[derive(Clone, Copy)]
struct HeldText {
    /// Its row.
    text: i64,
    /// The row of the source it belongs to.
    owner: i64,
}

/// Stores sources one after the other. What is not committed when it is dropped is rolled back.
pub struct ImportWriter<'db> {
    pub(super) database: &'db mut Database,
    threads: usize,
    /// Whether everything waits for the end: all of the run is stored, or nothing.
    hold: bool,
    in_transaction: bool,
    source: Option<OpenSource>,
    pub(super) next_line: u32,
    pub(super) next_copy: u32,
    pub(super) first_fact_line: u32,
    pub(super) facts: Vec<u8>,
    pub(super) runs: Vec<Vec<IndexEntry>>,
    pub(super) entries: usize,
    /// Chunks since the last commit.
    chunks: usize,
    pub(super) any_identity: bool,
    /// Tells others who writes, until this ends.
    mark: Option<WriterMark>,
}

impl Drop for ImportWriter<'_> {
    fn drop(&mut self) {
        if self.in_transaction {
            // Nothing can be done about a failure here: SQLite rolls back by itself when the connection closes.
            let _ = self.database.connection.execute_batch("ROLLBACK");
        }
        self.database.forget_facts();
    }
}

impl Database {
    /// A writer that uses `threads` threads to build the index. With `hold`, nothing is committed before [`ImportWriter::finish`].
    pub fn writer(&mut self, threads: usize, hold: bool) -> ImportWriter<'_> {
        ImportWriter {
            database: self,
            threads: threads.max(1),
            hold,
            in_transaction: false,
            source: None,
            next_line: 0,
            next_copy: FIRST_COPY_ID,
            first_fact_line: 0,
            facts: Vec::new(),
            runs: Vec::new(),
            entries: 0,
            chunks: 0,
            any_identity: false,
            mark: None,
        }
    }
}

impl ImportWriter<'_> {
    /// Begins a source. `form` is the form of its text.
    pub fn begin(&mut self, name: &str, form: &'static str, variant: Variant, order: ResultOrder) {
        let digest = digest_of_source(form, variant.game_type());
        // A source before this one may be waiting in the same transaction.
        self.any_identity |= self.in_transaction && self.next_line > 1;
        self.source = Some(OpenSource {
            name: name.to_owned(),
            form,
            variant,
            order,
            id: None,
            digest,
            held: Vec::new(),
            counts: ChunkCounts::default(),
            findings: 0,
            passed: Passed::default(),
        });
    }

    /// Stores the games of a chunk.
    ///
    /// # Errors
    /// When the database cannot be written. The batch is then lost, earlier ones are not.
    pub fn chunk(
        &mut self,
        at: ChunkText<'_>,
        games: &[Replayed],
        prepared: PreparedChunk,
    ) -> Result<(ChunkCounts, Known), StoreError> {
        let Some(mut source) = self.source.take() else { return Ok((ChunkCounts::default(), Known::No)) };
        let done = self.store_chunk(&mut source, at, games, prepared);
        if let Ok((counts, _)) = &done {
            source.counts += *counts;
        }
        self.source = Some(source);
        let done = done?;
        self.chunks += 1;
        if self.entries >= BATCH_ENTRIES || self.chunks >= self.database.batch {
            if self.hold { self.flush_index()? } else { self.commit()? }
        }
        Ok(done)
    }

    fn store_chunk(
        &mut self,
        source: &mut OpenSource,
        at: ChunkText<'_>,
        games: &[Replayed],
        prepared: PreparedChunk,
    ) -> Result<(ChunkCounts, Known), StoreError> {
        source.digest.update(at.text.as_bytes());
        let digest = source.digest.finalize();
        let digest = &digest.as_bytes()[..16];
        let refused = games.iter().filter(|replayed| replayed.game.is_none()).count() as u64;
        if source.id.is_none() {
            let mut found = self.find_text(digest)?;
            if found.is_none() && !self.in_transaction {
                // Another process may have stored it while this one waited for its turn to write.
                self.begin_transaction()?;
                found = self.find_text(digest)?;
            }
            if let Some((text, owner)) = found {
                source.held.push(HeldText { text, owner });
                let read = games.len() as u64;
                let counts = ChunkCounts { read, refused, duplicates: read - refused, ..ChunkCounts::default() };
                return Ok((counts, Known::Yes));
            }
        }
        self.begin_transaction()?;
        let source_id = self.source_row(source)?;
        self.database.connection.prepare_cached(
            "INSERT INTO text (source, first_byte, first_line, games, refused, length, digest, zstd) VALUES (?,?,?,?,?,?,?,?)",
        )?
        .execute(params![
            source_id, at.first_byte as i64, at.first_line, games.len() as i64, refused as i64,
            prepared.length as i64, digest, prepared.text
        ])?;
        let text = self.database.connection.last_insert_rowid();
        self.database
            .connection
            .prepare_cached("UPDATE source SET last_text = ?2 WHERE id = ?1")?
            .execute(params![source_id, text])?;
        let mut counts = ChunkCounts { read: games.len() as u64, refused, ..ChunkCounts::default() };
        source.findings = RowWriter(&self.database.connection).insert_findings(source_id, games, source.findings)?;
        let rows = ChunkRows {
            source: source_id,
            variant: source.variant,
            order: source.order,
            text,
            at,
            games,
            unread: None,
        };
        counts += self.insert_lines(&rows, prepared, &mut source.passed)?;
        Ok((counts, Known::No))
    }

    fn find_text(&self, digest: &[u8]) -> Result<Option<(i64, i64)>, StoreError> {
        Ok(self
            .database
            .connection
            .prepare_cached("SELECT id, source FROM text WHERE digest = ?1")?
            .query_row([digest], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?)
    }

    pub(super) fn begin_transaction(&mut self) -> Result<(), StoreError> {
        if self.in_transaction {
            return Ok(());
        }
        let mark = self.database.begin_writing()?;
        self.mark = self.mark.take().or(mark);
        self.in_transaction = true;
        let connection = &self.database.connection;
        let (last, last_copy) = copies::last_ids(connection)?;
        self.next_line = last.checked_add(1).filter(|next| *next < FIRST_COPY_ID).ok_or_else(|| used_up("line"))?;
        self.next_copy = last_copy.checked_add(1).ok_or_else(|| used_up("copy"))?;
        self.first_fact_line = self.next_line;
        self.any_identity = last > 0;
        Ok(())
    }

    /// The row of the source: one that an interrupted import left, or a new one, which gets copies of what another source has
    /// already.
    fn source_row(&mut self, source: &mut OpenSource) -> Result<i64, StoreError> {
        if let Some(id) = source.id {
            return Ok(id);
        }
        if let Some(owner) = self.interrupted(source)? {
            source.id = Some(owner);
            // The counts of its row are those of the chunks it holds; do not add them again.
            source.counts = ChunkCounts::default();
            return Ok(owner);
        }
        let connection = &self.database.connection;
        connection.execute(
            "INSERT INTO source (name, form, variant, result_order, imported) VALUES (?1, ?2, ?3, ?4, date('now'))",
            params![source.name, source.form, source.variant.game_type(), source.order.name()],
        )?;
        let id = connection.last_insert_rowid();
        source.id = Some(id);
        if !source.held.is_empty() {
            let texts: Vec<i64> = source.held.iter().map(|held| held.text).collect();
            self.next_copy = copies::share_chunks(&self.database.connection, &texts, id, self.next_copy)?;
        }
        Ok(id)
    }

    /// The source that an interrupted import left with exactly the chunks that are held, read in the same order of results.
    fn interrupted(&self, source: &OpenSource) -> Result<Option<i64>, StoreError> {
        let Some(last) = source.held.last() else { return Ok(None) };
        let goes_on: bool = self.database.connection.query_row(
            "SELECT NOT complete AND result_order = ?3 AND ?2 = (SELECT max(id) FROM text WHERE source = ?1)
             FROM source WHERE id = ?1",
            params![last.owner, last.text, source.order.name()],
            |row| row.get(0),
        )?;
        Ok(goes_on.then_some(last.owner))
    }

    /// Ends the source; `complete` when its whole text was read. The row of the source that has the text, if one has it whole.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn end(&mut self, complete: bool) -> Result<Option<i64>, StoreError> {
        let Some(mut source) = self.source.take() else { return Ok(None) };
        // A text that is wholly held by an interrupted source completes it; one held by a complete source changes nothing.
        let leftover = if complete && source.id.is_none() { self.interrupted(&source)? } else { None };
        if let Some(owner) = leftover {
            self.begin_transaction()?;
            source.id = Some(owner);
            source.counts = ChunkCounts::default();
        }
        if source.id.is_none() && complete {
            match source.held.last().copied() {
                Some(last) => {
                    if let Some(same) = self.end_held(&mut source, last)? {
                        return Ok(Some(same));
                    }
                }
                None => {
                    self.begin_transaction()?;
                    self.source_row(&mut source)?;
                }
            }
        }
        if let Some(id) = source.id {
            if let Some(more) = source.findings.checked_sub(MAX_FINDINGS).filter(|more| *more > 0) {
                RowWriter(&self.database.connection).note_left_out(id, more)?;
            }
            self.flush_facts(id)?;
            self.add_counts(id, complete, source.counts)?;
        }
        Ok(source.id.filter(|_| complete))
    }

    /// Ends a source of which every chunk is held, `last` the last one: a further name of the source that has the same text, whose
    /// row is given, or a source of its own where the others go on.
    fn end_held(&mut self, source: &mut OpenSource, last: HeldText) -> Result<Option<i64>, StoreError> {
        let same = |connection: &Connection| {
            let mut same = connection
                .prepare_cached("SELECT id, name FROM source WHERE complete AND last_text = ?1 ORDER BY id")?;
            same.query_row([last.text], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?))).optional()
        };
        if let Some((id, name)) = same(&self.database.connection)? {
            if name != source.name {
                self.begin_transaction()?;
                self.database.connection.execute(
                    "INSERT OR IGNORE INTO source_name (source, name, imported) VALUES (?1, ?2, date('now'))",
                    params![id, source.name],
                )?;
            }
            return Ok(Some(id));
        }
        self.begin_transaction()?;
        let id = self.source_row(source)?;
        self.database
            .connection
            .prepare_cached("UPDATE source SET last_text = ?2 WHERE id = ?1")?
            .execute(params![id, last.text])?;
        Ok(None)
    }

    /// Adds to the counts of a source, and notes that it is `complete`.
    fn add_counts(&self, source: i64, complete: bool, counts: ChunkCounts) -> Result<(), StoreError> {
        self.database.connection.execute(
            "UPDATE source SET complete = complete OR ?2, read = read + ?3, stored = stored + ?4, partly = partly + ?5,
                 refused = refused + ?6, duplicates = duplicates + ?7 WHERE id = ?1",
            params![
                source,
                complete,
                counts.read as i64,
                counts.stored as i64,
                counts.partly as i64,
                counts.refused as i64,
                counts.duplicates as i64
            ],
        )?;
        Ok(())
    }

    pub(super) fn flush_facts(&mut self, source: i64) -> Result<(), StoreError> {
        if !self.facts.is_empty() {
            self.database.connection.execute(
                "INSERT INTO facts (first_line, source, data) VALUES (?1, ?2, ?3)",
                params![self.first_fact_line, source, self.facts],
            )?;
            self.facts.clear();
        }
        self.first_fact_line = self.next_line;
        Ok(())
    }

    /// Ends a batch: its segment, its facts, the counts so far, one commit.
    fn commit(&mut self) -> Result<(), StoreError> {
        if !self.in_transaction {
            return Ok(());
        }
        if let Some(mut source) = self.source.take() {
            if let Some(id) = source.id {
                self.flush_facts(id)?;
                self.add_counts(id, false, std::mem::take(&mut source.counts))?;
            }
            self.source = Some(source);
        }
        self.flush_index()?;
        self.database.connection.execute_batch("COMMIT")?;
        self.in_transaction = false;
        Ok(())
    }

    /// Writes the index entries in memory as a segment.
    fn flush_index(&mut self) -> Result<(), StoreError> {
        let runs = std::mem::take(&mut self.runs);
        (self.entries, self.chunks) = (0, 0);
        if runs.iter().all(Vec::is_empty) {
            return Ok(());
        }
        let built = index::build(&runs, self.threads)?;
        drop(runs);
        let connection = &self.database.connection;
        connection.execute(
            "INSERT INTO segment (postings, keys) VALUES (?1, ?2)",
            params![built.postings as i64, built.keys as i64],
        )?;
        index::insert_blocks(connection, connection.last_insert_rowid(), &built.blocks)?;
        index::compact(connection)
    }

    /// Commits what is left.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn finish(mut self) -> Result<(), StoreError> {
        self.commit()?;
        self.database.settle();
        Ok(())
    }
}
