//! Opening a text: a file, a member of an archive, standard input or a pipe, unpacked where it is packed.

use std::fs::File;
use std::io::{self, Read};
use std::sync::atomic::AtomicBool;

use super::input::{Input, InputPart};
use super::packed;
use super::stdin::Patient;

/// The text of `input`, unpacked.
pub(super) fn open<'r>(input: &Input, stop: &'r AtomicBool) -> io::Result<Box<dyn Read + Send + 'r>> {
    match (&input.path, &input.part) {
        (_, InputPart::Unreadable(why)) => Err(io::Error::new(io::ErrorKind::InvalidData, why.clone())),
        (None, _) => packed::open(Patient::stdin(stop)),
        (Some(path), InputPart::Member(member)) => member.open(path),
        (Some(path), InputPart::Whole) if path.is_file() => File::open(path).and_then(packed::open),
        (Some(path), InputPart::Whole) => packed::open(Patient::special(path.clone(), stop)),
    }
}
