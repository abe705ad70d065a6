//! Packed texts: gzip and zstd, known by their first bytes, read as a stream within limits.
//!
//! A bomb is stopped: a text may not unpack to more than [`MAX_UNPACKED_BYTES`] bytes, nor, once it is large, to more than [`MAX_RATIO`] times
//! its packed size, whether it is packed once or packed in another. Play packs to about a fifth; a factor of hundreds is no play.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Most bytes that one packed text may unpack to.
const MAX_UNPACKED_BYTES: u64 = 16 * 1024 * 1024 * 1024;
/// Times its packed size that a text may unpack to, once it is larger than [`UNCHECKED_BYTES`].
const MAX_RATIO: u64 = 200;
/// Bytes that any packed text may unpack to.
const UNCHECKED_BYTES: u64 = 32 * 1024 * 1024;

/// Whether a file is packed, by its name.
pub(super) fn is_packed(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("gz") || e.eq_ignore_ascii_case("zst"))
}

/// The name that tells what is in a file: `games.pdn` for `games.pdn.gz`.
pub(super) fn inner_name(path: &Path) -> &Path {
    if is_packed(path) { path.file_stem().map_or(path, Path::new) } else { path }
}

/// Whether a file is play by its name, packed or not.
pub(super) fn is_text_name(path: &Path) -> bool {
    inner_name(path).extension().is_some_and(|e| e.eq_ignore_ascii_case("pdn") || e.eq_ignore_ascii_case("txt"))
}

/// How many bytes were read of a packed text; where one is packed in another, of the outermost.
#[derive(Clone, Default)]
pub(super) struct PackedBytes(Arc<AtomicU64>);

impl PackedBytes {
    /// `reader`, whose bytes are counted.
    pub(super) fn count<R: Read>(&self, reader: R) -> CountingReader<R> {
        CountingReader { reader, count: self.clone() }
    }

    /// `text`, unpacked from these bytes, within the limits.
    pub(super) fn limit<'r>(&self, text: impl Read + Send + 'r) -> UnpackedReader<'r> {
        Box::new(Limited { reader: text, packed: self.clone(), unpacked: 0 })
    }

    /// The text of `reader`, unpacked where its first bytes say that it is packed.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn unpack<'r>(&self, reader: impl Read + Send + 'r) -> io::Result<UnpackedReader<'r>> {
        let mut reader = BufReader::new(reader);
        let head = reader.fill_buf()?;
        Ok(if head.starts_with(&[0x1f, 0x8b]) {
            self.limit(flate2::bufread::MultiGzDecoder::new(reader))
        } else if head.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
            self.limit(zstd::stream::read::Decoder::with_buffer(reader)?)
        } else {
            Box::new(reader)
        })
    }
}

/// Unpacked text.
pub(super) type UnpackedReader<'r> = Box<dyn Read + Send + 'r>;

/// Whether reading failed for damage of packed bytes, and not for a limit or the system.
pub(super) fn is_damage(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidInput, Other, UnexpectedEof};
    let is_kind = matches!(error.kind(), InvalidInput | Other | UnexpectedEof);
    error.raw_os_error().is_none() && (is_kind || is_wrong_checksum(error))
}

/// Whether the text was unpacked to its end and has another checksum than it should: it is wrong, and nobody knows where. The
/// unpackers say so by words alone.
pub(super) fn is_wrong_checksum(error: &io::Error) -> bool {
    error.raw_os_error().is_none() && error.to_string().contains("checksum")
}

/// Whether what broke off is something behind the whole text that is not packed as it is; the unpackers tell by words alone.
pub(super) fn is_behind_the_end(error: &io::Error) -> bool {
    let told = error.to_string();
    told.contains("invalid gzip header") || told.contains("Unknown frame descriptor")
}

/// Counts what is read of the packed bytes.
pub(super) struct CountingReader<R> {
    reader: R,
    count: PackedBytes,
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.reader.read(buffer)?;
        self.count.0.fetch_add(got as u64, Ordering::Relaxed);
        Ok(got)
    }
}

/// Stops what unpacks to too much.
struct Limited<R> {
    reader: R,
    packed: PackedBytes,
    unpacked: u64,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.reader.read(buffer)?;
        self.unpacked += got as u64;
        let packed = self.packed.0.load(Ordering::Relaxed);
        let error = |text: String| Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
        if self.unpacked > MAX_UNPACKED_BYTES {
            return error(format!(
                "it unpacks to more than {MAX_UNPACKED_BYTES} bytes, the most that is read of a packed text"
            ));
        }
        if self.unpacked > UNCHECKED_BYTES && self.unpacked / MAX_RATIO > packed {
            return error(format!(
                "it unpacks to more than {MAX_RATIO} times its {packed} packed bytes, which play never does: unpack it yourself to read it all the same"
            ));
        }
        Ok(got)
    }
}

/// The text of `reader`, unpacked where its first bytes say that it is packed.
///
/// # Errors
/// When it cannot be read.
pub(super) fn open<'r>(reader: impl Read + Send + 'r) -> io::Result<UnpackedReader<'r>> {
    let packed = PackedBytes::default();
    packed.unpack(packed.count(reader))
}
