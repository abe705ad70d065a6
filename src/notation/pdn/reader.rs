//! Tokens to games.

use crate::board::Variant;
use crate::notation::limits::{self, Excess};
use crate::notation::{
    Code, Diagnostic, LineKind, Location, Mark, Note, NoteKind, ParsedGame, ParsedLine, ParsedMove, Severity, Sign,
    Tag, Variation,
};

use super::assembly::{Assembly, OpenVariation};
use super::cursor::{MAX_TOKEN_BYTES, TextCursor};
use super::extensions::{ANNOTATION_PREFIX, Carried};
use super::lexer::{self, PdnToken};
use super::{finish, tag, text};

/// How many diagnostics of one game are kept; the rest are counted.
const MAX_DIAGNOSTICS: usize = 500;

/// Reads the games of a text, one after the other.
///
/// # Examples
/// ```
/// use crownhead::{board::Variant, notation::{Location, pdn::PdnReader}};
///
/// let games: Vec<_> = PdnReader::new("1. 11-15 23-19 1-0", Location::FIRST, 1, Variant::English).collect();
/// assert_eq!(games[0].line.moves.len(), 2);
/// ```
pub struct PdnReader<'a> {
    cursor: TextCursor<'a>,
    number: u32,
    variant: Variant,
    outside: Vec<Diagnostic>,
}

impl<'a> PdnReader<'a> {
    /// A reader of `text`, whose first byte stands at `start` of the whole text. Its first game gets `first_number`;
    /// games without a GameType tag are taken for games of `variant`.
    #[must_use]
    pub fn new(text: &'a str, start: Location, first_number: u32, variant: Variant) -> Self {
        // Ctrl-Z ended files of CP/M and DOS, and so it does where such files were joined and cut again.
        let content = text.trim_end_matches(['\u{1a}', ' ', '\t', '\r', '\n']);
        let text = if text[content.len()..].contains('\u{1a}') { content } else { text };
        Self { cursor: TextCursor::new(text, start), number: first_number, variant, outside: Vec::new() }
    }

    /// How many bytes of its text were read: those of the games so far.
    #[must_use]
    pub const fn bytes_read(&self) -> usize {
        self.cursor.pos()
    }

    /// What is to be reported of text behind the last game: complete when the iterator has ended.
    #[must_use]
    pub fn take_outside(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.outside)
    }
}

impl Iterator for PdnReader<'_> {
    type Item = ParsedGame;

    fn next(&mut self) -> Option<ParsedGame> {
        lexer::skip_blanks(&mut self.cursor);
        self.cursor.peek()?;
        let assembly = Assembly::new(self.number, self.variant, self.cursor.location());
        match assembly.read(&mut self.cursor) {
            Ok(game) => {
                self.number = self.number.saturating_add(1);
                Some(game)
            }
            // Only at the end of the text: words and comments that no game follows.
            Err(mut diagnostics) => {
                self.outside.append(&mut diagnostics);
                None
            }
        }
    }
}

impl Assembly {
    fn new(number: u32, variant: Variant, place: Location) -> Self {
        Self {
            game: ParsedGame::new(number, LineKind::Game, place),
            variant,
            fen: None,
            terminator_place: place,
            open: Vec::new(),
            kept_out: None,
            header: false,
            body: false,
            apart: false,
            numbered: false,
            stated: None,
            anchor: None,
            late: None,
            left_out: 0,
            moves: 0,
            notes: 0,
            given_up: None,
            annotations: None,
        }
    }

    /// Reads one game.
    ///
    /// # Errors
    /// What there is to report when the text ends and held no game.
    fn read(mut self, cursor: &mut TextCursor<'_>) -> Result<ParsedGame, Vec<Diagnostic>> {
        let (start, mut end) = (cursor.pos(), self.game.location.byte);
        loop {
            let before = *cursor;
            let lines = lexer::skip_blanks(cursor);
            self.apart |= lines > 1;
            let place = cursor.location();
            let restart = *cursor;
            let token = lexer::next(cursor, self.stated.as_deref());
            let was_numbered = std::mem::replace(&mut self.numbered, false);
            match token {
                PdnToken::Move { squares, sign } => self.push(squares, sign, place),
                PdnToken::Number { value, dots } => {
                    if lines > 1 && value == 1 && dots == 1 && self.restarts(cursor) {
                        *cursor = restart;
                        break;
                    }
                    self.move_number(value, dots, place);
                }
                PdnToken::Dots if was_numbered => {
                    self.second_player();
                    self.numbered = true;
                }
                PdnToken::Dots => self.unknown(".", place, false),
                PdnToken::Bracket => {
                    if self.starts_next(cursor, lines > 0) {
                        *cursor = before;
                        break;
                    }
                    self.tag(cursor, place);
                }
                PdnToken::Comment { text, closed } => {
                    if !closed {
                        let expected = format!("comment opened at line {} is not closed", place.line);
                        let hint = "put a } where the comment ends";
                        self.report(error(Code::Unclosed, place).found("{").expected(expected).hint(hint));
                    }
                    self.comment(text, place);
                }
                PdnToken::LineComment(text) => self.comment(text, place),
                PdnToken::Open => self.open(place),
                PdnToken::Close => self.close(place),
                PdnToken::Nag(_, Some(nag)) => self.note(NoteKind::Mark(Mark::Nag(nag))),
                PdnToken::Nag(text, None) => self.unknown(text, place, false),
                PdnToken::Strength(text) => self.strength(text, place),
                PdnToken::UnknownMove => self.push(smallvec::SmallVec::new(), Sign::Silent, place),
                PdnToken::Setup(text) => self.setup_inside(text, place),
                PdnToken::StrayBrace => {
                    self.report(error(Code::Unclosed, place).found("}").expected("no comment is open here"));
                }
                PdnToken::Control(text) => {
                    self.report(text::control_bytes(text, place, "between words"));
                }
                PdnToken::Junk { text, like_move } => {
                    let as_move = like_move && (was_numbered || self.body);
                    self.unknown(text, place, as_move);
                }
                PdnToken::Asterisk { glued: true } if self.goes_on(cursor) => self.note(NoteKind::Mark(Mark::Star)),
                PdnToken::Asterisk { .. } | PdnToken::Result(_) if self.is_bare() => {
                    let stray = Diagnostic::new(Severity::Warning, Code::UnknownToken, place);
                    self.report(stray.found(cursor.since(restart)).expected("a game that this result ends"));
                }
                PdnToken::Asterisk { .. } => {
                    if self.result("*", place) {
                        end = self.behind_terminator(cursor);
                        break;
                    }
                }
                PdnToken::Result(text) => {
                    if self.result(text, place) {
                        end = self.behind_terminator(cursor);
                        break;
                    }
                }
                PdnToken::End => break,
            }
            end = cursor.byte();
            if end - self.game.location.byte > limits::MAX_GAME_BYTES as u64 {
                self.give_up(Excess::Text, place);
            }
        }
        self.game.span = self.game.location.byte..end;
        self.close_all();
        if self.header || self.body || self.game.terminator.is_some() || self.kept_out.is_some() {
            Ok(self.finish())
        } else {
            Err(self.no_game(cursor.slice(start, cursor.pos())))
        }
    }

    /// What to report of `text`, which held no game: it must not vanish in silence.
    fn no_game(mut self, text: &str) -> Vec<Diagnostic> {
        let place = self.game.location;
        let told = |text: &str| {
            let lost = Diagnostic::new(Severity::Warning, Code::UnknownToken, place);
            lost.found(text::clip(text.trim())).expected("a game that this belongs to")
        };
        for note in &self.game.line.notes {
            if let NoteKind::Comment(text) = &note.kind {
                self.game.diagnostics.push(told(text));
            }
        }
        if self.game.diagnostics.is_empty() {
            self.game.diagnostics.push(told(text));
        }
        self.tell_left_out();
        // Outside games, as the game they were read for does not exist.
        self.game.diagnostics.iter_mut().for_each(|diagnostic| diagnostic.game = 0);
        self.game.diagnostics
    }

    /// Reports the brackets that are still open.
    fn close_all(&mut self) {
        if let Some(first) = self.open.first() {
            let (place, count) = (first.location, self.open.len());
            if self.game.terminator.is_none()
                && let Some((text, place)) = self.late.take()
            {
                self.game.terminator = Some(text);
                self.terminator_place = place;
            }
            let expected = format!("bracket opened at line {} is not closed ({count} open at the end)", place.line);
            self.report(error(Code::Unclosed, place).found("(").expected(expected));
        }
    }

    fn finish(mut self) -> ParsedGame {
        finish::finish(&mut self);
        if let Some((count, place)) = self.annotations {
            let own =
                Diagnostic::new(Severity::Note, Code::OwnAnnotation, place).found(format!("{count} by Crownhead"));
            self.report(own.expected("the source's own words").hint("passed over; annotate finds them again"));
        }
        self.tell_left_out();
        if self.game.diagnostics.len() > 1 {
            self.game.diagnostics.sort_by_key(|diagnostic| diagnostic.location.byte);
        }
        self.game
    }

    fn tell_left_out(&mut self) {
        if self.left_out > 0 {
            let more = format!("{} more", self.left_out);
            let last =
                error(Code::Unreadable, self.game.location).found(more).expected("diagnostics of this game, left out");
            self.game.diagnostics.push(last.at(self.game.number, 0));
        }
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        if self.game.diagnostics.len() < MAX_DIAGNOSTICS {
            let ply = diagnostic.ply;
            self.game.diagnostics.push(diagnostic.at(self.game.number, ply));
        } else {
            self.left_out += 1;
        }
    }

    /// Whether nothing was read yet that makes a game.
    const fn is_bare(&self) -> bool {
        !self.header && !self.body && self.kept_out.is_none() && self.open.is_empty()
    }

    /// Refuses a game that passes a limit. Nothing more of it is kept, but it is read to its end.
    fn give_up(&mut self, excess: Excess, place: Location) {
        if self.given_up.is_some() {
            return;
        }
        self.given_up = Some(u32::try_from(self.open.len()).unwrap_or(u32::MAX));
        self.kept_out = Some(0);
        let game = &mut self.game;
        (game.line, game.variations, game.bad_setup) = (ParsedLine::default(), Vec::new(), true);
        // The first one tells where a header ends.
        game.tags.truncate(1);
        (self.fen, self.open) = (None, Vec::new());
        let large = error(Code::TooLarge, place).found("more of this game").expected(excess.text());
        // However many there are: this one says why nothing is stored.
        self.game.diagnostics.push(large.at(self.game.number, 0).hint("the game is refused; cut it into several"));
    }

    /// Whether a bracket is open.
    fn is_inside(&self) -> bool {
        !self.open.is_empty() || self.given_up.is_some_and(|depth| depth > 0)
    }

    #[inline]
    fn line(&mut self) -> &mut ParsedLine {
        match self.open.last() {
            Some(open) => &mut self.game.variations[open.index].line,
            None => &mut self.game.line,
        }
    }

    #[inline]
    fn push(&mut self, squares: smallvec::SmallVec<[u8; 8]>, sign: Sign, place: Location) {
        self.body = true;
        self.late = None;
        if self.kept_out.is_some() {
            return;
        }
        self.moves += 1;
        if self.moves > limits::MAX_MOVES {
            return self.give_up(Excess::Moves, place);
        }
        let likely = if self.open.is_empty() { 80 } else { 8 };
        let moves = &mut self.line().moves;
        if moves.capacity() == 0 {
            moves.reserve(likely);
        }
        moves.push(ParsedMove { squares, sign, location: place });
    }

    fn note(&mut self, kind: NoteKind) {
        if self.kept_out.is_none() {
            self.notes += 1;
            if self.notes > limits::MAX_NOTES {
                return self.give_up(Excess::Notes, self.game.location);
            }
            let line = self.line();
            line.notes.push(Note { ply: line.moves.len() as u32, kind });
        }
    }

    fn comment(&mut self, text: &str, place: Location) {
        self.apart = true;
        let (text, controls) = text::tidy(text);
        if controls {
            self.report(text::control_bytes(&text, place, "in a comment"));
        }
        match Carried::read(&text) {
            None if text.starts_with(ANNOTATION_PREFIX) => self.pass_over_annotation(place),
            Some(Carried::Note(kind)) => self.note(kind),
            Some(carried) if self.at_variation_start() => self.place_variation(carried),
            _ if text.is_empty() => {}
            _ => self.note(NoteKind::Comment(text)),
        }
    }

    /// What our own analysis found is not the source's word: its comment is left out with its glyph, and its variation whole.
    fn pass_over_annotation(&mut self, place: Location) {
        if self.kept_out.is_some() {
            return;
        }
        let (count, first) = self.annotations.unwrap_or((0, place));
        self.annotations = Some((count.saturating_add(1), first));
        if let Some(open) = self.open.last().filter(|_| self.at_variation_start()) {
            self.game.variations.truncate(open.index);
            self.kept_out = Some(self.open.len());
            return;
        }
        let line = self.line();
        let ply = line.moves.len() as u32;
        line.notes.pop_if(|last| last.ply == ply && matches!(last.kind, NoteKind::Mark(Mark::Nag(2 | 4))));
    }

    fn at_variation_start(&self) -> bool {
        let open = self.open.last().and_then(|open| self.game.variations.get(open.index));
        self.kept_out.is_none() && open.is_some_and(|variation| variation.line.moves.is_empty())
    }

    fn place_variation(&mut self, carried: Carried) {
        let open = self.open.last().map(|open| open.index);
        let Some(variation) = open.and_then(|index| self.game.variations.get_mut(index)) else { return };
        match carried {
            Carried::Label(label) => variation.label = Some(label),
            Carried::Ply(ply) => variation.ply = ply,
            Carried::Note(_) => {}
        }
    }

    fn unknown(&mut self, text: &str, place: Location, as_move: bool) {
        if self.kept_out.is_some() {
            return;
        }
        let ply =
            if self.open.is_empty() && (self.body || as_move) { self.game.line.moves.len() as u32 + 1 } else { 0 };
        let unknown = error(Code::UnknownToken, place).at(0, ply).found(text::clip(text));
        let hint = if as_move { "" } else { "put comments in braces: { … }" };
        self.report(unknown.expected("a move as square numbers, such as 11-15 or 15x22").hint(hint));
        if as_move {
            // A hole, so that what follows is not taken for the move that stood here.
            self.push(smallvec::SmallVec::new(), Sign::Silent, place);
        }
    }

    fn expected_number(&self) -> Option<u32> {
        let (number, ply) = self.anchor?;
        Some(number.saturating_add((self.game.line.moves.len() as u32 + 1).saturating_sub(ply) / 2))
    }

    /// Whether a move number 1 behind a blank line starts the next game.
    fn restarts(&self, cursor: &TextCursor<'_>) -> bool {
        // `1. ...` is the second player's move of this game.
        let mut ahead = *cursor;
        lexer::skip_blanks(&mut ahead);
        let dots = matches!(lexer::next(&mut ahead, None), PdnToken::Dots);
        !dots && self.open.is_empty() && self.body && self.expected_number().is_some_and(|expected| expected > 1)
    }

    fn move_number(&mut self, value: u32, dots: u32, place: Location) {
        self.numbered = true;
        if !self.open.is_empty() || self.kept_out.is_some() {
            return;
        }
        let plies = self.game.line.moves.len() as u32;
        let expected = self.expected_number();
        if dots == 0 && expected.unwrap_or(1) != value {
            let as_move = self.body;
            self.numbered = false;
            self.unknown(&value.to_string(), place, as_move);
            return;
        }
        match expected {
            Some(expected) if expected == value => return,
            // Nobody knows how many plies a hole stands for.
            Some(_) if self.game.line.moves.last().is_some_and(|played| played.squares.is_empty()) => {}
            Some(expected) => {
                let odd = Diagnostic::new(Severity::Warning, Code::MoveNumber, place).at(0, plies + 1);
                self.report(odd.found(value.to_string()).expected(expected.to_string()));
            }
            None => {}
        }
        self.anchor = Some((value, plies + u32::from(dots < 2)));
    }

    /// Dots behind a move number: it is the second player's, and so is the first number's anchor.
    fn second_player(&mut self) {
        let plies = self.game.line.moves.len() as u32;
        if self.open.is_empty()
            && let Some((_, ply)) = &mut self.anchor
            && *ply == plies + 1
        {
            *ply = plies;
        }
    }

    /// Whether a bracket here belongs to the next game.
    fn starts_next(&self, cursor: &TextCursor<'_>, at_line_start: bool) -> bool {
        let rest = cursor.rest();
        if self.body || self.kept_out.is_some() {
            return tag::starts(rest) || (at_line_start && tag::may_start(rest));
        }
        // A header without moves ends where, behind a blank line, the next one starts as this one did.
        self.apart
            && self.game.tags.first().is_some_and(|first| {
                let line = cursor.line_text();
                tag::read(line, false).is_ok_and(|next| next.name.eq_ignore_ascii_case(&first.name))
            })
    }

    fn tag(&mut self, cursor: &mut TextCursor<'_>, place: Location) {
        let line = cursor.line_text();
        // Only a line as long as that is looked at to its end.
        let is_cut = line.len() + 4 > MAX_TOKEN_BYTES && !cursor.ends_line(line.len());
        let raw = match tag::read(line, is_cut) {
            Ok(raw) => raw,
            Err(tag::VALUE_LIMIT_TEXT) => {
                self.header = true;
                let length = cursor.long_tag();
                let long = error(Code::BadTag, place).found(text::clip(line)).expected(tag::VALUE_LIMIT_TEXT);
                self.report(long.hint("the tag is skipped"));
                cursor.step(length);
                return;
            }
            Err(expected) => {
                self.header |= tag::may_start(line.as_bytes());
                let length = tag::damaged_length(line);
                let found = text::clip(line.get(..length).unwrap_or(line));
                self.report(error(Code::BadTag, place).found(found).expected(expected).hint("the tag is skipped"));
                cursor.step(length);
                return;
            }
        };
        self.header = true;
        self.apart = false;
        if let Some(tolerated) = raw.tolerated {
            let found = text::clip(line.get(..raw.length).unwrap_or(line));
            let odd = Diagnostic::new(Severity::Warning, Code::BadTag, place);
            self.report(odd.found(found).expected(tolerated).hint(format!("read as {}", text::clip(&raw.value))));
        }
        let mut value = raw.value;
        if text::has_control(&value) {
            self.report(text::control_bytes(&value, place, "in a tag"));
            value = text::replace_control(&value);
        }
        // Only so many are looked through: a header of a million tags must not take a million squared steps.
        if self.game.tags.iter().take(64).any(|tag| tag.name.eq_ignore_ascii_case(raw.name)) {
            let twice = Diagnostic::new(Severity::Warning, Code::DuplicateTag, place);
            self.report(twice.found(raw.name).expected("each tag once").hint("the first one counts"));
        } else if raw.name.eq_ignore_ascii_case("FEN") && self.given_up.is_none() {
            cursor.step(raw.value_at);
            self.fen = Some((value.clone(), cursor.location()));
            cursor.step(raw.length - raw.value_at);
            self.game.tags.push(Tag { name: raw.name.to_owned(), value, location: place });
            return;
        } else if raw.name.eq_ignore_ascii_case("Result") && !text::is_usual_result(&value) {
            self.stated = Some(value.clone());
        }
        if self.game.tags.len() >= limits::MAX_TAGS {
            self.give_up(Excess::Tags, place);
        } else if self.given_up.is_none() {
            self.game.tags.push(Tag { name: raw.name.to_owned(), value, location: place });
        }
        cursor.step(raw.length);
    }

    fn open(&mut self, place: Location) {
        if let Some(depth) = &mut self.given_up {
            *depth = depth.saturating_add(1);
            return;
        }
        if self.kept_out.is_some() {
            // Counted, so that its closing bracket is not taken for another's.
            let index = self.open.last().map_or(usize::MAX, |open| open.index);
            self.open.push(OpenVariation { location: place, index });
            return;
        }
        let parent = self.open.last().map(|open| open.index as u32);
        let ply = (self.line().moves.len() as u32).max(1);
        if self.game.variations.len() >= limits::MAX_VARIATIONS {
            return self.give_up(Excess::Variations, place);
        }
        self.game.variations.push(Variation { parent, ply, label: None, line: ParsedLine::default() });
        self.open.push(OpenVariation { location: place, index: self.game.variations.len() - 1 });
    }

    fn close(&mut self, place: Location) {
        if let Some(depth) = &mut self.given_up {
            *depth = depth.saturating_sub(1);
            return;
        }
        if self.open.pop().is_none() {
            self.report(error(Code::Unclosed, place).found(")").expected("no bracket is open here"));
        }
        if self.kept_out.is_some_and(|depth| self.open.len() < depth) {
            self.kept_out = None;
        }
        self.late = None;
    }

    fn strength(&mut self, text: &str, place: Location) {
        if let Some(mark) = Mark::from_sign(text) {
            return self.note(NoteKind::Mark(mark));
        }
        let odd = Diagnostic::new(Severity::Warning, Code::UnknownToken, place).found(text::clip(text));
        self.report(odd.expected("one of ! ? !! ?? !? ?!").hint("kept as a comment"));
        self.note(NoteKind::Comment(text::tidy(text).0));
    }

    fn setup_inside(&mut self, text: &str, place: Location) {
        let ply = if self.open.is_empty() { self.game.line.moves.len() as u32 + 1 } else { 0 };
        let inside = error(Code::SetupInside, place).at(0, ply).found(text::clip(text));
        self.report(inside.expected("one start a game").hint("what follows it is kept out; make it a game of its own"));
        if self.kept_out.is_none() {
            self.kept_out = Some(self.open.len());
        }
    }

    /// Takes a result. Returns whether it ends the game.
    fn result(&mut self, text: &str, place: Location) -> bool {
        if !self.is_inside() {
            self.game.terminator = Some(text.to_owned());
            self.terminator_place = place;
            return true;
        }
        self.note(NoteKind::Comment(text.to_owned()));
        self.late = Some((text.to_owned(), place));
        false
    }

    /// Compares a second final marker with the first.
    fn second_result(&mut self, text: &str, place: Location) {
        use text::{Meaning, meaning};
        let first = self.game.terminator.as_deref().unwrap_or_default();
        let (ended, again) = (meaning(first), meaning(text));
        if ended != again && again != Meaning::Open {
            let differ = Diagnostic::new(Severity::Warning, Code::ResultDiffers, place).found(text::clip(text));
            let expected = format!("{first}, as the final marker before it says");
            self.report(differ.expected(expected).hint("the first one counts"));
        }
    }

    /// Whether this game goes on behind an asterisk that is glued to a move: then it marks the move.
    fn goes_on(&self, cursor: &TextCursor<'_>) -> bool {
        if self.is_inside() {
            return true;
        }
        let mut ahead = *cursor;
        if lexer::skip_blanks(&mut ahead) > 1 {
            return false;
        }
        match lexer::next(&mut ahead, None) {
            PdnToken::End | PdnToken::Bracket => false,
            PdnToken::Number { value: 1, .. } => self.game.line.moves.len() < 2,
            _ => true,
        }
    }

    /// Takes the comments behind the final marker: those of its line, those that nothing follows, and those before a second
    /// marker, which ends no game of its own. Returns where the game ends.
    fn behind_terminator(&mut self, cursor: &mut TextCursor<'_>) -> u64 {
        let mut end = cursor.byte();
        let (mut ahead, mut waiting) = (*cursor, Vec::new());
        let (mut same_line, mut comments_end) = (true, end);
        loop {
            same_line &= lexer::skip_blanks(&mut ahead) == 0;
            let place = ahead.location();
            match ahead.peek() {
                Some(b'{' | b';') => {}
                None => same_line = true,
                Some(_) => {
                    let Some(second) = second_terminator(&mut ahead) else { return end };
                    for (text, place) in waiting.drain(..) {
                        self.comment(text, place);
                    }
                    self.second_result(second, place);
                    (*cursor, same_line) = (ahead, true);
                    (end, comments_end) = (cursor.byte(), cursor.byte());
                    continue;
                }
            }
            match lexer::next(&mut ahead, None) {
                PdnToken::Comment { text, closed: true } | PdnToken::LineComment(text) => {
                    waiting.push((text, place));
                    comments_end = ahead.byte();
                }
                PdnToken::End => {}
                // Left to the next game, which reports it.
                _ => return end,
            }
            if same_line {
                for (text, place) in waiting.drain(..) {
                    self.comment(text, place);
                }
                *cursor = ahead;
                end = comments_end;
            }
            if ahead.peek().is_none() && waiting.is_empty() {
                return end;
            }
        }
    }
}

/// The final marker that stands here, if one does and is no start of a move: its text, which is then passed over.
fn second_terminator<'a>(ahead: &mut TextCursor<'a>) -> Option<&'a str> {
    if !matches!(ahead.peek(), Some(b'*' | b'0'..=b'2' | 0xC2)) {
        return None;
    }
    let start = *ahead;
    match lexer::next(ahead, None) {
        PdnToken::Asterisk { .. } | PdnToken::Result(_) => Some(ahead.since(start)),
        _ => None,
    }
}

fn error(code: Code, place: Location) -> Diagnostic {
    Diagnostic::new(Severity::Error, code, place)
}
