//! Copies that an older version noted without their words: they are read from raw texts once more.
//!
//! The store cannot parse. It hands out the chunks of raw text, and takes what they say back in the order of the chunks.

use std::collections::HashMap;

use rusqlite::params;

use crate::board::{ResultOrder, Variant};
use crate::game::Replayed;

use super::chunk::{ChunkRows, ChunkText};
use super::copies;
use super::prepared_lines::PreparedChunk;
use super::rows::Passed;
use super::writer::ImportWriter;
use super::{Database, StoreError, StoredText};

/// A source that has copies without their words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnreadSource {
    /// Its row.
    pub id: i64,
    /// Whose score stands first in its results.
    pub order: ResultOrder,
    /// The game it is of.
    pub variant: Variant,
    /// The chunks of its text in their order.
    pub texts: Vec<i64>,
}

/// Copies without their words: the numbers of games in their source, and the lines that they are copies of.
pub type UnreadGames = HashMap<u32, u32>;

impl Database {
    /// The sources with copies that have no words yet, ascending by id.
    ///
    /// # Errors
    /// When the database cannot be read or is damaged.
    pub fn unread_sources(&self) -> Result<Vec<UnreadSource>, StoreError> {
        let mut sources = self.connection.prepare(
            "SELECT id, result_order, variant, last_text FROM source
             WHERE id IN (SELECT source FROM unread_copy) ORDER BY id",
        )?;
        let mut rows = sources.query([])?;
        let (mut found, mut parents) = (Vec::new(), None);
        while let Some(row) = rows.next()? {
            let (id, order, variant): (i64, String, u32) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let damaged = || StoreError::Damaged(format!("source {id} is of no known game or order of results"));
            let parents = match &mut parents {
                Some(parents) => parents,
                none => none.insert(self.text_parents()?),
            };
            let last: Option<i64> = row.get(3)?;
            let mut texts: Vec<i64> = std::iter::successors(last, |text| parents.get(text).copied()).collect();
            texts.reverse();
            found.push(UnreadSource {
                id,
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

    /// The copies without words among the games of a source numbered `first` to `last`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn unread_games(&self, source: &UnreadSource, first: u32, last: u32) -> Result<UnreadGames, StoreError> {
        let mut games = self
            .database
            .connection
            .prepare_cached("SELECT number, line FROM unread_copy WHERE source = ?1 AND number BETWEEN ?2 AND ?3")?;
        let rows = games.query_map(params![source.id, first, last], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Stores the copies `unread` of a chunk of a source's own text. A game that is not the line it is noted for stays without words.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn reread(
        &mut self,
        source: &UnreadSource,
        text: i64,
        at: ChunkText<'_>,
        games: &[Replayed],
        prepared: PreparedChunk,
        unread: &UnreadGames,
    ) -> Result<(), StoreError> {
        self.begin_transaction()?;
        let rows = ChunkRows {
            source: source.id,
            variant: source.variant,
            order: source.order,
            text,
            at,
            games,
            unread: Some(unread),
        };
        self.insert_lines(&rows, prepared, &mut Passed::default())?;
        self.flush_facts(source.id)?;
        self.forget_read(source, unread)
    }

    /// Stores the copies `unread` of a chunk that belongs to another source: they are the same as that source's.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn share_unread(&mut self, source: &UnreadSource, text: i64, unread: &UnreadGames) -> Result<(), StoreError> {
        self.begin_transaction()?;
        let connection = &self.database.connection;
        // What could not be read at an earlier time must not be shared again with the rest.
        let is_shared: bool = connection.query_row(
            "SELECT EXISTS (SELECT 1 FROM copy WHERE source = ?1 AND text = ?2)",
            params![source.id, text],
            |row| row.get(0),
        )?;
        if !is_shared {
            self.next_copy = copies::share_chunks(connection, &[text], source.id, self.next_copy)?;
        }
        self.forget_read(source, unread)
    }

    /// Takes the notes of copies away that have their words now.
    fn forget_read(&self, source: &UnreadSource, unread: &UnreadGames) -> Result<(), StoreError> {
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
