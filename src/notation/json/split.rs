//! Where objects end, told from brackets and quotes alone.

use memchr::{memchr, memchr3};

/// How far an object goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// It is closed by the byte before this one.
    Closed(usize),
    /// The next object starts here, and it was not closed.
    Broken(usize),
    /// The text ends first.
    Open,
}

/// Where the object that starts `bytes` ends.
pub(super) fn object_end(bytes: &[u8]) -> End {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return End::Closed(at + 1);
                }
            }
            b'"' => match string_end(bytes, at + 1) {
                Some(end) => {
                    at = end;
                    continue;
                }
                None => return End::Open,
            },
            b'\n' if starts_object(&bytes[at + 1..]) => return End::Broken(at + 1),
            _ => {}
        }
        at += 1;
    }
    End::Open
}

/// The byte behind a string whose first byte stands at `at`: behind its quote, or at the line end that cuts a broken one
/// short.
pub(super) fn string_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let rest = bytes.get(at..)?;
        let found = memchr3(b'"', b'\\', b'\n', rest)?;
        match rest[found] {
            b'"' => return Some(at + found + 1),
            b'\n' => return Some(at + found),
            // What is escaped is no end; a line end never is.
            _ => at += found + if rest.get(found + 1) == Some(&b'\n') { 1 } else { 2 },
        }
    }
}

/// Whether a line starts an object of a list: an object a line, or the array of our exports.
fn starts_object(line: &[u8]) -> bool {
    if line.starts_with(b"{\"") {
        return true;
    }
    let blanks = line.iter().take(2).take_while(|byte| **byte == b' ').count();
    line[blanks..].starts_with(b"{\"id\":")
}

/// The byte behind the first object that ends at `at_least` or later, where `text` starts between two objects; `None` where
/// no such end is seen.
#[must_use]
pub fn split(text: &[u8], at_least: usize) -> Option<usize> {
    let mut at = 0;
    loop {
        at += text.get(at..)?.iter().position(|byte| *byte == b'{')?;
        match object_end(&text[at..]) {
            End::Closed(length) | End::Broken(length) => at += length,
            End::Open => return None,
        }
        if at >= at_least {
            return Some(at);
        }
    }
}

/// The byte behind the last whole object of `text`, or, where there is none, where the first one starts; the end of a text
/// that has none. What stands before it can be read by itself.
#[must_use]
pub fn last_end(text: &[u8]) -> usize {
    let mut at = 0;
    loop {
        let Some(start) = memchr(b'{', &text[at..]).map(|found| at + found) else { return text.len() };
        match object_end(&text[start..]) {
            End::Closed(length) | End::Broken(length) => at = start + length,
            // Blanks before it are no part of it.
            End::Open => return if at == 0 { start } else { at },
        }
    }
}

/// Looks for the end of an object too long to be held in memory.
#[derive(Clone, Debug, Default)]
pub struct ObjectSkim {
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// The first bytes of the line, as far as they tell whether it starts an object.
    line: Option<Vec<u8>>,
}

impl ObjectSkim {
    /// Takes in the next bytes of the object; how many of them belong to it, where it ends among them.
    pub fn feed(&mut self, bytes: &[u8]) -> Option<usize> {
        for (at, &byte) in bytes.iter().enumerate() {
            if byte == b'\n' {
                (self.in_string, self.escaped, self.line) = (false, false, Some(Vec::new()));
                continue;
            }
            if let Some(line) = &mut self.line {
                line.push(byte);
                if starts_object(line) {
                    // The part of the next object that is known is the signs pushed so far: they stand in these bytes, or in
                    // those before, where it is missed and read as part of this one.
                    if let Some(start) = (at + 1).checked_sub(line.len()) {
                        return Some(start);
                    }
                }
                if line.len() > 8 {
                    self.line = None;
                }
            }
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' if self.in_string => self.escaped = true,
                b'"' => self.in_string = !self.in_string,
                _ if self.in_string => {}
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
        }
        None
    }
}

/// Whether a text that starts with `head` is JSON: an object with a key, a list of such, or an empty list. A comment of PDN
/// starts with a brace too.
#[must_use]
pub fn looks_like_json(head: &str) -> bool {
    let head = head.trim_start_matches('\u{feff}').trim_ascii_start();
    let inside = head.strip_prefix('[').map(str::trim_ascii_start);
    if inside.is_some_and(|inside| inside.starts_with(']')) {
        return true;
    }
    let Some(key) = inside.unwrap_or(head).strip_prefix('{').map(str::trim_ascii_start) else { return false };
    let quoted = key.starts_with('"').then(|| string_end(key.as_bytes(), 1)).flatten();
    let value = quoted.and_then(|end| key.get(end..)?.trim_ascii_start().strip_prefix(':'));
    value.is_some_and(|value| starts_value(value.trim_ascii_start()))
}

/// Whether a text starts with a value of JSON, as far as it goes: words of a comment stand behind a colon too.
fn starts_value(text: &str) -> bool {
    if text.is_empty() || text.starts_with(['"', '{', '[']) {
        return true;
    }
    let end = text.find(|c: char| c.is_whitespace() || matches!(c, ',' | '}'));
    let word = &text[..end.unwrap_or(text.len())];
    let followed = text[word.len()..].trim_ascii_start();
    let closed = followed.is_empty() || followed.starts_with([',', '}']);
    closed && (matches!(word, "null" | "true" | "false") || word.parse::<f64>().is_ok_and(f64::is_finite))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_end_where_their_brackets_say() {
        let text = br#"{"a":"}\"]","b":[{}]} ,{"c":1}"#;
        assert_eq!(object_end(text), End::Closed(21));
        assert_eq!((split(text, 1), split(text, 22), split(text, 40)), (Some(21), Some(text.len()), None));
        assert_eq!(object_end(br#"{"a":["#), End::Open);
        assert_eq!(object_end(br#"{"a":"\"#), End::Open);
        assert_eq!(object_end(b"{\"a\":\"cut\n{\"a\":2}"), End::Broken(10));
        assert_eq!(object_end(b"[\n  {\"id\":1,\n  {\"id\":2}]"), End::Broken(2));
    }

    /// Each byte is looked at once: 8 MiB of escapes would otherwise take hours.
    #[test]
    fn escapes_are_passed_in_one_go() {
        let text = [b"{\"a\":\"", &b"\\\\".repeat(4 << 20)[..], b"\"}"].concat();
        assert_eq!(object_end(&text), End::Closed(text.len()));
    }

    #[test]
    fn json_is_told_from_pdn() {
        for json in ["[]", " [\n  {\"id\":1}", "{\"a\" : 2}", "\u{feff}[{\"x\":", "{\"a\":null,", "{\"a\": -1.5 }"] {
            assert!(looks_like_json(json), "{json}");
        }
        let comment = "{\"First position\": White to move and win.} 1. 11-15";
        let moves = "{\"First position\": 11-15, 23-19} 1. 11-15";
        for other in
            [comment, moves, "[Event \"x\"]", "{\"Old Fourteenth\"} 1. 11-15", "{words} 1. 11-15", "", "[", "{"]
        {
            assert!(!looks_like_json(other), "{other}");
        }
    }
}
