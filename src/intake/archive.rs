//! Archives (`.zip`): each member with play is an input of its own, read in place and never unpacked to disk.
//!
//! Nothing is written, so names of members reach no file; they are cleaned because they are shown and stored. Members that are
//! encrypted or packed in another way than zip's own are errors of their own, and the others are read.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use zip::read::ZipFile;
use zip::{CompressionMethod, ZipArchive};

use super::input::{Input, InputPart, Member};
use super::packed::{self, PackedBytes, UnpackedReader};

/// Most members that an archive may have.
const MAX_MEMBERS: usize = 100_000;

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
    let archive = ZipArchive::new(BufReader::new(File::open(path)?)).map_err(bad)?;
    if archive.len() > MAX_MEMBERS {
        return Err(bad(format!("it has {} members; at most {MAX_MEMBERS} are read", archive.len())));
    }
    Ok(archive)
}

/// The members of the archive at `path` that are play by their names (`.pdn`, `.txt`), in the order of their names; where
/// it cannot be read, one input that says so.
pub(super) fn members(path: &Path) -> Vec<Input> {
    let name = path.display().to_string();
    let input = |name, part, size| Input { name, path: Some(path.to_owned()), part, size };
    let mut archive = match open_archive(path) {
        Ok(archive) => archive,
        Err(error) => return vec![input(name, InputPart::Unreadable(error.to_string()), None)],
    };
    let mut found = Vec::new();
    for index in 0..archive.len() {
        let named = archive.name_for_index(index).and_then(Result::ok).map(|name| clean(&name));
        let member = archive.by_index_raw(index);
        let raw = || member.as_ref().ok().map(|member| clean(&String::from_utf8_lossy(member.name_raw())));
        let inside = named.or_else(raw).unwrap_or_else(|| format!("member {}.txt", index + 1));
        if !packed::is_text_name(Path::new(&inside)) {
            continue;
        }
        let (part, size) = match member {
            Ok(member) if !member.is_file() => continue,
            Ok(member) => match Member::from_member(&member) {
                Ok(part) => (InputPart::Member(part), Some(member.size())),
                Err(error) => (InputPart::Unreadable(error.to_string()), None),
            },
            Err(error) => (InputPart::Unreadable(error.to_string()), None),
        };
        found.push(input(format!("{name}/{inside}"), part, size));
    }
    if overlap(&found) {
        return vec![input(name, InputPart::Unreadable("its members overlap, as those of a bomb do".to_owned()), None)];
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    // The reader of archives keeps one member of each name: that others are passed over must be said.
    let missing = entries(path).map_or(0, |entries| entries.saturating_sub(archive.len()));
    if missing > 0 {
        let told = format!("{missing} of its members have a name that another has, and cannot be read");
        found.push(input(name, InputPart::Unreadable(told), None));
    }
    found
}

/// Bytes of the record at the end of an archive, and the longest comment behind it.
const END_RECORD_BYTES: u64 = 22;
const MAX_COMMENT_BYTES: u64 = 65_535;

/// How many members the record at the end of an archive counts (APPNOTE 4.3.16); `None` where that is not told there.
fn entries(path: &Path) -> Option<usize> {
    let mut file = File::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(END_RECORD_BYTES + MAX_COMMENT_BYTES))).ok()?;
    let mut tail = Vec::new();
    file.take(END_RECORD_BYTES + MAX_COMMENT_BYTES).read_to_end(&mut tail).ok()?;
    let at = tail.windows(4).rposition(|four| four == b"PK\x05\x06")?;
    let count = u16::from_le_bytes([*tail.get(at + 10)?, *tail.get(at + 11)?]);
    (count < u16::MAX).then_some(usize::from(count))
}

/// Whether members share packed bytes, which is how a small archive unpacks to a great one.
fn overlap(inputs: &[Input]) -> bool {
    let range = |input: &Input| match &input.part {
        InputPart::Member(member) => Some((member.start, member.start.saturating_add(member.packed))),
        InputPart::Whole | InputPart::Unreadable(_) => None,
    };
    let mut ranges: Vec<(u64, u64)> = inputs.iter().filter_map(range).filter(|(start, end)| start < end).collect();
    ranges.sort_unstable();
    ranges.windows(2).any(|two| two[0].1 > two[1].0)
}

/// The name of a member with nothing in it that leads out of the archive or moves a terminal's cursor.
fn clean(name: &str) -> String {
    let shown: String = name.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    let parts: Vec<&str> = shown.split(['/', '\\']).filter(|part| !matches!(*part, "" | "." | "..")).collect();
    parts.join("/")
}

impl Member {
    fn from_member(member: &ZipFile<'_, impl Read>) -> io::Result<Self> {
        if member.encrypted() {
            return Err(bad("it is encrypted"));
        }
        let method = member.compression();
        if !matches!(method, CompressionMethod::Stored | CompressionMethod::Deflated) {
            return Err(bad(format!("it is packed by {method}, which is not read: unpack it yourself")));
        }
        let start = member.data_start().ok_or_else(|| bad("it has no place in the archive"))?;
        Ok(Self { start, packed: member.compressed_size(), size: member.size(), crc: member.crc32(), method })
    }

    /// Its text in the archive at `path`, unpacked, once more where it is a packed file.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn open(&self, path: &Path) -> io::Result<UnpackedReader<'static>> {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(self.start))?;
        let packed = PackedBytes::default();
        let bytes = packed.count(file.take(self.packed));
        let text: UnpackedReader<'static> = if self.method == CompressionMethod::Deflated {
            packed.limit(flate2::bufread::DeflateDecoder::new(BufReader::new(bytes)))
        } else {
            Box::new(bytes)
        };
        packed.unpack(ChecksumReader { text: flate2::CrcReader::new(text), size: self.size, crc: self.crc })
    }
}

/// Tells at its end whether a member is what the archive says.
struct ChecksumReader {
    text: flate2::CrcReader<UnpackedReader<'static>>,
    size: u64,
    crc: u32,
}

impl Read for ChecksumReader {
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
