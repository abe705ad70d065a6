//! Play merged from a position on: a graph in which transpositions meet, for exports.
//!
//! Memory is bounded: a tree has at most [`MAX_POSITIONS`] positions, of some hundreds of bytes each, whatever the database
//! holds. It is built level by level, the most played positions of a level first, so that what a bound keeps out is the
//! deepest and the rarest. Nothing recurses, and a position has one node however play comes to it, so cycles end.

mod dot;
mod pdn;

pub use dot::tree_dot;
pub use pdn::tree_pdn;

use std::collections::{BTreeMap, HashMap};

use crate::board::Move;
use crate::book::Book;
use crate::game::move_text;
use crate::rules::{Position, PositionKey};
use crate::store::{Database, MoveCode};

use super::QueryError;
use super::counted_lines::CountedLines;
use super::filters::Filters;
use super::position_stats::PositionStats;

/// Positions that a tree has at most.
pub const MAX_POSITIONS: usize = 100_000;

/// How far a tree goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeOptions {
    /// Plies from its root, by the shortest way.
    pub depth: u32,
    /// Games that a move must have been played in, where it stands.
    pub min_games: u32,
    /// Positions at most; more than [`MAX_POSITIONS`] are never taken.
    pub positions: usize,
}

/// Play from a position on, merged.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayTree {
    /// The positions; the root is the first, and each stands behind the one it was first reached from.
    pub nodes: Vec<TreeNode>,
    /// What the games in the root came to.
    pub here: PositionStats,
    /// Whether there is play that the bound on positions kept out.
    pub cut: bool,
}

/// A position of a tree.
#[derive(Clone, PartialEq, Debug)]
pub struct TreeNode {
    /// The position.
    pub position: Position,
    /// Its name, where it has one.
    pub opening: Option<String>,
    /// The moves played here, most played first; none where the tree ends.
    pub edges: Vec<TreeEdge>,
}

/// A move of a tree.
#[derive(Clone, PartialEq, Debug)]
pub struct TreeEdge {
    /// The move.
    pub played: Move,
    /// Its text.
    pub text: String,
    /// The games that played it here.
    pub stats: PositionStats,
    /// The index of the position it leads to.
    pub to: u32,
}

/// The play from `root` on of the lines that `filters` let through: games, unless they ask for another kind.
///
/// # Errors
/// When a filter cannot be read or the database cannot.
pub fn tree(
    database: &Database,
    book: &Book,
    root: &Position,
    filters: &Filters,
    options: &TreeOptions,
) -> Result<PlayTree, QueryError> {
    let counted = CountedLines::select(database, filters)?;
    let most = options.positions.clamp(1, MAX_POSITIONS);
    let node = |position: Position| TreeNode {
        opening: book.at(position.key()).map(|named| named.name.clone()),
        position,
        edges: Vec::new(),
    };
    let mut tree = PlayTree { nodes: vec![node(*root)], here: PositionStats::default(), cut: false };
    tree.here = counted.stats(&database.postings(root.key())?);
    let mut index: HashMap<PositionKey, u32> = HashMap::from([(root.key(), 0)]);
    // The positions to go on from, and the games that came to each so far.
    let mut level = vec![(0_u32, 0_u32)];
    for _ in 0..options.depth {
        let mut next: Vec<(u32, u32)> = Vec::new();
        let first = tree.nodes.len() as u32;
        for &(id, _) in &level {
            let position = tree.nodes[id as usize].position;
            for (played, stats) in played_here(&counted, &position, options.min_games.max(1))? {
                let reached = position.play_unchecked(&played);
                let to = match index.get(&reached.key()) {
                    Some(&to) => to,
                    None if tree.nodes.len() >= most => {
                        tree.cut = true;
                        continue;
                    }
                    None => {
                        let to = tree.nodes.len() as u32;
                        index.insert(reached.key(), to);
                        tree.nodes.push(node(reached));
                        next.push((to, 0));
                        to
                    }
                };
                if let Some((_, games)) = to.checked_sub(first).and_then(|at| next.get_mut(at as usize)) {
                    *games += stats.games;
                }
                let text = move_text(&position, &played);
                tree.nodes[id as usize].edges.push(TreeEdge { played, text, stats, to });
            }
        }
        next.sort_by_key(|&(id, games)| (std::cmp::Reverse(games), id));
        level = next;
    }
    Ok(tree)
}

/// The moves that the lines that count played in `position`, most played first.
fn played_here(
    counted: &CountedLines<'_>,
    position: &Position,
    min_games: u32,
) -> Result<Vec<(Move, PositionStats)>, QueryError> {
    let mut by_move: BTreeMap<MoveCode, PositionStats> = BTreeMap::new();
    for posting in counted.database().postings(position.key())? {
        if posting.code == MoveCode::END {
            continue;
        }
        if let Some(fact) = counted.fact(posting.line) {
            by_move.entry(posting.code).or_default().add(fact.winner, fact.year);
        }
    }
    let played = by_move.into_iter().filter(|(_, stats)| stats.games >= min_games);
    let mut played: Vec<_> = played.filter_map(|(code, stats)| Some((code.find(position)?, stats))).collect();
    played.sort_by(|(a, a_stats), (b, b_stats)| b_stats.games.cmp(&a_stats.games).then_with(|| a.cmp(b)));
    Ok(played)
}

/// `12 games: 5-3-4`: won by Black, drawn, won by White. Those without a known winner are in the first number only.
fn counts(stats: &PositionStats) -> String {
    let games = if stats.games == 1 { "game" } else { "games" };
    format!("{} {games}: {}-{}-{}", stats.games, stats.black_wins, stats.draws, stats.white_wins)
}
