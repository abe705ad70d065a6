//! Columns found by name, and rows sorted by one: the one reading of `--sort` and `--columns`.

use std::cmp::Ordering;
use std::fmt;

use super::{Cell, Column, date_order, escaped};

/// A column was asked for that a table does not have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct UnknownColumn {
    /// The name as asked for.
    pub name: String,
    /// The names there are.
    pub known: Vec<String>,
    /// The name that was probably meant.
    pub meant: Option<String>,
}

impl fmt::Display for UnknownColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no column `{}`", escaped(&self.name))?;
        if let Some(meant) = &self.meant {
            write!(f, "; did you mean `{meant}`?")?;
        }
        write!(f, " (the columns are {})", self.known.join(", "))
    }
}

/// How alike two names must be (Jaro-Winkler, 0 to 1) for one to be proposed for the other.
const MIN_LIKENESS: f64 = 0.75;

/// Where the column called `name` stands among `columns`. Blanks around the name and the case of its letters do not matter, `-`
/// counts as `_`. A heading that tables for people show instead of the name is understood too.
///
/// # Errors
/// When there is none of that name.
pub fn column_index(columns: &[Column], name: &str) -> Result<usize, UnknownColumn> {
    let plain = |name: &str| name.trim().to_lowercase().replace('-', "_");
    let wanted = plain(name);
    let named = columns.iter().position(|column| plain(&column.name) == wanted);
    let headed = || columns.iter().position(|column| column.heading.is_some_and(|heading| plain(heading) == wanted));
    named.or_else(headed).ok_or_else(|| UnknownColumn {
        name: name.to_owned(),
        known: columns.iter().map(|column| column.name.clone().into_owned()).collect(),
        meant: nearest(columns, &wanted),
    })
}

/// The column whose name is most like `name`, if one is like it at all.
fn nearest(columns: &[Column], name: &str) -> Option<String> {
    columns
        .iter()
        .map(|column| (strsim::jaro_winkler(&column.name, name), &column.name))
        .filter(|(alike, _)| *alike >= MIN_LIKENESS)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name.clone().into_owned())
}

/// By which column rows are sorted. Numbers stand before texts, texts are compared without regard to case, empty cells come
/// last either way, and rows that compare equal keep their order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SortOrder {
    /// The place of the column.
    pub column: usize,
    /// Whether the greatest comes first.
    pub turned: bool,
    /// Whether the column has dates: they are compared as such, and what is no date counts as empty.
    is_date: bool,
}

impl SortOrder {
    /// Reads what people write: a column's name, a `-` before it to turn the order round.
    ///
    /// # Errors
    /// When the name is none of `columns`.
    pub fn read(columns: &[Column], wanted: &str) -> Result<Self, UnknownColumn> {
        let (name, turned) = wanted.strip_prefix('-').map_or((wanted, false), |name| (name, true));
        let column = column_index(columns, name)?;
        Ok(Self { column, turned, is_date: columns.get(column).is_some_and(|column| column.is_date) })
    }

    /// How two rows stand to each other.
    #[must_use]
    pub fn compare(&self, a: &[Cell], b: &[Cell]) -> Ordering {
        let (a, b) = (a.get(self.column).unwrap_or(&Cell::Null), b.get(self.column).unwrap_or(&Cell::Null));
        if self.is_date {
            return self.compare_dates(a, b);
        }
        match (a, b) {
            (Cell::Null, Cell::Null) => Ordering::Equal,
            (Cell::Null, _) => Ordering::Greater,
            (_, Cell::Null) => Ordering::Less,
            _ if self.turned => compare(b, a),
            _ => compare(a, b),
        }
    }

    fn compare_dates(&self, a: &Cell, b: &Cell) -> Ordering {
        let date = |value: &Cell| if let Cell::Text(text) = value { date_order(text) } else { None };
        match (date(a), date(b)) {
            (None, b) => b.is_some().cmp(&false),
            (Some(_), None) => Ordering::Less,
            (Some(a), Some(b)) if self.turned => b.cmp(&a),
            (Some(a), Some(b)) => a.cmp(&b),
        }
    }
}

fn compare(a: &Cell, b: &Cell) -> Ordering {
    let number = |value: &Cell| match value {
        Cell::Int(number) => Some(*number as f64),
        Cell::Real(number) => Some(*number),
        Cell::Bool(yes) => Some(f64::from(u8::from(*yes))),
        Cell::Null | Cell::Text(_) | Cell::List(_) => None,
    };
    let text = |value: &Cell| match value {
        Cell::Text(text) => text.to_lowercase(),
        Cell::List(list) => list.join("; ").to_lowercase(),
        Cell::Null | Cell::Int(_) | Cell::Real(_) | Cell::Bool(_) => String::new(),
    };
    match (number(a), number(b)) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => text(a).cmp(&text(b)),
    }
}
