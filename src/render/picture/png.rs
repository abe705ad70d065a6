//! A picture as PNG, drawn by tiny-skia in plain scalar code, so that every machine makes the same bytes.

use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, PremultipliedColorU8, Rect, Stroke, Transform,
};

use super::path::PathStep;
use super::{Outline, PaintedPath, Picture, Rgb};

/// Why there is no PNG.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// A size that no picture can have.
    #[error("a picture cannot be {0} pixels wide")]
    Size(u32),
    /// The encoder failed.
    #[error("the picture cannot be encoded: {0}")]
    Encoding(String),
}

/// Most pixels in width: some eighty megabytes of memory.
const MAX_PIXELS: u32 = 4096;

/// Draws `picture` as wide as `size` pixels.
pub(super) fn write(picture: &Picture, size: u32) -> Result<Vec<u8>, PictureError> {
    let scale = size as f32 / picture.width;
    let height = (picture.height * scale).round() as u32;
    let made = if (1..=MAX_PIXELS).contains(&size) { Pixmap::new(size, height) } else { None };
    let mut pixels = made.ok_or(PictureError::Size(size))?;
    pixels.fill(Color::WHITE);
    for shape in &picture.shapes {
        draw(&mut pixels, shape, scale);
    }
    debug_assert!(pixels.pixels().iter().all(PremultipliedColorU8::is_opaque));
    pixels.encode_png().map_err(|error| PictureError::Encoding(error.to_string()))
}

/// Draws one shape; a path without an extent draws nothing.
fn draw(pixels: &mut Pixmap, shape: &PaintedPath, scale: f32) {
    let transform = Transform::from_scale(scale, scale);
    let paint = |Rgb(red, green, blue): Rgb, smooth: bool| {
        let mut paint = Paint { anti_alias: smooth, ..Paint::default() };
        paint.set_color_rgba8(red, green, blue, (shape.opacity * 255.0).round() as u8);
        paint
    };
    let Some(path) = path(&shape.outline) else { return };
    if let Some(fill) = shape.fill {
        // The edges of squares lie on whole pixels, else the board looks blurred.
        let smooth = !matches!(shape.outline, Outline::Rectangle { .. });
        pixels.fill_path(&path, &paint(fill, smooth), FillRule::Winding, transform, None);
    }
    if let Some((color, width)) = shape.line {
        let stroke = Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() };
        pixels.stroke_path(&path, &paint(color, true), &stroke, transform, None);
    }
}

fn path(outline: &Outline) -> Option<Path> {
    match outline {
        Outline::Rectangle { x, y, width, height } => {
            Rect::from_xywh(*x, *y, *width, *height).map(PathBuilder::from_rect)
        }
        Outline::Circle { x, y, radius } => PathBuilder::from_circle(*x, *y, *radius),
        Outline::Path(steps) => {
            let mut path = PathBuilder::new();
            for step in steps {
                match *step {
                    PathStep::Move(x, y) => path.move_to(x, y),
                    PathStep::Line(x, y) => path.line_to(x, y),
                    PathStep::Curve([ax, ay, bx, by, cx, cy]) => path.cubic_to(ax, ay, bx, by, cx, cy),
                    PathStep::Close => path.close(),
                }
            }
            path.finish()
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::board::{Setup, Variant};
    use crate::render::{PictureOptions, board_png};

    /// The check sum was made on x86-64; it must be the same wherever the tests run. A new version of the drawing or of the
    /// encoder may change it: look at the picture then.
    #[test]
    fn the_same_board_is_the_same_file_everywhere() {
        let picture =
            |size| board_png(&Setup::start(Variant::English), &PictureOptions { size, ..PictureOptions::default() });
        let bytes = picture(128).unwrap();
        let mut sum = flate2::Crc::new();
        sum.update(&bytes);
        assert_eq!((bytes.len(), sum.sum()), (13_324, 0xff82_c80b));
        assert!(picture(0).is_err() && picture(4097).is_err());
    }
}
