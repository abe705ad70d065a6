//! The moves of a position with what is known of their worth: proved by endgame databases, or told by whoever values the tree.

use crate::board::{Value, Witness};
use crate::book::Book;
use crate::engine::egdb::{Databases, Probed};
use crate::game::move_text;
use crate::rules::{Position, PositionKey};
use crate::store::{Database, MoveCode};

use super::QueryError;
use super::counted_lines::CountedLines;
use super::moves::{MoveRow, MoveValue};
use super::position_stats::PositionStats;

/// Tells for each of `rows`, the moves played in `position`, what it is worth, as far as `endings` know; what they know of
/// `position` itself is given back. Where that is known, moves that nobody played come too, the best first.
///
/// `counted` counts the games in the positions that those lead to.
///
/// # Errors
/// When the database or a file of the endings cannot be read.
pub fn add_proved_values(
    rows: &mut Vec<MoveRow>,
    counted: Option<&CountedLines<'_>>,
    book: &Book,
    position: &Position,
    endings: &Databases,
) -> Result<Option<Probed>, QueryError> {
    for row in rows.iter_mut() {
        row.value = after(position.play_unchecked(&row.played), endings)?;
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
        let position_games = match counted {
            Some(counted) => counted.count_in(&next)?,
            None => 0,
        };
        rows.push(MoveRow {
            text: move_text(position, &played),
            played,
            stats: PositionStats::default(),
            turn: position.turn(),
            position_games,
            opening: book.at(next.key()).map(|named| named.name.clone()),
            value: after(next, endings)?,
        });
    }
    sort(rows);
    Ok(here)
}

/// The keys of the positions that any line went on to from `position`, books and variations too.
///
/// # Errors
/// When the database cannot be read.
pub fn next_keys(database: &Database, position: &Position) -> Result<Vec<PositionKey>, QueryError> {
    let postings = database.postings(position.key())?;
    let mut codes: Vec<MoveCode> = postings.iter().map(|posting| posting.code).collect();
    codes.sort_unstable();
    codes.dedup();
    let played = codes.into_iter().filter_map(|code| code.find(position));
    Ok(played.map(|played| position.play_unchecked(&played).key()).collect())
}

/// Tells for those of `rows`, the moves played in `position`, of which nothing is known yet, what `told` says of the positions
/// that they lead to, for the side to move there. Moves that no game played, but other lines did, come too where it says
/// something.
///
/// # Errors
/// When the database cannot be read.
pub fn add_tree_values(
    rows: &mut Vec<MoveRow>,
    counted: &CountedLines<'_>,
    book: &Book,
    position: &Position,
    told: impl Fn(PositionKey) -> Option<MoveValue>,
) -> Result<(), QueryError> {
    for played in position.legal_moves() {
        let next = position.play_unchecked(&played);
        let Some(worth) = told(next.key()) else { continue };
        let worth = Some(MoveValue { value: worth.value.turned(), ..worth });
        match rows.iter_mut().find(|row| row.played == played) {
            Some(row) => row.value = row.value.or(worth),
            None => rows.push(MoveRow {
                text: move_text(position, &played),
                played,
                stats: PositionStats::default(),
                turn: position.turn(),
                position_games: counted.count_in(&next)?,
                opening: book.at(next.key()).map(|named| named.name.clone()),
                value: worth,
            }),
        }
    }
    sort(rows);
    Ok(())
}

/// The most played first, then the best.
fn sort(rows: &mut [MoveRow]) {
    rows.sort_by_key(|row| (std::cmp::Reverse(row.stats.games), goodness(row.value), row.played));
}

/// What a move that leads to `next` is worth to the side that plays it.
fn after(next: Position, endings: &Databases) -> Result<Option<MoveValue>, QueryError> {
    let told = endings.probe(&next)?;
    Ok(told.map(|told| MoveValue {
        value: told.value.turned(),
        plies: told.plies.map(|plies| plies.saturating_add(1)),
        witness: Witness::Proved,
    }))
}

/// The place of a move among others: wins first, the soonest first; losses last, the latest first.
fn goodness(worth: Option<MoveValue>) -> (u8, i32) {
    let plies = worth.and_then(|worth| worth.plies).map_or(0, i32::from);
    match worth.map(|worth| worth.value) {
        Some(Value::Win) => (0, plies),
        Some(Value::Draw) => (1, 0),
        None => (2, 0),
        Some(Value::Loss) => (3, -plies),
    }
}
