//! Tab-separated tables with a header line; lines that begin with `#` are comments.
//!
//! Liberal as far as hand-edited files need it: a byte order mark, CR LF, blank lines, blanks round a field and missing
//! fields at the end of a line are read. Columns may stand in any order.

use super::{BookError, Problem};

/// A table as read: its records know their places.
#[derive(Debug)]
pub(super) struct Sheet<'t> {
    file: &'t str,
    columns: Vec<&'t str>,
    records: Vec<SheetLineFields<'t>>,
}

/// One line of a table.
#[derive(Debug)]
struct SheetLineFields<'t> {
    line: u32,
    fields: Vec<(u32, &'t str)>,
}

/// One line of a table, with the names of its columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct SheetRow<'s, 't> {
    file: &'t str,
    columns: &'s [&'t str],
    record: &'s SheetLineFields<'t>,
}

/// One field, with its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field<'t> {
    file: &'t str,
    pub(super) line: u32,
    column: u32,
    pub(super) text: &'t str,
}

impl<'t> Field<'t> {
    /// The error that `problem` holds `byte` bytes into this field.
    pub(super) fn error(&self, byte: usize, problem: Problem) -> BookError {
        let before = self.text.get(..byte).map_or(0, |text| text.chars().count());
        let column = self.column + u32::try_from(before).unwrap_or(0);
        BookError { file: self.file.to_owned(), line: self.line, column, problem }
    }

    /// The parts between semicolons, without blanks round them; empty parts are left out.
    pub(super) fn parts(self) -> impl Iterator<Item = Self> {
        let mut column = self.column;
        self.text.split(';').filter_map(move |part| {
            let start = column + lead(part);
            column += count(part) + 1;
            let text = part.trim();
            (!text.is_empty()).then_some(Self { column: start, text, ..self })
        })
    }

    /// The parts as texts of their own.
    pub(super) fn list(self) -> Vec<String> {
        self.parts().map(|part| part.text.to_owned()).collect()
    }

    /// The one of `all` whose name this is; the first where the field is empty.
    pub(super) fn word<T: Copy>(&self, all: &[T], name: impl Fn(T) -> &'static str) -> Result<T, BookError> {
        let found = if self.text.is_empty() { all.first() } else { all.iter().find(|one| name(**one) == self.text) };
        found.copied().ok_or_else(|| {
            let allowed = all.iter().map(|one| name(*one)).collect::<Vec<_>>().join(", ");
            self.error(0, Problem::Word { found: self.text.to_owned(), allowed })
        })
    }

    /// The number written here, `None` where the field is empty.
    pub(super) fn number<T: std::str::FromStr>(&self) -> Result<Option<T>, BookError> {
        if self.text.is_empty() {
            return Ok(None);
        }
        self.text.parse().map(Some).map_err(|_| self.error(0, Problem::Number(self.text.to_owned())))
    }

    /// The text, which must not be empty.
    pub(super) fn filled(self, column: &'static str) -> Result<&'t str, BookError> {
        if self.text.is_empty() { Err(self.error(0, Problem::Empty(column))) } else { Ok(self.text) }
    }
}

impl<'t> SheetRow<'_, 't> {
    /// The field of this column; empty where the table has no such column or the line ends before it.
    pub(super) fn field(&self, column: &str) -> Field<'t> {
        let at = self.columns.iter().position(|name| *name == column);
        let (at_column, text) = at.and_then(|at| self.record.fields.get(at)).copied().unwrap_or((1, ""));
        Field { file: self.file, line: self.record.line, column: at_column, text }
    }
}

impl<'t> Sheet<'t> {
    /// Reads a table that may have the columns `known` and must have the first `required` of them.
    pub(super) fn read(
        file: &'t str,
        text: &'t str,
        known: &'static [&'static str],
        required: usize,
    ) -> Result<Self, BookError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut sheet = Self { file, columns: Vec::new(), records: Vec::new() };
        let mut header = None;
        for (line, text) in (1..).zip(text.lines()) {
            if text.trim().is_empty() || text.starts_with('#') {
                continue;
            }
            let fields = split(text);
            let field = |&(column, text): &(u32, &'t str)| Field { file, line, column, text };
            if !is_plain(text) {
                let bad = fields.iter().find_map(|one| Some((one, one.1.char_indices().find(|at| at.1.is_control())?)));
                if let Some((one, (byte, control))) = bad {
                    return Err(field(one).error(byte, Problem::Control(u32::from(control))));
                }
            }
            if header.is_none() {
                header = Some(line);
                for one in &fields {
                    if sheet.columns.contains(&one.1) {
                        return Err(field(one).error(0, Problem::ColumnTwice(one.1.to_owned())));
                    }
                    if !known.contains(&one.1) {
                        let problem = Problem::UnknownColumn { found: one.1.to_owned(), known: known.join(", ") };
                        return Err(field(one).error(0, problem));
                    }
                    sheet.columns.push(one.1);
                }
            } else if let Some(extra) = fields.get(sheet.columns.len()) {
                return Err(field(extra).error(0, Problem::TooManyFields(sheet.columns.len())));
            } else {
                sheet.records.push(SheetLineFields { line, fields });
            }
        }
        let top = Field { file, line: header.unwrap_or(1), column: 1, text: "" };
        if header.is_none() {
            return Err(top.error(0, Problem::NoHeader));
        }
        match known.iter().take(required).find(|name| !sheet.columns.contains(name)) {
            Some(missing) => Err(top.error(0, Problem::NoColumn(missing))),
            None => Ok(sheet),
        }
    }

    /// The lines after the header.
    pub(super) fn rows(&self) -> impl Iterator<Item = SheetRow<'_, 't>> {
        self.records.iter().map(|record| SheetRow { file: self.file, columns: &self.columns, record })
    }
}

/// The fields of a line with their columns, blanks round them taken off.
fn split(line: &str) -> Vec<(u32, &str)> {
    let mut column = 1;
    line.split('\t')
        .map(|field| {
            let start = column + lead(field);
            column += count(field) + 1;
            (start, field.trim())
        })
        .collect()
}

/// Whether every byte is printable ASCII or a tab, as in most lines.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t'))
}

/// The number of characters in `text`.
fn count(text: &str) -> u32 {
    let characters = if text.is_ascii() { text.len() } else { text.chars().count() };
    u32::try_from(characters).unwrap_or(u32::MAX / 2)
}

/// The number of blanks at the beginning of `text`.
fn lead(text: &str) -> u32 {
    count(&text[..text.len() - text.trim_start().len()])
}
