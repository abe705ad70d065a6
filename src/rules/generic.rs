//! The generator that any variant's constants drive: written to be read beside the law, not for speed.

use smallvec::SmallVec;

use crate::board::{Bitboard, CapturePath, Direction, Move, PieceKind, Square};

use super::{Crowning, KingRange, ManCaptures, Position, Precedence};

/// Every quiet move, whether or not a capture is due.
pub(super) fn quiet_moves(position: &Position) -> Vec<Move> {
    let (geometry, empty) = (position.geometry(), position.empty());
    let mut moves = Vec::new();
    for from in position.pieces(position.turn()).squares() {
        let kind = position.kind_at(from);
        for &direction in quiet_directions(position, kind).iter() {
            let mut to = geometry.step(from, direction);
            while let Some(square) = to.filter(|&square| empty.contains(square)) {
                moves.push(Move { from, to: square, captured: Bitboard::EMPTY });
                if kind == PieceKind::Man || position.rules().king_range == KingRange::Short {
                    break;
                }
                to = geometry.step(square, direction);
            }
        }
    }
    moves
}

fn quiet_directions(position: &Position, kind: PieceKind) -> SmallVec<[Direction; 4]> {
    match kind {
        PieceKind::King => SmallVec::from_slice(&Direction::ALL),
        PieceKind::Man => SmallVec::from_slice(&Direction::forward(position.turn())),
    }
}

fn capture_directions(position: &Position, kind: PieceKind) -> SmallVec<[Direction; 4]> {
    match (kind, position.rules().man_captures) {
        (PieceKind::King, _) | (PieceKind::Man, ManCaptures::Everywhere) => SmallVec::from_slice(&Direction::ALL),
        (PieceKind::Man, ManCaptures::Forward) => SmallVec::from_slice(&Direction::forward(position.turn())),
    }
}

/// A capture under way. Captured pieces stay on the board, as obstacles that cannot be jumped again, until it ends.
struct Partial {
    squares: SmallVec<[Square; 8]>,
    captured: Bitboard,
    kind: PieceKind,
    may_go_on: bool,
}

/// Every route of every legal capture.
pub(super) fn capture_paths(position: &Position) -> Vec<CapturePath> {
    let crown_head = position.geometry().crown_head(position.turn());
    let mut done: Vec<CapturePath> = Vec::new();
    let mut open: Vec<Partial> = Vec::new();
    for from in position.pieces(position.turn()).squares() {
        open.push(Partial {
            squares: SmallVec::from_slice(&[from]),
            captured: Bitboard::EMPTY,
            kind: position.kind_at(from),
            may_go_on: true,
        });
    }
    while let Some(partial) = open.pop() {
        let jumps = if partial.may_go_on { next_jumps(position, &partial) } else { Vec::new() };
        if jumps.is_empty() {
            if !partial.captured.is_empty() {
                done.push(CapturePath { squares: partial.squares, captured: partial.captured });
            }
            continue;
        }
        for (over, to) in jumps {
            let mut next = Partial {
                squares: partial.squares.clone(),
                captured: partial.captured | Bitboard::from_square(over),
                kind: partial.kind,
                may_go_on: true,
            };
            next.squares.push(to);
            if partial.kind == PieceKind::Man && crown_head.contains(to) {
                match position.rules().crowning {
                    Crowning::EndsMove => next.may_go_on = false,
                    Crowning::OnlyAtEnd => {}
                    Crowning::AtOnce => next.kind = PieceKind::King,
                }
            }
            open.push(next);
        }
    }
    if position.rules().precedence == Precedence::MostPieces {
        let most = done.iter().map(|path| path.captured.count()).max().unwrap_or(0);
        done.retain(|path| path.captured.count() == most);
    }
    done
}

/// The jumps that go on from where `partial` stands, as (square jumped, landing square). A flying king that can go on
/// from some landing square behind a piece must choose one of those.
fn next_jumps(position: &Position, partial: &Partial) -> Vec<(Square, Square)> {
    let mut jumps = Vec::new();
    for &direction in capture_directions(position, partial.kind).iter() {
        jumps.extend(jumps_in(position, partial, direction));
    }
    jumps
}

fn jumps_in(position: &Position, partial: &Partial, direction: Direction) -> Vec<(Square, Square)> {
    let geometry = position.geometry();
    let (start, here) = (partial.squares[0], partial.squares[partial.squares.len() - 1]);
    let free = position.empty() | Bitboard::from_square(start);
    let flying = partial.kind == PieceKind::King && position.rules().king_range == KingRange::Flying;
    let mut over = geometry.step(here, direction);
    while let Some(square) = over.filter(|&square| flying && free.contains(square)) {
        over = geometry.step(square, direction);
    }
    let takeable = position.pieces(!position.turn()) & !partial.captured;
    let Some(over) = over.filter(|&square| takeable.contains(square)) else { return Vec::new() };
    let mut landings = Vec::new();
    let mut to = geometry.step(over, direction);
    while let Some(square) = to.filter(|&square| free.contains(square)) {
        landings.push((over, square));
        if !flying {
            break;
        }
        to = geometry.step(square, direction);
    }
    landings
}
