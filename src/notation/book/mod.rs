//! Old books' text to play.
//!
//! Purpose: to find the play in plain text, to read it, and to leave everything else alone but say so. Four forms are
//! known: a table of games in numbered columns (`table`), openings told in prose (`prose`), a paragraph that has nothing
//! in it but moves with their signs, and a block of moves in columns with notes below it (`columns`). Scan damage with one possible reading is read so; what the source has stays with
//! the ply as a [`NoteKind::Repaired`](crate::notation::NoteKind::Repaired) and is reported.
//!
//! Invariants: every paragraph ends in a game or in an entry of [`BookText::left_alone`]; places are those of the
//! original text; a text may be one line; no step takes more than linear time for a text of any form.
//!
//! Must not know: which moves are legal.

mod build;
mod clean;
mod columns;
mod line_index;
mod moves;
mod prose;
mod skipped;
mod sniff;
mod table;

use std::ops::Range;

use crate::board::Variant;

use super::{Diagnostic, LeftAlone, ParsedGame, Verdict};

use build::Builder;
use clean::Cleaned;
use line_index::LineIndex;
use skipped::Left;

pub use skipped::Reason;
pub use sniff::looks_like_pdn;

/// What a book's text has in it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BookText {
    /// The play, in the order of the text.
    pub games: Vec<ParsedGame>,
    /// Everything else: a handful of entries, in the order of the text.
    pub left_alone: Vec<LeftAlone>,
    /// What there is to report outside the games. What concerns a game stands with it.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads the play of `variant` in a book's text.
#[must_use]
pub fn read(text: &str, variant: Variant) -> BookText {
    let cleaned = Cleaned::new(text);
    let places = LineIndex::new(text);
    let squares = variant.geometry().squares();
    let mut builder = Builder::new(&cleaned, &places, variant);
    let mut left = Left::default();
    for block in blocks(&cleaned.text) {
        let mut at = block.start;
        for play in plays(&cleaned.text, block.clone(), squares) {
            if builder.is_full(play.range().start) {
                break;
            }
            let range = play.range();
            left.add(&cleaned.text, at..range.start);
            match play {
                Play::Table(table) => builder.table(&table, left.heading()),
                Play::Opening(opening) => builder.opening(&opening),
            }
            left.play();
            at = range.end;
        }
        let is_whole = at == block.start;
        if is_whole
            && !builder.is_full(block.start)
            && (builder.below_columns(block.clone()) || builder.line(block.clone()) || builder.columns(block.clone()))
        {
            left.play();
        } else {
            left.add(&cleaned.text, at..block.end);
        }
    }
    let (games, diagnostics) = builder.finish();
    BookText { games, left_alone: left.finish(&cleaned, &places), diagnostics }
}

/// The verdict that `written` is, if it is nothing else: `Drawn.`, `W. wins`.
#[must_use]
pub fn verdict(written: &str) -> Option<Verdict> {
    moves::result(written)
}

/// Play found in a paragraph.
enum Play {
    Table(table::GameTable),
    Opening(prose::NamedPlay),
}

impl Play {
    fn range(&self) -> Range<usize> {
        match self {
            Self::Table(table) => table.range.clone(),
            Self::Opening(opening) => opening.range.clone(),
        }
    }
}

/// The play in a paragraph, in order and without overlap.
fn plays(text: &str, block: Range<usize>, squares: u8) -> Vec<Play> {
    let tables = table::all(text, block.clone(), squares).into_iter().map(Play::Table);
    let openings = prose::all(text, block, squares).into_iter().map(Play::Opening);
    let mut plays: Vec<Play> = tables.chain(openings).collect();
    plays.sort_by_key(|play| play.range().start);
    let mut end = 0;
    plays.retain(|play| {
        let range = play.range();
        let apart = range.start >= end;
        end = if apart { range.end } else { end };
        apart
    });
    plays
}

/// The paragraphs: what stands between blank lines. A table printed with blank lines between its rows is one.
fn blocks(text: &str) -> Vec<Range<usize>> {
    let mut blocks: Vec<Range<usize>> = Vec::new();
    let mut start = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        if line.trim().is_empty() {
            if let Some(start) = start.take() {
                push(text, &mut blocks, start..at);
            }
        } else if start.is_none() {
            start = Some(at);
        }
        at = end;
    }
    if let Some(start) = start {
        push(text, &mut blocks, start..at);
    }
    blocks
}

/// Adds a paragraph, to the one before where it is a row of the same table, perhaps with a rule.
fn push(text: &str, blocks: &mut Vec<Range<usize>>, block: Range<usize>) {
    let is_row = |range: &Range<usize>| {
        let part = text.get(range.clone()).unwrap_or_default().trim();
        part.starts_with(['|', '+']) && part.ends_with(['|', '+'])
    };
    let is_short = text.get(block.clone()).is_some_and(|part| part.lines().take(3).count() < 3);
    match blocks.last_mut() {
        Some(last) if is_short && is_row(&block) && is_row(last) => last.end = block.end,
        _ => blocks.push(block),
    }
}
