//! Holding the columns of a line against what they follow from: its play, its notes and the line that it leaves.
//!
//! Names of openings are not among them: a table of names of one's own, or a later edition of ours, may say another.

use std::collections::HashMap;

use rusqlite::Row;

use crate::board::Color;
use crate::book::Book;
use crate::rules::{Position, PositionKey};

use super::Database;

/// The columns of a line that follow from something else in the database.
pub(super) struct Derived {
    parent: Option<u32>,
    branch_ply: Option<i64>,
    is_partly: bool,
    board: Option<i64>,
    has_ending: bool,
    ballot: Option<i64>,
    losing_ply: Option<i64>,
    /// The last ply that a note marks as the losing move.
    marked: Option<i64>,
}

impl Derived {
    /// The columns, as they are read behind others.
    pub(super) const COLUMNS: &'static str =
        "line.parent, line.branch_ply, line.status, line.board, line.ending IS NOT NULL, line.ballot,
        line.losing_ply, (SELECT ply FROM note WHERE note.line = line.id AND kind = 'mark' AND value = 'losing'
            ORDER BY rowid DESC LIMIT 1)";

    /// Reads [`Self::COLUMNS`], of which `first` is the number of the first.
    pub(super) fn read(row: &Row<'_>, first: usize) -> rusqlite::Result<Self> {
        Ok(Self {
            parent: row.get(first)?,
            branch_ply: row.get(first + 1)?,
            is_partly: row.get::<_, i64>(first + 2)? != 0,
            board: row.get(first + 3)?,
            has_ending: row.get(first + 4)?,
            ballot: row.get(first + 5)?,
            losing_ply: row.get(first + 6)?,
            marked: row.get(first + 7)?,
        })
    }

    /// What does not follow, of a line that reaches the positions of `keys`.
    pub(super) fn differences(&self, keys: &[PositionKey], book: &Book, family: &mut Family<'_>) -> Vec<String> {
        let mut found = Vec::new();
        let is_main = self.parent.is_none();
        let ballot = if is_main { book.name_by_keys(keys).1.map(i64::from) } else { None };
        if self.ballot != ballot {
            found.push(format!("{}, but its moves are those of {}", ballot_text(self.ballot), ballot_text(ballot)));
        }
        if self.losing_ply != self.marked {
            found.push("its losing move is not the one that its notes mark".to_owned());
        }
        let end = keys.last().and_then(|key| key.position()).and_then(|end| on_board(&end));
        // What follows a line that was cut short may decide nothing or anything.
        let is_right = match (is_main, self.board) {
            (false, told) => told.is_none(),
            (true, None) => end.is_none() || self.is_partly,
            (true, told) => told == end,
        };
        if !is_right || (self.has_ending && (!is_main || self.board.is_some())) {
            found.push("its final position decides something else than its row says".to_owned());
        }
        match self.parent {
            Some(parent) if !family.leaves(parent, self.branch_ply, keys.first()) => {
                found.push("it does not leave its line at the ply it is said to".to_owned());
            }
            None if self.branch_ply.is_some() => found.push("it leaves a line, but not which".to_owned()),
            _ => {}
        }
        found
    }
}

fn ballot_text(ballot: Option<i64>) -> String {
    ballot.map_or_else(|| "no ballot".to_owned(), |number| format!("ballot {number}"))
}

/// The winner that a position without moves shows: 1 Black, -1 White.
fn on_board(end: &Position) -> Option<i64> {
    (!end.has_legal_move()).then(|| if end.turn() == Color::White { 1 } else { -1 })
}

/// The positions of a game and of the variations of it that others leave.
pub(super) struct Family<'d> {
    database: &'d Database,
    keys: HashMap<u32, Vec<PositionKey>>,
}

impl<'d> Family<'d> {
    /// Nothing yet.
    pub(super) fn new(database: &'d Database) -> Self {
        Self { database, keys: HashMap::new() }
    }

    /// Forgets the game before: a line that leaves no other begins a new one.
    pub(super) fn turn_to(&mut self, line: &Derived) {
        if line.parent.is_none() {
            self.keys.clear();
        }
    }

    /// Whether `parent` has the position `start` before its ply `ply`. Nothing is told against a parent that cannot be read.
    fn leaves(&mut self, parent: u32, ply: Option<i64>, start: Option<&PositionKey>) -> bool {
        let database = self.database;
        let keys = self.keys.entry(parent).or_insert_with(|| {
            let line = database.line(parent).ok().flatten();
            line.map(|line| line.positions().map(|position| position.key()).collect()).unwrap_or_default()
        });
        let at = ply.and_then(|ply| usize::try_from(ply).ok()).and_then(|ply| ply.checked_sub(1));
        keys.is_empty() || at.is_some_and(|at| keys.get(at) == start && start.is_some())
    }
}
