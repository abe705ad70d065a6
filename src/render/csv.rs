//! CSV by RFC 4180: a header line, LF after every row, quotes where needed, nothing cut and nothing escaped.
//!
//! A spreadsheet runs cells that start like a formula. For it (and only when asked: programs need the text unchanged)
//! such texts get an apostrophe in front; numbers are never touched, so that -3 stays a number.

use std::io;

use crate::table::{Table, Value};

/// What tells a spreadsheet that the text is UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Writes the columns `wanted` of `table`.
pub(super) fn write(table: &Table, wanted: &[usize], spreadsheet: bool, out: &mut dyn io::Write) -> io::Result<()> {
    if spreadsheet {
        out.write_all(BYTE_ORDER_MARK)?;
    }
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(wanted.iter().filter_map(|&index| table.columns.get(index)).map(|column| &*column.name))?;
    for row in &table.rows {
        for &index in wanted {
            match row.get(index).unwrap_or(&Value::Null) {
                Value::Text(text) if !(spreadsheet && is_formula(text)) => writer.write_field(text)?,
                value @ (Value::Text(_) | Value::List(_)) => {
                    let text = super::value::plain(value);
                    let guard = if spreadsheet && is_formula(&text) { "'" } else { "" };
                    writer.write_field(format!("{guard}{text}"))?;
                }
                value => writer.write_field(super::value::plain(value))?,
            }
        }
        writer.write_record(None::<&[u8]>)?;
    }
    writer.flush()
}

/// Whether a spreadsheet would take `text` for a formula (OWASP, "CSV Injection").
fn is_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r'])
}
