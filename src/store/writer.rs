//! Writing: chunks of proved play in, batches of whole games out, each in one transaction with its part of the index.

use rusqlite::{OptionalExtension, params};

use crate::board::{Color, Outcome, ResultOrder, Variant};
use crate::game::{LineKind, Mark, Note, NoteKind, Replayed, Score, Status, VerifiedGame};

use super::index::{self, Entry};
use super::lock::WriterMark;
use super::prepare::{COLUMNS, PreparedChunk, PreparedLine, fold, known_player, repeats_play};
use super::texts::digest_of_source;
use super::{Database, StoreError};

/// Index entries after which a batch is committed: memory for a batch stays near 32 MB.
const BATCH_ENTRIES: usize = 1_000_000;
/// Chunks after which it is committed all the same: a file of copies adds no entries, and a kill should not lose much of it.
const BATCH_CHUNKS: usize = 64;

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
struct Source {
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
pub struct Writer<'db> {
    database: &'db mut Database,
    threads: usize,
    /// Whether everything waits for the end: all of the run is stored, or nothing.
    hold: bool,
    in_transaction: bool,
    source: Option<Source>,
    next_line: u32,
    first_fact_line: u32,
    facts: Vec<u8>,
    runs: Vec<Vec<Entry>>,
    entries: usize,
    /// Chunks since the last commit.
    chunks: usize,
    any_identity: bool,
    /// Tells others who writes, until this ends.
    mark: Option<WriterMark>,
}

impl Drop for Writer<'_> {
    fn drop(&mut self) {
        if self.in_transaction {
            // Nothing can be done about a failure here: SQLite rolls back by itself when the connection closes.
            let _ = self.database.connection.execute_batch("ROLLBACK");
        }
        self.database.forget_facts();
    }
}

impl Database {
    /// A writer that uses `threads` threads to build the index. With `hold`, nothing is committed before [`Writer::finish`].
    pub fn writer(&mut self, threads: usize, hold: bool) -> Writer<'_> {
        Writer {
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

impl Writer<'_> {
    /// Begins a source. `form` is the form of its text.
    pub fn begin(&mut self, name: &str, form: &'static str, variant: Variant, order: ResultOrder) {
        let digest = digest_of_source(form, variant.game_type());
        // A source before this one may be waiting in the same transaction.
        self.any_identity |= self.in_transaction && self.next_line > 1;
        self.source = Some(Source {
            name: name.to_owned(),
            form,
            variant,
            order,
            id: None,
            digest,
            held: Vec::new(),
            counts: ChunkCounts::default(),
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
        if self.entries >= BATCH_ENTRIES || self.chunks >= BATCH_CHUNKS {
            if self.hold { self.flush_index()? } else { self.commit()? }
        }
        Ok(done)
    }

    fn store_chunk(
        &mut self,
        source: &mut Source,
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
        self.insert_findings(source_id, games)?;
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
    fn source_row(&mut self, source: &mut Source) -> Result<i64, StoreError> {
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
            "INSERT INTO source (name, form, variant, result_order) VALUES (?1, ?2, ?3, ?4)",
            params![source.name, source.form, source.variant.game_type(), source.order.name()],
        )?;
        let id = connection.last_insert_rowid();
        self.link_held(&source.held, id)?;
        source.id = Some(id);
        Ok(id)
    }

    /// The source that an interrupted import left with exactly the chunks that are held, read in the same order of results.
    fn interrupted(&self, source: &Source) -> Result<Option<i64>, StoreError> {
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

    fn insert_findings(&self, source: i64, games: &[Replayed]) -> Result<(), StoreError> {
        use crate::game::Severity;
        let mut insert = self.database.connection.prepare_cached(
            "INSERT INTO finding (source, number, file_line, ply, code, found, expected) VALUES (?,?,?,?,?,?,?)",
        )?;
        let errors = games.iter().flat_map(|game| &game.findings).filter(|f| f.severity == Severity::Error);
        for finding in errors {
            insert.execute(params![
                source,
                finding.game,
                finding.place.line,
                finding.ply,
                finding.code.name(),
                finding.found,
                finding.expected
            ])?;
        }
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one chunk")]
    fn insert_lines(
        &mut self,
        source: &Source,
        source_id: i64,
        text: i64,
        at: ChunkText<'_>,
        games: &[Replayed],
        prepared: PreparedChunk,
        counts: &mut ChunkCounts,
    ) -> Result<(), StoreError> {
        // Local index → stored id, or nothing for a duplicate.
        let mut ids: Vec<Option<u32>> = Vec::with_capacity(prepared.lines.len());
        let mut main: Option<(u32, usize)> = None;
        for line in &prepared.lines {
            let Some(game) = games.get(line.game as usize).and_then(|replayed| replayed.game.as_ref()) else {
                ids.push(None);
                continue;
            };
            let number = game.number() + at.games_before;
            if line.branch.is_none() {
                main = None;
                if let Some(held) = self.find_duplicate(source_id, source.order, game, line)? {
                    self.database
                        .connection
                        .prepare_cached("INSERT INTO appearance (line, source, number, file_line) VALUES (?,?,?,?)")?
                        .execute(params![held, source_id, number, game.place().line])?;
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
            let row = LineRow { id: self.next_line, source: source_id, text, at, number, parent };
            counts.plies += self.insert_line(source, &row, game, line)?;
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

    fn insert_line(
        &self,
        source: &Source,
        row: &LineRow<'_>,
        game: &VerifiedGame,
        prepared: &PreparedLine,
    ) -> Result<u64, StoreError> {
        let branch = prepared.branch.and_then(|index| game.branches().get(index as usize));
        let line = branch.map_or(game.line(), |branch| &branch.line);
        let is_main = branch.is_none();
        let kind = if is_main { game.kind() } else { LineKind::Variation };
        let tag = |name| if is_main { game.tag(name) } else { None };
        let own_start = *line.start() != crate::rules::Position::start(source.variant);
        let start = own_start.then(|| line.start().key().to_bytes());
        let span = game.span();
        let opening = match &prepared.opening {
            Some(name) => Some(self.opening_id(name)?),
            None => None,
        };
        let plies = line.moves().len() as u64;
        self.database.connection.prepare_cached(
            "INSERT INTO line (id, source, kind, number, parent, branch_ply, label, text, text_offset, text_length,
                 file_line, event, site, date, round, black, white, tags, start, moves, plies, result, score, verdict,
                 decided, board, status, opening, ballot, losing_ply, identity, ending)
             VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,?19,?20,?21,?22,?23,?24,?25,?26,?27,?28,?29,?30,?31,?32)",
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
            span.start.saturating_sub(row.at.first_byte) as i64,
            (span.end - span.start) as i64,
            game.place().line,
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
            prepared.identity,
            if is_main { game.ending().map(|ending| outcome_number(ending.outcome)) } else { None },
        ])?;
        self.insert_notes(row.id, &line.notes)?;
        Ok(plies)
    }

    fn opening_id(&self, name: &str) -> Result<i64, StoreError> {
        let connection = &self.database.connection;
        let found = connection
            .prepare_cached("SELECT id FROM opening_name WHERE name = ?1")?
            .query_row([name], |row| row.get(0))
            .optional()?;
        if let Some(id) = found {
            return Ok(id);
        }
        connection.prepare_cached("INSERT INTO opening_name (name) VALUES (?1)")?.execute([name])?;
        Ok(connection.last_insert_rowid())
    }

    fn insert_notes(&self, line: u32, notes: &[Note]) -> Result<(), StoreError> {
        if notes.is_empty() {
            return Ok(());
        }
        let mut insert =
            self.database.connection.prepare_cached("INSERT INTO note (line, ply, kind, value) VALUES (?,?,?,?)")?;
        for note in notes {
            match &note.kind {
                NoteKind::Comment(text) => insert.execute(params![line, note.ply, "comment", text])?,
                NoteKind::Repaired(text) => insert.execute(params![line, note.ply, "repair", text])?,
                NoteKind::Mark(mark) => insert.execute(params![line, note.ply, "mark", mark_text(*mark)])?,
            };
        }
        Ok(())
    }

    /// A stored line of another source that is the same game and not yet linked to this one.
    fn find_duplicate(
        &self,
        source: i64,
        order: ResultOrder,
        game: &VerifiedGame,
        prepared: &PreparedLine,
    ) -> Result<Option<u32>, StoreError> {
        let Some(identity) = prepared.identity.filter(|_| self.any_identity) else { return Ok(None) };
        let mut candidates = self.database.connection.prepare_cached(
            "SELECT id, kind, status, start, moves, result, event, date, round, black, white, site, tags, label,
                 score * (SELECT CASE result_order WHEN 'black-first' THEN 1 ELSE -1 END FROM source
                     WHERE source.id = line.source) FROM line
             WHERE identity = ?1 AND identity IS NOT NULL AND source <> ?2
               AND NOT EXISTS (SELECT 1 FROM appearance WHERE appearance.line = line.id AND appearance.source = ?2)
             ORDER BY id",
        )?;
        let mut rows = candidates.query(params![identity, source])?;
        while let Some(row) = rows.next()? {
            let text = |column: usize| row.get::<_, Option<String>>(column);
            let same_play = row.get::<_, u8>(1)? == game.kind() as u8
                && row.get::<_, bool>(2)? == (game.status() == Status::Partly)
                && row.get::<_, Option<Vec<u8>>>(3)?
                    == game.has_own_start().then(|| game.line().start().key().to_bytes().to_vec())
                && row.get_ref(4)?.as_blob().ok() == Some(&prepared.moves[..])
                && text(5)?.as_deref() == game.result()
                && text(13)?.as_deref() == game.label()
                // The same text of a result says another winner where the other score stands first.
                && row.get::<_, Option<i8>>(14)? == game.score().map(|score| outcome_number(score.outcome(order)));
            if !same_play {
                continue;
            }
            let both_known = known_player(game.tag("Black")) && known_player(game.tag("White"));
            let mut same_tags = true;
            for (column, name) in [(6, "Event"), (7, "Date"), (8, "Round"), (9, "Black"), (10, "White")] {
                let (held, new) = (text(column)?.unwrap_or_default(), game.tag(name).unwrap_or_default());
                same_tags &= if both_known { fold(&held) == fold(new) } else { held == new };
            }
            if !both_known {
                same_tags &= text(11)?.as_deref() == game.tag("Site")
                    && telling(text(12)?.as_deref()) == telling(other_tags(game).as_deref());
            }
            if same_tags {
                return Ok(Some(row.get(0)?));
            }
        }
        Ok(None)
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
            let counts = source.counts;
            self.flush_facts(id)?;
            self.database.connection.execute(
                "UPDATE source SET complete = complete OR ?2, read = read + ?3, stored = stored + ?4, partly = partly + ?5,
                     refused = refused + ?6, duplicates = duplicates + ?7 WHERE id = ?1",
                params![
                    id, complete, counts.read as i64, counts.stored as i64, counts.partly as i64,
                    counts.refused as i64, counts.duplicates as i64
                ],
            )?;
        }
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
                let counts = std::mem::take(&mut source.counts);
                self.flush_facts(id)?;
                self.database.connection.execute(
                    "UPDATE source SET read = read + ?2, stored = stored + ?3, partly = partly + ?4,
                         refused = refused + ?5, duplicates = duplicates + ?6 WHERE id = ?1",
                    params![
                        id,
                        counts.read as i64,
                        counts.stored as i64,
                        counts.partly as i64,
                        counts.refused as i64,
                        counts.duplicates as i64
                    ],
                )?;
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

/// Where a line's row comes from.
struct LineRow<'a> {
    id: u32,
    source: i64,
    text: i64,
    at: ChunkText<'a>,
    number: u32,
    parent: Option<u32>,
}

/// The id of the line that branch `branch` leaves. Lines of a game stand in a row: the main line, then its branches.
fn parent_id(game: &VerifiedGame, branch: u32, main: Option<(u32, usize)>, ids: &[Option<u32>]) -> Option<u32> {
    let (main_id, main_local) = main?;
    match game.branches().get(branch as usize)?.parent {
        None => Some(main_id),
        Some(parent) => ids.get(main_local + 1 + parent as usize).copied().flatten(),
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

const fn score_number(score: Score) -> i8 {
    match score {
        Score::First => 1,
        Score::Equal => 0,
        Score::Second => -1,
    }
}

const fn outcome_number(outcome: Outcome) -> i8 {
    match outcome {
        Outcome::Won(Color::Black) => 1,
        Outcome::Draw => 0,
        Outcome::Won(Color::White) => -1,
    }
}

/// How a mark is stored: `losing`, `star`, `$1`.
fn mark_text(mark: Mark) -> String {
    match mark {
        Mark::Losing => "losing".to_owned(),
        Mark::Star => "star".to_owned(),
        Mark::Nag(number) => format!("${number}"),
    }
}
