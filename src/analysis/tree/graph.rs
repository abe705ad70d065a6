//! The merged tree as a graph: stored positions, each once, and the stored moves between them.
//!
//! About 28 bytes a position and 8 a move, and 16 more a move while it is made.

use crate::rules::{Position, PositionKey};
use crate::store::{Database, MoveCode, Posting, StoreError};

/// Positions by number, ascending by key, with the moves of lines of every kind.
#[derive(Debug, Default)]
pub(super) struct Graph {
    keys: Vec<PositionKey>,
    forth: Edges,
    back: Edges,
}

/// For each position those at the other ends of its moves.
#[derive(Debug, Default)]
struct Edges {
    /// Where those of each position begin, and the end of the last.
    first: Vec<u32>,
    to: Vec<u32>,
}

impl Edges {
    fn of(&self, node: u32) -> &[u32] {
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
            for &to in self.of(node) {
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
    /// The graph of all that `database` holds. `visit` is shown each position by its number, and the postings of lines that
    /// end there.
    pub(super) fn of(
        database: &Database,
        mut visit: impl FnMut(u32, &Position, &[Posting]),
    ) -> Result<Self, StoreError> {
        let mut keys: Vec<PositionKey> = Vec::new();
        let mut first = vec![0];
        let mut reached: Vec<PositionKey> = Vec::new();
        database.each_position(|key, postings| {
            let damaged = || StoreError::Damaged("a key of the position index is no position".to_owned());
            let position = key.position().ok_or_else(damaged)?;
            let mut ends: &[Posting] = &[];
            for group in postings.chunk_by(|a, b| a.code == b.code) {
                match group.first().map(|posting| posting.code) {
                    Some(MoveCode::END) => ends = group,
                    Some(code) => {
                        reached.extend(code.find(&position).map(|played| position.play_unchecked(&played).key()));
                    }
                    None => {}
                }
            }
            visit(keys.len() as u32, &position, ends);
            keys.push(key);
            first.push(reached.len() as u32);
            Ok(())
        })?;
        // A line goes on or ends in every position that it reaches, so each is there; `check` tells of an index that is damaged.
        let to = reached.iter().map(|key| keys.binary_search(key).map_or(u32::MAX, |at| at as u32)).collect();
        drop(reached);
        let forth = Edges { first, to };
        Ok(Self { back: forth.reversed(), keys, forth })
    }

    /// A graph of so many positions with these moves, for tests of what does not look at boards.
    #[cfg(test)]
    pub(super) fn of_moves(positions: u32, moves: &[(u32, u32)]) -> Self {
        let (mut first, mut to) = (vec![0], Vec::new());
        for node in 0..positions {
            to.extend(moves.iter().filter(|(from, _)| *from == node).map(|(_, to)| *to));
            first.push(to.len() as u32);
        }
        let forth = Edges { first, to };
        Self { keys: (0..positions).map(|node| PositionKey(node.into())).collect(), back: forth.reversed(), forth }
    }

    /// How many positions there are: their numbers are those below.
    pub(super) const fn len(&self) -> usize {
        self.keys.len()
    }

    /// How many different moves there are.
    pub(super) const fn moves(&self) -> usize {
        self.forth.to.len()
    }

    /// The number of the position of this key.
    pub(super) fn node(&self, key: PositionKey) -> Option<u32> {
        self.keys.binary_search(&key).ok().map(|at| at as u32)
    }

    /// The key of a position.
    pub(super) fn key(&self, node: u32) -> Option<PositionKey> {
        self.keys.get(node as usize).copied()
    }

    /// The positions that stored moves lead to.
    pub(super) fn children(&self, node: u32) -> &[u32] {
        self.forth.of(node)
    }

    /// The positions that stored moves come from.
    pub(super) fn parents(&self, node: u32) -> &[u32] {
        self.back.of(node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_seen_from_both_ends() {
        let graph = Graph::of_moves(4, &[(0, 1), (0, 2), (1, 3), (2, 3), (3, 0)]);
        assert_eq!((graph.children(0), graph.children(3)), (&[1, 2][..], &[0][..]));
        assert_eq!((graph.parents(3), graph.parents(1), graph.parents(0)), (&[1, 2][..], &[0][..], &[3][..]));
        assert_eq!((graph.children(4), graph.parents(9)), (&[][..], &[][..]));
    }
}
