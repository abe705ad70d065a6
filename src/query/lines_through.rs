//! The lines that passed through a position, as a set of bits: bit `line % 8` of byte `line / 8`.

use std::collections::HashSet;

use crate::rules::Position;
use crate::store::{Database, Posting};

use super::QueryError;

/// The lines that stood in `position`: a bit per line. A variation is among them where it stood there itself, or its game
/// did before the variation left it.
///
/// Memory: the postings of the position, a bit per line, and some tens of bytes per variation that has the position from its
/// game.
pub(super) fn lines_through(database: &Database, position: &Position) -> Result<Vec<u8>, QueryError> {
    let mut first = database.postings(position.key())?;
    first.sort_unstable_by_key(|posting| (posting.line, posting.ply));
    first.dedup_by_key(|posting| posting.line);
    let mut bits = Vec::new();
    for posting in &first {
        insert(&mut bits, posting.line);
    }
    if first.is_empty() {
        return Ok(bits);
    }
    // Variations whose game was in the position before them; a variation is stored after the line that it leaves.
    let mut inherited: HashSet<u32> = HashSet::new();
    let mut variations = database
        .connection()
        .prepare_cached("SELECT id, parent, branch_ply FROM line WHERE parent IS NOT NULL ORDER BY id")?;
    let mut rows = variations.query([])?;
    while let Some(row) = rows.next()? {
        let (line, parent): (u32, u32) = (row.get(0)?, row.get(1)?);
        let plies_before = row.get::<_, Option<u32>>(2)?.unwrap_or(0).saturating_sub(1);
        if inherited.contains(&parent) || first_ply(&first, parent).is_some_and(|ply| ply <= plies_before) {
            inherited.insert(line);
            insert(&mut bits, line);
        }
    }
    Ok(bits)
}

/// Whether `line` is among the lines whose bits these are.
pub(super) fn has_line(bits: &[u8], line: u32) -> bool {
    bits.get(line as usize / 8).is_some_and(|byte| byte >> (line % 8) & 1 == 1)
}

fn insert(bits: &mut Vec<u8>, line: u32) {
    let byte = line as usize / 8;
    if bits.len() <= byte {
        bits.resize(byte + 1, 0);
    }
    bits[byte] |= 1 << (line % 8);
}

/// The ply at which `line` first stood in the position of `postings`, which are in ascending order of lines.
fn first_ply(postings: &[Posting], line: u32) -> Option<u32> {
    let at = postings.binary_search_by_key(&line, |posting| posting.line).ok()?;
    postings.get(at).map(|posting| posting.ply)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_what_was_put_in() {
        let mut bits = Vec::new();
        for line in [1, 7, 8, 1000] {
            insert(&mut bits, line);
        }
        let held: Vec<u32> = (0..2000).filter(|line| has_line(&bits, *line)).collect();
        assert_eq!(held, [1, 7, 8, 1000]);
        assert!(!has_line(&[], 0));
    }
}
