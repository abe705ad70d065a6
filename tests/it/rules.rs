//! The rules: the cases of tests/rules, and laws that hold in every position of play.

use std::collections::BTreeSet;

use crownhead::board::{CapturePath, Color, Move, Setup, Square, Variant};
use crownhead::rules::{NoHolder, Position, PositionKey, Systems, exchanges, perft, perft_paths, the_move};
use proptest::prelude::*;

use crate::support::{play, position, square, squares};

/// A move as the cases write it: `22x15x8<11,18>`, `18-14`, with `=K` when it crowns.
fn written(position: &Position, path: &CapturePath) -> String {
    let separator = if path.captured.is_empty() { "-" } else { "x" };
    let mut text = path.squares.iter().map(ToString::to_string).collect::<Vec<_>>().join(separator);
    if !path.captured.is_empty() {
        text += &format!("<{}>", path.captured.squares().map(|s| s.to_string()).collect::<Vec<_>>().join(","));
    }
    let each = path.to_move();
    if position.play(&each).unwrap().kings().contains(each.to) && !position.kings().contains(each.from) {
        text += "=K";
    }
    text
}

#[test]
fn cases() {
    let cases = include_str!("../rules/english.tsv").lines().filter(|line| !line.starts_with('#'));
    let mut checked = 0;
    for case in cases {
        let fields: Vec<&str> = case.split('\t').collect();
        let [id, fen, count, moves] = fields[..] else { panic!("not four columns: {case}") };
        let position = position(fen);
        let expected: BTreeSet<String> = moves.split(' ').filter(|each| *each != "-").map(String::from).collect();
        let mut found: BTreeSet<String> = position.capture_paths().iter().map(|p| written(&position, p)).collect();
        if found.is_empty() {
            let quiet = |m: &Move| CapturePath { squares: [m.from, m.to].into_iter().collect(), captured: m.captured };
            found = position.legal_moves().iter().map(|m| written(&position, &quiet(m))).collect();
        }
        assert_eq!(found, expected, "{id}");
        assert_eq!(position.legal_moves().len(), count.parse::<usize>().unwrap(), "{id}");
        assert_eq!(position.has_legal_move(), !expected.is_empty(), "{id}");
        checked += 1;
    }
    assert_eq!(checked, 12);
}

#[test]
fn find_moves_tells_captures_with_the_same_ends_apart() {
    let circle = position("W:WK26:B14,15,22,23,6,7").find_moves(square(26), square(26));
    assert_eq!(circle.to_vec(), [Move { from: square(26), to: square(26), captured: squares(&[14, 15, 22, 23]) }]);
    let two = position("W:W27:B23,24,15,16").find_moves(square(27), square(11));
    let taking = |numbers| Move { from: square(27), to: square(11), captured: squares(numbers) };
    assert_eq!(two.to_vec(), [taking(&[15, 23]), taking(&[16, 24])]);
}

#[test]
fn find_moves_of_squares_off_the_board_or_without_own_piece() {
    let start = Position::start(Variant::English);
    let off = Square::new(40);
    assert!(start.find_moves(off, square(15)).is_empty());
    assert!(start.find_moves(square(11), off).is_empty());
    assert!(start.find_moves(square(23), square(19)).is_empty());
    assert_eq!(start.find_moves(square(11), square(15)).len(), 1);
}

#[test]
fn the_move_as_britannica_counts_it() {
    let kings = position("W:WK26,K32:BK19,K28");
    assert_eq!(the_move(&kings).counts, Systems { white_side: 1, black_side: 3 });
    assert_eq!(the_move(&kings).holder, Ok(Color::White));
    assert_eq!(the_move(&position("W:WK12:BK19")).holder, Ok(Color::Black));
    assert_eq!(the_move(&position("B:WK12:BK19")).holder, Ok(Color::White));
}

#[test]
fn the_move_is_undefined_unless_numbers_are_equal() {
    let odd = the_move(&position("W:WK26,K32:BK19"));
    assert_eq!((odd.counts, odd.holder), (Systems { white_side: 1, black_side: 2 }, Err(NoHolder::OddTotal)));
    let unequal = position("W:WK26,K32,31:BK19");
    assert_eq!(the_move(&unequal).holder, Err(NoHolder::UnequalNumbers));
    assert!(exchanges(&unequal).is_empty());
}

#[test]
fn the_move_in_fosters_diagrams() {
    // No. 10: three in one system, and Black, to play 10-15, has it.
    let tenth = the_move(&position("B:W11,31:B3,10"));
    assert_eq!((tenth.counts.black_side, tenth.holder), (3, Ok(Color::Black)));
    // No. 11: even, so Black has it not and gets it by the one exchange, 9-14, 18x9, 5x14.
    let eleventh = position("B:W18,28,30:B5,9,20");
    assert_eq!(the_move(&eleventh).holder, Ok(Color::White));
    let found = exchanges(&eleventh);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].position, position("W:W28,30:B14,20"));
    assert_eq!(the_move(&found[0].position).holder, Ok(Color::Black));
}

#[test]
fn one_for_one_changes_the_move_when_one_capturing_piece_remains() {
    // 22-18, 15x22, 26x17.
    let found = exchanges(&position("W:W22,26,31:B15,1,2"));
    assert_eq!(found.len(), 1, "{found:?}");
    let exchange = &found[0];
    assert_eq!((exchange.lost, exchange.captures, exchange.moves.len()), (1, 2, 3));
    assert_eq!(exchange.captured, Systems { white_side: 1, black_side: 1 });
    assert!(exchange.rule_says_changes && exchange.recount_says_changes);
    assert_eq!(exchange.position, position("B:W17,31:B1,2"));
}

/// Positions of random play: from the start, or after kings were set down anywhere.
fn played() -> impl Strategy<Value = Vec<Position>> {
    let choices = || prop::collection::vec(any::<u8>(), 0..120);
    let from_start = choices().prop_map(|choices| play(Position::start(Variant::English), &choices));
    let from_kings = (prop::collection::vec((0_u8..32, any::<bool>(), prop::bool::weighted(0.7)), 2..18), choices())
        .prop_map(|(pieces, choices)| play(scattered(&pieces), &choices));
    prop_oneof![from_start, from_kings]
}

/// A position with these pieces: square, whether White's, whether a king.
fn scattered(pieces: &[(u8, bool, bool)]) -> Position {
    let mut setup = Setup::empty(Variant::English);
    setup.turn = Some(Color::White);
    for &(index, white, king) in pieces {
        let square = Square::new(index);
        let color = if white { Color::White } else { Color::Black };
        if (setup.black | setup.white).contains(square) || setup.pieces(color).count() == 12 {
            continue;
        }
        match color {
            Color::Black => setup.black.insert(square),
            Color::White => setup.white.insert(square),
        }
        if king || setup.variant.geometry().crown_head(color).contains(square) {
            setup.kings.insert(square);
        }
    }
    Position::from_setup(&setup).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn both_generators_agree(positions in played()) {
        for position in positions {
            let moves = position.legal_moves();
            prop_assert_eq!(&moves, &position.legal_moves_generic());
            prop_assert_eq!(position.capture_paths(), position.capture_paths_generic());
            prop_assert_eq!(position.must_capture(), !position.capture_paths_generic().is_empty());
            prop_assert_eq!(position.has_legal_move(), !moves.is_empty());
            prop_assert!(moves.is_sorted());
            prop_assert_eq!(perft(&position, 1), moves.len() as u64);
            for from in position.geometry().all().squares() {
                for to in position.geometry().all().squares() {
                    let expected: Vec<Move> = moves.iter().filter(|m| m.from == from && m.to == to).copied().collect();
                    prop_assert_eq!(position.find_moves(from, to).to_vec(), expected);
                }
            }
        }
    }

    #[test]
    fn fast_perft_counts_what_the_reference_plays(positions in played()) {
        let position = positions[positions.len() - 1];
        let (mut unique, mut paths) = (0, 0);
        for first in position.legal_moves_generic() {
            let next = position.play_unchecked(&first);
            unique += next.legal_moves_generic().len() as u64;
        }
        let routes = |p: &Position| match p.capture_paths_generic() {
            routes if routes.is_empty() => p.legal_moves_generic().into_vec(),
            routes => routes.iter().map(CapturePath::to_move).collect(),
        };
        for first in routes(&position) {
            paths += routes(&position.play_unchecked(&first)).len() as u64;
        }
        prop_assert_eq!((perft(&position, 2), perft_paths(&position, 2)), (unique, paths));
    }

    #[test]
    fn colours_reversed_is_the_same_game(positions in played()) {
        for position in &positions {
            let reversed = position.reversed();
            prop_assert_eq!(reversed.reversed(), *position);
            prop_assert_ne!(reversed.key(), position.key());
            let turn = |square: Square| Square::new(31 - square.index() as u8);
            let mut moves: Vec<Move> = position
                .legal_moves()
                .iter()
                .map(|m| Move { from: turn(m.from), to: turn(m.to), captured: m.captured.turned(32) })
                .collect();
            moves.sort_unstable();
            prop_assert_eq!(reversed.legal_moves().to_vec(), moves);
            for each in position.legal_moves() {
                let other = Move { from: turn(each.from), to: turn(each.to), captured: each.captured.turned(32) };
                prop_assert_eq!(reversed.play(&other).unwrap(), position.play(&each).unwrap().reversed());
            }
        }
        let last = &positions[positions.len() - 1];
        prop_assert_eq!(perft(&last.reversed(), 4), perft(last, 4));
        prop_assert_eq!(perft_paths(&last.reversed(), 4), perft_paths(last, 4));
        prop_assert_eq!(the_move(&last.reversed()).holder, the_move(last).holder.map(|holder| !holder));
    }

    #[test]
    fn play_keeps_positions_legal_and_keys_exact(positions in played()) {
        for position in positions {
            prop_assert_eq!(Position::from_setup(&position.setup()).unwrap(), position);
            prop_assert_eq!(position.key().position(), Some(position));
            prop_assert_eq!(PositionKey::from_bytes(position.key().to_bytes()), position.key());
        }
    }

    #[test]
    fn a_quiet_move_keeps_the_move(positions in played()) {
        for pair in positions.windows(2) {
            if !pair[0].must_capture() {
                prop_assert_eq!(the_move(&pair[0]).holder, the_move(&pair[1]).holder);
            }
        }
    }

    #[test]
    fn rule_and_recount_agree_on_exchanges(positions in played()) {
        for position in positions {
            for exchange in exchanges(&position) {
                prop_assert_eq!(exchange.rule_says_changes, exchange.recount_says_changes);
                let by_other_system = !(exchange.captures + exchange.captured.black_side).is_multiple_of(2);
                prop_assert_eq!(exchange.rule_says_changes, by_other_system);
                prop_assert_eq!(exchange.captured.white_side + exchange.captured.black_side, 2 * exchange.lost);
                prop_assert!(exchange.lost > 0 && !exchange.position.must_capture());
            }
        }
    }
}
