//! Model games of a position: which games to play through, of those that stood in it.

use std::cmp::Reverse;

use crate::board::Winner;
use crate::rules::Position;

use super::QueryError;
use super::counted_lines::CountedLines;
use super::line_titles::LineTitle;
use super::position_stats::distinct_lines;

/// At most `most` games among `counted` that stood in `position`: those with a known winner before the others, of these the latest
/// year first, and of one year the one stored first.
///
/// # Errors
/// When the database cannot be read.
pub fn model_games(counted: &CountedLines<'_>, position: &Position, most: usize) -> Result<Vec<LineTitle>, QueryError> {
    let postings = counted.database().postings(position.key())?;
    let mut ranked: Vec<(bool, Reverse<Option<u16>>, u32)> = distinct_lines(&postings)
        .into_iter()
        .filter_map(|line| counted.fact(line).map(|fact| (fact.winner == Winner::Unknown, Reverse(fact.year), line)))
        .collect();
    ranked.sort_unstable();
    let mut games = Vec::with_capacity(most.min(ranked.len()));
    for (_, _, line) in ranked.into_iter().take(most) {
        games.extend(LineTitle::read(counted.database(), line)?);
    }
    Ok(games)
}
