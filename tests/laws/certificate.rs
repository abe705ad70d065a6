//! The law of certificates: whatever is written in one, if the checker accepts it, its claim is what the endgame databases say of the
//! position. Each input is checked as it is, and once more with the digest that fits its other lines.

use std::sync::LazyLock;

use crownhead::board::{Value, Variant};
use crownhead::engine::egdb::Databases;
use crownhead::engine::{
    Claim, Endings, Evaluation, Memory, ProofResult, Prover, StopFlag, certified_moves, check as check_text,
};
use crownhead::notation::fen;
use crownhead::rules::{FastPosition, Position};

use super::common::files;

static DATABASES: LazyLock<Databases> =
    LazyLock::new(|| Databases::embedded(Variant::English).expect("the databases of the program are whole"));

pub(super) fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    accepted(text);
    let body = text.rfind("digest ").map_or(text, |at| &text[..at]);
    accepted(&format!("{body}digest {}\n", blake3::hash(body.as_bytes()).to_hex()));
    for (key, _) in certified_moves(text) {
        let _ = key.position();
    }
}

fn accepted(text: &str) {
    let Ok(checked) = check_text(text, Some(&*DATABASES)) else { return };
    assert!(checked.ends > 0, "a proof without an end");
    // Without databases less can be accepted, never more.
    if let Ok(alone) = check_text(text, None) {
        assert_eq!((alone.position, alone.claim), (checked.position, checked.claim));
    }
    let Some(value) = DATABASES.value(&checked.position).expect("the databases are whole") else { return };
    let holds = match checked.claim {
        Claim::Win => value == Value::Win,
        Claim::Loss => value == Value::Loss,
        Claim::NotLoss => value != Value::Loss,
        Claim::NotWin => value != Value::Win,
    };
    assert!(holds, "accepted: {} of {:?}, which is {value:?}\n{text}", checked.claim.name(), checked.position);
}

/// The databases as if they knew fewer pieces, so that there is something to prove.
struct Fewer(u32);

impl Endings for Fewer {
    fn most_pieces(&self) -> u32 {
        self.0
    }

    fn value(&self, position: &FastPosition) -> Option<Value> {
        (position.pieces() <= self.0).then(|| Endings::value(&*DATABASES, position)).flatten()
    }
}

pub(super) fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = files("tests/cli", &["proof"]);
    for (text, claim, pieces) in [
        ("W:WK14,K10:BK1", Claim::Win, 2),
        ("W:WK18,K10:BK1", Claim::Win, 2),
        ("W:WK32,K31:BK1", Claim::NotLoss, 2),
        ("W:W28,30:B14,20", Claim::NotLoss, 3),
        ("B:W30:B21", Claim::NotLoss, 0),
        ("B:W26:B17", Claim::Win, 0),
        ("W:W21:B13", Claim::NotWin, 0),
        ("W:W22:B13", Claim::Loss, 0),
        ("B:W32:B28,27", Claim::Win, 2),
    ] {
        seeds.extend(proof(text, claim, pieces).map(String::into_bytes));
    }
    seeds
}

/// A certificate of a claim, or of its contrary; `None` where neither is proved quickly.
fn proof(text: &str, claim: Claim, pieces: u32) -> Option<String> {
    let position = Position::from_setup(&fen::read(text, Variant::English).ok()?.setup).ok()?;
    let known = Fewer(pieces);
    let prover = Prover { evaluation: &Evaluation::best(), endings: Some(&known) };
    let fast = FastPosition::from_position(&position)?;
    match prover.prove(&fast, claim, 10_000, &StopFlag::default(), &mut Memory::default()).verdict {
        ProofResult::Proved(certificate) | ProofResult::Disproved(certificate) => Some(certificate.to_text()),
        ProofResult::Open => None,
    }
}
