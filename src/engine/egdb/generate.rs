//! Generation of files: group after group, from what is there already.
//!
//! A file takes its name only when it is whole, so a run that is stopped or killed goes on from the slices it finished. The
//! folder is locked meanwhile, so that two runs do not write one file.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use crate::board::Variant;
use crate::engine::EngineError;
use crate::files;

use super::board::Law;
use super::file::{EndgameFileKind, HalfToWrite, Packed, assemble, halves, path_of, write_whole};
use super::group;
use super::pack::{pack_distances, pack_values};
use super::restore::restore;
use super::share::share;
use super::slice::{MAX_PIECES, Slice};
use super::solve::{ValueCounts, Workspace};
use super::table::{SliceShape, SliceTable, Tables};

/// The file whose lock tells that somebody generates.
const LOCK_FILE: &str = "lock";

/// What to generate.
#[derive(Clone, Debug)]
pub struct GenerationOptions {
    /// The game.
    pub variant: Variant,
    /// Up to how many pieces: 2 to [`MAX_PIECES`].
    pub pieces: u8,
    /// Whether to tell distances too.
    pub distances: bool,
    /// The folder of the files; made if it is not there.
    pub folder: PathBuf,
    /// How many threads work.
    pub threads: usize,
    /// Bytes of memory that tables and working space may take; `None` for no bound.
    pub memory: Option<u64>,
}

/// How far a generation is.
#[derive(Clone, Copy, Debug)]
pub struct GenerationProgress {
    /// Places solved.
    pub done: u64,
    /// Places to solve in this run.
    pub total: u64,
    /// Pieces of the group at work.
    pub pieces: u8,
    /// Men among them.
    pub men: u8,
}

/// A slice with its mirror, made or found.
#[derive(Clone, Copy, Debug)]
pub struct Made {
    /// The canonical slice.
    pub slice: Slice,
    /// Counts of the slice and of its mirror.
    pub counts: [ValueCounts; 2],
    /// Bytes of its files.
    pub bytes: u64,
    /// Whether this run made it.
    pub made: bool,
}

impl Made {
    /// How many positions the two slices have together.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.counts[..halves(self.slice)].iter().map(ValueCounts::positions).sum()
    }
}

/// What a generation did.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The slices, in the order they are made.
    pub slices: Vec<Made>,
    /// Seconds spent solving, and packing and writing.
    pub seconds: [f64; 2],
}

struct Generation<'a> {
    options: &'a GenerationOptions,
    tables: Tables,
    stop: &'a AtomicBool,
    workspaces: Vec<Workspace>,
    generated: Generated,
}

/// Makes the databases that are not yet in the folder. Calls `progress` now and then, from any thread; ends early when `stop`
/// is raised.
///
/// # Errors
/// [`EngineError::Stopped`] after `stop`; damaged files that are needed, refused by the name of the slice; too little memory
/// allowed; whatever the system refuses. What is finished stays.
pub fn generate(
    options: &GenerationOptions,
    stop: &AtomicBool,
    progress: &(dyn Fn(GenerationProgress) + Sync),
) -> Result<Generated, EngineError> {
    let law = Law::for_variant(options.variant).ok_or_else(|| EngineError::Unsupported(options.variant.to_string()))?;
    if !(2..=MAX_PIECES).contains(&options.pieces) {
        return Err(EngineError::Pieces { asked: options.pieces, least: 2, most: MAX_PIECES });
    }
    files::create_folder(&options.folder).map_err(|error| EngineError::io(&options.folder, error))?;
    let _lock = lock(&options.folder)?;
    // What a killed run was writing.
    files::sweep(&options.folder);
    let mut run = Generation {
        options,
        tables: Tables::new(law),
        stop,
        workspaces: std::iter::repeat_with(Workspace::default).take(options.threads.max(1)).collect(),
        generated: Generated { slices: Vec::new(), seconds: [0.0; 2] },
    };
    let groups: Vec<(u8, u8)> = (2..=options.pieces).flat_map(|n| (0..=n).map(move |men| (n, men))).collect();
    let mut missing = Vec::new();
    for &(pieces, men) in &groups {
        let mut slices = Vec::new();
        for slice in Slice::group(pieces, men) {
            if run.files(slice)?.is_none() {
                slices.push(slice);
            }
        }
        missing.push(slices);
    }
    let total = missing.iter().flatten().map(|&slice| 2 * positions(slice)).sum();
    let done = AtomicU64::new(0);
    for (&(pieces, men), missing) in groups.iter().zip(&missing) {
        let advance = |places| {
            let done = done.fetch_add(places, Ordering::Relaxed) + places;
            progress(GenerationProgress { done, total, pieces, men });
        };
        run.group(pieces, men, missing, &advance)?;
    }
    Ok(run.generated)
}

fn positions(slice: Slice) -> u64 {
    let shape = SliceShape::for_slice(slice);
    shape.segments() as u64 * shape.positions() as u64
}

impl Generation<'_> {
    /// The files of `slice` that this run must have, if all are there.
    fn files(&self, slice: Slice) -> Result<Option<(Packed, Option<Packed>)>, EngineError> {
        let open = |kind| Packed::open(&self.options.folder, slice, kind, self.options.variant);
        let values = open(EndgameFileKind::Values)?;
        let distances = if self.options.distances { open(EndgameFileKind::Distances)? } else { None };
        Ok(match values {
            Some(values) if distances.is_some() || !self.options.distances => Some((values, distances)),
            _ => None,
        })
    }

    fn group(
        &mut self,
        pieces: u8,
        men: u8,
        missing: &[Slice],
        advance: &(dyn Fn(u64) + Sync),
    ) -> Result<(), EngineError> {
        let mut counts = Vec::new();
        if !missing.is_empty() {
            self.prepare(pieces, men, missing)?;
            let started = Instant::now();
            let distances = self.options.distances;
            counts = group::solve(&self.tables, missing, &mut self.workspaces, distances, advance, self.stop)
                .ok_or(EngineError::Stopped)?;
            self.generated.seconds[0] += started.elapsed().as_secs_f64();
            let started = Instant::now();
            let numbered: Vec<_> = missing.iter().copied().zip(counts.iter().copied()).collect();
            share(numbered.len(), self.options.threads, self.stop, |at| self.write(numbered[at].0, &numbered[at].1))?;
            self.generated.seconds[1] += started.elapsed().as_secs_f64();
        }
        for slice in Slice::group(pieces, men) {
            let Some((values, distances)) = self.files(slice)? else { continue };
            let made = missing.iter().position(|&other| other == slice);
            self.generated.slices.push(Made {
                slice,
                counts: made.map_or(values.header.counts, |at| counts[at]),
                bytes: values.header.length + distances.map_or(0, |distances| distances.header.length),
                made: made.is_some(),
            });
        }
        Ok(())
    }

    /// Sees to it that the tables of all that `missing` lead to are there, and new ones for them; takes away what nothing
    /// needs any more.
    fn prepare(&mut self, pieces: u8, men: u8, missing: &[Slice]) -> Result<(), EngineError> {
        // A group leads to the one with a man less; to restore that one, those below must be there in turn.
        let here = |men| Slice::group(pieces, men).iter().all(|&slice| self.tables.has(slice));
        let mut from = men;
        while from > 0 && !here(from - 1) {
            from -= 1;
        }
        self.check_memory(pieces, men, from, missing)?;
        for slice in Slice::up_to(pieces - 1) {
            self.restore(slice)?;
        }
        for fewer in from..men {
            for slice in Slice::group(pieces, fewer) {
                self.restore(slice)?;
            }
            self.drop_below(pieces, fewer);
        }
        self.drop_below(pieces, men);
        for &slice in missing {
            for slice in [slice, slice.mirror()] {
                self.tables.insert(slice, Arc::new(SliceTable::new(slice, self.options.distances)));
            }
        }
        Ok(())
    }

    fn restore(&mut self, slice: Slice) -> Result<(), EngineError> {
        if self.tables.has(slice) {
            return Ok(());
        }
        let (values, distances) = self.files(slice)?.ok_or_else(|| EngineError::Vanished(slice.to_string()))?;
        restore(&mut self.tables, &values, distances.as_ref(), self.options.threads, self.stop)
    }

    /// Takes the tables away that a group of the most pieces no longer needs, nor any after it.
    fn drop_below(&mut self, pieces: u8, men: u8) {
        if pieces == self.options.pieces
            && let Some(fewer) = men.checked_sub(2)
        {
            for slice in Slice::group(pieces, fewer) {
                self.tables.remove(slice);
                self.tables.remove(slice.mirror());
            }
        }
    }

    /// Holds what the group needs at its worst against the bound, before any of it is taken.
    fn check_memory(&self, pieces: u8, men: u8, from: u8, missing: &[Slice]) -> Result<(), EngineError> {
        let (Some(allowed), Some(slice)) = (self.options.memory, missing.first()) else { return Ok(()) };
        let distances = self.options.distances;
        let tables = |slices: &[Slice]| -> u64 {
            slices.iter().map(|&slice| SliceTable::size(slice, distances) * halves(slice) as u64).sum()
        };
        let group = |men| tables(&Slice::group(pieces, men));
        let below = men.checked_sub(1).map_or(0, group);
        // Where smaller groups are not needed any more, two stand side by side; else all do.
        let of_these_pieces = if pieces == self.options.pieces {
            let restored = (from..men).map(|men| group(men) + men.checked_sub(1).map_or(0, group)).max().unwrap_or(0);
            restored.max(below + tables(missing))
        } else {
            (0..men).map(group).sum::<u64>() + tables(missing)
        };
        let workspace = missing.iter().map(|&slice| Workspace::size(slice, distances)).max().unwrap_or(0);
        let needed = tables(&Slice::up_to(pieces - 1)) + of_these_pieces + workspace * self.workspaces.len() as u64;
        if needed > allowed {
            return Err(EngineError::Memory { slice: slice.to_string(), needed, allowed });
        }
        Ok(())
    }

    /// Packs and writes the files of a slice and its mirror.
    fn write(&self, slice: Slice, counts: &[ValueCounts; 2]) -> Result<(), EngineError> {
        let (folder, variant) = (&self.options.folder, self.options.variant);
        let kinds = [Some(EndgameFileKind::Values), self.options.distances.then_some(EndgameFileKind::Distances)];
        for kind in kinds.into_iter().flatten() {
            if Packed::open(folder, slice, kind, variant)?.is_some() {
                continue;
            }
            let mut packed = Vec::new();
            for half in 0..halves(slice) {
                let of = if half == 0 { slice } else { slice.mirror() };
                let pack = if kind == EndgameFileKind::Values { pack_values } else { pack_distances };
                let (along, chunks) = pack(&self.tables, of, self.options.threads, self.stop)?;
                // Values are the same bytes whether or not somebody wanted distances too.
                let counts = match kind {
                    EndgameFileKind::Values => ValueCounts { longest_win: 0, longest_loss: 0, ..counts[half] },
                    EndgameFileKind::Distances => counts[half],
                };
                packed.push(HalfToWrite { along, counts, chunks });
            }
            write_whole(&path_of(folder, slice, kind), &assemble(variant, kind, slice, &packed))?;
        }
        Ok(())
    }
}

/// Holds the lock of `folder` as long as the file is open.
fn lock(folder: &Path) -> Result<File, EngineError> {
    let path = folder.join(LOCK_FILE);
    let file = File::create(&path).map_err(|error| EngineError::io(&path, error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(EngineError::Locked(folder.display().to_string())),
        Err(TryLockError::Error(error)) => Err(EngineError::io(&path, error)),
    }
}

/// Writes the files of up to `pieces` pieces in `folder` one after the other into one file, as the program ships them: those of
/// values, or those of distances if `distances`.
///
/// # Errors
/// A missing or damaged file, or whatever the system refuses.
pub fn bundle(folder: &Path, pieces: u8, distances: bool, variant: Variant, to: &Path) -> Result<u64, EngineError> {
    let kind = if distances { EndgameFileKind::Distances } else { EndgameFileKind::Values };
    let mut bytes = Vec::new();
    for slice in Slice::up_to(pieces) {
        let packed =
            Packed::open(folder, slice, kind, variant)?.ok_or_else(|| EngineError::Vanished(slice.to_string()))?;
        bytes.extend(packed.bytes()?);
    }
    write_whole(to, &bytes)?;
    Ok(bytes.len() as u64)
}
