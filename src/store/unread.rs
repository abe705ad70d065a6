//! Copies that an older version noted without their words: they are read from raw texts once more.
//!
//! The store cannot parse. It hands out the chunks of raw text, and takes what they say back in the order of the chunks.

use std::collections::HashMap;

use rusqlite::params;

use crate::board::{ResultOrder, Variant};
use crate::game::Replayed;

use super::copies::{self, HeldText, UnreadSource};
use super::prepared_lines::PreparedChunk;
use super::writer::{ChunkText, ImportWriter};
use super::{Database, StoreError, StoredText};

impl Database {
    /// The sources with copies that have no words yet, ascending by id.
    ///
    /// # Errors
    /// When the database cannot be read or is damaged.
    pub fn unread_sources(&self) -> Result<Vec<UnreadSource>, StoreError> {
        let mut sources = self.connection.prepare(
            "SELECT id, name, result_order, variant, last_text FROM source
             WHERE id IN (SELECT source FROM unread_copy) ORDER BY id",
        )?;
        let mut rows = sources.query([])?;
        let (mut found, mut parents) = (Vec::new(), None);
        while let Some(row) = rows.next()? {
            let (id, name, order, variant): (i64, String, String, u32) =
                (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
            let damaged = || StoreError::Damaged(format!("source {id} is of no known game or order of results"));
            let parents = match &mut parents {
                Some(parents) => parents,
                none => none.insert(self.text_parents()?),
            };
            let last: Option<i64> = row.get(4)?;
            let mut texts: Vec<i64> = std::iter::successors(last, |text| parents.get(text).copied()).collect();
            texts.reverse();
            found.push(UnreadSource {
                id,
                name,
                order: ResultOrder::from_name(&order).ok_or_else(damaged)?,
                variant: Variant::from_game_type(variant).ok_or_else(damaged)?,
                texts,
            });
        }
        Ok(found)
    }

    /// How many copies have no words yet.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn unread_copies(&self) -> Result<u64, StoreError> {
        let count = self.connection.query_row("SELECT count(*) FROM unread_copy", [], |row| row.get::<_, i64>(0))?;
        Ok(count.unsigned_abs())
    }
}

impl ImportWriter<'_> {
    /// A chunk of raw text, and how many games were read from it.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn stored_text(&self, id: i64) -> Result<(StoredText, u32), StoreError> {
        let mut games = self.database.connection.prepare_cached("SELECT games FROM text WHERE id = ?1")?;
        Ok((self.database.text(id)?.0, games.query_row([id], |row| row.get(0))?))
    }

    /// Takes in what a chunk of a source's text says of copies that have no words yet. A game that is not the line it is noted for
    /// stays without.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn reread(
        &mut self,
        source: &UnreadSource,
        text: &StoredText,
        at: ChunkText<'_>,
        games: &[Replayed],
        prepared: PreparedChunk,
    ) -> Result<(), StoreError> {
        self.begin_transaction()?;
        let unread: HashMap<u32, u32> = self
            .database
            .connection
            .prepare_cached("SELECT number, line FROM unread_copy WHERE source = ?1 AND number > ?2 AND number <= ?3")?
            .query_map(params![source.id, at.games_before, at.games_before + games.len() as u32], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?
            .collect::<Result<_, _>>()?;
        if text.source == source.id {
            self.insert_unread(source, text.id, at, games, prepared, &unread)?;
        } else {
            let held = HeldText { text: text.id, owner: text.source };
            self.next_copy = copies::share_chunks(&self.database.connection, &[held], source.id, self.next_copy)?;
        }
        let mut read = self.database.connection.prepare_cached(
            "DELETE FROM unread_copy WHERE source = ?1 AND number = ?2 AND EXISTS (
                 SELECT 1 FROM copy WHERE copy.same_as = unread_copy.line AND copy.same_as IS NOT NULL
                     AND copy.source = ?1 AND copy.number = ?2)",
        )?;
        for number in unread.keys() {
            read.execute(params![source.id, number])?;
        }
        Ok(())
    }
}
