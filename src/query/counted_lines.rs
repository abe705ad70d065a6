//! The lines that statistics count: every game, or the lines that filters let through.

use crate::game::LineKind;
use crate::rules::Position;
use crate::store::{Database, Fact, Facts, Posting};

use super::filters::Filters;
use super::position_stats::{PositionStats, distinct_lines};
use super::{LineSet, QueryError};

/// The lines of a database that count.
pub struct CountedLines<'d> {
    database: &'d Database,
    facts: &'d Facts,
    /// The lines that count; every game where there is no set.
    lines: Option<LineSet>,
}

impl<'d> CountedLines<'d> {
    /// Every game.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn games(database: &'d Database) -> Result<Self, QueryError> {
        Ok(Self { database, facts: database.facts()?, lines: None })
    }

    /// The lines that `filters` let through: games, unless the filters ask for another kind.
    ///
    /// # Errors
    /// When a filter cannot be read or the database cannot.
    pub fn select(database: &'d Database, filters: &Filters) -> Result<Self, QueryError> {
        let mut counted = Self::games(database)?;
        if *filters != Filters::default() {
            let kind = filters.kind.or(Some(LineKind::Game));
            counted.lines = Some(LineSet::select(database, &Filters { kind, ..filters.clone() })?);
        }
        Ok(counted)
    }

    /// The database that the lines are stored in.
    #[must_use]
    pub const fn database(&self) -> &'d Database {
        self.database
    }

    /// What is known of `line`; `None` for a line that does not count.
    #[inline]
    pub(super) fn fact(&self, line: u32) -> Option<Fact> {
        match &self.lines {
            None => self.facts.get(line).filter(|fact| fact.kind == LineKind::Game),
            Some(lines) if lines.contains(line) => self.facts.get(line),
            Some(_) => None,
        }
    }

    /// The results of the lines of `postings` that count, each line once.
    pub(super) fn stats(&self, postings: &[Posting]) -> PositionStats {
        let mut stats = PositionStats::default();
        for fact in distinct_lines(postings).into_iter().filter_map(|line| self.fact(line)) {
            stats.add(fact.winner, fact.year);
        }
        stats
    }

    /// How many of the lines that count stood in `position`.
    pub(super) fn count_in(&self, position: &Position) -> Result<u32, QueryError> {
        let reached = distinct_lines(&self.database.postings(position.key())?);
        Ok(reached.into_iter().filter(|line| self.fact(*line).is_some()).count() as u32)
    }
}
