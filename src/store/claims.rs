//! What sources and certificates claim of positions: the facts that values of the tree are worked out from.

use crate::board::Winner;
use crate::rules::PositionKey;

use super::{Database, StoreError};

/// The longest comment that can be a verdict and nothing else, in characters.
const MAX_VERDICT_BYTES: usize = 40;

/// What a stored certificate proves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certified {
    /// The position.
    pub key: PositionKey,
    /// Of its side to move: `win`, `loss`, `not-loss` or `not-win`.
    pub claim: String,
    /// The name of the certificate.
    pub digest: String,
}

impl Database {
    /// The lines at whose end their source prints a verdict, ascending, with the winner by colour. Lines that were cut short
    /// are left out: the verdict is about a position that they do not reach.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn verdicts(&self) -> Result<Vec<(u32, Winner)>, StoreError> {
        let mut lines = self.connection.prepare(
            "SELECT DISTINCT line, winner FROM copies
             WHERE verdict IS NOT NULL AND status = 'stored' AND winner <> 'unknown' ORDER BY line, winner",
        )?;
        let rows = lines.query_map([], |row| {
            let winner = match row.get_ref(1)?.as_str()? {
                "black" => Winner::Black,
                "white" => Winner::White,
                _ => Winner::Draw,
            };
            Ok((row.get(0)?, winner))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The comments behind the last moves of variations that are short enough to be a verdict, ascending by line: books have
    /// the verdicts of their notes so.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn closing_comments(&self) -> Result<Vec<(u32, String)>, StoreError> {
        let mut lines = self.connection.prepare(
            "SELECT line.id, note.value FROM copy AS line JOIN note ON note.line = line.id AND note.ply = line.plies
             WHERE line.kind = 2 AND line.plies > 0 AND note.kind = 'comment' AND length(note.value) <= ?1
             ORDER BY line.id, note.rowid",
        )?;
        let rows = lines.query_map([MAX_VERDICT_BYTES as i64], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The moves that sources mark as losing: line and ply, from 1, ascending.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn losing_marks(&self) -> Result<Vec<(u32, u32)>, StoreError> {
        let mut marks = self.connection.prepare(
            "SELECT DISTINCT line, ply FROM line_note WHERE kind = 'mark' AND value = 'losing' AND ply > 0 ORDER BY line, ply",
        )?;
        let rows = marks.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// What the stored certificates prove, ascending by digest.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn certified(&self) -> Result<Vec<Certified>, StoreError> {
        if !self.has_analyses()? {
            return Ok(Vec::new());
        }
        let mut found = self.connection.prepare("SELECT key, claim, digest FROM certificate ORDER BY digest")?;
        let mut rows = found.query([])?;
        let mut certified = Vec::new();
        while let Some(row) = rows.next()? {
            let digest: String = row.get(2)?;
            let key: Vec<u8> = row.get(0)?;
            let key = key
                .try_into()
                .map_err(|_| StoreError::Damaged(format!("certificate {digest} is about no position")))?;
            certified.push(Certified { key: PositionKey::from_bytes(key), claim: row.get(1)?, digest });
        }
        Ok(certified)
    }
}
