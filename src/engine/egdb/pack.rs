//! Finished tables packed for files, by chunks that threads share.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use crate::board::Value;
use crate::engine::EngineError;

use super::board::EndgameBoard;
use super::file::EndgameFileKind;
use super::implied::is_implied;
use super::layout::{Along, Layout};
use super::runs::RunWriter;
use super::share::share;
use super::slice::Slice;
use super::table::Tables;

/// The level of zstd for values: there is little of them, they are packed once and unpacked often.
const VALUES_ZSTD_LEVEL: i32 = 19;
/// The level of zstd for distances of so many pieces: high where there is little of them, as what the program ships is.
const fn distances_level(pieces: u8) -> i32 {
    if pieces <= 4 { 19 } else { 6 }
}
/// The level at which the two orders of a half are compared.
const TRIAL_ZSTD_LEVEL: i32 = 3;
/// Places of a part of a half at which the two orders are compared.
const TRIAL_POSITIONS: usize = 1 << 17;
/// In a half of many such parts every so many-th is looked at.
const TRIAL_ROW_STEP: usize = 5;

/// A half packed: whose kings run along its rows, and its chunks with their unpacked lengths.
pub(super) type PackedHalf = (Along, Vec<(Vec<u8>, usize)>);

/// A chunk packed, with its unpacked length.
fn compress(slice: Slice, bytes: &[u8], level: i32) -> Result<(Vec<u8>, usize), EngineError> {
    let packed = zstd::bulk::compress(bytes, level)
        .map_err(|error| EngineError::io(std::path::Path::new(&slice.to_string()), error))?;
    Ok((packed, bytes.len()))
}

/// Packs the distances that `tables` have of `slice`.
pub(super) fn pack_distances(
    tables: &Tables,
    slice: Slice,
    threads: usize,
    stop: &AtomicBool,
) -> Result<PackedHalf, EngineError> {
    let layout = Layout::new(slice, Along::His);
    let chunks =
        share(EndgameFileKind::Distances.chunks(layout.rows(), layout.row_length()), threads, stop, |chunk| {
            compress(slice, &distances(tables, slice, &layout, chunk), distances_level(slice.pieces()))
        })?;
    Ok((Along::His, chunks))
}

/// Packs the values that `tables` have of `slice`.
pub(super) fn pack_values(
    tables: &Tables,
    slice: Slice,
    threads: usize,
    stop: &AtomicBool,
) -> Result<PackedHalf, EngineError> {
    let trial = |along| trial(tables, &Layout::new(slice, along), threads, stop);
    let along = if trial(Along::Mine)? < trial(Along::His)? { Along::Mine } else { Along::His };
    let layout = Layout::new(slice, along);
    let chunks = share(EndgameFileKind::Values.chunks(layout.rows(), layout.row_length()), threads, stop, |chunk| {
        let rows = EndgameFileKind::Values.rows_of_chunk(chunk, layout.rows(), layout.row_length());
        compress(slice, &runs(tables, &layout, rows, true), VALUES_ZSTD_LEVEL)
    })?;
    Ok((along, chunks))
}

/// How much a sample of rows packs to, roughly.
fn trial(tables: &Tables, layout: &Layout, threads: usize, stop: &AtomicBool) -> Result<usize, EngineError> {
    let rows = (TRIAL_POSITIONS / layout.row_length()).max(1);
    let parts = layout.rows().div_ceil(rows);
    let step = if parts > 2 * TRIAL_ROW_STEP { TRIAL_ROW_STEP } else { 1 };
    let sizes = share(parts.div_ceil(step), threads, stop, |at| {
        let first = at * step * rows;
        let runs = runs(tables, layout, first..(first + rows).min(layout.rows()), false);
        Ok(compress(layout.slice(), &runs, TRIAL_ZSTD_LEVEL)?.0.len())
    })?;
    Ok(sizes.iter().sum())
}

/// The runs of some rows. Values that follow from others are left out; unless `thorough`, only those of captures.
fn runs(tables: &Tables, layout: &Layout, rows: Range<usize>, thorough: bool) -> Vec<u8> {
    let (law, table) = (tables.law, tables.get(layout.slice()));
    let look_up = |after: &EndgameBoard| tables.after::<false>(after).0;
    let mut writer = RunWriter::default();
    for row in rows.clone() {
        let base = (row - rows.start) * layout.row_length();
        layout.row(row, |found| {
            if found.must_capture(law) {
                return;
            }
            let value = table.value(found.segment, found.index);
            if !thorough || !found.is_threatened(law) || !is_implied(law, &found.board, value, look_up) {
                writer.put((base + found.column) as u64, value);
            }
        });
    }
    writer.finish((rows.len() * layout.row_length()) as u64)
}

/// The half distances of a chunk, a byte each; what tells nothing repeats the byte before.
fn distances(tables: &Tables, slice: Slice, layout: &Layout, chunk: usize) -> Vec<u8> {
    let table = tables.get(slice);
    let rows = EndgameFileKind::Distances.rows_of_chunk(chunk, layout.rows(), layout.row_length());
    let mut bytes = Vec::with_capacity(rows.len() * layout.row_length());
    let mut last = 0;
    for row in rows.clone() {
        let base = (row - rows.start) * layout.row_length();
        layout.row(row, |found| {
            let told = table.value(found.segment, found.index) != Value::Draw && !found.must_capture(tables.law);
            if told {
                bytes.resize(base + found.column, last);
                last = table.half_distance(found.segment, found.index);
                bytes.push(last);
            }
        });
    }
    bytes.resize(rows.len() * layout.row_length(), last);
    bytes
}
