//! Bytes to text. UTF-8 is taken as it is; UTF-16 is known by its mark or its zero bytes; bytes that are neither are read as Windows-1252, each by
//! itself, so that one stray byte spoils no other name.

/// The encoding that the first bytes of a text tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Encoding {
    /// UTF-8 or a code page: each chunk is decoded by itself.
    Bytes,
    /// UTF-16, little-endian.
    Utf16Le,
    /// UTF-16, big-endian.
    Utf16Be,
}

impl Encoding {
    /// The encoding of a text that starts with `head`.
    pub(super) fn detect(head: &[u8]) -> Self {
        match head {
            [0xff, 0xfe, ..] => Self::Utf16Le,
            [0xfe, 0xff, ..] => Self::Utf16Be,
            [a, 0, b, 0, ..] if *a != 0 && *b != 0 => Self::Utf16Le,
            [0, a, 0, b, ..] if *a != 0 && *b != 0 => Self::Utf16Be,
            _ => Self::Bytes,
        }
    }
}

/// How many bytes at the end of UTF-16 bytes are half a character: one of two, or the first half of a pair.
pub(super) fn half(bytes: &[u8], encoding: Encoding) -> usize {
    let odd = bytes.len() % 2;
    let last = bytes.len().checked_sub(odd + 2).and_then(|at| bytes.get(at..at + 2));
    let high = match (last, encoding) {
        (Some(&[high, _]), Encoding::Utf16Be) | (Some(&[_, high]), _) => Some(high),
        _ => None,
    };
    odd + if high.is_some_and(|high| (0xd8..0xdc).contains(&high)) { 2 } else { 0 }
}

/// The text of UTF-16 bytes; what is broken becomes U+FFFD.
pub(super) fn utf16(bytes: &[u8], encoding: Encoding) -> String {
    let units = bytes.chunks_exact(2).map(|pair| match encoding {
        Encoding::Utf16Be => u16::from_be_bytes([pair[0], pair[1]]),
        Encoding::Utf16Le | Encoding::Bytes => u16::from_le_bytes([pair[0], pair[1]]),
    });
    char::decode_utf16(units)
        .map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER))
        .filter(|&c| c != '\u{feff}')
        .collect()
}

/// The text of bytes, and whether the encoding had to be guessed.
pub(super) fn bytes(bytes: Vec<u8>) -> (String, bool) {
    match String::from_utf8(bytes) {
        Ok(text) => (text, false),
        Err(error) => (mixed(error.as_bytes()), true),
    }
}

/// The upper half of Windows-1252, 0x80 to 0x9f; the rest is Latin-1.
const WINDOWS_1252_HIGH: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

fn mixed(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|&byte| windows_1252(byte)));
    }
    text
}

fn windows_1252(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS_1252_HIGH[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_gives_the_same_name() {
        let name = "Lindén, Å.";
        let le: Vec<u8> = "\u{feff}Lindén, Å.".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let be: Vec<u8> = "\u{feff}Lindén, Å.".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(utf16(&le, Encoding::detect(&le)), name);
        assert_eq!(utf16(&be, Encoding::detect(&be)), name);
        assert_eq!(bytes(name.as_bytes().to_vec()), (name.to_owned(), false));
        assert_eq!(bytes(b"Lind\xe9n, \xc5.".to_vec()), (name.to_owned(), true));
        assert_eq!(bytes(b"Lind\xc3\xa9n, \xc5.".to_vec()), (name.to_owned(), true));
    }
}
