//! One written move against one position.

use std::fmt;

use smallvec::SmallVec;

use crate::board::{CapturePath, Color, Move, PieceKind, Square};
use crate::notation::{ParsedMove, Sign};
use crate::rules::Position;

use super::notate::moves_text;

/// The legal moves that a written move fits: one where all is well.
pub(super) type Candidates = SmallVec<[Move; 2]>;

/// A written move that was found on the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Matched {
    /// The legal move.
    pub legal: Move,
    /// Whether the sign says quiet for a capture, or capture for a quiet move.
    pub wrong_sign: bool,
}

/// Why a written move cannot be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mismatch {
    /// A placeholder: nobody knows the move.
    Unknown,
    /// A square number that the board does not have.
    NoSuchSquare(u8),
    /// The side to move has no legal move: the game is over.
    AfterEnd,
    /// No piece stands on the first square.
    NoPiece(Square),
    /// The piece on the first square is the other side's.
    WrongSide(Square, PieceKind, Color),
    /// A piece stands on the last square.
    Occupied(Square),
    /// A capture is due and this is none.
    CaptureMissed,
    /// The capture goes on after the square where the text stops.
    CaptureUnfinished,
    /// The piece cannot go there.
    OutOfReach(PieceKind),
    /// Several captures fit.
    Ambiguous(SmallVec<[Move; 2]>),
}

impl Mismatch {
    /// The reason in words, for the position it was found in.
    #[must_use]
    pub fn reason(&self, position: &Position) -> String {
        match self {
            Self::Unknown => "the move is not known".to_owned(),
            Self::NoSuchSquare(number) => {
                format!("square {number}: the board has the squares 1 to {}", position.geometry().squares())
            }
            Self::AfterEnd => format!("the game is over: {} has no move", position.turn()),
            Self::NoPiece(square) => format!("no piece stands on {square}"),
            Self::WrongSide(square, kind, color) => {
                format!("the {} on {square} is {color}'s, {} is to move", kind_name(*kind), position.turn())
            }
            Self::Occupied(square) => format!("square {square} is occupied"),
            Self::CaptureMissed => format!("{} must capture", position.turn()),
            Self::CaptureUnfinished => "the capture must be finished".to_owned(),
            Self::OutOfReach(kind) => format!("the {} cannot go there", kind_name(*kind)),
            Self::Ambiguous(candidates) => {
                format!("several captures fit: {}", moves_text(position, candidates))
            }
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

const fn kind_name(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Man => "man",
        PieceKind::King => "king",
    }
}

/// Finds the legal move that `written` means in `position`. Squares decide, not the sign between them.
///
/// # Errors
/// Why there is no such move, or that there are several.
pub fn match_move(position: &Position, written: &ParsedMove) -> Result<Matched, Mismatch> {
    let squares = &written.squares;
    let (Some(&first), Some(&last)) = (squares.first(), squares.last()) else { return Err(Mismatch::Unknown) };
    let count = position.geometry().squares();
    let (Some(from), Some(to)) = (Square::from_number(first.into(), count), Square::from_number(last.into(), count))
    else {
        let off = squares.iter().copied().find(|&n| n == 0 || n > count).unwrap_or(first);
        return Err(Mismatch::NoSuchSquare(off));
    };
    let mut candidates: Candidates = position.find_moves(from, to);
    if squares.len() > 2 {
        let along = moves_along(position, squares);
        candidates.retain(|candidate| along.contains(candidate));
    }
    match candidates.len() {
        0 => Err(why_illegal(position, from, to)),
        1 => {
            let legal = candidates[0];
            let wrong_sign = match written.sign {
                Sign::Quiet => legal.is_capture(),
                Sign::Capture => !legal.is_capture(),
                Sign::Silent => false,
            };
            Ok(Matched { legal, wrong_sign })
        }
        _ => Err(Mismatch::Ambiguous(candidates)),
    }
}

/// The captures that visit the written squares in this order; those that visit only them, where there are any.
fn moves_along(position: &Position, written: &[u8]) -> Vec<Move> {
    let paths = position.capture_paths();
    let numbers = |squares: &[Square]| squares.iter().map(|s| s.number()).collect::<SmallVec<[u8; 8]>>();
    let exact: Vec<Move> =
        paths.iter().filter(|path| numbers(&path.squares)[..] == *written).map(CapturePath::to_move).collect();
    if !exact.is_empty() {
        return exact;
    }
    let visits = |squares: &[Square]| {
        let mut rest = squares.iter().map(|s| s.number());
        written.iter().all(|number| rest.any(|visited| visited == *number))
    };
    paths.iter().filter(|path| visits(&path.squares)).map(CapturePath::to_move).collect()
}

fn why_illegal(position: &Position, from: Square, to: Square) -> Mismatch {
    let legal = position.legal_moves();
    if legal.is_empty() {
        return Mismatch::AfterEnd;
    }
    let Some(piece) = position.piece_at(from) else { return Mismatch::NoPiece(from) };
    if piece.color != position.turn() {
        return Mismatch::WrongSide(from, piece.kind, piece.color);
    }
    if from != to && position.piece_at(to).is_some() {
        return Mismatch::Occupied(to);
    }
    if legal[0].is_capture() {
        let stops_early =
            position.capture_paths().iter().any(|path| path.squares[0] == from && path.squares.contains(&to));
        return if stops_early { Mismatch::CaptureUnfinished } else { Mismatch::CaptureMissed };
    }
    Mismatch::OutOfReach(piece.kind)
}
