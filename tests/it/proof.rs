//! Proofs and certificates: what is proved is so by the databases, and what the checker accepts a slow one accepts too.

use std::collections::HashMap;

use crownhead::board::{Bitboard, Color, Move, Square, Value, Variant};
use crownhead::engine::egdb::Databases;
use crownhead::engine::{CheckError, Claim, Endings, Evaluation, Memory, ProofResult, Prover, StopFlag, check};
use crownhead::notation::fen;
use crownhead::rules::{FastPosition, Position, PositionKey};
use proptest::prelude::*;

/// The databases, as if they knew fewer pieces: the rest has to be proved.
struct UpTo(Databases, u32);

impl Endings for UpTo {
    fn most_pieces(&self) -> u32 {
        self.1
    }

    fn value(&self, position: &FastPosition) -> Option<Value> {
        self.0.value(&position.position().ok()?).ok().flatten()
    }
}

fn databases() -> Databases {
    Databases::embedded(Variant::English).unwrap()
}

fn position(text: &str) -> Position {
    Position::from_setup(&fen::read(text, Variant::English).unwrap().setup).unwrap()
}

fn fast(position: &Position) -> FastPosition {
    FastPosition::from_position(position).unwrap()
}

fn holds(claim: Claim, value: Value) -> bool {
    match claim {
        Claim::Win => value == Value::Win,
        Claim::Loss => value == Value::Loss,
        Claim::NotLoss => value != Value::Loss,
        Claim::NotWin => value != Value::Win,
    }
}

#[test]
fn a_lone_king_is_caught_with_no_database_at_all() {
    let start = position("W:WK14,K10:BK1");
    let prover = Prover { evaluation: &Evaluation::best(), endings: None };
    let attempt = prover.prove(&fast(&start), Claim::Win, 200_000, &StopFlag::default(), &mut Memory::default());
    let ProofResult::Proved(certificate) = attempt.verdict else { panic!("not proved in {} nodes", attempt.nodes) };
    assert_eq!(certificate.endings(), 0);
    let checked = check(&certificate.to_text(), None).unwrap();
    assert_eq!((checked.position, checked.claim), (start, Claim::Win));
}

#[test]
fn exchanging_and_winning_in_foster_s_diagram_11_is_no_win() {
    // After 9-14 18x9 5x14 White holds with 30-25 alone.
    let start = position("W:W28,30:B14,20");
    let known = databases();
    for played in start.legal_moves() {
        let value = known.value(&start.play(&played).unwrap()).unwrap().unwrap();
        let holds = (played.from, played.to) == (Square::new(29), Square::new(24));
        assert_eq!(value != Value::Win, holds, "{played:?}");
    }
    // So Black does not win by 9-14 two plies before: six pieces, which no database here knows.
    let exchange = position("W:W18,28,30:B5,14,20");
    assert_eq!(known.value(&exchange).unwrap(), None);
    let prover = Prover { evaluation: &Evaluation::best(), endings: Some(&known) };
    let attempt = prover.prove(&fast(&exchange), Claim::NotLoss, 100_000, &StopFlag::default(), &mut Memory::default());
    let ProofResult::Proved(certificate) = attempt.verdict else { panic!("not proved") };
    let text = certificate.to_text();
    assert_eq!(check(&text, Some(&known)).unwrap().claim, Claim::NotLoss);
    // Without the database the certificate is refused.
    let refused = check(&text, None).unwrap_err();
    assert!(matches!(refused, CheckError::Endings { needed: 5, have: 0 }), "{refused}");
    // The contrary is disproved by the same.
    let attempt = prover.prove(&fast(&exchange), Claim::Loss, 100_000, &StopFlag::default(), &mut Memory::default());
    assert!(matches!(attempt.verdict, ProofResult::Disproved(_)));
}

#[test]
fn a_certificate_asks_for_no_more_pieces_than_it_needs() {
    let databases = databases();
    let prover = Prover { evaluation: &Evaluation::best(), endings: Some(&databases) };
    let proved = |text: &str, claim: Claim| {
        let attempt =
            prover.prove(&fast(&position(text)), claim, 100_000, &StopFlag::default(), &mut Memory::default());
        match attempt.verdict {
            ProofResult::Proved(certificate) => certificate.endings(),
            _ => panic!("{text} is open"),
        }
    };
    // Foster's diagram 11 goes down to five pieces; where all men are blocked none is asked.
    assert_eq!(proved("W:W18,28,30:B5,14,20", Claim::NotLoss), 5);
    assert_eq!(proved("W:W12,13,21:B3,6,8,9,14,17", Claim::Loss), 0);
}

#[test]
fn what_was_proved_of_a_later_position_serves_an_earlier_one() {
    let earlier = position("W:WK14,K10:BK1");
    let endings = UpTo(databases(), 2);
    let prover = Prover { evaluation: &Evaluation::best(), endings: Some(&endings) };
    let alone = prover.attempt(&fast(&earlier), Claim::Win, 200_000, &StopFlag::default(), &mut Memory::default());
    let ProofResult::Proved(certificate) = alone.verdict else { panic!("not proved") };
    let later = earlier.play(&certificate.move_in(earlier.key()).unwrap()).unwrap();
    let mut memory = Memory::default();
    let found = prover.attempt(&fast(&later), Claim::Loss, 200_000, &StopFlag::default(), &mut memory);
    assert!(matches!(found.verdict, ProofResult::Proved(_)));
    let found = prover.attempt(&fast(&earlier), Claim::Win, 200_000, &StopFlag::default(), &mut memory);
    let ProofResult::Proved(certificate) = found.verdict else { panic!("not proved") };
    assert!(found.nodes < alone.nodes, "{} {}", found.nodes, alone.nodes);
    assert_eq!(check(&certificate.to_text(), Some(&endings)).unwrap().position, earlier);
    // The other side's proofs are others.
    let found = prover.attempt(&fast(&later), Claim::NotLoss, 2_000, &StopFlag::default(), &mut memory);
    assert!(matches!(found.verdict, ProofResult::Open));
}

#[test]
fn any_changed_byte_is_refused_by_the_digest() {
    let start = position("W:WK14,K10:BK1");
    let prover = Prover { evaluation: &Evaluation::best(), endings: None };
    let ProofResult::Proved(certificate) =
        prover.prove(&fast(&start), Claim::Win, 200_000, &StopFlag::default(), &mut Memory::default()).verdict
    else {
        panic!("not proved")
    };
    let text = certificate.to_text();
    for at in 0..text.len() {
        let mut bytes = text.clone().into_bytes();
        bytes[at] = if bytes[at] == b'1' { b'2' } else { b'1' };
        let changed = String::from_utf8(bytes).unwrap();
        assert!(check(&changed, None).is_err(), "byte {at}");
    }
}

/// A certificate of a claim that holds, about a position of four pieces, with databases of two only.
fn certificate(men: [u8; 2], kings: [u8; 2], turn: bool) -> Option<(String, UpTo)> {
    let mut setup = crownhead::board::Setup::empty(Variant::English);
    setup.turn = Some(if turn { Color::Black } else { Color::White });
    setup.black.insert(Square::new(men[0]));
    setup.black.insert(Square::new(kings[0]));
    setup.white.insert(Square::new(men[1]));
    setup.white.insert(Square::new(kings[1]));
    setup.kings.insert(Square::new(kings[0]));
    setup.kings.insert(Square::new(kings[1]));
    let start = Position::from_setup(&setup).ok()?;
    let known = databases();
    let value = known.value(&start).unwrap()?;
    let claim = match value {
        Value::Win => Claim::Win,
        Value::Loss => Claim::Loss,
        Value::Draw => Claim::NotLoss,
    };
    let endings = UpTo(known, 3);
    let prover = Prover { evaluation: &Evaluation::Material, endings: Some(&endings) };
    match prover.prove(&fast(&start), claim, 30_000, &StopFlag::default(), &mut Memory::default()).verdict {
        ProofResult::Proved(certificate) => Some((certificate.to_text(), endings)),
        ProofResult::Disproved(_) => panic!("{} disproved, but it is a {value}", fen::write(&setup)),
        ProofResult::Open => None,
    }
}

/// The same text with one thing changed and the digest renewed.
fn tampered(text: &str, change: u8, at: usize, with: usize) -> String {
    let body = &text[..text.rfind("digest ").unwrap()];
    let mut lines: Vec<String> = body.lines().map(str::to_owned).collect();
    let moves = lines.len() - 5;
    match change {
        0 => lines[2] = format!("claim {}", Claim::ALL[with % 4]),
        1 if moves > 0 => drop(lines.remove(5 + at % moves)),
        2 if moves > 0 => {
            // Another legal move in one of the positions.
            let line = &mut lines[5 + at % moves];
            let here = PositionKey(u128::from_str_radix(&line[..32], 16).unwrap()).position().unwrap();
            let legal = here.legal_moves();
            let other = legal[with % legal.len()];
            let taken: Vec<String> = other.captured.squares().map(|square| square.to_string()).collect();
            let text = if taken.is_empty() {
                format!("{}-{}", other.from, other.to)
            } else {
                format!("{}x{}:{}", other.from, other.to, taken.join(","))
            };
            *line = format!("{} {text}", &line[..32]);
        }
        3 => lines[4] = format!("endings {}", with % 5),
        4 if moves > 0 => lines[3] = format!("position {}", &lines[5 + at % moves][..32]),
        _ => {}
    }
    let body = lines.join("\n") + "\n";
    let digest = blake3::hash(body.as_bytes()).to_hex();
    format!("{body}digest {digest}\n")
}

/// A slow checker that shares nothing with the other: plain recursion, no memory of what was walked.
struct Naive<'a> {
    moves: HashMap<PositionKey, Move>,
    prover: Color,
    draw_will_do: bool,
    pieces: u32,
    endings: &'a UpTo,
    steps: u64,
}

impl Naive<'_> {
    fn accepts(text: &str, endings: &UpTo) -> Option<bool> {
        let square = |text: &str| Square::new(text.parse::<u8>().unwrap() - 1);
        let lines: Vec<&str> = text.lines().collect();
        let mut moves = HashMap::new();
        for line in &lines[5..lines.len() - 1] {
            let (key, played) = line.split_once(' ').unwrap();
            let (ends, taken) = played.split_once(':').unwrap_or((played, ""));
            let (from, to) = ends.split_once(['-', 'x']).unwrap();
            let captured = taken.split(',').filter(|each| !each.is_empty()).map(square).collect::<Vec<_>>();
            let captured = captured.into_iter().fold(Bitboard::EMPTY, |mut set, square| {
                set.insert(square);
                set
            });
            let key = PositionKey(u128::from_str_radix(key, 16).unwrap());
            moves.insert(key, Move { from: square(from), to: square(to), captured });
        }
        let root = PositionKey(u128::from_str_radix(&lines[3][9..], 16).unwrap()).position()?;
        let claim = &lines[2][6..];
        let prover = if claim == "win" || claim == "not-loss" { root.turn() } else { !root.turn() };
        let pieces: u32 = lines[4][8..].parse().unwrap();
        if pieces > endings.most_pieces() {
            return Some(false);
        }
        let draw_will_do = claim.starts_with("not");
        let mut naive = Naive { moves, prover, draw_will_do, pieces, endings, steps: 0 };
        naive.holds(&root, &mut Vec::new())
    }

    /// `None` when it takes too long to tell.
    fn holds(&mut self, here: &Position, path: &mut Vec<Position>) -> Option<bool> {
        self.steps += 1;
        if self.steps > 200_000 {
            return None;
        }
        if path.contains(here) {
            return Some(false);
        }
        let legal = here.legal_moves_generic();
        if legal.is_empty() {
            return Some(here.turn() != self.prover);
        }
        let count = here.pieces(Color::Black).count() + here.pieces(Color::White).count();
        if count <= self.pieces
            && let Some(value) = self.endings.value(&fast(here))
        {
            let good = if here.turn() == self.prover { Value::Win } else { Value::Loss };
            return Some(value == good || (self.draw_will_do && value == Value::Draw));
        }
        path.push(*here);
        let outcome = if here.turn() == self.prover {
            match self.moves.get(&here.key()).filter(|played| legal.contains(played)) {
                Some(&played) => self.holds(&here.play_unchecked(&played), path),
                None => Some(false),
            }
        } else {
            let mut all = Some(true);
            for played in &legal {
                all = self.holds(&here.play_unchecked(played), path);
                if all != Some(true) {
                    break;
                }
            }
            all
        };
        path.pop();
        outcome
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_checker_accepts_what_a_slow_one_accepts(
        men in [0u8..28, 4u8..32],
        kings in [0u8..32, 0u8..32],
        turn: bool,
        changes in prop::collection::vec((0u8..5, any::<usize>(), any::<usize>()), 12),
    ) {
        let Some((text, endings)) = certificate(men, kings, turn) else { return Ok(()) };
        prop_assert!(check(&text, Some(&endings)).is_ok());
        for (change, at, with) in changes {
            let changed = tampered(&text, change, at, with);
            if let Some(expected) = Naive::accepts(&changed, &endings) {
                prop_assert_eq!(check(&changed, Some(&endings)).is_ok(), expected, "{}", changed);
            }
        }
    }

    #[test]
    fn no_proof_contradicts_the_databases(men in [0u8..28, 4u8..32], kings in [0u8..32, 0u8..32], turn: bool, claim in 0usize..4) {
        prop_assume!(men[0] != men[1] && kings[0] != kings[1]);
        let mut setup = crownhead::board::Setup::empty(Variant::English);
        setup.turn = Some(if turn { Color::Black } else { Color::White });
        for (set, squares) in [(&mut setup.black, [men[0], kings[0]]), (&mut setup.white, [men[1], kings[1]])] {
            squares.into_iter().for_each(|square| set.insert(Square::new(square)));
        }
        setup.kings.insert(Square::new(kings[0]));
        setup.kings.insert(Square::new(kings[1]));
        let Ok(start) = Position::from_setup(&setup) else { return Ok(()) };
        let known = databases();
        let value = known.value(&start).unwrap().unwrap();
        let endings = UpTo(known, 3);
        let prover = Prover { evaluation: &Evaluation::Material, endings: Some(&endings) };
        let claim = Claim::ALL[claim];
        match prover.prove(&fast(&start), claim, 20_000, &StopFlag::default(), &mut Memory::default()).verdict {
            ProofResult::Proved(_) => prop_assert!(holds(claim, value)),
            ProofResult::Disproved(_) => prop_assert!(!holds(claim, value)),
            ProofResult::Open => {}
        }
    }
}
