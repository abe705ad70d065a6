//! Wins without files of distances: how soon the winner can force play out of a segment.
//!
//! A segment is the positions with the same men, and as many kings. A capture or the move of a man leaves it for good, so play
//! passes through a finite number of segments. Within one this counts, for the winning side, the moves that it needs to
//! *convert*: to capture or move a man and still win, to force the other side to do so, or to block it. Who always makes a
//! move with the least count comes to the end: the count falls with each move within the segment, so no position comes again.
//!
//! Steps: `prepare` looks at every position of the segment once, and asks the databases about the moves that leave it;
//! `solve_until` then goes back from there, count by count, until the position asked about is reached. It can be called again
//! for another position, and goes on where it stopped.
//!
//! Words are those of the winner as *me* (see `board`), whoever is to move.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::board::Value;
use crate::engine::EngineError;

use super::board::{EndgameBoard, Law, steps};
use super::probe::Databases;
use super::sets::{BOARD_SQUARES, KingSets, choose, rank};
use super::share::share;

/// The most places of a segment that is solved; two bytes each. Three kings against three have 24.6 million.
const MAX_SEGMENT_POSITIONS: usize = 1 << 25;
/// Places that one task of `prepare` has, about.
const TASK_POSITIONS: usize = 1 << 15;
/// A count that is not known yet.
const UNKNOWN_MOVES: u8 = 254;
/// No position, one that is not won, or one from which play only leaves the segment in ways that do not win.
const NO_CONVERSION: u8 = 255;

/// What tells segments apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Segment {
    my_men: u32,
    his_men: u32,
    my_kings: u8,
    his_kings: u8,
}

impl Segment {
    /// The segment of a board, the winner's words first.
    pub(super) const fn from_board(board: &EndgameBoard) -> Self {
        Self {
            my_men: board.my_men,
            his_men: board.his_men,
            my_kings: board.my_kings.count_ones() as u8,
            his_kings: board.his_kings.count_ones() as u8,
        }
    }

    /// How many places it has, overlapping ones too.
    pub(super) fn positions(self) -> usize {
        (choose(BOARD_SQUARES, self.my_kings) as usize).saturating_mul(choose(BOARD_SQUARES, self.his_kings) as usize)
    }

    /// Whether it is small enough to be solved.
    pub(super) fn is_solvable(self) -> bool {
        self.positions() <= MAX_SEGMENT_POSITIONS
    }
}

/// A segment and what is known of its positions so far.
pub(super) struct Conversion {
    segment: Segment,
    my_kings: &'static KingSets,
    his_kings: &'static KingSets,
    /// Counts of the positions in which the winner is to move, by place: from 1.
    mine: Vec<u8>,
    /// Counts of those in which the other side is: 0 where it has no move within the segment.
    his: Vec<u8>,
    /// The count that was last worked out, and the places that have it.
    done: u8,
    last_mine: Vec<u32>,
    last_his: Vec<u32>,
}

impl Conversion {
    /// Looks at every position of a segment that is solvable.
    pub(super) fn prepare(
        databases: &Databases,
        segment: Segment,
        threads: usize,
        stop: &AtomicBool,
    ) -> Result<Self, EngineError> {
        let (my_kings, his_kings) = (KingSets::for_kings(segment.my_kings), KingSets::for_kings(segment.his_kings));
        let (rows, row) = (my_kings.count(), his_kings.count());
        let step = (TASK_POSITIONS / row).max(1);
        let parts = share(rows.div_ceil(step), threads, stop, |task| {
            let (first, last) = (task * step, ((task + 1) * step).min(rows));
            let mut counts = (Vec::with_capacity((last - first) * row), Vec::with_capacity((last - first) * row));
            for &mine in &my_kings.sets[first..last] {
                for &his in &his_kings.sets {
                    let both = at_once(databases, segment, mine, his)?;
                    counts.0.push(both.0);
                    counts.1.push(both.1);
                }
            }
            Ok(counts)
        })?;
        let (mut mine, mut his) = (Vec::with_capacity(rows * row), Vec::with_capacity(rows * row));
        for part in parts {
            mine.extend(part.0);
            his.extend(part.1);
        }
        let places = |counts: &[u8], count: u8| -> Vec<u32> {
            (0..).zip(counts).filter(|(_, found)| **found == count).map(|(place, _)| place).collect()
        };
        let (last_mine, last_his) = (places(&mine, 1), places(&his, 0));
        Ok(Self { segment, my_kings, his_kings, mine, his, done: 0, last_mine, last_his })
    }

    /// The segment.
    pub(super) const fn segment(&self) -> Segment {
        self.segment
    }

    /// The count of `board`, where it has been worked out: the winner's moves until play leaves the segment.
    pub(super) fn count(&self, board: &EndgameBoard, is_mine: bool) -> Option<u8> {
        let counts = if is_mine { &self.mine } else { &self.his };
        counts.get(self.index(board)).copied().filter(|&count| count < UNKNOWN_MOVES)
    }

    fn index(&self, board: &EndgameBoard) -> usize {
        rank(board.my_kings) as usize * self.his_kings.count() + rank(board.his_kings) as usize
    }

    /// Works counts out until that of `board` is known, or all are.
    pub(super) fn solve_until(
        &mut self,
        board: &EndgameBoard,
        is_mine: bool,
        stop: &AtomicBool,
    ) -> Result<(), EngineError> {
        while self.count(board, is_mine).is_none() && self.done + 1 < UNKNOWN_MOVES {
            if self.last_mine.is_empty() && self.last_his.is_empty() {
                break;
            }
            if stop.load(Ordering::Relaxed) {
                return Err(EngineError::Stopped);
            }
            self.next_count();
        }
        Ok(())
    }

    /// The positions with the next count: of the winner to move, then of the other side.
    fn next_count(&mut self) {
        let (count, row) = (self.done + 1, self.his_kings.count());
        // Those that convert at once have the first count from the beginning.
        let mut next_mine = if count == 1 { std::mem::take(&mut self.last_mine) } else { Vec::new() };
        for place in std::mem::take(&mut self.last_his) {
            let (mine, his) = (place as usize / row, place as usize % row);
            for (before, _) in self.my_kings.moves(mine) {
                let before = before * row + his;
                if let Some(known) = self.mine.get_mut(before).filter(|known| **known == UNKNOWN_MOVES) {
                    *known = count;
                    next_mine.push(before as u32);
                }
            }
        }
        let mut next_his = Vec::new();
        for &place in &next_mine {
            let (mine, his) = (place as usize / row, place as usize % row);
            for (before, _) in self.his_kings.moves(his) {
                if self.his.get(mine * row + before) == Some(&UNKNOWN_MOVES) && self.all_lose(mine, before) {
                    self.his[mine * row + before] = count;
                    next_his.push((mine * row + before) as u32);
                }
            }
        }
        (self.done, self.last_mine, self.last_his) = (count, next_mine, next_his);
    }

    /// Whether every king move of the other side leads to a position whose count is known.
    fn all_lose(&self, mine: usize, his: usize) -> bool {
        let occupied = self.segment.my_men | self.segment.his_men | self.my_kings.sets[mine];
        let row = self.his_kings.count();
        let mut moves = self.his_kings.moves(his).filter(|(_, to)| occupied & 1 << to == 0);
        moves.all(|(after, _)| self.mine.get(mine * row + after).is_some_and(|&count| count < UNKNOWN_MOVES))
    }
}

/// What is known at once of the positions of these kings, with the winner to move and with the other side to move.
fn at_once(databases: &Databases, segment: Segment, my_kings: u32, his_kings: u32) -> Result<(u8, u8), EngineError> {
    let board = EndgameBoard { my_men: segment.my_men, my_kings, his_men: segment.his_men, his_kings };
    let men = segment.my_men | segment.his_men;
    if my_kings & his_kings != 0 || (my_kings | his_kings) & men != 0 {
        return Ok((NO_CONVERSION, NO_CONVERSION));
    }
    let law = databases.law();
    let mine = match leaving(databases, law, &board, LeavingQuestion::One)? {
        Leaving { fits: true, .. } => 1,
        Leaving { captures: true, .. } => NO_CONVERSION,
        _ => UNKNOWN_MOVES,
    };
    let other = board.turned();
    let occupied = other.my_men | other.my_kings | other.his_men | other.his_kings;
    let his = match leaving(databases, law, &other, LeavingQuestion::All)? {
        Leaving { fits: false, .. } => NO_CONVERSION,
        Leaving { captures: true, .. } => 0,
        _ if steps(other.my_kings) & !occupied == 0 => 0,
        _ => UNKNOWN_MOVES,
    };
    Ok((mine, his))
}

/// What is asked of the moves that leave a segment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LeavingQuestion {
    /// That one of them wins for the side that makes it.
    One,
    /// That all of them lose.
    All,
}

/// The answer.
struct Leaving {
    fits: bool,
    /// Whether captures are due, so that every move leaves the segment.
    captures: bool,
}

/// Looks at the captures of `board`, as its side to move sees it, or at the moves of its men where none is due.
fn leaving(
    databases: &Databases,
    law: Law,
    board: &EndgameBoard,
    wanted: LeavingQuestion,
) -> Result<Leaving, EngineError> {
    let (mut fits, mut unknown, mut failed) = (wanted == LeavingQuestion::All, false, None);
    let mut visit = |after: EndgameBoard| match databases.board_value(&after.turned()) {
        Ok(Some(value)) if wanted == LeavingQuestion::One => {
            fits = value == Value::Loss;
            !fits
        }
        Ok(Some(value)) => {
            fits = value == Value::Win;
            fits
        }
        // A file that is not there: nothing is known of the move.
        Ok(None) => {
            unknown = true;
            true
        }
        Err(error) => {
            failed = Some(error);
            false
        }
    };
    let captures = board.must_capture(law);
    if captures {
        board.captures(law, &mut visit);
    } else {
        board.man_moves(&mut visit);
    }
    if let Some(error) = failed {
        return Err(error);
    }
    // What is not known of single moves the value of the position may still say.
    if wanted == LeavingQuestion::All && fits && unknown {
        fits = databases.board_value(board)? == Some(Value::Loss);
    }
    Ok(Leaving { fits, captures })
}
