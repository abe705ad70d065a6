//! Findings as rows of `verify`, and as lines for people with the place in the text.

use crate::game::Diagnostic;
use crate::import::ImportError;
use crate::intake::Chunk;
use crate::notation::Code;
use crate::render::{ExcerptOptions, excerpt, thousands};
use crate::table::{Cell, Column, Row};

use super::error::Exit;

/// A row of `verify`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FindingRow {
    /// The input.
    pub(super) file: String,
    /// What there is to report.
    pub(super) finding: Diagnostic,
}

impl Row for FindingRow {
    const COLUMNS: &'static [Column] = &[
        Column::path("file", 5),
        Column::number("line", 0).grouped("place"),
        Column::number("column", 0).grouped("place"),
        Column::number("game", 3).grouped("game"),
        Column::number("ply", 3).grouped("game"),
        Column::text("severity", 2),
        Column::text("code", 0),
        Column::text("found", 0),
        Column::text("expected", 1),
        Column::text("hint", 6),
    ];

    fn values(self) -> Vec<Cell> {
        let finding = self.finding;
        let or_null = |number: u32| if number == 0 { Cell::Null } else { number.into() };
        let text = |text: String| if text.is_empty() { Cell::Null } else { text.into() };
        vec![
            self.file.into(),
            finding.location.line.into(),
            finding.location.column.into(),
            or_null(finding.game),
            or_null(finding.ply),
            finding.severity.name().into(),
            finding.code.name().into(),
            text(finding.found),
            text(finding.expected),
            text(finding.hint),
        ]
    }
}

/// The most findings that are shown of one input, and of all inputs of a command: a text may make millions.
const MAX_PER_INPUT: u64 = 10_000;
const MAX_IN_TOTAL: u64 = 100_000;

/// Counts findings and says which of them are shown.
#[derive(Default)]
pub(super) struct Quota {
    all: u64,
    /// Findings of the last input.
    input: u64,
    /// Inputs with more findings than are shown, and how many more.
    left_out: Vec<(String, u64)>,
    last: String,
}

impl Quota {
    /// Whether another finding of the input called `name` is shown.
    pub(super) fn admits(&mut self, name: &str) -> bool {
        if self.last != name {
            (self.last, self.input) = (name.to_owned(), 0);
        }
        if self.input < MAX_PER_INPUT && self.all < MAX_IN_TOTAL {
            self.input += 1;
            self.all += 1;
            return true;
        }
        match self.left_out.last_mut() {
            Some((of, more)) if of == name => *more += 1,
            _ => self.left_out.push((name.to_owned(), 1)),
        }
        false
    }

    /// What was left out, a line per input.
    pub(super) fn left_out(&self) -> impl Iterator<Item = String> {
        self.left_out.iter().map(|(name, more)| format!("{name}: and {} more, not shown.", thousands(*more)))
    }
}

/// How a command ends whose inputs all could be opened, some of them breaking off behind games that were read.
pub(super) fn broken_off(unreadable: &[ImportError], some_read: bool) -> Option<Exit> {
    let is_damage = |error: &ImportError| matches!(error, ImportError::Intake(error) if error.is_damage());
    (some_read && !unreadable.is_empty() && unreadable.iter().all(is_damage)).then_some(Exit::No)
}

/// A finding as it is told on stderr: one line, and one for the advice.
pub(super) fn text(file: &str, finding: &Diagnostic) -> String {
    let place = finding.location;
    let mut text = format!("{file}:{}:{}: {}[{}]", place.line, place.column, finding.severity.name(), finding.code);
    if finding.game > 0 {
        text.push_str(&format!(" game {}", finding.game));
    }
    if finding.ply > 0 {
        text.push_str(&format!(" ply {}", finding.ply));
    }
    text.push_str(&format!(": {}", finding.found));
    if !finding.expected.is_empty() {
        text.push_str(&format!(": {}", finding.expected));
    }
    if !finding.hint.is_empty() {
        text.push_str(&format!(" ({})", finding.hint));
    }
    // What was found may have line ends of its own, and may not pass for another finding.
    if text.contains(['\n', '\r']) { text.replace(['\n', '\r'], " ") } else { text }
}

/// The line of the text that a finding of `chunk` is about, with carets under its place; `None` for what is about no place.
pub(super) fn excerpt_of(chunk: &Chunk, finding: &Diagnostic, options: ExcerptOptions) -> Option<String> {
    if matches!(finding.code, Code::Encoding | Code::Unreadable) {
        return None;
    }
    let at = usize::try_from(finding.location.byte.checked_sub(chunk.start.byte)?).ok()?;
    let rest = chunk.text.get(at..)?;
    let word = rest.find(char::is_whitespace).unwrap_or(rest.len());
    let length = if rest.starts_with(&finding.found) { finding.found.len() } else { word };
    Some(excerpt(&chunk.text, at..at + length, ExcerptOptions { line: Some(finding.location.line), ..options }))
}
