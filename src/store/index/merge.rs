//! Merging segments, so that a query never has many to look at.

use std::collections::HashSet;

use rusqlite::{Connection, params};

use crate::rules::PositionKey;

use super::block::{Block, BlockReader, BlockWriter};
use super::posting::{IndexEntry, Posting};
use crate::store::StoreError;

/// How many segments of about one size are merged into one.
const MAX_SEGMENTS_PER_LEVEL: usize = 8;
/// Segments within this ratio of the smallest count as of one size.
const LEVEL_RATIO: i64 = 8;
/// Postings of a key whose memory a cursor keeps for the next one. A position of millions of games needs more, and only once.
const KEPT_ENTRIES: usize = 1 << 16;

/// Merges segments while eight or more are of about one size. Runs inside the caller's transaction.
pub(in crate::store) fn compact(connection: &Connection) -> Result<(), StoreError> {
    loop {
        let mut segments: Vec<(i64, i64)> = connection
            .prepare_cached("SELECT postings, id FROM segment ORDER BY postings, id")?
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<_, _>>()?;
        let Some(&(smallest, _)) = segments.first() else { return Ok(()) };
        // Small leftovers merge with what is next in size; a run of similar segments merges among itself.
        let alike = segments.iter().filter(|(postings, _)| *postings <= smallest.max(1) * LEVEL_RATIO).count();
        if alike < MAX_SEGMENTS_PER_LEVEL {
            let Some(run) = segments
                .windows(MAX_SEGMENTS_PER_LEVEL)
                .find(|run| run[MAX_SEGMENTS_PER_LEVEL - 1].0 <= run[0].0 * LEVEL_RATIO)
            else {
                return Ok(());
            };
            let run = run.to_vec();
            merge(connection, &run.iter().map(|(_, id)| *id).collect::<Vec<_>>())?;
            continue;
        }
        segments.truncate(alike);
        merge(connection, &segments.iter().map(|(_, id)| *id).collect::<Vec<_>>())?;
    }
}

/// The blocks of a segment, read one after the other.
struct SegmentCursor {
    segment: i64,
    last_block: Option<Vec<u8>>,
    reader: Option<BlockReader>,
    key: Option<PositionKey>,
    postings: Vec<Posting>,
}

impl SegmentCursor {
    /// Goes on to the next key.
    fn advance(
        &mut self,
        connection: &Connection,
        decompressor: &mut zstd::bulk::Decompressor<'_>,
    ) -> Result<(), StoreError> {
        loop {
            self.postings.clear();
            if let Some(reader) = &mut self.reader
                && let Some(key) = reader.next_key(|_| true, &mut self.postings)?
            {
                self.key = Some(key);
                return Ok(());
            }
            let mut next = connection.prepare_cached(
                "SELECT first_key, data FROM block WHERE segment = ?1 AND first_key > ?2 ORDER BY first_key LIMIT 1",
            )?;
            let after = self.last_block.clone().unwrap_or_default();
            let mut rows = next.query(params![self.segment, after])?;
            let Some(row) = rows.next()? else {
                (self.key, self.reader) = (None, None);
                return Ok(());
            };
            self.last_block = Some(row.get(0)?);
            let data = row.get_ref(1)?.as_blob().unwrap_or_default();
            self.reader = Some(BlockReader::new(data, decompressor)?);
        }
    }
}

/// A walk over the keys of segments in ascending order, each once.
pub(in crate::store) struct Keys {
    cursors: Vec<SegmentCursor>,
    decompressor: zstd::bulk::Decompressor<'static>,
}

impl Keys {
    /// A walk over `segments`.
    pub(in crate::store) fn open(connection: &Connection, segments: &[i64]) -> Result<Self, StoreError> {
        let mut decompressor = zstd::bulk::Decompressor::new()?;
        let mut cursors = Vec::with_capacity(segments.len());
        for &segment in segments {
            let mut cursor = SegmentCursor { segment, last_block: None, reader: None, key: None, postings: Vec::new() };
            cursor.advance(connection, &mut decompressor)?;
            cursors.push(cursor);
        }
        Ok(Self { cursors, decompressor })
    }

    /// The next key; its postings of all segments are put into `entries`, sorted.
    pub(in crate::store) fn next(
        &mut self,
        connection: &Connection,
        entries: &mut Vec<IndexEntry>,
    ) -> Result<Option<PositionKey>, StoreError> {
        let Some(key) = self.cursors.iter().filter_map(|cursor| cursor.key).min() else { return Ok(None) };
        entries.clear();
        let has_it = |cursor: &&SegmentCursor| cursor.key == Some(key);
        entries.reserve_exact(self.cursors.iter().filter(has_it).map(|cursor| cursor.postings.len()).sum());
        for cursor in self.cursors.iter_mut().filter(|cursor| cursor.key == Some(key)) {
            entries.extend(cursor.postings.iter().map(|&posting| IndexEntry { key, posting }));
            if cursor.postings.len() > KEPT_ENTRIES {
                cursor.postings = Vec::new();
            }
            cursor.advance(connection, &mut self.decompressor)?;
        }
        entries.sort_unstable();
        Ok(Some(key))
    }
}

/// Walks the keys of `segments` in ascending order, each once, with its postings of all of them.
pub(in crate::store) fn each_key(
    connection: &Connection,
    segments: &[i64],
    mut visit: impl FnMut(PositionKey, &[IndexEntry]) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut keys = Keys::open(connection, segments)?;
    let mut entries: Vec<IndexEntry> = Vec::new();
    while let Some(key) = keys.next(connection, &mut entries)? {
        visit(key, &entries)?;
    }
    Ok(())
}

fn merge(connection: &Connection, segments: &[i64]) -> Result<(), StoreError> {
    rewrite(connection, segments, &|_| true)
}

/// Puts one segment in the place of `segments`, with the postings of lines that are to be kept.
fn rewrite(connection: &Connection, segments: &[i64], keep: &dyn Fn(u32) -> bool) -> Result<(), StoreError> {
    connection.execute("INSERT INTO segment (postings, keys) VALUES (0, 0)", [])?;
    let merged = connection.last_insert_rowid();
    let mut writer = BlockWriter::new()?;
    let (mut keys, mut postings) = (0_i64, 0_i64);
    let mut walk = Keys::open(connection, segments)?;
    let mut entries: Vec<IndexEntry> = Vec::new();
    while let Some(key) = walk.next(connection, &mut entries)? {
        entries.retain(|entry| keep(entry.posting.line));
        if entries.is_empty() {
            continue;
        }
        writer.add(key, &entries)?;
        keys += 1;
        postings += entries.len() as i64;
        insert_blocks(connection, merged, &writer.take_blocks())?;
    }
    insert_blocks(connection, merged, &writer.finish()?)?;
    connection.execute("UPDATE segment SET postings = ?2, keys = ?3 WHERE id = ?1", params![merged, postings, keys])?;
    if keys == 0 {
        connection.execute("DELETE FROM segment WHERE id = ?1", [merged])?;
    }
    for segment in segments {
        connection.execute("DELETE FROM block WHERE segment = ?1", [segment])?;
        connection.execute("DELETE FROM segment WHERE id = ?1", [segment])?;
    }
    Ok(())
}

/// Takes every posting of the lines `gone` out. Only segments that have some are written anew. Runs inside the caller's transaction.
pub(in crate::store) fn drop_lines(connection: &Connection, gone: &HashSet<u32>) -> Result<(), StoreError> {
    let segments: Vec<i64> = connection
        .prepare("SELECT id FROM segment ORDER BY id")?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for segment in segments {
        let mut touched = false;
        each_key(connection, &[segment], |_, entries| {
            touched = touched || entries.iter().any(|entry| gone.contains(&entry.posting.line));
            Ok(())
        })?;
        if touched {
            rewrite(connection, &[segment], &|line| !gone.contains(&line))?;
        }
    }
    Ok(())
}

/// Stores blocks of `segment`.
pub(in crate::store) fn insert_blocks(
    connection: &Connection,
    segment: i64,
    blocks: &[Block],
) -> Result<(), StoreError> {
    let mut insert = connection.prepare_cached("INSERT INTO block (segment, first_key, data) VALUES (?1, ?2, ?3)")?;
    for block in blocks {
        insert.execute(params![segment, block.first_key.to_bytes(), block.data])?;
    }
    Ok(())
}
