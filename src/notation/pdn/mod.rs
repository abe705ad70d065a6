//! PDN: the games of files (PDN 3.0, and what programs and people really wrote).
//!
//! Purpose: a liberal reader that streams, a strict writer. Invariants: the reader never recurses; each token makes
//! progress; text is read as a game, reported, or both, except escape lines (`%` in the first column).
//!
//! The tolerances, beyond PDN 3.0:
//! - **Tags**: several in a line, moves behind them, blank lines between and behind them; the case of names; quotes
//!   inside a value, a value without quotes, a missing closing bracket (each a warning). A tag that cannot be read is
//!   reported and skipped, the header goes on. A tag behind moves starts the next game, in the same line too.
//! - **Games**: without tags; without a final marker; a move number 1 behind a blank line starts the next game.
//! - **Move numbers**: `1.`, `1 .`, `1...`, `1. ...`, `1.…`, glued to the move, without a dot where it is the expected
//!   number. They decide nothing; one that does not fit is a warning.
//! - **Moves**: `11-15`, `15x22`, `15:22`, `15x22x31`, blanks around the first sign (`1- 6`), typographic hyphens and
//!   crosses. `--` and `- -` are moves nobody knows. What may have been meant as a move and cannot be read is reported
//!   and leaves a hole, so that the move behind it is not played in its place. Algebraic moves are such.
//! - **Results**: `1-0 0-1 2-0 0-2 1-1 0-0 1/2-1/2 1/2 ½-½ *`; any other where it is the Result tag's value and the
//!   game's text ends with it. `1-12` is a move. A result in a variation is kept as a comment.
//! - **Asterisks**: glued to a move and with more of the game behind it, it marks the move; else it ends the game.
//! - **Comments**: a line that starts with a tag ends a comment that nobody closed (an error). The ends are trimmed and
//!   line ends become blanks.
//! - **Bytes**: control characters become U+FFFD (a warning); form feeds between words, byte order marks and Ctrl-Z at
//!   the end are blanks. Carriage returns alone end lines where the text has no other line ends.
//! - **Commands in comments** and tags that start with `Crownhead`: what our own exports carry (see [`Carried`]).
//! - **Set-ups inside a game** (PDN 3.0, SETUP) are an error; what follows is kept out.
//!
//! Must not know: which moves are legal; how wide the board is, but for its FEN; who won.

mod assembly;
mod cursor;
mod extensions;
mod finish;
mod lexer;
mod reader;
mod split;
mod tag;
mod text;
mod writer;

pub use extensions::{
    ANNOTATION_PREFIX, Carried, PARTLY_STATUS, TAG_KIND, TAG_NAME, TAG_ORDER, TAG_RESULT, TAG_STATUS, TAG_VERDICT,
};
pub use reader::PdnReader;
pub use split::{GameSkim, game_end, split};
pub use writer::{PdnDocument, PdnEvent, move_text, write};
