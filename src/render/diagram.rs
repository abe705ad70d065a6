//! Boards for a terminal.
//!
//! Every square is four columns wide: a mark, two columns for a piece or a number, a mark. Empty playable squares show
//! their number; the numbers of the first and last playable square of a row stand beside it, so that those of the pieces
//! can be counted. Men are discs and kings discs with a `K`, because fonts often lack the draughts symbols.

use std::fmt::Write as _;

use crate::board::{Color, Move, Piece, PieceKind, Setup, Square};

/// How a board is drawn. The default is a plain Unicode board with White at the bottom and numbers on empty squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DiagramOptions {
    /// Whether to keep to ASCII: `b`, `w` men, `B`, `W` kings.
    pub ascii: bool,
    /// The side that sits at the bottom.
    pub bottom: Color,
    /// A move to mark: square brackets at its ends, round ones where a piece was taken.
    pub last_move: Option<Move>,
    /// Whether empty squares show their numbers.
    pub numbers: bool,
    /// Whether the numbers of the first and last playable square of a row stand beside it.
    pub sides: bool,
    /// Whether escape sequences for colours may be written.
    pub color: bool,
}

impl Default for DiagramOptions {
    fn default() -> Self {
        Self { ascii: false, bottom: Color::White, last_move: None, numbers: true, sides: true, color: false }
    }
}

const RESET: &str = "\x1b[0m";
const DIM: &str = "\x1b[2m";
const REVERSED: &str = "\x1b[7m";

/// The board of `setup` with the side to move below it; every line ends with a newline.
#[must_use]
pub fn board(setup: &Setup, options: &DiagramOptions) -> String {
    let rows = setup.variant.geometry().rows();
    let edge = if options.ascii { ["+", "-", "+", "|", "+", "+"] } else { ["┌", "─", "┐", "│", "└", "┘"] };
    let [top_left, line, top_right, side, bottom_left, bottom_right] = edge;
    let line = line.repeat(usize::from(rows) * 4);
    let indent = if options.sides { "   " } else { "" };
    let mut text = format!("{indent}{top_left}{line}{top_right}\n");
    for row in 0..rows {
        let squares: Vec<_> = (0..rows).map(|column| square_seen_at(setup, options.bottom, row, column)).collect();
        let mut playable = squares.iter().flatten();
        let first = playable.next().map_or(0, |square| square.number());
        let last = playable.next_back().map_or(first, |square| square.number());
        // Writing to a `String` cannot fail.
        if options.sides {
            let _ = write!(text, "{first:>2} ");
        }
        text.push_str(side);
        for square in squares {
            match square {
                Some(square) => text.push_str(&cell(setup, options, square)),
                None => text.push_str("    "),
            }
        }
        text.push_str(side);
        if options.sides {
            let _ = write!(text, " {last}");
        }
        text.push('\n');
    }
    let _ = writeln!(text, "{indent}{bottom_left}{line}{bottom_right}");
    match setup.turn {
        Some(turn) => {
            let man = disc(Piece { color: turn, kind: PieceKind::Man }, options.ascii);
            let _ = writeln!(text, "{indent}{turn} ({man}) to move");
        }
        None => text.push_str(&format!("{indent}side to move not given\n")),
    }
    text
}

/// The playable square that a viewer with `bottom` at the bottom sees at `row` and `column`, from the top left.
pub(super) fn square_seen_at(setup: &Setup, bottom: Color, row: u8, column: u8) -> Option<Square> {
    let geometry = setup.variant.geometry();
    let last = geometry.rows() - 1;
    match bottom {
        Color::White => geometry.at(row, column),
        Color::Black => geometry.at(last - row, last - column),
    }
}

/// The four columns of one playable square.
fn cell(setup: &Setup, options: &DiagramOptions, square: Square) -> String {
    let piece = setup.piece_at(square);
    let (open, close) = match &options.last_move {
        Some(last) if last.from == square || last.to == square => ('[', ']'),
        Some(last) if last.captured.contains(square) => ('(', ')'),
        _ => (' ', ' '),
    };
    let inside = match piece {
        Some(piece) => format!("{:<2}", disc(piece, options.ascii)),
        None if options.numbers => format!("{square:>2}"),
        None => if options.ascii { ". " } else { "· " }.to_owned(),
    };
    let text = format!("{open}{inside}{close}");
    if !options.color {
        return text;
    }
    // Black's pieces are red, as many sets have them, and White's bold: both are seen on dark and on light grounds.
    let style = match piece {
        Some(Piece { color: Color::Black, .. }) => "\x1b[1;31m",
        Some(Piece { color: Color::White, .. }) => "\x1b[1m",
        None => DIM,
    };
    let reversed = if open == '[' { REVERSED } else { "" };
    format!("{reversed}{style}{text}{RESET}")
}

/// The sign of a piece, one or two columns wide.
const fn disc(piece: Piece, ascii: bool) -> &'static str {
    match (piece.color, piece.kind, ascii) {
        (Color::Black, PieceKind::Man, false) => "●",
        (Color::Black, PieceKind::King, false) => "●K",
        (Color::White, PieceKind::Man, false) => "○",
        (Color::White, PieceKind::King, false) => "○K",
        (Color::Black, PieceKind::Man, true) => "b",
        (Color::Black, PieceKind::King, true) => "B",
        (Color::White, PieceKind::Man, true) => "w",
        (Color::White, PieceKind::King, true) => "W",
    }
}
