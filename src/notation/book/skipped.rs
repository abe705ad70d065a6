//! What a text has that is no play, summed up.
//!
//! Between two pieces of play, all paragraphs that are left for the same reason make one entry, so that a book has a
//! handful of them; only a heading over laws or another game starts one of its own. An entry stands where the first of
//! its paragraphs starts.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::notation::LeftAlone;

use super::clean::Cleaned;
use super::line_index::LineIndex;

/// Why a part of a book yields no play: the text of [`LeftAlone::reason`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// Laws of the game.
    Laws,
    /// A picture of a board in signs or numbers.
    Diagram,
    /// Words about another game.
    AnotherGame,
    /// Numbers that look like moves, in a form that no reader knows.
    UnknownForm,
    /// Words that mention moves but give no line of play.
    ProseWithMoves,
    /// Words.
    Prose,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Self; 6] =
        [Self::Laws, Self::Diagram, Self::AnotherGame, Self::UnknownForm, Self::ProseWithMoves, Self::Prose];

    /// The words printed. A promise.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Laws => "laws",
            Self::Diagram => "diagram of a board",
            Self::AnotherGame => "another game",
            Self::UnknownForm => "moves in no known form",
            Self::ProseWithMoves => "prose that mentions moves",
            Self::Prose => "prose",
        }
    }
}

/// Words of headings over other games.
const OTHER_GAME_NAMES: [&str; 10] = [
    "LOSING GAME",
    "POLISH",
    "DEVIL",
    "BACKGAMMON",
    "TRIC-TRAC",
    "GIVE-AWAY",
    "GIVE AWAY",
    "FOX AND GEESE",
    "SPANISH",
    "TURKISH",
];
/// Words that no book on draughts uses of its own game. The Russian word is a counter, never a draughtsman.
const OTHER_WORDS: [&str; 3] = ["backgammon", "dice-box", "фишк"];

/// A written move, or two numbers side by side.
static MENTION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b\d{1,2}(?:\s*[-–—]\s*|\s+to\s+|\s)\d{1,2}\b").expect("a constant pattern"));
/// A written move with its sign.
static SIGNED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b\d{1,2}\s?[-–—]\s?\d{1,2}\b").expect("a constant pattern"));

/// What kind of paragraph one is.
enum ParagraphKind {
    /// A heading, and the reason that everything below it has, if it tells.
    Heading(Option<Reason>),
    /// A few words that belong to what stands around them.
    Caption,
    /// Anything else.
    Body(Reason),
}

/// Paragraphs left for one reason.
struct SkippedRun {
    start: usize,
    lines: u32,
    what: String,
    reason: Reason,
}

/// The paragraphs left alone so far.
#[derive(Default)]
pub(super) struct Left {
    runs: Vec<SkippedRun>,
    /// The first run after the last play: the paragraphs to come join it or a later one.
    open: usize,
    /// The run of the last paragraph.
    last: Option<usize>,
    section: Option<Reason>,
    heading: Option<Range<usize>>,
}

impl Left {
    /// Takes in a paragraph of `text`.
    pub(super) fn add(&mut self, text: &str, range: Range<usize>) {
        let part = text.get(range.clone()).unwrap_or_default();
        let lines = part.lines().filter(|line| !line.trim().is_empty()).count();
        if lines == 0 {
            return;
        }
        let kind = kind(part);
        let is_new = matches!(kind, ParagraphKind::Heading(Some(_)));
        let reason = match kind {
            ParagraphKind::Heading(section) => {
                self.heading = Some(range.clone());
                self.section = section;
                Some(section.unwrap_or(Reason::Prose))
            }
            ParagraphKind::Caption => None,
            ParagraphKind::Body(reason) => {
                if let Some(section) = run_in_heading(part) {
                    self.section = section;
                }
                Some(self.section.unwrap_or(reason))
            }
        };
        let lines = u32::try_from(lines).unwrap_or(u32::MAX);
        let reason = reason.or_else(|| self.last.and_then(|last| self.runs.get(last)).map(|run| run.reason));
        let reason = reason.unwrap_or(Reason::Prose);
        let open = self.runs.iter_mut().enumerate().skip(if is_new { usize::MAX } else { self.open });
        let joined = open.rev().filter_map(|(index, run)| Some((index, join(run.reason, reason)?, run))).next();
        if let Some((index, joined, run)) = joined {
            run.reason = joined;
            run.lines = run.lines.saturating_add(lines);
            self.last = Some(index);
            return;
        }
        let start = range.start + (part.len() - part.trim_start().len());
        self.last = Some(self.runs.len());
        self.runs.push(SkippedRun { start, lines, what: first_words(part), reason });
    }

    /// Notes that play stands here: what follows has entries of its own, and an old heading no longer tells its kind.
    pub(super) fn play(&mut self) {
        self.open = self.runs.len();
        self.last = None;
        self.section = None;
    }

    /// The last heading.
    pub(super) fn heading(&self) -> Option<Range<usize>> {
        self.heading.clone()
    }

    /// The entries, with their places in the original.
    pub(super) fn finish(self, cleaned: &Cleaned<'_>, places: &LineIndex<'_>) -> Vec<LeftAlone> {
        self.runs
            .into_iter()
            .map(|run| LeftAlone {
                location: places.at(cleaned.original(run.start)),
                lines: run.lines,
                what: run.what,
                reason: run.reason.name().to_owned(),
            })
            .collect()
    }
}

/// The reason of a run and one more paragraph, if they go together.
fn join(run: Reason, next: Reason) -> Option<Reason> {
    match (run, next) {
        (run, next) if run == next => Some(run),
        (Reason::Prose | Reason::ProseWithMoves, Reason::Prose | Reason::ProseWithMoves) => {
            Some(Reason::ProseWithMoves)
        }
        _ => None,
    }
}

/// What kind of paragraph this is.
fn kind(part: &str) -> ParagraphKind {
    let words = part.split_whitespace().count();
    if words <= 12 && is_title(part) {
        return ParagraphKind::Heading(section(part));
    }
    if words <= 3 && !part.contains(|c: char| c.is_ascii_digit()) {
        return ParagraphKind::Caption;
    }
    ParagraphKind::Body(reason(part))
}

/// Whether a text is printed in capitals.
fn is_title(part: &str) -> bool {
    part.chars().filter(|c| c.is_alphabetic()).count() >= 3
        && !part.contains('|')
        && !part.chars().any(char::is_lowercase)
}

/// The reason that a heading gives to everything below it.
fn section(heading: &str) -> Option<Reason> {
    if OTHER_GAME_NAMES.iter().any(|name| heading.contains(name)) {
        return Some(Reason::AnotherGame);
    }
    let is_law = |word: &str| matches!(word.trim_matches(|c: char| !c.is_alphabetic()), "LAW" | "LAWS" | "RULES");
    heading.split_whitespace().any(is_law).then_some(Reason::Laws)
}

/// What a heading in capitals that opens a paragraph says, if there is one: `LOSING GAME. In this …`.
fn run_in_heading(part: &str) -> Option<Option<Reason>> {
    let (title, _) = part.trim_start().split_once('.')?;
    (title.split_whitespace().count() <= 6 && title.len() >= 4 && is_title(title)).then(|| section(title))
}

/// Why a paragraph of its own yields nothing.
fn reason(part: &str) -> Reason {
    if OTHER_WORDS.iter().any(|word| part.contains(word)) {
        return Reason::AnotherGame;
    }
    let words = part.split_whitespace().count();
    let is_number = |word: &&str| {
        let bare = word.trim_matches(|c: char| !c.is_ascii_digit());
        !bare.is_empty() && !word.contains(char::is_alphabetic)
    };
    let numbers = part.split_whitespace().filter(is_number).count();
    let is_sign = |word: &&str| !word.chars().any(char::is_alphanumeric) || word.chars().count() == 1;
    let signs = part.split_whitespace().filter(is_sign).count();
    if words >= 8 && signs >= 2 && (numbers + signs) * 10 >= words * 7 {
        return if is_numbering(part) { Reason::Diagram } else { Reason::UnknownForm };
    }
    let signed = SIGNED.find_iter(part).take(8).count();
    if words >= 4 && (numbers * 10 >= words * 6 || signed == 8 && (numbers + signs) * 10 >= words * 5) {
        return Reason::UnknownForm;
    }
    if part.contains(" shall ") {
        return Reason::Laws;
    }
    if MENTION.is_match(part) { Reason::ProseWithMoves } else { Reason::Prose }
}

/// Whether no number stands twice: a board has each square once, moves soon repeat a square.
fn is_numbering(part: &str) -> bool {
    let mut seen = [false; 100];
    part.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty()).all(|number| {
        let slot = number.parse().ok().and_then(|number: usize| seen.get_mut(number));
        slot.is_some_and(|seen| !std::mem::replace(seen, true))
    })
}

/// The first words of a paragraph, for people.
fn first_words(part: &str) -> String {
    let mut words = String::new();
    for word in part.split_whitespace().take(8) {
        if !words.is_empty() {
            words.push(' ');
        }
        words.extend(word.chars().take(40));
        if words.chars().count() >= 60 {
            break;
        }
    }
    words
}
