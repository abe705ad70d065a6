//! What a file is, by its first bytes: so that nothing replaces a file of another kind by accident.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// Bytes that are looked at.
const HEAD_BYTES: u64 = 64 * 1024;
/// Rows that must have the same number of cells.
const SAMPLED_ROWS: usize = 20;
/// The longest heading of a column, in bytes.
const MAX_HEADING_BYTES: usize = 80;
/// Where SQLite keeps the number of the program that a database belongs to, and that of Crownhead.
const APPLICATION_ID_BYTES: std::ops::Range<usize> = 68..72;
const CROWNHEAD_ID: &[u8] = b"CrHd";

/// The kind of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// No bytes at all.
    Empty,
    /// A Crownhead database.
    Database,
    /// An SQLite database of another program.
    OtherDatabase,
    /// A PNG picture.
    Png,
    /// An SVG picture.
    Svg,
    /// Portable Draughts Notation.
    Pdn,
    /// JSON, as one value or one per line.
    Json,
    /// Comma-separated values, two columns or more.
    Csv,
    /// One word per line: values with one column, or a list of someone's own.
    Words,
    /// A graph for Graphviz.
    Dot,
    /// A table as it is printed, with rules of box-drawing characters or Markdown bars.
    Table,
    /// The certificate of a proof.
    Certificate,
    /// Weights of the evaluation.
    Weights,
    /// An endgame database.
    Endings,
    /// HTML or XML.
    Markup,
    /// Any other text.
    Text,
    /// Anything else.
    Binary,
}

/// First bytes that decide.
const KNOWN_HEADS: &[(&[u8], FileKind)] = &[
    (b"\x89PNG\r\n", FileKind::Png),
    (b"CHEVAL1\n", FileKind::Weights),
    (b"CROWNEG\n", FileKind::Endings),
    (b"PK\x03\x04", FileKind::Binary),
    (b"%PDF-", FileKind::Binary),
    (b"\xff\xd8\xff", FileKind::Binary),
    (b"GIF8", FileKind::Binary),
    (b"\x1f\x8b", FileKind::Binary),
    (b"\x28\xb5\x2f\xfd", FileKind::Binary),
];

impl FileKind {
    /// The kind of the file at `path`.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(path: &Path) -> io::Result<Self> {
        let mut head = Vec::new();
        File::open(path)?.take(HEAD_BYTES).read_to_end(&mut head)?;
        Ok(Self::from_head(&head))
    }

    /// The kind of a file that begins with `head`.
    #[must_use]
    pub fn from_head(head: &[u8]) -> Self {
        if head.is_empty() {
            return Self::Empty;
        }
        if head.starts_with(b"SQLite format 3\0") {
            let is_ours = head.get(APPLICATION_ID_BYTES) == Some(CROWNHEAD_ID);
            return if is_ours { Self::Database } else { Self::OtherDatabase };
        }
        if let Some((_, kind)) = KNOWN_HEADS.iter().find(|(first, _)| head.starts_with(first)) {
            return *kind;
        }
        if head.contains(&0) {
            return Self::Binary;
        }
        let text = String::from_utf8_lossy(head);
        Self::from_text(text.trim_start_matches('\u{feff}').trim_start())
    }

    fn from_text(text: &str) -> Self {
        let starts = |word: &str| text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        if text.is_empty() {
            Self::Empty
        } else if starts("crownhead-certificate ") {
            Self::Certificate
        } else if text.starts_with('<') {
            if text.contains("<svg") { Self::Svg } else { Self::Markup }
        } else if ["digraph", "graph", "strict graph", "strict digraph"].iter().any(|word| starts(word))
            && text.contains('{')
        {
            Self::Dot
        } else if is_json(text) {
            Self::Json
        } else if text.lines().any(is_tag) {
            Self::Pdn
        } else if is_table(text) {
            Self::Table
        } else {
            from_rows(text)
        }
    }

    /// What to call it in a message.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Empty => "an empty file",
            Self::Database => "a Crownhead database",
            Self::OtherDatabase => "an SQLite database",
            Self::Png => "a PNG picture",
            Self::Svg => "an SVG picture",
            Self::Pdn => "a PDN file",
            Self::Json => "a JSON file",
            Self::Csv => "a CSV file",
            Self::Words => "a list of words",
            Self::Dot => "a graph",
            Self::Table => "a printed table",
            Self::Certificate => "a certificate",
            Self::Weights => "a file of weights",
            Self::Endings => "an endgame database",
            Self::Markup => "a file of HTML or XML",
            Self::Text => "a text file",
            Self::Binary => "a binary file",
        }
    }
}

/// Whether `text` begins as JSON does. A tag of PDN begins with a bracket, too.
fn is_json(text: &str) -> bool {
    let after = |text: &str| text.get(1..).and_then(|rest| rest.trim_start().chars().next());
    if text.starts_with('{') {
        return matches!(after(text), Some('"' | '}'));
    }
    text.starts_with('[') && matches!(after(text), Some('{' | '[' | ']' | '"' | '-' | '0'..='9'))
}

/// Whether a line is a tag of PDN, such as `[Event "Match"]`.
fn is_tag(line: &str) -> bool {
    let Some((name, rest)) = line.trim_start().strip_prefix('[').and_then(|rest| rest.split_once([' ', '\t'])) else {
        return false;
    };
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name && rest.trim_start().starts_with('"')
}

fn is_table(text: &str) -> bool {
    let is_markdown =
        text.starts_with('|') && text.lines().nth(1).is_some_and(|line| line.starts_with("|") && line.contains("---"));
    is_markdown || text.contains(|c| matches!(c, '\u{2500}'..='\u{257f}'))
}

/// Tells values in columns from other text: every row has as many cells as the heading.
fn from_rows(text: &str) -> FileKind {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    // The last row that is looked at may have been cut.
    let is_whole = (text.len() as u64) < HEAD_BYTES - 8;
    let mut rows: Vec<csv::StringRecord> = reader.records().map_while(Result::ok).take(SAMPLED_ROWS + 1).collect();
    if rows.len() > SAMPLED_ROWS || !is_whole {
        rows.pop();
    }
    let Some(heading) = rows.first() else { return FileKind::Text };
    let is_heading =
        heading.iter().all(|cell| !cell.is_empty() && cell.len() <= MAX_HEADING_BYTES && cell.trim() == cell);
    if !is_heading || rows.iter().any(|row| row.len() != heading.len()) {
        FileKind::Text
    } else if heading.len() > 1 {
        FileKind::Csv
    } else if heading.iter().any(|cell| cell.contains(char::is_whitespace)) {
        FileKind::Text
    } else {
        FileKind::Words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_their_first_bytes() {
        let database = |id: &[u8]| [b"SQLite format 3\0".as_slice(), &[0; 52], id].concat();
        let is = |bytes: &[u8], kind: FileKind| {
            assert_eq!(FileKind::from_head(bytes), kind, "{:?}", String::from_utf8_lossy(bytes));
        };
        is(b"", FileKind::Empty);
        is(b"\r\n", FileKind::Empty);
        is(&database(b"CrHd"), FileKind::Database);
        is(&database(b"\0\0\0\0"), FileKind::OtherDatabase);
        is(b"SQLite format 3\0", FileKind::OtherDatabase);
        is(b"\x89PNG\r\n\x1a\n", FileKind::Png);
        is(b"<?xml version=\"1.0\"?>\n<svg xmlns=\"x\">", FileKind::Svg);
        is(b"<!DOCTYPE html><p>x</p>", FileKind::Markup);
        is(b"[Event \"A\"]\n[Black \"B\"]\n\n1. 11-15 *\n", FileKind::Pdn);
        is(b"% made by hand\n[Event \"A\"]\n", FileKind::Pdn);
        is(b"[\n  {\"id\": 1}\n]", FileKind::Json);
        is(b"[]\n", FileKind::Json);
        is(b"{\"id\":1}\n{\"id\":2}\n", FileKind::Json);
        is(b"{a comment} 1. 11-15 *", FileKind::Text);
        is("\u{feff}id,kind\r\n1,game\r\n".as_bytes(), FileKind::Csv);
        is(b"winner,number of games\nblack,2\n", FileKind::Csv);
        is(b"id,note\n1,\"two\nlines, with a comma\"\n", FileKind::Csv);
        is(b"move\n11-15\n9-14\n", FileKind::Words);
        is(b"my own notes", FileKind::Text);
        is(b"Hello, world", FileKind::Text);
        is(b"Dear all, this is it,\nas I said.\n", FileKind::Text);
        is(b"GAME 12. 11-15, 23-19\n8-11, 22-17\n9-14\n", FileKind::Text);
        is("id  kind\n────────\n 4  game\n".as_bytes(), FileKind::Table);
        is(b"| id | kind |\n|---:|---|\n| 4 | game |\n", FileKind::Table);
        is(b"digraph play {\n}", FileKind::Dot);
        is(b"crownhead-certificate 1\ngame 21\n", FileKind::Certificate);
        is(b"a\0b", FileKind::Binary);
    }
}
