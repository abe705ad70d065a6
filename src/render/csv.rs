//! CSV by RFC 4180: a header line, LF after every row, quotes where needed, nothing cut and nothing escaped.
//!
//! A spreadsheet runs cells that start like a formula and turns `11-15` and `1-0` into dates. For it (and only when asked:
//! programs need the text unchanged) such texts get an apostrophe in front; numbers are never touched, so that -3 stays a number.

use std::borrow::Cow;
use std::io;

use crate::table::{Cell, Column, Table};

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
        writer
            .write_record(wanted.iter().filter_map(|&index| columns.get(index)).map(|column| &*column.name))
            .map_err(as_io)?;
        Ok(Self { writer, wanted, spreadsheet })
    }

    /// Writes one row: a value a column, of which those wanted are taken.
    ///
    /// # Errors
    /// When the output fails.
    pub fn row(&mut self, values: &[Cell]) -> io::Result<()> {
        for &index in &self.wanted {
            self.writer
                .write_field(cell(values.get(index).unwrap_or(&Cell::Null), self.spreadsheet).as_bytes())
                .map_err(as_io)?;
        }
        self.writer.write_record(None::<&[u8]>).map_err(as_io)
    }

    /// Writes out what is buffered.
    ///
    /// # Errors
    /// When the output fails.
    pub fn finish(mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// The error as the system says it: a closed pipe must be known for what it is.
fn as_io(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

impl std::fmt::Debug for CsvRows<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CsvRows").field("wanted", &self.wanted).finish_non_exhaustive()
    }
}

/// Writes the columns `wanted` of `table`.
pub(super) fn write(table: &Table, wanted: &[usize], spreadsheet: bool, out: &mut dyn io::Write) -> io::Result<()> {
    let mut rows = CsvRows::start(&table.columns, wanted.to_vec(), spreadsheet, out)?;
    for row in &table.rows {
        rows.row(row)?;
    }
    rows.finish()
}

/// The text of a cell.
fn cell(value: &Cell, spreadsheet: bool) -> Cow<'_, str> {
    let text = match value {
        Cell::Text(text) => Cow::Borrowed(text.as_str()),
        value => Cow::Owned(super::cell::plain(value)),
    };
    let is_text = matches!(value, Cell::Text(_) | Cell::List(_));
    if spreadsheet && is_text && (is_formula(&text) || is_date(&text) || is_respelled(&text)) {
        Cow::Owned(format!("'{text}"))
    } else {
        text
    }
}

/// Whether a spreadsheet would take `text` for a formula (OWASP, "CSV Injection"): by its first sign, wide ones too, blanks
/// before it or not.
fn is_formula(text: &str) -> bool {
    let signs = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
    text.starts_with(signs) || text.trim_start().starts_with(signs)
}

/// Whether a spreadsheet would spell a number anew: zeros before it, an exponent, more digits than it keeps, a currency or a
/// percent sign, brackets for a minus, a point or commas.
fn is_respelled(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if digits(text) {
        return text.len() > 15 || (text.len() > 1 && text.starts_with('0'));
    }
    let around = |c: char| c.is_whitespace() || "$€£¥¢₩₹₽%().,'+-".contains(c);
    if text.contains(|c: char| c.is_ascii_digit()) && text.chars().all(|c| c.is_ascii_digit() || around(c)) {
        return true;
    }
    text.split_once(['e', 'E']).is_some_and(|(number, power)| digits(&number.replacen('.', "", 1)) && digits(power))
}

/// Whether a spreadsheet could take `text` for a date, a time or a fraction: two to four numbers with signs between, the
/// name of a month or a half of the day in place of one of them.
fn is_date(text: &str) -> bool {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let parts: Vec<&str> = text
        .split(|c: char| matches!(c, '-' | '/' | '.' | ':' | ',') || c.is_whitespace())
        .filter(|part| !part.is_empty())
        .take(5)
        .collect();
    let number = |part: &str| part.len() <= 4 && part.bytes().all(|b| b.is_ascii_digit());
    let word = |part: &str| {
        let part = part.to_ascii_lowercase();
        let month = part.len() >= 3 && MONTHS.iter().any(|month| month.starts_with(&part));
        month || part == "am" || part == "pm"
    };
    (2..=4).contains(&parts.len())
        && parts.iter().any(|part| number(part))
        && parts.iter().all(|part| number(part) || word(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every kind of cell that exports have, as a spreadsheet gets it.
    #[test]
    fn no_cell_turns_into_a_date_or_a_formula() {
        let guarded = |text: &str| cell(&Cell::Text(text.to_owned()), true).starts_with('\'');
        let dates =
            ["1-0", "0-1", "2-0", "1/2-1/2", "1/2", "11-15", "9-14", "1-6", "30-26", "1880.05.14", "1.10", "5-30"];
        let words = ["5 May 1880", "Mar-80", "may 5", "SEPT 9", "10:30", "5 pm"];
        let formulas =
            ["=1+2", "@SUM(A1)", "+cmd|' /C calc'!A0", "-2+3", "\t=1", "\r=1", "\n=1", " =1", "＝1+2", "- no"];
        let numbers = [
            "007",
            "1e5",
            "1.5E10",
            "1234567890123456",
            "$7",
            "7 €",
            "£1,000",
            "50%",
            "(5)",
            ".5",
            "5.",
            "1,000",
            "1 000",
        ];
        for text in dates.iter().chain(&words).chain(&formulas).chain(&numbers) {
            assert!(guarded(text), "{text:?}");
            assert_eq!(cell(&Cell::Text((*text).to_owned()), false), *text, "programs get it unchanged");
        }
        for text in [
            "15x22",
            "B:W18,K21:B1",
            "½-½",
            "*",
            "1880",
            "1880.??.??",
            "Alder, P.",
            "Mayer 5",
            "May",
            "9-14 or 11-15, say",
            "",
            "0",
            "e5",
            "$",
            "(five)",
            "%7D",
        ] {
            assert!(!guarded(text), "{text:?}");
        }
        for number in [Cell::Int(-3), Cell::Real(-0.5), Cell::Null, Cell::Bool(true)] {
            assert!(!cell(&number, true).starts_with('\''), "{number:?}");
        }
    }
}
