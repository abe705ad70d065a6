//! What several test modules need. Positions are read by a reader of its own, so that tests of the rules stand on nothing
//! but the rules.

use std::path::Path;
use std::process::Command;

use crownhead::board::{Bitboard, Color, Setup, Square, Variant};
use crownhead::game::move_text;
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

/// What a run of the program gave.
pub(crate) struct Ran {
    /// Its exit status; `None` when a signal ended it.
    pub(crate) status: Option<i32>,
    /// What it printed as data.
    pub(crate) out: String,
    /// What it said.
    pub(crate) err: String,
}

impl Ran {
    /// What a run gave.
    pub(crate) fn of(output: &std::process::Output) -> Self {
        Self {
            status: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// Runs the program on a database.
pub(crate) fn crownhead(database: &Path, args: &[&str]) -> Ran {
    crownhead_with(database, args, &[])
}

/// The same with more in its environment.
pub(crate) fn crownhead_with(database: &Path, args: &[&str], environment: &[(&str, &Path)]) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_crownhead"))
        .arg("--db")
        .arg(database)
        .args(args)
        .env_remove("CROWNHEAD_DB")
        .env_remove("CROWNHEAD_EGDB")
        .env("COLUMNS", "200")
        .envs(environment.iter().copied())
        .output()
        .unwrap();
    Ran::of(&output)
}

/// The program on a database, having to end with `status`; its data.
pub(crate) fn crownhead_ends(database: &Path, status: i32, args: &[&str]) -> String {
    let ran = crownhead(database, args);
    assert_eq!(ran.status, Some(status), "{args:?}: {}", ran.err);
    ran.out
}

/// PDN of games played at random, the same for the same seed, with a result claimed by chance.
pub(crate) fn random_pdn(seed: u64, games: usize) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut text = String::new();
    for game in 0..games {
        let mut position = Position::start(Variant::English);
        let mut moves = Vec::new();
        for _ in 0..20 + random(20) {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            // Few first moves, so that games meet.
            let played = legal[random(if moves.len() < 4 { legal.len().min(2) } else { legal.len() })];
            moves.push(move_text(&position, &played));
            position = position.play_unchecked(&played);
        }
        let open = !position.legal_moves().is_empty();
        let result = if open { ["1-0", "0-1", "1/2-1/2", "*"][random(4)] } else { "*" };
        text.push_str(&format!(
            "[Event \"Seed {seed}\"]\n[Black \"Player {game}\"]\n[White \"Other {seed}\"]\n[Result \"{result}\"]\n{} {result}\n\n",
            moves.join(" ")
        ));
    }
    text
}
