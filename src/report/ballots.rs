//! `ballots`: results by ballot, those never played too.

use crate::game::LineKind;
use crate::query::{LineSet, PositionStats, distinct_lines};
use crate::table::{Cell, Column, Row, Table};

use super::interval::for_black;
use super::{ReportError, Request};

/// A row: one ballot, in the order of the decks.
pub(super) struct BallotRow {
    number: u16,
    name: Option<String>,
    deck: &'static str,
    status: &'static str,
    moves: String,
    stats: PositionStats,
}

impl Row for BallotRow {
    const COLUMNS: &'static [Column] = &[
        Column::number("number", 0),
        Column::text("name", 1),
        Column::text("deck", 0),
        Column::text("status", 5),
        Column::number("games", 0),
        Column::number("black_wins", 0).headed("B").grouped("results"),
        Column::number("draws", 0).headed("=").grouped("results"),
        Column::number("white_wins", 0).headed("W").grouped("results"),
        Column::number("score", 0),
        Column::number("low", 3).grouped("interval"),
        Column::number("high", 3).grouped("interval"),
        Column::text("moves", 2),
        Column::number("last_year", 4).headed("last"),
    ];

    fn values(self) -> Vec<Cell> {
        let (score, low, high) = for_black(self.stats);
        vec![
            self.number.into(),
            self.name.into(),
            self.deck.into(),
            self.status.into(),
            self.stats.games.into(),
            self.stats.black_wins.into(),
            self.stats.draws.into(),
            self.stats.white_wins.into(),
            score.into(),
            low.into(),
            high.into(),
            self.moves.into(),
            self.stats.last_year.into(),
        ]
    }
}

/// A row a ballot of either deck; `score` is Black's, `low` to `high` its interval. A game counts where it stood in
/// the ballot's position, by any order of moves.
pub(super) fn report(request: &Request<'_>) -> Result<Table, ReportError> {
    let lines = LineSet::select(request.database, &request.filters)?;
    let facts = request.database.facts()?;
    let mut rows = Vec::new();
    for ballot in request.book.ballots() {
        let mut stats = PositionStats::default();
        for line in distinct_lines(&request.database.postings(ballot.key())?) {
            let fact = facts.get(line).filter(|fact| fact.kind == LineKind::Game && lines.contains(line));
            if let Some(fact) = fact {
                stats.add(fact.winner, fact.year);
            }
        }
        rows.push(BallotRow {
            number: ballot.number,
            name: ballot.names.first().cloned(),
            deck: ballot.deck.name(),
            status: ballot.status.name(),
            moves: ballot.text.clone(),
            stats,
        });
    }
    Ok(Table::from_rows(rows))
}
