//! Walking over every stored line, on all cores: for questions that no index answers.
//!
//! A line is handed out as it lies in the database. Each thread reads with a connection of its own; lines only get added or
//! removed whole, so threads that see the database at slightly different moments still see whole lines.

use std::sync::atomic::{AtomicU32, Ordering};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, params};

use crate::board::Variant;
use crate::rules::{Position, PositionKey};

use super::{Database, PackedLine, StoreError};

/// Lines a thread takes at a time.
const RUN_LINES: u32 = 2048;
/// Below this many lines a second connection costs more than it brings.
const MIN_PARALLEL_LINES: u32 = 2 * RUN_LINES;
impl Database {
    /// Hands every stored line to `visit` on up to `threads` threads, and gives what it makes of them in ascending order of ids.
    ///
    /// # Errors
    /// When the database cannot be read, a line's start is damaged, or `visit` says so.
    pub fn scan<T: Send>(
        &self,
        threads: usize,
        visit: impl Fn(&PackedLine<'_>) -> Result<Option<T>, StoreError> + Sync,
    ) -> Result<Vec<T>, StoreError> {
        let (last, _) = super::copies::last_ids(&self.connection)?;
        let next = AtomicU32::new(1);
        let path = self.path();
        // A database in memory cannot be opened twice.
        if threads < 2 || last < MIN_PARALLEL_LINES || path.as_os_str().is_empty() {
            return Ok(scan_runs(&self.connection, &next, last, &visit)?.into_iter().flat_map(|run| run.1).collect());
        }
        let work =
            || -> Result<ScannedRuns<T>, StoreError> { scan_runs(&super::access::reader(&path)?, &next, last, &visit) };
        let mut runs: ScannedRuns<T> = std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut runs = scan_runs(&self.connection, &next, last, &visit)?;
            for other in others {
                match other.join() {
                    Ok(found) => runs.extend(found?),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            Ok::<_, StoreError>(runs)
        })?;
        runs.sort_unstable_by_key(|run| run.0);
        Ok(runs.into_iter().flat_map(|run| run.1).collect())
    }
}

/// What was found in each run of ids, with its first id.
type ScannedRuns<T> = Vec<(u32, Vec<T>)>;

/// Takes runs of ids until none is left.
fn scan_runs<T>(
    connection: &Connection,
    next: &AtomicU32,
    last: u32,
    visit: &impl Fn(&PackedLine<'_>) -> Result<Option<T>, StoreError>,
) -> Result<ScannedRuns<T>, StoreError> {
    let variants: Vec<(i64, u32)> = connection
        .prepare_cached("SELECT id, variant FROM source ORDER BY id")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    let mut lines = connection
        .prepare_cached("SELECT id, ifnull(start, source), moves FROM line WHERE id BETWEEN ?1 AND ?2 ORDER BY id")?;
    let mut runs = Vec::new();
    // The start of the source read last: lines of one source lie together.
    let mut usual: Option<(i64, Position)> = None;
    loop {
        let first = next.fetch_add(RUN_LINES, Ordering::Relaxed);
        if first > last || first == 0 {
            return Ok(runs);
        }
        let mut found = Vec::new();
        let mut rows = lines.query(params![first, first.saturating_add(RUN_LINES - 1).min(last)])?;
        while let Some(row) = rows.next()? {
            let id: u32 = row.get(0)?;
            let damaged = || StoreError::Damaged(format!("the start of line {id} is no position"));
            let start = match row.get_ref(1)? {
                ValueRef::Blob(key) => <[u8; 16]>::try_from(key)
                    .ok()
                    .and_then(|bytes| PositionKey::from_bytes(bytes).position())
                    .ok_or_else(damaged)?,
                source => {
                    let source = source.as_i64().map_err(rusqlite::Error::from)?;
                    match usual {
                        Some((of, start)) if of == source => start,
                        _ => {
                            let at = variants.binary_search_by_key(&source, |&(id, _)| id).map_err(|_| damaged())?;
                            let start = Variant::from_game_type(variants[at].1).map(Position::start);
                            usual.insert((source, start.ok_or_else(damaged)?)).1
                        }
                    }
                }
            };
            let moves = row.get_ref(2)?.as_blob().map_err(rusqlite::Error::from)?;
            found.extend(visit(&PackedLine { id, start, moves })?);
        }
        if !found.is_empty() {
            runs.push((first, found));
        }
    }
}
