//! Which files a folder has, by their names alone.

use std::collections::BTreeSet;
use std::path::Path;

use super::file::EndgameFileKind;
use super::slice::{MAX_PIECES, Slice};

/// The files of as many pieces and of one kind that some folders have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FolderPart {
    /// How many pieces.
    pub pieces: u8,
    /// Whether they hold distances; else values.
    pub distances: bool,
    /// How many files there are, 1 at least.
    pub there: usize,
    /// How many there would be if none were missing.
    pub whole: usize,
}

/// What `folders` have together, the fewest pieces first; nothing of numbers of pieces of which they have no file.
#[must_use]
pub fn parts_in(folders: &[impl AsRef<Path>]) -> Vec<FolderPart> {
    let mut found: [BTreeSet<Slice>; 2] = Default::default();
    let entries = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let Some((slice, ending)) = name.to_str().and_then(|name| name.rsplit_once('.')) else { continue };
        let kind =
            [EndgameFileKind::Values, EndgameFileKind::Distances].iter().position(|kind| kind.ending() == ending);
        // Only the canonical name is that of a file.
        let slice = Slice::from_name(slice).filter(|found| found.to_string() == slice && found.is_canonical());
        if let (Some(kind), Some(slice)) = (kind.and_then(|kind| found.get_mut(kind)), slice) {
            kind.insert(slice);
        }
    }
    let mut parts = Vec::new();
    for pieces in 2..=MAX_PIECES {
        let whole: usize = (0..=pieces).map(|men| Slice::group(pieces, men).len()).sum();
        for (kind, slices) in found.iter().enumerate() {
            let there = slices.iter().filter(|slice| slice.pieces() == pieces).count();
            if there > 0 {
                parts.push(FolderPart { pieces, distances: kind == 1, there, whole });
            }
        }
    }
    parts
}
