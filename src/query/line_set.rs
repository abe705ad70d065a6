//! Sets of lines, a bit a line: what questions over a whole database can afford to hold.

use rusqlite::params_from_iter;

use crate::store::Database;

use super::filters::{Condition, Filters, add_functions};
use super::{Origins, QueryError};

/// A set of lines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LineSet {
    words: Vec<u64>,
}

impl LineSet {
    /// The lines that `filters` let through, variations too: those ask the game that a variation belongs to, but for kind,
    /// winner, marks and position, which are its own.
    ///
    /// # Errors
    /// When a filter cannot be read or the database cannot.
    pub fn select(database: &Database, filters: &Filters) -> Result<Self, QueryError> {
        add_functions(database)?;
        let of_line = select(database, &filters.of_line(database)?)?;
        let of_game = filters.of_game()?;
        if of_game.is_empty() {
            return Ok(of_line);
        }
        let games = select(database, &of_game)?;
        let mut origins = Origins::of_all(database)?;
        let mut kept = Self::default();
        for line in of_line.iter() {
            if games.contains(origins.lookup(line)?.game) {
                kept.insert(line);
            }
        }
        Ok(kept)
    }

    /// Whether `line` is in it.
    #[must_use]
    pub fn contains(&self, line: u32) -> bool {
        self.words.get(line as usize / 64).is_some_and(|word| word >> (line % 64) & 1 == 1)
    }

    /// Puts `line` in.
    pub fn insert(&mut self, line: u32) {
        let word = line as usize / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (line % 64);
    }

    /// Its lines, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        (0_u32..)
            .zip(&self.words)
            .flat_map(|(word, &bits)| (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| word * 64 + bit))
    }
}

fn select(database: &Database, condition: &Condition) -> Result<LineSet, QueryError> {
    let mut statement = database.connection().prepare(&format!("SELECT id FROM games WHERE {}", condition.sql()))?;
    let mut rows = statement.query(params_from_iter(condition.bound()))?;
    let mut set = LineSet::default();
    while let Some(row) = rows.next()? {
        set.insert(row.get(0)?);
    }
    Ok(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_what_was_put_in() {
        let mut set = LineSet::default();
        for line in [1, 63, 64, 1000, 64] {
            set.insert(line);
        }
        assert_eq!(set.iter().collect::<Vec<_>>(), [1, 63, 64, 1000]);
        assert!(set.contains(1000) && !set.contains(2) && !set.contains(5000));
    }
}
