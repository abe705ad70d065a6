//! Tags: `[Name "value"]`, sound or damaged.

use memchr::memchr;

/// A tag as read.
pub(super) struct RawTag<'a> {
    pub(super) name: &'a str,
    /// The value, escapes resolved.
    pub(super) value: String,
    /// The byte the value starts at, counted from the opening bracket.
    pub(super) value_at: usize,
    /// How many bytes the tag has.
    pub(super) length: usize,
    /// What was tolerated, for people.
    pub(super) tolerated: Option<&'static str>,
}

/// Whether a tag starts here: `[Name "`. This, and not any bracket, ends a comment that nobody closed, because comments
/// have brackets of their own (`[%clk 0:10]`).
pub(super) fn starts(bytes: &[u8]) -> bool {
    let Some((b'[', rest)) = bytes.split_first() else { return false };
    let rest = skip_blanks(rest);
    let name = name_length(rest);
    name > 0 && skip_blanks(&rest[name..]).first() == Some(&b'"')
}

/// Whether something tag-like starts here, damaged or not: a bracket and a letter.
pub(super) fn may_start(bytes: &[u8]) -> bool {
    let Some((b'[', rest)) = bytes.split_first() else { return false };
    name_length(skip_blanks(rest)) > 0
}

fn skip_blanks(bytes: &[u8]) -> &[u8] {
    let blanks = bytes.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
    &bytes[blanks..]
}

fn name_length(bytes: &[u8]) -> usize {
    if !bytes.first().is_some_and(u8::is_ascii_alphabetic) {
        return 0;
    }
    bytes.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')).count()
}

/// Why a tag is not read whose end lies beyond what is looked at of a line.
pub(super) const VALUE_LIMIT_TEXT: &str = "a value of at most 16384 bytes";

/// Reads the tag that starts `line`, which ends where its line does, or where `is_cut` before.
///
/// # Errors
/// Why it cannot be read. What to pass over is [`damaged_length`].
pub(super) fn read(line: &str, is_cut: bool) -> Result<RawTag<'_>, &'static str> {
    let bytes = line.as_bytes();
    let name_at = 1 + blanks_at(bytes, 1);
    let length = name_length(bytes.get(name_at..).unwrap_or_default());
    if length == 0 {
        return Err("a tag name behind the bracket");
    }
    let name = &line[name_at..name_at + length];
    let at = name_at + length + blanks_at(bytes, name_at + length);
    match bytes.get(at) {
        Some(b'"') => quoted(line, name, at + 1, is_cut),
        Some(b']') | None => Err("a value in quotes behind the tag name"),
        Some(_) => unquoted(line, name, at),
    }
}

/// How many bytes of `line` a tag that cannot be read takes.
pub(super) fn damaged_length(line: &str) -> usize {
    // A bracket inside quotes does not close the tag.
    let mut quoted = false;
    for (at, byte) in line.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b']' if !quoted => return at + 1,
            _ => {}
        }
    }
    line.len()
}

fn blanks_at(bytes: &[u8], from: usize) -> usize {
    bytes.get(from..).unwrap_or_default().iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r')).count()
}

/// What stands behind a quote.
enum Behind {
    /// The closing bracket; this many bytes up to it and with it.
    Closed(usize),
    /// The end of the line or the next tag: the bracket is missing.
    Missing,
    /// More of the value.
    Text,
}

fn behind(bytes: &[u8], at: usize) -> Behind {
    let blanks = blanks_at(bytes, at);
    match bytes.get(at + blanks) {
        Some(b']') => Behind::Closed(blanks + 1),
        None => Behind::Missing,
        Some(b'[') if starts(&bytes[at + blanks..]) => Behind::Missing,
        Some(_) => Behind::Text,
    }
}

/// Reads a value in quotes from behind the opening one.
fn quoted<'a>(line: &'a str, name: &'a str, value_at: usize, is_cut: bool) -> Result<RawTag<'a>, &'static str> {
    let bytes = line.as_bytes();
    let mut value = Vec::with_capacity(24);
    let mut first_quote = None;
    let mut inner = false;
    let mut at = value_at;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' if matches!(bytes.get(at + 1), Some(b'"' | b'\\')) => {
                value.push(bytes[at + 1]);
                at += 2;
            }
            b'"' => {
                let (length, tolerated) = match behind(bytes, at + 1) {
                    Behind::Closed(more) => {
                        (at + 1 + more, inner.then_some("the quotes inside the value are not escaped"))
                    }
                    // What is left out may be more of the value.
                    Behind::Missing if is_cut && at + 1 + blanks_at(bytes, at + 1) >= bytes.len() => {
                        return Err(VALUE_LIMIT_TEXT);
                    }
                    Behind::Missing => (at + 1, Some("the closing bracket is missing")),
                    Behind::Text => {
                        first_quote.get_or_insert((at, value.len()));
                        inner = true;
                        value.push(byte);
                        at += 1;
                        continue;
                    }
                };
                return done(name, value, value_at, length, tolerated);
            }
            _ => {
                value.push(byte);
                at += 1;
            }
        }
    }
    if is_cut {
        return Err(VALUE_LIMIT_TEXT);
    }
    // No closing quote in this line. Text behind the first quote is not the value's: moves, most likely.
    if let Some((quote, length)) = first_quote {
        value.truncate(length);
        return done(name, value, value_at, quote + 1, Some("the closing bracket is missing"));
    }
    // Files that escape nothing have values that end in a backslash: `[Site "C:\games\"]`.
    if let Some(close) = memchr::memmem::find(&bytes[value_at..], b"\\\"]").map(|found| value_at + found) {
        let value = bytes[value_at..=close].to_vec();
        return done(name, value, value_at, close + 3, Some("the backslash at the end of the value is not escaped"));
    }
    Err("a closing quote in the same line")
}

/// Reads a value that nobody put in quotes: `[Round 3]`.
fn unquoted<'a>(line: &'a str, name: &'a str, at: usize) -> Result<RawTag<'a>, &'static str> {
    let close = memchr(b']', &line.as_bytes()[at..]).map(|found| at + found);
    let end = close.unwrap_or(line.len());
    let value = line[at..end].trim();
    if value.contains('"') {
        return Err("one tag name and a value in quotes");
    }
    if close.is_none() {
        return Err("quotes around the value and a closing bracket");
    }
    done(name, value.as_bytes().to_vec(), at, end + 1, Some("the value has no quotes"))
}

fn done<'a>(
    name: &'a str,
    value: Vec<u8>,
    value_at: usize,
    length: usize,
    tolerated: Option<&'static str>,
) -> Result<RawTag<'a>, &'static str> {
    // Only whole characters were copied, so this cannot fail.
    let value = String::from_utf8(value).map_err(|_| "text in UTF-8")?;
    Ok(RawTag { name, value, value_at, length, tolerated })
}
