//! The tree at a position: every move played there, with what became of it.

use std::collections::BTreeMap;

use crate::board::{Color, Move, Value, Witness};
use crate::book::Book;
use crate::game::move_text;
use crate::rules::Position;
use crate::store::{Database, MoveCode, Posting};
use crate::table::{Cell, Column, Row};

use super::QueryError;
use super::counted_lines::CountedLines;
use super::position_stats::PositionStats;

/// What a position is worth to its side to move, or a move to the side that plays it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveValue {
    /// The value.
    pub value: Value,
    /// Plies to the end with best play, a move itself among them, where files of distances tell it.
    pub plies: Option<u16>,
    /// Who says so.
    pub witness: Witness,
}

/// A row of `moves`.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveRow {
    /// The move.
    pub played: Move,
    /// Its text.
    pub text: String,
    /// Games that played it here.
    pub stats: PositionStats,
    /// The side to move here.
    pub turn: Color,
    /// Games in the position it leads to.
    pub position_games: u32,
    /// The name of that position, where it has one.
    pub opening: Option<String>,
    /// What the move is worth to the side that plays it, where that is known.
    pub value: Option<MoveValue>,
}

impl Row for MoveRow {
    const COLUMNS: &'static [Column] = &[
        Column::text("move", 0),
        Column::number("games", 0),
        Column::number("black_wins", 1).headed("B").grouped("results"),
        Column::number("draws", 1).headed("=").grouped("results"),
        Column::number("white_wins", 1).headed("W").grouped("results"),
        Column::number("score", 2),
        Column::number("position_games", 4).headed("in all"),
        Column::number("arrivals", 5),
        // In an ending its value is what matters; elsewhere nothing is known and the column does not stand in the way.
        Column::text("value", 1).grouped("value"),
        Column::text("witness", 1).grouped("value"),
        Column::number("last_year", 3).headed("last"),
        Column::text("opening", 2),
        Column::number("plies_to_end", 1),
    ];

    fn values(self) -> Vec<Cell> {
        let stats = self.stats;
        vec![
            self.text.into(),
            stats.games.into(),
            stats.black_wins.into(),
            stats.draws.into(),
            stats.white_wins.into(),
            stats.score(self.turn).into(),
            self.position_games.into(),
            // Every game that played the move here stands in the position it leads to.
            self.position_games.saturating_sub(stats.games).into(),
            self.value.map(|worth| worth.value.name()).into(),
            self.value.map(|worth| worth.witness.name()).into(),
            stats.last_year.into(),
            self.opening.into(),
            self.value.and_then(|worth| worth.plies).into(),
        ]
    }
}

/// What games that stood in `position` came to; each counts once.
///
/// # Errors
/// When the database cannot be read.
pub fn position_stats(database: &Database, position: &Position) -> Result<PositionStats, QueryError> {
    stats_of(database, &database.postings(position.key())?)
}

pub(super) fn stats_of(database: &Database, postings: &[Posting]) -> Result<PositionStats, QueryError> {
    Ok(CountedLines::games(database)?.stats(postings))
}

/// Every move played in `position`, most played first, with the games in the position itself.
///
/// # Errors
/// When the database cannot be read.
pub fn moves(
    database: &Database,
    book: &Book,
    position: &Position,
) -> Result<(Vec<MoveRow>, PositionStats), QueryError> {
    moves_among(&CountedLines::games(database)?, book, position)
}

/// The same of the lines that count alone: games, results and years are all theirs.
///
/// # Errors
/// When the database cannot be read.
pub fn moves_among(
    counted: &CountedLines<'_>,
    book: &Book,
    position: &Position,
) -> Result<(Vec<MoveRow>, PositionStats), QueryError> {
    let postings = counted.database().postings(position.key())?;
    let here = counted.stats(&postings);
    let mut by_move: BTreeMap<MoveCode, PositionStats> = BTreeMap::new();
    // Postings come grouped by move, a group a segment; two segments never share a line.
    for group in postings.chunk_by(|a, b| a.code == b.code).filter(|group| group[0].code != MoveCode::END) {
        let stats = by_move.entry(group[0].code).or_default();
        for fact in group.iter().filter_map(|posting| counted.fact(posting.line)) {
            stats.add(fact.winner, fact.year);
        }
    }
    let mut rows = Vec::with_capacity(by_move.len());
    for (code, stats) in by_move {
        // Only what counts is listed: a move that books or variations alone have stands in no row.
        let Some(played) = code.find(position).filter(|_| stats.games > 0) else { continue };
        let next = position.play_unchecked(&played);
        rows.push(MoveRow {
            text: move_text(position, &played),
            played,
            stats,
            turn: position.turn(),
            position_games: counted.count_in(&next)?,
            value: None,
            opening: book.at(next.key()).map(|named| named.name.clone()),
        });
    }
    rows.sort_by(|a, b| b.stats.games.cmp(&a.stats.games).then_with(|| a.played.cmp(&b.played)));
    Ok((rows, here))
}
