//! The order in which moves are tried: the sooner the best one, the less there is to search.

use crate::board::Color;
use crate::rules::{FastMove, FastMoves};

use super::table::NO_MOVE;
use super::worker::MAX_PLIES;

/// The greatest value that a step's history takes.
const MAX_HISTORY_SCORE: i32 = 1 << 14;

/// What earlier visits say of quiet steps: which were best at the same ply, and which are best in general.
pub(super) struct MoveOrder {
    killers: [[Option<FastMove>; 2]; MAX_PLIES],
    history: Vec<[[i32; 32]; 32]>,
}

/// The steps of a position with the place of each in the generator's order, best guess first.
pub(super) type Ordered = smallvec::SmallVec<[(u8, FastMove); 16]>;

impl MoveOrder {
    pub(super) fn new() -> Self {
        Self { killers: [[None; 2]; MAX_PLIES], history: vec![[[0; 32]; 32]; 2] }
    }

    pub(super) fn clear(&mut self) {
        *self = Self::new();
    }

    /// Orders `steps`: `best` (from the table) first, then what takes most, then the killers, then by history.
    pub(super) fn sorted(&self, steps: &FastMoves, best: u8, turn: Color, ply: usize) -> Ordered {
        let mut ranked: smallvec::SmallVec<[(i32, u8); 16]> = steps
            .iter()
            .enumerate()
            .map(|(place, step)| {
                let place = place as u8;
                let rank = if place == best && best != NO_MOVE { i32::MAX } else { self.rank(step, turn, ply) };
                (rank, place)
            })
            .collect();
        // Equal ranks keep the generator's order, so that the search is the same everywhere.
        ranked.sort_unstable_by_key(|&(rank, place)| (std::cmp::Reverse(rank), place));
        ranked.iter().map(|&(_, place)| (place, steps[usize::from(place)])).collect()
    }

    fn rank(&self, step: &FastMove, turn: Color, ply: usize) -> i32 {
        if step.is_capture() {
            return 4 * MAX_HISTORY_SCORE + step.taken() as i32;
        }
        match self.killers[ply].iter().position(|killer| *killer == Some(*step)) {
            Some(slot) => 3 * MAX_HISTORY_SCORE - slot as i32,
            None => self.history_of(step, turn),
        }
    }

    /// What history says of a quiet step, from -16,384 to 16,384.
    pub(super) fn history_of(&self, step: &FastMove, turn: Color) -> i32 {
        let (from, to) = step.ends();
        self.history[usize::from(turn == Color::White)][from][to]
    }

    /// A quiet `step` refuted the play before it, after those of `tried` did not.
    pub(super) fn reward(&mut self, step: &FastMove, tried: &[(u8, FastMove)], turn: Color, ply: usize, depth: i32) {
        if self.killers[ply][0] != Some(*step) {
            self.killers[ply] = [Some(*step), self.killers[ply][0]];
        }
        let bonus = (depth * depth).min(400);
        self.shift(step, turn, bonus);
        for (_, other) in tried.iter().filter(|(_, other)| other != step) {
            self.shift(other, turn, -bonus);
        }
    }

    fn shift(&mut self, step: &FastMove, turn: Color, by: i32) {
        let (from, to) = step.ends();
        let value = &mut self.history[usize::from(turn == Color::White)][from][to];
        *value += by * 32 - *value * by.abs() * 32 / MAX_HISTORY_SCORE;
    }
}
