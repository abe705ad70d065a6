//! One object to one game.
//!
//! The shape is fixed: a game has tags, moves and variations; a variation has moves; a move has lists of texts. So no
//! function here calls itself; what is not of this shape is passed over by counting brackets.

use std::collections::HashMap;

use smallvec::SmallVec;

use crate::board::{Color, Outcome, Variant, Winner};
use crate::notation::limits::{self, Excess};
use crate::notation::{
    Code, Diagnostic, LineKind, Location, Mark, Note, NoteKind, ParsedGame, ParsedLine, ParsedMove, Severity, Sign,
    Tag, Variation, Verdict, fen,
};

use super::lexer::{JsonToken, Lexer, describe};

/// How many diagnostics of one game are kept.
const MAX_DIAGNOSTICS: usize = 500;

/// Broken JSON was met: nothing more of this object is read.
pub(super) struct Broken;

type JsonStep<T> = Result<T, Broken>;

/// The value of a key: a token that is whole by itself, or the start of a list or an object.
type JsonValue<'a> = (JsonToken<'a>, Location);

/// What is known of a line besides its moves: texts by kind at one ply, and the order they stand in.
#[derive(Default)]
struct Notes {
    marks: Vec<String>,
    repairs: Vec<String>,
    comments: Vec<String>,
    order: Vec<String>,
}

/// A variation with the ids that say where it hangs.
struct JsonBranch {
    id: Option<u64>,
    parent: Option<u64>,
    ply: u32,
    label: Option<String>,
    line: ParsedLine,
    location: Location,
}

/// A game being read.
pub(super) struct Reading<'a> {
    lexer: Lexer<'a>,
    game: ParsedGame,
    variant: Variant,
    id: Option<u64>,
    game_type: Option<u64>,
    start: Option<(String, Location)>,
    /// `None` where the key is missing: a `null` says that the source wrote no result.
    result: Option<Option<String>>,
    winner: Option<Winner>,
    verdict: Option<String>,
    has_moves: bool,
    first: Notes,
    branches: Vec<JsonBranch>,
    /// Moves and texts of all lines.
    moves: usize,
    texts: usize,
    /// A limit was passed: the game is refused.
    given_up: bool,
}

impl<'a> Reading<'a> {
    /// A reading of the object that `lexer` is at.
    pub(super) fn new(lexer: Lexer<'a>, game: ParsedGame, variant: Variant) -> Self {
        Self {
            lexer,
            game,
            variant,
            id: None,
            game_type: None,
            start: None,
            result: None,
            winner: None,
            verdict: None,
            has_moves: false,
            first: Notes::default(),
            branches: Vec::new(),
            moves: 0,
            texts: 0,
            given_up: false,
        }
    }

    /// Refuses a game that passes a limit: nothing more of the object is read.
    pub(super) fn give_up(&mut self, excess: Excess, place: Location) -> Broken {
        if !self.given_up {
            self.given_up = true;
            let large = Diagnostic::new(Severity::Error, Code::TooLarge, place).at(self.game.number, 0);
            self.game.diagnostics.push(large.found("more of this game").expected(excess.text()));
        }
        Broken
    }

    /// Reads the object. What is broken is reported, and what stood before it is kept.
    pub(super) fn read(mut self) -> ParsedGame {
        self.lexer.next();
        if self.given_up {
            self.settle();
            return self.game;
        }
        // Broken or not, what was read is settled.
        let _ = self.keys();
        self.settle();
        self.game
    }

    fn keys(&mut self) -> JsonStep<()> {
        while let Some((key, value)) = self.key()? {
            match key.as_str() {
                "id" => self.id = self.number(value)?,
                "game_type" => self.game_type = self.number(value)?,
                "plies" => self.game.stated_plies = self.number(value)?.and_then(|plies| plies.try_into().ok()),
                "kind" => {
                    let kinds = [LineKind::Game, LineKind::Book, LineKind::Opening];
                    let kind = self.word(value, &kinds, LineKind::name)?;
                    self.game.kind = kind.unwrap_or(self.game.kind);
                }
                "status" => self.game.cut_short = self.text(value)?.as_deref() == Some("partly"),
                "label" => self.game.label = self.text(value)?,
                "result" => self.result = Some(self.text(value)?),
                "winner" => {
                    let winners = [Winner::Black, Winner::White, Winner::Draw, Winner::Unknown];
                    self.winner = self.word(value, &winners, Winner::name)?;
                }
                "verdict" => self.verdict = self.text(value)?,
                "start" => {
                    let place = value.1;
                    self.start = self.text(value)?.map(|text| (text, place));
                }
                "tags" => self.list(value, "tags", Self::tag)?,
                "moves" => {
                    self.has_moves |= value.0 == JsonToken::Sign(b'[');
                    let line = self.moves(value)?;
                    self.game.line.moves.extend(line.moves);
                    self.game.line.notes.extend(line.notes);
                }
                "variations" => self.list(value, "variations", Self::variation)?,
                "comments" => self.first.comments = self.texts(value)?,
                "marks" => self.first.marks = self.texts(value)?,
                "repairs" => self.first.repairs = self.texts(value)?,
                "order" => self.first.order = self.texts(value)?,
                _ => self.pass_over(value)?,
            }
        }
        Ok(())
    }

    fn tag(&mut self, value: JsonValue<'a>) -> JsonStep<()> {
        let place = value.1;
        if self.game.tags.len() >= limits::MAX_TAGS {
            return Err(self.give_up(Excess::Tags, place));
        }
        if value.0 != JsonToken::Sign(b'{') {
            return self.wrong(value, Severity::Warning, "a tag with name and value");
        }
        let (mut name, mut content) = (None, None);
        while let Some((key, value)) = self.key()? {
            match key.as_str() {
                "name" => name = self.text(value)?,
                "value" => content = self.text(value)?,
                _ => self.pass_over(value)?,
            }
        }
        let is_name = |name: &String| {
            name.starts_with(|c: char| c.is_ascii_alphabetic())
                && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
        };
        match (name.filter(is_name), content) {
            (Some(name), Some(value)) => self.game.tags.push(Tag { name, value: one_line(&value), location: place }),
            _ => self.report(
                Severity::Warning,
                Code::BadTag,
                place,
                "a tag",
                "a name of letters and digits, and a value",
            ),
        }
        Ok(())
    }

    fn variation(&mut self, value: JsonValue<'a>) -> JsonStep<()> {
        let place = value.1;
        if self.branches.len() >= limits::MAX_VARIATIONS {
            return Err(self.give_up(Excess::Variations, place));
        }
        if value.0 != JsonToken::Sign(b'{') {
            return self.wrong(value, Severity::Error, "a variation with ply and moves");
        }
        let mut branch =
            JsonBranch { id: None, parent: None, ply: 0, label: None, line: ParsedLine::default(), location: place };
        let mut first = Notes::default();
        // What was read of a variation is kept when the rest of it is broken.
        let read = self.branch_keys(&mut branch, &mut first);
        branch.line.notes.splice(0..0, first.take(0));
        self.branches.push(branch);
        read
    }

    fn branch_keys(&mut self, branch: &mut JsonBranch, first: &mut Notes) -> JsonStep<()> {
        while let Some((key, value)) = self.key()? {
            match key.as_str() {
                "id" => branch.id = self.number(value)?,
                "parent" => branch.parent = self.number(value)?,
                "ply" => branch.ply = self.number(value)?.and_then(|ply| ply.try_into().ok()).unwrap_or(0),
                "label" => branch.label = self.text(value)?,
                "comments" => first.comments = self.texts(value)?,
                "marks" => first.marks = self.texts(value)?,
                "repairs" => first.repairs = self.texts(value)?,
                "order" => first.order = self.texts(value)?,
                "moves" => {
                    let line = self.moves(value)?;
                    branch.line.moves.extend(line.moves);
                    branch.line.notes.extend(line.notes);
                }
                _ => self.pass_over(value)?,
            }
        }
        Ok(())
    }

    fn moves(&mut self, value: JsonValue<'a>) -> JsonStep<ParsedLine> {
        let mut line = ParsedLine::default();
        if value.0 != JsonToken::Sign(b'[') {
            self.wrong(value, Severity::Error, "a list of moves")?;
            return Ok(line);
        }
        // The moves before a broken one are kept; a game is then known to go on.
        while let Ok(Some(value)) = self.item() {
            let (mut place, mut text, mut notes) = (value.1, None, Notes::default());
            self.moves += 1;
            if self.moves > limits::MAX_MOVES {
                return Err(self.give_up(Excess::Moves, place));
            }
            let read = match value.0 {
                JsonToken::String(written) => {
                    text = Some(written.into_owned());
                    Ok(())
                }
                JsonToken::Sign(b'{') => self.move_keys(&mut text, &mut place, &mut notes),
                _ => self.wrong(value, Severity::Error, "a move"),
            };
            let squares = text.as_deref().and_then(squares);
            if squares.is_none() {
                let found =
                    text.as_deref().map_or_else(|| "no text".to_owned(), |text| text.chars().take(40).collect());
                self.report(Severity::Error, Code::UnknownToken, place, &found, "a move such as 11-15 or 15x22");
            }
            let sign = if text.is_some_and(|text| text.contains('x')) { Sign::Capture } else { Sign::Quiet };
            line.moves.push(ParsedMove { squares: squares.unwrap_or_default(), sign, location: place });
            line.notes.extend(notes.take(line.moves.len() as u32));
            if read.is_err() {
                break;
            }
        }
        Ok(line)
    }

    fn move_keys(&mut self, text: &mut Option<String>, place: &mut Location, notes: &mut Notes) -> JsonStep<()> {
        while let Some((key, value)) = self.key()? {
            match key.as_str() {
                "move" => {
                    *place = value.1;
                    *text = self.text(value)?;
                }
                "marks" => notes.marks = self.texts(value)?,
                "repairs" => notes.repairs = self.texts(value)?,
                "comments" => notes.comments = self.texts(value)?,
                "order" => notes.order = self.texts(value)?,
                _ => self.pass_over(value)?,
            }
        }
        Ok(())
    }

    /// The next key of an object and the start of its value; `None` at its end.
    fn key(&mut self) -> JsonStep<Option<(String, JsonValue<'a>)>> {
        let (mut token, mut place) = self.lexer.next();
        if token == JsonToken::Sign(b',') {
            (token, place) = self.lexer.next();
        }
        match token {
            JsonToken::Sign(b'}') => Ok(None),
            JsonToken::String(key) => {
                let (colon, place) = self.lexer.next();
                if colon != JsonToken::Sign(b':') {
                    return Err(self.broken(&colon, place, "a colon behind the key"));
                }
                Ok(Some((key.into_owned(), self.lexer.next())))
            }
            other => Err(self.broken(&other, place, "a key in quotes")),
        }
    }

    /// The start of the next value of a list; `None` at its end.
    fn item(&mut self) -> JsonStep<Option<JsonValue<'a>>> {
        let (mut token, mut place) = self.lexer.next();
        if token == JsonToken::Sign(b',') {
            (token, place) = self.lexer.next();
        }
        match token {
            JsonToken::Sign(b']') => Ok(None),
            JsonToken::End | JsonToken::Sign(b'}' | b':' | b',') => {
                Err(self.broken(&token, place, "a value or the end of the list"))
            }
            other => Ok(Some((other, place))),
        }
    }

    /// Reads every value of a list with `each`.
    fn list(
        &mut self,
        value: JsonValue<'a>,
        what: &str,
        each: fn(&mut Self, JsonValue<'a>) -> JsonStep<()>,
    ) -> JsonStep<()> {
        if value.0 != JsonToken::Sign(b'[') {
            return self.wrong(value, Severity::Error, &format!("a list of {what}"));
        }
        while let Some(value) = self.item()? {
            each(self, value)?;
        }
        Ok(())
    }

    /// A list of texts.
    fn texts(&mut self, value: JsonValue<'a>) -> JsonStep<Vec<String>> {
        let mut texts = Vec::new();
        if value.0 != JsonToken::Sign(b'[') {
            self.wrong(value, Severity::Warning, "a list of texts")?;
            return Ok(texts);
        }
        while let Some(value) = self.item()? {
            self.texts += 1;
            if self.texts > limits::MAX_NOTES {
                return Err(self.give_up(Excess::Notes, value.1));
            }
            texts.extend(self.text(value)?);
        }
        Ok(texts)
    }

    /// A text; `None` for `null` and for what is none.
    fn text(&mut self, value: JsonValue<'a>) -> JsonStep<Option<String>> {
        match value.0 {
            JsonToken::String(text) => Ok(Some(text.into_owned())),
            JsonToken::Word("null") => Ok(None),
            _ => self.wrong(value, Severity::Warning, "a text in quotes").map(|()| None),
        }
    }

    /// One of `known` by its name; `None` for `null` and, with a warning, for any other text.
    fn word<T: Copy>(&mut self, value: JsonValue<'a>, known: &[T], name: fn(T) -> &'static str) -> JsonStep<Option<T>> {
        let place = value.1;
        let Some(text) = self.text(value)? else { return Ok(None) };
        let found = known.iter().copied().find(|&one| name(one) == text);
        if found.is_none() {
            let names: Vec<&str> = known.iter().map(|&one| name(one)).collect();
            let clipped: String = text.chars().take(40).collect();
            self.report(Severity::Warning, Code::BadJson, place, &clipped, &format!("one of {}", names.join(", ")));
        }
        Ok(found)
    }

    /// A number that is no fraction; `None` for `null` and for what is none.
    fn number(&mut self, value: JsonValue<'a>) -> JsonStep<Option<u64>> {
        match &value.0 {
            JsonToken::Word("null") => Ok(None),
            JsonToken::Word(word) => match word.parse() {
                Ok(number) => Ok(Some(number)),
                Err(_) => self.wrong(value, Severity::Warning, "a number without a fraction").map(|()| None),
            },
            _ => self.wrong(value, Severity::Warning, "a number").map(|()| None),
        }
    }

    /// Reports a value of the wrong type and passes over it.
    fn wrong(&mut self, value: JsonValue<'a>, severity: Severity, expected: &str) -> JsonStep<()> {
        self.report(severity, Code::BadJson, value.1, &describe(&value.0), expected);
        self.pass_over(value)
    }

    /// Passes over a value, however deep it is.
    fn pass_over(&mut self, (token, place): JsonValue<'a>) -> JsonStep<()> {
        let mut depth = match token {
            JsonToken::Sign(b'{' | b'[') => 1_usize,
            JsonToken::String(_) | JsonToken::Word(_) => return Ok(()),
            other => return Err(self.broken(&other, place, "a value")),
        };
        while depth > 0 {
            let (token, place) = self.lexer.next();
            match token {
                JsonToken::Sign(b'{' | b'[') => depth += 1,
                JsonToken::Sign(b'}' | b']') => depth -= 1,
                JsonToken::End => return Err(self.broken(&token, place, "a closing bracket")),
                _ => {}
            }
        }
        Ok(())
    }

    fn broken(&mut self, token: &JsonToken<'_>, place: Location, expected: &str) -> Broken {
        self.report(Severity::Error, Code::BadJson, place, &describe(token), expected);
        Broken
    }

    fn report(&mut self, severity: Severity, code: Code, place: Location, found: &str, expected: &str) {
        if self.game.diagnostics.len() < MAX_DIAGNOSTICS {
            let told = Diagnostic::new(severity, code, place).at(self.game.number, 0);
            self.game.diagnostics.push(told.found(found).expected(expected));
        }
    }

    /// Puts what was read where it belongs.
    fn settle(&mut self) {
        let place = self.game.location;
        if self.given_up {
            (self.game.line, self.game.tags, self.game.bad_setup) = (ParsedLine::default(), Vec::new(), true);
            return;
        }
        if !self.has_moves {
            self.game.bad_setup = true;
            self.report(
                Severity::Error,
                Code::BadJson,
                place,
                "an object without moves",
                "a game as export json writes it",
            );
            return;
        }
        self.game.line.notes.splice(0..0, std::mem::take(&mut self.first).take(0));
        self.settle_start();
        self.settle_result();
        self.settle_branches();
    }

    fn settle_start(&mut self) {
        let place = self.game.location;
        // Another game is for the proof to judge.
        let game_type = self.game_type.filter(|&number| number != u64::from(self.variant.game_type()));
        if let Some(number) = game_type.filter(|_| self.game.tag("GameType").is_none()) {
            self.game.tags.push(Tag { name: "GameType".to_owned(), value: number.to_string(), location: place });
        }
        let Some((text, place)) = self.start.take() else { return };
        let told = self.game.tag("GameType").and_then(|value| {
            let digits: String = value.trim().chars().take_while(char::is_ascii_digit).collect();
            digits.parse().ok()
        });
        let variant = told.map_or(Some(self.variant), Variant::from_game_type);
        match variant.map(|variant| fen::read(&text, variant)) {
            // A game of no known variant is refused all the same.
            None => self.game.bad_setup = false,
            Some(Ok(read)) => self.game.setup = Some(read.setup),
            Some(Err(error)) => {
                self.game.bad_setup = true;
                self.report(Severity::Error, Code::BadFen, place, &text, &error.to_string());
            }
        }
    }

    /// The result as written stays; who it favours, `winner` says by colour, which the Result tag repeats in the order of
    /// the variant.
    fn settle_result(&mut self) {
        let place = self.game.location;
        let tag = |value: &str| Tag { name: "Result".to_owned(), value: value.to_owned(), location: place };
        let (result, verdict) = (self.result.take(), self.verdict.take());
        let Some(winner) = self.winner else {
            // A hand-made object may have a result and no winner: the text then speaks for itself.
            self.game.tags.extend(result.flatten().map(|written| tag(&written)));
            return;
        };
        let outcome = match winner {
            Winner::Black => Some(Outcome::Won(Color::Black)),
            Winner::White => Some(Outcome::Won(Color::White)),
            Winner::Draw => Some(Outcome::Draw),
            Winner::Unknown => None,
        };
        self.game.verdict = verdict.zip(outcome).map(|(written, outcome)| Verdict { outcome, written });
        let order = self.variant.result_order();
        self.game.result_order = Some(order);
        let value = tag(match outcome {
            Some(Outcome::Draw) => "1/2-1/2",
            Some(Outcome::Won(color)) if color == order.first() => "1-0",
            Some(Outcome::Won(_)) => "0-1",
            None => "*",
        });
        match (result, &self.game.verdict) {
            // Without a result of its own the winner is one.
            (None, None) if outcome.is_some() => self.game.tags.push(value),
            // The source wrote none, and the board decides.
            (None | Some(None), None) => {}
            (written, _) => {
                self.game.tags.push(value);
                self.game.original_result = Some(written.flatten().unwrap_or_default());
            }
        }
    }

    fn settle_branches(&mut self) {
        let mut known: HashMap<u64, u32> = HashMap::new();
        for branch in std::mem::take(&mut self.branches) {
            let parent = match branch.parent.filter(|parent| Some(*parent) != self.id) {
                None => None,
                Some(parent) => match known.get(&parent) {
                    Some(index) => Some(*index),
                    None => {
                        let what = format!("a variation of line {parent}");
                        self.report(
                            Severity::Error,
                            Code::BadJson,
                            branch.location,
                            &what,
                            "a line that stands before it",
                        );
                        continue;
                    }
                },
            };
            if branch.ply == 0 {
                self.report(
                    Severity::Error,
                    Code::BadJson,
                    branch.location,
                    "a variation",
                    "the ply it replaces, from 1",
                );
                continue;
            }
            known.extend(branch.id.map(|id| (id, self.game.variations.len() as u32)));
            let JsonBranch { ply, label, line, .. } = branch;
            self.game.variations.push(Variation { parent, ply, label, line });
        }
    }
}

impl Notes {
    /// The notes of a ply in the order told, else marks, repairs, comments. Blank texts are none.
    fn take(self, ply: u32) -> Vec<Note> {
        let Self { marks, repairs, comments, order } = self;
        let mut marks = marks.into_iter().map(|text| mark(&text));
        let mut repairs = repairs.into_iter().map(NoteKind::Repaired);
        let mut comments = comments.into_iter().map(|text| NoteKind::Comment(one_line(&text)));
        let mut kinds = Vec::new();
        for kind in order {
            kinds.extend(match kind.as_str() {
                "mark" => marks.next(),
                "repair" => repairs.next(),
                "comment" => comments.next(),
                _ => None,
            });
        }
        kinds.extend(marks.chain(repairs).chain(comments));
        kinds.retain(|kind| !matches!(kind, NoteKind::Comment(text) | NoteKind::Repaired(text) if text.is_empty()));
        kinds.into_iter().map(|kind| Note { ply, kind }).collect()
    }
}

/// A mark by its name; one that has no such name is words.
fn mark(text: &str) -> NoteKind {
    Mark::from_name(text).map_or_else(|| NoteKind::Comment(one_line(text)), NoteKind::Mark)
}

/// A text as all readers keep it: in one line, without blanks at its ends, without control characters.
fn one_line(text: &str) -> String {
    let text = text.trim().replace("\r\n", " ");
    text.chars()
        .map(|c| match c {
            '\n' | '\r' => ' ',
            c if c.is_control() && c != '\t' => char::REPLACEMENT_CHARACTER,
            c => c,
        })
        .collect()
}

/// The squares of a move's text: numbers with `-` or `x` between.
fn squares(text: &str) -> Option<SmallVec<[u8; 8]>> {
    let squares: Option<SmallVec<[u8; 8]>> =
        text.trim().split(['-', 'x', ':']).map(|number| number.parse().ok().filter(|&n| n > 0)).collect();
    squares.filter(|squares| (2..=24).contains(&squares.len()))
}
