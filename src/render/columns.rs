//! Which columns of a table are printed.

use crate::table::{Column, UnknownColumn, column_index};

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
        let index = column_index(columns, name)?;
        if !wanted.contains(&index) {
            wanted.push(index);
        }
    }
    Ok(wanted)
}
