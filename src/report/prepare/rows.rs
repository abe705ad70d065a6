//! A dossier as tables: one per section for people, and one of all sections for programs.

use crate::board::{Bounds, Color, Value};
use crate::table::{Cell, Column, Row, Table};

use super::{ChoiceKind, Departure, Dossier, ModelGame, PlayerChoice, SideSummary, Slip};

/// Moves that are told of the play against a mistake.
const CONTINUATION_PLIES: usize = 6;

/// A part of a dossier.
#[derive(Clone, PartialEq, Debug)]
pub struct Section {
    /// Its name in the column `section`.
    pub name: &'static str,
    /// What it is called on a page.
    pub title: &'static str,
    /// Its rows.
    pub table: Table,
}

fn side_name(side: Color) -> Cell {
    side.name().into()
}

/// A row of `results`.
struct ResultRow(Color, SideSummary);

impl Row for ResultRow {
    const COLUMNS: &'static [Column] = &[
        Column::text("side", 0),
        Column::number("games", 0),
        Column::number("won", 0).grouped("results"),
        Column::number("drawn", 0).grouped("results"),
        Column::number("lost", 0).grouped("results"),
        Column::number("score", 0),
        Column::number("first_year", 1).grouped("years"),
        Column::number("last_year", 1).grouped("years"),
    ];

    fn values(self) -> Vec<Cell> {
        let Self(side, SideSummary { tally, years }) = self;
        vec![
            side_name(side),
            tally.games.into(),
            tally.won.into(),
            tally.drawn.into(),
            tally.lost.into(),
            tally.score().into(),
            years.first.into(),
            years.last.into(),
        ]
    }
}

impl Row for PlayerChoice {
    const COLUMNS: &'static [Column] = &[
        Column::text("side", 0),
        Column::text("name", 0),
        Column::number("games", 0),
        Column::number("share", 1),
        Column::number("won", 0).grouped("results"),
        Column::number("drawn", 0).grouped("results"),
        Column::number("lost", 0).grouped("results"),
        Column::number("score", 0),
    ];

    fn values(self) -> Vec<Cell> {
        vec![
            side_name(self.side),
            self.name.into(),
            self.tally.games.into(),
            self.share.into(),
            self.tally.won.into(),
            self.tally.drawn.into(),
            self.tally.lost.into(),
            self.tally.score().into(),
        ]
    }
}

impl Row for Departure {
    const COLUMNS: &'static [Column] = &[
        Column::number("game", 0),
        Column::text("date", 3),
        Column::text("side", 2),
        Column::text("opponent", 1),
        Column::number("ply", 0),
        Column::text("move", 0),
        Column::text("known_moves", 0),
        Column::number("known_lines", 5),
        Column::text("outcome", 2),
        Column::text("opening", 1),
    ];

    fn values(self) -> Vec<Cell> {
        let game = self.game;
        vec![
            game.id.into(),
            game.date.into(),
            side_name(game.side),
            game.opponent.into(),
            self.ply.into(),
            self.played.into(),
            self.known_moves.into(),
            self.known_lines.into(),
            game.outcome.map(Value::name).into(),
            game.opening.into(),
        ]
    }
}

impl Row for Slip {
    const COLUMNS: &'static [Column] = &[
        Column::number("game", 0),
        Column::text("date", 4),
        Column::text("side", 3),
        Column::text("opponent", 3),
        Column::number("ply", 0),
        Column::text("move", 0),
        Column::text("before", 2).grouped("value"),
        Column::text("after", 2).grouped("value"),
        Column::text("better", 0),
        Column::text("then", 4),
        Column::text("losing", 5),
        Column::text("witness", 1),
        Column::text("outcome", 5),
        Column::text("opening", 1),
    ];

    fn values(self) -> Vec<Cell> {
        let game = self.game;
        let first = |line: Option<String>, moves: usize| {
            line.map(|line| line.split(' ').take(moves).collect::<Vec<_>>().join(" "))
        };
        vec![
            game.id.into(),
            game.date.into(),
            side_name(game.side),
            game.opponent.into(),
            self.ply.into(),
            self.played.into(),
            self.before.map(Bounds::name).into(),
            self.after.name().into(),
            first(self.better, 1).into(),
            first(self.refutation, CONTINUATION_PLIES).into(),
            self.is_losing.into(),
            self.witness.name().into(),
            game.outcome.map(Value::name).into(),
            game.opening.into(),
        ]
    }
}

impl Row for ModelGame {
    const COLUMNS: &'static [Column] = &[
        Column::number("game", 0),
        Column::text("date", 1),
        Column::text("side", 1),
        Column::text("opponent", 0),
        Column::text("outcome", 0),
        Column::text("opening", 0),
        Column::number("plies", 2),
    ];

    fn values(self) -> Vec<Cell> {
        let game = self.game;
        vec![
            game.id.into(),
            game.date.into(),
            side_name(game.side),
            game.opponent.into(),
            game.outcome.map(Value::name).into(),
            game.opening.into(),
            self.plies.into(),
        ]
    }
}

impl Dossier {
    /// Its sections, in the order of a page.
    #[must_use]
    pub fn sections(&self) -> Vec<Section> {
        let sides = [Color::Black, Color::White].into_iter().zip(self.sides);
        let played = sides.filter(|(_, summary)| summary.tally.games > 0);
        let section = |name, title, table| Section { name, title, table };
        // What was chosen heads its column.
        let choices = |kind, heading: &'static str| {
            let mut table = Table::from_rows(self.choices.iter().filter(|choice| choice.kind == kind).cloned());
            for column in table.columns.to_mut().iter_mut().filter(|column| column.name == "name") {
                column.name = heading.into();
            }
            table
        };
        vec![
            section("results", "Results", Table::from_rows(played.map(|(side, summary)| ResultRow(side, summary)))),
            section("openings", "Openings", choices(ChoiceKind::Opening, "opening")),
            section("ballots", "Ballots", choices(ChoiceKind::Ballot, "ballot")),
            section("first_moves", "First moves", choices(ChoiceKind::FirstMoves, "moves")),
            section("left", "Left what others had played", Table::from_rows(self.departures.iter().cloned())),
            section("errors", "Went wrong", Table::from_rows(self.slips.iter().cloned())),
            section("games", "Games to play through", Table::from_rows(self.models.iter().cloned())),
        ]
    }

    /// All sections as one table: the column `section`, then every column that any of them has, in the order of their first
    /// appearance.
    #[must_use]
    pub fn table(&self) -> Table {
        let sections = self.sections();
        let mut columns = vec![Column::text("section", 0)];
        for column in sections.iter().flat_map(|section| section.table.columns.iter()) {
            if columns.iter().all(|known| known.name != column.name) {
                columns.push(column.clone());
            }
        }
        let mut rows = Vec::new();
        for Section { name, table, .. } in sections {
            for values in table.rows {
                let mut row = vec![Cell::Null; columns.len()];
                row[0] = name.into();
                for (column, value) in table.columns.iter().zip(values) {
                    if let Some(at) = columns.iter().position(|known| known.name == column.name) {
                        row[at] = value;
                    }
                }
                rows.push(row);
            }
        }
        Table { columns: columns.into(), rows }
    }

    /// How many games count.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.sides.iter().map(|side| side.tally.games).sum()
    }
}
