//! Strict PDN 3.0 export.

use crate::board::{Color, Square};

/// How many characters a line of move text may have.
const LINE_WIDTH: usize = 80;

/// One game to write.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PdnDocument<'a> {
    /// Names and values of the tags, in the order to write them.
    pub tags: Vec<(&'a str, &'a str)>,
    /// The side whose moves are numbered `1.`; the other side's are `1...`.
    pub first_player: Color,
    /// The number of the first move.
    pub first_number: u32,
    /// Moves and what stands between them.
    pub events: Vec<PdnEvent<'a>>,
    /// The final marker: `1-0`, `*`.
    pub terminator: &'a str,
}

/// One step of a game's text. Variations are flat: a start, moves, an end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PdnEvent<'a> {
    /// A move as [`move_text`] writes it, and who makes it.
    Move {
        /// The text.
        text: String,
        /// Who makes it.
        color: Color,
    },
    /// A comment. Closing braces become closing brackets, as PDN has no way to write them; line ends become blanks.
    Comment(&'a str),
    /// A numeric annotation glyph of the last move.
    Nag(u8),
    /// A variation starts, in place of the last move.
    VariationStart,
    /// It ends.
    VariationEnd,
}

/// A move as numbers: `11-15`, or for a capture all squares visited, `15x22x31`.
#[must_use]
pub fn move_text(squares: &[Square], is_capture: bool) -> String {
    let mut text = String::with_capacity(8);
    for (index, square) in squares.iter().enumerate() {
        if index > 0 {
            text.push(if is_capture { 'x' } else { '-' });
        }
        text.push_str(&square.number().to_string());
    }
    text
}

/// Writes a game: tags, a blank line, move text in lines of at most 80 characters, a blank line.
///
/// # Examples
/// ```
/// use crownhead::board::Color;
/// use crownhead::notation::pdn::{PdnDocument, PdnEvent, write};
///
/// let moves = [("11-15", Color::Black), ("23-19", Color::White)];
/// let events = moves.map(|(text, color)| PdnEvent::Move { text: text.to_owned(), color }).to_vec();
/// let (first_player, first_number) = (Color::Black, 1);
/// let game = PdnDocument { tags: vec![("Event", "x")], first_player, first_number, events, terminator: "*" };
/// assert_eq!(write(&game), "[Event \"x\"]\n\n1. 11-15 23-19 *\n\n");
/// ```
#[must_use]
pub fn write(document: &PdnDocument<'_>) -> String {
    let mut out = Lines { text: String::with_capacity(256 + 8 * document.events.len()), column: 0, glued: true };
    for (name, value) in &document.tags {
        out.tag(name, value);
    }
    if !document.tags.is_empty() {
        out.text.push('\n');
    }
    moves(&mut out, document);
    out.word(document.terminator);
    out.text.push_str("\n\n");
    out.text
}

/// The numbers of a line of moves.
#[derive(Clone, Copy)]
struct Count {
    next: u32,
    /// The number of the last move, which a variation replaces.
    last: u32,
}

fn moves(out: &mut Lines, document: &PdnDocument<'_>) {
    let mut count = Count { next: document.first_number, last: document.first_number };
    let mut outer = Vec::new();
    // A second player's move has its number at the start, behind a bracket and behind a comment.
    let mut restart = true;
    for event in &document.events {
        match event {
            PdnEvent::Move { text, color } => {
                let first = *color == document.first_player;
                count.last = count.next;
                match (first, restart) {
                    (true, _) => out.word(&format!("{}. {text}", count.next)),
                    (false, true) => out.word(&format!("{}... {text}", count.next)),
                    (false, false) => out.word(text),
                }
                if !first {
                    count.next = count.next.saturating_add(1);
                }
                restart = false;
            }
            PdnEvent::Comment(text) => {
                out.comment(text);
                restart = true;
            }
            PdnEvent::Nag(nag) => out.word(&format!("${nag}")),
            PdnEvent::VariationStart => {
                outer.push(count);
                count.next = count.last;
                out.word("(");
                out.glued = true;
                restart = true;
            }
            PdnEvent::VariationEnd => {
                // An end without a start would make text that nobody can read.
                let Some(before) = outer.pop() else { continue };
                count = before;
                out.close();
                restart = true;
            }
        }
    }
    for _ in outer {
        out.close();
    }
}

struct Lines {
    text: String,
    column: usize,
    /// The next word stands right behind the last.
    glued: bool,
}

impl Lines {
    fn tag(&mut self, name: &str, value: &str) {
        self.text.push('[');
        self.text.push_str(name);
        self.text.push_str(" \"");
        for c in value.chars() {
            match c {
                '"' | '\\' => self.text.extend(['\\', c]),
                '\n' | '\r' => self.text.push(' '),
                _ => self.text.push(c),
            }
        }
        self.text.push_str("\"]\n");
    }

    /// Writes a word behind a blank, or in a new line where this one is full.
    fn word(&mut self, word: &str) {
        let width = word.chars().count();
        if self.glued || self.column == 0 {
            self.glued = false;
        } else if self.column + 1 + width > LINE_WIDTH && !starts_anew(word) {
            self.text.push('\n');
            self.column = 0;
        } else {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(word);
        self.column += width;
    }

    fn close(&mut self) {
        self.text.push(')');
        self.column += 1;
        self.glued = false;
    }

    fn comment(&mut self, text: &str) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        let whole = format!("{{{}}}", text.replace('}', ")").replace("\r\n", " ").replace(['\n', '\r'], " "));
        // Blanks that stand together stay together in one line, so that the comment is read back as it was.
        let mut rest = whole.as_str();
        while !rest.is_empty() {
            let blank = rest.match_indices(' ').map(|(at, _)| at).find(|&at| {
                let around = |c: Option<char>| c.is_some_and(|c| !c.is_whitespace());
                around(rest[..at].chars().next_back()) && around(rest[at + 1..].chars().next())
            });
            let end = blank.unwrap_or(rest.len());
            self.word(&rest[..end]);
            rest = rest.get(end + 1..).unwrap_or_default();
        }
    }
}

/// Whether a line that starts with this word would be read as a tag or passed over.
fn starts_anew(word: &str) -> bool {
    word.starts_with(['[', '%'])
}
