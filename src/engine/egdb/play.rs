//! The best play of positions whose value is known: every move, the best first, and a line to the end.
//!
//! The first move of a won position always leads on, whoever asks, as often as they like, and without knowing what was played
//! before: where files of distances have the position and all it leads to, it is a shortest win; elsewhere it is a move with the
//! least count of [`Conversion`]. Either number falls with every move of the winner, and a segment that play has left never
//! comes back, so no position is met twice.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use crate::board::{Move, Value};
use crate::engine::EngineError;
use crate::rules::{Position, PositionKey};

use super::board::EndgameBoard;
use super::conversion::{Conversion, Segment};
use super::probe::{Databases, Probed};
use super::slice::Slice;

/// Plies of a line of a draw: it has no end to come to.
const DRAW_LINE_PLIES: usize = 20;
/// More plies than any win takes.
const MAX_LINE_PLIES: usize = 2_000;
/// Places of the segments that are kept, in all; the greatest segment alone may have more.
const KEPT_POSITIONS: usize = 1 << 24;

/// A position whose value is known, and its play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownEnding {
    /// What it is worth.
    pub value: Probed,
    /// Every legal move, the best first; empty where the side to move has lost.
    pub moves: Vec<KnownMove>,
}

/// A move of a position whose value is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownMove {
    /// What it is worth to the side that makes it, and the plies to the end, itself counted; `None` where a file is missing.
    pub value: Option<Probed>,
    /// The move, and where a line was asked for the best play after it: to the end of the game, or of a draw until a position
    /// comes again.
    pub line: Vec<Move>,
}

/// A move and its place among others: the lowest first.
struct Ranked {
    played: Move,
    after: Position,
    value: Option<Probed>,
    rank: (u8, i32, i32),
}

/// Looks for the best play by databases. What it works out for one position serves others of the same game; the answers do not
/// depend on it.
pub struct Guide<'a> {
    databases: &'a Databases,
    threads: usize,
    solved: Vec<Conversion>,
}

impl Databases {
    /// Whether there are distances of every position that those of `slice` lead to.
    fn has_distances(&self, slice: Slice) -> bool {
        if slice.my_men + slice.my_kings == 0 || slice.his_men + slice.his_kings == 0 {
            return true;
        }
        let (mut seen, mut todo) = (BTreeSet::new(), vec![slice]);
        while let Some(slice) = todo.pop() {
            if !seen.insert(slice) {
                continue;
            }
            if !self.has_distance_file(slice) {
                return false;
            }
            todo.extend(slice.leads_to());
        }
        true
    }
}

impl<'a> Guide<'a> {
    /// A guide by these databases, which may use so many threads.
    #[must_use]
    pub const fn new(databases: &'a Databases, threads: usize) -> Self {
        Self { databases, threads, solved: Vec::new() }
    }

    /// The moves of `position`, the best first, with lines for the first `lines` of them; `None` where its value is not known.
    ///
    /// # Errors
    /// A damaged file; [`EngineError::Stopped`] when `stop` is raised.
    pub fn moves(
        &mut self,
        position: &Position,
        lines: usize,
        stop: &AtomicBool,
    ) -> Result<Option<KnownEnding>, EngineError> {
        let Some(told) = self.databases.probe(position)? else { return Ok(None) };
        let mut moves = Vec::new();
        for (at, ranked) in self.ranked(position, stop)?.into_iter().enumerate() {
            let mut line = vec![ranked.played];
            if at < lines && ranked.value.is_some() {
                self.follow(position, ranked.after, &mut line, stop)?;
            }
            moves.push(KnownMove { value: ranked.value, line });
        }
        Ok(Some(KnownEnding { value: told, moves }))
    }

    /// The moves of `position`, the best first.
    fn ranked(&mut self, position: &Position, stop: &AtomicBool) -> Result<Vec<Ranked>, EngineError> {
        let board = EndgameBoard::from_position(position);
        let value = self.databases.value(position)?;
        let counts = value.is_some_and(|value| value != Value::Draw) && !self.databases.has_distances(board.slice());
        let mut ranked = Vec::new();
        for played in position.legal_moves() {
            let after = position.play_unchecked(&played);
            let told = self.databases.probe(&after)?.map(turned);
            ranked.push(Ranked { played, after, value: told, rank: rank(told) });
        }
        if counts && let Some(value) = value {
            let winner = if value == Value::Win { board } else { board.turned() };
            if let Some(conversion) = self.conversion(&winner, value == Value::Win, stop)? {
                for one in ranked.iter_mut().filter(|one| one.value.is_some_and(|told| told.value == value)) {
                    one.rank.1 = count_after(conversion, one, value);
                    // Among moves that lead on alike a shorter win is better.
                    one.rank.2 = rank(one.value).1;
                }
            }
        }
        ranked.sort_by_key(|one| (one.rank, one.played));
        Ok(ranked)
    }

    /// The segment of the winner's `board`, solved until the count of the board is known; `None` where it is too large.
    fn conversion(
        &mut self,
        board: &EndgameBoard,
        is_mine: bool,
        stop: &AtomicBool,
    ) -> Result<Option<&Conversion>, EngineError> {
        let segment = Segment::from_board(board);
        if !segment.is_solvable() {
            return Ok(None);
        }
        let at = match self.solved.iter().position(|known| known.segment() == segment) {
            Some(at) => at,
            None => {
                if self.solved.iter().map(|known| known.segment().positions()).sum::<usize>() > KEPT_POSITIONS {
                    self.solved.clear();
                }
                self.solved.push(Conversion::prepare(self.databases, segment, self.threads, stop)?);
                self.solved.len() - 1
            }
        };
        let Some(conversion) = self.solved.get_mut(at) else { return Ok(None) };
        conversion.solve_until(board, is_mine, stop)?;
        Ok(Some(conversion))
    }

    /// Adds the best play from `at` on, the first move from `start` being made.
    fn follow(
        &mut self,
        start: &Position,
        mut at: Position,
        line: &mut Vec<Move>,
        stop: &AtomicBool,
    ) -> Result<(), EngineError> {
        let is_draw = self.databases.value(&at)? == Some(Value::Draw);
        let mut seen: BTreeSet<PositionKey> = BTreeSet::from([start.key()]);
        while line.len() < if is_draw { DRAW_LINE_PLIES } else { MAX_LINE_PLIES } && seen.insert(at.key()) {
            let Some(best) = self.ranked(&at, stop)?.into_iter().next().filter(|best| best.value.is_some()) else {
                break;
            };
            line.push(best.played);
            at = best.after;
        }
        Ok(())
    }
}

/// What a move is worth that leads to what is told.
fn turned(told: Probed) -> Probed {
    Probed { value: told.value.turned(), plies: told.plies.map(|plies| plies.saturating_add(1)) }
}

/// The place of a move by value and distance: wins first, the soonest first; losses last, the latest first.
fn rank(told: Option<Probed>) -> (u8, i32, i32) {
    let plies = |told: Probed| told.plies.map_or(0, i32::from);
    match told {
        Some(told) if told.value == Value::Win => (0, told.plies.map_or(i32::MAX, i32::from), 0),
        Some(told) if told.value == Value::Draw => (1, 0, 0),
        None => (2, 0, 0),
        Some(told) => (3, -plies(told), 0),
    }
}

/// The place of a move among those of the same value in a position that is worth `value` and not a draw, by the count of the
/// position after it.
fn count_after(conversion: &Conversion, one: &Ranked, value: Value) -> i32 {
    let after = EndgameBoard::from_position(&one.after);
    let (winner, is_mine) = if value == Value::Win { (after.turned(), false) } else { (after, true) };
    // A move that leaves the segment is the best of a winner and the worst of a loser.
    let leaves = Segment::from_board(&winner) != conversion.segment();
    let count = if leaves { Some(0) } else { conversion.count(&winner, is_mine) };
    match (one.value.map(|told| told.value), count) {
        (Some(Value::Win), Some(count)) => count.into(),
        (Some(Value::Win), None) => i32::MAX,
        (_, Some(count)) => -i32::from(count),
        (_, None) => i32::MIN,
    }
}
