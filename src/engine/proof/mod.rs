//! Proof: a claim about a position shown beyond doubt, and a certificate of it that anyone can check.
//!
//! Purpose: `proved`, `disproved` or open, never a guess. Invariants: a proof stands on the rules, on endings that a database
//! knows and on nothing else; an evaluation may choose what is looked at, never what counts; a repetition is no success for
//! the side that claims something, so that a proof does not depend on how a position was reached; positions are compared
//! whole. What was proved stays proved: each entry of [`Proven`] leads to earlier ones or to settled positions.
//!
//! Must not know: how certificates are stored or shown.

mod alpha_beta;
mod certificate;
mod check;
mod claim;
mod dfpn;
mod proven;

use super::Endings;
use super::evaluation::Evaluation;
use super::search::Stop;
use crate::rules::FastPosition;

pub use certificate::Certificate;
pub use check::{CheckError, Checked, check};
pub use claim::Claim;

use alpha_beta::AlphaBeta;
use claim::Judge;
use dfpn::ProofNumbers;
use proven::Proven;

/// What came of an attempt to prove a claim.
pub enum Verdict {
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
    pub verdict: Verdict,
    /// Positions looked at.
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

/// Why a part of a search came to no answer.
enum Ended {
    /// Its budget is used up.
    Budget,
    /// It was asked to stop.
    Stopped,
}

/// Nodes that are left, and the flag that ends everything.
struct Budget<'a> {
    left: u64,
    used: u64,
    stop: &'a Stop,
}

impl Budget<'_> {
    /// Counts a node.
    fn spend(&mut self) -> Result<(), Ended> {
        if self.left == 0 {
            return Err(Ended::Budget);
        }
        if self.used.is_multiple_of(1_024) && self.stop.is_set() {
            return Err(Ended::Stopped);
        }
        self.left -= 1;
        self.used += 1;
        Ok(())
    }
}

impl Prover<'_> {
    /// Tries to prove that `claim` holds in `position`, looking at `nodes` positions at most. A quarter is kept for the
    /// contrary.
    #[must_use]
    pub fn prove(&self, position: &FastPosition, claim: Claim, nodes: u64, stop: &Stop) -> Attempt {
        let mut used = 0;
        let contrary = nodes / 4;
        if let Some(certificate) = self.attempt(position, claim, nodes - contrary, stop, &mut used) {
            return Attempt { verdict: Verdict::Proved(certificate), nodes: used };
        }
        let verdict = self
            .attempt(position, claim.contrary(), contrary, stop, &mut used)
            .map_or(Verdict::Open, Verdict::Disproved);
        Attempt { verdict, nodes: used }
    }

    /// Tries to prove `claim` alone: alpha-beta with an eighth of the nodes, for what is short, then proof numbers.
    #[must_use]
    pub fn attempt(
        &self,
        position: &FastPosition,
        claim: Claim,
        nodes: u64,
        stop: &Stop,
        used: &mut u64,
    ) -> Option<Certificate> {
        let judge = Judge::new(claim, position.turn(), self.endings);
        let mut proven = Proven::default();
        let mut budget = Budget { left: nodes / 8, used: 0, stop };
        let mut found = AlphaBeta::new(&judge, self.evaluation, &mut proven, &mut budget).run(position);
        if !found {
            budget.left = nodes - budget.used;
            found = ProofNumbers::new(&judge, self.evaluation, &mut proven, &mut budget).run(position);
        }
        *used += budget.used;
        if found { Certificate::of(position, claim, &judge, &proven) } else { None }
    }
}
