//! Legal positions and the moves between them.

use std::fmt;

use smallvec::SmallVec;

use crate::board::{Bitboard, CapturePath, Color, Geometry, Move, Piece, PieceKind, Setup, Square, Variant};

use super::{PositionKey, RuleSet, english, generic};

/// The legal moves of a position, in ascending order of from, to, captured set.
pub type MoveList = SmallVec<[Move; 16]>;

/// Reasons why a set-up is not a position, as a set: all that hold are told at once.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct PositionErrors(u8);

/// One reason why a set-up is not a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PositionError {
    /// The set-up does not say who is to move.
    NoTurn,
    /// No piece stands on the board.
    Empty,
    /// A piece stands outside the board.
    OffBoard,
    /// Both colours claim a square.
    Overlap,
    /// A square is crowned that has no piece.
    CrownWithoutPiece,
    /// A man stands on the row where it would be crowned.
    ManOnCrownHead,
    /// A side has more pieces than it starts with.
    TooManyPieces,
}

impl PositionError {
    const ALL: [Self; 7] = [
        Self::NoTurn,
        Self::Empty,
        Self::OffBoard,
        Self::Overlap,
        Self::CrownWithoutPiece,
        Self::ManOnCrownHead,
        Self::TooManyPieces,
    ];
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoTurn => "the side to move is not told",
            Self::Empty => "the board is empty",
            Self::OffBoard => "a piece stands outside the board",
            Self::Overlap => "both colours stand on one square",
            Self::CrownWithoutPiece => "a square is crowned that has no piece",
            Self::ManOnCrownHead => "a man stands on its own crown-head",
            Self::TooManyPieces => "a side has more pieces than it starts with",
        })
    }
}

impl PositionErrors {
    fn add(&mut self, error: PositionError, holds: bool) {
        self.0 |= u8::from(holds) << error as u8;
    }

    /// The reasons, in a fixed order.
    pub fn iter(self) -> impl Iterator<Item = PositionError> {
        PositionError::ALL.into_iter().filter(move |error| self.contains(*error))
    }

    /// Whether `error` is among the reasons.
    #[must_use]
    pub const fn contains(self, error: PositionError) -> bool {
        self.0 >> error as u8 & 1 == 1
    }
}

impl fmt::Display for PositionErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.iter().enumerate() {
            write!(f, "{}{error}", if i == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl fmt::Debug for PositionErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl std::error::Error for PositionErrors {}

/// A move that is not legal in the position it was tried in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the move is not legal here")]
pub struct PlayError {
    /// The position, unchanged.
    pub position: Position,
    /// The move that was tried.
    pub tried: Move,
}

/// A legal position with a side to move: legal by construction.
///
/// # Equality
/// The repetition rule's: same variant, same pieces, same side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    variant: Variant,
    turn: Color,
    black: Bitboard,
    white: Bitboard,
    kings: Bitboard,
}

impl Position {
    /// The start of a game of `variant`.
    #[must_use]
    pub fn start(variant: Variant) -> Self {
        let setup = Setup::start(variant);
        let turn = variant.first_to_move();
        Self { variant, turn, black: setup.black, white: setup.white, kings: setup.kings }
    }

    /// The position that `setup` describes.
    ///
    /// # Errors
    /// All the reasons why it is none.
    pub fn from_setup(setup: &Setup) -> Result<Self, PositionErrors> {
        let geometry = setup.variant.geometry();
        let (black, white, kings) = (setup.black, setup.white, setup.kings);
        let most = u32::from(setup.variant.men());
        let on_crown_head = (black & geometry.crown_head(Color::Black)) | (white & geometry.crown_head(Color::White));
        let mut errors = PositionErrors::default();
        errors.add(PositionError::NoTurn, setup.turn.is_none());
        errors.add(PositionError::Empty, (black | white).is_empty());
        errors.add(PositionError::OffBoard, !((black | white | kings) & !geometry.all()).is_empty());
        errors.add(PositionError::Overlap, !(black & white).is_empty());
        errors.add(PositionError::CrownWithoutPiece, !(kings & !(black | white)).is_empty());
        errors.add(PositionError::ManOnCrownHead, !(on_crown_head & !kings).is_empty());
        errors.add(PositionError::TooManyPieces, black.count() > most || white.count() > most);
        match setup.turn {
            Some(turn) if errors == PositionErrors::default() => {
                Ok(Self { variant: setup.variant, turn, black, white, kings })
            }
            _ => Err(errors),
        }
    }

    /// The same as a set-up.
    #[must_use]
    pub const fn setup(&self) -> Setup {
        Setup { variant: self.variant, turn: Some(self.turn), black: self.black, white: self.white, kings: self.kings }
    }

    /// The game it belongs to.
    #[must_use]
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// The law it is played by.
    #[must_use]
    pub const fn rules(&self) -> &'static RuleSet {
        RuleSet::for_variant(self.variant)
    }

    /// The board it stands on.
    #[must_use]
    pub fn geometry(&self) -> &'static Geometry {
        self.variant.geometry()
    }

    /// The side to move.
    #[must_use]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The pieces of `color`.
    #[must_use]
    pub const fn pieces(&self, color: Color) -> Bitboard {
        match color {
            Color::Black => self.black,
            Color::White => self.white,
        }
    }

    /// The kings of both sides.
    #[must_use]
    pub const fn kings(&self) -> Bitboard {
        self.kings
    }

    /// The squares without a piece.
    #[must_use]
    pub fn empty(&self) -> Bitboard {
        self.geometry().all() & !(self.black | self.white)
    }

    /// The piece on `square`.
    #[must_use]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        self.setup().piece_at(square)
    }

    /// The exact key.
    #[must_use]
    pub fn key(&self) -> PositionKey {
        PositionKey::from_position(self)
    }

    /// Colours reversed: the same game with the sides' names exchanged and the board turned half round.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let squares = self.geometry().squares();
        Self {
            variant: self.variant,
            turn: !self.turn,
            black: self.white.turned(squares),
            white: self.black.turned(squares),
            kings: self.kings.turned(squares),
        }
    }

    /// All legal moves, each once, in ascending order of from, to, captured set. Empty when the side to move has lost.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        match self.variant {
            Variant::English => english::legal_moves(self),
        }
    }

    /// The same as [`Self::legal_moves`] by the generator that the [`RuleSet`] drives: the reference that a variant's own
    /// generator is tested against, many times slower.
    #[must_use]
    pub fn legal_moves_generic(&self) -> MoveList {
        let paths = generic::capture_paths(self);
        let mut moves: MoveList = if paths.is_empty() {
            generic::quiet_moves(self).into()
        } else {
            paths.iter().map(CapturePath::to_move).collect()
        };
        moves.sort_unstable();
        moves.dedup();
        moves
    }

    /// The legal moves from `from` to `to`, ascending: none, one, or where routes take different pieces several. Allocates
    /// nothing up to two, and looks at no other piece's captures.
    #[must_use]
    pub fn find_moves(&self, from: Square, to: Square) -> SmallVec<[Move; 2]> {
        match self.variant {
            Variant::English => english::find_moves(self, from, to),
        }
    }

    /// Whether the side to move has a legal move; if not, it has lost.
    #[must_use]
    pub fn has_legal_move(&self) -> bool {
        match self.variant {
            Variant::English => english::has_legal_move(self),
        }
    }

    /// Every route of every legal capture, in ascending order; empty when no capture is due.
    #[must_use]
    pub fn capture_paths(&self) -> Vec<CapturePath> {
        match self.variant {
            Variant::English => english::capture_paths(self),
        }
    }

    /// The same as [`Self::capture_paths`] by the reference generator.
    #[must_use]
    pub fn capture_paths_generic(&self) -> Vec<CapturePath> {
        let mut paths = generic::capture_paths(self);
        paths.sort_unstable();
        paths
    }

    /// Whether the side to move must capture.
    #[must_use]
    pub fn must_capture(&self) -> bool {
        match self.variant {
            Variant::English => english::must_capture(self),
        }
    }

    /// Whether `tried` is legal here.
    #[must_use]
    pub fn is_legal(&self, tried: &Move) -> bool {
        self.find_moves(tried.from, tried.to).contains(tried)
    }

    /// The position after `tried`.
    ///
    /// # Errors
    /// [`PlayError`] with this position when the move is not legal.
    pub fn play(&self, tried: &Move) -> Result<Self, PlayError> {
        if self.is_legal(tried) {
            Ok(self.play_unchecked(tried))
        } else {
            Err(PlayError { position: *self, tried: *tried })
        }
    }

    /// The position after `legal`, a move known to be legal here (out of [`Self::legal_moves`]).
    #[must_use]
    pub fn play_unchecked(&self, legal: &Move) -> Self {
        let mut next = *self;
        let is_king = self.kings.contains(legal.from);
        let gone = !legal.captured;
        let (own, other) = match self.turn {
            Color::Black => (&mut next.black, &mut next.white),
            Color::White => (&mut next.white, &mut next.black),
        };
        own.remove(legal.from);
        own.insert(legal.to);
        *other &= gone;
        next.kings &= gone;
        next.kings.remove(legal.from);
        if is_king || self.geometry().crown_head(self.turn).contains(legal.to) {
            next.kings.insert(legal.to);
        }
        next.turn = !self.turn;
        next
    }

    /// This position, then the one after each of `moves`, which are known to be legal one after the other.
    pub fn along(self, moves: &[Move]) -> impl Iterator<Item = Self> {
        let mut position = self;
        std::iter::once(self).chain(moves.iter().map(move |played| {
            position = position.play_unchecked(played);
            position
        }))
    }

    /// The kind of piece that stands on `square`, for the generators.
    pub(super) fn kind_at(&self, square: Square) -> PieceKind {
        if self.kings.contains(square) { PieceKind::King } else { PieceKind::Man }
    }
}
