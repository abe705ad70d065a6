//! One row of a table as lines of `key  value`: for answers that are one thing, not many.

use super::text::{clean_for_terminal, display_width, wrap};
use super::{TableOptions, cell, select_columns};
use crate::table::{Cell, Column, UnknownColumn};

/// Between a key and its value.
const GAP: usize = 2;
/// A value with less room than this goes under its key.
const NARROW_WIDTH: usize = 12;
/// How far a value under its key is set in.
const INDENT: usize = 2;

/// The values of `row` that hold something, one below the other, wrapped at the width of `options`.
///
/// # Errors
/// When `options` name a column that is not among `columns`.
pub fn record(columns: &[Column], row: &[Cell], options: &TableOptions) -> Result<String, UnknownColumn> {
    let wanted = select_columns(columns, options.columns.as_deref())?;
    let entries: Vec<_> = wanted.iter().filter_map(|&index| entry(columns.get(index)?, row.get(index)?)).collect();
    Ok(write_entries(entries, options))
}

/// Keys and their values, one below the other, wrapped at the width of `options`.
pub(super) fn write_entries(entries: Vec<(&str, String)>, options: &TableOptions) -> String {
    let key_width = entries.iter().map(|(key, _)| display_width(key)).max().unwrap_or(0);
    let limit = options.width.map_or(usize::MAX, usize::from);
    let beside = limit.saturating_sub(key_width + GAP);
    let mut text = String::new();
    for (key, value) in entries {
        let bold = if options.color { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
        text.push_str(bold.0);
        text.push_str(key);
        text.push_str(bold.1);
        let (lines, indent) = if beside < NARROW_WIDTH {
            text.push('\n');
            text.push_str(&" ".repeat(INDENT.min(limit.saturating_sub(1))));
            (wrap(&value, limit.saturating_sub(INDENT)), INDENT.min(limit.saturating_sub(1)))
        } else {
            text.push_str(&" ".repeat(key_width + GAP - display_width(key)));
            (wrap(&value, beside), key_width + GAP)
        };
        text.push_str(&lines.join(&format!("\n{}", " ".repeat(indent))));
        text.push('\n');
    }
    text
}

/// The key and the text of a value, unless it holds nothing.
fn entry<'a>(column: &'a Column, value: &Cell) -> Option<(&'a str, String)> {
    let text = clean_for_terminal(&cell::for_people(value, 0)).into_owned();
    (!text.trim().is_empty()).then_some((&*column.name, text))
}
