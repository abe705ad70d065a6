//! Boards as pictures: SVG and PNG of the same shapes.
//!
//! A board is drawn once, as a list of plain shapes, and two writers put them down, so that both pictures look alike.
//! Nothing is loaded from elsewhere: digits and letters are drawn as strokes, so no font of the machine is asked for, and
//! the same board gives the same bytes everywhere.

mod board;
mod glyphs;
mod path;
mod png;
mod svg;

use crate::board::{Color, Move, Setup};

pub use png::PictureError;

/// Pixels in width that a picture has where nobody says.
pub const PICTURE_SIZE: u32 = 512;

/// What a picture shows beside the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PictureOptions {
    /// The side that sits at the bottom.
    pub bottom: Color,
    /// A move to show: its ends are tinted, an arrow leads from one to the other, and what it took is crossed out.
    pub last_move: Option<Move>,
    /// What is said of that move.
    pub mark: Option<PictureMark>,
    /// Whether every square shows its number.
    pub numbers: bool,
    /// Whether the frame shows files and ranks, a1 at White's left.
    pub coordinates: bool,
    /// The width in pixels.
    pub size: u32,
}

impl Default for PictureOptions {
    fn default() -> Self {
        Self {
            bottom: Color::White,
            last_move: None,
            mark: None,
            numbers: true,
            coordinates: false,
            size: PICTURE_SIZE,
        }
    }
}

/// A mark of the last move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PictureMark {
    /// It loses: a red asterisk, as books print it.
    Losing,
    /// It is the only move: a star.
    Star,
}

/// The board of `setup` as an SVG document.
#[must_use]
pub fn board_svg(setup: &Setup, options: &PictureOptions) -> String {
    svg::write(&board::draw(setup, options), options.size)
}

/// The board of `setup` as the bytes of a PNG file.
///
/// # Errors
/// When no picture of that size can be made.
pub fn board_png(setup: &Setup, options: &PictureOptions) -> Result<Vec<u8>, PictureError> {
    png::write(&board::draw(setup, options), options.size)
}

/// What is drawn, in the order of drawing. Units are those of the board: 60 a square.
struct Picture {
    width: f32,
    height: f32,
    /// What it shows, in words.
    title: String,
    shapes: Vec<PaintedPath>,
}

/// A path with its paint.
struct PaintedPath {
    outline: Outline,
    fill: Option<Rgb>,
    /// Colour and width of the line round it.
    line: Option<(Rgb, f32)>,
    /// 0 to 1.
    opacity: f32,
}

enum Outline {
    /// Edges on whole pixels.
    Rectangle {
        x: f32,
        y: f32,
        width: f32,
        height: f32,
    },
    Circle {
        x: f32,
        y: f32,
        radius: f32,
    },
    Path(Vec<path::PathStep>),
}

/// A colour.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Rgb(u8, u8, u8);

impl PaintedPath {
    const fn filled(outline: Outline, fill: Rgb) -> Self {
        Self { outline, fill: Some(fill), line: None, opacity: 1.0 }
    }

    const fn stroked(outline: Outline, color: Rgb, width: f32) -> Self {
        Self { outline, fill: None, line: Some((color, width)), opacity: 1.0 }
    }

    const fn with_line(mut self, color: Rgb, width: f32) -> Self {
        self.line = Some((color, width));
        self
    }

    const fn with_opacity(mut self, opacity: f32) -> Self {
        self.opacity = opacity;
        self
    }
}
