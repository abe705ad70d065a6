//! The suites of tests/perft.

use crownhead::board::Variant;
use crownhead::rules::{Position, divide, perft, perft_paths};

use crate::support;

/// Checks every count of a suite and returns how many there were.
fn run(suite: &str) -> usize {
    let (mut id, mut position, mut checked) = ("", None, 0);
    for line in suite.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (key, rest) = line.split_once(' ').unwrap_or_else(|| panic!("no value: {line}"));
        match key {
            "id" => id = rest,
            "fen" => position = Some(support::position(rest)),
            "unique" | "paths" => {
                let (depth, count) = rest.split_once(' ').unwrap_or_else(|| panic!("no count: {line}"));
                let position = position.expect("a fen before its counts");
                let depth = depth.parse().unwrap();
                let found = if key == "unique" { perft(&position, depth) } else { perft_paths(&position, depth) };
                assert_eq!(found, count.parse::<u64>().unwrap(), "{id}: {key} at depth {depth}");
                checked += 1;
            }
            _ => panic!("unknown key: {line}"),
        }
    }
    checked
}

#[test]
fn from_the_start() {
    assert_eq!(run(include_str!("../perft/english_start.perft")), 22);
}

#[test]
fn special_positions() {
    assert_eq!(run(include_str!("../perft/english_special.perft")), 64);
}

#[test]
fn positions_from_play() {
    assert_eq!(run(include_str!("../perft/english_positions.perft")), 72);
}

#[test]
#[ignore = "seconds of work; cargo test --test it perft:: -- --ignored"]
fn depth_twelve_from_the_start() {
    assert_eq!(run(include_str!("../perft/english_deep.perft")), 2);
}

#[test]
fn no_ply_is_one_line() {
    let start = Position::start(Variant::English);
    assert_eq!((perft(&start, 0), perft_paths(&start, 0), divide(&start, 0)), (1, 1, Vec::new()));
}

#[test]
fn divide_adds_up() {
    let position = support::position("W:WK26,K30:B14,15,22,23,6,7");
    let parts = divide(&position, 6);
    assert_eq!(parts.iter().map(|(each, _)| *each).collect::<Vec<_>>(), position.legal_moves().to_vec());
    assert_eq!(parts.iter().map(|(_, lines)| lines).sum::<u64>(), perft(&position, 6));
}
