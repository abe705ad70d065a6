//! Values looked up.
//!
//! A value that follows from others (see `implied`) is worked out, every other one is read. So a look-up is right for every
//! position of a slice that is there with all it leads to.

use std::fmt;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use crate::board::{Value, Variant};
use crate::engine::EngineError;
use crate::rules::{FastPosition, Position};

use super::board::{EndgameBoard, Law};
use super::embedded;
use super::file::{EndgameFileKind, Packed};
use super::implied::implied;
use super::layout::{Along, find, rows_of};
use super::restore::restore;
use super::runs::Runs;
use super::slice::{MAX_PIECES, Slice};
use super::solve::ValueCounts;
use super::table::{SliceShape, Tables};
use super::value::Best;

/// What a database tells of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Probed {
    /// The value for the side to move.
    pub value: Value,
    /// Plies to the end with best play, where files of distances tell it: the winner hurries, the loser delays. `None` for a
    /// draw.
    pub plies: Option<u16>,
}

/// One half of a file, its chunks unpacked when they are first asked for.
struct LazyHalf<T> {
    packed: Arc<Packed>,
    half: usize,
    shape: SliceShape,
    along: Along,
    row_length: usize,
    /// The binary logarithm of the rows a chunk.
    chunk_shift: u32,
    chunks: Box<[OnceLock<T>]>,
}

/// Databases ready to be asked: cheap to clone, shared by threads.
#[derive(Clone)]
pub struct Databases(Arc<Inner>);

struct Inner {
    variant: Variant,
    law: Law,
    values: Vec<Option<LazyHalf<Runs>>>,
    distances: Vec<Option<LazyHalf<Box<[u8]>>>>,
    files: Vec<Arc<Packed>>,
    /// Up to how many pieces every slice is there.
    pieces: u8,
    /// Everything unpacked, where somebody wanted that.
    tables: Option<Tables>,
}

/// What is known of a slice and its mirror without looking values up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SliceInfo {
    /// The canonical slice.
    pub slice: Slice,
    /// Counts of the slice and of its mirror.
    pub counts: [ValueCounts; 2],
    /// Bytes of the values.
    pub bytes: u64,
    /// Bytes of the distances, where these are there.
    pub distance_bytes: Option<u64>,
}

impl Databases {
    /// The databases that are part of the program.
    ///
    /// # Errors
    /// There are none for `variant`.
    pub fn embedded(variant: Variant) -> Result<Self, EngineError> {
        Self::of_files(variant, embedded::files(variant)?)
    }

    /// The databases in `folders`, and no others; the first folder that has a file counts.
    ///
    /// # Errors
    /// A file that is damaged, foreign, of another game or too new is refused by the name of its slice.
    pub fn open(folders: &[impl AsRef<Path>], variant: Variant) -> Result<Self, EngineError> {
        Self::of_files(variant, in_folders(folders, variant)?)
    }

    /// The databases of the program, and of `folders` what the program does not have: more pieces, more distances.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn embedded_and(folders: &[impl AsRef<Path>], variant: Variant) -> Result<Self, EngineError> {
        let mut files = embedded::files(variant)?;
        files.extend(in_folders(folders, variant)?);
        Self::of_files(variant, files)
    }

    fn of_files(variant: Variant, files: Vec<Packed>) -> Result<Self, EngineError> {
        let law = Law::for_variant(variant).ok_or_else(|| EngineError::Unsupported(variant.to_string()))?;
        let mut inner = Inner {
            variant,
            law,
            values: std::iter::repeat_with(|| None).take(Slice::SLICE_INDEXES).collect(),
            distances: std::iter::repeat_with(|| None).take(Slice::SLICE_INDEXES).collect(),
            files: Vec::new(),
            pieces: 0,
            tables: None,
        };
        for packed in files {
            let packed = Arc::new(packed);
            let (slice, kind) = (packed.header.slice, packed.header.kind);
            let there = match kind {
                EndgameFileKind::Values => inner.values[slice.index()].is_some(),
                EndgameFileKind::Distances => inner.distances[slice.index()].is_some(),
            };
            if there {
                continue;
            }
            for half in 0..packed.header.halves() {
                let place = packed.header.slice_of(half).index();
                match kind {
                    EndgameFileKind::Values => inner.values[place] = Some(LazyHalf::new(&packed, half)),
                    EndgameFileKind::Distances => inner.distances[place] = Some(LazyHalf::new(&packed, half)),
                }
            }
            inner.files.push(packed);
        }
        let whole = |&pieces: &u8| {
            (0..=pieces).flat_map(|men| Slice::group(pieces, men)).all(|slice| inner.values[slice.index()].is_some())
        };
        inner.pieces = (2..=MAX_PIECES).take_while(whole).last().unwrap_or(0);
        Ok(Self(Arc::new(inner)))
    }

    /// The same with every value of up to `pieces` pieces unpacked in memory, two bits each, so that a look-up is one access.
    ///
    /// # Errors
    /// Damaged files; [`EngineError::Stopped`] when `stop` is raised.
    pub fn unpacked(&self, pieces: u8, threads: usize, stop: &AtomicBool) -> Result<Self, EngineError> {
        let tables = self.tables(pieces.min(self.pieces()), threads, stop)?;
        let mut copy = Self::of_files(self.0.variant, self.0.files.iter().map(|file| (**file).clone()).collect())?;
        if let Some(inner) = Arc::get_mut(&mut copy.0) {
            inner.tables = Some(tables);
        }
        Ok(copy)
    }

    /// The tables of all slices of up to `pieces` pieces, with distances where there are files of them.
    pub(super) fn tables(&self, pieces: u8, threads: usize, stop: &AtomicBool) -> Result<Tables, EngineError> {
        let mut tables = Tables::new(self.0.law);
        for slice in Slice::up_to(pieces) {
            if let Some(values) = &self.0.values[slice.index()] {
                restore(&mut tables, &values.packed, None, threads, stop)?;
            }
        }
        Ok(tables)
    }

    /// The game they are for.
    #[must_use]
    pub fn variant(&self) -> Variant {
        self.0.variant
    }

    /// Up to how many pieces every position has its value here; 0 if that holds for no number.
    #[must_use]
    pub fn pieces(&self) -> u8 {
        self.0.pieces
    }

    /// What is known of each slice, in the order they are made.
    #[must_use]
    pub fn slices(&self) -> Vec<SliceInfo> {
        let distances = |slice: Slice| self.0.distances[slice.index()].as_ref().map(|half| &half.packed.header);
        Slice::up_to(MAX_PIECES)
            .into_iter()
            .filter_map(|slice| {
                let header = &self.0.values[slice.index()].as_ref()?.packed.header;
                let told = distances(slice);
                Some(SliceInfo {
                    slice,
                    counts: told.map_or(header.counts, |told| told.counts),
                    bytes: header.length,
                    distance_bytes: told.map(|told| told.length),
                })
            })
            .collect()
    }

    /// Whether there are distances of `slice`.
    pub(super) fn has_distance_file(&self, slice: Slice) -> bool {
        self.0.distances[slice.index()].is_some()
    }

    pub(super) fn files(&self) -> &[Arc<Packed>] {
        &self.0.files
    }

    pub(super) fn law(&self) -> Law {
        self.0.law
    }

    /// The value of `position` for the side to move; `None` if it has more pieces than are covered, or is of another game.
    ///
    /// # Errors
    /// A damaged file, found out when its part is first read.
    pub fn value(&self, position: &Position) -> Result<Option<Value>, EngineError> {
        if position.variant() != self.0.variant {
            return Ok(None);
        }
        self.board_value(&EndgameBoard::from_position(position))
    }

    /// The same for a position of English draughts as searches hold it.
    ///
    /// # Errors
    /// As [`Self::value`].
    pub fn fast_value(&self, position: &FastPosition) -> Result<Option<Value>, EngineError> {
        if self.0.variant != Variant::English {
            return Ok(None);
        }
        self.board_value(&EndgameBoard::of_fast(position))
    }

    /// The value of `position`, and the plies to the end where they are known.
    ///
    /// # Errors
    /// As [`Self::value`].
    pub fn probe(&self, position: &Position) -> Result<Option<Probed>, EngineError> {
        if position.variant() != self.0.variant {
            return Ok(None);
        }
        let board = EndgameBoard::from_position(position);
        let Some(value) = self.board_value(&board)? else { return Ok(None) };
        let plies = if value == Value::Draw { None } else { self.board_plies(&board, value)? };
        Ok(Some(Probed { value, plies }))
    }

    pub(super) fn board_value(&self, board: &EndgameBoard) -> Result<Option<Value>, EngineError> {
        if let Some(told) = self.one_sided(board) {
            return Ok(Some(told.0));
        }
        if let Some(tables) = &self.0.tables
            && board.pieces() <= self.0.pieces.into()
            && tables.has(board.slice())
        {
            let table = tables.get(board.slice());
            let (segment, place) = table.shape.locate(board);
            return Ok(Some(table.value(segment, place)));
        }
        if board.pieces() > MAX_PIECES.into() {
            return Ok(None);
        }
        let Some(half) = &self.0.values[board.slice().index()] else { return Ok(None) };
        if board.must_capture(self.0.law) {
            return self.by_captures(board);
        }
        if board.is_threatened(self.0.law) {
            let look_up = |next: &EndgameBoard| match self.board_value(next) {
                Ok(value) => value.ok_or(None),
                Err(error) => Err(Some(error)),
            };
            match implied(self.0.law, board, look_up) {
                Ok(None) => {}
                Ok(told) => return Ok(told),
                // A position of a slice that is not here.
                Err(None) => return Ok(None),
                Err(Some(error)) => return Err(error),
            }
        }
        let (row, column) = find(&half.shape, half.along, board);
        let runs = half.chunk(row, Runs::new)?;
        Ok(Some(runs.get((half.row_in_chunk(row) * half.row_length + column) as u64)))
    }

    /// The value of a position in which captures are due.
    fn by_captures(&self, board: &EndgameBoard) -> Result<Option<Value>, EngineError> {
        let (mut best, mut unknown, mut failed) = (Best::default(), false, None);
        board.captures(self.0.law, &mut |after| match self.board_value(&after.turned()) {
            Ok(Some(value)) => {
                best.add((value, 0));
                !best.wins()
            }
            Ok(None) => {
                unknown = true;
                true
            }
            Err(error) => {
                failed = Some(error);
                false
            }
        });
        match failed {
            Some(error) => Err(error),
            None if unknown && !best.wins() => Ok(None),
            None => Ok(Some(best.value().0)),
        }
    }

    /// The plies to the end of `board`, which is worth `value` and no draw.
    pub(super) fn board_plies(&self, board: &EndgameBoard, value: Value) -> Result<Option<u16>, EngineError> {
        if let Some(told) = self.one_sided(board) {
            return Ok(Some(told.1));
        }
        let Some(half) = &self.0.distances[board.slice().index()] else { return Ok(None) };
        if !board.must_capture(self.0.law) {
            let (row, column) = find(&half.shape, half.along, board);
            let bytes = half.chunk(row, |bytes, places| (bytes.len() as u64 == places).then(|| bytes.into()))?;
            let stored = bytes.get(half.row_in_chunk(row) * half.row_length + column);
            return Ok(stored.map(|&half| self.0.law.plies(value, half)));
        }
        let (mut best, mut outcome) = (Best::default(), Ok(true));
        board.captures(self.0.law, &mut |after| {
            outcome = self.add_if_as_good(&mut best, value, &after.turned());
            matches!(outcome, Ok(true))
        });
        Ok(outcome?.then_some(best.value().1))
    }

    /// Adds to `best` a move to `next`, a position as the other side sees it, if it is worth `value` to the side that moved.
    /// False where the value or the distance is not known.
    fn add_if_as_good(&self, best: &mut Best, value: Value, next: &EndgameBoard) -> Result<bool, EngineError> {
        let Some(next_value) = self.board_value(next)? else { return Ok(false) };
        if next_value.turned() == value {
            let Some(plies) = self.board_plies(next, next_value)? else { return Ok(false) };
            best.add((next_value, plies));
        }
        Ok(true)
    }

    /// The value and the distance where a side has no piece left.
    fn one_sided(&self, board: &EndgameBoard) -> Option<(Value, u16)> {
        let law = self.0.law;
        if board.my_men | board.my_kings == 0 {
            Some((law.stuck, 0))
        } else if board.his_men | board.his_kings == 0 {
            // I move, which I can, and the other side cannot.
            Some((law.stuck.turned(), 1))
        } else {
            None
        }
    }
}

impl<T> LazyHalf<T> {
    fn new(packed: &Arc<Packed>, half: usize) -> Self {
        let (header, shape) = (&packed.header, SliceShape::for_slice(packed.header.slice_of(half)));
        let along = header.along[half];
        let row_length = rows_of(&shape, along).1;
        let chunks = header.chunks[half].iter().map(|_| OnceLock::new()).collect();
        let chunk_shift = header.kind.chunk_rows(row_length).ilog2();
        Self { packed: Arc::clone(packed), half, shape, along, row_length, chunk_shift, chunks }
    }

    #[inline]
    const fn row_in_chunk(&self, row: usize) -> usize {
        row & ((1 << self.chunk_shift) - 1)
    }

    /// The chunk that `row` is in, made by `unpack` from its bytes and the number of its places at the first call.
    #[inline]
    fn chunk(&self, row: usize, unpack: impl Fn(Vec<u8>, u64) -> Option<T>) -> Result<&T, EngineError> {
        let number = row >> self.chunk_shift;
        match self.chunks.get(number).and_then(OnceLock::get) {
            Some(chunk) => Ok(chunk),
            None => self.load(number, unpack),
        }
    }

    #[cold]
    fn load(&self, number: usize, unpack: impl Fn(Vec<u8>, u64) -> Option<T>) -> Result<&T, EngineError> {
        let wrong = || self.packed.wrong(self.half, format!("chunk {number} has other places"));
        let slot = self.chunks.get(number).ok_or_else(wrong)?;
        let (rows, _) = rows_of(&self.shape, self.along);
        let first = number << self.chunk_shift;
        let places = (rows.saturating_sub(first).min(1 << self.chunk_shift) * self.row_length) as u64;
        let chunk = unpack(self.packed.chunk(self.half, number)?, places).ok_or_else(wrong)?;
        // Another thread may have been quicker; its chunk is the same.
        Ok(slot.get_or_init(|| chunk))
    }
}

impl fmt::Debug for Databases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Databases").field("variant", &self.0.variant).field("pieces", &self.0.pieces).finish()
    }
}

/// The files of databases in folders, in the order of the folders.
fn in_folders(folders: &[impl AsRef<Path>], variant: Variant) -> Result<Vec<Packed>, EngineError> {
    let mut files = Vec::new();
    for folder in folders.iter().map(AsRef::as_ref) {
        std::fs::read_dir(folder).map_err(|error| EngineError::io(folder, error))?;
        for slice in Slice::up_to(MAX_PIECES) {
            for kind in [EndgameFileKind::Values, EndgameFileKind::Distances] {
                files.extend(Packed::open(folder, slice, kind, variant)?);
            }
        }
    }
    Ok(files)
}
