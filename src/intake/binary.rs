//! Telling text from what is none: pictures, programs, databases. A stray control sign makes no text binary.

use std::fs;
use std::io::Read;

use super::decode::Encoding;
use super::{Input, IntakeError, open, packed};

/// Bytes that are looked at.
const HEAD_BYTES: usize = 64 * 1024;
/// Of so many bytes, one may be a control sign that texts do not have.
const MAX_CONTROL_BYTES: usize = 10;

/// First bytes of files that people take for others.
const KNOWN_HEADS: &[(&[u8], &str)] = &[
    (b"SQLite format 3\0", "an SQLite database"),
    (b"\x89PNG\r\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF-", "a PDF document"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"PK\x03\x04", "a .zip archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"BZh", "a file packed by bzip2"),
    (b"\xfd7zXZ", "a file packed by xz"),
    (b"\x1f\x8b", "a file packed twice by gzip"),
    (b"\xd0\xcf\x11\xe0", "a document of an office program"),
];

/// What the bytes that a text starts with look like, where that is no text.
pub(super) fn detect(head: &[u8]) -> Option<&'static str> {
    if let Some((_, what)) = KNOWN_HEADS.iter().find(|(first, _)| head.starts_with(first)) {
        return Some(what);
    }
    let head = &head[..head.len().min(HEAD_BYTES)];
    if Encoding::detect(head) != Encoding::Bytes {
        return None;
    }
    let odd = head.iter().filter(|byte| matches!(byte, 0..=8 | 0x0b | 0x0e..=0x19 | 0x1c..=0x1f | 0x7f)).count();
    (odd * MAX_CONTROL_BYTES > head.len()).then_some("binary data")
}

/// Looks at the first bytes of a file, or member of an archive, without reading it.
///
/// # Errors
/// When it cannot be opened or is no text. Standard input and what is no ordinary file are not looked at.
pub fn look(input: &Input) -> Result<(), IntakeError> {
    if !input.path.as_ref().is_some_and(|path| fs::metadata(path).is_ok_and(|meta| meta.is_file())) {
        return Ok(());
    }
    let error = |source| IntakeError::Open { name: input.name.clone(), source };
    let never = std::sync::atomic::AtomicBool::new(false);
    let mut head = Vec::new();
    let read = open::open(input, &never).map_err(error)?.take(HEAD_BYTES as u64).read_to_end(&mut head);
    // What a packed text holds before it breaks off is read.
    if let Err(source) = read
        && (head.is_empty() || !packed::is_damage(&source))
    {
        return Err(error(source));
    }
    detect(&head).map_or(Ok(()), |what| Err(IntakeError::NotText { name: input.name.clone(), what }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stray_signs_make_no_binary() {
        assert_eq!(detect(b"[Event \"Ni\0ght\"]\n\n1. 11-15 {a\0b\x0cc} 23-19 *\n\x1a"), None);
        assert_eq!(
            detect("\u{feff}[Event \"x\"]".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>().as_slice()),
            None
        );
        assert_eq!(detect(b""), None);
        assert_eq!(detect(b"1. 11-15 *"), None);
        assert_eq!(detect(b"\x89PNG\r\n\x1a\n"), Some("a PNG picture"));
        assert_eq!(detect(&(0..=255).collect::<Vec<u8>>()), Some("binary data"));
    }
}
