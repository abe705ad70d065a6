//! Walking over every stored line, on all cores: for questions that no index answers.
//!
//! A line is handed out as it lies in the database, and [`PackedLine::walk`] follows it on the board without building moves or
//! keys: a few nanoseconds a ply. Each thread reads with a connection of its own; lines only get added or removed whole, so
//! threads that see the database at slightly different moments still see whole lines.

use std::ops::ControlFlow;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

use rusqlite::{Connection, params};

use crate::board::{Bitboard, Color, Direction, Square, Variant};
use crate::rules::{Position, PositionKey};

use super::{Database, StoreError, codec};

/// Lines a thread takes at a time.
const RUN: u32 = 2048;
/// Below this many lines a second connection costs more than it brings.
const FEW: u32 = 2 * RUN;
/// "No such square" in a step table.
const NONE: u8 = u8::MAX;

/// The squares one and two steps away, by direction and square, on the board of English draughts.
static STEPS: LazyLock<[[[u8; 2]; 32]; 4]> = LazyLock::new(|| {
    let geometry = Variant::English.geometry();
    let index = |square: Option<Square>| square.map_or(NONE, |square| square.index() as u8);
    Direction::ALL.map(|direction| {
        std::array::from_fn(|from| {
            let near = geometry.step(Square::new(from as u8), direction);
            [index(near), index(near.and_then(|near| geometry.step(near, direction)))]
        })
    })
});

/// The pieces of a position met on a walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pieces {
    /// Squares with a black piece.
    pub black: u128,
    /// Squares with a white piece.
    pub white: u128,
    /// Squares with a king.
    pub kings: u128,
}

/// Pieces in 32 bits, for boards that fit: what most walks see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pieces32 {
    /// Squares with a black piece.
    pub black: u32,
    /// Squares with a white piece.
    pub white: u32,
    /// Squares with a king.
    pub kings: u32,
}

/// Up to 64 events that bytes of a line may tell of without a walk, a bit each: a line whose bytes tell of none had none.
#[derive(Clone, Debug)]
pub struct Traces {
    events: [u64; 256],
}

impl Default for Traces {
    fn default() -> Self {
        Self { events: [0; 256] }
    }
}

impl Traces {
    /// The event `bit` may be that a piece of English draughts comes to `square` going in `direction`.
    pub fn arrival(&mut self, bit: u64, square: Square, direction: Direction) {
        let back = Self::opposite(direction);
        let geometry = Variant::English.geometry();
        let near = geometry.step(square, back);
        let far = near.and_then(|near| geometry.step(near, back));
        self.mark(bit, near.into_iter().chain(far), direction, false);
    }

    /// The event `bit` may be that the piece on `square` goes away or is taken.
    pub fn departure(&mut self, bit: u64, square: Square) {
        let geometry = Variant::English.geometry();
        for direction in Direction::ALL {
            let over = geometry.step(square, Self::opposite(direction));
            self.mark(bit, over.into_iter().chain([square]), direction, true);
        }
    }

    const fn opposite(direction: Direction) -> Direction {
        match direction {
            Direction::DownLeft => Direction::UpRight,
            Direction::DownRight => Direction::UpLeft,
            Direction::UpLeft => Direction::DownRight,
            Direction::UpRight => Direction::DownLeft,
        }
    }

    /// Steps from `squares` tell of it; so does a later step of a capture, whose square is not written. One with which the
    /// capture goes on counts where `middle` says so.
    fn mark(&mut self, bit: u64, squares: impl Iterator<Item = Square>, direction: Direction, middle: bool) {
        for square in squares.chain([Square::new(0)]) {
            let byte = square.index() & 0x1f | (direction as usize) << 5;
            self.events[byte] |= bit;
            if middle {
                self.events[byte | usize::from(codec::GOES_ON)] |= bit;
            }
        }
    }
}

/// One that follows a walk. `captured` tells whether pieces left the board by the move before; it is set at the start.
pub trait Walker {
    /// Looks at the position after `ply` plies on a board of 32 squares. Breaks to end the walk.
    fn small(&mut self, ply: u32, pieces: Pieces32, captured: bool) -> ControlFlow<()>;
    /// The same on a greater board.
    fn large(&mut self, ply: u32, pieces: Pieces, captured: bool) -> ControlFlow<()>;
}

/// A stored line as it lies in the database.
#[derive(Clone, Copy, Debug)]
pub struct PackedLine<'a> {
    /// Its id.
    pub id: u32,
    /// The position it starts from.
    pub start: Position,
    moves: &'a [u8],
}

impl PackedLine<'_> {
    /// At least as many pieces stay on the board to the end of the line: a capture takes one byte at least.
    #[must_use]
    pub fn fewest_pieces(&self) -> u32 {
        let start = self.start.pieces(Color::Black).count() + self.start.pieces(Color::White).count();
        start.saturating_sub(u32::try_from(self.moves.len()).unwrap_or(u32::MAX))
    }

    /// The events that may have happened in the line.
    #[must_use]
    pub fn traces(&self, traces: &Traces) -> u64 {
        self.moves.iter().fold(0, |told, &byte| told | traces.events[usize::from(byte)])
    }

    /// Shows `walker` every position of the line, the start first, until it breaks.
    ///
    /// # Errors
    /// When the line is damaged.
    pub fn walk(&self, walker: &mut impl Walker) -> Result<(), StoreError> {
        let damaged = |error| StoreError::Damaged(format!("line {}: {error}", self.id));
        if self.start.variant() == Variant::English {
            self.walk_english(walker).map_err(damaged)
        } else {
            self.walk_any(walker).map_err(damaged)
        }
    }

    fn walk_any(&self, walker: &mut impl Walker) -> Result<(), codec::CodecError> {
        let (mut position, mut rest, mut captured) = (self.start, self.moves, true);
        for ply in 0.. {
            let pieces = Pieces {
                black: position.pieces(Color::Black).0,
                white: position.pieces(Color::White).0,
                kings: position.kings().0,
            };
            if walker.large(ply, pieces, captured).is_break() || rest.is_empty() {
                break;
            }
            let (next, behind) = codec::decode(&position, rest, ply + 1)?;
            captured = next.is_capture();
            position = position.play_unchecked(&next);
            rest = behind;
        }
        Ok(())
    }

    /// The same on words of 32 bits: `own` and `other` change places at every ply. What differs from move to move (a step or a
    /// jump, a man or a king) is reckoned, not branched on: no branch could be foretold.
    fn walk_english(&self, walker: &mut impl Walker) -> Result<(), codec::CodecError> {
        let steps = &*STEPS;
        let geometry = self.start.geometry();
        let word = |set: Bitboard| set.0 as u32;
        let crown_heads = [word(geometry.crown_head(Color::Black)), word(geometry.crown_head(Color::White))];
        let mut white_moves = self.start.turn() == Color::White;
        let (mut own, mut other) = (word(self.start.pieces(Color::Black)), word(self.start.pieces(Color::White)));
        if white_moves {
            std::mem::swap(&mut own, &mut other);
        }
        let mut kings = word(self.start.kings());
        let mut bytes = self.moves.iter();
        let mut captured = u32::MAX;
        for ply in 0.. {
            let (black, white) = if white_moves { (other, own) } else { (own, other) };
            if walker.small(ply, Pieces32 { black, white, kings }, captured != 0).is_break() {
                break;
            }
            let Some(&first) = bytes.next() else { break };
            let error = codec::CodecError { ply: ply + 1 };
            captured = 0;
            let from = 1_u32 << (first & 0x1f);
            let (mut at, mut byte) = (first & 0x1f, first);
            loop {
                let [near, far] = steps[usize::from(byte >> 5 & 3)][usize::from(at & 0x1f)];
                let jumps = other >> (near & 0x1f) & 1;
                captured |= jumps << (near & 0x1f);
                at = if jumps != 0 { far } else { near };
                // `NONE` as a step is `NONE` as a jump, too.
                if at == NONE {
                    return Err(error);
                }
                if byte & codec::GOES_ON == 0 {
                    break;
                }
                match bytes.next() {
                    Some(&more) if captured != 0 => byte = more,
                    _ => return Err(error),
                }
            }
            if own & from == 0 {
                return Err(error);
            }
            let to = 1_u32 << at;
            own = own & !from | to;
            other &= !captured;
            // All bits set where a king moves, or else those of its crown-head.
            let may_be_king = ((kings & from != 0) as u32).wrapping_neg() | crown_heads[usize::from(white_moves)];
            kings = kings & !(from | captured) | to & may_be_king;
            std::mem::swap(&mut own, &mut other);
            white_moves = !white_moves;
        }
        Ok(())
    }
}

impl Database {
    /// Hands every stored line to `visit` on up to `threads` threads, and gives what it makes of them in ascending order of ids.
    ///
    /// # Errors
    /// When the database cannot be read, a line's start is damaged, or `visit` says so.
    pub fn scan<T: Send>(
        &self,
        threads: usize,
        visit: impl Fn(&PackedLine<'_>) -> Result<Option<T>, StoreError> + Sync,
    ) -> Result<Vec<T>, StoreError> {
        let last: u32 = self.connection.query_row("SELECT coalesce(max(id), 0) FROM line", [], |row| row.get(0))?;
        let next = AtomicU32::new(1);
        let path = self.path();
        // A database in memory cannot be opened twice.
        if threads < 2 || last < FEW || path.as_os_str().is_empty() {
            return Ok(scan_runs(&self.connection, &next, last, &visit)?.into_iter().flat_map(|run| run.1).collect());
        }
        let work = || -> Result<Runs<T>, StoreError> { scan_runs(&super::access::reader(&path)?, &next, last, &visit) };
        let mut runs: Runs<T> = std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut runs = scan_runs(&self.connection, &next, last, &visit)?;
            for other in others {
                match other.join() {
                    Ok(found) => runs.extend(found?),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            Ok::<_, StoreError>(runs)
        })?;
        runs.sort_unstable_by_key(|run| run.0);
        Ok(runs.into_iter().flat_map(|run| run.1).collect())
    }
}

/// What was found in each run of ids, with its first id.
type Runs<T> = Vec<(u32, Vec<T>)>;

/// Takes runs of ids until none is left.
fn scan_runs<T>(
    connection: &Connection,
    next: &AtomicU32,
    last: u32,
    visit: &impl Fn(&PackedLine<'_>) -> Result<Option<T>, StoreError>,
) -> Result<Runs<T>, StoreError> {
    let variants: Vec<(u32, u32)> = connection
        .prepare_cached("SELECT id, variant FROM source ORDER BY id")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    let mut lines = connection
        .prepare_cached("SELECT id, source, start, moves FROM line WHERE id BETWEEN ?1 AND ?2 ORDER BY id")?;
    let mut runs = Vec::new();
    // The start of the source read last: lines of one source lie together.
    let mut usual: Option<(u32, Position)> = None;
    loop {
        let first = next.fetch_add(RUN, Ordering::Relaxed);
        if first > last || first == 0 {
            return Ok(runs);
        }
        let mut found = Vec::new();
        let mut rows = lines.query(params![first, first.saturating_add(RUN - 1).min(last)])?;
        while let Some(row) = rows.next()? {
            let id: u32 = row.get(0)?;
            let damaged = || StoreError::Damaged(format!("the start of line {id} is no position"));
            let start = match row.get_ref(2)?.as_blob_or_null().map_err(rusqlite::Error::from)? {
                Some(key) => <[u8; 16]>::try_from(key)
                    .ok()
                    .and_then(|bytes| PositionKey::from_bytes(bytes).position())
                    .ok_or_else(damaged)?,
                None => {
                    let source: u32 = row.get(1)?;
                    match usual {
                        Some((of, start)) if of == source => start,
                        _ => {
                            let at = variants.binary_search_by_key(&source, |&(id, _)| id).map_err(|_| damaged())?;
                            let start = Variant::from_game_type(variants[at].1).map(Position::start);
                            usual.insert((source, start.ok_or_else(damaged)?)).1
                        }
                    }
                }
            };
            let moves = row.get_ref(3)?.as_blob().map_err(rusqlite::Error::from)?;
            found.extend(visit(&PackedLine { id, start, moves })?);
        }
        if !found.is_empty() {
            runs.push((first, found));
        }
    }
}
