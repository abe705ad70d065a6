//! Reading stored lines back.

use rusqlite::{OptionalExtension, Row};

use crate::board::{Move, Variant};
use crate::game::Note;
use crate::rules::{Position, PositionKey};

use super::rows::FIRST_COPY_ID;
use super::{Database, StoreError, codec, words};

/// A stored line with its moves.
#[derive(Clone, PartialEq, Debug)]
pub struct StoredLine {
    /// Its id.
    pub id: u32,
    /// The position it starts from.
    pub start: Position,
    /// Its moves.
    pub moves: Vec<Move>,
}

/// A stored variation and where it hangs.
#[derive(Clone, PartialEq, Debug)]
pub struct StoredBranch {
    /// The line it leaves.
    pub parent: u32,
    /// The ply of that line, from 1, which its first move replaces.
    pub ply: u32,
    /// The label a book gives it.
    pub label: Option<String>,
    /// Its moves.
    pub line: StoredLine,
}

impl StoredLine {
    /// The position before each ply, and the end.
    pub fn positions(&self) -> impl Iterator<Item = Position> {
        self.start.along(&self.moves)
    }

    /// The position after the last move.
    #[must_use]
    pub fn end(&self) -> Position {
        self.positions().last().unwrap_or(self.start)
    }
}

/// A start column and a moves column as a line.
pub(super) fn decode(id: u32, variant: u32, start: Option<&[u8]>, moves: &[u8]) -> Result<StoredLine, StoreError> {
    let damaged = || StoreError::Damaged(format!("the start of line {id} is no position"));
    let start = match start {
        None => Position::start(Variant::from_game_type(variant).ok_or_else(damaged)?),
        Some(key) => <[u8; 16]>::try_from(key)
            .ok()
            .and_then(|bytes| PositionKey::from_bytes(bytes).position())
            .ok_or_else(damaged)?,
    };
    let moves =
        codec::decode_line(&start, moves).map_err(|error| StoreError::Damaged(format!("line {id}: {error}")))?;
    Ok(StoredLine { id, start, moves })
}

impl Database {
    /// The line of this id.
    ///
    /// # Errors
    /// When the database cannot be read or the line is damaged.
    pub fn line(&self, id: u32) -> Result<Option<StoredLine>, StoreError> {
        let read = |row: &Row<'_>| {
            let (variant, start) = (row.get(0)?, row.get_ref(1)?.as_blob_or_null()?);
            Ok(decode(id, variant, start, row.get_ref(2)?.as_blob()?))
        };
        self.connection
            .prepare_cached(
                "SELECT source.variant, copy.start, copy.moves FROM copy JOIN source ON source.id = copy.source WHERE copy.id = ?1",
            )?
            .query_row([id], read)
            .optional()?
            .transpose()
    }

    /// Shows `visit` the id, start (its variant's number, and its key where it is not the variant's own) and packed moves of
    /// every game with a move, ordered by start, moves and id. One game's moves begin as another's do exactly where its
    /// bytes do, so games that go together stand together.
    ///
    /// # Errors
    /// When the database cannot be read, or `visit` says so.
    pub fn each_game_by_moves<E: From<StoreError>>(
        &self,
        mut visit: impl FnMut(u32, (u32, Option<&[u8]>), &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let sqlite = |error: rusqlite::Error| E::from(StoreError::from(error));
        let ordered =
            "SELECT line.id, source.variant, line.start, line.moves FROM line JOIN source ON source.id = line.source
             WHERE line.kind = 0 AND line.plies > 0 ORDER BY source.variant, line.start, line.moves, line.id";
        let mut games = self.connection.prepare(ordered).map_err(sqlite)?;
        let mut rows = games.query([]).map_err(sqlite)?;
        while let Some(row) = rows.next().map_err(sqlite)? {
            let blob = |column: usize| -> Result<Option<&[u8]>, rusqlite::Error> {
                Ok(row.get_ref(column)?.as_blob_or_null()?)
            };
            let start = (row.get(1).map_err(sqlite)?, blob(2).map_err(sqlite)?);
            visit(row.get(0).map_err(sqlite)?, start, blob(3).map_err(sqlite)?.unwrap_or_default())?;
        }
        Ok(())
    }

    /// The ids of all lines, ascending.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn line_ids(&self) -> Result<Vec<u32>, StoreError> {
        let mut ids = self.connection.prepare("SELECT id FROM line ORDER BY id")?;
        let rows = ids.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The line that a row is a copy of: itself for the first copy.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn line_of_copy(&self, id: u32) -> Result<u32, StoreError> {
        if id < FIRST_COPY_ID {
            return Ok(id);
        }
        let mut line = self.connection.prepare_cached("SELECT same_as FROM copy WHERE id = ?1")?;
        Ok(line.query_row([id], |row| row.get::<_, Option<u32>>(0)).optional()?.flatten().unwrap_or(id))
    }

    /// The ids of all copies of lines, the first ones among them, ascending.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn copy_ids(&self) -> Result<Vec<u32>, StoreError> {
        let mut ids = self.connection.prepare("SELECT id FROM copy ORDER BY id")?;
        let rows = ids.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The ids of the variations of a copy of a game, those of variations too, in the order of its text.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn variation_ids(&self, game: u32) -> Result<Vec<u32>, StoreError> {
        Ok(super::copies::variations(&self.connection, game)?.into_iter().map(|variation| variation.id).collect())
    }

    /// How many plies these lines have together; an id without a line has none.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn plies_of(&self, ids: &[u32]) -> Result<u64, StoreError> {
        let mut plies = self.connection.prepare_cached("SELECT plies FROM copy WHERE id = ?1")?;
        let mut sum = 0;
        for id in ids {
            sum += plies.query_row([id], |row| row.get::<_, u32>(0)).optional()?.map_or(0, u64::from);
        }
        Ok(sum)
    }

    /// What is attached to the plies of a line, in order.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn notes(&self, line: u32) -> Result<Vec<Note>, StoreError> {
        let mut notes =
            self.connection.prepare_cached("SELECT ply, kind, value FROM note WHERE line = ?1 ORDER BY ply, rowid")?;
        let rows = notes.query_map([line], |row| Ok(Note { ply: row.get(0)?, kind: words::note_kind(row, 1)? }))?;
        rows.map(|note| {
            note.map_err(|error| match StoreError::from(error) {
                StoreError::Damaged(_) => StoreError::Damaged(format!("line {line} has a note that cannot be read")),
                other => other,
            })
        })
        .collect()
    }

    /// The variations of a game, those of variations too, each behind the line it leaves.
    ///
    /// # Errors
    /// When the database cannot be read or a line is damaged.
    pub fn branches(&self, line: u32) -> Result<Vec<StoredBranch>, StoreError> {
        let mut found: Vec<StoredBranch> = Vec::new();
        let mut parents = vec![line];
        let mut next = 0;
        while let Some(&parent) = parents.get(next) {
            next += 1;
            let mut children = self
                .connection
                .prepare_cached("SELECT id, branch_ply, label FROM copy WHERE parent = ?1 AND parent IS NOT NULL ORDER BY branch_ply, branch, id")?;
            let mut rows = children.query([parent])?;
            while let Some(row) = rows.next()? {
                let id: u32 = row.get(0)?;
                let Some(line) = self.line(id)? else { continue };
                parents.push(id);
                found.push(StoredBranch { parent, ply: row.get(1)?, label: row.get(2)?, line });
            }
        }
        Ok(found)
    }

    /// The raw text of a line, as its source has it.
    ///
    /// # Errors
    /// When the database cannot be read or the text is damaged.
    pub fn raw_text(&self, line: u32) -> Result<Option<String>, StoreError> {
        let read = |row: &Row<'_>| {
            let (offset, length, whole): (i64, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok((offset, length, whole, row.get::<_, Vec<u8>>(3)?))
        };
        let found = self
            .connection
            .prepare_cached(
                "SELECT copy.text_offset, copy.text_length, text.length, text.zstd
                 FROM copy JOIN text ON text.id = copy.text WHERE copy.id = ?1",
            )?
            .query_row([line], read)
            .optional()?;
        let Some((offset, length, whole, packed)) = found else { return Ok(None) };
        let damaged = || StoreError::Damaged(format!("the raw text of line {line} cannot be read"));
        let text = super::texts::unpack(&packed, whole)?;
        let (from, to) = (
            usize::try_from(offset).map_err(|_| damaged())?,
            usize::try_from(offset.saturating_add(length)).map_err(|_| damaged())?,
        );
        let bytes = text.get(from..to).ok_or_else(damaged)?;
        Ok(Some(String::from_utf8_lossy(bytes).into_owned()))
    }
}
