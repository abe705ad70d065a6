//! Reports: what a whole database tells, one table each.
//!
//! Purpose: one file a report and one line in [`REPORTS`]. Invariants: a report only reads; the same database and the
//! same [`Request`] give the same rows in the same order; a filter or choice that a report has no use for is refused,
//! not ignored. Memory: the rows, and a few bytes a line; reports that hold more say so.
//!
//! Must not know: how tables are printed, or what anybody typed.

mod ballots;
mod contradictions;
mod cooks;
mod coverage;
mod duplicates;
mod errors;
mod interval;
mod line_facts;
mod novelties;
mod openings;
mod players;
mod prepare;
mod refusals;
mod sources;
mod stars;
mod tally;
mod transpositions;

pub use prepare::{Dossier, PlayerLookup, PlayerName, Question, Section, prepare};

use crate::book::Book;
use crate::engine::Endings;
use crate::query::{Filters, QueryError};
use crate::store::{Database, StoreError};
use crate::table::{Cell, Column, Row, Table};

/// Every report, in the order of the list that people see. A new one is a file and a line here.
pub const REPORTS: &[Report] = &[
    Report::new(
        "sources",
        "What came from where, and why some of it was refused",
        &[ReportOption::Source],
        sources::report,
    )
    .of_rows::<sources::SourceRow>(),
    Report::new(
        "refusals",
        "Every game refused or cut short, with its place and why",
        &[ReportOption::Source],
        refusals::report,
    )
    .of_rows::<refusals::RefusalRow>()
    .good_when_empty(),
    Report::new("openings", "Every opening that occurs, and how its games ended", FILTERS, openings::report)
        .of_rows::<openings::OpeningStatistics>(),
    Report::new("ballots", "Results by ballot, with an interval for small numbers", FILTERS, ballots::report)
        .of_rows::<ballots::BallotRow>(),
    Report::new("players", "Every player: games, results and favourite opening", FILTERS, players::report)
        .of_rows::<players::PlayerRow>(),
    Report::new("transpositions", "Positions where lines meet by different moves", MEETINGS, transpositions::report)
        .of_rows::<transpositions::WayRow>(),
    Report::new(
        "contradictions",
        "The same play judged differently, or against the board",
        FILTERS,
        contradictions::report,
    )
    .of_rows::<contradictions::ContradictionRow>()
    .good_when_empty(),
    Report::new("coverage", "How deep each opening and ballot is studied", FILTERS, coverage::report)
        .of_rows::<coverage::CoverageRow>(),
    Report::new("novelties", "Where each game leaves everything played before it", NOVELTIES, novelties::report)
        .of_rows::<novelties::NoveltyRow>(),
    Report::new("duplicates", "Exact copies, and games that are nearly the same", FILTERS, duplicates::report)
        .of_rows::<duplicates::DuplicateRow>()
        .good_when_empty(),
    Report::new("errors", "Errors in annotated games, by player, opening and ply", FILTERS, errors::report)
        .of_rows::<errors::ErrorRow>(),
    Report::new("stars", "Every marked move and what is known of it", FILTERS, stars::report)
        .of_rows::<stars::StarRow>(),
    Report::new("cooks", "Published verdicts that proofs or other play overturn", FILTERS, cooks::report)
        .of_rows::<cooks::CookRow>()
        .by_endings()
        .good_when_empty(),
];

const FILTERS: &[ReportOption] = &[ReportOption::Source, ReportOption::Filters];
const MEETINGS: &[ReportOption] =
    &[ReportOption::Source, ReportOption::Filters, ReportOption::MinPly, ReportOption::MaxPly, ReportOption::MinLines];
const NOVELTIES: &[ReportOption] =
    &[ReportOption::Source, ReportOption::Filters, ReportOption::Since, ReportOption::MinPly, ReportOption::MaxPly];

/// What can be asked of a report beside its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReportOption {
    /// The filter by source.
    Source,
    /// All other filters.
    Filters,
    /// [`Request::since`].
    Since,
    /// [`Request::min_ply`].
    MinPly,
    /// [`Request::max_ply`].
    MaxPly,
    /// [`Request::min_lines`].
    MinLines,
}

impl ReportOption {
    /// Every choice.
    pub const ALL: &'static [Self] =
        &[Self::Source, Self::Filters, Self::Since, Self::MinPly, Self::MaxPly, Self::MinLines];

    /// What it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Filters => "filters",
            Self::Since => "since",
            Self::MinPly => "min-ply",
            Self::MaxPly => "max-ply",
            Self::MinLines => "min-lines",
        }
    }
}

/// What is asked of a report.
pub struct Request<'a> {
    /// The database.
    pub database: &'a Database,
    /// The book of names.
    pub book: &'a Book,
    /// Which lines count.
    pub filters: Filters,
    /// Only games of this year or later.
    pub since: Option<i64>,
    /// Only from this ply on, from 1.
    pub min_ply: Option<u32>,
    /// Only up to this ply.
    pub max_ply: Option<u32>,
    /// Only what so many lines share.
    pub min_lines: Option<u32>,
    /// What is known of endings.
    pub endings: Option<&'a dyn Endings>,
}

impl<'a> Request<'a> {
    /// Everything of a database.
    #[must_use]
    pub fn new(database: &'a Database, book: &'a Book) -> Self {
        let filters = Filters::default();
        Self { database, book, filters, since: None, min_ply: None, max_ply: None, min_lines: None, endings: None }
    }

    fn has(&self, choice: ReportOption) -> bool {
        match choice {
            ReportOption::Source => self.filters.source.is_some(),
            ReportOption::Filters => Filters { source: None, ..self.filters.clone() } != Filters::default(),
            ReportOption::Since => self.since.is_some(),
            ReportOption::MinPly => self.min_ply.is_some(),
            ReportOption::MaxPly => self.max_ply.is_some(),
            ReportOption::MinLines => self.min_lines.is_some(),
        }
    }
}

/// One report.
#[derive(Clone, Copy, Debug)]
pub struct Report {
    /// The word it is asked for by.
    pub name: &'static str,
    /// What it tells, in one sentence.
    pub about: &'static str,
    /// What it can be asked for beside.
    pub choices: &'static [ReportOption],
    /// Whether it is good news that it has no rows: nothing is wrong.
    pub is_good_when_empty: bool,
    /// Whether it looks at [`Request::endings`]; for others nobody needs to open any.
    pub asks_endings: bool,
    /// Its columns.
    pub columns: &'static [Column],
    make: fn(&Request<'_>) -> Result<Table, ReportError>,
}

impl Report {
    const fn new(
        name: &'static str,
        about: &'static str,
        choices: &'static [ReportOption],
        make: fn(&Request<'_>) -> Result<Table, ReportError>,
    ) -> Self {
        Self { name, about, choices, is_good_when_empty: false, asks_endings: false, columns: &[], make }
    }

    /// The same report as one of these rows.
    const fn of_rows<R: Row>(self) -> Self {
        Self { columns: R::COLUMNS, ..self }
    }

    const fn good_when_empty(self) -> Self {
        Self { is_good_when_empty: true, ..self }
    }

    const fn by_endings(self) -> Self {
        Self { asks_endings: true, ..self }
    }

    /// The report of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<&'static Self> {
        REPORTS.iter().find(|report| report.name == name)
    }

    /// Makes the report.
    ///
    /// # Errors
    /// When it is asked for what it has no use for, a filter cannot be read or the database cannot.
    pub fn make(&self, request: &Request<'_>) -> Result<Table, ReportError> {
        let idle = ReportOption::ALL.iter().find(|choice| request.has(**choice) && !self.choices.contains(choice));
        match idle {
            Some(choice) => Err(ReportError::NotTaken { report: self.name, choice: *choice }),
            None => {
                // One snapshot for all that a report asks: an import may go on meanwhile.
                let _snapshot = request.database.connection().unchecked_transaction()?;
                (self.make)(request)
            }
        }
    }
}

impl Row for Report {
    const COLUMNS: &'static [Column] = &[Column::text("report", 0), Column::text("about", 0)];

    fn values(self) -> Vec<Cell> {
        vec![self.name.into(), self.about.into()]
    }
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The database cannot be read, or a filter cannot.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// Something was asked for that the report has no use for.
    #[error("the report {report} has no use for {}", choice.name())]
    NotTaken {
        /// The report.
        report: &'static str,
        /// What was asked for.
        choice: ReportOption,
    },
}

impl From<StoreError> for ReportError {
    fn from(error: StoreError) -> Self {
        Self::Query(error.into())
    }
}

impl From<rusqlite::Error> for ReportError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Query(error.into())
    }
}
