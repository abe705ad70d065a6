//! The proved layer: what rules, endgame databases and certificates prove of stored positions, carried up the tree.
//!
//! A position has two bounds for its side to move, at first lost and won. The side to move has at least what its best move
//! gives it, so a bound from below needs one move that is known; it has no more than the best of *all* its legal moves, so a
//! bound from above needs every one of them known, stored or not. Bounds only ever come closer, each step follows from steps
//! before it, and the first follow from nothing but the rules, the databases and the certificates: so no position is
//! proved by itself, however play comes round, and a game that never ends counts as a success for nobody.

use std::collections::{HashMap, VecDeque};

use crate::analysis::proofs::known;
use crate::board::{Bounds, Value};
use crate::engine::Endings;
use crate::rules::{FastPosition, Position, PositionKey};

use super::graph::Graph;

/// Positions of so many pieces more than databases know are looked at even if no stored move leads on: one capture may.
const DATABASE_REACH_PLIES: u32 = 4;

/// How many pieces stand in the position of a key.
const fn pieces(key: PositionKey) -> u32 {
    // Black's and White's four bytes each: see `PositionKey`.
    ((key.0 >> 40) as u64).count_ones()
}

/// What is known at once, and what follows.
pub(super) struct BoundsProver<'a> {
    endings: Option<&'a dyn Endings>,
    certified: &'a HashMap<PositionKey, Bounds>,
}

impl<'a> BoundsProver<'a> {
    pub(super) const fn new(endings: Option<&'a dyn Endings>, certified: &'a HashMap<PositionKey, Bounds>) -> Self {
        Self { endings, certified }
    }

    /// Up to how many pieces databases know all.
    pub(super) fn pieces(&self) -> u32 {
        self.endings.map_or(0, Endings::most_pieces)
    }

    /// What is proved of `position` by itself.
    pub(super) fn at_once(&self, position: &Position) -> Bounds {
        // Most positions have a move, and more pieces than any database.
        let is_far = pieces(position.key()) > self.pieces() && position.has_legal_move();
        let near = if is_far { None } else { FastPosition::from_position(position) };
        match near.map_or(Bounds::OPEN, |fast| known(&fast, self.endings)) {
            Bounds::OPEN => self.certified.get(&position.key()).copied().unwrap_or(Bounds::OPEN),
            told => told,
        }
    }

    /// What is proved of `position` where `bounds` are those of the positions of `graph`.
    pub(super) fn look_up(&self, graph: &Graph, bounds: &[Bounds], position: &Position) -> Bounds {
        let at_once = self.at_once(position);
        if at_once.exact().is_some() {
            return at_once;
        }
        graph.node(position.key()).and_then(|node| bounds.get(node as usize)).copied().unwrap_or(at_once)
    }

    /// What the moves of a position prove of it.
    fn by_moves(&self, graph: &Graph, bounds: &[Bounds], node: u32) -> Bounds {
        let Some(position) = graph.key(node).and_then(PositionKey::position) else { return Bounds::OPEN };
        let mut best = Bounds::exactly(Value::Loss);
        for played in position.legal_moves() {
            let after = self.look_up(graph, bounds, &position.play_unchecked(&played)).turned();
            best = Bounds { least: best.least.max(after.least), most: best.most.max(after.most) };
            if best.least == Value::Win {
                break;
            }
        }
        best
    }

    /// Carries `bounds`, what is known at once of each position, up the tree until nothing more follows.
    pub(super) fn carry_up(&self, graph: &Graph, bounds: &mut [Bounds]) {
        let mut changed: VecDeque<u32> = VecDeque::new();
        for node in 0..bounds.len() as u32 {
            if bounds[node as usize] != Bounds::OPEN {
                changed.push_back(node);
            }
            if self.is_near(graph, node) {
                self.tighten(graph, bounds, node, &mut changed);
            }
        }
        while let Some(node) = changed.pop_front() {
            for &parent in graph.parents(node) {
                self.tighten(graph, bounds, parent, &mut changed);
            }
        }
    }

    fn is_near(&self, graph: &Graph, node: u32) -> bool {
        self.endings.is_some() && graph.key(node).is_some_and(|key| pieces(key) <= self.pieces() + DATABASE_REACH_PLIES)
    }

    fn tighten(&self, graph: &Graph, bounds: &mut [Bounds], node: u32, changed: &mut VecDeque<u32>) {
        let Some(before) = bounds.get(node as usize).copied().filter(|before| before.exact().is_none()) else { return };
        let after = before.and(self.by_moves(graph, bounds, node));
        if after != before {
            bounds[node as usize] = after;
            changed.push_back(node);
        }
    }
}
