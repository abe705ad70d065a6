//! What a picture of a board shows.
//!
//! The colours are those of a tournament board: buff and green squares, play on the green, red for Black as most sets have
//! it.

use crate::board::{Color, Piece, PieceKind, Setup, Square};
use crate::notation::fen;
use crate::render::diagram::square_seen_at;

use super::path::{self, PathStep};
use super::{Outline, PaintedPath, Picture, PictureMark, PictureOptions, Rgb, glyphs};

/// Side of a square.
const SQUARE: f32 = 60.0;
/// Width of the frame, and of one that bears coordinates.
const FRAME: (f32, f32) = (12.0, 24.0);
/// Height of the strip below that says who is to move.
const FOOT: f32 = 34.0;
/// Radius of a piece.
const RADIUS: f32 = 22.5;
/// Height of the digits in the squares.
const DIGITS: f32 = 7.5;

const PAPER: Rgb = Rgb(0xff, 0xff, 0xff);
const INK: Rgb = Rgb(0x2b, 0x2b, 0x2b);
const WOOD: Rgb = Rgb(0x4a, 0x32, 0x22);
const ON_WOOD: Rgb = Rgb(0xe9, 0xd8, 0xb4);
const LIGHT: Rgb = Rgb(0xf3, 0xe6, 0xc4);
const DARK: Rgb = Rgb(0x4d, 0x8a, 0x5b);
const LAST_MOVE: Rgb = Rgb(0x86, 0xb0, 0x4e);
const NUMBER: Rgb = Rgb(0xf4, 0xfb, 0xf1);
const SHADOW: Rgb = Rgb(0x10, 0x20, 0x14);
const ARROW: Rgb = Rgb(0x1b, 0x4f, 0x9c);
const LOSES: Rgb = Rgb(0xc6, 0x1a, 0x1a);
const GOLD: Rgb = Rgb(0xf2, 0xb6, 0x2c);

/// Body, rim and crown of a side's pieces.
const fn colors(color: Color) -> (Rgb, Rgb, Rgb) {
    match color {
        Color::Black => (Rgb(0xb8, 0x2a, 0x22), Rgb(0x5c, 0x0f, 0x0b), Rgb(0xff, 0xd7, 0x5e)),
        Color::White => (Rgb(0xff, 0xfa, 0xf0), Rgb(0x6b, 0x5f, 0x4b), Rgb(0xc9, 0x95, 0x1c)),
    }
}

/// A square and its top left corner.
type Seen = (Square, f32, f32);

/// Draws the board of `setup`.
pub(super) fn draw(setup: &Setup, options: &PictureOptions) -> Picture {
    let rows = setup.variant.geometry().rows();
    let frame = if options.coordinates { FRAME.1 } else { FRAME.0 };
    let board = f32::from(rows) * SQUARE;
    let width = 2.0f32.mul_add(frame, board);
    let title = match setup.turn {
        Some(turn) => format!("{turn} to move: {}", fen::write(setup)),
        None => fen::write(setup),
    };
    let mut picture = Picture { width, height: width + FOOT, title, shapes: Vec::new() };
    let shapes = &mut picture.shapes;
    shapes.push(rectangle(0.0, 0.0, width, width + FOOT, PAPER));
    shapes.push(rectangle(0.0, 0.0, width, width, WOOD));
    shapes.push(rectangle(frame, frame, board, board, LIGHT));
    let seen: Vec<Seen> = (0..rows)
        .flat_map(|row| (0..rows).map(move |column| (row, column)))
        .filter_map(|(row, column)| {
            let square = square_seen_at(setup, options.bottom, row, column)?;
            Some((square, f32::from(column).mul_add(SQUARE, frame), f32::from(row).mul_add(SQUARE, frame)))
        })
        .collect();
    for &(square, x, y) in &seen {
        let is_end = options.last_move.is_some_and(|last| last.from == square || last.to == square);
        shapes.push(rectangle(x, y, SQUARE, SQUARE, if is_end { LAST_MOVE } else { DARK }));
    }
    for &(square, x, y) in &seen {
        let (x, y) = (x + SQUARE / 2.0, y + SQUARE / 2.0);
        if let Some(piece) = setup.piece_at(square) {
            draw_piece(shapes, piece, (x, y), RADIUS);
        }
        if options.last_move.is_some_and(|last| last.captured.contains(square)) {
            let steps = path::read("M -13 -13 L 13 13 M 13 -13 L -13 13");
            shapes.push(PaintedPath::stroked(placed(steps, x, y), ARROW, 5.0).with_opacity(0.8));
        }
    }
    if options.numbers {
        for &(square, x, y) in &seen {
            text(shapes, &square.to_string(), (x + 3.0, y + 3.0 + DIGITS), DIGITS, NUMBER);
        }
    }
    draw_move(shapes, options, &seen);
    if options.coordinates {
        draw_coordinates(shapes, rows, options.bottom, frame, width);
    }
    draw_foot(shapes, setup, frame, width);
    picture
}

const fn rectangle(x: f32, y: f32, width: f32, height: f32, fill: Rgb) -> PaintedPath {
    PaintedPath::filled(Outline::Rectangle { x, y, width, height }, fill)
}

const fn circle((x, y): (f32, f32), radius: f32) -> Outline {
    Outline::Circle { x, y, radius }
}

fn placed(steps: Vec<PathStep>, x: f32, y: f32) -> Outline {
    Outline::Path(steps.into_iter().map(|step| step.placed(1.0, x, y)).collect())
}

fn text(shapes: &mut Vec<PaintedPath>, text: &str, (x, y): (f32, f32), height: f32, color: Rgb) {
    let drawn = glyphs::draw(text, x, y, height);
    shapes.push(PaintedPath::stroked(Outline::Path(drawn.steps), color, drawn.pen));
}

fn draw_piece(shapes: &mut Vec<PaintedPath>, piece: Piece, (x, y): (f32, f32), radius: f32) {
    let (body, rim, crown) = colors(piece.color);
    let scale = radius / RADIUS;
    shapes.push(PaintedPath::filled(circle((x + scale, y + 2.5 * scale), radius + scale), SHADOW).with_opacity(0.28));
    shapes.push(PaintedPath::filled(circle((x, y), radius), body).with_line(rim, 1.6 * scale));
    // The turned rings of a wooden man.
    shapes.push(PaintedPath::stroked(circle((x, y), radius * 0.78), rim, 1.4 * scale).with_opacity(0.45));
    if piece.kind == PieceKind::Man {
        shapes.push(PaintedPath::stroked(circle((x, y), radius * 0.46), rim, 1.4 * scale).with_opacity(0.45));
        return;
    }
    let steps = path::read("M -10.5 9 L -13 -6.5 L -5.6 -0.6 L 0 -11 L 5.6 -0.6 L 13 -6.5 L 10.5 9 Z");
    shapes.push(PaintedPath::filled(placed(steps, x, y), crown).with_line(rim, 1.6));
    for (dx, dy) in [(-13.0, -7.5), (0.0, -12.0), (13.0, -7.5)] {
        shapes.push(PaintedPath::filled(circle((x + dx, y + dy), 2.3), crown).with_line(rim, 1.2));
    }
    let band = path::read("M -10 5.4 L 10 5.4");
    shapes.push(PaintedPath::stroked(placed(band, x, y), rim, 1.2).with_opacity(0.7));
}

/// The arrow of the last move and what is said of the move.
fn draw_move(shapes: &mut Vec<PaintedPath>, options: &PictureOptions, seen: &[Seen]) {
    let Some(last) = options.last_move else { return };
    let corner = |wanted: Square| seen.iter().find(|(square, ..)| *square == wanted).map(|&(_, x, y)| (x, y));
    let (Some(from), Some(to)) = (corner(last.from), corner(last.to)) else { return };
    let middle = |(x, y): (f32, f32)| (x + SQUARE / 2.0, y + SQUARE / 2.0);
    if let Some(arrow) = arrow(middle(from), middle(to)) {
        shapes.push(PaintedPath::filled(arrow, ARROW).with_opacity(0.8));
    }
    let Some(mark) = options.mark else { return };
    // In a lower corner, for the number stands above, and not where the arrow comes in.
    let from_the_right = from.0 > to.0 && from.1 > to.1;
    let (x, y) = (to.0 + if from_the_right { 11.5 } else { SQUARE - 11.5 }, to.1 + SQUARE - 11.5);
    match mark {
        PictureMark::Losing => {
            shapes.push(PaintedPath::filled(circle((x, y), 10.0), PAPER).with_line(LOSES, 1.8));
            let arms = path::read("M 0 -6 L 0 6 M -5.2 -3 L 5.2 3 M -5.2 3 L 5.2 -3");
            shapes.push(PaintedPath::stroked(placed(arms, x, y), LOSES, 2.4));
        }
        PictureMark::Star => {
            shapes.push(PaintedPath::filled(circle((x, y), 10.0), PAPER).with_line(ARROW, 1.8));
            let star = path::read(
                "M 0 -7.2 L 1.7 -2.4 L 6.8 -2.2 L 2.8 0.9 L 4.2 5.8 L 0 3 L -4.2 5.8 L -2.8 0.9 L -6.8 -2.2 L -1.7 -2.4 Z",
            );
            shapes.push(PaintedPath::filled(placed(star, x, y), GOLD).with_line(ARROW, 1.0));
        }
    }
}

/// An arrow that ends short of the middle of the last square, so that the piece there is seen. A king may end where it began:
/// then there is none.
fn arrow(from: (f32, f32), to: (f32, f32)) -> Option<Outline> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.mul_add(dx, dy * dy).sqrt();
    if length < 1.0 {
        return None;
    }
    let (ux, uy) = (dx / length, dy / length);
    // Along the arrow from its start, and to its left.
    let at = |along: f32, aside: f32| {
        (uy.mul_add(aside, ux.mul_add(along, from.0)), (-ux).mul_add(aside, uy.mul_add(along, from.1)))
    };
    let (tip, neck) = (length - 12.0, length - 30.0);
    let corners =
        [at(0.0, 3.0), at(neck, 3.0), at(neck, 10.0), at(tip, 0.0), at(neck, -10.0), at(neck, -3.0), at(0.0, -3.0)];
    let mut steps: Vec<PathStep> = corners.iter().map(|&(x, y)| PathStep::Line(x, y)).collect();
    steps[0] = PathStep::Move(corners[0].0, corners[0].1);
    steps.push(PathStep::Close);
    Some(Outline::Path(steps))
}

/// Files and ranks as White sees them from the bottom, on the frame.
fn draw_coordinates(shapes: &mut Vec<PaintedPath>, rows: u8, bottom: Color, frame: f32, width: f32) {
    const HEIGHT: f32 = 11.0;
    for index in 0..rows {
        let from_white = if bottom == Color::White { index } else { rows - 1 - index };
        let middle = f32::from(index).mul_add(SQUARE, frame) + SQUARE / 2.0;
        let file = char::from(b'a' + from_white.min(25)).to_string();
        let left = middle - glyphs::width(&file, HEIGHT) / 2.0;
        text(shapes, &file, (left, width - frame / 2.0 + HEIGHT / 2.0 - 1.5), HEIGHT, ON_WOOD);
        let rank = (rows - from_white).to_string();
        let left = (frame - glyphs::width(&rank, HEIGHT)) / 2.0;
        text(shapes, &rank, (left, middle + HEIGHT / 2.0), HEIGHT, ON_WOOD);
    }
}

fn draw_foot(shapes: &mut Vec<PaintedPath>, setup: &Setup, frame: f32, width: f32) {
    let Some(turn) = setup.turn else { return };
    let middle = width + FOOT / 2.0 + 1.0;
    draw_piece(shapes, Piece { color: turn, kind: PieceKind::Man }, (frame + 12.0, middle), 10.0);
    text(shapes, &format!("{turn} to move"), (frame + 30.0, middle + 6.0), 12.0, INK);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Bitboard, Move, Variant};

    fn at(number: u32) -> Square {
        Square::from_number(number, 32).unwrap()
    }

    #[test]
    fn a_picture_has_every_square_piece_and_the_last_move() {
        let setup = Setup::start(Variant::English);
        let captured = Bitboard::from_iter([at(18)]);
        let last_move = Some(Move { from: at(22), to: at(15), captured });
        let plain = draw(&setup, &PictureOptions { numbers: false, ..PictureOptions::default() });
        let numbered = draw(&setup, &PictureOptions::default());
        assert_eq!(numbered.shapes.len() - plain.shapes.len(), 32);
        let moved = draw(&setup, &PictureOptions { last_move, ..PictureOptions::default() });
        assert_eq!(moved.shapes.len() - numbered.shapes.len(), 2, "a cross and an arrow");
        let tinted = |picture: &Picture| picture.shapes.iter().filter(|shape| shape.fill == Some(LAST_MOVE)).count();
        assert_eq!((tinted(&numbered), tinted(&moved)), (0, 2));
        let bodies = |color: Color| numbered.shapes.iter().filter(|s| s.fill == Some(colors(color).0)).count();
        assert_eq!((bodies(Color::Black), bodies(Color::White)), (13, 12), "and one man below the board");
        let marked =
            draw(&setup, &PictureOptions { last_move, mark: Some(PictureMark::Losing), ..PictureOptions::default() });
        assert_eq!(marked.shapes.len() - moved.shapes.len(), 2);
    }

    #[test]
    fn a_board_turned_round_has_its_squares_turned_round() {
        let one = Setup { turn: None, ..fen::read("W:W32:B", Variant::English).unwrap().setup };
        let piece = |bottom: Color| {
            let drawn = draw(&one, &PictureOptions { bottom, ..PictureOptions::default() });
            let body = drawn.shapes.into_iter().find(|shape| shape.fill == Some(colors(Color::White).0)).unwrap();
            let Outline::Circle { x, y, .. } = body.outline else { panic!("a piece is round") };
            (x, y)
        };
        let (below, above) = (piece(Color::White), piece(Color::Black));
        assert_eq!((below.0 + above.0, below.1 + above.1), (504.0, 504.0));
    }
}
