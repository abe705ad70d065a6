//! Which columns of a table are printed.

use std::fmt;

use crate::table::Column;

/// A column was asked for that a table does not have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct UnknownColumn {
    /// The name as asked for.
    pub name: String,
    /// The names there are.
    pub known: Vec<&'static str>,
    /// The name that was probably meant.
    pub meant: Option<&'static str>,
}

impl fmt::Display for UnknownColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no column `{}`", super::clean_for_terminal(&self.name))?;
        if let Some(meant) = self.meant {
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
pub fn select_columns(columns: &'static [Column], names: Option<&[String]>) -> Result<Vec<usize>, UnknownColumn> {
    let Some(names) = names else {
        return Ok((0..columns.len()).collect());
    };
    let mut wanted = Vec::with_capacity(names.len());
    for name in names {
        let plain = name.trim().to_lowercase().replace('-', "_");
        let index = columns.iter().position(|column| column.name == plain).ok_or_else(|| UnknownColumn {
            name: name.clone(),
            known: columns.iter().map(|column| column.name).collect(),
            meant: nearest(columns, &plain),
        })?;
        if !wanted.contains(&index) {
            wanted.push(index);
        }
    }
    Ok(wanted)
}

/// The column whose name is most like `name`, if one is like it at all.
fn nearest(columns: &[Column], name: &str) -> Option<&'static str> {
    columns
        .iter()
        .map(|column| (strsim::jaro_winkler(column.name, name), column.name))
        .filter(|(alike, _)| *alike >= ALIKE)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}
