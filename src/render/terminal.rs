//! Tables for a terminal: a header, a thin line, rows two blanks apart.
//!
//! A table too wide first drops columns, the greatest rank first, then cuts the longest texts. Which columns go depends
//! on how wide they are, but one long text does not cost its neighbours their place: a text is counted with at most
//! [`ENOUGH`] columns when that is decided, and gets what is left over afterwards. A column without any value is left out.

use std::io;

use comfy_table::presets::NOTHING;
use comfy_table::{Cell, CellAlignment, ContentArrangement, LineStyle, Table as Drawn};

use super::text::{cut, display_width, one_line};
use super::{Rendered, TableOptions, value};
use crate::table::{Table, Value};

/// Between two columns.
const GAP: usize = 2;
/// As much of a text as should be seen before another column is dropped for it.
const ENOUGH: usize = 16;
/// The widest cell where there is no limit: what draws the table counts columns in 16 bits.
const WIDEST: usize = 10_000;
const BOLD: &str = "\x1b[1m";
const RESET: &str = "\x1b[0m";

/// One column to be printed.
struct Shown {
    index: usize,
    name: String,
    rank: u8,
    number: bool,
    cells: Vec<String>,
    /// How wide its widest cell or its name is.
    natural: usize,
    /// How wide it is printed.
    width: usize,
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
    // A column without a value tells nothing; rank 0 is always there, so that a reader knows what to expect.
    columns.retain(|column| column.rank == 0 || column.cells.iter().any(|cell| !cell.is_empty()));
    let mut rendered = Rendered::default();
    if let Some(limit) = options.width.map(usize::from) {
        rendered.hidden_columns = drop_columns(&mut columns, limit);
        fit(&mut columns, limit);
    }
    let ellipsis = if options.ascii { "..." } else { "…" };
    for column in &mut columns {
        for cell in &mut column.cells {
            if display_width(cell) > column.width {
                *cell = cut(cell, column.width, ellipsis).into_owned();
                rendered.cut_cells += 1;
            }
        }
    }
    draw(&columns, ellipsis, options, out)?;
    Ok(rendered)
}

/// The column `index` of `table`, its cells made text.
fn measure(table: &Table, index: usize, keep: bool) -> Option<Shown> {
    let column = table.columns.get(index)?;
    let decimals = value::decimals(table, index);
    let cell = |row: &Vec<Value>| one_line(&value::for_people(row.get(index).unwrap_or(&Value::Null), decimals));
    let cells: Vec<_> = table.rows.iter().map(cell).collect();
    let widest = cells.iter().map(|cell| display_width(cell)).max().unwrap_or(0);
    let natural = widest.max(display_width(&column.name)).min(WIDEST);
    let rank = if keep { 0 } else { column.rank };
    Some(Shown {
        index,
        name: column.name.clone().into_owned(),
        rank,
        number: column.number,
        cells,
        natural,
        width: natural,
    })
}

/// How wide columns of these widths are together.
fn total(widths: impl ExactSizeIterator<Item = usize>) -> usize {
    let gaps = GAP * widths.len().saturating_sub(1);
    widths.sum::<usize>() + gaps
}

/// Takes out the least important columns until the rest can be shown in `limit`; returns their names in table order.
fn drop_columns(columns: &mut Vec<Shown>, limit: usize) -> Vec<String> {
    let needs = |column: &Shown| if column.number { column.natural } else { column.natural.min(ENOUGH) };
    let mut dropped = Vec::new();
    while total(columns.iter().map(needs)) > limit {
        // Of equal ranks `max_by_key` takes the last: the one further right.
        let last = columns.iter().enumerate().filter(|(_, column)| column.rank > 0).max_by_key(|(_, c)| c.rank);
        let Some((at, _)) = last else { break };
        dropped.push(columns.remove(at));
    }
    dropped.sort_by_key(|column| column.index);
    dropped.into_iter().map(|column| column.name).collect()
}

/// Makes columns narrower until they fit in `limit`: the widest text first, numbers only when no text can give more.
/// Where even columns of one character do not fit, the table is as narrow as it can be.
fn fit(columns: &mut [Shown], limit: usize) {
    for column in columns.iter_mut() {
        column.width = column.natural.min(limit.max(1));
    }
    for numbers_too in [false, true] {
        while total(columns.iter().map(|column| column.width)) > limit {
            let may_give = |column: &&mut Shown| column.width > 1 && (numbers_too || !column.number);
            let Some(widest) = columns.iter_mut().filter(may_give).max_by_key(|column| column.width) else { break };
            widest.width -= 1;
        }
    }
}

/// Draws columns that are measured and cut.
fn draw(columns: &[Shown], ellipsis: &str, options: &TableOptions, out: &mut dyn io::Write) -> io::Result<()> {
    let mut drawn = Drawn::new();
    let line = if options.ascii { '-' } else { '─' };
    drawn.load_style(NOTHING.header_separator(LineStyle::none().fill(line).junction(line)));
    drawn.set_content_arrangement(ContentArrangement::Disabled);
    drawn.set_header(columns.iter().map(|column| Cell::new(cut(&column.name, column.width, ellipsis))));
    for row in 0..columns.first().map_or(0, |column| column.cells.len()) {
        drawn.add_row(columns.iter().map(|column| Cell::new(column.cells.get(row).map_or("", String::as_str))));
    }
    for (at, column) in columns.iter().enumerate() {
        if let Some(style) = drawn.column_mut(at) {
            // What draws the table puts one blank between columns of its own.
            style.set_padding((0, if at + 1 < columns.len() { GAP as u16 - 1 } else { 0 }));
            style.set_cell_alignment(if column.number { CellAlignment::Right } else { CellAlignment::Left });
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
