//! Which columns of a table are printed.

use crate::table::{Column, UnknownColumn, column_index};

/// What asks for every column that was not named before it, unless a column of the table has that name.
const ALL: &str = "all";

/// Whether `names` ask for every column.
pub(super) fn asks_for_all(columns: &[Column], names: Option<&[String]>) -> bool {
    names.is_some_and(|names| names.iter().any(|name| is_all(columns, name)))
}

fn is_all(columns: &[Column], name: &str) -> bool {
    name.trim().eq_ignore_ascii_case(ALL) && column_index(columns, name).is_err()
}

/// The indices of the columns called `names`, in that order, or of all columns for `None`. Blanks around a name and the
/// case of its letters do not matter, `-` counts as `_`, and a name given twice is taken once. The name `all` stands for
/// all columns that were not named before.
///
/// # Errors
/// When a name is none of the table's columns.
pub fn select_columns(columns: &[Column], names: Option<&[String]>) -> Result<Vec<usize>, UnknownColumn> {
    let Some(names) = names else {
        return Ok((0..columns.len()).collect());
    };
    let mut wanted = Vec::with_capacity(names.len());
    for name in names {
        let named = if is_all(columns, name) {
            0..columns.len()
        } else {
            let index = column_index(columns, name)?;
            index..index + 1
        };
        for index in named {
            if !wanted.contains(&index) {
                wanted.push(index);
            }
        }
    }
    Ok(wanted)
}
