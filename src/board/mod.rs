//! The nouns of a draughts board: squares, sets of squares, colours, pieces, variants, set-ups, moves, outcomes,
//! values and witnesses.
//!
//! Purpose: one vocabulary for every layer above. Invariants: a [`Square`] is a dense index from 0; its printed number is
//! one more, and number 1 stands on Black's own first row, so Black's men move towards greater numbers in every variant.
//!
//! Must not know: which moves are legal (`rules`), how anything is written (`notation`).

mod bitboard;
mod color;
mod geometry;
mod moves;
mod outcome;
mod setup;
mod square;
mod value;
mod variant;

pub use bitboard::{Bitboard, SquareIter};
pub use color::{Color, Piece, PieceKind};
pub use geometry::{Direction, Geometry};
pub use moves::{CapturePath, Move};
pub use outcome::{Outcome, ResultOrder, Winner};
pub use setup::Setup;
pub use square::Square;
pub use value::{Bounds, Value, Witness};
pub use variant::Variant;
