//! What workers make of proved games before the writer's thread takes them: moves packed, text compressed, index entries
//! sorted, everything that needs no database.

use std::collections::HashSet;
use std::io;

use crate::board::{Color, Move, Outcome, PieceKind, Winner};
use crate::book::Book;
use crate::game::{
    LineKind, Mark, Note, NoteKind, Replayed, ResultCheck, Status, VerifiedGame, VerifiedLine, fold, year_of,
};
use crate::rules::{Position, PositionKey};

use super::codec::{MoveCode, encode};
use super::facts;
use super::index::{IndexEntry, Posting};

/// Level of compression of raw text.
const TEXT_ZSTD_LEVEL: i32 = 1;
/// A repetition window longer than this is searched by hash.
const LONG_WINDOW_CHUNKS: usize = 64;

/// Tags with a column of their own.
pub(super) const COLUMNS: [&str; 7] = ["Event", "Site", "Date", "Round", "Black", "White", "Result"];

/// Whether the tag of this name only repeats what the stored play says itself.
pub(super) fn repeats_play(name: &str) -> bool {
    ["GameType", "SetUp", "FEN"].iter().any(|tag| name.eq_ignore_ascii_case(tag))
}

/// A chunk of proved text, ready to be stored.
#[derive(Debug)]
pub struct PreparedChunk {
    pub(super) text: Vec<u8>,
    pub(super) length: usize,
    pub(super) lines: Vec<PreparedLine>,
    /// Sorted; `posting.line` is an index into `lines`.
    pub(super) entries: Vec<IndexEntry>,
}

/// A line, ready to be stored.
#[derive(Debug)]
pub(super) struct PreparedLine {
    /// The game of the chunk it belongs to.
    pub(super) game: u32,
    /// The branch of that game; `None` for the main line.
    pub(super) branch: Option<u32>,
    pub(super) moves: Vec<u8>,
    pub(super) opening: Option<String>,
    pub(super) ballot: Option<u16>,
    pub(super) identity: Option<i64>,
    pub(super) decided: Option<Outcome>,
    pub(super) losing_ply: Option<u32>,
    pub(super) fact: [u8; facts::FACT_BYTES],
}

/// Prepares the games of a chunk of text.
///
/// # Errors
/// When the text cannot be compressed, or a move cannot be packed.
pub fn prepare(text: &str, games: &[Replayed], book: &Book) -> io::Result<PreparedChunk> {
    let mut chunk = PreparedChunk {
        text: zstd::bulk::compress(text.as_bytes(), TEXT_ZSTD_LEVEL)?,
        length: text.len(),
        lines: Vec::with_capacity(games.len()),
        entries: Vec::with_capacity(text.len() / 8),
    };
    for (index, replayed) in games.iter().enumerate() {
        let Some(game) = &replayed.game else { continue };
        let identity = Some(identity(game));
        chunk.add(index as u32, None, game, game.line(), identity, book)?;
        for (branch, variation) in game.branches().iter().enumerate() {
            chunk.add(index as u32, Some(branch as u32), game, &variation.line, None, book)?;
        }
    }
    chunk.entries.sort_unstable();
    Ok(chunk)
}

impl PreparedChunk {
    fn add(
        &mut self,
        game_index: u32,
        branch: Option<u32>,
        game: &VerifiedGame,
        line: &VerifiedLine,
        identity: Option<i64>,
        book: &Book,
    ) -> io::Result<()> {
        let local = self.lines.len() as u32;
        let mut moves = Vec::with_capacity(line.moves().len() + 2);
        let mut keys = Vec::with_capacity(line.moves().len() + 1);
        index_moves(local, line.start(), line.moves(), &mut moves, &mut keys, &mut self.entries)
            .ok_or_else(|| io::Error::other("a move cannot be packed"))?;
        let main = branch.is_none();
        let (opening, ballot) = if main { name(&keys, book) } else { (None, None) };
        let decided = if main { decided(game) } else { None };
        let kind = if main { game.kind() } else { LineKind::Variation };
        let year = if main { game.tag("Date").and_then(year_of) } else { None };
        let score = if main { game.score() } else { None };
        self.lines.push(PreparedLine {
            game: game_index,
            branch,
            moves,
            opening,
            ballot,
            identity,
            decided,
            losing_ply: losing_ply(&line.notes),
            fact: facts::encode(kind, score, decided, year),
        });
        Ok(())
    }
}

/// Packs the moves and adds an entry for each different (position, move) of the line, at the first ply it comes up. `None` where a move
/// is none of the position it stands in.
pub(super) fn index_moves(
    local: u32,
    start: &Position,
    played: &[Move],
    moves: &mut Vec<u8>,
    keys: &mut Vec<PositionKey>,
    entries: &mut Vec<IndexEntry>,
) -> Option<()> {
    let mut position = *start;
    let mut codes: Vec<MoveCode> = Vec::with_capacity(played.len() + 1);
    // Positions recur only while nothing is captured and no man moves.
    let mut window = 0;
    let mut seen: HashSet<(PositionKey, MoveCode)> = HashSet::new();
    let steps = played.iter().map(Some).chain(std::iter::once(None));
    for (ply, played) in steps.enumerate() {
        let key = position.key();
        let code = played.map_or(MoveCode::END, |played| MoveCode::encode(&position, played));
        keys.push(key);
        codes.push(code);
        let repeated = if ply - window <= LONG_WINDOW_CHUNKS {
            (window..ply).any(|before| keys[before] == key && codes[before] == code)
        } else {
            if seen.is_empty() {
                seen.extend((window..ply).map(|before| (keys[before], codes[before])));
            }
            !seen.insert((key, code))
        };
        if !repeated {
            entries.push(IndexEntry { key, posting: Posting { code, line: local, ply: ply as u32 } });
        }
        if let Some(played) = played {
            encode(&position, played, moves)?;
            let by_man = position.piece_at(played.from).is_some_and(|piece| piece.kind == PieceKind::Man);
            position = position.play_unchecked(played);
            if by_man || played.is_capture() {
                window = ply + 1;
                seen.clear();
            }
        }
    }
    Some(())
}

fn name(keys: &[PositionKey], book: &Book) -> (Option<String>, Option<u16>) {
    let (opening, ballot) = book.name_by_keys(keys);
    (opening.map(|opening| opening.name.clone()), ballot)
}

/// The winner by colour, where the book's word or the board tells it and no score does.
fn decided(game: &VerifiedGame) -> Option<Outcome> {
    if game.score().is_some() || (game.verdict().is_none() && game.result_check() != ResultCheck::Proved) {
        return None;
    }
    match game.winner() {
        Winner::Black => Some(Outcome::Won(Color::Black)),
        Winner::White => Some(Outcome::Won(Color::White)),
        Winner::Draw => Some(Outcome::Draw),
        Winner::Unknown => None,
    }
}

fn losing_ply(notes: &[Note]) -> Option<u32> {
    notes.iter().rev().find(|note| note.kind == NoteKind::Mark(Mark::Losing)).map(|note| note.ply)
}

/// A name as duplicates compare it: folded, with single blanks.
#[must_use]
pub(super) fn name_of_tag(name: &str) -> String {
    fold(name, false).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a player tag names somebody.
pub(super) fn known_player(name: Option<&str>) -> bool {
    name.is_some_and(|name| !name.trim().is_empty() && name.trim() != "?")
}

/// A hash of what makes a game the same game. Equal games have equal hashes; a hit is compared before it counts.
fn identity(game: &VerifiedGame) -> i64 {
    let mut hasher = blake3::Hasher::new();
    let mut part = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    part(&[game.kind() as u8, u8::from(game.status() == Status::Partly)]);
    part(&game.line().start().key().to_bytes());
    part(&game.line().end().key().to_bytes());
    let mut ends = Vec::with_capacity(game.line().moves().len() * 2);
    game.line().moves().iter().for_each(|m| ends.extend([m.from.index() as u8, m.to.index() as u8]));
    part(&ends);
    part(game.result().unwrap_or_default().as_bytes());
    part(game.label().unwrap_or_default().as_bytes());
    if known_player(game.tag("Black")) && known_player(game.tag("White")) {
        for tag in ["Black", "White", "Event", "Date", "Round"] {
            part(name_of_tag(game.tag(tag).unwrap_or_default()).as_bytes());
        }
    } else {
        for name in COLUMNS.iter().filter(|name| **name != "Result") {
            part(game.tag(name).unwrap_or_default().as_bytes());
        }
        let mut tags: Vec<_> = game.tags().iter().map(|tag| (tag.name.as_str(), tag.value.as_str())).collect();
        tags.retain(|(name, _)| !repeats_play(name) && !COLUMNS.iter().any(|column| name.eq_ignore_ascii_case(column)));
        tags.sort_unstable();
        for (name, value) in tags {
            part(name.as_bytes());
            part(value.as_bytes());
        }
    }
    let mut first = [0; 8];
    first.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
    i64::from_le_bytes(first)
}
