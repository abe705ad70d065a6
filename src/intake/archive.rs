//! Archives (`.zip`): each member with play is an input of its own, read in place and never unpacked to disk.
//!
//! Nothing is written, so names of members reach no file; they are cleaned because they are shown and stored. Members that are
//! encrypted or packed in another way than zip's own are errors of their own, and the others are read.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use zip::{CompressionMethod, ZipArchive};

use super::packed;
use super::{Input, IntakeError};

/// Most members that an archive may have.
const MOST_MEMBERS: usize = 100_000;

/// Whether a file is an archive, by its name or its first bytes.
pub(super) fn is_archive(path: &Path) -> bool {
    if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("zip")) {
        return true;
    }
    let mut head = [0; 4];
    File::open(path).is_ok_and(|mut file| file.read_exact(&mut head).is_ok()) && head == *b"PK\x03\x04"
}

fn bad(error: impl std::fmt::Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error.to_string())
}

fn open_archive(path: &Path) -> io::Result<ZipArchive<BufReader<File>>> {
    let mut archive = ZipArchive::new(BufReader::new(File::open(path)?)).map_err(bad)?;
    if archive.len() > MOST_MEMBERS {
        return Err(bad(format!("it has {} members; at most {MOST_MEMBERS} are read", archive.len())));
    }
    // Members that share their packed bytes are how a small archive unpacks to a great one.
    if archive.has_overlapping_entries().map_err(bad)? {
        return Err(bad("its members overlap, as those of a bomb do"));
    }
    Ok(archive)
}

/// The members of the archive at `path` that are play by their names (`.pdn`, `.txt`), in the order of their names.
///
/// # Errors
/// When it cannot be read or has none.
pub(super) fn members(path: &Path) -> Result<Vec<Input>, IntakeError> {
    let name = path.display().to_string();
    let mut archive = open_archive(path).map_err(|source| IntakeError::Open { name: name.clone(), source })?;
    let mut found = Vec::new();
    for index in 0..archive.len() {
        let Ok(member) = archive.by_index_raw(index) else { continue };
        let inside = member.name().map_or_else(|_| String::from_utf8_lossy(member.name_raw()).into_owned(), Into::into);
        let inside = clean(&inside);
        if !member.is_file() || !packed::is_text_name(Path::new(&inside)) {
            continue;
        }
        let input = Input {
            name: format!("{name}/{inside}"),
            path: Some(path.to_owned()),
            member: Some(index),
            size: Some(member.size()),
        };
        found.push(input);
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    if found.is_empty() { Err(IntakeError::EmptyArchive(name)) } else { Ok(found) }
}

/// The name of a member with nothing in it that leads out of the archive or moves a terminal's cursor.
fn clean(name: &str) -> String {
    let shown: String = name.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    let parts: Vec<&str> = shown.split(['/', '\\']).filter(|part| !matches!(*part, "" | "." | "..")).collect();
    parts.join("/")
}

/// The text of a member.
///
/// # Errors
/// When it cannot be read, is encrypted, or is packed in a way that is not read.
pub(super) fn open_member(path: &Path, index: usize) -> io::Result<Box<dyn Read + Send>> {
    let mut archive = open_archive(path)?;
    let member = archive.by_index_raw(index).map_err(bad)?;
    if member.encrypted() {
        return Err(bad("it is encrypted"));
    }
    let start = member.data_start().ok_or_else(|| bad("it has no place in the archive"))?;
    let (method, packed, size, crc) = (member.compression(), member.compressed_size(), member.size(), member.crc32());
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(start))?;
    let bytes = file.take(packed);
    let text: Box<dyn Read + Send> = match method {
        CompressionMethod::Stored => Box::new(bytes),
        CompressionMethod::Deflated => {
            packed::limited(bytes, |counted| Ok(Box::new(flate2::bufread::DeflateDecoder::new(counted))))?
        }
        other => return Err(bad(format!("it is packed by {other}, which is not read: unpack it yourself"))),
    };
    Ok(Box::new(Checked { text: flate2::CrcReader::new(text), size, crc }))
}

/// Tells at its end whether a member is what the archive says.
struct Checked {
    text: flate2::CrcReader<Box<dyn Read + Send>>,
    size: u64,
    crc: u32,
}

impl Read for Checked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.text.read(buffer)?;
        let crc = self.text.crc();
        // The counter of the sum wraps at 4 GiB.
        if got == 0 && !buffer.is_empty() && (crc.sum() != self.crc || crc.amount() != self.size as u32) {
            return Err(bad("it is damaged: its checksum is another"));
        }
        Ok(got)
    }
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn names_lead_nowhere_and_move_no_cursor() {
        assert_eq!(clean("../../etc/passwd.pdn"), "etc/passwd.pdn");
        assert_eq!(clean("/a/./b\\..\\c.pdn"), "a/b/c.pdn");
        assert_eq!(clean("a\u{1b}[2J.pdn"), "a?[2J.pdn");
    }
}
