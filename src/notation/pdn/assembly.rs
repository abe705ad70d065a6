//! A game in the making: what the reader keeps of it until its end.

use crate::board::Variant;
use crate::notation::{Location, ParsedGame};

/// A variation that is not closed yet.
pub(super) struct OpenVariation {
    pub(super) location: Location,
    /// Its index among the variations.
    pub(super) index: usize,
}

/// A game in the making.
pub(super) struct Assembly {
    pub(super) game: ParsedGame,
    pub(super) variant: Variant,
    /// The FEN tag's value and its place.
    pub(super) fen: Option<(String, Location)>,
    pub(super) terminator_place: Location,
    pub(super) open: Vec<OpenVariation>,
    /// The number of open brackets from which on nothing is kept, after a set-up inside the game.
    pub(super) kept_out: Option<usize>,
    /// A tag line was seen, sound or damaged.
    pub(super) header: bool,
    /// A move was seen.
    pub(super) body: bool,
    /// A blank line or a comment stands behind the last tag.
    pub(super) apart: bool,
    /// The last token was a move number.
    pub(super) numbered: bool,
    /// The Result tag's value, where it is not one of the usual scores.
    pub(super) stated: Option<String>,
    /// A move number and the ply that it would number were it the first player's, in the main line.
    pub(super) anchor: Option<(u32, u32)>,
    /// A result inside a bracket: the game's own, should the bracket turn out to be never closed.
    pub(super) late: Option<(String, Location)>,
    pub(super) left_out: u32,
    /// Moves and notes of all lines.
    pub(super) moves: usize,
    pub(super) notes: usize,
    /// A limit was passed: nothing is kept, and this many brackets are open.
    pub(super) given_up: Option<u32>,
    /// Annotations of our own making that were passed over, and where the first stands.
    pub(super) annotations: Option<(u32, Location)>,
}
