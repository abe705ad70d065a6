//! The databases that are part of the program.

use crate::board::Variant;
use crate::engine::EngineError;

use super::file::Packed;

/// The values of two to five pieces of English draughts, made by `egdb generate --pieces 5 --bundle FILE`.
static ENGLISH: &[u8] = include_bytes!("../../../data/english_2to5.egdb");
/// The distances of two to four pieces, made by `egdb generate --pieces 4 --distance --bundle-distances FILE`.
static ENGLISH_DISTANCES: &[u8] = include_bytes!("../../../data/english_2to4_distances.egdb");

/// The files of the program for `variant`.
pub(super) fn files(variant: Variant) -> Result<Vec<Packed>, EngineError> {
    match variant {
        Variant::English => {
            let mut files = Packed::bundle("the program's own data", ENGLISH, variant)?;
            files.extend(Packed::bundle("the program's own distances", ENGLISH_DISTANCES, variant)?);
            Ok(files)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::engine::egdb::file::EndgameFileKind;
    use crate::engine::egdb::{GenerationOptions, Slice, generate};

    /// Holds the shipped files of `kind`, of up to `pieces` pieces, against what this program makes. Bytes may differ where another
    /// zstd packed them; what they unpack to may not.
    fn is_what_is_made(kind: EndgameFileKind, pieces: u8) {
        let folder = tempfile::tempdir().unwrap();
        let options = GenerationOptions {
            variant: Variant::English,
            pieces,
            distances: kind == EndgameFileKind::Distances,
            folder: folder.path().to_owned(),
            threads: 2,
            memory: None,
        };
        generate(&options, &AtomicBool::new(false), &|_| {}).unwrap();
        let shipped = files(Variant::English).unwrap().into_iter().filter(|file| file.header.kind == kind);
        let shipped: Vec<Packed> = shipped.collect();
        assert_eq!(shipped.len(), Slice::up_to(pieces).len());
        for shipped in shipped {
            let slice = shipped.header.slice;
            let made = Packed::open(folder.path(), slice, kind, Variant::English).unwrap().unwrap();
            assert_eq!(made.header.counts, shipped.header.counts, "{slice}");
            assert_eq!(made.header.along, shipped.header.along, "{slice}");
            for half in 0..made.header.halves() {
                for chunk in 0..made.header.chunks[half].len() {
                    assert_eq!(made.chunk(half, chunk).unwrap(), shipped.chunk(half, chunk).unwrap(), "{slice}");
                }
            }
        }
    }

    #[test]
    fn shipped_values_are_what_is_made() {
        is_what_is_made(EndgameFileKind::Values, 5);
    }

    #[test]
    fn shipped_distances_are_what_is_made() {
        is_what_is_made(EndgameFileKind::Distances, 4);
    }
}
