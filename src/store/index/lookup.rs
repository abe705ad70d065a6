//! Finding the postings of one position.

use rusqlite::{Connection, OptionalExtension, params};

use crate::rules::PositionKey;

use super::block::BlockReader;
use super::posting::Posting;
use crate::store::StoreError;

/// Every posting of `key`, segment by segment.
pub(in crate::store) fn postings(
    connection: &Connection,
    decompressor: &mut zstd::bulk::Decompressor<'_>,
    key: PositionKey,
) -> Result<Vec<Posting>, StoreError> {
    let mut found = Vec::new();
    let mut segments = connection.prepare_cached("SELECT id FROM segment ORDER BY id")?;
    let mut block = connection.prepare_cached(
        "SELECT data FROM block WHERE segment = ?1 AND first_key <= ?2 ORDER BY first_key DESC LIMIT 1",
    )?;
    let mut ids = segments.query([])?;
    while let Some(row) = ids.next()? {
        let segment: i64 = row.get(0)?;
        let reader = block
            .query_row(params![segment, key.to_bytes()], |row| {
                Ok(BlockReader::new(row.get_ref(0)?.as_blob().unwrap_or_default(), decompressor))
            })
            .optional()?;
        if let Some(reader) = reader {
            find(reader?, key, &mut found)?;
        }
    }
    Ok(found)
}

fn find(mut reader: BlockReader, key: PositionKey, found: &mut Vec<Posting>) -> Result<(), StoreError> {
    while let Some(here) = reader.next_key(|here| here == key, found)? {
        if here >= key {
            break;
        }
    }
    Ok(())
}
