//! What the forms found, made into games with their places, notes and reports.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use smallvec::SmallVec;

use crate::board::{Direction, Square, Variant};
use crate::notation::limits;
use crate::notation::{
    Code, Diagnostic, LineKind, Mark, Note, NoteKind, ParsedGame, ParsedLine, ParsedMove, Severity, Sign, Variation,
};

use super::clean::{Cleaned, EditKind};
use super::columns::{self, ColumnMove};
use super::line_index::LineIndex;
use super::moves::{self, ColumnEntry, FoundMove, List};
use super::prose::NamedPlay;
use super::table::GameTable;

/// A sentence about asterisks.
static LEGEND: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)[^.!?|]*(?:\basterisks?\b|\bstars?\b[^.!?|]*\bmoves?\b|\bstarred\b)[^.!?|]*")
        .expect("a constant pattern")
});
/// Words of a legend by which an asterisk marks what loses.
const LOSING_WORDS: [&str; 4] = ["losing", "loses", "lose", "lost"];
/// Words of a legend by which it marks the only move.
const SAVING_WORDS: [&str; 4] = ["only move", "star move", "best move", "saves"];

/// The longest label taken from a heading, in characters.
const MAX_LABEL_BYTES: usize = 60;

/// Makes games.
pub(super) struct Builder<'a> {
    cleaned: &'a Cleaned<'a>,
    places: &'a LineIndex<'a>,
    variant: Variant,
    games: Vec<ParsedGame>,
    diagnostics: Vec<Diagnostic>,
    /// What an asterisk means, from the legends read so far, and how far that is.
    legend: Option<Mark>,
    legend_read: usize,
    /// The letters of notes to come, with the plies of the last game they stand at; none when no note can follow.
    letters: Option<Vec<(char, u32)>>,
    /// Whether play that is too much was reported.
    told_full: bool,
}

impl<'a> Builder<'a> {
    /// A builder without games.
    pub(super) const fn new(cleaned: &'a Cleaned<'a>, places: &'a LineIndex<'a>, variant: Variant) -> Self {
        Self {
            cleaned,
            places,
            variant,
            games: Vec::new(),
            diagnostics: Vec::new(),
            legend: None,
            legend_read: 0,
            letters: None,
            told_full: false,
        }
    }

    /// The games, and what is to be reported outside them.
    pub(super) fn finish(self) -> (Vec<ParsedGame>, Vec<Diagnostic>) {
        (self.games, self.diagnostics)
    }

    /// Whether a text has as much play as is read of one; the first play beyond that, at byte `at`, is reported.
    pub(super) fn is_full(&mut self, at: usize) -> bool {
        let is_full = self.games.len() >= limits::MAX_PLAYS;
        if is_full && !self.told_full {
            self.told_full = true;
            let expected = format!("at most {} games, openings and lines in one text", limits::MAX_PLAYS);
            let large = Diagnostic::new(Severity::Error, Code::TooLarge, self.location(at)).found("more play");
            self.diagnostics
                .push(large.expected(expected).hint("nothing is read from here on; cut the text into several"));
        }
        is_full
    }

    /// Takes in a table, a game a column; `heading` is the last one above it.
    pub(super) fn table(&mut self, table: &GameTable, heading: Option<Range<usize>>) {
        self.letters = None;
        self.read_legends(table.range.start);
        let label = self.label(heading);
        for (column, number) in table.numbers.iter().enumerate() {
            let cells = table.rows.iter().filter_map(|row| row.get(column)).cloned();
            if let Some(mut game) = self.column(cells) {
                game.label = Some(format!("{label} {number}"));
                self.games.push(game);
            }
        }
        if let Some(at) = table.broken {
            let found = self.cleaned.text.get(at..table.range.end.max(at + 60).min(self.cleaned.text.len()));
            let diagnostic = Diagnostic::new(Severity::Error, Code::Unreadable, self.location(at))
                .found(found.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" "))
                .expected(format!("a row of {} cells", table.numbers.len()))
                .hint("the rows from here on were not read: restore the bar that is missing or too many");
            self.diagnostics.push(diagnostic);
        }
    }

    /// The game of one column; `None` when it has no move.
    fn column(&self, cells: impl Iterator<Item = Range<usize>>) -> Option<ParsedGame> {
        let mut game: Option<ParsedGame> = None;
        let mut holes = Vec::new();
        for range in cells {
            let cell = moves::cell(&self.cleaned.text, range.clone(), self.variant.geometry().squares());
            let Some(inner) = moves::trimmed(&self.cleaned.text, range.clone()) else {
                holes.push(range);
                continue;
            };
            let game = game.get_or_insert_with(|| self.game(LineKind::Game, inner.clone()));
            if game.verdict.is_some() {
                self.report(game, Severity::Error, Code::AfterEnd, &inner, "nothing below the result");
                continue;
            }
            game.span.end = self.cleaned.original_range(inner.clone()).end as u64;
            if !matches!(cell, ColumnEntry::Result(_)) && !game.line.moves.is_empty() {
                for hole in holes.drain(..) {
                    self.placeholder(game, &hole);
                    self.report(
                        game,
                        Severity::Error,
                        Code::UnknownMove,
                        &hole,
                        "a move between those above and below",
                    );
                }
            }
            holes.clear();
            match cell {
                ColumnEntry::Move(found, starred) => {
                    self.add(game, &found);
                    if starred {
                        self.star(game, &inner);
                    }
                }
                ColumnEntry::Result(verdict) => game.verdict = Some(verdict),
                ColumnEntry::Empty | ColumnEntry::Unknown => {
                    self.placeholder(game, &inner);
                    self.report(game, Severity::Error, Code::UnknownToken, &inner, "a move or a result");
                }
            }
        }
        game.filter(|game| !game.line.moves.is_empty())
    }

    /// Takes in an opening told in prose.
    pub(super) fn opening(&mut self, opening: &NamedPlay) {
        self.letters = None;
        let text = &self.cleaned.text;
        let mut game = self.game(LineKind::Opening, opening.range.clone());
        let name = normal(&text[opening.name.clone()]);
        let name = name.trim_end_matches([',', '.']);
        let name = name.strip_prefix("The ").or_else(|| name.strip_prefix("the ")).unwrap_or(name);
        let mut letters = name.chars();
        game.label =
            Some(letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect()));
        game.stated_plies = opening.stated;
        if self.cleaned.edits_in(opening.name.clone()).iter().any(|edit| edit.kind == EditKind::Word) {
            self.repaired(&mut game, &opening.name, name);
        }
        for found in &opening.list.moves {
            self.add(&mut game, found);
        }
        self.edits(&mut game, opening);
        self.cut(&mut game, &opening.list);
        let count = u32::try_from(opening.list.moves.len()).unwrap_or(u32::MAX);
        if let Some(stated) = opening.stated.filter(|&stated| stated != count) {
            let expected = format!("{stated} moves, as the text says");
            let diagnostic = Diagnostic::new(Severity::Warning, Code::CountDiffers, game.location)
                .at(game.number, count)
                .found(format!("{count} moves"))
                .expected(expected);
            game.diagnostics.push(diagnostic);
        }
        let remark = normal(&text[opening.remark.clone()]);
        if remark.contains(char::is_alphanumeric) {
            game.line.notes.push(Note { ply: count, kind: NoteKind::Comment(remark) });
        }
        game.line.notes.sort_by_key(|note| note.ply);
        self.games.push(game);
    }

    /// Reports what was taken out of the text of an opening, its name apart. Marks of emphasis change no word.
    fn edits(&self, game: &mut ParsedGame, opening: &NamedPlay) {
        for edit in self.cleaned.edits_in(opening.range.clone()) {
            let in_name = edit.clean.start >= opening.name.start && edit.clean.end <= opening.name.end;
            if edit.kind == EditKind::Emphasis || in_name {
                continue;
            }
            let ply = opening.list.moves.iter().filter(|found| found.range.start < edit.clean.start).count() as u32;
            let place = self.places.at(edit.original.start);
            let (severity, read) = match edit.kind {
                EditKind::PageMark => (Severity::Note, "read as a page mark".to_owned()),
                _ => (Severity::Warning, format!("read as {}", &self.cleaned.text[edit.clean.clone()])),
            };
            let written = self.cleaned.written_edit(edit);
            game.line.notes.push(Note { ply, kind: NoteKind::Repaired(written.to_owned()) });
            let diagnostic = Diagnostic::new(severity, Code::Repaired, place).at(game.number, ply);
            game.diagnostics.push(diagnostic.found(written).expected(read));
        }
    }

    /// Reports what stands where a list of moves should go on.
    fn cut(&self, game: &mut ParsedGame, list: &List) {
        let Some(at) = list.cut else { return };
        let rest = self.cleaned.text.get(at..).unwrap_or_default();
        let token: String = rest.chars().take(24).take_while(|&c| !matches!(c, ',' | ';' | '.')).collect();
        let first = token.split_whitespace().next().unwrap_or_default();
        if first.contains(|c: char| c.is_ascii_digit()) {
            let ply = game.line.moves.len() as u32 + 1;
            let diagnostic =
                Diagnostic::new(Severity::Error, Code::UnknownToken, self.location(at)).at(game.number, ply);
            game.diagnostics.push(diagnostic.found(token).expected("a move"));
        }
    }

    /// Takes in a paragraph that is a line of play and nothing else, perhaps with a result; false when it is not.
    pub(super) fn line(&mut self, block: Range<usize>) -> bool {
        let text = &self.cleaned.text;
        let Some(block) = moves::trimmed(text, block) else { return false };
        let list = moves::list(text, block.clone(), self.variant.geometry().squares());
        let rest = text[list.end..block.end].trim_start_matches([',', ';', '.', ' ', '\n', '\r', '\t']);
        let verdict = moves::result(rest);
        let is_all = rest.is_empty() || verdict.is_some();
        if !is_all || list.moves.len() < 2 || !list.moves.first().is_some_and(|first| self.is_opening_step(first)) {
            return false;
        }
        let mut game = self.game(LineKind::Book, block);
        game.verdict = verdict;
        for found in &list.moves {
            self.add(&mut game, found);
        }
        if let Some(order) = by_columns(text, &list.moves) {
            let down = reordered(&game.line, &order);
            // Columns are set apart by more than the one blank between the words of a line.
            let across = if is_set_wide(text, &list.moves) { std::mem::replace(&mut game.line, down) } else { down };
            game.other_readings.push(across);
        }
        self.games.push(game);
        true
    }

    /// Takes in a block of moves in columns, which is read downwards; false when it is none.
    pub(super) fn columns(&mut self, block: Range<usize>) -> bool {
        let text = &self.cleaned.text;
        let Some(block) = moves::trimmed(text, block) else { return false };
        let Some(rows) = columns::rows(text, block.clone(), self.variant.geometry().squares()) else { return false };
        let across: Vec<_> = rows.iter().flatten().collect();
        if !across.first().is_some_and(|first| self.is_opening_step(&first.found)) {
            return false;
        }
        let mut game = self.game(LineKind::Book, block);
        for (ply, entry) in (1..).zip(&across) {
            self.add(&mut game, &entry.found);
            if let Some(letter) = entry.letter {
                game.line.notes.push(Note { ply, kind: NoteKind::Comment(format!("({letter})")) });
            }
        }
        let order = down(&rows);
        let line = reordered(&game.line, &order);
        game.other_readings.push(std::mem::replace(&mut game.line, line));
        let letter = |(ply, &index): (u32, &usize)| Some((across.get(index)?.letter?, ply));
        self.letters = Some((1..).zip(&order).filter_map(letter).collect());
        self.games.push(game);
        true
    }

    /// Takes in a paragraph that belongs to the block of columns above it: a note or the result; false when it is none.
    pub(super) fn below_columns(&mut self, block: Range<usize>) -> bool {
        let Some(letters) = &self.letters else { return false };
        let text = &self.cleaned.text;
        let end = self.cleaned.original_range(block.clone()).end as u64;
        if let Some(verdict) = text.get(block.clone()).and_then(moves::result) {
            self.letters = None;
            let Some(game) = self.games.last_mut() else { return false };
            game.verdict = Some(verdict);
            game.span.end = end;
            return true;
        }
        let note = columns::note(text, block.clone(), self.variant.geometry().squares());
        let Some((note, ply)) = note.and_then(|note| {
            let ply = letters.iter().find(|(letter, _)| *letter == note.letter)?.1;
            Some((note, ply))
        }) else {
            self.letters = None;
            return false;
        };
        let mut branch = self.game(LineKind::Variation, block);
        for found in &note.moves {
            self.add(&mut branch, found);
        }
        let rest = normal(&text[note.rest]);
        if rest.contains(char::is_alphanumeric) {
            let ply = branch.line.moves.len() as u32;
            branch.line.notes.push(Note { ply, kind: NoteKind::Comment(rest) });
        }
        let Some(game) = self.games.last_mut() else { return false };
        for diagnostic in branch.diagnostics {
            let ply = ply + diagnostic.ply.saturating_sub(1);
            game.diagnostics.push(diagnostic.at(game.number, ply));
        }
        let label = Some(note.letter.to_string());
        game.variations.push(Variation { parent: None, ply, label, line: branch.line });
        game.span.end = end;
        true
    }

    /// Whether the side that begins could step so with a man: a date or a score is no move.
    fn is_opening_step(&self, found: &FoundMove) -> bool {
        let geometry = self.variant.geometry();
        let square = |index: usize| {
            found.squares.get(index).and_then(|&number| Square::from_number(u32::from(number), geometry.squares()))
        };
        let (Some(from), Some(to)) = (square(0), square(1)) else { return false };
        let steps = Direction::forward(self.variant.first_to_move());
        steps.into_iter().any(|direction| geometry.step(from, direction) == Some(to))
    }

    /// A game that stands at `range`.
    fn game(&self, kind: LineKind, range: Range<usize>) -> ParsedGame {
        let number = u32::try_from(self.games.len()).unwrap_or(u32::MAX).saturating_add(1);
        let original = self.cleaned.original_range(range);
        let mut game = ParsedGame::new(number, kind, self.places.at(original.start));
        game.span = original.start as u64..original.end as u64;
        game
    }

    /// The place in the original of a byte of the cleaned text.
    fn location(&self, clean: usize) -> crate::notation::Location {
        self.places.at(self.cleaned.original(clean))
    }

    /// Adds a move and what was repaired in it.
    fn add(&self, game: &mut ParsedGame, found: &FoundMove) {
        let place = self.location(found.range.start);
        game.line.moves.push(ParsedMove { squares: found.squares.clone(), sign: found.sign, location: place });
        if let Some(slip) = &found.repaired {
            let read: Vec<_> = found.squares.iter().map(ToString::to_string).collect();
            self.repaired(game, slip, &read.join("-"));
        }
    }

    /// Adds a placeholder for a move that nobody can read.
    fn placeholder(&self, game: &mut ParsedGame, range: &Range<usize>) {
        let place = self.location(range.start);
        game.line.moves.push(ParsedMove { squares: SmallVec::new(), sign: Sign::Silent, location: place });
    }

    /// Notes and reports a slip at the last ply.
    fn repaired(&self, game: &mut ParsedGame, range: &Range<usize>, read: &str) {
        let written = self.cleaned.written(range.clone());
        let ply = game.line.moves.len() as u32;
        game.line.notes.push(Note { ply, kind: NoteKind::Repaired(written.to_owned()) });
        self.report(game, Severity::Warning, Code::Repaired, range, &format!("read as {read}"));
    }

    /// Attaches an asterisk to the last ply, as the book's legend has it.
    fn star(&self, game: &mut ParsedGame, range: &Range<usize>) {
        let ply = game.line.moves.len() as u32;
        let kind = match self.legend {
            Some(mark) => NoteKind::Mark(mark),
            None => {
                self.report(
                    game,
                    Severity::Note,
                    Code::UnknownMark,
                    range,
                    "a legend that tells what the asterisk means",
                );
                NoteKind::Comment("*".to_owned())
            }
        };
        game.line.notes.push(Note { ply, kind });
    }

    /// Reports something about the last ply.
    fn report(&self, game: &mut ParsedGame, severity: Severity, code: Code, range: &Range<usize>, expected: &str) {
        let diagnostic = Diagnostic::new(severity, code, self.location(range.start))
            .at(game.number, game.line.moves.len() as u32)
            .found(self.cleaned.written(range.clone()).trim())
            .expected(expected);
        game.diagnostics.push(diagnostic);
    }

    /// Reads the legends before byte `end`. The last one holds until another says something else.
    fn read_legends(&mut self, end: usize) {
        let text = self.cleaned.text.get(self.legend_read..end).unwrap_or_default();
        for sentence in LEGEND.find_iter(text) {
            let sentence = normal(sentence.as_str()).to_lowercase();
            let has = |words: &[&str]| words.iter().any(|word| sentence.contains(word));
            match (has(&LOSING_WORDS), has(&SAVING_WORDS)) {
                (true, false) => self.legend = Some(Mark::Losing),
                (false, true) => self.legend = Some(Mark::Star),
                _ => {}
            }
        }
        self.legend_read = self.legend_read.max(end);
    }

    /// What the games of a table are called: the heading in the singular, or `game`.
    fn label(&self, heading: Option<Range<usize>>) -> String {
        let heading = heading.map(|range| normal(&self.cleaned.text[range]).to_lowercase()).unwrap_or_default();
        let heading = heading.trim_end_matches(|c: char| !c.is_alphanumeric());
        match heading.strip_suffix("games") {
            Some(start) if heading.chars().count() <= MAX_LABEL_BYTES => format!("{start}game"),
            _ => "game".to_owned(),
        }
    }
}

/// Whether two blanks at least stand between any two moves of one line.
fn is_set_wide(text: &str, found: &[FoundMove]) -> bool {
    let gaps = found.iter().zip(found.iter().skip(1)).filter_map(|(a, b)| text.get(a.range.end..b.range.start));
    gaps.filter(|gap| !gap.contains('\n')).all(|gap| gap.contains("  ") || gap.contains('\t'))
}

/// The order of moves read down the columns of a block; `None` for a single line or ragged columns.
fn by_columns(text: &str, found: &[FoundMove]) -> Option<Vec<usize>> {
    let mut rows: Vec<Vec<usize>> = Vec::new();
    let mut end = None;
    for (index, each) in found.iter().enumerate() {
        let breaks = end.is_none_or(|end: usize| text.get(end..each.range.start).is_some_and(|gap| gap.contains('\n')));
        match rows.last_mut() {
            Some(row) if !breaks => row.push(index),
            _ => rows.push(vec![index]),
        }
        end = Some(each.range.end);
    }
    let columns = rows.first().map_or(0, Vec::len);
    let ragged = rows.windows(2).any(|pair| matches!(pair, [above, below] if below.len() > above.len()));
    if rows.len() < 2 || columns < 2 || ragged {
        return None;
    }
    Some((0..columns).flat_map(|column| rows.iter().filter_map(move |row| row.get(column).copied())).collect())
}

/// The order of the moves of a block read down its columns; the moves are counted across.
fn down(rows: &[Vec<ColumnMove>]) -> Vec<usize> {
    let mut starts = Vec::with_capacity(rows.len());
    let mut count = 0;
    for row in rows {
        starts.push(count);
        count += row.len();
    }
    let columns = rows.first().map_or(0, Vec::len);
    let in_column = |column: usize| {
        rows.iter().zip(&starts).filter(move |(row, _)| column < row.len()).map(move |(_, start)| start + column)
    };
    (0..columns).flat_map(in_column).collect()
}

/// The line with its moves in another order, each with its notes.
fn reordered(line: &ParsedLine, order: &[usize]) -> ParsedLine {
    let mut plies = vec![0; line.moves.len() + 1];
    for (ply, &old) in (1..).zip(order) {
        if let Some(new) = plies.get_mut(old + 1) {
            *new = ply;
        }
    }
    let new_ply = |note: &Note| plies.get(note.ply as usize).copied().unwrap_or_default();
    let mut notes: Vec<_> =
        line.notes.iter().map(|note| Note { ply: new_ply(note), kind: note.kind.clone() }).collect();
    notes.sort_by_key(|note| note.ply);
    ParsedLine { moves: order.iter().filter_map(|&index| line.moves.get(index).cloned()).collect(), notes }
}

/// A text with single blanks.
fn normal(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
