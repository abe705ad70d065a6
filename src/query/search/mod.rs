//! Search: where a position, a pattern of pieces or a material stands in any stored line.
//!
//! An exact position is looked up in the index. Patterns and material are sought by walking every line on all cores: pieces only
//! leave, so most lines are given up early or never begun. A line is found once, at the first ply where all that is asked
//! holds. Its variations are lines of their own, found from the position they leave their game in.

mod masks;
mod material;
mod pattern;
mod required_events;
mod rows;
mod walk;

use std::num::NonZero;

use crate::board::Variant;
use crate::rules::Position;
use crate::store::Database;

use super::games::Sort;
use super::{Filters, QueryError};

pub use material::Material;
pub use pattern::{Pattern, PatternError};
pub use rows::SearchRow;

/// What is sought on the board. All that is given must hold in one position; nothing given holds at every start.
#[derive(Clone, PartialEq, Debug)]
pub struct PositionSearch {
    /// The game that is played.
    pub variant: Variant,
    /// This very position, the side to move included.
    pub position: Option<Position>,
    /// Pieces on squares.
    pub pattern: Option<Pattern>,
    /// Numbers of pieces.
    pub material: Option<Material>,
    /// Also find it with colours reversed.
    pub reversed: bool,
}

/// A line that has what was sought.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Hit {
    /// The line.
    pub line: u32,
    /// Plies of the line before the position.
    pub ply: u32,
    /// Whether it is there with colours reversed.
    pub reversed: bool,
}

impl PositionSearch {
    /// The same with colours reversed.
    fn turned(&self) -> Self {
        Self {
            position: self.position.map(|position| position.reversed()),
            pattern: self.pattern.as_ref().map(Pattern::reversed),
            material: self.material.map(|material| material.reversed()),
            ..*self
        }
    }
}

/// Threads that a search keeps busy.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// Every line that has what `search` says, at the first ply that does, in ascending order of ids.
///
/// # Errors
/// When the database cannot be read.
pub fn find(database: &Database, search: &PositionSearch) -> Result<Vec<Hit>, QueryError> {
    let turned = search.reversed.then(|| search.turned());
    let Some(position) = &search.position else { return walk::find(database, search, turned.as_ref()) };
    // What else is asked holds of this position or of none.
    if !walk::holds(search, position) {
        return Ok(Vec::new());
    }
    let positions = [(false, Some(*position)), (true, turned.and_then(|turned| turned.position))];
    let mut hits = Vec::new();
    for (reversed, position) in positions {
        let Some(position) = position else { continue };
        let postings = database.postings(position.key())?;
        hits.extend(postings.iter().map(|found| Hit { line: found.line, ply: found.ply, reversed }));
    }
    // A line that came back and went on another way has two postings.
    hits.sort_unstable();
    hits.dedup_by_key(|hit| hit.line);
    Ok(hits)
}

/// Rows of the lines that `search` finds and `filters` let through, and how many there are before `sort` cuts the list.
///
/// Filters ask the game that a variation belongs to; kind, winner and losing moves are asked of the line itself.
///
/// # Errors
/// When a filter or the sorting cannot be understood or the database cannot be read.
pub fn search(
    database: &Database,
    search: &PositionSearch,
    filters: &Filters,
    sort: &Sort,
) -> Result<(Vec<SearchRow>, u64), QueryError> {
    let order = rows::order(sort)?;
    let hits = rows::filter(database, find(database, search)?, filters)?;
    let total = hits.len() as u64;
    let skip = usize::try_from(sort.offset).unwrap_or(usize::MAX);
    let keep = sort.limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
    let rows = match order {
        // In the order they are found in only those on the page need a look.
        None => {
            let page: Vec<Hit> = hits.into_iter().skip(skip).take(keep).collect();
            rows::rows(database, &page)?
        }
        Some(order) => {
            let mut rows = rows::rows(database, &hits)?;
            rows::sort(&mut rows, order);
            rows.into_iter().skip(skip).take(keep).collect()
        }
    };
    Ok((rows, total))
}
