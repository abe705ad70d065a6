//! The output formats.

use std::fmt;

/// A format in which a table can be printed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Format {
    /// Aligned text for a terminal.
    #[default]
    Table,
    /// Comma-separated values (RFC 4180).
    Csv,
    /// One JSON array of objects.
    Json,
    /// JSON objects, one a line.
    Ndjson,
    /// A Markdown table.
    Markdown,
}

impl Format {
    /// Every format, in the order they are listed to people.
    pub const ALL: &'static [Self] = &[Self::Table, Self::Csv, Self::Json, Self::Ndjson, Self::Markdown];

    /// The name, as options write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Ndjson => "ndjson",
            Self::Markdown => "markdown",
        }
    }

    /// The format of this name, whatever the case of its letters.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.name().eq_ignore_ascii_case(name.trim()))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
