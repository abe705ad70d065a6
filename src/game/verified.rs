//! Play that has been proved.

use crate::board::{Move, Outcome, Winner};
use crate::notation::{LineKind, Location, Note, ParsedGame, Tag, Verdict};
use crate::rules::Position;

use super::result::{Ending, ResultCheck, WrittenScore};

/// How much of a game could be proved.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Status {
    /// All of it.
    Stored,
    /// The plies before the first that could not be proved.
    Partly,
}

impl Status {
    /// The value printed in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stored => "stored",
            Self::Partly => "partly",
        }
    }
}

/// A line of legal moves. Only `replay` makes one.
#[derive(Clone, PartialEq, Debug)]
pub struct VerifiedLine {
    start: Position,
    end: Position,
    moves: Vec<Move>,
    /// Comments, marks and repairs by ply of this line.
    pub notes: Vec<Note>,
}

impl VerifiedLine {
    pub(super) const fn new(start: Position) -> Self {
        Self { start, end: start, moves: Vec::new(), notes: Vec::new() }
    }

    /// Adds a move found among the legal moves of the end position.
    pub(super) fn push(&mut self, legal: Move) {
        self.end = self.end.play_unchecked(&legal);
        self.moves.push(legal);
    }

    /// Makes room for `plies` moves.
    pub(super) fn reserve(&mut self, plies: usize) {
        self.moves.reserve_exact(plies);
    }

    /// The position it starts from.
    #[must_use]
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The position it ends in.
    #[must_use]
    pub const fn end(&self) -> &Position {
        &self.end
    }

    /// The moves.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position before each ply, and the end: one more than there are moves.
    pub fn positions(&self) -> impl Iterator<Item = Position> {
        self.start.along(&self.moves)
    }
}

/// A proved branch of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct VerifiedBranch {
    /// The line it leaves: `None` for the main line, else an earlier index of [`VerifiedGame::branches`].
    pub parent: Option<u32>,
    /// The ply of the parent line, from 1, in whose place its first move stands.
    pub ply: u32,
    /// The label a book gives it.
    pub label: Option<String>,
    /// Its moves, from the position before that ply.
    pub line: VerifiedLine,
}

/// A game, opening or book line of which every ply was replayed.
#[derive(Clone, PartialEq, Debug)]
pub struct VerifiedGame {
    pub(super) source: ParsedGame,
    pub(super) line: VerifiedLine,
    pub(super) branches: Vec<VerifiedBranch>,
    pub(super) status: Status,
    pub(super) score: Option<WrittenScore>,
    pub(super) result: Option<String>,
    pub(super) winner: Winner,
    pub(super) result_check: ResultCheck,
    pub(super) on_board: Option<Outcome>,
    /// Whether the main line goes to the end of the game.
    pub(super) complete: bool,
    pub(super) ending: Option<Ending>,
}

impl VerifiedGame {
    /// The main line.
    #[must_use]
    pub const fn line(&self) -> &VerifiedLine {
        &self.line
    }

    /// The branches, each behind the line it leaves.
    #[must_use]
    pub fn branches(&self) -> &[VerifiedBranch] {
        &self.branches
    }

    /// Whether all of it was proved.
    #[must_use]
    pub const fn status(&self) -> Status {
        self.status
    }

    /// The result as written, if one is: the Result tag, or the final marker where the tag is silent.
    #[must_use]
    pub fn result(&self) -> Option<&str> {
        self.result.as_deref()
    }

    /// What the written result says, before anybody decides whose score stands first.
    #[must_use]
    pub const fn score(&self) -> Option<WrittenScore> {
        self.score
    }

    /// Who won, by the written result read in the order of the replay's options, else by the book's word.
    #[must_use]
    pub const fn winner(&self) -> Winner {
        self.winner
    }

    /// What the final position itself decides; nothing for a game that was cut short.
    #[must_use]
    pub const fn on_board(&self) -> Option<Outcome> {
        self.on_board
    }

    /// What the final position is worth with best play, where the board leaves it open and somebody knows it.
    #[must_use]
    pub const fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// How the claim stands to the board.
    #[must_use]
    pub const fn result_check(&self) -> ResultCheck {
        self.result_check
    }

    /// Its number in the text, from 1.
    #[must_use]
    pub const fn number(&self) -> u32 {
        self.source.number
    }

    /// What sort of line it is.
    #[must_use]
    pub const fn kind(&self) -> LineKind {
        self.source.kind
    }

    /// The name the text gives it.
    #[must_use]
    pub fn label(&self) -> Option<&str> {
        self.source.label.as_deref()
    }

    /// Where it starts in the text.
    #[must_use]
    pub const fn location(&self) -> Location {
        self.source.location
    }

    /// The bytes of the text it was read from.
    #[must_use]
    pub fn span(&self) -> std::ops::Range<u64> {
        self.source.span.clone()
    }

    /// The tags as written.
    #[must_use]
    pub fn tags(&self) -> &[Tag] {
        &self.source.tags
    }

    /// The value of a tag, whatever the case of its name; `None` for an empty one or `?`.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.source.tag(name).map(str::trim).filter(|value| !value.is_empty() && *value != "?")
    }

    /// The book's word at the end of the line.
    #[must_use]
    pub const fn verdict(&self) -> Option<&Verdict> {
        self.source.verdict.as_ref()
    }

    /// Whether it starts from a set-up of its own and not from the variant's start.
    #[must_use]
    pub fn has_own_start(&self) -> bool {
        self.line.start != Position::start(self.line.start.variant())
    }
}
