//! Naming a line of play.

use crate::board::{Move, Variant};
use crate::rules::{Position, PositionKey};

use super::{Ballot, Book, NamedLine, Opening};

/// What a line of play is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Identified<'b> {
    /// The opening whose position was reached last, and its line to that position.
    pub opening: Option<(&'b Opening, &'b NamedLine)>,
    /// The ply at which it was reached, from 0 for the first position handed in; the line's own ply where a position
    /// without moves was named.
    pub ply: Option<u32>,
    /// Whether it was reached in another order than the name's own line.
    pub by_transposition: bool,
    /// The family: by the first move played, and where play did not begin at the start, by the name's own line.
    pub family: Option<&'b Opening>,
    /// The ballot: of three plies where one was reached, otherwise of two. Where a position without moves was named, that
    /// of the name's own line.
    pub ballot: Option<&'b Ballot>,
}

impl Identified<'_> {
    /// The name.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.opening.map(|(opening, _)| opening.name.as_str())
    }

    /// Whether nothing at all is known.
    #[must_use]
    pub const fn is_nothing(&self) -> bool {
        self.opening.is_none() && self.family.is_none() && self.ballot.is_none()
    }
}

impl Book {
    /// Names the line whose positions are `positions`, the first one before any of `moves` and one more after each.
    ///
    /// A line is named by the named position that it reaches at the greatest ply, in whatever order.
    #[must_use]
    pub fn identify(&self, positions: &[Position], moves: &[Move]) -> Identified<'_> {
        let keys: Vec<PositionKey> = positions.iter().map(Position::key).collect();
        let at = self.last_named(&keys);
        let opening = at.and_then(|at| self.line_at(*keys.get(at)?));
        let from_start = positions.first() == Some(&Position::start(Variant::English));
        let own = opening.map_or(&[][..], |(_, line)| &line.moves);
        let played = at.and_then(|at| moves.get(..at)).unwrap_or_default();
        // Play from a diagram is in the name's order as far as it goes.
        let in_order = if from_start { own == played } else { own.ends_with(played) };
        let family = self.family(if from_start { moves } else { own });
        let ballot = self.last_ballot(&keys).or_else(|| {
            let line = if from_start { &[][..] } else { own };
            self.last_ballot(&keys_of(line))
        });
        let ply = match opening {
            Some((_, line)) if at == Some(0) => Some(line.ply()),
            _ => at.and_then(|at| u32::try_from(at).ok()),
        };
        Identified { opening, ply, by_transposition: opening.is_some() && !in_order, family, ballot }
    }
}

/// The keys of the positions of legal play from the start.
pub(super) fn keys_of(moves: &[Move]) -> Vec<PositionKey> {
    let mut position = Position::start(Variant::English);
    let mut keys = vec![position.key()];
    for played in moves {
        position = position.play_unchecked(played);
        keys.push(position.key());
    }
    keys
}
