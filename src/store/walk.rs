//! A walk over every stored position, in the order of keys: for questions about all of them.

use crate::rules::PositionKey;

use super::index::{IndexEntry, Keys, Posting};
use super::{Database, StoreError};

/// A walk over every stored position, one after the other.
pub struct PositionWalk {
    keys: Keys,
    entries: Vec<IndexEntry>,
    postings: Vec<Posting>,
}

impl Database {
    /// A walk over every stored position. Hold a [snapshot](Self::hold_snapshot) meanwhile: an import may merge away what is
    /// still to be read.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn walk_positions(&self) -> Result<PositionWalk, StoreError> {
        let mut segments = self.connection.prepare("SELECT id FROM segment ORDER BY id")?;
        let segments: Vec<i64> = segments.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        let keys = Keys::open(&self.connection, &segments)?;
        Ok(PositionWalk { keys, entries: Vec::new(), postings: Vec::new() })
    }

    /// From here on this connection sees the database as it is now, whatever others write.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn hold_snapshot(&self) -> Result<(), StoreError> {
        Ok(self.connection.execute_batch("BEGIN; SELECT count(*) FROM segment")?)
    }
}

impl PositionWalk {
    /// The next position with its postings, grouped by move.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn next(&mut self, database: &Database) -> Result<Option<(PositionKey, &[Posting])>, StoreError> {
        let Some(key) = self.keys.next(&database.connection, &mut self.entries)? else { return Ok(None) };
        self.postings.clear();
        self.postings.extend(self.entries.iter().map(|entry| entry.posting));
        Ok(Some((key, &self.postings)))
    }
}
