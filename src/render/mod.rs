//! Output: a [`Table`] as text, CSV, JSON, NDJSON or Markdown; boards as text and pictures, score sheets as text.
//!
//! Purpose: the one place where data becomes bytes. Invariants: the same input and options give the same bytes; what is
//! meant for eyes (table, Markdown, records, boards) never holds a control character or a bidirectional control except
//! the newline; what is meant for programs (CSV, JSON, NDJSON) is never cut and keeps every character.
//!
//! Must not know: databases, arguments, or what the terminal is. Width and colour come in as options, and hints (which
//! columns were left out) go back to the caller, because the data stream carries data only.

mod cell;
mod columns;
mod csv;
mod diagram;
mod excerpt;
mod format;
mod game_json;
mod json;
mod key_value;
mod markdown;
mod moves_page;
mod picture;
mod score_sheet;
mod terminal;
mod text;

use std::io;

use crate::table::{Table, UnknownColumn};

pub use columns::select_columns;
pub use csv::CsvRows;
pub use diagram::{DiagramOptions, board};
pub use excerpt::{ExcerptOptions, excerpt};
pub use format::Format;
pub use game_json::{GameObject, JsonGames, LineObject, MoveObject, NotesObject};
pub use key_value::record;
pub use moves_page::{PageMove, moves_page};
pub use picture::{PICTURE_SIZE, PictureError, PictureMark, PictureOptions, board_png, board_svg};
pub use score_sheet::{SheetMove, move_grid};
pub use text::{
    bytes, clean_for_terminal, cut, cut_path, display_width, plural, sentence, thousands, wrap, wrap_message,
};

/// How a table is printed. The default is uncoloured, uncut and shows every column.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TableOptions {
    /// How many columns of characters the reader has; `None` for no limit. Only the table format and records use it.
    pub width: Option<u16>,
    /// Whether escape sequences for bold and the like may be written.
    pub color: bool,
    /// Whether lines and ellipses keep to ASCII. Data keep their letters.
    pub ascii: bool,
    /// The columns wanted, in this order; `None` for those of the contract. Columns asked for are never dropped.
    pub columns: Option<Vec<String>>,
    /// How many lines records may take together, the first of them apart; `None` for no limit.
    pub record_lines: Option<usize>,
    /// CSV for a spreadsheet: a byte order mark first, and an apostrophe before texts that it would run as formulas.
    pub spreadsheet: bool,
}

/// What a reader was not shown.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[must_use]
pub struct Rendered {
    /// The columns left out because the table would have been too wide, in the order of the contract.
    pub hidden_columns: Vec<String>,
    /// How many cells were cut.
    pub cut_cells: usize,
    /// How many rows at the end were left out because records of them would take too many lines.
    pub left_rows: usize,
}

/// Why a table could not be printed.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// A column was asked for that the table does not have.
    #[error(transparent)]
    UnknownColumn(#[from] UnknownColumn),
    /// The output could not be written; a closed pipe comes this way too.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Writes `table` in `format` to `out`, and returns what had to be left out.
///
/// # Errors
/// When `options` name a column that the table does not have (nothing is written then), or `out` fails.
pub fn render(
    table: &Table,
    format: Format,
    options: &TableOptions,
    out: &mut dyn io::Write,
) -> Result<Rendered, RenderError> {
    let wanted = select_columns(&table.columns, options.columns.as_deref())?;
    match format {
        Format::Table => return Ok(terminal::write(table, &wanted, options, out)?),
        Format::Csv => csv::write(table, &wanted, options.spreadsheet, out)?,
        Format::Json => json::write_array(table, &wanted, out)?,
        Format::Ndjson => json::write_lines(table, &wanted, out)?,
        Format::Markdown => markdown::write(table, &wanted, out)?,
    }
    Ok(Rendered::default())
}
