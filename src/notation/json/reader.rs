//! Texts to games: finds the objects and what stands between them.

use crate::board::Variant;
use crate::notation::limits::{Excess, MAX_GAME_BYTES};
use crate::notation::{Code, Diagnostic, LineKind, Location, ParsedGame, Severity};

use super::game::Reading;
use super::lexer::{JsonToken, Lexer, describe};
use super::split::{End, object_end};

/// How many diagnostics are kept of what stands between games.
const MAX_OUTSIDE_FINDINGS: usize = 100;

/// Reads the games of a text, one after the other.
///
/// # Examples
/// ```
/// use crownhead::{board::Variant, notation::{Location, json::JsonReader}};
///
/// let text = r#"[{"tags":[],"moves":["11-15",{"move":"23-19"}]}]"#;
/// let games: Vec<_> = JsonReader::new(text, Location::FIRST, 1, Variant::English).collect();
/// assert_eq!(games[0].line.moves.len(), 2);
/// ```
pub struct JsonReader<'a> {
    lexer: Lexer<'a>,
    number: u32,
    variant: Variant,
    outside: Vec<Diagnostic>,
    /// Brackets open outside objects, and where the first of them stands; of interest until there is an object.
    open: (usize, Option<Location>),
    had_object: bool,
}

impl<'a> JsonReader<'a> {
    /// A reader of `text`, whose first byte stands at `start` of the whole text, between two objects. Its first game gets
    /// `first_number`; games that do not tell theirs are taken for games of `variant`.
    #[must_use]
    pub const fn new(text: &'a str, start: Location, first_number: u32, variant: Variant) -> Self {
        Self {
            lexer: Lexer::new(text, start),
            number: first_number,
            variant,
            outside: Vec::new(),
            open: (0, None),
            had_object: false,
        }
    }

    /// What is to be reported of text outside games: complete when the iterator has ended.
    #[must_use]
    pub fn take_outside(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.outside)
    }
}

impl Iterator for JsonReader<'_> {
    type Item = ParsedGame;

    fn next(&mut self) -> Option<ParsedGame> {
        loop {
            self.lexer.skip_blanks();
            let place = self.lexer.location();
            let rest = self.lexer.rest();
            if rest.starts_with('{') {
                // A list may end behind what is read here, in another piece of the text.
                self.open = (0, None);
                self.had_object = true;
                let (length, closed) = match object_end(rest.as_bytes()) {
                    End::Closed(length) => (length, true),
                    End::Broken(length) => (length, false),
                    End::Open => (rest.len(), false),
                };
                let text = rest.get(..length).unwrap_or(rest);
                self.lexer.step(text.len());
                let mut game = ParsedGame::new(self.number, LineKind::Game, place);
                game.span = place.byte..place.byte + text.trim_ascii_end().len() as u64;
                self.number = self.number.saturating_add(1);
                let mut reading = Reading::new(Lexer::new(text, place), game, self.variant);
                if length > MAX_GAME_BYTES {
                    reading.give_up(Excess::Text, place);
                }
                let mut game = reading.read();
                if !closed {
                    let open = Diagnostic::new(Severity::Error, Code::Unclosed, place).at(game.number, 0);
                    game.diagnostics.push(open.found("an object").expected("a closing brace"));
                }
                return Some(game);
            }
            let (token, place) = self.lexer.next();
            match token {
                JsonToken::End => {
                    if let (1.., Some(place)) = std::mem::take(&mut self.open)
                        && !self.had_object
                    {
                        let open = Diagnostic::new(Severity::Error, Code::BadJson, place).found("[");
                        self.outside.push(open.expected("objects with the moves of games, and a closing bracket"));
                    }
                    return None;
                }
                JsonToken::Sign(b'[') => {
                    self.open.0 += 1;
                    self.open.1.get_or_insert(place);
                }
                JsonToken::Sign(b']') => self.open.0 = self.open.0.saturating_sub(1),
                JsonToken::Sign(b',') => {}
                other if self.outside.len() < MAX_OUTSIDE_FINDINGS => {
                    let stray = Diagnostic::new(Severity::Error, Code::BadJson, place).found(describe(&other));
                    self.outside.push(stray.expected("an object with the moves of a game"));
                }
                _ => {}
            }
        }
    }
}
