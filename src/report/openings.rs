//! `openings`: every opening that occurs, and how its games ended.

use std::collections::BTreeMap;

use crate::board::Color;
use crate::query::{LineSet, Players, PositionStats};
use crate::table::{Cell, Column, Row, Table};

use super::line_facts::{self, Years};
use super::tally::ResultTally;
use super::{ReportError, Request};

/// A row: one opening, the most played first.
#[derive(Default)]
pub(super) struct OpeningStatistics {
    opening: String,
    stats: PositionStats,
    years: Years,
    /// Plies of the games together.
    plies: u64,
    losing_marks: u32,
    /// Lines of every kind.
    lines: u32,
    /// Games of the player that was asked for, if one was.
    player: ResultTally,
}

impl Row for OpeningStatistics {
    const COLUMNS: &'static [Column] = &[
        Column::text("opening", 0),
        Column::number("games", 0),
        Column::number("black_wins", 0).headed("B").grouped("results"),
        Column::number("draws", 0).headed("=").grouped("results"),
        Column::number("white_wins", 0).headed("W").grouped("results"),
        Column::number("score", 1),
        Column::number("first_year", 3).headed("first").grouped("years"),
        Column::number("last_year", 3).headed("last").grouped("years"),
        Column::number("average_plies", 2).headed("plies").averaged(),
        Column::number("losing_marks", 4),
        Column::number("lines", 5),
        Column::number("player_score", 1),
    ];

    fn values(self) -> Vec<Cell> {
        let stats = self.stats;
        vec![
            self.opening.into(),
            stats.games.into(),
            stats.black_wins.into(),
            stats.draws.into(),
            stats.white_wins.into(),
            stats.score(Color::Black).into(),
            self.years.first.into(),
            self.years.last.into(),
            (stats.games > 0).then(|| self.plies as f64 / f64::from(stats.games)).into(),
            self.losing_marks.into(),
            self.lines.into(),
            self.player.score().into(),
        ]
    }
}

/// A row an opening; `score` is Black's. Results, years and plies are of games; `losing_marks` counts the lines of
/// any kind that have a losing move marked, `lines` all of them, variations under their own names. `player_score` is that
/// of the player that the filters ask for, whichever colours those games were played with.
pub(super) fn report(request: &Request<'_>) -> Result<Table, ReportError> {
    let players = Players::read(request.database)?;
    let mut openings: BTreeMap<String, OpeningStatistics> = BTreeMap::new();
    line_facts::each(request.database, &LineSet::select(request.database, &request.filters)?, |line| {
        let year = line.year();
        let Some(name) = &line.opening else { return Ok(()) };
        if !openings.contains_key(name) {
            openings.insert(name.clone(), OpeningStatistics { opening: name.clone(), ..OpeningStatistics::default() });
        }
        let Some(row) = openings.get_mut(name) else { return Ok(()) };
        row.lines += 1;
        row.losing_marks += u32::from(line.losing_ply.is_some());
        if line.is_game() {
            row.stats.add(line.winner, year);
            row.years.add(year);
            row.plies += u64::from(line.plies);
            row.player.add_sides(&line, &request.filters, &players);
        }
        Ok(())
    })?;
    let mut rows: Vec<OpeningStatistics> = openings.into_values().collect();
    rows.sort_by_key(|row| std::cmp::Reverse((row.stats.games, row.lines)));
    Ok(Table::from_rows(rows))
}
