//! What a reader or a proof has to say about a place in a text.

use std::fmt;

/// A place in a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Location {
    /// Bytes before it, from 0, in the text as decoded to UTF-8.
    pub byte: u64,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1, in characters.
    pub column: u32,
}

impl Location {
    /// The start of a text.
    pub const FIRST: Self = Self { byte: 0, line: 1, column: 1 };
}

/// How much a diagnostic matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Something was refused or cut short.
    Error,
    /// Something was read in another way than it was written.
    Warning,
    /// Worth knowing.
    Note,
}

impl Severity {
    /// The word printed: `error`, `warning` or `note`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// What kind of thing a diagnostic reports. The text of a code is a promise.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Code {
            $($(#[$doc])* $name,)*
        }

        impl Code {
            /// Every code.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The text printed in the `code` column.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

codes! {
    /// The text is in no encoding that could be told, or was decoded by guess.
    Encoding = "encoding",
    /// JSON that is broken, or says something else than a game.
    BadJson = "bad-json",
    /// A control or NUL byte stood in the text.
    ControlByte = "control-byte",
    /// A tag line that cannot be read.
    BadTag = "bad-tag",
    /// A tag that a game has twice.
    DuplicateTag = "duplicate-tag",
    /// A comment or bracket that is never closed, or closed without being opened.
    Unclosed = "unclosed",
    /// A FEN that cannot be read.
    BadFen = "bad-fen",
    /// A FEN that reads well but is no legal position.
    BadPosition = "bad-position",
    /// A diagram that does not say who is to move.
    NoSideToMove = "no-side-to-move",
    /// Text where a move was expected.
    UnknownToken = "unknown-token",
    /// A placeholder for a move nobody knows.
    UnknownMove = "unknown-move",
    /// A mark whose meaning the text does not tell.
    UnknownMark = "unknown-mark",
    /// A move number that does not fit.
    MoveNumber = "move-number",
    /// A move that is not legal.
    Illegal = "illegal-move",
    /// A move that several legal moves fit.
    Ambiguous = "ambiguous-move",
    /// A move of a piece of the side not to move.
    WrongSide = "wrong-side",
    /// A quiet move where a capture is due.
    CaptureMissed = "capture-missed",
    /// A move after the game has ended on the board.
    AfterEnd = "after-end",
    /// A hyphen for a capture, or a cross for a quiet move.
    Separator = "separator",
    /// A scan slip that was read in its one possible way.
    Repaired = "repaired",
    /// A stated count of moves that the moves do not have.
    CountDiffers = "count-differs",
    /// The Result tag and the final marker say different things.
    ResultDiffers = "result-differs",
    /// The result contradicts the final position.
    ResultContradicted = "result-contradicted",
    /// With best play the final position ends otherwise than the result says.
    ProvedOtherwise = "proved-otherwise",
    /// A move marked as losing, and how that compares with an analysis.
    LosingMove = "losing-move",
    /// What an export of ours says of its own analysis.
    OwnAnnotation = "own-annotation",
    /// A result that nobody can read.
    UnknownResult = "unknown-result",
    /// A game of a variant that is not supported, or whose variant cannot be told.
    UnknownVariant = "unknown-variant",
    /// A second set-up inside a game.
    SetupInside = "setup-inside",
    /// A file or part of it that could not be read.
    Unreadable = "unreadable",
    /// A game that has more of something than a game may have.
    TooLarge = "too-large",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One thing to report about a text: a row of the `verify` table, but for the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How much it matters.
    pub severity: Severity,
    /// What kind of thing it is.
    pub code: Code,
    /// Where it is.
    pub location: Location,
    /// The number of the game in its text, from 1; 0 outside games.
    pub game: u32,
    /// The ply it is about, from 1; 0 when it is about none.
    pub ply: u32,
    /// What stands there.
    pub found: String,
    /// What was expected instead, or the reason. For an illegal move, the legal ones.
    pub expected: String,
    /// What to do about it; may be empty.
    pub hint: String,
}

impl Diagnostic {
    /// A diagnostic about `place`, with nothing else told yet.
    #[must_use]
    pub const fn new(severity: Severity, code: Code, place: Location) -> Self {
        Self {
            severity,
            code,
            location: place,
            game: 0,
            ply: 0,
            found: String::new(),
            expected: String::new(),
            hint: String::new(),
        }
    }

    /// The same about this game and ply.
    #[must_use]
    pub const fn at(mut self, game: u32, ply: u32) -> Self {
        self.game = game;
        self.ply = ply;
        self
    }

    /// The same with what was found there.
    #[must_use]
    pub fn found(mut self, found: impl Into<String>) -> Self {
        self.found = found.into();
        self
    }

    /// The same with what was expected, or the reason.
    #[must_use]
    pub fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = expected.into();
        self
    }

    /// The same with advice.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }
}
