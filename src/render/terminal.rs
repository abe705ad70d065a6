//! Tables for a terminal: a header, a thin line, rows two blanks apart.
//!
//! A table too wide first drops columns, the greatest rank first, then cuts the longest texts. Which columns go depends
//! on how wide they are, but one long text does not cost its neighbours their place: a text is counted with at most
//! [`ENOUGH_WIDTH`] columns when that is decided, and gets what is left over afterwards. A column without any value is left out.
//! Columns of one group share their fate: all are dropped, and all are shown where one of them has a value.
//!
//! A table of which every column is wanted, and which is too wide for that, is printed as records.

use std::io;

use comfy_table::presets::NOTHING;
use comfy_table::{Cell as DrawnCell, CellAlignment, ContentArrangement, LineStyle, Table as Drawn};

use super::columns::asks_for_all;
use super::key_value::write_entries;
use super::text::{cut, cut_path, display_width, one_line};
use super::{Rendered, TableOptions, cell};
use crate::table::{Cell, Column, Table};

/// Between two columns.
const GAP: usize = 2;
/// As much of a text as should be seen before another column is dropped for it.
const ENOUGH_WIDTH: usize = 16;
/// The widest cell where there is no limit: what draws the table counts columns in 16 bits.
const MAX_WIDTH: usize = 10_000;
const BOLD: &str = "\x1b[1m";
const RESET: &str = "\x1b[0m";

/// One column to be printed.
struct PrintedColumn<'a> {
    index: usize,
    column: &'a Column,
    /// The column's rank, or 0 where it was asked for.
    rank: u8,
    cells: Vec<String>,
    /// How wide its widest cell or its heading is.
    natural: usize,
    /// How wide it is printed.
    width: usize,
}

impl PrintedColumn<'_> {
    /// How much room it should have before another column is dropped for it.
    fn needed_width(&self) -> usize {
        if self.column.number { self.natural } else { self.natural.min(ENOUGH_WIDTH) }
    }

    fn has_values(&self) -> bool {
        self.cells.iter().any(|cell| !cell.is_empty())
    }
}

/// Writes the columns `wanted` of `table` as far as they fit; nothing for a table without rows.
pub(super) fn write(
    table: &Table,
    wanted: &[usize],
    options: &TableOptions,
    out: &mut dyn io::Write,
) -> io::Result<Rendered> {
    if table.rows.is_empty() {
        return Ok(Rendered::default());
    }
    let keep_all = options.columns.is_some();
    let mut columns: Vec<_> = wanted.iter().filter_map(|&index| measure(table, index, keep_all)).collect();
    // A column without a value says nothing; rank 0 is always there, so that a reader knows what to expect.
    let groups: Vec<_> = columns.iter().filter(|shown| shown.has_values()).filter_map(|s| s.column.group).collect();
    columns.retain(|shown| {
        let in_group = shown.column.group.is_some_and(|group| groups.contains(&group));
        shown.rank == 0 || shown.has_values() || in_group
    });
    let mut rendered = Rendered::default();
    if let Some(limit) = options.width.map(usize::from) {
        let too_wide = total(columns.iter().map(PrintedColumn::needed_width)) > limit;
        if too_wide && asks_for_all(&table.columns, options.columns.as_deref()) {
            rendered.left_rows = write_records(&columns, options, out)?;
            return Ok(rendered);
        }
        rendered.hidden_columns = drop_columns(&mut columns, limit);
        fit(&mut columns, limit);
    }
    let ellipsis = if options.ascii { "..." } else { "…" };
    for shown in &mut columns {
        let cut = if shown.column.is_path { cut_path } else { cut };
        for cell in &mut shown.cells {
            if display_width(cell) > shown.width {
                *cell = cut(cell, shown.width, ellipsis).into_owned();
                rendered.cut_cells += 1;
            }
        }
    }
    draw(&columns, ellipsis, options, out)?;
    Ok(rendered)
}

/// Rows as lines of `key  value`, an empty line between them: the first, and as many more as the lines of `options` have room for.
/// Returns how many rows are left.
fn write_records(columns: &[PrintedColumn<'_>], options: &TableOptions, out: &mut dyn io::Write) -> io::Result<usize> {
    let rows = columns.first().map_or(0, |shown| shown.cells.len());
    let most = options.record_lines.unwrap_or(usize::MAX);
    let mut used = 0;
    for row in 0..rows {
        let entries = columns.iter().filter_map(|shown| Some((&*shown.column.name, shown.cells.get(row)?.clone())));
        let entries = entries.filter(|(_, text)| !text.is_empty()).collect();
        let record = write_entries(entries, options);
        let gap = if row > 0 { "\n" } else { "" };
        used += gap.len() + record.lines().count();
        if row > 0 && used > most {
            return Ok(rows - row);
        }
        write!(out, "{gap}{record}")?;
    }
    Ok(0)
}

/// The column `index` of `table`, its cells made text.
fn measure(table: &Table, index: usize, keep: bool) -> Option<PrintedColumn<'_>> {
    let column = table.columns.get(index)?;
    let decimals = cell::decimals(table, index);
    let cell = |row: &Vec<Cell>| match row.get(index).unwrap_or(&Cell::Null) {
        Cell::Real(average) if column.is_average && average.is_finite() => format!("{average:.1}"),
        value => one_line(&cell::for_people(value, decimals)),
    };
    let cells: Vec<_> = table.rows.iter().map(cell).collect();
    let widest = cells.iter().map(|cell| display_width(cell)).max().unwrap_or(0);
    let natural = widest.max(display_width(column.title())).min(MAX_WIDTH);
    Some(PrintedColumn { index, column, rank: if keep { 0 } else { column.rank }, cells, natural, width: natural })
}

/// How wide columns of these widths are together.
fn total(widths: impl ExactSizeIterator<Item = usize>) -> usize {
    let gaps = GAP * widths.len().saturating_sub(1);
    widths.sum::<usize>() + gaps
}

/// Takes out the least important columns, whole groups at once, until the rest can be shown in `limit`; returns their names
/// in table order.
fn drop_columns(columns: &mut Vec<PrintedColumn<'_>>, limit: usize) -> Vec<String> {
    let mut dropped = Vec::new();
    while total(columns.iter().map(PrintedColumn::needed_width)) > limit {
        // Of equal ranks `max_by_key` takes the last: the one further right.
        let last = columns.iter().enumerate().filter(|(_, shown)| shown.rank > 0).max_by_key(|(_, shown)| shown.rank);
        let Some((last, group)) = last.map(|(at, shown)| (at, shown.column.group)) else { break };
        let mut at = 0;
        columns.retain(|shown| {
            at += 1;
            let goes = at - 1 == last || (group.is_some() && shown.column.group == group);
            if goes {
                dropped.push((shown.index, shown.column.name.clone().into_owned()));
            }
            !goes
        });
    }
    dropped.sort_unstable();
    dropped.into_iter().map(|(_, name)| name).collect()
}

/// Makes columns narrower until they fit in `limit`: the widest text first, numbers only when no text can give more.
/// Where even columns of one character do not fit, the table is as narrow as it can be.
fn fit(columns: &mut [PrintedColumn<'_>], limit: usize) {
    for column in columns.iter_mut() {
        column.width = column.natural.min(limit.max(1));
    }
    for numbers_too in [false, true] {
        while total(columns.iter().map(|column| column.width)) > limit {
            let may_give = |shown: &&mut PrintedColumn<'_>| shown.width > 1 && (numbers_too || !shown.column.number);
            let Some(widest) = columns.iter_mut().filter(may_give).max_by_key(|column| column.width) else { break };
            widest.width -= 1;
        }
    }
}

/// Draws columns that are measured and cut.
fn draw(
    columns: &[PrintedColumn<'_>],
    ellipsis: &str,
    options: &TableOptions,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mut drawn = Drawn::new();
    let line = if options.ascii { '-' } else { '─' };
    drawn.load_style(NOTHING.header_separator(LineStyle::none().fill(line).junction(line)));
    drawn.set_content_arrangement(ContentArrangement::Disabled);
    drawn.set_header(columns.iter().map(|column| DrawnCell::new(cut(column.column.title(), column.width, ellipsis))));
    for row in 0..columns.first().map_or(0, |column| column.cells.len()) {
        drawn.add_row(columns.iter().map(|column| DrawnCell::new(column.cells.get(row).map_or("", String::as_str))));
    }
    for (at, column) in columns.iter().enumerate() {
        if let Some(style) = drawn.column_mut(at) {
            // What draws the table puts one blank between columns of its own.
            style.set_padding((0, if at + 1 < columns.len() { GAP as u16 - 1 } else { 0 }));
            style.set_cell_alignment(if column.column.number { CellAlignment::Right } else { CellAlignment::Left });
        }
    }
    for (at, text) in drawn.lines().enumerate() {
        let text = text.trim_end();
        if at == 0 && options.color {
            writeln!(out, "{BOLD}{text}{RESET}")?;
        } else {
            writeln!(out, "{text}")?;
        }
    }
    Ok(())
}
