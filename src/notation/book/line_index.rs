//! Bytes of a text to lines and columns.

use crate::notation::Location;

/// How many bytes lie between two known counts of characters: what one look-up costs at most.
const STRIDE_BYTES: usize = 1024;

/// The line ends of a text and, at every [`STRIDE_BYTES`], how many characters stand before.
///
/// A text whose line ends are lost is one line, so a column is never counted from the start of its line.
pub(super) struct LineIndex<'t> {
    text: &'t str,
    lines: Vec<usize>,
    characters: Vec<usize>,
}

impl<'t> LineIndex<'t> {
    /// The index of `text`.
    pub(super) fn new(text: &'t str) -> Self {
        let lines = std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1)).collect();
        let mut characters = Vec::with_capacity(text.len() / STRIDE_BYTES + 1);
        let mut count = 0;
        for chunk in text.as_bytes().chunks(STRIDE_BYTES) {
            characters.push(count);
            count += starts(chunk);
        }
        characters.push(count);
        Self { text, lines, characters }
    }

    /// The place of byte `byte`.
    pub(super) fn at(&self, byte: usize) -> Location {
        let byte = byte.min(self.text.len());
        let line = self.lines.partition_point(|&start| start <= byte);
        let start = self.lines.get(line.saturating_sub(1)).copied().unwrap_or_default();
        let column = self.before(byte) - self.before(start) + 1;
        Location {
            byte: byte as u64,
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: u32::try_from(column).unwrap_or(u32::MAX),
        }
    }

    /// How many characters start before byte `byte`.
    fn before(&self, byte: usize) -> usize {
        let chunk = byte / STRIDE_BYTES;
        let known = self.characters.get(chunk).copied().unwrap_or_default();
        known + self.text.as_bytes().get(chunk * STRIDE_BYTES..byte).map_or(0, starts)
    }
}

/// How many characters start in these bytes of UTF-8.
fn starts(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one_in_characters() {
        let text = format!("{}é\nüb 11-15", "ä".repeat(3 * STRIDE_BYTES));
        let places = LineIndex::new(&text);
        let at = |word: &str| places.at(text.find(word).expect("there"));
        assert_eq!((at("é").line, at("é").column), (1, 3073));
        assert_eq!((at("11").line, at("11").column), (2, 4));
        assert_eq!(places.at(0), Location::FIRST);
        assert_eq!(places.at(text.len() + 9).line, 2);
    }
}
