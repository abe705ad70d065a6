//! Chunks of text to chunks of proved play. A text that makes many games or findings of a few bytes goes through in pieces, cut
//! before a game, so that neither a chunk nor what waits behind it takes much memory. The cuts depend on the text alone.

use crate::game::{ReplayOptions, Replayed, replay};
use crate::notation::{Code, Diagnostic, LeftAlone, Location, ParsedGame, Severity, book, json, limits, pdn};

use super::InputForm;
use super::chunks::{RawChunk, Skipped};

/// How to read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReadOptions {
    /// What replaying may assume.
    pub replay: ReplayOptions,
    /// How the text is to be read; `None` to tell from it.
    pub form: Option<InputForm>,
    /// Worker threads; 0 for one a core.
    pub threads: usize,
}

/// A proved piece of text.
#[derive(Debug)]
pub struct Chunk {
    /// The text, as UTF-8. Starts and ends at game boundaries.
    pub text: String,
    /// Where it starts in the whole text.
    pub start: Location,
    /// How it was read.
    pub form: InputForm,
    /// The games before it in the text.
    pub games_before: u32,
    /// What came of each game, in order.
    pub games: Vec<Replayed>,
    /// Parts without play.
    pub left_alone: Vec<LeftAlone>,
    /// What there is to report outside games.
    pub findings: Vec<Diagnostic>,
    /// Bytes of the input read so far.
    pub bytes_read: u64,
}

/// About so many bytes of memory a piece takes beside its text and moves before it is cut.
const MAX_PIECE_COST: usize = 8 << 20;
/// What a game, and what a finding or a variation of it, counts for.
const GAME_COST: usize = 1 << 10;
const ENTRY_COST: usize = 512;

/// A chunk that was stored, read once more; `form` is the name of its form.
#[must_use]
pub fn stored_chunk(text: String, form: &str, first_byte: u64, first_line: u32, options: ReplayOptions) -> Chunk {
    let start = Location { byte: first_byte, line: first_line, column: 1 };
    let variant = options.variant;
    let form = InputForm::ALL.into_iter().find(|known| known.name() == form).unwrap_or(InputForm::Pdn);
    let games: Vec<ParsedGame> = match form {
        InputForm::Pdn => pdn::PdnReader::new(&text, start, 1, variant).collect(),
        InputForm::Json => json::JsonReader::new(&text, start, 1, variant).collect(),
        InputForm::Book => book::read(&text, variant).games,
    };
    Chunk {
        start,
        form,
        games_before: 0,
        games: games.into_iter().map(|parsed| replay(parsed, options)).collect(),
        left_alone: Vec::new(),
        findings: Vec::new(),
        bytes_read: 0,
        text,
    }
}

/// A chunk or a part of one.
pub(super) struct ChunkPiece {
    pub(super) chunk: Chunk,
    /// Whether it is all of its chunk.
    pub(super) is_only: bool,
    /// Whether it is the last of its chunk.
    pub(super) is_last: bool,
}

/// What the readers of games have in common.
trait GameReader: Iterator<Item = ParsedGame> {
    fn outside(&mut self) -> Vec<Diagnostic>;
}

impl GameReader for pdn::PdnReader<'_> {
    fn outside(&mut self) -> Vec<Diagnostic> {
        self.take_outside()
    }
}

impl GameReader for json::JsonReader<'_> {
    fn outside(&mut self) -> Vec<Diagnostic> {
        self.take_outside()
    }
}

/// Parses a chunk, replays its games, and hands its pieces to `give` until that returns false; whether it never did.
pub(super) fn pieces(raw: RawChunk, options: &ReadOptions, give: &mut dyn FnMut(ChunkPiece) -> bool) -> bool {
    let variant = options.replay.variant;
    if let Some(skipped) = raw.skipped {
        let mut chunk = chunk_of(&raw);
        if skipped == Skipped::First {
            chunk.games.push(refused(raw.start));
        }
        chunk.text = raw.text;
        return give(ChunkPiece { chunk, is_only: true, is_last: true });
    }
    match raw.form {
        InputForm::Book => {
            let found = book::read(&raw.text, variant);
            let mut chunk = chunk_of(&raw);
            chunk.games = found.games.into_iter().map(|parsed| replay(parsed, options.replay)).collect();
            chunk.left_alone = found.left_alone;
            chunk.findings.splice(0..0, found.diagnostics);
            chunk.text = raw.text;
            give(ChunkPiece { chunk, is_only: true, is_last: true })
        }
        InputForm::Pdn => {
            let reader = pdn::PdnReader::new(&raw.text, raw.start, 1, variant);
            let rest = through(&raw, options, reader, give);
            rest.is_some_and(|rest| give(rest.finish(raw)))
        }
        InputForm::Json => {
            let reader = json::JsonReader::new(&raw.text, raw.start, 1, variant);
            let rest = through(&raw, options, reader, give);
            rest.is_some_and(|rest| give(rest.finish(raw)))
        }
    }
}

/// What came of a chunk behind the pieces that were handed over.
struct Rest {
    games: Vec<Replayed>,
    findings: Vec<Diagnostic>,
    start: Location,
}

impl Rest {
    fn finish(mut self, raw: RawChunk) -> ChunkPiece {
        let is_only = self.start == raw.start;
        let mut chunk = chunk_of(&raw);
        (chunk.games, chunk.start) = (self.games, self.start);
        chunk.findings.append(&mut self.findings);
        let from = (self.start.byte - raw.start.byte) as usize;
        chunk.text = if is_only { raw.text } else { raw.text.get(from..).unwrap_or_default().to_owned() };
        ChunkPiece { chunk, is_only, is_last: true }
    }
}

/// Replays the games of `reader` and hands full pieces to `give`; `None` once that returns false.
fn through(
    raw: &RawChunk,
    options: &ReadOptions,
    mut reader: impl GameReader,
    give: &mut dyn FnMut(ChunkPiece) -> bool,
) -> Option<Rest> {
    let mut rest = Rest { games: Vec::new(), findings: Vec::new(), start: raw.start };
    let (mut before, mut cost) = (0, 0);
    for mut parsed in reader.by_ref() {
        let place = parsed.location;
        if cost >= MAX_PIECE_COST {
            let at = |place: Location| (place.byte - raw.start.byte) as usize;
            let text = raw.text.get(at(rest.start)..at(place)).unwrap_or_default().to_owned();
            before += rest.games.len() as u32;
            let games = std::mem::take(&mut rest.games);
            let chunk = Chunk { text, start: rest.start, games, ..chunk_of(raw) };
            (rest.start, cost) = (place, 0);
            if !give(ChunkPiece { chunk, is_only: false, is_last: false }) {
                return None;
            }
        }
        // Games are counted from the start of their piece.
        parsed.number -= before;
        for finding in parsed.diagnostics.iter_mut().filter(|finding| finding.game > 0) {
            finding.game -= before;
        }
        let variations = parsed.variations.len();
        let replayed = replay(parsed, options.replay);
        cost += GAME_COST + ENTRY_COST * (variations + replayed.findings.len());
        rest.games.push(replayed);
    }
    rest.findings = reader.outside();
    Some(rest)
}

/// A chunk without games.
fn chunk_of(raw: &RawChunk) -> Chunk {
    let guessed = Diagnostic::new(Severity::Warning, Code::Encoding, raw.start)
        .found("bytes that are not UTF-8")
        .expected("UTF-8")
        .hint("read as Windows-1252; convert the file if names look wrong");
    Chunk {
        text: String::new(),
        start: raw.start,
        form: raw.form,
        games_before: 0,
        games: Vec::new(),
        left_alone: Vec::new(),
        findings: if raw.guessed { vec![guessed] } else { Vec::new() },
        bytes_read: raw.bytes_read,
    }
}

/// A game that has too much text, which starts at `place`.
fn refused(place: Location) -> Replayed {
    let large = Diagnostic::new(Severity::Error, Code::TooLarge, place).at(1, 0);
    let large = large.found("a game without an end").expected(limits::Excess::Text.text());
    Replayed { game: None, findings: vec![large.hint("the game is refused; cut it into several")] }
}
