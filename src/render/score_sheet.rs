//! Moves as a score sheet: numbered, a move of each side a line, in as many columns as the width has room for.

use super::text::{display_width, one_line};
use crate::board::Color;

/// One move of a score sheet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SheetMove {
    /// Its ply, from 1. Odd plies stand on the left.
    pub ply: u32,
    /// The side that makes it.
    pub color: Color,
    /// The move as written.
    pub text: String,
    /// What follows it: `*`, `!`, or nothing.
    pub mark: String,
}

/// Between two columns of the sheet.
const GAP: usize = 4;
/// Fewer lines than this are not worth a second column.
const MIN_LINES: usize = 8;
/// More columns than this are hard to follow.
const MAX_COLUMNS: usize = 4;

/// One line of the sheet: the number and the move of each side.
#[derive(Clone, Default)]
struct SheetLine {
    number: u32,
    sides: [Option<String>; 2],
}

/// The moves as a score sheet, read down and then across; the header names the sides. `width` is how many columns of
/// characters there are; without it the sheet has one column of moves.
#[must_use]
pub fn move_grid(moves: impl IntoIterator<Item = SheetMove>, width: Option<u16>) -> String {
    let mut lines: Vec<SheetLine> = Vec::new();
    let mut first_side = None;
    for m in moves {
        let side = usize::from(m.ply.is_multiple_of(2));
        first_side.get_or_insert(if side == 0 { m.color } else { !m.color });
        let number = m.ply.div_ceil(2);
        let text = one_line(&format!("{}{}", m.text, m.mark));
        match lines.last_mut() {
            Some(line) if line.number == number && line.sides[side].is_none() => line.sides[side] = Some(text),
            _ => {
                let mut line = SheetLine { number, ..SheetLine::default() };
                line.sides[side] = Some(text);
                lines.push(line);
            }
        }
    }
    let Some(first_side) = first_side else { return String::new() };
    let heads = [first_side.to_string(), (!first_side).to_string()];
    let digits = lines.iter().map(|line| line.number.to_string().len()).max().unwrap_or(1);
    let widths = [0, 1].map(|side| {
        let texts = lines.iter().filter_map(|line| line.sides[side].as_deref());
        texts.map(display_width).max().unwrap_or(0).max(heads[side].len())
    });
    let column = digits + 2 + widths[0] + 2 + widths[1];
    let fitting = width.map_or(1, |width| (usize::from(width) + GAP) / (column + GAP));
    let columns = fitting.min(lines.len().div_ceil(MIN_LINES)).clamp(1, MAX_COLUMNS);
    let height = lines.len().div_ceil(columns);

    let cell = |number: &str, left: &str, right: &str| {
        let pad = " ".repeat(widths[0] - display_width(left));
        let end = " ".repeat(widths[1] - display_width(right));
        format!("{number:>size$} {left}{pad}  {right}{end}", size = digits + 1)
    };
    let header = vec![cell("", &heads[0], &heads[1]); lines.len().div_ceil(height)];
    let mut rows = vec![header];
    for row in 0..height {
        let in_row = lines.iter().skip(row).step_by(height);
        rows.push(
            in_row
                .map(|line| {
                    // A line that starts with the second side's move shows dots where the first side's would be.
                    let left = line.sides[0].as_deref().unwrap_or("...");
                    cell(&format!("{}.", line.number), left, line.sides[1].as_deref().unwrap_or(""))
                })
                .collect(),
        );
    }
    let mut text = String::new();
    for row in rows {
        text.push_str(row.join(&" ".repeat(GAP)).trim_end());
        text.push('\n');
    }
    text
}
