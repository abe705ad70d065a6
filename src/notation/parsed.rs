//! What the readers make: play as written, not yet proved.

use std::borrow::Cow;

use std::ops::Range;

use smallvec::SmallVec;

use crate::board::{Outcome, ResultOrder, Setup};

use super::{Diagnostic, Location};

/// What sort of line a piece of play is: the `kind` column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LineKind {
    /// A game that somebody played, or that a book gives as one.
    Game,
    /// Trunk play of a book: analysis, not a game.
    Book,
    /// A branch off another line.
    Variation,
    /// The moves that form a named opening.
    Opening,
}

impl LineKind {
    /// Every kind, in the order of their stored numbers.
    pub const ALL: [Self; 4] = [Self::Game, Self::Book, Self::Variation, Self::Opening];

    /// The value printed in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::Book => "book",
            Self::Variation => "variation",
            Self::Opening => "opening",
        }
    }

    /// The kind of this name, if it is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A tag as written: `[Name "value"]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tag {
    /// The name, in the letters of the source.
    pub name: String,
    /// The value, escapes resolved.
    pub value: String,
    /// Where the tag stands.
    pub location: Location,
}

/// The sign between the squares of a written move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sign {
    /// A hyphen.
    Quiet,
    /// A cross or colon.
    Capture,
    /// A blank or nothing: the writer does not say.
    Silent,
}

/// A move as written: the numbers of its squares and nothing proved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParsedMove {
    /// The square numbers in the order written, both ends included. Empty for a placeholder of an unknown move.
    pub squares: SmallVec<[u8; 8]>,
    /// The sign between them.
    pub sign: Sign,
    /// Where it stands.
    pub location: Location,
}

/// What an author thinks of a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mark {
    /// The move that loses: an asterisk, where the text's own legend says so.
    Losing,
    /// A star move: the only move, where the text or an option says so.
    Star,
    /// A numeric annotation glyph (PDN 3.0, section NAG): `!` is 1, `?` 2, `!!` 3, `??` 4, `!?` 5, `?!` 6.
    Nag(u8),
}

impl Mark {
    /// The signs that PDN numbers, from 1.
    const SIGNS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

    /// The word by which exports and the database write it: `losing`, `star`, `$1`.
    #[must_use]
    pub fn name(self) -> Cow<'static, str> {
        match self {
            Self::Losing => Cow::Borrowed("losing"),
            Self::Star => Cow::Borrowed("star"),
            Self::Nag(number) => Cow::Owned(format!("${number}")),
        }
    }

    /// The mark of this name, if it is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "losing" => Some(Self::Losing),
            "star" => Some(Self::Star),
            _ => name.strip_prefix('$')?.parse().ok().map(Self::Nag),
        }
    }

    /// The mark as people write it after a move: `??` and the like, where PDN numbers such a sign; else its name.
    #[must_use]
    pub fn sign(self) -> Cow<'static, str> {
        let sign = match self {
            Self::Nag(number) => usize::from(number).checked_sub(1).and_then(|at| Self::SIGNS.get(at)),
            Self::Losing | Self::Star => None,
        };
        sign.map_or_else(|| self.name(), |sign| Cow::Borrowed(sign))
    }

    /// The mark that people write so after a move, if it is one.
    #[must_use]
    pub fn from_sign(sign: &str) -> Option<Self> {
        (1..).zip(Self::SIGNS).find_map(|(number, known)| (known == sign).then_some(Self::Nag(number)))
    }
}

/// Something attached to a ply of a line.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Note {
    /// The ply of its line it belongs to, from 1; 0 before the first move.
    pub ply: u32,
    /// What it is.
    pub kind: NoteKind,
}

/// The kinds of [`Note`].
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum NoteKind {
    /// A comment in the source's words.
    Comment(String),
    /// A mark.
    Mark(Mark),
    /// A slip that was read in its one possible way: what the source has there.
    Repaired(String),
}

impl NoteKind {
    /// The word by which exports and the database write the kind: `comment`, `mark` or `repair`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Comment(_) => "comment",
            Self::Mark(_) => "mark",
            Self::Repaired(_) => "repair",
        }
    }

    /// What stands beside that word: the text of the comment, the name of the mark, what the source has.
    #[must_use]
    pub fn value(&self) -> Cow<'_, str> {
        match self {
            Self::Comment(text) | Self::Repaired(text) => Cow::Borrowed(text),
            Self::Mark(mark) => mark.name(),
        }
    }

    /// The note of these words, if they are such.
    #[must_use]
    pub fn from_words(name: &str, value: String) -> Option<Self> {
        match name {
            "comment" => Some(Self::Comment(value)),
            "repair" => Some(Self::Repaired(value)),
            "mark" => Mark::from_name(&value).map(Self::Mark),
            _ => None,
        }
    }

    /// Whether it marks the losing move.
    #[must_use]
    pub const fn marks_losing(&self) -> bool {
        matches!(self, Self::Mark(Mark::Losing))
    }
}

/// A line of moves with what is attached to them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ParsedLine {
    /// The moves in order.
    pub moves: Vec<ParsedMove>,
    /// Notes, ascending by ply.
    pub notes: Vec<Note>,
}

/// A branch. Branches of a game stand in one flat list, so that no depth of brackets can overflow anything.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variation {
    /// The line it leaves: `None` for the main line, else an earlier index of [`ParsedGame::variations`].
    pub parent: Option<u32>,
    /// The ply of the parent line, from 1, in whose place its first move stands.
    pub ply: u32,
    /// The label a book gives it.
    pub label: Option<String>,
    /// Its moves.
    pub line: ParsedLine,
}

/// The word of a book at the end of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// What it claims.
    pub outcome: Outcome,
    /// The word as printed: `B wins.`
    pub written: String,
}

/// One game, opening or line of a book, as a reader found it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParsedGame {
    /// Its number in the text, from 1.
    pub number: u32,
    /// What sort of line it is.
    pub kind: LineKind,
    /// The name the text gives it: the opening's name, or `illustrative game 3`.
    pub label: Option<String>,
    /// Where it starts.
    pub location: Location,
    /// The bytes of the text that it was read from.
    pub span: Range<u64>,
    /// The tags in order, repeated ones too.
    pub tags: Vec<Tag>,
    /// The set-up it starts from, where the text gives one that can be read.
    pub setup: Option<Setup>,
    /// Whether the text gives a set-up that cannot be read: the game is then refused. A diagnostic says why.
    pub bad_setup: bool,
    /// The main line. Where the text can be read in several ways, the likeliest.
    pub line: ParsedLine,
    /// Other readings of the main line, likeliest first, at most a few.
    pub other_readings: Vec<ParsedLine>,
    /// The branches, each behind the line it leaves.
    pub variations: Vec<Variation>,
    /// The final marker as written: `1-0`, `1/2-1/2`, `*`.
    pub terminator: Option<String>,
    /// The result as another source wrote it, where the text tells that it turned or tidied it; empty where that source
    /// wrote none.
    pub original_result: Option<String>,
    /// Whose score stands first in its Result tag and final marker, where the text itself tells: what a user says of the
    /// whole file does not outrank it.
    pub result_order: Option<ResultOrder>,
    /// Whether the text says that its source goes on and what follows could not be proved.
    pub cut_short: bool,
    /// The book's word at the end.
    pub verdict: Option<Verdict>,
    /// How many plies the text says the line has: a checksum.
    pub stated_plies: Option<u32>,
    /// What the reader has to report of it.
    pub diagnostics: Vec<Diagnostic>,
}

impl ParsedGame {
    /// A game that starts at `place` and has nothing in it yet.
    #[must_use]
    pub const fn new(number: u32, kind: LineKind, place: Location) -> Self {
        Self {
            number,
            kind,
            label: None,
            location: place,
            span: place.byte..place.byte,
            tags: Vec::new(),
            setup: None,
            bad_setup: false,
            line: ParsedLine { moves: Vec::new(), notes: Vec::new() },
            other_readings: Vec::new(),
            variations: Vec::new(),
            terminator: None,
            original_result: None,
            result_order: None,
            cut_short: false,
            verdict: None,
            stated_plies: None,
            diagnostics: Vec::new(),
        }
    }

    /// The value of the first tag of this name, whatever the case of its letters.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.name.eq_ignore_ascii_case(name)).map(|tag| tag.value.as_str())
    }
}

/// A part of a text that yielded no play, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeftAlone {
    /// Where it starts.
    pub location: Location,
    /// How many lines of text it has.
    pub lines: u32,
    /// Its first words, for people.
    pub what: String,
    /// Why nothing was read from it: `laws`, `prose that mentions moves`, `another game`, …
    pub reason: String,
}
