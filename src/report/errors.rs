//! `errors`: where games were given away, by player, opening and ply.

use std::collections::BTreeMap;

use crate::board::{Color, Value, Witness};
use crate::query::{LineSet, Players};
use crate::table::{Cell, Column, Row, Table};

use crate::store::StoredSwing;

use super::line_facts;
use super::{ReportError, Request};

/// Names without one: what a line without a named opening counts for.
const UNNAMED_OPENING: &str = "no named opening";

/// A row: a player, an opening or a ply.
#[derive(Clone, Default)]
pub(super) struct ErrorRow {
    by: &'static str,
    name: String,
    lines: u32,
    counts: ErrorCounts,
}

/// Moves that changed what the position was worth.
#[derive(Clone, Copy, Default)]
struct ErrorCounts {
    won_to_drawn: u32,
    won_to_lost: u32,
    drawn_to_lost: u32,
    losing: u32,
    proved: u32,
}

impl ErrorCounts {
    const fn errors(&self) -> u32 {
        self.won_to_drawn + self.won_to_lost + self.drawn_to_lost
    }

    fn add(&mut self, swing: &StoredSwing) {
        match (swing.before.exact(), swing.after.exact()) {
            (Some(Value::Win), Some(Value::Loss)) => self.won_to_lost += 1,
            (_, Some(Value::Loss)) => self.drawn_to_lost += 1,
            _ => self.won_to_drawn += 1,
        }
        self.losing += u32::from(swing.is_losing);
        self.proved += u32::from(swing.witness == Witness::Proved);
    }
}

impl Row for ErrorRow {
    const COLUMNS: &'static [Column] = &[
        Column::text("by", 0),
        Column::text("name", 0),
        Column::number("lines", 0),
        Column::number("errors", 0),
        Column::number("won_to_drawn", 1).grouped("swings"),
        Column::number("won_to_lost", 1).grouped("swings"),
        Column::number("drawn_to_lost", 1).grouped("swings"),
        Column::number("losing", 1),
        Column::number("proved", 3),
        Column::number("errors_a_line", 2),
    ];

    fn values(self) -> Vec<Cell> {
        let errors = self.counts.errors();
        let a_line = (self.lines > 0).then(|| f64::from(errors) / f64::from(self.lines));
        vec![
            self.by.into(),
            self.name.into(),
            self.lines.into(),
            errors.into(),
            self.counts.won_to_drawn.into(),
            self.counts.won_to_lost.into(),
            self.counts.drawn_to_lost.into(),
            self.counts.losing.into(),
            self.counts.proved.into(),
            a_line.into(),
        ]
    }
}

/// Rows by player (in the spelling that comes first), by opening and by ply, within each the most errors first, plies in
/// their order. `lines` are the annotated lines that count: of the player, of the opening, or that reach the ply. An error is
/// a move that changed what the position was worth, by the stored analyses; `proved` are those of which both values are
/// proved. A player's errors are that player's own.
pub(super) fn report(request: &Request<'_>) -> Result<Table, ReportError> {
    let (database, filters) = (request.database, &request.filters);
    let names = Players::read(database)?;
    let mut players: BTreeMap<String, ErrorRow> = BTreeMap::new();
    let mut openings: BTreeMap<String, ErrorRow> = BTreeMap::new();
    let mut plies: BTreeMap<u32, ErrorRow> = BTreeMap::new();
    line_facts::each(database, &LineSet::select(database, filters)?, |line| {
        let Some(analysis) = database.analysis(line.id)? else { return Ok(()) };
        let first = line_facts::line(database, line.id)?.start.turn();
        let mut sides: Vec<(Color, String)> = Vec::new();
        for (color, name) in [(Color::Black, &line.black), (Color::White, &line.white)] {
            let name = name.as_deref().map(str::trim).filter(|name| filters.names_player(&names, color, name));
            let Some((name, key)) = name.and_then(|name| Some((name, names.key(name, filters.exact)?))) else {
                continue;
            };
            let row = players.entry(key.clone()).or_default();
            row.by = "player";
            // A line of a player against himself is one line.
            row.lines += u32::from(sides.iter().all(|(_, other)| *other != key));
            if row.name.is_empty() {
                names.name(name).clone_into(&mut row.name);
            }
            sides.push((color, key));
        }
        let name = line.opening.clone().unwrap_or_else(|| UNNAMED_OPENING.to_owned());
        let opening = openings.entry(name.clone()).or_default();
        (opening.by, opening.name, opening.lines) = ("opening", name, opening.lines + 1);
        for ply in 1..=analysis.plies {
            plies.entry(ply).or_default().lines += 1;
        }
        for swing in analysis.swings.iter().filter(|swing| swing.is_swing) {
            let add = |row: &mut ErrorRow| {
                row.counts.add(swing);
            };
            let side = if swing.ply % 2 == 1 { first } else { !first };
            for (_, key) in sides.iter().filter(|(color, _)| *color == side) {
                players.entry(key.clone()).and_modify(add);
            }
            add(opening);
            let at = plies.entry(swing.ply).or_default();
            (at.by, at.name) = ("ply", swing.ply.to_string());
            add(at);
        }
        Ok(())
    })?;
    let most_first = |rows: BTreeMap<String, ErrorRow>| {
        let mut rows: Vec<ErrorRow> = rows.into_values().filter(|row| row.counts.errors() > 0).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.counts.errors()));
        rows
    };
    let mut rows = most_first(players);
    rows.extend(most_first(openings));
    rows.extend(plies.into_values().filter(|row| row.counts.errors() > 0));
    Ok(Table::from_rows(rows))
}
