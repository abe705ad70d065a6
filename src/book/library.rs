//! The book itself: openings and ballots, indexed by position.

use std::sync::LazyLock;

use crate::board::Variant;
use crate::rules::{Position, PositionKey};

use super::ballot::read_ballots;
use super::hash::KeyMap;
use super::opening::{NameRow, read_names};
use super::{Ballot, BookError, Deck, NamedLine, Opening};

/// Openings and ballots of English draughts.
#[derive(Clone, Debug, Default)]
pub struct Book {
    openings: Vec<Opening>,
    ballots: Vec<Ballot>,
    /// Which opening, and which of its lines (0 = the definition), ends in a position.
    named: KeyMap<(usize, usize)>,
    /// Which ballot ends in a position.
    balloted: KeyMap<usize>,
    /// The plies of the deepest named position.
    deepest: usize,
}

impl Book {
    /// The embedded book.
    ///
    /// # Errors
    /// [`BookError`] when an embedded table is damaged, which a test rules out.
    pub fn embedded() -> Result<Self, BookError> {
        let openings = read_names("data/openings.tsv", include_str!("../../data/openings.tsv"), "")?;
        let ballots = read_ballots("data/ballots.tsv", include_str!("../../data/ballots.tsv"))?;
        let balloted = ballots.iter().enumerate().map(|(at, ballot)| (ballot.key(), at)).collect();
        Ok(Self { ballots, balloted, ..Self::default() }.with_rows(openings))
    }

    /// This book with the names of a table added; a name for a position that has one takes its place.
    ///
    /// The table is text with a header line, columns separated by tabs: `name` and `moves`, and as far as wanted `level`,
    /// `aliases`, `confidence`, `source`, `note` (`role` and `ballot` may stand there and follow from the moves). Several
    /// rows may give one name several positions; so may rows for a name that the book has already.
    /// [`Book::default`] with a table has the names of that table alone.
    ///
    /// # Errors
    /// [`BookError`] with file, line and column, when a line is no play, two rows share a position, or the table is damaged.
    pub fn with_names(self, file_name: &str, text: &str) -> Result<Self, BookError> {
        let rows = read_names(file_name, text, file_name)?;
        Ok(self.with_rows(rows))
    }

    /// This book with checked rows on top.
    fn with_rows(self, mut added: Vec<NameRow>) -> Self {
        let mut taken: KeyMap<usize> = added.iter().enumerate().map(|(at, row)| (row.line.key(), at)).collect();
        let mut rows = Vec::with_capacity(added.len());
        for Opening { name, level, aliases, definition, tabiyas } in self.openings {
            for line in std::iter::once(definition).chain(tabiyas) {
                match taken.remove(&line.key()).and_then(|at| added.get_mut(at)) {
                    // The same name for the same position: a new row of it need not repeat the aliases.
                    Some(row) if row.name == name => merge(&mut row.aliases, aliases.clone()),
                    Some(_) => {}
                    None => rows.push(NameRow { name: name.clone(), level, aliases: aliases.clone(), line }),
                }
            }
        }
        rows.append(&mut added);
        Self { ballots: self.ballots, balloted: self.balloted, ..Self::from_rows(rows) }
    }

    /// The openings of these rows, no two of which share a position; of two lines equally short the first defines.
    fn from_rows(mut rows: Vec<NameRow>) -> Self {
        rows.sort_by_key(|row| row.line.ply());
        let mut book = Self::default();
        let mut by_name = std::collections::HashMap::new();
        for row in rows {
            book.deepest = book.deepest.max(row.line.moves.len());
            let key = row.line.key();
            let at = *by_name.entry(row.name.clone()).or_insert(book.openings.len());
            if let Some(opening) = book.openings.get_mut(at) {
                merge(&mut opening.aliases, row.aliases);
                opening.tabiyas.push(row.line);
                book.named.insert(key, (at, opening.tabiyas.len()));
            } else {
                let NameRow { name, level, aliases, line } = row;
                book.openings.push(Opening { name, level, aliases, definition: line, tabiyas: Vec::new() });
                book.named.insert(key, (at, 0));
            }
        }
        book
    }

    /// The openings: those defined by the fewest plies first, otherwise in the order of their table.
    #[must_use]
    pub fn openings(&self) -> &[Opening] {
        &self.openings
    }

    /// The ballots: deck by deck, by number.
    #[must_use]
    pub fn ballots(&self) -> &[Ballot] {
        &self.ballots
    }

    /// The ballot of this number.
    #[must_use]
    pub fn ballot(&self, deck: Deck, number: u16) -> Option<&Ballot> {
        self.ballots.iter().find(|ballot| ballot.deck == deck && ballot.number == number)
    }

    /// The opening that has this position.
    #[must_use]
    pub fn at(&self, key: PositionKey) -> Option<&Opening> {
        self.line_at(key).map(|(opening, _)| opening)
    }

    /// The opening that has this position, and its line to it.
    #[must_use]
    pub fn line_at(&self, key: PositionKey) -> Option<(&Opening, &NamedLine)> {
        let &(opening, line) = self.named.get(&key)?;
        let opening = self.openings.get(opening)?;
        Some((opening, if line == 0 { &opening.definition } else { opening.tabiyas.get(line - 1)? }))
    }

    /// The ballot that has this position.
    #[must_use]
    pub fn ballot_at(&self, key: PositionKey) -> Option<&Ballot> {
        self.ballots.get(*self.balloted.get(&key)?)
    }

    /// The family of play that begins with the first of these moves.
    #[must_use]
    pub fn family(&self, moves: &[crate::board::Move]) -> Option<&Opening> {
        let first = Position::start(Variant::English).play(moves.first()?).ok()?;
        self.at(first.key())
    }

    /// Names play from the keys of its positions, that of the first position first: the opening that has the named
    /// position reached at the greatest ply, and the number of its three-move ballot.
    #[must_use]
    pub fn name_by_keys(&self, keys: &[PositionKey]) -> (Option<&Opening>, Option<u16>) {
        let named = self.last_named(keys).and_then(|at| self.at(*keys.get(at)?));
        let ballot = self.last_ballot(keys).filter(|ballot| ballot.deck == Deck::ThreeMove);
        (named, ballot.map(|ballot| ballot.number))
    }

    /// The ply of the last named position.
    pub(super) fn last_named(&self, keys: &[PositionKey]) -> Option<usize> {
        early(keys, self.deepest).iter().rposition(|key| self.named.contains_key(key))
    }

    /// The last ballot reached.
    pub(super) fn last_ballot(&self, keys: &[PositionKey]) -> Option<&Ballot> {
        const BALLOT_PLIES: usize = 3;
        early(keys, BALLOT_PLIES).iter().rev().find_map(|key| self.ballot_at(*key))
    }
}

/// The keys among which a position that lies `plies` plies from the start can stand: from the start men only advance, so
/// that it is reached after so many plies or never; play from a diagram is searched to its end.
fn early(keys: &[PositionKey], plies: usize) -> &[PositionKey] {
    static START: LazyLock<PositionKey> = LazyLock::new(|| Position::start(Variant::English).key());
    let from_start = keys.first() == Some(&*START);
    if from_start { keys.get(..=plies).unwrap_or(keys) } else { keys }
}

/// Adds the names that are not there yet.
fn merge(names: &mut Vec<String>, more: Vec<String>) {
    for name in more {
        if !names.contains(&name) {
            names.push(name);
        }
    }
}
