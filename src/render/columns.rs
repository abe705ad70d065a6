//! Which columns of a table are printed.

use std::cmp::Ordering;
use std::fmt;

use crate::table::{Column, Table, Value};

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
        write!(f, "no column `{}`", super::clean_for_terminal(&self.name))?;
        if let Some(meant) = &self.meant {
            write!(f, "; did you mean `{meant}`?")?;
        }
        write!(f, " (the columns are {})", self.known.join(", "))
    }
}

/// How alike two names must be (Jaro-Winkler, 0 to 1) for one to be proposed for the other.
const ALIKE: f64 = 0.75;

/// The indices of the columns called `names`, in that order, or of all columns for `None`. Blanks around a name and the
/// case of its letters do not matter, `-` counts as `_`, and a name given twice is taken once.
///
/// # Errors
/// When a name is none of the table's columns.
pub fn select_columns(columns: &[Column], names: Option<&[String]>) -> Result<Vec<usize>, UnknownColumn> {
    let Some(names) = names else {
        return Ok((0..columns.len()).collect());
    };
    let mut wanted = Vec::with_capacity(names.len());
    for name in names {
        let plain = name.trim().to_lowercase().replace('-', "_");
        let index = columns
            .iter()
            .position(|column| column.name.to_lowercase().replace('-', "_") == plain)
            .ok_or_else(|| UnknownColumn {
                name: name.clone(),
                known: columns.iter().map(|column| column.name.clone().into_owned()).collect(),
                meant: nearest(columns, &plain),
            })?;
        if !wanted.contains(&index) {
            wanted.push(index);
        }
    }
    Ok(wanted)
}

/// Sorts `table` by the column called `wanted`; a leading `-` turns the order round. Numbers stand before texts, texts are compared
/// without regard to case, empty cells come last either way, and rows that compare equal keep their order.
///
/// # Errors
/// When the name is none of the table's columns.
pub fn sort(table: &mut Table, wanted: &str) -> Result<(), UnknownColumn> {
    let (name, reversed) = wanted.strip_prefix('-').map_or((wanted, false), |name| (name, true));
    let column = select_columns(&table.columns, Some(&[name.to_owned()]))?[0];
    table.rows.sort_by(|a, b| {
        let (a, b) = (&a[column], &b[column]);
        match (a, b) {
            (Value::Null, Value::Null) => Ordering::Equal,
            (Value::Null, _) => Ordering::Greater,
            (_, Value::Null) => Ordering::Less,
            _ if reversed => compare(b, a),
            _ => compare(a, b),
        }
    });
    Ok(())
}

fn compare(a: &Value, b: &Value) -> Ordering {
    let number = |value: &Value| match value {
        Value::Int(number) => Some(*number as f64),
        Value::Real(number) => Some(*number),
        Value::Bool(yes) => Some(f64::from(u8::from(*yes))),
        Value::Null | Value::Text(_) | Value::List(_) => None,
    };
    let text = |value: &Value| match value {
        Value::Text(text) => text.to_lowercase(),
        Value::List(list) => list.join("; ").to_lowercase(),
        Value::Null | Value::Int(_) | Value::Real(_) | Value::Bool(_) => String::new(),
    };
    match (number(a), number(b)) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => text(a).cmp(&text(b)),
    }
}

/// The column whose name is most like `name`, if one is like it at all.
fn nearest(columns: &[Column], name: &str) -> Option<String> {
    columns
        .iter()
        .map(|column| (strsim::jaro_winkler(&column.name, name), &column.name))
        .filter(|(alike, _)| *alike >= ALIKE)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name.clone().into_owned())
}
