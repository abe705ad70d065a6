//! The files: one for a slice and its mirror, of values or of distances.
//!
//! # Stability
//! Numbers are little-endian.
//!
//! | bytes | hold |
//! |---|---|
//! | 8 | `CROWNEG` and a line feed |
//! | 2 | the version of the format, 1 |
//! | 1 | the game: its GameType number |
//! | 1 | what is held: 0 values, 1 distances |
//! | 4 | the slice: my men, my kings, his men, his kings |
//! | 2 | whose kings run along the rows, for the slice and for its mirror: 0 mine, 1 his |
//! | 2 × 36 | counts of the slice and of its mirror: wins, losses, draws, captures (8 bytes each), longest win and longest loss in plies (2 each; 0 where not known) |
//! | 8 | the length of the file |
//! | 2 × 4 | the number of chunks of the slice and of its mirror; none for a slice that is its own mirror |
//! | 16 a chunk | packed length (4), unpacked length (4), first 8 bytes of the BLAKE3 digest of the packed bytes |
//! | 16 | first bytes of the BLAKE3 digest of all before |
//! | the rest | the chunks one after the other, each a zstd frame |
//!
//! A chunk is a power of two of whole rows of the layout, the greatest that has at most `1 << 22` places of values, or `1 << 16` of
//! distances, and one at least. A chunk of values unpacks to runs (see `runs`), one of distances to a byte a place. What a place holds
//! means something only where it does not follow from others: values see `implied`; distances where no capture is due and
//! which are no draws.
//!
//! Several files one after the other are a bundle.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::board::Variant;
use crate::engine::EngineError;
use crate::files;

use super::layout::{Along, rows_of};
use super::slice::{MAX_PIECES, Slice};
use super::solve::ValueCounts;
use super::table::SliceShape;

const MAGIC: &[u8; 8] = b"CROWNEG\n";
/// The version of the format that is written, and the newest that is read.
const FORMAT_VERSION: u16 = 1;
/// Length of the header before the table of chunks.
const FIXED_HEADER_BYTES: usize = 8 + 2 + 1 + 1 + 4 + 2 + 2 * 36 + 8 + 2 * 4;
/// Length of an entry of the table of chunks.
const CHUNK_ENTRY_BYTES: usize = 16;
/// Length of the digest that ends a header.
const DIGEST_BYTES: usize = 16;
/// More chunks than any slice of [`MAX_PIECES`] pieces has: a greater number is damage.
const MAX_CHUNKS: usize = 1 << 22;

/// What a file holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EndgameFileKind {
    /// Win, draw or loss.
    Values,
    /// Half the plies to the end.
    Distances,
}

impl EndgameFileKind {
    /// Places that a chunk has at most, unless a single row has more.
    const fn positions_per_chunk(self) -> usize {
        match self {
            Self::Values => 1 << 22,
            Self::Distances => 1 << 16,
        }
    }

    /// The ending of the names of its files.
    pub(super) const fn ending(self) -> &'static str {
        match self {
            Self::Values => "wld",
            Self::Distances => "plies",
        }
    }

    /// How many chunks so many rows make.
    pub(super) const fn chunks(self, rows: usize, row_length: usize) -> usize {
        rows.div_ceil(self.chunk_rows(row_length))
    }

    /// The rows of a chunk, where there are `rows` in all.
    pub(super) fn rows_of_chunk(self, chunk: usize, rows: usize, row_length: usize) -> Range<usize> {
        let count = self.chunk_rows(row_length);
        (chunk * count).min(rows)..((chunk + 1) * count).min(rows)
    }

    /// How many rows a chunk has.
    pub(super) const fn chunk_rows(self, row_length: usize) -> usize {
        let rows = self.positions_per_chunk() / row_length;
        if rows == 0 { 1 } else { 1 << rows.ilog2() }
    }
}

/// The file of `slice` in `folder`.
pub(super) fn path_of(folder: &Path, slice: Slice, kind: EndgameFileKind) -> PathBuf {
    folder.join(format!("{}.{}", slice.canonical(), kind.ending()))
}

/// A chunk as the header tells of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChunkEntry {
    /// Where it begins in the file.
    pub(super) offset: u64,
    pub(super) packed: usize,
    pub(super) unpacked: usize,
    digest: [u8; 8],
}

/// What the header of a file says.
#[derive(Clone, Debug)]
pub(super) struct Header {
    pub(super) kind: EndgameFileKind,
    pub(super) slice: Slice,
    pub(super) along: [Along; 2],
    pub(super) counts: [ValueCounts; 2],
    pub(super) length: u64,
    pub(super) chunks: [Vec<ChunkEntry>; 2],
}

impl Header {
    /// How many halves the file has: one for a slice that is its own mirror.
    pub(super) fn halves(&self) -> usize {
        halves(self.slice)
    }

    /// The slice of a half.
    pub(super) const fn slice_of(&self, half: usize) -> Slice {
        if half == 0 { self.slice } else { self.slice.mirror() }
    }
}

/// How many halves a file of `slice` has.
pub(super) fn halves(slice: Slice) -> usize {
    if slice == slice.mirror() { 1 } else { 2 }
}

/// Where the bytes of a file are.
#[derive(Clone, Debug)]
pub(super) enum ByteSource {
    /// In a file.
    File(PathBuf),
    /// In the program; the name is for errors.
    Static(&'static str, &'static [u8]),
}

impl ByteSource {
    fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Static(name, _) => (*name).to_owned(),
        }
    }

    /// `length` bytes from `offset`, or why not.
    fn read(&self, offset: u64, length: usize) -> std::io::Result<Vec<u8>> {
        match self {
            Self::File(path) => {
                let mut file = File::open(path)?;
                file.seek(SeekFrom::Start(offset))?;
                let mut bytes = vec![0; length];
                file.read_exact(&mut bytes)?;
                Ok(bytes)
            }
            Self::Static(_, bytes) => {
                let part = usize::try_from(offset).ok().and_then(|from| bytes.get(from..)?.get(..length));
                part.map(<[u8]>::to_vec).ok_or_else(|| std::io::ErrorKind::UnexpectedEof.into())
            }
        }
    }

    fn length(&self) -> std::io::Result<u64> {
        match self {
            Self::File(path) => Ok(fs::metadata(path)?.len()),
            Self::Static(_, bytes) => Ok(bytes.len() as u64),
        }
    }
}

/// A file whose header has been read and found whole.
#[derive(Clone, Debug)]
pub(super) struct Packed {
    pub(super) header: Header,
    source: ByteSource,
    /// Where the file begins in its source.
    base: u64,
}

impl Packed {
    /// Opens the file of `slice` and `kind` in `folder`; `None` where there is none.
    pub(super) fn open(
        folder: &Path,
        slice: Slice,
        kind: EndgameFileKind,
        variant: Variant,
    ) -> Result<Option<Self>, EngineError> {
        let path = path_of(folder, slice, kind);
        match fs::symlink_metadata(&path) {
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(EngineError::io(&path, error)),
        }
        let source = ByteSource::File(path.clone());
        let whole = source.length().map_err(|error| EngineError::io(&path, error))?;
        let packed = Self::read(source, 0, slice, variant)?;
        if packed.header.slice != slice.canonical() || packed.header.kind != kind {
            let what = format!("it holds {} {}", packed.header.slice, packed.header.kind.ending());
            return Err(damaged(slice, &path.display().to_string(), what));
        }
        if packed.header.length != whole {
            let what = format!("it has {whole} bytes in place of {}", packed.header.length);
            return Err(damaged(slice, &path.display().to_string(), what));
        }
        Ok(Some(packed))
    }

    /// The files of a bundle in the program.
    pub(super) fn bundle(name: &'static str, bytes: &'static [u8], variant: Variant) -> Result<Vec<Self>, EngineError> {
        let (mut files, mut base) = (Vec::new(), 0);
        while base < bytes.len() as u64 {
            // Whose header cannot be read has no name yet: the bundle stands for it.
            let named = files.last().map_or(Slice::FIRST, |packed: &Self| packed.header.slice);
            let packed = Self::read(ByteSource::Static(name, bytes), base, named, variant)?;
            base += packed.header.length;
            files.push(packed);
        }
        Ok(files)
    }

    fn read(source: ByteSource, base: u64, slice: Slice, variant: Variant) -> Result<Self, EngineError> {
        let path = source.name();
        let cut = |_| damaged(slice, &path, "it is cut short".to_owned());
        let whole = source.length().map_err(cut)?;
        let foreign = || EngineError::Foreign { slice: slice.to_string(), path: path.clone() };
        let available = usize::try_from(whole.saturating_sub(base)).unwrap_or(usize::MAX);
        if available < FIXED_HEADER_BYTES + DIGEST_BYTES {
            return Err(if available < MAGIC.len() {
                foreign()
            } else {
                damaged(slice, &path, "it is cut short".to_owned())
            });
        }
        let fixed = source.read(base, FIXED_HEADER_BYTES).map_err(cut)?;
        let mut reader = NumberReader(&fixed);
        if reader.bytes(8) != MAGIC {
            return Err(foreign());
        }
        let version = reader.number(2) as u16;
        if version > FORMAT_VERSION {
            return Err(EngineError::TooNew { slice: slice.to_string(), path, found: version, known: FORMAT_VERSION });
        }
        let game = reader.number(1) as u8;
        let chunks: usize = [FIXED_HEADER_BYTES - 8, FIXED_HEADER_BYTES - 4]
            .map(|at| NumberReader(&fixed[at..]).number(4) as usize)
            .iter()
            .sum();
        if chunks > MAX_CHUNKS || available < FIXED_HEADER_BYTES + chunks * CHUNK_ENTRY_BYTES + DIGEST_BYTES {
            return Err(damaged(slice, &path, "its table of chunks is longer than the file".to_owned()));
        }
        let all = source.read(base, FIXED_HEADER_BYTES + chunks * CHUNK_ENTRY_BYTES + DIGEST_BYTES).map_err(cut)?;
        let (told, digest) = all.split_at(all.len() - DIGEST_BYTES);
        if blake3::hash(told).as_bytes()[..DIGEST_BYTES] != *digest {
            return Err(damaged(slice, &path, "the digest of its header is another".to_owned()));
        }
        if game != variant.game_type() {
            return Err(EngineError::OtherGame { slice: slice.to_string(), path, found: game });
        }
        let header =
            parse(told).ok_or_else(|| damaged(slice, &path, "its header does not fit its slice".to_owned()))?;
        Ok(Self { header, source, base })
    }

    /// The unpacked bytes of a chunk, whose digest has been found right.
    pub(super) fn chunk(&self, half: usize, chunk: usize) -> Result<Vec<u8>, EngineError> {
        let slice = self.header.slice_of(half);
        let entry = self.header.chunks.get(half).and_then(|chunks| chunks.get(chunk));
        let wrong = |what: &str| self.wrong(half, format!("chunk {chunk}: {what}"));
        let entry = entry.ok_or_else(|| wrong("there is none"))?;
        let packed = self
            .source
            .read(self.base + entry.offset, entry.packed)
            .map_err(|error| damaged(slice, &self.source.name(), format!("chunk {chunk}: {error}")))?;
        if blake3::hash(&packed).as_bytes()[..8] != entry.digest {
            return Err(wrong("its digest is another"));
        }
        zstd::bulk::decompress(&packed, entry.unpacked)
            .ok()
            .filter(|bytes| bytes.len() == entry.unpacked)
            .ok_or_else(|| wrong("it does not unpack"))
    }

    /// The error that tells of damage in a half.
    pub(super) fn wrong(&self, half: usize, what: String) -> EngineError {
        damaged(self.header.slice_of(half), &self.source.name(), what)
    }

    /// All bytes of the file.
    pub(super) fn bytes(&self) -> Result<Vec<u8>, EngineError> {
        let length = usize::try_from(self.header.length).unwrap_or(usize::MAX);
        self.source.read(self.base, length).map_err(|error| self.wrong(0, error.to_string()))
    }
}

fn damaged(slice: Slice, path: &str, what: String) -> EngineError {
    EngineError::Damaged { slice: slice.to_string(), path: path.to_owned(), what }
}

/// Reads numbers one after the other; past the end they are zero.
struct NumberReader<'a>(&'a [u8]);

impl<'a> NumberReader<'a> {
    fn bytes(&mut self, count: usize) -> &'a [u8] {
        let (head, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        head
    }

    fn number(&mut self, width: usize) -> u64 {
        self.bytes(width).iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte))
    }
}

/// The header that `bytes`, whose digest is right, tell; `None` if it cannot be one.
fn parse(bytes: &[u8]) -> Option<Header> {
    let mut reader = NumberReader(bytes.get(MAGIC.len() + 3..)?);
    let kind = match reader.number(1) {
        0 => EndgameFileKind::Values,
        1 => EndgameFileKind::Distances,
        _ => return None,
    };
    let [my_men, my_kings, his_men, his_kings] = [(); 4].map(|()| reader.number(1) as u8);
    let slice = Slice { my_men, my_kings, his_men, his_kings };
    let total: u32 = [my_men, my_kings, his_men, his_kings].map(u32::from).iter().sum();
    if total > MAX_PIECES.into() || my_men + my_kings == 0 || his_men + his_kings == 0 || !slice.is_canonical() {
        return None;
    }
    let along = [(); 2].map(|()| if reader.number(1) == 0 { Along::Mine } else { Along::His });
    let counts = [(); 2].map(|()| ValueCounts {
        wins: reader.number(8),
        losses: reader.number(8),
        draws: reader.number(8),
        captures: reader.number(8),
        longest_win: reader.number(2) as u16,
        longest_loss: reader.number(2) as u16,
    });
    let length = reader.number(8);
    let numbers = [(); 2].map(|()| reader.number(4) as usize);
    let mut offset = (FIXED_HEADER_BYTES + (numbers[0] + numbers[1]) * CHUNK_ENTRY_BYTES + DIGEST_BYTES) as u64;
    let mut chunks = [Vec::new(), Vec::new()];
    for (half, number) in numbers.into_iter().enumerate() {
        let of = if half == 0 { slice } else { slice.mirror() };
        let (rows, row_length) = rows_of(&SliceShape::for_slice(of), along[half]);
        let expected = if half < halves(slice) { kind.chunks(rows, row_length) } else { 0 };
        if number != expected {
            return None;
        }
        for _ in 0..number {
            let (packed, unpacked) = (reader.number(4) as usize, reader.number(4) as usize);
            // No run is longer than five bytes, and each holds a place.
            if unpacked > 5 * kind.chunk_rows(row_length) * row_length {
                return None;
            }
            let digest = reader.bytes(8).try_into().ok()?;
            chunks[half].push(ChunkEntry { offset, packed, unpacked, digest });
            offset += packed as u64;
        }
    }
    (offset == length).then_some(Header { kind, slice, along, counts, length, chunks })
}

/// A half ready to be written: whose kings run along its rows, its counts, its chunks with their unpacked lengths.
pub(super) struct HalfToWrite {
    pub(super) along: Along,
    pub(super) counts: ValueCounts,
    pub(super) chunks: Vec<(Vec<u8>, usize)>,
}

/// The bytes of the file of `slice`.
pub(super) fn assemble(variant: Variant, kind: EndgameFileKind, slice: Slice, halves: &[HalfToWrite]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(FORMAT_VERSION.to_le_bytes());
    bytes.extend([variant.game_type(), u8::from(kind == EndgameFileKind::Distances)]);
    bytes.extend([slice.my_men, slice.my_kings, slice.his_men, slice.his_kings]);
    // A slice that is its own mirror tells its half's choice and counts twice.
    let pair = [halves.first(), halves.last()];
    for half in pair.into_iter().flatten() {
        bytes.push(u8::from(half.along == Along::His));
    }
    for half in pair.into_iter().flatten() {
        let counts = &half.counts;
        for number in [counts.wins, counts.losses, counts.draws, counts.captures] {
            bytes.extend(number.to_le_bytes());
        }
        for plies in [counts.longest_win, counts.longest_loss] {
            bytes.extend(plies.to_le_bytes());
        }
    }
    let chunks: usize = halves.iter().map(|half| half.chunks.len()).sum();
    let packed: usize = halves.iter().flat_map(|half| &half.chunks).map(|(bytes, _)| bytes.len()).sum();
    let length = FIXED_HEADER_BYTES + chunks * CHUNK_ENTRY_BYTES + DIGEST_BYTES + packed;
    bytes.extend((length as u64).to_le_bytes());
    for half in 0..2 {
        let number = halves.get(half).map_or(0, |half| half.chunks.len());
        bytes.extend((number as u32).to_le_bytes());
    }
    for (chunk, unpacked) in halves.iter().flat_map(|half| &half.chunks) {
        bytes.extend((chunk.len() as u32).to_le_bytes());
        bytes.extend((*unpacked as u32).to_le_bytes());
        bytes.extend(&blake3::hash(chunk).as_bytes()[..8]);
    }
    let digest = blake3::hash(&bytes);
    bytes.extend(&digest.as_bytes()[..DIGEST_BYTES]);
    for (chunk, _) in halves.iter().flat_map(|half| &half.chunks) {
        bytes.extend(chunk);
    }
    bytes
}

/// Writes a file so that it is whole under its name or not there.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), EngineError> {
    files::write(path, bytes).map_err(|error| EngineError::io(path, error))
}
