//! The moves of a position with what endgame databases prove of them.

use crate::book::Book;
use crate::engine::egdb::{Databases, Probed, Wld};
use crate::game::move_text;
use crate::rules::Position;
use crate::store::Database;

use super::QueryError;
use super::moves::{MoveRow, PositionStats, games_in};

/// Tells for each of `rows`, the moves played in `position`, what it is worth, as far as `endings` know; what they know of
/// `position` itself is given back. Where that is known, moves that nobody played come too, the best first.
///
/// `database` counts the games in the positions that those lead to.
///
/// # Errors
/// When the database or a file of the endings cannot be read.
pub fn add_proved_values(
    rows: &mut Vec<MoveRow>,
    database: Option<&Database>,
    book: &Book,
    position: &Position,
    endings: &Databases,
) -> Result<Option<Probed>, QueryError> {
    for row in rows.iter_mut() {
        row.proved = after(position.play_unchecked(&row.played), endings)?;
    }
    let here = endings.probe(position)?;
    if here.is_none() {
        return Ok(None);
    }
    for played in position.legal_moves() {
        if rows.iter().any(|row| row.played == played) {
            continue;
        }
        let next = position.play_unchecked(&played);
        let position_games = match database {
            Some(database) => games_in(database, database.facts()?, &next)?,
            None => 0,
        };
        rows.push(MoveRow {
            text: move_text(position, &played),
            played,
            stats: PositionStats::default(),
            turn: position.turn(),
            position_games,
            opening: book.at(next.key()).map(|named| named.name.clone()),
            proved: after(next, endings)?,
        });
    }
    rows.sort_by_key(|row| (std::cmp::Reverse(row.stats.games), goodness(row.proved), row.played));
    Ok(here)
}

/// What a move that leads to `next` is worth to the side that plays it.
fn after(next: Position, endings: &Databases) -> Result<Option<Probed>, QueryError> {
    let told = endings.probe(&next)?;
    Ok(told.map(|told| Probed { value: told.value.turned(), plies: told.plies.map(|plies| plies.saturating_add(1)) }))
}

/// The place of a move among others: wins first, the soonest first; losses last, the latest first.
fn goodness(proved: Option<Probed>) -> (u8, i32) {
    let plies = proved.and_then(|proved| proved.plies).map_or(0, i32::from);
    match proved.map(|proved| proved.value) {
        Some(Wld::Win) => (0, plies),
        Some(Wld::Draw) => (1, 0),
        None => (2, 0),
        Some(Wld::Loss) => (3, -plies),
    }
}
