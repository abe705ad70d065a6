//! Opening, migrating and counting a database.

use std::cell::{OnceCell, RefCell};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::board::ResultOrder;
use crate::files;
use crate::game::LineKind;
use crate::rules::PositionKey;

use super::index::{self, Posting};
use super::{Facts, MoveCode, StoreError, access, schema};

/// `CrHd`: tells a Crownhead database from other SQLite files.
const APPLICATION_ID: i64 = 0x4372_4864;
/// How long a writer waits before it asks again, where SQLite does not wait itself.
const BUSY_RETRY: Duration = Duration::from_millis(10);
/// Chunks of text after which an import commits, however few entries of the index they bring: a file of copies brings none, and
/// a kill should not lose much of it.
const BATCH_CHUNKS: usize = 64;

/// A Crownhead database.
pub struct Database {
    pub(super) connection: Connection,
    facts: OnceCell<Facts>,
    /// Kept between look-ups: making one takes longer than most look-ups.
    decompressor: RefCell<Option<zstd::bulk::Decompressor<'static>>>,
    /// Chunks of text after which an import commits.
    pub(super) batch: usize,
    /// What is missing at the end of the file, where that was looked at.
    pub(super) shortfall: Option<String>,
    /// What opening it changed.
    upgraded: Option<Upgrade>,
    /// Dropped after the connection.
    tidy: access::Tidy,
}

/// A database of an older version that was brought to today's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Upgrade {
    /// The version it had.
    pub from: i64,
    /// The version it has.
    pub to: i64,
    /// A copy of it as it was.
    pub backup: PathBuf,
}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Database").field("connection", &self.connection).finish_non_exhaustive()
    }
}

/// What a database holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    /// Sources.
    pub sources: i64,
    /// Lines of kind game.
    pub games: i64,
    /// Lines of kind opening.
    pub openings: i64,
    /// Lines of every kind.
    pub lines: i64,
    /// Plies of all lines.
    pub plies: i64,
}

/// The tree that all games make together, counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PositionCounts {
    /// Different positions, starts and ends included.
    pub positions: u64,
    /// Of them, reached by two games or more.
    pub shared: u64,
    /// (game, position) pairs, a position counted once a game.
    pub pairs: u64,
    /// Different (position, move) pairs: the edges of the tree.
    pub moves: u64,
}

impl Database {
    /// What is missing at the end of the file at `path`, in words; `None` where it is as long as its header says, or has none.
    #[must_use]
    pub fn shortfall(path: &Path) -> Option<String> {
        access::shortfall(path)
    }

    /// The files that the database at `path` is or may have: its own first, then those of SQLite and of writers beside it.
    #[must_use]
    pub fn files(path: &Path) -> [PathBuf; 5] {
        ["", "-wal", "-shm", "-journal", ".lock"].map(|ending| access::beside(path, ending))
    }

    /// Opens the database at `path` for writing, and makes it where there is none; whether it was made.
    ///
    /// # Errors
    /// When the file is of another program or a newer version, or cannot be used.
    pub fn create(path: &Path) -> Result<(Self, bool), StoreError> {
        let is_new = fs::metadata(path).map_or(true, |meta| meta.len() == 0);
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            files::create_folder(folder)
                .map_err(|source| StoreError::Folder { path: path.display().to_string(), source })?;
        }
        access::check_ordinary(path)?;
        access::check_unprotected(path)?;
        // SQLite says of every obstacle the same: "unable to open database file".
        let opened = Self::open_for_writing(path)
            .map_err(|error| if error.is_no_access() { access::obstacle(path).unwrap_or(error) } else { error })?;
        Ok((opened, is_new))
    }

    fn open_for_writing(path: &Path) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(access::plain(path), flags)?;
        connection.busy_timeout(access::BUSY_TIMEOUT)?;
        let mut database = Self::over(connection);
        database.check(path)?;
        database.refuse_altered(path)?;
        if database.connection.is_readonly("main")? {
            let denied = std::io::ErrorKind::PermissionDenied.into();
            let unsaid = || StoreError::NotWritable { path: path.display().to_string(), source: denied };
            return Err(access::obstacle(path).unwrap_or_else(unsaid));
        }
        database.use_write_ahead_log()?;
        database.connection.pragma_update(None, "synchronous", "normal")?;
        database.upgraded = database.copy_of_older(path)?;
        database.migrate()?;
        Ok(database)
    }

    /// Copies a database of an older version, before it is brought to today's.
    fn copy_of_older(&self, path: &Path) -> Result<Option<Upgrade>, StoreError> {
        let from = self.version()?;
        let to = schema::MIGRATIONS.len() as i64;
        if !(1..to).contains(&from) {
            return Ok(None);
        }
        let names = (1..).map(|number| match number {
            1 => access::beside(path, &format!(".v{from}")),
            number => access::beside(path, &format!(".v{from}-{number}")),
        });
        let backup = names.into_iter().find(|name| fs::symlink_metadata(name).is_err()).unwrap_or_default();
        self.backup(&backup, false)?;
        Ok(Some(Upgrade { from, to, backup }))
    }

    /// The version of its schema.
    fn version(&self) -> Result<i64, StoreError> {
        Ok(self.connection.pragma_query_value(None, "user_version", |row| row.get(0))?)
    }

    /// What opening this database changed: it was of an older version.
    #[must_use]
    pub const fn upgraded(&self) -> Option<&Upgrade> {
        self.upgraded.as_ref()
    }

    /// Switches the file to a write-ahead log. Where another process is making the same change, SQLite reports at once that the
    /// database is busy, whatever its timeout; so the waiting is done here.
    fn use_write_ahead_log(&self) -> Result<(), StoreError> {
        let started = Instant::now();
        loop {
            match self.connection.pragma_update(None, "journal_mode", "wal") {
                Err(error)
                    if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                        && started.elapsed() < access::BUSY_TIMEOUT =>
                {
                    thread::sleep(BUSY_RETRY);
                }
                switched => return Ok(switched?),
            }
        }
    }

    /// Opens the database at `path` for reading. One of an older version is copied and brought to today's first.
    ///
    /// # Errors
    /// [`StoreError::Missing`] where there is none; [`StoreError::OldVersion`] where an older one cannot be written; otherwise as
    /// [`Database::create`].
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let database = Self::open_any(path)?;
        database.refuse_altered(path)?;
        database.brought_up(path)
    }

    /// The database opened for reading, brought to today's version where it is of an older one.
    fn brought_up(self, path: &Path) -> Result<Self, StoreError> {
        let (found, known) = (self.version()?, schema::MIGRATIONS.len() as i64);
        if found >= known {
            return Ok(self);
        }
        drop(self);
        let old = |why: StoreError| StoreError::OldVersion {
            path: path.display().to_string(),
            found,
            known,
            why: Box::new(why),
        };
        access::check_unprotected(path).map_err(old)?;
        let upgraded = Self::open_for_writing(path)
            .map_err(|error| if error.is_no_access() { access::obstacle(path).unwrap_or(error) } else { error })
            .map_err(old)?
            .upgraded
            .take();
        Ok(Self { upgraded, ..Self::open_any(path)? })
    }

    /// Opens the database at `path` for a look at what is wrong with it: its views may be another program's, and its file may be
    /// shorter than its header says.
    ///
    /// # Errors
    /// As [`Database::open`], but for an altered schema.
    pub fn open_to_check(path: &Path) -> Result<Self, StoreError> {
        // Before the first connection: closing a file drops every lock that the process holds on it.
        let shortfall = access::shortfall(path);
        let database = match shortfall {
            Some(_) => Self::open_cut(path)?,
            None => {
                let database = Self::open_any(path)?;
                // What another program changed is listed as it is.
                if database.schema_differences()?.is_empty() { database.brought_up(path)? } else { database }
            }
        };
        Ok(Self { shortfall, ..database })
    }

    fn open_any(path: &Path) -> Result<Self, StoreError> {
        if !path.exists() {
            return Err(StoreError::Missing(path.display().to_string()));
        }
        // A log that was there before belongs to another program, until the database is known to be ours.
        let had_log = access::beside(&access::resolved(path), "-wal").exists();
        let mut database = Self::over(access::reader(path)?);
        if !had_log {
            database.tidy = access::Tidy::new(path);
        }
        let version = database.check(path)?;
        if version == 0 {
            return Err(StoreError::Missing(path.display().to_string()));
        }
        database.tidy = access::Tidy::new(path);
        Ok(database)
    }

    /// Refuses a database in which a table or view of ours is another one, or that has a trigger.
    fn refuse_altered(&self, path: &Path) -> Result<(), StoreError> {
        // Version and schema of one state of the file: another process may be making or migrating it.
        let _snapshot = self.connection.unchecked_transaction()?;
        let version = self.connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        match schema::differences(&self.connection, version, false)?.into_iter().next() {
            Some(what) => Err(StoreError::Altered { path: path.display().to_string(), what }),
            None => Ok(()),
        }
    }

    /// Whether the schema has this table: a database that an older version wrote and that is open for reading lacks newer ones.
    pub(super) fn has_table(&self, name: &str) -> Result<bool, StoreError> {
        let sql = "SELECT count(*) FROM sqlite_schema WHERE name = ?1 AND type = 'table'";
        Ok(self.connection.prepare_cached(sql)?.query_row([name], |row| row.get::<_, i64>(0))? > 0)
    }

    /// What the schema has that this program does not make, and lacks of what it makes.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn schema_differences(&self) -> Result<Vec<String>, StoreError> {
        let version = self.connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        schema::differences(&self.connection, version, true)
    }

    /// Opens what is left of a database whose file is shorter than its header says, for reading: SQLite lets no one look into one
    /// unless it is asked to.
    fn open_cut(path: &Path) -> Result<Self, StoreError> {
        let database = Self::over(access::reader(path)?);
        database.connection.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_DEFENSIVE, false)?;
        database.connection.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_WRITABLE_SCHEMA, true)?;
        database.check(path)?;
        Ok(database)
    }

    /// An empty database in memory.
    ///
    /// # Errors
    /// When SQLite says no.
    pub fn in_memory() -> Result<Self, StoreError> {
        let mut database = Self::over(Connection::open_in_memory()?);
        database.migrate()?;
        Ok(database)
    }

    fn over(connection: Connection) -> Self {
        // More than the statements of an import, so that none is parsed twice.
        connection.set_prepared_statement_cache_capacity(64);
        // Plans do not depend on bound values: otherwise each look-up of a duplicate is planned anew because its index is
        // partial. An old SQLite without the setting is only slower.
        let _ = connection.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true);
        // What a file brings along is not trusted: its views and triggers call no function that reaches outside, and no statement
        // writes to the schema itself.
        let _ = connection.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false);
        let _ = connection.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true);
        Self {
            connection,
            facts: OnceCell::new(),
            decompressor: RefCell::new(None),
            batch: BATCH_CHUNKS,
            shortfall: None,
            upgraded: None,
            tidy: access::Tidy::default(),
        }
    }

    /// Refuses what is not ours; the schema version.
    fn check(&self, path: &Path) -> Result<i64, StoreError> {
        // One state of the file: another process may be making it.
        let _snapshot = self.connection.unchecked_transaction()?;
        let pragma = |name: &str| self.connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        let id = pragma("application_id").map_err(|error| match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => StoreError::NoDatabase(path.display().to_string()),
            _ => error.into(),
        })?;
        let version = pragma("user_version")?;
        let tables: i64 = self.connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        if id != APPLICATION_ID && (id != 0 || version != 0 || tables != 0) {
            return Err(StoreError::Foreign(path.display().to_string()));
        }
        let known = schema::MIGRATIONS.len() as i64;
        if version < 0 || version == 0 && tables > 0 {
            return Err(StoreError::Damaged(format!("{version} is no version of the schema")));
        }
        if version > known {
            return Err(StoreError::TooNew { path: path.display().to_string(), found: version, known });
        }
        Ok(version)
    }

    fn migrate(&mut self) -> Result<(), StoreError> {
        let version = |connection: &Connection| -> Result<usize, rusqlite::Error> {
            connection.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0)).map(|v| v.max(0) as usize)
        };
        if version(&self.connection)? == schema::MIGRATIONS.len() {
            return Ok(());
        }
        let transaction = self.connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        // Another process may have migrated while this one waited.
        for (index, migration) in schema::MIGRATIONS.iter().enumerate().skip(version(&transaction)?) {
            transaction.execute_batch(migration)?;
            transaction.pragma_update(None, "user_version", index as i64 + 1)?;
        }
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.commit()?;
        Ok(())
    }

    /// Has imports commit after so many chunks of text, 1 at least: a kill then loses less, and an import takes longer.
    pub const fn commit_every(&mut self, chunks: usize) {
        self.batch = if chunks == 0 { 1 } else { chunks };
    }

    /// The connection, for the questions of `query` and `report`.
    #[must_use]
    pub const fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Where the database is; empty in memory.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.connection.path().map(PathBuf::from).unwrap_or_default()
    }

    /// Every line in the position of this key, with the move it goes on with, segment by segment.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn postings(&self, key: PositionKey) -> Result<Vec<Posting>, StoreError> {
        let mut kept = self.decompressor.borrow_mut();
        let decompressor = match &mut *kept {
            Some(decompressor) => decompressor,
            none => none.insert(zstd::bulk::Decompressor::new()?),
        };
        index::postings(&self.connection, decompressor, key)
    }

    /// Shows `visit` every stored position, ascending by key, with all its postings, ascending by move and line. Walks the
    /// whole index, a block of each segment in memory: about a second for ten million half-moves.
    ///
    /// # Errors
    /// When the database cannot be read, or `visit` says so.
    pub fn each_position(
        &self,
        mut visit: impl FnMut(PositionKey, &[Posting]) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        // One snapshot: an import meanwhile may merge segments away. Who has one already keeps it.
        let _snapshot =
            if self.connection.is_autocommit() { Some(self.connection.unchecked_transaction()?) } else { None };
        let segments: Vec<i64> = self
            .connection
            .prepare("SELECT id FROM segment ORDER BY id")?
            .query_map([], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        let mut postings: Vec<Posting> = Vec::new();
        index::each_key(&self.connection, &segments, |key, entries| {
            postings.clear();
            postings.extend(entries.iter().map(|entry| entry.posting));
            visit(key, &postings)
        })
    }

    /// Counts the tree of all games. Walks the whole index: about a second for ten million half-moves.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn position_counts(&self) -> Result<PositionCounts, StoreError> {
        let facts = self.facts()?;
        let mut counts = PositionCounts::default();
        let mut lines: Vec<u32> = Vec::new();
        self.each_position(|_, postings| {
            let of_games = |line: u32| facts.get(line).is_some_and(|fact| fact.kind == LineKind::Game);
            lines.clear();
            lines.extend(postings.iter().map(|posting| posting.line).filter(|&line| of_games(line)));
            lines.sort_unstable();
            lines.dedup();
            counts.positions += u64::from(!lines.is_empty());
            counts.shared += u64::from(lines.len() > 1);
            counts.pairs += lines.len() as u64;
            let played = postings
                .chunk_by(|a, b| a.code == b.code)
                .filter(|group| group[0].code != MoveCode::END && group.iter().any(|posting| of_games(posting.line)));
            counts.moves += played.count() as u64;
            Ok(())
        })?;
        Ok(counts)
    }

    /// The facts of every line, read at the first call.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn facts(&self) -> Result<&Facts, StoreError> {
        if let Some(facts) = self.facts.get() {
            return Ok(facts);
        }
        let mut facts = Facts::default();
        let mut runs = self.connection.prepare(
            "SELECT first_line, result_order, CASE WHEN length(data) <= 3 * (?1 + 1 - first_line) THEN data END
             FROM facts JOIN source ON source.id = facts.source ORDER BY first_line",
        )?;
        let (last, _) = super::copies::last_ids(&self.connection)?;
        let mut rows = runs.query([last])?;
        while let Some(row) = rows.next()? {
            let order = ResultOrder::from_name(row.get_ref(1)?.as_str().unwrap_or_default());
            let order = order.ok_or_else(|| StoreError::Damaged("a source has no order of results".to_owned()))?;
            let data: Option<Vec<u8>> = row.get(2)?;
            let more = || StoreError::Damaged("statistics tell of more lines than there are".to_owned());
            facts.push(row.get(0)?, order, data.ok_or_else(more)?);
        }
        Ok(self.facts.get_or_init(|| facts))
    }

    /// Forgets the facts in memory: something was written.
    pub(super) fn forget_facts(&mut self) {
        self.facts.take();
    }

    /// What the database holds.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn totals(&self) -> Result<Totals, StoreError> {
        let mut totals = Totals {
            sources: self.connection.query_row("SELECT count(*) FROM source", [], |row| row.get(0))?,
            ..Totals::default()
        };
        let mut kinds = self.connection.prepare("SELECT kind, count(*), sum(plies) FROM line GROUP BY kind")?;
        let mut rows = kinds.query([])?;
        while let Some(row) = rows.next()? {
            let (kind, lines, plies): (i64, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
            totals.lines += lines;
            totals.plies += plies;
            match kind {
                0 => totals.games = lines,
                3 => totals.openings = lines,
                _ => {}
            }
        }
        Ok(totals)
    }
}
