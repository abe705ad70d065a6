//! The law: which positions are possible, which moves are legal, what a position's exact key is.
//!
//! Purpose: the one place where play is judged. Invariants: a [`Position`] is legal by construction; [`Position::play`]
//! returns only positions that a legal move reaches; a [`PositionKey`] is exact, so equal keys mean equal positions.
//!
//! A variant is data: the constants of its [`RuleSet`] drive the generic generator. English draughts has a faster one
//! beside it, and a test has the two agree.
//!
//! Must not know: how anything is written (`notation`), stored or shown.

mod english;
mod fast;
mod generic;
mod key;
mod perft;
mod position;
mod ruleset;
mod the_move;

pub use fast::{FastMove, FastMoves, FastPosition, PackedSquares};
pub use key::PositionKey;
pub use perft::{divide, perft, perft_paths};
pub use position::{MoveList, PlayError, Position, PositionError, PositionErrors};
pub use ruleset::{Crowning, KingRange, ManCaptures, Precedence, RuleSet};
pub use the_move::{Exchange, NoHolder, Systems, TheMove, exchanges, the_move};
