//! Writing: chunks of proved play in, batches of whole games out, each in one transaction with its part of the index.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, params};

use crate::board::{ResultOrder, Variant};
use crate::game::{LineKind, Replayed, Status, VerifiedGame};

use super::copies::{self, HeldText, UnreadSource, used_up};
use super::facts;
use super::index::{self, IndexEntry};
use super::lock::WriterMark;
use super::prepared_lines::PreparedChunk;
use super::rows::{FIRST_COPY_ID, LineOrigin, MAX_FINDINGS, Passed, RowWriter};
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

/// Stores sources one after the other. What is not committed when it is dropped is rolled back.
pub struct ImportWriter<'db> {
    pub(super) database: &'db mut Database,
    threads: usize,
    /// Whether everything waits for the end: all of the run is stored, or nothing.
    hold: bool,
    in_transaction: bool,
    source: Option<OpenSource>,
    next_line: u32,
    pub(super) next_copy: u32,
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
        self.insert_lines(source, source_id, text, at, games, prepared, None, &mut counts)?;
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
        source.id = Some(id);
        let held = std::mem::take(&mut source.held);
        self.share(&held, id)?;
        source.held = held;
        Ok(id)
    }

    /// Gives the source of row `id` copies of what the chunks that are held already have.
    fn share(&mut self, held: &[HeldText], id: i64) -> Result<(), StoreError> {
        if held.is_empty() {
            return Ok(());
        }
        self.next_copy = copies::share_chunks(&self.database.connection, held, id, self.next_copy)?;
        Ok(())
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

    #[expect(clippy::too_many_arguments, reason = "the parts of one chunk")]
    fn insert_lines(
        &mut self,
        source: &mut OpenSource,
        source_id: i64,
        text: i64,
        at: ChunkText<'_>,
        games: &[Replayed],
        prepared: PreparedChunk,
        unread: Option<&HashMap<u32, u32>>,
        counts: &mut ChunkCounts,
    ) -> Result<(), StoreError> {
        // Local index → the stored row and its line: another row where it is a further copy.
        let mut ids: Vec<Option<(u32, u32)>> = Vec::with_capacity(prepared.lines.len());
        let rows = RowWriter(&self.database.connection);
        let mut main: Option<(u32, usize)> = None;
        let mut is_copy = false;
        let mut copied = Vec::new();
        for line in &prepared.lines {
            let Some(game) = games.get(line.game as usize).and_then(|replayed| replayed.game.as_ref()) else {
                ids.push(None);
                continue;
            };
            // Of a text that is read once more, only the copies without words are wanted.
            let wanted = unread.map(|unread| unread.get(&(game.number() + at.games_before)).copied());
            if line.branch.is_none()
                && let Some(wanted) = wanted
                && !wanted.is_some_and(|line_id| rows.has_moves(line_id, &line.moves).unwrap_or(false))
            {
                main = None;
                ids.push(None);
                continue;
            }
            if line.branch.is_some() && main.is_none() {
                ids.push(None);
                continue;
            }
            let parent = line.branch.and_then(|branch| parent_of(game, branch, main, &ids));
            let mut row = LineOrigin {
                id: self.next_line,
                source: source_id,
                variant: source.variant,
                text,
                first_byte: at.first_byte,
                number: game.number() + at.games_before,
                parent: parent.map(|(parent, _)| parent),
                same_as: None,
            };
            let ply = line.branch.and_then(|branch| game.branches().get(branch as usize)).map(|branch| branch.ply);
            row.same_as = match (parent, ply) {
                // A game of which this is the first copy has variations that nobody has.
                (Some((_, parent)), Some(ply)) if is_copy => {
                    copies::find_variation(rows.0, source_id, parent, ply, &line.moves)?
                }
                (Some(_), _) => None,
                (None, _) if wanted.is_some() => wanted.flatten(),
                // In an empty database there is nothing to look for.
                (None, _) if !self.any_identity => None,
                (None, _) => rows.find_duplicate(source_id, source.order, game, line, &mut source.passed)?,
            };
            if row.same_as.is_some() {
                row.id = self.next_copy;
                self.next_copy += 1;
            }
            if line.branch.is_none() {
                is_copy = row.same_as.is_some();
                main = Some((row.id, ids.len()));
                match game.status() {
                    _ if is_copy => counts.duplicates += 1,
                    Status::Stored => counts.stored += 1,
                    Status::Partly => counts.partly += 1,
                }
                counts.games += u64::from(!is_copy && game.kind() == LineKind::Game);
                counts.openings += u64::from(!is_copy && game.kind() == LineKind::Opening);
            }
            let plies = rows.insert_line(&row, game, line)?;
            ids.push(Some((row.id, row.same_as.unwrap_or(row.id))));
            if let Some(same_as) = row.same_as {
                copied.push(same_as);
                continue;
            }
            counts.plies += plies;
            counts.lines += 1;
            self.facts.extend_from_slice(&line.fact);
            self.next_line += 1;
        }
        let mut entries = prepared.entries;
        // Ids grow with local indexes, so the order stays as it is.
        entries.retain_mut(|entry| match ids.get(entry.posting.line as usize).copied().flatten() {
            // Further copies are not in the index.
            Some((id, line)) if id == line => {
                entry.posting.line = id;
                true
            }
            _ => false,
        });
        self.entries += entries.len();
        if !entries.is_empty() {
            entries.shrink_to_fit();
            self.runs.push(entries);
        }
        for line in copied {
            self.agree(line)?;
        }
        Ok(())
    }

    /// Stores the copies `unread` of a chunk: the number of a game in its source, and the line that it is a copy of.
    pub(super) fn insert_unread(
        &mut self,
        source: &UnreadSource,
        text: i64,
        at: ChunkText<'_>,
        games: &[Replayed],
        prepared: PreparedChunk,
        unread: &HashMap<u32, u32>,
    ) -> Result<(), StoreError> {
        let mut open = OpenSource {
            name: source.name.clone(),
            form: "",
            variant: source.variant,
            order: source.order,
            id: Some(source.id),
            digest: blake3::Hasher::new(),
            held: Vec::new(),
            counts: ChunkCounts::default(),
            findings: 0,
            passed: Passed::default(),
        };
        let mut counts = ChunkCounts::default();
        self.insert_lines(&mut open, source.id, text, at, games, prepared, Some(unread), &mut counts)?;
        self.flush_facts(source.id)
    }

    /// Works out anew what the copies of a line say together.
    fn agree(&mut self, line: u32) -> Result<(), StoreError> {
        if let Some(fact) = copies::agree(&self.database.connection, line)? {
            match line.checked_sub(self.first_fact_line) {
                Some(index) => {
                    let at = index as usize * facts::FACT_BYTES;
                    if let Some(bytes) = self.facts.get_mut(at..at + facts::FACT_BYTES) {
                        bytes.copy_from_slice(&fact);
                    }
                }
                None => facts::rewrite(&self.database.connection, line, fact)?,
            }
        }
        Ok(())
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

/// The row and the line that branch `branch` leaves. Lines of a game follow each other: the main line, then its branches.
fn parent_of(
    game: &VerifiedGame,
    branch: u32,
    main: Option<(u32, usize)>,
    ids: &[Option<(u32, u32)>],
) -> Option<(u32, u32)> {
    let (_, main_local) = main?;
    match game.branches().get(branch as usize)?.parent {
        None => ids.get(main_local).copied().flatten(),
        Some(parent) => ids.get(main_local + 1 + parent as usize).copied().flatten(),
    }
}
