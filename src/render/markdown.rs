//! Markdown tables (GitHub's): for pasting into notes and issues, so hostile characters are escaped as for a terminal.

use std::io;

use crate::table::{Cell, Table};

/// Writes the columns `wanted` of `table`.
pub(super) fn write(table: &Table, wanted: &[usize], out: &mut dyn io::Write) -> io::Result<()> {
    let columns: Vec<_> = wanted.iter().filter_map(|&index| table.columns.get(index)).collect();
    line(out, columns.iter().map(|column| column.name.clone().into_owned()))?;
    line(out, columns.iter().map(|column| if column.number { "---:" } else { "---" }.to_owned()))?;
    for row in &table.rows {
        let cell = |&index: &usize| escape(&super::cell::short(row.get(index).unwrap_or(&Cell::Null)));
        line(out, wanted.iter().map(cell))?;
    }
    Ok(())
}

/// Writes one row.
fn line(out: &mut dyn io::Write, cells: impl Iterator<Item = String>) -> io::Result<()> {
    out.write_all(b"|")?;
    for cell in cells {
        write!(out, " {cell} |")?;
    }
    out.write_all(b"\n")
}

/// `text` so that it shows as it is: no end of the cell, no emphasis, link or HTML.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in super::text::one_line(text).chars() {
        if matches!(c, '\\' | '|' | '`' | '*' | '[' | '<') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
