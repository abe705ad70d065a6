//! Questions to a database: the tree at a position, lists of games, one game whole, searches.
//!
//! Purpose: typed answers with the columns of the contract. Invariants: a position counts once a game however often it recurs; counts
//! of moves are of games that played the move here, counts of positions are of games that stood in it.
//!
//! Must not know: how answers are printed.

mod annotations;
mod check;
mod check_raw;
mod copies;
mod counted_lines;
mod filters;
mod games;
mod line_set;
mod line_titles;
mod lines_through;
mod misfits;
mod model_games;
mod move_values;
mod moves;
mod pdn;
mod players;
mod position_stats;
mod record;
mod remarks;
mod search;
mod show;
mod sources;
mod sql;
mod tree;
mod variation_origins;
mod virtual_tables;
mod vtab;

pub use crate::game::{is_unknown_player, name_key, year_of};
pub use annotations::add_annotations;
pub use check::{Check, CheckRow, check};
pub use copies::{LineCopy, SourceDifference, copies, copies_in_sources, merged, source_difference};
pub use counted_lines::CountedLines;
pub use filters::{Filters, WinnerFilter, has_words_of};
pub use games::{GameRow, PlayedRow, Sort, game_row, games, line_ids, played_games, played_row};
pub use line_set::LineSet;
pub use line_titles::LineTitle;
pub use misfits::{Misfit, misfits};
pub use model_games::model_games;
pub use move_values::{add_proved_values, add_tree_values, next_keys};
pub use moves::{MoveRow, MoveValue, moves, moves_among, position_stats};
pub use pdn::pdn;
pub use players::{Players, games_by_spelling, names_players};
pub use position_stats::{PositionStats, distinct_lines};
pub use record::{BranchView, GameRecord, MainLines, PlyRow, record};
pub use remarks::{proved_from, remark, remark_mark};
pub use search::{Hit, Material, Pattern, PatternError, PositionSearch, SearchRow, find, search};
pub use show::{GameView, LineView, show};
pub use sources::{ImportedText, sources};
pub use sql::sql;
pub use tree::{MAX_POSITIONS, PlayTree, TreeEdge, TreeNode, TreeOptions, tree, tree_dot, tree_pdn};
pub use variation_origins::{Origin, Origins};

use crate::table::quoted;

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// The database cannot be read.
    #[error(transparent)]
    Store(#[from] crate::store::StoreError),
    /// An endgame database that is damaged.
    #[error(transparent)]
    Engine(#[from] crate::engine::EngineError),
    /// The program's own tables of openings and ballots are damaged.
    #[error(transparent)]
    Book(#[from] crate::book::BookError),
    /// A year range that is none.
    #[error("{} is no year or range of years: write 1880 or 1880..1899", quoted(.0))]
    Years(String),
    /// A range of years that ends before it begins.
    #[error("the years {from}..{to} end before they begin: write {to}..{from}")]
    YearsReversed {
        /// The first year said.
        from: i64,
        /// The last year said.
        to: i64,
    },
    /// A statement that SQLite does not take.
    #[error("the query cannot be answered: {what}")]
    Statement {
        /// What SQLite says.
        what: String,
        /// The byte of the statement it is about.
        at: Option<usize>,
    },
    /// A statement that would do more than read.
    #[error("only reading is allowed: {0}")]
    NotReading(String),
    /// A query that took too long.
    #[error("the query took longer than {0} seconds")]
    TimeLimit(u64),
    /// A query with more to tell than memory is given for, and how much that is.
    #[error("the query has more than {0}: ask for less, or add LIMIT")]
    TooMuch(&'static str),
    /// A query for which SQLite needs more memory than it is given, and how much that is.
    #[error("the query needs more than {0} of memory: ask for less, or add LIMIT")]
    Memory(&'static str),
    /// A key of a table of positions that is none.
    #[error("{text} is no position: {reason}", text = quoted(.text))]
    NoPosition {
        /// The key.
        text: String,
        /// Why it is none.
        reason: String,
    },
    /// A filter by name that has no word to look for.
    #[error("the filter by {0} is empty: write a word of the name, or leave it out")]
    NoWord(&'static str),
    /// A column that a table cannot be sorted by.
    #[error(transparent)]
    Sort(#[from] crate::table::UnknownColumn),
    /// A pattern or a material that is none.
    #[error(transparent)]
    Pattern(#[from] PatternError),
}

impl From<rusqlite::Error> for QueryError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Store(error.into())
    }
}
