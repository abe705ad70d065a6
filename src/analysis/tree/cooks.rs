//! Published verdicts that proofs or other verdicts overturn, with the play that does it.

use std::collections::{HashMap, HashSet};

use crate::board::{Bounds, Color, Move, Outcome, Value};
use crate::rules::{Position, PositionKey};
use crate::store::{Database, MoveCode, StoreError};

use super::TreeValues;
use super::claims::{ClaimKind, LineClaim, outcome};

/// Plies of overturning play that are told.
const SHOWN_PLIES: usize = 8;

/// What is said of a position, by colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColorClaim {
    /// How it ends.
    Ends(Outcome),
    /// This side does not win.
    NotWon(Color),
}

/// A published claim that is overturned.
#[derive(Clone, PartialEq, Debug)]
pub struct Cook {
    /// The claim.
    pub claim: LineClaim,
    /// The position that it is about.
    pub position: Position,
    /// What it says.
    pub published: ColorClaim,
    /// What is implied instead.
    pub implied: ColorClaim,
    /// Whether that is proved. Otherwise it is one claim against another.
    pub is_proved: bool,
    /// The ply of the line that the overturning play begins at, from 1: behind the claim, and further on where the line
    /// itself goes on as well as it can.
    pub by_ply: u32,
    /// The position it begins in.
    pub from: Position,
    /// The play; empty where a certificate alone has it.
    pub by: Vec<Move>,
    /// The line whose claim decides it, or that has the first move of it.
    pub by_line: Option<u32>,
    /// The digest of a certificate that overturns the claim.
    pub certificate: Option<String>,
}

/// A move, and what is known of it for the side that plays it.
struct CandidateMove {
    played: Move,
    after: Position,
    worth: Bounds,
    /// Wins by fewer moves first, losses by more.
    haste: i32,
}

impl TreeValues<'_> {
    /// The overturned claims of the lines that `wanted` lets through, in the order of lines and plies.
    ///
    /// # Errors
    /// When the database, which must be as it was when the values were worked out, cannot be read.
    pub fn cooks(&self, database: &Database, mut wanted: impl FnMut(u32) -> bool) -> Result<Vec<Cook>, StoreError> {
        let mut cooks = Vec::new();
        for (node, claim) in self.claims.iter().filter(|(_, claim)| wanted(claim.line)) {
            let Some(position) = self.graph.key(*node).and_then(PositionKey::position) else { continue };
            if let Some((implied, is_proved)) = self.against(*node, claim) {
                cooks.push(self.cook(database, claim, position, implied, is_proved)?);
            }
        }
        cooks.sort_by_key(|cook| (cook.claim.line, cook.claim.ply, cook.claim.kind));
        Ok(cooks)
    }

    /// What is implied against a claim, for the side to move, and whether it is proved.
    fn against(&self, node: u32, claim: &LineClaim) -> Option<(Bounds, bool)> {
        let bounds = self.bounds.get(node as usize).copied().unwrap_or(Bounds::OPEN);
        if claim.kind == ClaimKind::Before {
            // That there was a better move is no more than the mark says, unless it is proved that there was none.
            return (bounds.most == Value::Loss).then_some((bounds, true));
        }
        if bounds.excludes(claim.value) {
            return Some((bounds, true));
        }
        let implied = match claim.kind {
            // The play behind a mark is what bears it out: without it, does the rest of the library?
            ClaimKind::Mark => {
                let by_moves = self.implied.by_moves(&self.graph, node)?;
                by_moves.clamp(bounds.least, bounds.most)
            }
            _ => self.implied.at(node)?,
        };
        (implied != claim.value).then_some((Bounds::exactly(implied), false))
    }

    fn cook(
        &self,
        database: &Database,
        claim: &LineClaim,
        position: Position,
        implied: Bounds,
        is_proved: bool,
    ) -> Result<Cook, StoreError> {
        let turn = position.turn();
        let published = match claim.kind {
            ClaimKind::Before => ColorClaim::NotWon(!turn),
            _ => ColorClaim::Ends(outcome(claim.value, turn)),
        };
        let is_better = implied.least > claim.value;
        let told = match implied.exact() {
            Some(value) => ColorClaim::Ends(outcome(value, turn)),
            None => ColorClaim::NotWon(if is_better { !turn } else { turn }),
        };
        let refuter = if is_better { turn } else { !turn };
        let (by_ply, from) = self.departure(database, claim, position, is_proved)?;
        let (by, decided_by) = self.play(from, refuter, is_proved);
        let by_line = match (decided_by, by.first()) {
            (Some(line), _) => Some(line),
            (None, Some(first)) => holder(database, &from, first)?,
            (None, None) => None,
        };
        let mut certificates = self.digests.get(&position.key()).into_iter().flatten().filter(|_| is_proved);
        let certificate =
            certificates.find(|(proved, _)| proved.excludes(claim.value)).map(|(_, digest)| digest.clone());
        Ok(Cook {
            claim: *claim,
            position,
            published,
            implied: told,
            is_proved,
            by_ply: by_ply + 1,
            from,
            by,
            by_line,
            certificate,
        })
    }

    /// Where better play leaves the line of a claim, behind its position: the plies before, and the position. The claim's own
    /// position where the line goes on as well as it can to its end.
    fn departure(
        &self,
        database: &Database,
        claim: &LineClaim,
        position: Position,
        is_proved: bool,
    ) -> Result<(u32, Position), StoreError> {
        let line = database.line(claim.line)?;
        let moves = line.as_ref().and_then(|line| line.moves.get(claim.ply as usize..)).unwrap_or_default();
        let mut at = position;
        // Kings may go round for thousands of plies.
        let mut known: HashMap<PositionKey, Vec<CandidateMove>> = HashMap::new();
        for (ply, played) in (claim.ply..).zip(moves) {
            let choices = known.entry(at.key()).or_insert_with(|| self.choices(&at, is_proved));
            let Some(best) = choices.first() else { break };
            if !choices.iter().any(|choice| choice.played == *played && choice.worth == best.worth) {
                return Ok((ply, at));
            }
            at = at.play_unchecked(played);
        }
        Ok((claim.ply, position))
    }

    /// The best play from `from` on, as far as it is known, up to where something decides; and the line whose claim that is.
    fn play(&self, from: Position, refuter: Color, is_proved: bool) -> (Vec<Move>, Option<u32>) {
        let (mut moves, mut at) = (Vec::new(), from);
        let mut seen: HashSet<PositionKey> = HashSet::from([at.key()]);
        while moves.len() < SHOWN_PLIES {
            let Some(best) = self.choices(&at, is_proved).into_iter().next() else { break };
            // A move of which nothing is known overturns nothing, and neither does one that is not known to hold.
            let target = self.prover().look_up(&self.graph, &self.bounds, &at);
            let falls_short = is_proved && at.turn() == refuter && best.worth.least < target.least;
            if best.worth == Bounds::OPEN || falls_short || !seen.insert(best.after.key()) {
                break;
            }
            moves.push(best.played);
            at = best.after;
            if at.turn() == refuter {
                continue;
            }
            if self.prover().at_once(&at).exact().is_some() {
                break;
            }
            if !is_proved && let Some(line) = self.decider(&at) {
                return (moves, Some(line));
            }
        }
        // Play may end with the other side's move, and another claim about the same position needs none.
        let decider = if is_proved { None } else { self.decider(&at) };
        (moves, decider)
    }

    /// The line whose claim, and no stored move, gives a position its value.
    fn decider(&self, position: &Position) -> Option<u32> {
        let node = self.graph.node(position.key())?;
        let value = self.implied.at(node)?;
        if self.implied.by_moves(&self.graph, node) == Some(value) {
            return None;
        }
        let from = self.claims.partition_point(|(of, _)| *of < node);
        let here = self.claims[from..].iter().take_while(|(of, _)| *of == node);
        here.map(|(_, claim)| claim).find(|claim| claim.value == value).map(|claim| claim.line)
    }

    /// The moves of which something is known, the best first. Proved things alone count where `is_proved`; otherwise what
    /// is implied of moves of analysis too.
    fn choices(&self, position: &Position, is_proved: bool) -> Vec<CandidateMove> {
        let prover = self.prover();
        let node = self.graph.node(position.key());
        let stored = node.map(|node| self.graph.judged_children(node)).unwrap_or_default();
        let mut choices: Vec<(CandidateMove, bool)> = Vec::new();
        for played in position.legal_moves() {
            let after = position.play_unchecked(&played);
            let child = self.graph.node(after.key()).filter(|child| stored.contains(child));
            let proved = prover.look_up(&self.graph, &self.bounds, &after);
            let implied = child.filter(|_| !is_proved).and_then(|child| self.implied.at(child));
            let worth = match (proved.exact(), implied) {
                (None, Some(value)) => Bounds::exactly(value),
                _ => proved,
            };
            if !is_proved && worth.exact().is_none() {
                continue;
            }
            let rank =
                child.and_then(|child| self.implied.ranks.get(child as usize)).map_or(0, |rank| i32::from(*rank));
            let haste = if worth.exact() == Some(Value::Loss) { rank } else { -rank };
            choices.push((CandidateMove { played, after, worth: worth.turned(), haste }, child.is_some()));
        }
        choices.sort_by_key(|(choice, is_stored)| {
            let worth = (std::cmp::Reverse(choice.worth.least), std::cmp::Reverse(choice.worth.most));
            (worth, choice.haste, !is_stored, choice.played)
        });
        choices.into_iter().map(|(choice, _)| choice).collect()
    }
}

/// The first line that plays `played` in `position`.
fn holder(database: &Database, position: &Position, played: &Move) -> Result<Option<u32>, StoreError> {
    let code = MoveCode::encode(position, played);
    let postings = database.postings(position.key())?;
    Ok(postings.iter().filter(|posting| posting.code == code).map(|posting| posting.line).min())
}
