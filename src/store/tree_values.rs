//! Values that the whole tree implies, kept where working them out takes long, and the count of changes that tells stale ones.

use rusqlite::{OptionalExtension, params};

use crate::rules::PositionKey;

use super::{Database, StoreError};

/// How values of the tree were worked out. Others are not comparable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeStamp {
    /// Changes to the database before.
    pub revision: i64,
    /// The method, a number that grows when a program values positions otherwise.
    pub method: u32,
    /// Up to how many pieces endgame databases were there.
    pub pieces: u32,
}

/// What is kept of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeptValue {
    /// For the side to move: 1 won, 0 drawn, -1 lost.
    pub value: i8,
    /// Whether it is proved; otherwise stored verdicts imply it.
    pub is_proved: bool,
}

impl Database {
    /// Asks several things of one state of the database, whatever others write meanwhile.
    ///
    /// # Errors
    /// When the database cannot be read; those of `ask`.
    pub fn in_snapshot<T, E: From<StoreError>>(&self, ask: impl FnOnce(&Self) -> Result<T, E>) -> Result<T, E> {
        let begin = || self.connection.unchecked_transaction().map_err(|error| E::from(error.into()));
        // Who has a snapshot keeps it.
        let _snapshot = if self.connection.is_autocommit() { Some(begin()?) } else { None };
        ask(self)
    }

    /// How often the database was changed in what values of the tree are worked out from; `None` where an older version
    /// wrote it and it is open for reading.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn revision(&self) -> Result<Option<i64>, StoreError> {
        if !self.has_table("revision")? {
            return Ok(None);
        }
        Ok(self.connection.query_row("SELECT number FROM revision", [], |row| row.get(0)).optional()?)
    }

    /// How the kept values were worked out; `None` where none are kept.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn tree_stamp(&self) -> Result<Option<TreeStamp>, StoreError> {
        if self.revision()?.is_none() {
            return Ok(None);
        }
        let sql = "SELECT revision, method, pieces FROM tree_state";
        let read =
            |row: &rusqlite::Row<'_>| Ok(TreeStamp { revision: row.get(0)?, method: row.get(1)?, pieces: row.get(2)? });
        Ok(self.connection.query_row(sql, [], read).optional()?)
    }

    /// What is kept of the position of this key; ask for [`Self::tree_stamp`] first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn tree_value(&self, key: PositionKey) -> Result<Option<KeptValue>, StoreError> {
        let mut value = self.connection.prepare_cached("SELECT value, witness FROM tree_value WHERE key = ?1")?;
        let read = |row: &rusqlite::Row<'_>| Ok(KeptValue { value: row.get(0)?, is_proved: row.get(1)? });
        Ok(value.query_row([key.to_bytes()], read).optional()?)
    }

    /// Of how many positions something is kept; ask for [`Self::tree_stamp`] first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn tree_value_count(&self) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM tree_value";
        Ok(self.connection.query_row(sql, [], |row| row.get::<_, i64>(0))?.unsigned_abs())
    }

    /// Keeps `values`, ascending by key, in place of all that was kept, all or nothing.
    ///
    /// # Errors
    /// When the database cannot be written; nothing has changed then.
    pub fn keep_tree_values(
        &mut self,
        stamp: TreeStamp,
        values: impl Iterator<Item = (PositionKey, KeptValue)>,
    ) -> Result<(), StoreError> {
        self.in_transaction(|| self.write_tree_values(stamp, values))
    }

    fn write_tree_values(
        &self,
        stamp: TreeStamp,
        values: impl Iterator<Item = (PositionKey, KeptValue)>,
    ) -> Result<(), StoreError> {
        self.connection.execute_batch("DELETE FROM tree_value; DELETE FROM tree_state;")?;
        let mut insert =
            self.connection.prepare_cached("INSERT INTO tree_value (key, value, witness) VALUES (?1, ?2, ?3)")?;
        for (key, kept) in values {
            insert.execute(params![key.to_bytes(), kept.value, kept.is_proved])?;
        }
        self.connection.execute(
            "INSERT INTO tree_state (revision, method, pieces) VALUES (?1, ?2, ?3)",
            params![stamp.revision, stamp.method, stamp.pieces],
        )?;
        Ok(())
    }

    /// Postings of the position index: about as many as half-moves are stored.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn posting_count(&self) -> Result<u64, StoreError> {
        let sql = "SELECT coalesce(sum(postings), 0) FROM segment";
        Ok(self.connection.query_row(sql, [], |row| row.get::<_, i64>(0))?.unsigned_abs())
    }
}
