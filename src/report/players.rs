//! `players`: what every player has played, and how it went.

use std::collections::BTreeMap;

use crate::board::{Color, Winner};
use crate::query::{LineSet, Players};
use crate::table::{Cell, Column, Row, Table};

use super::interval::interval;
use super::line_facts::{self, Years};
use super::{ReportError, Request};

/// A row: one player, the one with the most games first.
#[derive(Default)]
pub(super) struct PlayerRow {
    /// How often each spelling of the name occurs.
    spellings: BTreeMap<String, u32>,
    games: u32,
    as_black: u32,
    as_white: u32,
    won: u32,
    drawn: u32,
    lost: u32,
    years: Years,
    openings: BTreeMap<String, u32>,
}

/// The text that occurs most often; the first in the alphabet where several do.
fn commonest(texts: BTreeMap<String, u32>) -> Option<String> {
    texts.into_iter().min_by_key(|(_, times)| std::cmp::Reverse(*times)).map(|(text, _)| text)
}

impl PlayerRow {
    fn add(&mut self, name: &str, color: Color, line: &line_facts::LineFacts) {
        self.count(name, line);
        match color {
            Color::Black => self.as_black += 1,
            Color::White => self.as_white += 1,
        }
        match (line.winner, color) {
            (Winner::Black, Color::Black) | (Winner::White, Color::White) => self.won += 1,
            (Winner::Black, Color::White) | (Winner::White, Color::Black) => self.lost += 1,
            (Winner::Draw, _) => self.drawn += 1,
            (Winner::Unknown, _) => {}
        }
    }

    /// Counts a game of the player against himself: one game, with both colours, neither won nor lost.
    fn add_both(&mut self, name: &str, line: &line_facts::LineFacts) {
        self.count(name, line);
        self.as_black += 1;
        self.as_white += 1;
        self.drawn += u32::from(line.winner == Winner::Draw);
    }

    /// Counts what does not depend on the side.
    fn count(&mut self, name: &str, line: &line_facts::LineFacts) {
        self.games += 1;
        count(&mut self.spellings, name);
        self.years.add(line.year());
        if let Some(opening) = &line.opening {
            count(&mut self.openings, opening);
        }
    }
}

fn count(texts: &mut BTreeMap<String, u32>, text: &str) {
    match texts.get_mut(text) {
        Some(times) => *times += 1,
        None => drop(texts.insert(text.to_owned(), 1)),
    }
}

impl Row for PlayerRow {
    const COLUMNS: &'static [Column] = &[
        Column::text("player", 0),
        Column::number("games", 0),
        Column::number("as_black", 4).grouped("colours"),
        Column::number("as_white", 4).grouped("colours"),
        Column::number("won", 0).grouped("results"),
        Column::number("drawn", 0).grouped("results"),
        Column::number("lost", 0).grouped("results"),
        Column::number("score", 0),
        Column::number("low", 3).grouped("interval"),
        Column::number("high", 3).grouped("interval"),
        Column::number("first_year", 6).headed("first").grouped("years"),
        Column::number("last_year", 6).headed("last").grouped("years"),
        Column::text("opening", 1),
    ];

    fn values(self) -> Vec<Cell> {
        let known = self.won + self.drawn + self.lost;
        let score = (known > 0).then(|| (f64::from(self.won) + f64::from(self.drawn) / 2.0) / f64::from(known));
        let (low, high) = interval(self.won, self.drawn, self.lost).unzip();
        vec![
            commonest(self.spellings).into(),
            self.games.into(),
            self.as_black.into(),
            self.as_white.into(),
            self.won.into(),
            self.drawn.into(),
            self.lost.into(),
            score.into(),
            low.into(),
            high.into(),
            self.years.first.into(),
            self.years.last.into(),
            commonest(self.openings).into(),
        ]
    }
}

/// A row a player. Names that differ only in case, accents, signs and the order of their words are one player, told in the
/// spelling that occurs most often; aliases count as the name they mean, and names that name no one (`?`, `NN`) as no player;
/// initials are not spelled out. A game of a player against himself is one game, played with both colours and neither won nor
/// lost. A filter by player keeps that player's row and not the opponents'. Holds every player's openings in memory.
pub(super) fn report(request: &Request<'_>) -> Result<Table, ReportError> {
    let filters = &request.filters;
    let names = Players::read(request.database)?;
    let mut players: BTreeMap<String, PlayerRow> = BTreeMap::new();
    line_facts::each(request.database, &LineSet::select(request.database, filters)?, |line| {
        if line.is_game() {
            let sides = [(Color::Black, &line.black), (Color::White, &line.white)].map(|(color, name)| {
                let name = name.as_deref().map(str::trim).filter(|name| filters.names_player(&names, color, name))?;
                Some((color, names.name(name), names.key(name, filters.exact)?))
            });
            match sides {
                [Some((_, name, key)), Some((.., other))] if key == other => {
                    players.entry(key).or_default().add_both(name, &line);
                }
                sides => {
                    for (color, name, key) in sides.into_iter().flatten() {
                        players.entry(key).or_default().add(name, color, &line);
                    }
                }
            }
        }
        Ok(())
    })?;
    let mut rows: Vec<PlayerRow> = players.into_values().collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.games));
    Ok(Table::from_rows(rows))
}
