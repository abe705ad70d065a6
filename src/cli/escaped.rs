//! Data on a terminal: what the terminal would obey is shown as an escape. Files and pipes get the bytes as they are.

use std::io::{self, Write};

use crate::render::clean_for_terminal;

/// The longest start of a character that a write may end in.
const MAX_CHARACTER_BYTES: usize = 4;

/// Escapes text that comes in parts, which may end inside a character.
#[derive(Debug, Default)]
pub(super) struct Escapes {
    /// The bytes of a character that is not complete yet.
    begun: Vec<u8>,
}

impl Escapes {
    /// Writes `bytes` to `out` with everything escaped that a terminal would obey.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub(super) fn write(&mut self, bytes: &[u8], out: &mut impl Write) -> io::Result<()> {
        self.begun.extend_from_slice(bytes);
        let complete = match std::str::from_utf8(&self.begun) {
            Ok(text) => text.len(),
            // Only what may still become a character is held back.
            Err(error)
                if error.error_len().is_none() && self.begun.len() - error.valid_up_to() < MAX_CHARACTER_BYTES =>
            {
                error.valid_up_to()
            }
            Err(_) => self.begun.len(),
        };
        let text: Vec<u8> = self.begun.drain(..complete).collect();
        out.write_all(clean_for_terminal(&String::from_utf8_lossy(&text)).as_bytes())
    }

    /// Writes what is left of a text that ends inside a character.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub(super) fn finish(&mut self, out: &mut impl Write) -> io::Result<()> {
        let left = std::mem::take(&mut self.begun);
        out.write_all(String::from_utf8_lossy(&left).as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_do_not_depend_on_where_a_text_is_cut() {
        let text = "id,event\n1,A\u{202e}b\u{200b}é \x1b[31m🙂\n".as_bytes();
        for cut in 0..=text.len() {
            let (mut escapes, mut out) = (Escapes::default(), Vec::new());
            escapes.write(&text[..cut], &mut out).unwrap();
            escapes.write(&text[cut..], &mut out).unwrap();
            escapes.finish(&mut out).unwrap();
            assert_eq!(
                String::from_utf8(out).unwrap(),
                "id,event\n1,A\\u{202e}b\\u{200b}é \\u{1b}[31m🙂\n",
                "cut at {cut}"
            );
        }
        let (mut escapes, mut out) = (Escapes::default(), Vec::new());
        escapes.write(b"a\xff\xe2\x80", &mut out).unwrap();
        escapes.finish(&mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "a\u{fffd}\u{fffd}");
    }
}
