//! *The move*, or opposition: who can get the last move when both sides have equally many pieces.
//!
//! The count is Foster's (*Theory of the Move*) and the Encyclopaedia Britannica's: divide the squares into two systems of
//! four columns, one beginning on each side's first row, and add up all the pieces, men and kings of both sides, that
//! stand in one of them. If the sum is odd the side to move has the move, if even the other side. Every step takes a piece
//! from one system to the other and the turn to the other side, so that only captures change who has it.

use std::fmt;

use crate::board::{Bitboard, Color, Move};

use super::Position;

/// Positions that a search for exchanges looks on from at most. Random play opened 38 exchanges at most; boards set full of
/// kings open some ten thousand, which nobody reads.
const MAX_STEPS: usize = 100_000;

/// How many squares of a set stand in each of the two systems of columns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Systems {
    /// In the columns that begin on White's first row (29 to 32 on the 8x8 board, ending on 5 to 8): Britannica's system.
    pub white_side: u32,
    /// In the columns that begin on Black's first row (1 to 4 on the 8x8 board, ending on 25 to 28).
    pub black_side: u32,
}

/// Who has the move, and the counts that say so.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TheMove {
    /// All the pieces by system.
    pub counts: Systems,
    /// Who has the move, or why nobody does.
    pub holder: Result<Color, NoHolder>,
}

/// Why the count says nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NoHolder {
    /// An odd number of pieces: one system's count is odd, the other's even.
    OddTotal,
    /// Even in all, but one side has more: the books teach the count for equal numbers only.
    UnequalNumbers,
}

impl fmt::Display for NoHolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::OddTotal => "the number of pieces is odd",
            Self::UnequalNumbers => "the sides have unequal numbers",
        })
    }
}

/// One exchange open on the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exchange {
    /// A quiet move unless a capture was due, then captures only.
    pub moves: Vec<Move>,
    /// How many pieces each side loses.
    pub lost: u32,
    /// How many of the moves capture: the pieces that capture, one that does so twice counted twice.
    pub captures: u32,
    /// The captured pieces by system.
    pub captured: Systems,
    /// Whether the move changes by Foster's rule: it does where one of the number of capturing pieces and the number of
    /// captured pieces in a system is odd and the other even. Either system says the same.
    pub rule_says_changes: bool,
    /// Whether the move changes by counting anew in [`Self::position`].
    pub recount_says_changes: bool,
    /// The position after it.
    pub position: Position,
}

impl Systems {
    /// The counts of `set` on the board of `position`.
    fn count(set: Bitboard, position: &Position) -> Self {
        let geometry = position.geometry();
        // The last row begins with a playable square in column 0, so White's system is the even columns.
        let white_side = set.squares().filter(|&square| geometry.column(square).is_multiple_of(2)).count() as u32;
        Self { white_side, black_side: set.count() - white_side }
    }

    const fn plus(self, other: Self) -> Self {
        Self { white_side: self.white_side + other.white_side, black_side: self.black_side + other.black_side }
    }
}

/// Who has the move in `position`.
///
/// # Examples
/// ```
/// use crownhead::board::{Color, Variant};
/// use crownhead::rules::{Position, the_move};
///
/// // At the start the second player has it: twelve pieces stand in either system.
/// assert_eq!(the_move(&Position::start(Variant::English)).holder, Ok(Color::White));
/// ```
#[must_use]
pub fn the_move(position: &Position) -> TheMove {
    let (black, white) = (position.pieces(Color::Black), position.pieces(Color::White));
    let counts = Systems::count(black | white, position);
    let holder = if !(black.count() + white.count()).is_multiple_of(2) {
        Err(NoHolder::OddTotal)
    } else if black.count() != white.count() {
        Err(NoHolder::UnequalNumbers)
    } else if counts.white_side.is_multiple_of(2) {
        Ok(!position.turn())
    } else {
        Ok(position.turn())
    };
    TheMove { counts, holder }
}

/// Every exchange open in `position`: a quiet move if no capture is due, then captures until none is due, both sides having
/// lost equally many pieces, one at least. In the order of their moves; none where nobody has the move.
///
/// The search looks on from a hundred thousand positions at most, so that on boards set full of kings the list may be
/// short.
#[must_use]
pub fn exchanges(position: &Position) -> Vec<Exchange> {
    let Ok(holder) = the_move(position).holder else { return Vec::new() };
    let mut found = Vec::new();
    let mut open =
        vec![ExchangeLine { moves: Vec::new(), captures: 0, captured: Systems::default(), position: *position }];
    let mut steps = 0;
    while let Some(line) = open.pop() {
        if line.moves.is_empty() || line.position.must_capture() {
            steps += 1;
            if steps > MAX_STEPS {
                break;
            }
            // Pushed last first, so that lines are finished in ascending order.
            open.extend(line.position.legal_moves().iter().rev().map(|next| line.followed_by(next)));
        } else if let Ok(then) = the_move(&line.position).holder
            && line.captures > 0
        {
            found.push(line.exchange(position, then != holder));
        }
    }
    found
}

/// An exchange under way.
struct ExchangeLine {
    moves: Vec<Move>,
    captures: u32,
    captured: Systems,
    position: Position,
}

impl ExchangeLine {
    fn followed_by(&self, next: &Move) -> Self {
        let mut moves = self.moves.clone();
        moves.push(*next);
        Self {
            moves,
            captures: self.captures + u32::from(next.is_capture()),
            captured: self.captured.plus(Systems::count(next.captured, &self.position)),
            position: self.position.play_unchecked(next),
        }
    }

    fn exchange(self, before: &Position, recount_says_changes: bool) -> Exchange {
        let lost = before.pieces(Color::Black).count() - self.position.pieces(Color::Black).count();
        Exchange {
            lost,
            rule_says_changes: !(self.captures + self.captured.white_side).is_multiple_of(2),
            moves: self.moves,
            captures: self.captures,
            captured: self.captured,
            recount_says_changes,
            position: self.position,
        }
    }
}
