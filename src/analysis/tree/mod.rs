//! Values of the tree: what all that a library holds implies of its positions, and which published verdicts that overturns.
//!
//! Purpose: one answer for each stored position, with its witness. Two layers, which are never mixed:
//!
//! - *proved* (`bounds`): rules, endgame databases and certificates, carried up only as far as it is certain;
//! - *tree* (`implied`): the verdicts and losing marks of sources as well, by minimax over the moves of analysis. It is what a
//!   reader who believed every source would have to conclude, and no more certain than they are.
//!
//! Claims of sources are (`claims`): the verdict at the end of a line or of a book's variation; and of a move that is marked as
//! losing, that the side to move after it wins and that before it the other side was not lost yet. The result of a game
//! without a book's verdict is no claim, for players err, and neither is the score of an engine. For the same reason the moves of
//! plain games carry no verdict up: that a game ended in a lost ending would speak against every move before. Nor do those of a
//! game that its book calls won without a mark: it says that somebody erred, and not where.
//!
//! Invariants: nothing recurses; memory is some 50 bytes a position at the height; the same database and endgame databases
//! give the same values.
//!
//! Must not know: SQL, the terminal.

mod bounds;
mod claims;
mod cooks;
mod graph;
mod implied;
mod kept;

use std::collections::{HashMap, HashSet};

use crate::analysis::value::{bounds_of_claim, bounds_shown_by};
use crate::board::{Bounds, Value, Winner};
use crate::engine::{self, Endings};
use crate::game::LineKind;
use crate::rules::PositionKey;
use crate::store::{Database, StoreError};

use bounds::BoundsProver;
use graph::Graph;
use implied::Implied;

pub use claims::{ClaimKind, LineClaim};
pub use cooks::{ColorClaim, Cook};
pub use kept::{MAX_UNSTORED_POSITIONS, TreeAnswer, TreeSource, keep_tree_values, tree_answer, wrong_kept_values};

/// What is known of a stored position, for its side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeValue {
    /// What it is worth.
    pub value: Value,
    /// Whether that is proved; otherwise stored verdicts imply it.
    pub is_proved: bool,
}

/// What a tree has, counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TreeCounts {
    /// Positions.
    pub positions: u32,
    /// Different moves from one to another.
    pub moves: u32,
    /// Claims of sources.
    pub claims: u32,
    /// Positions whose value is proved.
    pub proved: u32,
    /// Others whose value is implied.
    pub implied: u32,
}

/// The values of all positions of a database.
pub struct TreeValues<'a> {
    endings: Option<&'a dyn Endings>,
    graph: Graph,
    /// Those that are about stored positions, ascending by position.
    claims: Vec<(u32, LineClaim)>,
    certified: HashMap<PositionKey, Bounds>,
    /// The certificates of a position, with what each proves.
    digests: HashMap<PositionKey, Vec<(Bounds, String)>>,
    bounds: Vec<Bounds>,
    implied: Implied,
}

impl<'a> TreeValues<'a> {
    /// Works all values out: one walk over the position index, then time in proportion to the moves.
    ///
    /// # Errors
    /// When the database cannot be read or is damaged.
    pub fn compute(database: &Database, endings: Option<&'a dyn Endings>) -> Result<Self, StoreError> {
        database.in_snapshot(|database| Self::in_snapshot(database, endings))
    }

    fn in_snapshot(database: &Database, endings: Option<&'a dyn Endings>) -> Result<Self, StoreError> {
        let mut certified: HashMap<PositionKey, Bounds> = HashMap::new();
        let mut digests: HashMap<PositionKey, Vec<(Bounds, String)>> = HashMap::new();
        let mut certify = |key: PositionKey, proved: Bounds| {
            let bounds = certified.entry(key).or_insert(Bounds::OPEN);
            *bounds = bounds.and(proved);
        };
        for found in database.certified()? {
            let claim = engine::Claim::ALL.into_iter().find(|claim| claim.name() == found.claim);
            let claim = claim.ok_or_else(|| StoreError::Damaged(format!("a certificate claims {:?}", found.claim)))?;
            let proved = bounds_of_claim(claim);
            certify(found.key, proved);
            // A proof of a position is one of all that its own moves lead to.
            let text = database.certificate(&found.digest)?.unwrap_or_default();
            let shown = bounds_shown_by(claim);
            for (key, played) in engine::certified_moves(&text) {
                let Some(position) = key.position() else { continue };
                if let Ok(next) = position.play(&played) {
                    certify(key, shown);
                    certify(next.key(), shown.turned());
                }
            }
            digests.entry(found.key).or_default().push((proved, found.digest));
        }
        let prover = BoundsProver::new(endings, &certified);
        let verdicts: HashMap<u32, Winner> = claims::verdicts(database)?;
        let mut bounds: Vec<Bounds> = Vec::new();
        let mut told: Vec<(u32, LineClaim)> = Vec::new();
        let marks = claims::marks(database)?;
        let marked: HashSet<u32> = marks.iter().map(|(_, claim)| claim.line).collect();
        let facts = database.facts()?;
        let is_analysis = |line: u32| match facts.get(line).map(|fact| fact.kind) {
            Some(LineKind::Book | LineKind::Variation) => true,
            // A game that was lost by no move in particular.
            _ => verdicts.get(&line) == Some(&Winner::Draw) || marked.contains(&line),
        };
        let graph = Graph::build(database, is_analysis, |node, position, ends| {
            bounds.push(prover.at_once(position));
            // A line may come to its last position more than once, but ends there once.
            let lines = ends.iter().filter_map(|end| Some((end, *verdicts.get(&end.line)?)));
            told.extend(lines.map(|(end, winner)| {
                let value = claims::value_for(winner, position.turn());
                (node, LineClaim { line: end.line, ply: end.ply, kind: ClaimKind::Verdict, value })
            }));
        })?;
        for (key, claim) in marks {
            told.extend(graph.node(key).map(|node| (node, claim)));
        }
        told.sort_unstable_by_key(|(node, claim)| (*node, claim.line, claim.ply, claim.kind));
        prover.carry_up(&graph, &mut bounds);
        let mut best: Vec<Option<Value>> = vec![None; graph.len()];
        for (node, claim) in &told {
            let best = &mut best[*node as usize];
            *best = (*best).max(Some(claim.value));
        }
        let implied = Implied::compute(&graph, &best, &bounds);
        Ok(Self { endings, graph, claims: told, certified, digests, bounds, implied })
    }

    /// What is known of the position of this key; `None` where it is not stored or nothing is.
    #[must_use]
    pub fn at(&self, key: PositionKey) -> Option<TreeValue> {
        self.graph.node(key).and_then(|node| self.of_node(node))
    }

    /// Every position of which something is known, ascending by key.
    pub fn iter(&self) -> impl Iterator<Item = (PositionKey, TreeValue)> {
        (0..self.graph.len() as u32).filter_map(|node| Some((self.graph.key(node)?, self.of_node(node)?)))
    }

    /// How much there is.
    #[must_use]
    pub fn counts(&self) -> TreeCounts {
        let mut counts = TreeCounts {
            positions: self.graph.len() as u32,
            moves: self.graph.moves() as u32,
            claims: self.claims.iter().map(|(_, claim)| (claim.line, claim.ply)).collect::<HashSet<_>>().len() as u32,
            ..TreeCounts::default()
        };
        for (_, value) in self.iter() {
            *if value.is_proved { &mut counts.proved } else { &mut counts.implied } += 1;
        }
        counts
    }

    fn of_node(&self, node: u32) -> Option<TreeValue> {
        let proved = self.bounds.get(node as usize).and_then(|bounds| bounds.exact());
        if let Some(value) = proved {
            return Some(TreeValue { value, is_proved: true });
        }
        self.implied.at(node).map(|value| TreeValue { value, is_proved: false })
    }

    fn prover(&self) -> BoundsProver<'_> {
        BoundsProver::new(self.endings, &self.certified)
    }
}
