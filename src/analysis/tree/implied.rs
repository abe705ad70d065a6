//! The tree layer: what all verdicts together imply, by minimax over a graph that has transpositions and cycles.
//!
//! # Definition
//! The moves are those of analysis (see `graph`). *K* are the positions of which anything is claimed, or the value proved, and
//! those from which such a move leads into *K*. Of a position in *K* there may be told:
//!
//! - a *claim*: the best that any source says of its side to move there. It counts as one move more: whoever says that White
//!   wins here has a way in mind, stored or not. So a claim is overruled only by better play for the side to move.
//! - *bounds* that are proved (see `bounds`): nothing that is claimed goes beyond them.
//!
//! *Won* and *Lost*, for the side to move, are the least sets with
//!
//! - *p* in *Won* if its bounds allow it and they say so, its claim says so, or a move leads into *Lost*;
//! - *p* in *Lost* if its bounds allow it and they say so, or there is a claim or a move into *K*, the claim if any says lost, and
//!   every move into *K* leads into *Won*.
//!
//! The rest of *K* is drawn. Each position of *Won* and *Lost* is there because of positions that were there before it, so a
//! win always comes down to a claim or a proof after finitely many moves: play that can go round for ever without coming to
//! one is a draw, as it is on the board. The two sets have nothing in common: of the first position to be in both, all moves
//! would have to lead into one set and one into the other, which would have had a position in both before. Without cycles
//! this is plain minimax. A test holds it against naive iteration of the definition, side by side, and against minimax.
//!
//! # Method
//! Retrograde: from what is claimed or proved, back along the moves, with a count for each position of the moves that
//! do not lead into *Won* yet. Linear in the moves, no recursion.

use std::collections::VecDeque;

use super::graph::Graph;
use crate::board::{Bounds, Value};

/// What is implied of each position of a graph.
#[derive(Debug, Default)]
pub(super) struct Implied {
    /// For the side to move; `None` for positions that are not in *K*.
    pub(super) values: Vec<Option<Value>>,
    /// For a win or a loss the moves down to the claim or proof that decides it, at most 65535; else 0.
    pub(super) ranks: Vec<u16>,
}

impl Implied {
    /// Works it out. `claims` and `bounds` are those of each position.
    pub(super) fn compute(graph: &Graph, claims: &[Option<Value>], bounds: &[Bounds]) -> Self {
        let length = graph.len();
        let mut values: Vec<Option<Value>> = vec![None; length];
        // K, backwards from what is told. What is not decided later is drawn.
        let mut open: Vec<u32> = (0..length as u32)
            .filter(|&node| claims[node as usize].is_some() || bounds[node as usize].exact().is_some())
            .collect();
        for &node in &open {
            values[node as usize] = Some(Value::Draw);
        }
        while let Some(node) = open.pop() {
            for &parent in graph.judged_parents(node) {
                if values[parent as usize].is_none() {
                    values[parent as usize] = Some(Value::Draw);
                    open.push(parent);
                }
            }
        }
        // Moves into K that do not lead into Won yet.
        let pending = (0..length as u32)
            .map(|node| {
                graph.judged_children(node).iter().filter(|child| known(&values, **child).is_some()).count() as u32
            })
            .collect();
        let mut work = Work { values, ranks: vec![0; length], pending, decided: VecDeque::new(), claims, bounds };
        for node in 0..length as u32 {
            let (claim, bounds) = (claims[node as usize], bounds[node as usize]);
            if bounds.least == Value::Win || (claim == Some(Value::Win) && bounds.most == Value::Win) {
                work.decide(node, Value::Win, 0);
            } else if bounds.most == Value::Loss || (claim.is_some() && work.has_lost(node)) {
                work.decide(node, Value::Loss, 0);
            }
        }
        while let Some(node) = work.decided.pop_front() {
            let rank = work.ranks[node as usize].saturating_add(1);
            let has_won = known(&work.values, node) == Some(Value::Win);
            for &parent in graph.judged_parents(node) {
                if has_won {
                    let pending = &mut work.pending[parent as usize];
                    *pending = pending.saturating_sub(1);
                    if work.has_lost(parent) {
                        work.decide(parent, Value::Loss, rank);
                    }
                } else if bounds[parent as usize].most == Value::Win {
                    work.decide(parent, Value::Win, rank);
                }
            }
        }
        Self { values: work.values, ranks: work.ranks }
    }

    /// What is implied of a position.
    pub(super) fn at(&self, node: u32) -> Option<Value> {
        known(&self.values, node)
    }

    /// The best that moves of analysis from a position lead to, whatever is claimed of the position itself.
    pub(super) fn by_moves(&self, graph: &Graph, node: u32) -> Option<Value> {
        graph.judged_children(node).iter().filter_map(|&child| self.at(child)).map(Value::turned).max()
    }
}

fn known(values: &[Option<Value>], node: u32) -> Option<Value> {
    values.get(node as usize).copied().flatten()
}

struct Work<'a> {
    values: Vec<Option<Value>>,
    ranks: Vec<u16>,
    pending: Vec<u32>,
    decided: VecDeque<u32>,
    claims: &'a [Option<Value>],
    bounds: &'a [Bounds],
}

impl Work<'_> {
    /// Whether all that is known of a position loses it.
    fn has_lost(&self, node: u32) -> bool {
        let node = node as usize;
        self.pending[node] == 0
            && self.bounds[node].least == Value::Loss
            && self.claims[node].is_none_or(|claim| claim == Value::Loss)
    }

    fn decide(&mut self, node: u32, value: Value, rank: u16) {
        // Drawn is what was not decided yet.
        if known(&self.values, node) == Some(Value::Draw) {
            self.values[node as usize] = Some(value);
            self.ranks[node as usize] = rank;
            self.decided.push_back(node);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A graph with what is told of each of its positions.
    #[derive(Debug)]
    struct Case {
        graph: Graph,
        claims: Vec<Option<Value>>,
        bounds: Vec<Bounds>,
    }

    impl Case {
        fn new(positions: u32, moves: &[(u32, u32)], told: &[(u32, Value)]) -> Self {
            let mut claims = vec![None; positions as usize];
            for &(node, value) in told {
                claims[node as usize] = Some(value);
            }
            let bounds = vec![Bounds::OPEN; positions as usize];
            Self { graph: Graph::of_moves(positions, moves), claims, bounds }
        }

        fn values(&self) -> Vec<Option<Value>> {
            Implied::compute(&self.graph, &self.claims, &self.bounds).values
        }

        fn nodes(&self) -> std::ops::Range<u32> {
            0..self.graph.len() as u32
        }

        /// K by its definition, repeated until nothing is added.
        fn known_by_definition(&self) -> Vec<bool> {
            let is_told = |node: u32| {
                let node = node as usize;
                self.claims[node].is_some() || self.bounds[node].exact().is_some()
            };
            let mut told: Vec<bool> = self.nodes().map(is_told).collect();
            for _ in self.nodes() {
                for node in self.nodes() {
                    told[node as usize] |= self.graph.judged_children(node).iter().any(|&child| told[child as usize]);
                }
            }
            told
        }

        /// The definition, iterated naively for one side at a time. Even positions are of one side, odd ones of the other.
        fn naive(&self) -> Vec<Option<Value>> {
            let told = self.known_by_definition();
            let wins = |side: u32| {
                let mut wins = vec![false; self.graph.len()];
                for _ in self.nodes() {
                    let before = wins.clone();
                    for node in self.nodes().filter(|&node| told[node as usize]) {
                        let (claim, bounds) = (self.claims[node as usize], self.bounds[node as usize]);
                        let mut next = self.graph.judged_children(node).iter().filter(|&&child| told[child as usize]);
                        wins[node as usize] = if node % 2 == side {
                            bounds.most == Value::Win
                                && (bounds.least == Value::Win
                                    || claim == Some(Value::Win)
                                    || next.any(|&child| before[child as usize]))
                        } else {
                            let is_any = claim.is_some() || next.clone().next().is_some();
                            bounds.least == Value::Loss
                                && (bounds.most == Value::Loss
                                    || (is_any
                                        && claim.is_none_or(|claim| claim == Value::Loss)
                                        && next.all(|&child| before[child as usize])))
                        };
                    }
                }
                wins
            };
            let wins = [wins(0), wins(1)];
            let value = |node: u32| {
                let (own, other) = (&wins[(node % 2) as usize], &wins[(1 - node % 2) as usize]);
                assert!(!(own[node as usize] && other[node as usize]), "{node} is won by both: {self:?}");
                told[node as usize].then_some(match (own[node as usize], other[node as usize]) {
                    (true, _) => Value::Win,
                    (_, true) => Value::Loss,
                    _ => Value::Draw,
                })
            };
            self.nodes().map(value).collect()
        }

        /// Minimax where moves lead to higher numbers only.
        fn minimax(&self) -> Vec<Option<Value>> {
            let told = self.known_by_definition();
            let mut values: Vec<Option<Value>> = vec![None; self.graph.len()];
            for node in self.nodes().rev().filter(|&node| told[node as usize]) {
                let next = self.graph.judged_children(node).iter().filter_map(|&child| values[child as usize]);
                let best = next.map(Value::turned).chain(self.claims[node as usize]).max();
                let bounds = self.bounds[node as usize];
                values[node as usize] = Some(best.unwrap_or(Value::Draw).clamp(bounds.least, bounds.most));
            }
            values
        }
    }

    fn cases(positions: u32) -> impl Strategy<Value = Case> {
        let moves = prop::collection::vec((0..positions, 0..positions), 0..positions as usize * 2);
        let claims = prop::collection::vec(prop::option::weighted(0.25, 0..3_usize), positions as usize);
        let bounds = prop::collection::vec(prop::option::weighted(0.15, (0..3_usize, 0..3_usize)), positions as usize);
        (moves, claims, bounds).prop_map(move |(mut moves, claims, bounds)| {
            // Whoever moves, the other side is to move then.
            moves.retain(|(from, to)| (from + to) % 2 == 1);
            moves.sort_unstable();
            moves.dedup();
            let bounds = bounds.into_iter().map(|bounds| {
                bounds.map_or(Bounds::OPEN, |(a, b)| Bounds { least: Value::ALL[a.min(b)], most: Value::ALL[a.max(b)] })
            });
            Case {
                graph: Graph::of_moves(positions, &moves),
                claims: claims.into_iter().map(|claim| claim.map(|index| Value::ALL[index])).collect(),
                bounds: bounds.collect(),
            }
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

        #[test]
        fn cycles_or_not_the_values_are_those_of_the_definition(case in cases(9)) {
            prop_assert_eq!(case.values(), case.naive());
        }

        #[test]
        fn without_cycles_it_is_minimax(case in cases(10)) {
            let forward: Vec<(u32, u32)> = case
                .nodes()
                .flat_map(|node| case.graph.judged_children(node).iter().map(move |&child| (node, child)))
                .filter(|(from, to)| from < to)
                .collect();
            let case = Case { graph: Graph::of_moves(10, &forward), ..case };
            prop_assert_eq!(case.values(), case.minimax());
        }
    }

    #[test]
    fn a_cycle_without_a_decision_is_a_draw_and_one_with_a_way_out_is_not() {
        // 0 and 1 go round; from 1 a move leads to 2, of which the side to move is said to be lost.
        let round = [(0, 1), (1, 0)];
        let out = Case::new(3, &[&round[..], &[(1, 2)]].concat(), &[(2, Value::Loss)]);
        assert_eq!(out.values(), [Some(Value::Loss), Some(Value::Win), Some(Value::Loss)]);
        // Where the way out only loses, whoever would have to take it goes round instead.
        let stay = Case::new(3, &[&round[..], &[(1, 2)]].concat(), &[(2, Value::Win)]);
        assert_eq!(stay.values(), [Some(Value::Draw), Some(Value::Draw), Some(Value::Win)]);
        // Nothing is told of a cycle that leads nowhere.
        assert_eq!(Case::new(2, &round, &[]).values(), [None, None]);
    }

    #[test]
    fn ranks_count_the_moves_to_what_decides() {
        let case = Case::new(4, &[(0, 1), (1, 2), (2, 3), (0, 3)], &[(3, Value::Loss)]);
        let implied = Implied::compute(&case.graph, &case.claims, &case.bounds);
        assert_eq!(implied.ranks, [1, 2, 1, 0]);
        assert_eq!(implied.by_moves(&case.graph, 0), Some(Value::Win));
        assert_eq!(implied.by_moves(&case.graph, 3), None);
    }
}
