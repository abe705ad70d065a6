//! Tables: what every command that prints data hands to `render`.
//!
//! Purpose: one value between questions and output formats. A row type declares its columns once; renderers see only
//! [`Table`]. Invariant: every row has as many values as there are columns.
//!
//! Must not know: where rows come from, or what a terminal is.

use std::borrow::Cow;

mod date;
mod escape;
mod order;

pub use date::date_order;
pub use escape::{escaped, is_hostile, is_invisible, push_escape, quoted};
pub use order::{SortOrder, UnknownColumn, column_index};

/// One value of a table.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    /// Nothing known: an empty cell, JSON `null`.
    Null,
    /// A whole number.
    Int(i64),
    /// A fraction: data formats print the shortest decimal that reads back as this number, tables round it.
    Real(f64),
    /// Text.
    Text(String),
    /// Yes or no.
    Bool(bool),
    /// Several texts: joined with `; ` in a cell, a list in JSON.
    List(Vec<String>),
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<bool> for Cell {
    fn from(yes: bool) -> Self {
        Self::Bool(yes)
    }
}

/// A share or an average that the program computed: three decimals are promised in every format. A number too small for them
/// keeps its first digits, for something is not nothing.
impl From<f64> for Cell {
    fn from(number: f64) -> Self {
        let rounded = (number * 1000.0).round() / 1000.0;
        let kept = if rounded.is_finite() && (rounded != 0.0 || number == 0.0) { rounded } else { number };
        // No minus before nothing.
        Self::Real(if kept == 0.0 { 0.0 } else { kept })
    }
}

impl From<Vec<String>> for Cell {
    fn from(list: Vec<String>) -> Self {
        Self::List(list)
    }
}

macro_rules! from_int {
    ($($int:ty),*) => {$(
        impl From<$int> for Cell {
            fn from(number: $int) -> Self {
                Self::Int(i64::from(number))
            }
        }
    )*};
}
from_int!(u8, u16, u32, i64);

impl<T: Into<Self>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// One column of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// The name: CSV header and JSON key. A promise: never renamed.
    pub name: Cow<'static, str>,
    /// How soon a table that is too wide drops it: 0 never, then the greatest first.
    pub rank: u8,
    /// Whether its values are numbers, set flush right.
    pub number: bool,
    /// What heads it in a table for people, where players have a shorter word than the name.
    pub heading: Option<&'static str>,
    /// The columns of a table that have the same group are shown or hidden together; they must have the same rank.
    pub group: Option<&'static str>,
    /// Whether its values are dates, which sort by year, month and day however they are written.
    pub is_date: bool,
    /// Whether its values may be paths, whose end says more than their beginning.
    pub is_path: bool,
    /// Whether its values are averages, of which people need one decimal.
    pub is_average: bool,
}

impl Column {
    /// A column of text.
    #[must_use]
    pub const fn text(name: &'static str, rank: u8) -> Self {
        Self {
            name: Cow::Borrowed(name),
            rank,
            number: false,
            heading: None,
            group: None,
            is_date: false,
            is_path: false,
            is_average: false,
        }
    }

    /// A column of numbers.
    #[must_use]
    pub const fn number(name: &'static str, rank: u8) -> Self {
        let mut column = Self::text(name, rank);
        column.number = true;
        column
    }

    /// A column of dates as sources write them.
    #[must_use]
    pub const fn date(name: &'static str, rank: u8) -> Self {
        let mut column = Self::text(name, rank);
        column.is_date = true;
        column
    }

    /// A column of text that may be paths: one too long loses its beginning, not its end.
    #[must_use]
    pub const fn path(name: &'static str, rank: u8) -> Self {
        let mut column = Self::text(name, rank);
        column.is_path = true;
        column
    }

    /// The same column as one of averages: tables for people show one decimal of them, data formats all.
    #[must_use]
    pub const fn averaged(mut self) -> Self {
        self.is_average = true;
        self
    }

    /// The same column under a shorter heading in tables for people.
    #[must_use]
    pub const fn headed(mut self, heading: &'static str) -> Self {
        self.heading = Some(heading);
        self
    }

    /// The same column as one of the group of this name.
    #[must_use]
    pub const fn grouped(mut self, group: &'static str) -> Self {
        self.group = Some(group);
        self
    }

    /// What heads the column in a table for people.
    #[must_use]
    pub fn title(&self) -> &str {
        self.heading.unwrap_or(&self.name)
    }
}

/// Rows under named columns.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    /// The columns, in the order of the contract; owned where a question decides them.
    pub columns: Cow<'static, [Column]>,
    /// The rows; each has a value a column.
    pub rows: Vec<Vec<Cell>>,
}

/// A type whose values are rows of a table.
pub trait Row {
    /// The columns, in the order of the contract.
    const COLUMNS: &'static [Column];

    /// The values of this row, one a column.
    fn values(self) -> Vec<Cell>;
}

impl Table {
    /// The table of these rows.
    pub fn from_rows<R: Row>(rows: impl IntoIterator<Item = R>) -> Self {
        let rows: Vec<_> = rows.into_iter().map(Row::values).collect();
        debug_assert!(rows.iter().all(|row| row.len() == R::COLUMNS.len()), "a value for each column");
        Self { columns: Cow::Borrowed(R::COLUMNS), rows }
    }
    /// Sorts the rows by the column that `wanted` names, see [`SortOrder`].
    ///
    /// # Errors
    /// When the name is none of the table's columns.
    pub fn sort(&mut self, wanted: &str) -> Result<(), UnknownColumn> {
        let order = SortOrder::read(&self.columns, wanted)?;
        self.rows.sort_by(|a, b| order.compare(a, b));
        Ok(())
    }
}
