//! Proof: a claim about a position shown beyond doubt, and a certificate of it that anyone can check.
//!
//! Purpose: `proved`, `disproved` or open, never a guess. Invariants: a proof stands on the rules, on endings that a database
//! knows and on nothing else; an evaluation may choose what is looked at, never what counts; a repetition is no success for
//! the side that claims something, so that a proof does not depend on how a position was reached; positions are compared
//! whole. What was proved stays proved: each entry of [`Proven`] leads to earlier ones or to settled positions.
//!
//! Must not know: how certificates are stored or shown.

mod alpha_beta;
mod budget;
mod certificate;
mod check;
mod claim;
mod dfpn;
mod loops;
mod proven;

use super::Endings;
use super::evaluation::Evaluation;
use super::search::StopFlag;
use crate::rules::FastPosition;

pub use certificate::{Certificate, certified_moves};
pub use check::{CheckError, CheckedCertificate, check};
pub use claim::Claim;

use alpha_beta::AlphaBeta;
use budget::Budget;
use claim::Judge;
use dfpn::ProofNumbers;
use proven::Proven;

/// Proved positions that are kept from one attempt to the next.
const MAX_PROVEN_POSITIONS: usize = 1_000_000;

/// What came of an attempt to prove a claim.
pub enum ProofResult {
    /// The claim holds; the certificate says why.
    Proved(Certificate),
    /// Its contrary holds.
    Disproved(Certificate),
    /// Neither was found within the budget.
    Open,
}

/// The outcome of an attempt, and what it took.
pub struct Attempt {
    /// What was found.
    pub verdict: ProofResult,
    /// Positions developed; coming back to one is not counted again.
    pub nodes: u64,
}

/// What a prover works with.
#[derive(Clone, Copy)]
pub struct Prover<'a> {
    /// Chooses what is looked at first.
    pub evaluation: &'a Evaluation,
    /// What is known of endings, if anything.
    pub endings: Option<&'a dyn Endings>,
}

/// What one prover's attempts proved, for its later ones that meet the same positions: those of one game are worth keeping
/// together. Nothing else is kept, so that what a later attempt says is as certain as ever.
#[derive(Default)]
pub struct Memory {
    /// By the colour that proves and by whether a draw is enough for it.
    proven: [[Proven; 2]; 2],
}

impl Memory {
    /// What is proved for the side and the aim of `judge`; nothing where it has become too much to keep.
    fn proven(&mut self, judge: &Judge<'_>) -> &mut Proven {
        let proven = &mut self.proven[judge.prover as usize][usize::from(!judge.needs_win())];
        if proven.len() > MAX_PROVEN_POSITIONS {
            *proven = Proven::default();
        }
        proven
    }
}

impl Prover<'_> {
    /// Tries to prove that `claim` holds in `position`, looking at `nodes` positions at most. A quarter is kept for the
    /// contrary.
    #[must_use]
    pub fn prove(
        &self,
        position: &FastPosition,
        claim: Claim,
        nodes: u64,
        stop: &StopFlag,
        memory: &mut Memory,
    ) -> Attempt {
        let contrary = nodes / 4;
        let mut first = self.attempt(position, claim, nodes - contrary, stop, memory);
        if matches!(first.verdict, ProofResult::Open) {
            let second = self.attempt(position, claim.contrary(), contrary, stop, memory);
            first.nodes += second.nodes;
            if let ProofResult::Proved(certificate) = second.verdict {
                first.verdict = ProofResult::Disproved(certificate);
            }
        }
        first
    }

    /// Tries to prove `claim` alone: alpha-beta with an eighth of the nodes, for what is short, then proof numbers. What it
    /// does not prove is open.
    #[must_use]
    pub fn attempt(
        &self,
        position: &FastPosition,
        claim: Claim,
        nodes: u64,
        stop: &StopFlag,
        memory: &mut Memory,
    ) -> Attempt {
        let judge = Judge::new(claim, position.turn(), self.endings);
        let proven = memory.proven(&judge);
        let mut budget = Budget { left: nodes / 8, used: 0, stop };
        let mut found = AlphaBeta::new(&judge, self.evaluation, proven, &mut budget).run(position);
        if !found {
            budget.left = nodes - budget.used;
            found = ProofNumbers::new(&judge, self.evaluation, proven, &mut budget).run(position);
        }
        let nodes = budget.used;
        let certificate = if found { Certificate::assemble(position, claim, &judge, proven) } else { None };
        Attempt { verdict: certificate.map_or(ProofResult::Open, ProofResult::Proved), nodes }
    }
}
