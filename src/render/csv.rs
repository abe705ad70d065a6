//! CSV by RFC 4180: a header line, LF after every row, quotes where needed, nothing cut and nothing escaped.
//!
//! A spreadsheet runs cells that start like a formula and turns `11-15` and `1-0` into dates. For it (and only when asked:
//! programs need the text unchanged) such texts get an apostrophe in front; numbers are never touched, so that -3 stays a number.

use std::borrow::Cow;
use std::io;

use crate::table::{Column, Table, Value};

use super::{RenderError, TableOptions, select_columns};

/// What tells a spreadsheet that the text is UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Writes CSV row by row: for what is too much to stand in a [`Table`].
pub struct CsvRows<'a> {
    writer: csv::Writer<&'a mut dyn io::Write>,
    wanted: Vec<usize>,
    spreadsheet: bool,
}

impl<'a> CsvRows<'a> {
    /// Starts with the header. Of `options`, the columns and the spreadsheet count.
    ///
    /// # Errors
    /// When `options` name a column that is not among `columns` (nothing is written then), or `out` fails.
    pub fn new(
        columns: &'static [Column],
        options: &TableOptions,
        out: &'a mut dyn io::Write,
    ) -> Result<Self, RenderError> {
        let wanted = select_columns(columns, options.columns.as_deref())?;
        Ok(Self::start(columns, wanted, options.spreadsheet, out)?)
    }

    fn start(
        columns: &[Column],
        wanted: Vec<usize>,
        spreadsheet: bool,
        out: &'a mut dyn io::Write,
    ) -> io::Result<Self> {
        if spreadsheet {
            out.write_all(BYTE_ORDER_MARK)?;
        }
        let mut writer = csv::Writer::from_writer(out);
        let header = wanted.iter().filter_map(|&index| columns.get(index)).map(|column| column.name);
        writer.write_record(header).map_err(io_error)?;
        Ok(Self { writer, wanted, spreadsheet })
    }

    /// Writes one row: a value a column, of which those wanted are taken.
    ///
    /// # Errors
    /// When the output fails.
    pub fn row(&mut self, values: &[Value]) -> io::Result<()> {
        for &index in &self.wanted {
            let text = cell(values.get(index).unwrap_or(&Value::Null), self.spreadsheet);
            self.writer.write_field(text.as_bytes()).map_err(io_error)?;
        }
        self.writer.write_record(None::<&[u8]>).map_err(io_error)
    }

    /// Writes out what is buffered.
    ///
    /// # Errors
    /// When the output fails.
    pub fn finish(mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl std::fmt::Debug for CsvRows<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CsvRows").field("wanted", &self.wanted).finish_non_exhaustive()
    }
}

/// Writes the columns `wanted` of `table`.
pub(super) fn write(table: &Table, wanted: &[usize], spreadsheet: bool, out: &mut dyn io::Write) -> io::Result<()> {
    let mut rows = CsvRows::start(table.columns, wanted.to_vec(), spreadsheet, out)?;
    for row in &table.rows {
        rows.row(row)?;
    }
    rows.finish()
}

/// The error as the system says it: a closed pipe must be known for what it is.
fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// The text of a cell.
fn cell(value: &Value, spreadsheet: bool) -> Cow<'_, str> {
    let text = match value {
        Value::Text(text) => Cow::Borrowed(text.as_str()),
        value => Cow::Owned(super::value::plain(value)),
    };
    let is_text = matches!(value, Value::Text(_) | Value::List(_));
    if spreadsheet && is_text && (is_formula(&text) || is_date(&text)) { Cow::Owned(format!("'{text}")) } else { text }
}

/// Whether a spreadsheet would take `text` for a formula (OWASP, "CSV Injection").
fn is_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r'])
}

/// Whether a spreadsheet could take `text` for a date, a time or a fraction: two or three numbers with signs between, the
/// name of a month in place of one of them.
fn is_date(text: &str) -> bool {
    const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let parts: Vec<&str> = text
        .split(|c: char| matches!(c, '-' | '/' | '.' | ':' | ',') || c.is_whitespace())
        .filter(|part| !part.is_empty())
        .take(5)
        .collect();
    let number = |part: &str| part.len() <= 4 && part.bytes().all(|b| b.is_ascii_digit());
    let month =
        |part: &str| part.is_ascii() && part.len() >= 3 && MONTHS.contains(&part[..3].to_ascii_lowercase().as_str());
    (2..=4).contains(&parts.len())
        && parts.iter().any(|part| number(part))
        && parts.iter().all(|part| number(part) || month(part))
}
