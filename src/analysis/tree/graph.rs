//! The merged tree as a graph: stored positions, each once, and the stored moves between them.
//!
//! Moves that lines of analysis play are told apart: those of trunk play and variations, and of games whose source says where they
//! were lost, or that they were rightly drawn. In other games players err, and how one ended says nothing of the moves before.
//!
//! About 32 bytes a position and 8 a move (16 a move of analysis), and 16 more a move while it is made.

use crate::rules::{Position, PositionKey};
use crate::store::{Database, MoveCode, Posting, StoreError};

/// Positions by number, ascending by key, with the moves of lines of every kind.
#[derive(Debug, Default)]
pub(super) struct Graph {
    keys: Vec<PositionKey>,
    /// From whatever moves lead to a position.
    back: Edges,
    moves: usize,
    judged_forth: Edges,
    judged_back: Edges,
}

/// For each position those at the other ends of its moves.
#[derive(Debug, Default)]
struct Edges {
    /// Where those of each position begin, and the end of the last.
    first: Vec<u32>,
    to: Vec<u32>,
}

impl Edges {
    fn neighbours(&self, node: u32) -> &[u32] {
        let at = |index: usize| self.first.get(index).map_or(0, |&first| first as usize);
        self.to.get(at(node as usize)..at(node as usize + 1)).unwrap_or_default()
    }

    /// The same moves seen from their other ends.
    fn reversed(&self) -> Self {
        let mut first = vec![0_u32; self.first.len()];
        for &to in &self.to {
            if let Some(count) = first.get_mut(to as usize + 1) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for count in &mut first {
            sum += *count;
            *count = sum;
        }
        let (mut at, mut from) = (first.clone(), vec![0_u32; self.to.len()]);
        for node in 0..self.first.len().saturating_sub(1) as u32 {
            for &to in self.neighbours(node) {
                if let Some(place) = at.get_mut(to as usize) {
                    from[*place as usize] = node;
                    *place += 1;
                }
            }
        }
        Self { first, to: from }
    }
}

impl Graph {
    /// The graph of all that `database` holds; `judged` tells which lines are analysis. `visit` is shown each position by its
    /// number, and the postings of lines that end there.
    pub(super) fn build(
        database: &Database,
        judged: impl Fn(u32) -> bool,
        mut visit: impl FnMut(u32, &Position, &[Posting]),
    ) -> Result<Self, StoreError> {
        let mut keys: Vec<PositionKey> = Vec::new();
        let mut first = vec![0];
        let mut reached: Vec<PositionKey> = Vec::new();
        let (mut judged_first, mut judged_at) = (vec![0], Vec::new());
        database.each_position(|key, postings| {
            let damaged = || StoreError::Damaged("a key of the position index is no position".to_owned());
            let position = key.position().ok_or_else(damaged)?;
            let mut ends: &[Posting] = &[];
            for group in postings.chunk_by(|a, b| a.code == b.code) {
                match group.first().map(|posting| posting.code) {
                    Some(MoveCode::END) => ends = group,
                    Some(code) => {
                        let Some(played) = code.find(&position) else { continue };
                        if group.iter().any(|posting| judged(posting.line)) {
                            judged_at.push(reached.len() as u32);
                        }
                        reached.push(position.play_unchecked(&played).key());
                    }
                    None => {}
                }
            }
            visit(keys.len() as u32, &position, ends);
            keys.push(key);
            first.push(reached.len() as u32);
            judged_first.push(judged_at.len() as u32);
            Ok(())
        })?;
        // A line goes on or ends in every position that it reaches, so each is there; `check` tells of an index that is damaged.
        let to: Vec<u32> = reached.iter().map(|key| keys.binary_search(key).map_or(u32::MAX, |at| at as u32)).collect();
        drop(reached);
        let judged_to = judged_at.iter().filter_map(|&at| to.get(at as usize)).copied().collect();
        let judged_forth = Edges { first: judged_first, to: judged_to };
        let (moves, forth) = (to.len(), Edges { first, to });
        Ok(Self { keys, back: forth.reversed(), moves, judged_back: judged_forth.reversed(), judged_forth })
    }

    /// A graph of so many positions with these moves, all of analysis, for tests of what does not look at boards.
    #[cfg(test)]
    pub(super) fn of_moves(positions: u32, moves: &[(u32, u32)]) -> Self {
        let (mut first, mut to) = (vec![0], Vec::new());
        for node in 0..positions {
            to.extend(moves.iter().filter(|(from, _)| *from == node).map(|(_, to)| *to));
            first.push(to.len() as u32);
        }
        let forth = Edges { first, to };
        Self {
            keys: (0..positions).map(|node| PositionKey(node.into())).collect(),
            back: forth.reversed(),
            moves: moves.len(),
            judged_back: forth.reversed(),
            judged_forth: forth,
        }
    }

    /// How many positions there are: their numbers are those below.
    pub(super) const fn len(&self) -> usize {
        self.keys.len()
    }

    /// How many different moves there are.
    pub(super) const fn moves(&self) -> usize {
        self.moves
    }

    /// The number of the position of this key.
    pub(super) fn node(&self, key: PositionKey) -> Option<u32> {
        self.keys.binary_search(&key).ok().map(|at| at as u32)
    }

    /// The key of a position.
    pub(super) fn key(&self, node: u32) -> Option<PositionKey> {
        self.keys.get(node as usize).copied()
    }

    /// The positions that stored moves come from.
    pub(super) fn parents(&self, node: u32) -> &[u32] {
        self.back.neighbours(node)
    }

    /// The positions that moves of analysis lead to.
    pub(super) fn judged_children(&self, node: u32) -> &[u32] {
        self.judged_forth.neighbours(node)
    }

    /// The positions that moves of analysis come from.
    pub(super) fn judged_parents(&self, node: u32) -> &[u32] {
        self.judged_back.neighbours(node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_seen_from_both_ends() {
        let graph = Graph::of_moves(4, &[(0, 1), (0, 2), (1, 3), (2, 3), (3, 0)]);
        assert_eq!((graph.judged_children(0), graph.judged_children(3)), (&[1, 2][..], &[0][..]));
        assert_eq!((graph.parents(3), graph.parents(1), graph.parents(0)), (&[1, 2][..], &[0][..], &[3][..]));
        assert_eq!((graph.judged_children(4), graph.parents(9)), (&[][..], &[][..]));
    }
}
