//! How much one game may have: what bounds the memory of every reader, whatever a text repeats.
//!
//! The largest tree that an export writes (100,000 positions) fits with room to spare. A game beyond a limit is refused
//! whole and reported; the game after it is read.

/// Bytes of text.
pub const MAX_GAME_BYTES: usize = 8 << 20;
/// Moves, those of variations included.
pub const MAX_MOVES: usize = 200_000;
/// Comments, marks and repairs.
pub const MAX_NOTES: usize = 200_000;
/// Variations, as deep inside one another as their number allows.
pub const MAX_VARIATIONS: usize = 100_000;
/// Tags.
pub const MAX_TAGS: usize = 1_000;
/// Games, openings and lines in the text of one book.
pub const MAX_PLAYS: usize = 20_000;
/// Bytes of the text of a book, which is read whole.
pub const MAX_BOOK_BYTES: usize = 8 << 20;

/// What a game has too much of, in words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Excess {
    /// More than [`MAX_GAME_BYTES`].
    Text,
    /// More than [`MAX_MOVES`].
    Moves,
    /// More than [`MAX_NOTES`].
    Notes,
    /// More than [`MAX_VARIATIONS`].
    Variations,
    /// More than [`MAX_TAGS`].
    Tags,
}

impl Excess {
    /// What was expected instead.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Text => "a game of at most 8 MiB of text",
            Self::Moves => "a game of at most 200,000 moves, variations included",
            Self::Notes => "a game of at most 200,000 comments and marks",
            Self::Variations => "a game of at most 100,000 variations",
            Self::Tags => "a game of at most 1,000 tags",
        }
    }
}
