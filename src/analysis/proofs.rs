//! Proofs of what a line's positions are worth, each gone through by the checker before anybody hears of it.

use std::collections::BTreeMap;

use crate::board::{Bounds, Move, Value};
use crate::engine::{Certificate, Claim, Endings, Memory, ProofResult, Prover, StopFlag, check};
use crate::rules::{FastPosition, Position};

use super::value::bounds_of_claim;

/// A proof that was accepted.
#[derive(Clone, Debug)]
pub(super) struct Proof {
    pub(super) claim: Claim,
    pub(super) certificate: Certificate,
    pub(super) text: String,
}

/// Tries proofs about the positions of one line, and keeps what was found by the index of the position.
pub(super) struct Proofs<'a> {
    pub(super) prover: Prover<'a>,
    pub(super) nodes: u64,
    pub(super) stop: &'a StopFlag,
    pub(super) positions: &'a [Position],
    pub(super) fast: &'a [FastPosition],
    /// What later positions of the line need is often proved already.
    pub(super) memory: Memory,
    pub(super) found: BTreeMap<usize, Proof>,
}

impl Proofs<'_> {
    /// Tries to prove `claim`, and where `both` its contrary too; what is known afterwards:
    /// nothing, where neither was proved.
    pub(super) fn attempt(&mut self, index: usize, claim: Claim, both: bool) -> Bounds {
        self.proof(index, claim, both).unwrap_or(Bounds::OPEN)
    }

    fn proof(&mut self, index: usize, claim: Claim, both: bool) -> Option<Bounds> {
        let position = self.fast.get(index)?;
        if self.nodes == 0 {
            return None;
        }
        let attempt = if both { Prover::prove } else { Prover::attempt };
        let found = attempt(&self.prover, position, claim, self.nodes, self.stop, &mut self.memory);
        let (ProofResult::Proved(certificate) | ProofResult::Disproved(certificate)) = found.verdict else {
            return None;
        };
        let text = certificate.to_text();
        let checked = check(&text, self.prover.endings).ok()?;
        if Some(&checked.position) != self.positions.get(index) || checked.claim != certificate.claim() {
            return None;
        }
        let proof = Proof { claim: certificate.claim(), certificate, text };
        let proved = bounds_of_claim(proof.claim);
        self.found.insert(index, proof);
        Some(proved)
    }

    /// The proving side's move in the proof about the position of this index, where it is that side's turn.
    pub(super) fn first_move(&self, index: usize) -> Option<Move> {
        self.found.get(&index)?.certificate.move_in(self.positions.get(index)?.key())
    }
}

/// What rules and databases prove of a position.
pub(super) fn known(position: &FastPosition, endings: Option<&dyn Endings>) -> Bounds {
    if position.steps().is_empty() {
        return Bounds::exactly(Value::Loss);
    }
    let endings = endings.filter(|endings| position.pieces() <= endings.most_pieces());
    endings.and_then(|endings| endings.value(position)).map_or(Bounds::OPEN, Bounds::exactly)
}
