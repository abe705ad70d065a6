//! Tables filled from files again, with the values that files leave out because they follow from others.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::board::Value;
use crate::engine::EngineError;

use super::board::EndgameBoard;
use super::file::{EndgameFileKind, Packed};
use super::implied::implied;
use super::layout::Layout;
use super::runs::RunReader;
use super::share::share;
use super::table::{SliceTable, Tables};
use super::value::Best;

/// Work shared by threads that restore one file.
struct Restoring<'a> {
    tables: &'a Tables,
    threads: usize,
    stop: &'a AtomicBool,
}

/// Fills tables of the slices of `values` and, where it is there, of `distances`, a file of the same slice; the tables of all
/// that these lead to are in `tables`, with distances if these are wanted.
pub(super) fn restore(
    tables: &mut Tables,
    values: &Packed,
    distances: Option<&Packed>,
    threads: usize,
    stop: &AtomicBool,
) -> Result<(), EngineError> {
    let halves = 0..values.header.halves();
    for half in halves.clone() {
        let slice = values.header.slice_of(half);
        tables.insert(slice, Arc::new(SliceTable::new(slice, distances.is_some())));
    }
    let restoring = Restoring { tables, threads, stop };
    // What follows from other values follows from values of the first pass.
    halves.clone().try_for_each(|half| restoring.values(values, half, false))?;
    halves.clone().try_for_each(|half| restoring.values(values, half, true))?;
    match distances {
        Some(distances) => halves.clone().try_for_each(|half| restoring.distances(distances, half)),
        None => Ok(()),
    }
}

impl Restoring<'_> {
    /// Sets values of a half: those of positions in which the other side threatens and no capture is due if `threatened`,
    /// else all others.
    fn values(&self, file: &Packed, half: usize, threatened: bool) -> Result<(), EngineError> {
        let (tables, law) = (self.tables, self.tables.law);
        let layout = Layout::new(file.header.slice_of(half), file.header.along[half]);
        let (table, length) = (tables.get(layout.slice()), layout.row_length());
        share(file.header.chunks[half].len(), self.threads, self.stop, |chunk| {
            let rows = EndgameFileKind::Values.rows_of_chunk(chunk, layout.rows(), length);
            let bytes = file.chunk(half, chunk)?;
            let mut runs = RunReader::new(&bytes);
            for row in rows.clone() {
                let base = (row - rows.start) * length;
                layout.row(row, |found| {
                    let captures = found.must_capture(law);
                    if threatened != (!captures && found.is_threatened(law)) {
                        return;
                    }
                    let look_up = |next: &EndgameBoard| Ok::<_, Infallible>(tables.after::<false>(&next.turned()).0);
                    let value = if captures {
                        by_captures::<false>(tables, &found.board).0
                    } else {
                        let follows = if threatened { implied(law, &found.board, look_up) } else { Ok(None) };
                        match follows {
                            Ok(Some(value)) => value,
                            _ => runs.get((base + found.column) as u64),
                        }
                    };
                    table.set(found.segment, found.index, value);
                });
            }
            let whole = runs.ends_at((rows.len() * length) as u64);
            whole.then_some(()).ok_or_else(|| file.wrong(half, format!("chunk {chunk} has other places")))
        })?;
        Ok(())
    }

    /// Sets the distances of a half, all values being there.
    fn distances(&self, file: &Packed, half: usize) -> Result<(), EngineError> {
        let (tables, law) = (self.tables, self.tables.law);
        let layout = Layout::new(file.header.slice_of(half), file.header.along[half]);
        let (table, length) = (tables.get(layout.slice()), layout.row_length());
        share(file.header.chunks[half].len(), self.threads, self.stop, |chunk| {
            let rows = EndgameFileKind::Distances.rows_of_chunk(chunk, layout.rows(), length);
            let bytes = file.chunk(half, chunk)?;
            if bytes.len() != rows.len() * length {
                return Err(file.wrong(half, format!("chunk {chunk} has other places")));
            }
            for row in rows.clone() {
                let base = (row - rows.start) * length;
                layout.row(row, |found| {
                    if table.value(found.segment, found.index) == Value::Draw {
                        return;
                    }
                    let half_distance = if found.must_capture(law) {
                        law.half_of(by_captures::<true>(tables, &found.board).1)
                    } else {
                        bytes[base + found.column]
                    };
                    table.set_half_distance(found.segment, found.index, half_distance);
                });
            }
            Ok(())
        })?;
        Ok(())
    }
}

/// The value, and the distance if `DISTANCE`, of a position in which captures are due.
fn by_captures<const DISTANCE: bool>(tables: &Tables, board: &EndgameBoard) -> (Value, u16) {
    let mut best = Best::default();
    board.captures(tables.law, &mut |after| {
        best.add(tables.after::<DISTANCE>(&after));
        DISTANCE || !best.wins()
    });
    best.value()
}
