//! The databases that are part of the program.

use crate::board::Variant;
use crate::engine::EngineError;

use super::file::Packed;

/// The values of two to five pieces of English draughts, made by `egdb generate --pieces 5 --bundle FILE`.
static ENGLISH: &[u8] = include_bytes!("../../../data/english_2to5.egdb");

/// The files of the program for `variant`.
pub(super) fn files(variant: Variant) -> Result<Vec<Packed>, EngineError> {
    match variant {
        Variant::English => Packed::bundle("the program's own data", ENGLISH, variant),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::engine::egdb::file::Kind;
    use crate::engine::egdb::{Options, generate};

    /// The shipped values are those that this program makes. Bytes may differ where another zstd packed them; what they unpack to
    /// may not.
    #[test]
    fn what_is_shipped_is_what_is_made() {
        let folder = tempfile::tempdir().unwrap();
        let options = Options {
            variant: Variant::English,
            pieces: 5,
            distances: false,
            folder: folder.path().to_owned(),
            threads: 2,
            memory: None,
        };
        generate(&options, &AtomicBool::new(false), &|_| {}).unwrap();
        let shipped = files(Variant::English).unwrap();
        assert_eq!(shipped.len(), crate::engine::egdb::Slice::up_to(5).len());
        for shipped in shipped {
            let slice = shipped.header.slice;
            let made = Packed::open(folder.path(), slice, Kind::Values, Variant::English).unwrap().unwrap();
            assert_eq!(made.header.counts, shipped.header.counts, "{slice}");
            assert_eq!(made.header.along, shipped.header.along, "{slice}");
            for half in 0..made.header.halves() {
                for chunk in 0..made.header.chunks[half].len() {
                    assert_eq!(made.chunk(half, chunk).unwrap(), shipped.chunk(half, chunk).unwrap(), "{slice}");
                }
            }
        }
    }
}
