//! JSON: an array of objects, or an object a line. Keys in the order of the columns, `null` for nothing, lists as arrays.

use std::io;

use serde_json::{Map, Number, Value as Json};

use crate::table::{Cell, Table};

/// Writes one array, two blanks a level.
pub(super) fn write_array(table: &Table, wanted: &[usize], out: &mut dyn io::Write) -> io::Result<()> {
    if table.rows.is_empty() {
        return out.write_all(b"[]\n");
    }
    // Row by row, so that the whole document never stands in memory.
    let mut before = "[\n";
    for row in &table.rows {
        let text = serde_json::to_string_pretty(&object(table, row, wanted))?;
        // Newlines inside strings are escaped: every one here is layout.
        write!(out, "{before}  {}", text.replace('\n', "\n  "))?;
        before = ",\n";
    }
    out.write_all(b"\n]\n")
}

/// Writes an object a line.
pub(super) fn write_lines(table: &Table, wanted: &[usize], out: &mut dyn io::Write) -> io::Result<()> {
    for row in &table.rows {
        serde_json::to_writer(&mut *out, &object(table, row, wanted))?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// One row as an object.
fn object(table: &Table, row: &[Cell], wanted: &[usize]) -> Json {
    let entry = |&index: &usize| Some((table.columns.get(index)?.name.clone().into_owned(), json(row.get(index)?)));
    Json::Object(wanted.iter().filter_map(entry).collect::<Map<_, _>>())
}

/// One value.
pub(super) fn json(value: &Cell) -> Json {
    match value {
        Cell::Null => Json::Null,
        Cell::Int(number) => Json::from(*number),
        // What is no number is `null`.
        Cell::Real(number) => Number::from_f64(*number).map_or(Json::Null, Json::Number),
        Cell::Text(text) => Json::from(text.as_str()),
        Cell::Bool(yes) => Json::Bool(*yes),
        Cell::List(items) => Json::from(items.as_slice()),
    }
}
