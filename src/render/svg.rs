//! Boards as SVG pictures.
//!
//! Plain shapes on whole units, so that lines are crisp at any size; nothing is loaded from elsewhere. The colours are those
//! of a tournament board: buff and green squares, play on the green, red for Black as most sets have it.

use std::fmt::Write as _;

use crate::board::{Color, Piece, PieceKind, Setup, Square};

use super::DiagramOptions;
use super::diagram::square_seen_at;

/// Side of a square.
const SQUARE: i32 = 60;
/// Width of the frame.
const FRAME: i32 = 14;
/// Height of the line below that says who is to move.
const FOOT: i32 = 30;
/// Radius of a piece.
const RADIUS: i32 = 24;

const FRAME_FILL: &str = "#4a3222";
const LIGHT: &str = "#f3e6c4";
const DARK: &str = "#4d8a5b";
const MARKED: &str = "#86b04e";
const BLACK: (&str, &str) = ("#b3261e", "#5c0f0b");
const WHITE: (&str, &str) = ("#fffaf0", "#6b5f4b");
const ARROW: &str = "#1b4f9c";

/// The board of `setup` as an SVG document. Of `options`, the bottom side, the last move and the numbers count: the
/// move's ends are tinted, an arrow leads from one to the other, and what it took is crossed out.
#[must_use]
pub fn board_svg(setup: &Setup, options: &DiagramOptions) -> String {
    let rows = i32::from(setup.variant.geometry().rows());
    let width = rows * SQUARE + 2 * FRAME;
    let height = width + FOOT;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <rect width=\"{width}\" height=\"{width}\" fill=\"{FRAME_FILL}\"/>\n<g shape-rendering=\"crispEdges\">\n"
    );
    let board = rows * SQUARE;
    let _ = writeln!(text, "<rect x=\"{FRAME}\" y=\"{FRAME}\" width=\"{board}\" height=\"{board}\" fill=\"{LIGHT}\"/>");
    let seen: Vec<(Square, i32, i32)> = (0..rows * rows)
        .filter_map(|index| {
            let (row, column) = (index / rows, index % rows);
            let square = square_seen_at(setup, options.bottom, row as u8, column as u8)?;
            Some((square, FRAME + column * SQUARE, FRAME + row * SQUARE))
        })
        .collect();
    for &(square, x, y) in &seen {
        let is_end = options.last_move.is_some_and(|last| last.from == square || last.to == square);
        let fill = if is_end { MARKED } else { DARK };
        let _ = writeln!(text, "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{fill}\"/>");
    }
    text.push_str("</g>\n");
    for &(square, x, y) in &seen {
        let middle = (x + SQUARE / 2, y + SQUARE / 2);
        if let Some(piece) = setup.piece_at(square) {
            draw_piece(&mut text, piece, middle, RADIUS);
        }
        if options.last_move.is_some_and(|last| last.captured.contains(square)) {
            let ((left, top), arm) = ((middle.0 - 14, middle.1 - 14), 28);
            let _ = writeln!(
                text,
                "<path d=\"M{left} {top}l{arm} {arm}m0 -{arm}l-{arm} {arm}\" stroke=\"{ARROW}\" stroke-width=\"5\" \
                 stroke-linecap=\"round\" opacity=\"0.8\"/>"
            );
        }
        if options.numbers {
            let (x, y) = (x + 3, y + 12);
            let _ = writeln!(text, "<text x=\"{x}\" y=\"{y}\" font-size=\"11\" fill=\"#ffffff\">{square}</text>");
        }
    }
    if let Some(last) = options.last_move {
        let at = |wanted: Square| {
            let found = seen.iter().find(|(square, ..)| *square == wanted);
            found.map(|&(_, x, y)| (f64::from(x + SQUARE / 2), f64::from(y + SQUARE / 2)))
        };
        if let (Some(from), Some(to)) = (at(last.from), at(last.to)) {
            draw_arrow(&mut text, from, to);
        }
    }
    draw_foot(&mut text, setup, width);
    text.push_str("</svg>\n");
    text
}

fn draw_piece(text: &mut String, piece: Piece, (x, y): (i32, i32), radius: i32) {
    let (fill, line) = match piece.color {
        Color::Black => BLACK,
        Color::White => WHITE,
    };
    let _ = writeln!(
        text,
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"2\"/>"
    );
    if piece.kind == PieceKind::Man {
        let inner = radius * 2 / 3;
        let _ = writeln!(
            text,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{inner}\" fill=\"none\" stroke=\"{line}\" stroke-width=\"2\" opacity=\"0.5\"/>"
        );
        return;
    }
    // A crown: a band with three points.
    let crown = if piece.color == Color::Black { "#ffd75e" } else { "#b8860b" };
    let (left, base) = (x - 14, y + 10);
    let _ = writeln!(
        text,
        "<path d=\"M{left} {base}l-2 -18l9 8l7 -13l7 13l9 -8l-2 18z\" fill=\"{crown}\" stroke=\"{line}\" \
         stroke-width=\"2\" stroke-linejoin=\"round\"/>"
    );
}

/// An arrow that ends short of the middle of the last square, so that the piece there is seen.
fn draw_arrow(text: &mut String, from: (f64, f64), to: (f64, f64)) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    // A king may end where it began.
    if length < 1.0 {
        return;
    }
    let (ux, uy) = (dx / length, dy / length);
    let tip = (to.0 - ux * 14.0, to.1 - uy * 14.0);
    let neck = (tip.0 - ux * 16.0, tip.1 - uy * 16.0);
    let (left, right) = ((neck.0 - uy * 9.0, neck.1 + ux * 9.0), (neck.0 + uy * 9.0, neck.1 - ux * 9.0));
    let _ = writeln!(
        text,
        "<g opacity=\"0.8\"><path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"{ARROW}\" stroke-width=\"6\" \
         stroke-linecap=\"round\"/><path d=\"M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}z\" fill=\"{ARROW}\"/></g>",
        from.0, from.1, neck.0, neck.1, tip.0, tip.1, left.0, left.1, right.0, right.1
    );
}

fn draw_foot(text: &mut String, setup: &Setup, width: i32) {
    let (x, y) = (FRAME + 10, width + FOOT / 2);
    let Some(turn) = setup.turn else { return };
    draw_piece(text, Piece { color: turn, kind: PieceKind::Man }, (x, y), 9);
    let (x, y) = (x + 16, y + 5);
    let _ = writeln!(text, "<text x=\"{x}\" y=\"{y}\" font-size=\"15\" fill=\"#222222\">{turn} to move</text>");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Bitboard, Move, Variant};

    #[test]
    fn a_picture_has_every_square_piece_and_the_last_move() {
        let setup = Setup::start(Variant::English);
        let at = |number| Square::from_number(number, 32).unwrap();
        let captured = Bitboard::from_iter([at(18)]);
        let last_move = Some(Move { from: at(22), to: at(15), captured });
        let drawn = board_svg(&setup, &DiagramOptions { last_move, ..DiagramOptions::default() });
        assert_eq!(drawn.matches("font-size=\"11\"").count(), 32);
        // Two circles a man, and one man more below the board.
        assert_eq!(drawn.matches("<circle").count(), 2 * 25);
        assert_eq!(drawn.matches(MARKED).count(), 2);
        assert_eq!(drawn.matches("<path").count(), 3, "the arrow's two parts and the cross");
        assert!(drawn.contains("Black to move") && drawn.ends_with("</svg>\n"));
        assert_eq!(drawn.matches('<').count(), drawn.matches('>').count());

        let turned = board_svg(&setup, &DiagramOptions { bottom: Color::Black, ..DiagramOptions::default() });
        let place = |text: &str, number: &str| {
            let line = text.lines().find(|line| line.ends_with(&format!(">{number}</text>"))).unwrap().to_owned();
            line.split(" font").next().unwrap().to_owned()
        };
        assert_eq!(place(&drawn, "1"), place(&turned, "32"));
    }
}
