//! Databases checked: their digests, and their values against those of their successors.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::board::Value;
use crate::engine::EngineError;
use crate::rules::Position;

use super::board::EndgameBoard;
use super::file::{EndgameFileKind, Packed};
use super::layout::Layout;
use super::probe::Databases;
use super::share::share;
use super::slice::Slice;
use super::value::{Best, bits_of};

/// How many faults of a slice are kept.
const MAX_FAULTS: usize = 5;
/// Rows that one task takes when all positions are checked, times their length.
const TASK_POSITIONS: usize = 1 << 18;

/// A position whose stored value is not what its successors say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The position, Black to move.
    pub position: Position,
    /// The value stored and its distance.
    pub stored: (Value, Option<u16>),
    /// What follows from its successors.
    pub expected: (Value, Option<u16>),
}

/// A slice and its mirror, checked.
#[derive(Clone, Debug)]
pub struct CheckedSlice {
    /// The canonical slice.
    pub slice: Slice,
    /// How many positions were held against their successors.
    pub positions: u64,
    /// How many did not agree.
    pub wrong: u64,
    /// Some of them.
    pub faults: Vec<Fault>,
    /// Whether the counts of the header are those of the values; `None` where not all were counted.
    pub counts_agree: Option<bool>,
    /// What is damaged, if something is.
    pub damage: Option<String>,
}

/// Checks `databases`: every digest, and of each slice all positions, or so many taken at random (the same every time).
/// Calls `each` with each slice checked.
///
/// # Errors
/// [`EngineError::Stopped`] when `stop` is raised. Damage is no error here: it is what is looked for.
pub fn verify(
    databases: &Databases,
    sample: Option<u64>,
    threads: usize,
    stop: &AtomicBool,
    each: &mut dyn FnMut(&CheckedSlice),
) -> Result<Vec<CheckedSlice>, EngineError> {
    // To check everything it pays to unpack everything first; where that finds damage the slices are told one by one.
    let unpacked = match sample {
        None => databases.unpacked(databases.pieces(), threads, stop),
        Some(_) => Ok(databases.clone()),
    };
    let databases = match &unpacked {
        Ok(unpacked) => unpacked,
        Err(EngineError::Stopped) => return Err(EngineError::Stopped),
        Err(_) => databases,
    };
    let mut all = Vec::new();
    for slice in Slice::up_to(super::slice::MAX_PIECES) {
        let files: Vec<&Packed> =
            databases.files().iter().map(|file| &**file).filter(|file| file.header.slice == slice).collect();
        let Some(values) = files.iter().find(|file| file.header.kind == EndgameFileKind::Values) else { continue };
        let mut checked =
            CheckedSlice { slice, positions: 0, wrong: 0, faults: Vec::new(), counts_agree: None, damage: None };
        let outcome = files.iter().try_for_each(|file| digests(file, threads, stop)).and_then(|()| {
            let halves = 0..values.header.halves();
            halves
                .map(|half| VerifierHalf { databases, packed: values, half }.check(sample, threads, stop))
                .try_for_each(|found| {
                    let found = found?;
                    checked.positions += found.positions;
                    checked.wrong += found.wrong;
                    checked.faults.extend(found.faults);
                    checked.counts_agree = found.counts_agree.map(|so| so && checked.counts_agree.unwrap_or(true));
                    Ok(())
                })
        });
        match outcome {
            Ok(()) => {}
            Err(EngineError::Stopped) => return Err(EngineError::Stopped),
            Err(error) => checked.damage = Some(error.to_string()),
        }
        each(&checked);
        all.push(checked);
    }
    Ok(all)
}

/// Reads every chunk of a file.
fn digests(file: &Packed, threads: usize, stop: &AtomicBool) -> Result<(), EngineError> {
    for half in 0..file.header.halves() {
        share(file.header.chunks[half].len(), threads, stop, |chunk| file.chunk(half, chunk).map(drop))?;
    }
    Ok(())
}

#[derive(Default)]
struct HalfFindings {
    positions: u64,
    wrong: u64,
    faults: Vec<Fault>,
    numbers: [u64; 3],
    counts_agree: Option<bool>,
}

struct VerifierHalf<'a> {
    databases: &'a Databases,
    packed: &'a Packed,
    half: usize,
}

impl VerifierHalf<'_> {
    fn check(&self, sample: Option<u64>, threads: usize, stop: &AtomicBool) -> Result<HalfFindings, EngineError> {
        let header = &self.packed.header;
        let layout = Layout::new(header.slice_of(self.half), header.along[self.half]);
        let rows = layout.rows();
        let parts = match sample {
            None => {
                let task = (TASK_POSITIONS / layout.row_length()).max(1);
                share(rows.div_ceil(task), threads, stop, |number| {
                    let mut found = HalfFindings::default();
                    for row in number * task..((number + 1) * task).min(rows) {
                        self.row(&layout, row, None, &mut found)?;
                    }
                    Ok(found)
                })?
            }
            Some(sample) => vec![self.sample(&layout, sample, stop)?],
        };
        let mut all = HalfFindings::default();
        for part in parts {
            all.positions += part.positions;
            all.wrong += part.wrong;
            all.faults.extend(part.faults);
            (0..3).for_each(|value| all.numbers[value] += part.numbers[value]);
        }
        all.faults.truncate(MAX_FAULTS);
        if sample.is_none() {
            let counts = &header.counts[self.half];
            all.counts_agree = Some(all.numbers == [counts.draws, counts.wins, counts.losses]);
        }
        Ok(all)
    }

    /// Checks some positions: every time the same ones.
    fn sample(&self, layout: &Layout, sample: u64, stop: &AtomicBool) -> Result<HalfFindings, EngineError> {
        let mut found = HalfFindings::default();
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        let mut tries = 0;
        // Rows may be empty, and a small slice may have fewer positions than wanted.
        while found.positions < sample && tries < sample * 20 + 100 {
            if stop.load(Ordering::Relaxed) {
                return Err(EngineError::Stopped);
            }
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            tries += 1;
            let row = (random >> 11) % layout.rows() as u64;
            self.row(layout, row as usize, Some(random >> 3), &mut found)?;
        }
        Ok(found)
    }

    /// Checks the positions of a row, or one of them.
    fn row(&self, layout: &Layout, row: usize, one: Option<u64>, found: &mut HalfFindings) -> Result<(), EngineError> {
        let mut boards = Vec::new();
        layout.row(row, |place| boards.push(place.board));
        let chosen = match one {
            Some(random) if !boards.is_empty() => {
                let at = (random % boards.len() as u64) as usize;
                &boards[at..=at]
            }
            _ => &boards[..],
        };
        for board in chosen {
            let Some(stored) = self.stored_value(board)? else { continue };
            found.positions += 1;
            found.numbers[usize::from(bits_of(stored.0))] += 1;
            let Some(expected) = self.by_successors(board)? else { continue };
            let same_distance = stored.1.is_none() || expected.1.is_none() || stored.1 == expected.1;
            if stored.0 != expected.0 || !same_distance {
                found.wrong += 1;
                let position = board.position(self.databases.variant());
                if let Some(position) = position.filter(|_| found.faults.len() < MAX_FAULTS) {
                    found.faults.push(Fault { position, stored, expected });
                }
            }
        }
        Ok(())
    }

    /// What is stored of `board`.
    fn stored_value(&self, board: &EndgameBoard) -> Result<Option<(Value, Option<u16>)>, EngineError> {
        let Some(value) = self.databases.board_value(board)? else { return Ok(None) };
        let plies = if value == Value::Draw { None } else { self.databases.board_plies(board, value)? };
        Ok(Some((value, plies)))
    }

    /// What the successors of `board` make of it; `None` where one of them is not known.
    fn by_successors(&self, board: &EndgameBoard) -> Result<Option<(Value, Option<u16>)>, EngineError> {
        let law = self.databases.law();
        let (mut best, mut moves, mut distances) = (Best::default(), 0, true);
        let mut outcome = Ok(true);
        board.successors(law, &mut |next| {
            moves += 1;
            outcome = self.stored_value(&next).map(|told| {
                if let Some((value, plies)) = told {
                    distances &= value == Value::Draw || plies.is_some();
                    best.add((value, plies.unwrap_or(0)));
                }
                told.is_some()
            });
            matches!(outcome, Ok(true))
        });
        if !outcome? {
            return Ok(None);
        }
        let (value, plies) = if moves == 0 { (law.stuck, 0) } else { best.value() };
        Ok(Some((value, (distances && value != Value::Draw).then_some(plies))))
    }
}
