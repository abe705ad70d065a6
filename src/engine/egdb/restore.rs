//! Tables filled from files again, places in which the side to move must capture included.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::engine::EngineError;

use super::board::Board;
use super::file::{Kind, Packed};
use super::layout::Layout;
use super::pack::share;
use super::runs::RunReader;
use super::table::{Table, Tables};
use super::value::{Best, Wld};

/// Fills tables of the slices of `values` and, where it is there, of `distances`, a file of the same slice; the tables of all
/// that its captures lead to are in `tables`, with distances if these are wanted.
pub(super) fn restore(
    tables: &mut Tables,
    values: &Packed,
    distances: Option<&Packed>,
    threads: usize,
    stop: &AtomicBool,
) -> Result<(), EngineError> {
    for half in 0..values.header.halves() {
        let slice = values.header.slice_of(half);
        let table = Table::new(slice, distances.is_some());
        let layout = Layout::new(slice, values.header.along[half]);
        let length = layout.row_length();
        share(values.header.chunks[half].len(), threads, stop, |chunk| {
            let rows = Kind::Values.rows_of_chunk(chunk, layout.rows(), length);
            let places = (rows.len() * length) as u64;
            let bytes = values.chunk(half, chunk)?;
            let mut runs = RunReader::new(&bytes);
            for row in rows.clone() {
                let base = (row - rows.start) * length;
                layout.row(row, |found| {
                    let value = if found.must_capture(tables.law) {
                        by_captures::<false>(tables, &found.board).0
                    } else {
                        runs.get((base + found.column) as u64)
                    };
                    table.set(found.segment, found.place, value);
                });
            }
            if runs.ends_at(places) {
                Ok(())
            } else {
                Err(values.wrong(half, format!("chunk {chunk} has other places")))
            }
        })?;
        if let Some(distances) = distances {
            let layout = Layout::new(slice, distances.header.along[half]);
            let length = layout.row_length();
            share(distances.header.chunks[half].len(), threads, stop, |chunk| {
                let rows = Kind::Distances.rows_of_chunk(chunk, layout.rows(), length);
                let bytes = distances.chunk(half, chunk)?;
                if bytes.len() != rows.len() * length {
                    return Err(distances.wrong(half, format!("chunk {chunk} has other places")));
                }
                for row in rows.clone() {
                    let base = (row - rows.start) * length;
                    layout.row(row, |found| {
                        let half_distance = if found.must_capture(tables.law) {
                            let (value, plies) = by_captures::<true>(tables, &found.board);
                            if value == Wld::Draw { 0 } else { tables.law.half_of(plies) }
                        } else if table.value(found.segment, found.place) == Wld::Draw {
                            0
                        } else {
                            bytes[base + found.column]
                        };
                        table.set_half_distance(found.segment, found.place, half_distance);
                    });
                }
                Ok(())
            })?;
        }
        tables.insert(slice, Arc::new(table));
    }
    Ok(())
}

/// The value, and the distance if `DISTANCE`, of a position in which captures are due.
fn by_captures<const DISTANCE: bool>(tables: &Tables, board: &Board) -> (Wld, u16) {
    let mut best = Best::default();
    board.captures(tables.law, &mut |after| {
        best.add(tables.after::<DISTANCE>(&after));
        DISTANCE || !best.wins()
    });
    best.value()
}
