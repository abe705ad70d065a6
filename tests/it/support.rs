//! What several test modules need. Positions are read by a reader of its own, so that tests of the rules stand on nothing
//! but the rules.

use crownhead::board::{Bitboard, Color, Setup, Square, Variant};
use crownhead::rules::{MoveList, Position};

/// The English position of a FEN such as `W:WK26,18:B1-12`: side, then lists of squares with K for kings.
pub(crate) fn position(fen: &str) -> Position {
    let mut setup = Setup::empty(Variant::English);
    for (place, part) in fen.split(':').enumerate() {
        let color = match part.chars().next() {
            Some('B') => Color::Black,
            Some('W') => Color::White,
            _ => panic!("no colour in {part:?} of {fen:?}"),
        };
        if place == 0 {
            setup.turn = Some(color);
            continue;
        }
        for item in part[1..].split(',').filter(|item| !item.is_empty()) {
            let (king, numbers) = item.strip_prefix('K').map_or((false, item), |rest| (true, rest));
            let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
            for number in first.parse().unwrap()..=last.parse().unwrap() {
                let square = square(number);
                match color {
                    Color::Black => setup.black.insert(square),
                    Color::White => setup.white.insert(square),
                }
                if king {
                    setup.kings.insert(square);
                }
            }
        }
    }
    Position::from_setup(&setup).unwrap_or_else(|errors| panic!("{fen:?}: {errors}"))
}

/// The square people call `number`.
pub(crate) fn square(number: u32) -> Square {
    Square::from_number(number, 32).unwrap()
}

/// The set of the squares people call `numbers`.
pub(crate) fn squares(numbers: &[u32]) -> Bitboard {
    numbers.iter().map(|&number| square(number)).collect()
}

/// The positions of play from `position` in which the n-th choice takes legal move number n, counted round; play ends
/// with the choices or the game.
pub(crate) fn play(position: Position, choices: &[u8]) -> Vec<Position> {
    let mut positions = vec![position];
    for &choice in choices {
        let here = positions[positions.len() - 1];
        let moves: MoveList = here.legal_moves();
        if moves.is_empty() {
            break;
        }
        positions.push(here.play_unchecked(&moves[usize::from(choice) % moves.len()]));
    }
    positions
}
