//! What must have happened since the start of a game before a search can hold: told from a line's bytes without a walk.

use crate::board::{Color, Direction, Square, Variant};
use crate::rules::Position;
use crate::store::{LineEvents, PackedLine};

use super::PositionSearch;
use super::masks::{Contents, Masks};

/// Events that [`LineEvents`] has room for.
const MAX_EVENTS: u32 = 64;

/// For each way that a search can hold, the events it cannot do without. They are of English draughts from its start.
pub(super) struct RequiredEvents {
    traces: LineEvents,
    /// Each way's events.
    ways: Vec<u64>,
    used: u32,
    start: Position,
}

impl RequiredEvents {
    /// The needs of `searches`, of which one is to hold.
    pub(super) fn from_searches<'a>(searches: impl Iterator<Item = &'a PositionSearch>) -> Self {
        let start = Position::start(Variant::English);
        let mut needs = Self { traces: LineEvents::default(), ways: Vec::new(), used: 0, start };
        for search in searches {
            let free = [Masks::free()];
            for way in search.pattern.as_ref().map_or(&free[..], |pattern| pattern.ways()) {
                let needed = needs.way(search, way);
                needs.ways.push(needed);
            }
        }
        needs
    }

    /// Whether all that some way needs may have happened in `line`; yes for a line with a start of its own,
    /// or where some way needs nothing.
    pub(super) fn may_hold(&self, line: &PackedLine<'_>) -> bool {
        if self.ways.contains(&0) || line.start != self.start {
            return true;
        }
        let told = line.traces(&self.traces);
        self.ways.iter().any(|needed| told & needed == *needed)
    }

    /// A new event, or none where the room is used up: fewer needs only let more lines through.
    fn event(&mut self) -> u64 {
        let bit = if self.used < MAX_EVENTS { 1 << self.used } else { 0 };
        self.used = (self.used + 1).min(MAX_EVENTS);
        bit
    }

    fn way(&mut self, search: &PositionSearch, way: &Masks<u128>) -> u64 {
        let mut needed = 0;
        let (mut black_king, mut white_king) =
            search.material.map_or((false, false), |material| (material.black_kings > 0, material.white_kings > 0));
        for index in 0..Variant::English.geometry().squares() {
            let square = Square::new(index);
            let allowed = way.contents(square);
            black_king |= allowed.only(Contents::BLACK_KING);
            white_king |= allowed.only(Contents::WHITE_KING);
            let now = match self.start.piece_at(square).map(|piece| piece.color) {
                None => Contents::EMPTY,
                Some(Color::Black) => Contents::BLACK_MAN,
                Some(Color::White) => Contents::WHITE_MAN,
            };
            if allowed.has(now) {
                continue;
            }
            let bit = self.event();
            needed |= bit;
            if allowed.has(Contents::EMPTY) {
                self.traces.departure(bit, square);
            }
            // A king may come any way; a man that is crowned comes the way men go.
            let kings = Contents::BLACK_KING | Contents::WHITE_KING;
            for (man, color) in [(Contents::BLACK_MAN, Color::Black), (Contents::WHITE_MAN, Color::White)] {
                if allowed.has(man | kings) {
                    for direction in Direction::forward(color) {
                        self.traces.arrival(bit, square, direction);
                    }
                }
            }
        }
        for (wanted, color) in [(black_king, Color::Black), (white_king, Color::White)] {
            if wanted {
                let bit = self.event();
                needed |= bit;
                for square in Variant::English.geometry().crown_head(color).squares() {
                    for direction in Direction::forward(color) {
                        self.traces.arrival(bit, square, direction);
                    }
                }
            }
        }
        needed
    }
}
