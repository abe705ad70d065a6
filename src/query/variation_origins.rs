//! Where lines hang: a variation belongs to a game, and stands so many plies into it.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension};

use crate::store::Database;

use super::QueryError;

/// From this many look-ups on, all variations of the database are looked up at once.
const MAX_SINGLE_LOOKUPS: usize = 500;

/// Where a line hangs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The main line it belongs to in the end; itself for a main line.
    pub game: u32,
    /// The line it leaves.
    pub parent: Option<u32>,
    /// Plies of the game before its start.
    pub plies: u32,
}

/// Looks up where lines hang, and remembers.
#[derive(Debug)]
pub struct Origins<'c> {
    connection: &'c Connection,
    known: HashMap<u32, Origin>,
    /// Whether all variations are known, so that any other line is a main line.
    all: bool,
}

impl<'c> Origins<'c> {
    /// Those of every line: some tens of bytes a variation.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn of_all(database: &'c Database) -> Result<Self, QueryError> {
        Self::new(database.connection(), usize::MAX)
    }

    /// For so many look-ups: where they are few, lines are looked up one by one.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn for_some(database: &'c Database, wanted: usize) -> Result<Self, QueryError> {
        Self::new(database.connection(), wanted)
    }

    /// For so many look-ups.
    pub(super) fn new(connection: &'c Connection, wanted: usize) -> Result<Self, QueryError> {
        let mut origins = Self { connection, known: HashMap::new(), all: wanted >= MAX_SINGLE_LOOKUPS };
        if origins.all {
            // A variation is stored behind the line it leaves.
            let mut variations = connection
                .prepare_cached("SELECT id, parent, branch_ply FROM line WHERE parent IS NOT NULL ORDER BY id")?;
            let mut rows = variations.query([])?;
            while let Some(row) = rows.next()? {
                origins.learn(row.get(0)?, row.get(1)?, row.get(2)?);
            }
        }
        Ok(origins)
    }

    /// Adds a line whose parent, where it is a variation, is known already.
    fn learn(&mut self, line: u32, parent: u32, branch_ply: u32) {
        let of = self.known.get(&parent).copied().unwrap_or(Origin { game: parent, parent: None, plies: 0 });
        let plies = of.plies + branch_ply.saturating_sub(1);
        self.known.insert(line, Origin { game: of.game, parent: Some(parent), plies });
    }

    /// Where this line hangs.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn lookup(&mut self, line: u32) -> Result<Origin, QueryError> {
        let main = Origin { game: line, parent: None, plies: 0 };
        if let Some(&origin) = self.known.get(&line) {
            return Ok(origin);
        }
        if self.all {
            return Ok(main);
        }
        let mut statement = self.connection.prepare_cached("SELECT parent, branch_ply FROM line WHERE id = ?1")?;
        let mut chain = Vec::new();
        let mut at = line;
        while !self.known.contains_key(&at) {
            let up: Option<(Option<u32>, Option<u32>)> =
                statement.query_row([at], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
            // Parents have smaller ids: a chain that does not go down is damage, and would never end.
            let Some((Some(parent), Some(branch_ply))) = up.filter(|(parent, _)| parent.is_none_or(|up| up < at))
            else {
                break;
            };
            chain.push((at, parent, branch_ply));
            at = parent;
        }
        drop(statement);
        for (line, parent, branch_ply) in chain.into_iter().rev() {
            self.learn(line, parent, branch_ply);
        }
        Ok(*self.known.entry(line).or_insert(main))
    }
}
