//! Writing: chunks of proved play in, batches of whole games out, each in one transaction with its part of the index.

use rusqlite::{OptionalExtension, params};

use crate::board::{ResultOrder, Variant};
use crate::game::{LineKind, Replayed, Status, VerifiedGame};

use super::index::{self, IndexEntry};
use super::lock::WriterMark;
use super::prepared_lines::PreparedChunk;
use super::rows::{LineOrigin, MAX_FINDINGS, Passed, RowWriter};
use super::texts::digest_of_source;
use super::{Database, StoreError};

/// Index entries after which a batch is committed: memory for a batch stays near 32 MB.
const BATCH_ENTRIES: usize = 1_000_000;

/// What became of the games of a chunk. `read = stored + partly + refused + duplicates`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ChunkCounts {
    /// Games, openings and book lines read.
    pub read: u64,
    /// Of them, stored whole.
    pub stored: u64,
    /// Stored up to a ply that could not be proved.
    pub partly: u64,
    /// Not stored.
    pub refused: u64,
    /// Held already.
    pub duplicates: u64,
    /// Of those stored, whole or partly: games.
    pub games: u64,
    /// Of those stored, whole or partly: openings.
    pub openings: u64,
    /// Lines stored, variations among them.
    pub lines: u64,
    /// Plies stored, those of variations among them.
    pub plies: u64,
}

impl std::ops::AddAssign for ChunkCounts {
    fn add_assign(&mut self, other: Self) {
        self.read += other.read;
        self.stored += other.stored;
        self.partly += other.partly;
        self.refused += other.refused;
        self.duplicates += other.duplicates;
        self.games += other.games;
        self.openings += other.openings;
        self.lines += other.lines;
        self.plies += other.plies;
    }
}

/// Whether a chunk was held already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// The same text up to here is stored.
    Yes,
    /// It was new.
    No,
}

/// The text of one chunk and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct ChunkText<'a> {
    /// The text.
    pub text: &'a str,
    /// Bytes of the source before it.
    pub first_byte: u64,
    /// Lines of the source before it, plus one.
    pub first_line: u32,
    /// Games of the source before it.
    pub games_before: u32,
}

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
    /// Games of the source before it.
    games_before: u32,
    /// Games in it.
    games: u32,
}

/// Stores sources one after the other. What is not committed when it is dropped is rolled back.
pub struct ImportWriter<'db> {
    database: &'db mut Database,
    threads: usize,
    /// Whether everything waits for the end: all of the run is stored, or nothing.
    hold: bool,
    in_transaction: bool,
    source: Option<OpenSource>,
    next_line: u32,
    first_fact_line: u32,
    facts: Vec<u8>,
    runs: Vec<Vec<IndexEntry>>,
    entries: usize,
    /// Chunks since the last commit.
    chunks: usize,
    any_identity: bool,
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
                let (games_before, games) = (at.games_before, games.len() as u32);
                source.held.push(HeldText { text, owner, games_before, games });
                let read = u64::from(games);
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
        let mut counts = ChunkCounts { read: games.len() as u64, refused, ..ChunkCounts::default() };
        source.findings = RowWriter(&self.database.connection).insert_findings(source_id, games, source.findings)?;
        self.insert_lines(source, source_id, text, at, games, prepared, &mut counts)?;
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

    fn begin_transaction(&mut self) -> Result<(), StoreError> {
        if self.in_transaction {
            return Ok(());
        }
        let mark = self.database.begin_writing()?;
        self.mark = self.mark.take().or(mark);
        self.in_transaction = true;
        let connection = &self.database.connection;
        let last: i64 = connection.query_row("SELECT coalesce(max(id), 0) FROM line", [], |row| row.get(0))?;
        self.next_line =
            u32::try_from(last + 1).map_err(|_| StoreError::Damaged("line numbers are used up".to_owned()))?;
        self.first_fact_line = self.next_line;
        self.any_identity = last > 0;
        Ok(())
    }

    /// The row of the source: one that an interrupted import left, or a new one, to which what another source holds already
    /// is linked.
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
        self.link_held(&source.held, id)?;
        source.id = Some(id);
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

    /// Links the games of chunks that are held to the source of row `id`: those stored with them, and those that their owners
    /// have as copies themselves.
    fn link_held(&self, held: &[HeldText], id: i64) -> Result<(), StoreError> {
        if held.is_empty() {
            return Ok(());
        }
        let connection = &self.database.connection;
        let texts = held.iter().map(|held| held.text.to_string()).collect::<Vec<_>>().join(",");
        connection.execute(
            "INSERT OR IGNORE INTO appearance (line, source, number, file_line)
             SELECT id, ?2, number, file_line FROM line
             WHERE text IN (SELECT value FROM json_each(?1)) AND parent IS NULL",
            params![format!("[{texts}]"), id],
        )?;
        for run in held.chunk_by(|a, b| a.owner == b.owner) {
            let (first, last) = (run[0], run[run.len() - 1]);
            connection.execute(
                "INSERT OR IGNORE INTO appearance (line, source, number, file_line)
                 SELECT line, ?2, number, file_line FROM appearance WHERE source = ?1 AND number > ?3 AND number <= ?4",
                params![first.owner, id, first.games_before, last.games_before + last.games],
            )?;
        }
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one chunk")]
    fn insert_lines(
        &mut self,
        source: &mut OpenSource,
        source_id: i64,
        text: i64,
        at: ChunkText<'_>,
        games: &[Replayed],
        prepared: PreparedChunk,
        counts: &mut ChunkCounts,
    ) -> Result<(), StoreError> {
        // Local index → stored id, or nothing for a duplicate.
        let mut ids: Vec<Option<u32>> = Vec::with_capacity(prepared.lines.len());
        let rows = RowWriter(&self.database.connection);
        let mut main: Option<(u32, usize)> = None;
        for line in &prepared.lines {
            let Some(game) = games.get(line.game as usize).and_then(|replayed| replayed.game.as_ref()) else {
                ids.push(None);
                continue;
            };
            let number = game.number() + at.games_before;
            if line.branch.is_none() {
                main = None;
                // In an empty database there is nothing to look for.
                let held = if self.any_identity {
                    rows.find_duplicate(source_id, source.order, game, line, &mut source.passed)?
                } else {
                    None
                };
                if let Some(held) = held {
                    rows.0
                        .prepare_cached("INSERT INTO appearance (line, source, number, file_line) VALUES (?,?,?,?)")?
                        .execute(params![held, source_id, number, game.location().line])?;
                    counts.duplicates += 1;
                    ids.push(None);
                    continue;
                }
                match game.status() {
                    Status::Stored => counts.stored += 1,
                    Status::Partly => counts.partly += 1,
                }
                counts.games += u64::from(game.kind() == LineKind::Game);
                counts.openings += u64::from(game.kind() == LineKind::Opening);
                main = Some((self.next_line, ids.len()));
            } else if main.is_none() {
                // A branch of a duplicate.
                ids.push(None);
                continue;
            }
            let parent = line.branch.and_then(|branch| parent_id(game, branch, main, &ids));
            let row = LineOrigin {
                id: self.next_line,
                source: source_id,
                variant: source.variant,
                text,
                first_byte: at.first_byte,
                number,
                parent,
            };
            counts.plies += rows.insert_line(&row, game, line)?;
            counts.lines += 1;
            ids.push(Some(self.next_line));
            self.facts.extend_from_slice(&line.fact);
            self.next_line += 1;
        }
        let mut entries = prepared.entries;
        // Ids grow with local indexes, so the order stays as it is.
        entries.retain_mut(|entry| match ids.get(entry.posting.line as usize).copied().flatten() {
            Some(id) => {
                entry.posting.line = id;
                true
            }
            None => false,
        });
        self.entries += entries.len();
        if !entries.is_empty() {
            entries.shrink_to_fit();
            self.runs.push(entries);
        }
        Ok(())
    }

    /// Ends the source; `complete` when its whole text was read.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn end(&mut self, complete: bool) -> Result<(), StoreError> {
        let Some(mut source) = self.source.take() else { return Ok(()) };
        // A text that is wholly held by an interrupted source completes it; one held by a complete source changes nothing.
        let leftover = if complete && source.id.is_none() { self.interrupted(&source)? } else { None };
        if let Some(owner) = leftover {
            self.begin_transaction()?;
            source.id = Some(owner);
            source.counts = ChunkCounts::default();
        }
        if source.id.is_none() && source.held.is_empty() && complete {
            self.begin_transaction()?;
            self.source_row(&mut source)?;
        }
        if let Some(id) = source.id {
            if let Some(more) = source.findings.checked_sub(MAX_FINDINGS).filter(|more| *more > 0) {
                RowWriter(&self.database.connection).note_left_out(id, more)?;
            }
            self.flush_facts(id)?;
            self.add_counts(id, complete, source.counts)?;
        }
        Ok(())
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

    fn flush_facts(&mut self, source: i64) -> Result<(), StoreError> {
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

/// The id of the line that branch `branch` leaves. Lines of a game stand in a row: the main line, then its branches.
fn parent_id(game: &VerifiedGame, branch: u32, main: Option<(u32, usize)>, ids: &[Option<u32>]) -> Option<u32> {
    let (main_id, main_local) = main?;
    match game.branches().get(branch as usize)?.parent {
        None => Some(main_id),
        Some(parent) => ids.get(main_local + 1 + parent as usize).copied().flatten(),
    }
}
