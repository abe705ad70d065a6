//! A picture as an SVG document: plain shapes, no fonts, no styles.

use std::fmt::{self, Write as _};

use super::path::PathStep;
use super::{Outline, PaintedPath, Picture, Rgb};

/// Writes `picture` as wide as `size` pixels.
pub(super) fn write(picture: &Picture, size: u32) -> String {
    let (width, height) = (picture.width, picture.height);
    let size = size as f32;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" role=\"img\">\n<title>{}</title>\n",
        Short(width),
        Short(height),
        Short(size),
        Short(height * size / width),
        picture.title
    );
    for shape in &picture.shapes {
        write_shape(&mut text, shape);
    }
    text.push_str("</svg>\n");
    text
}

// Writing to a `String` cannot fail.
fn write_shape(text: &mut String, shape: &PaintedPath) {
    match &shape.outline {
        Outline::Rectangle { x, y, width, height } => {
            let [x, y, width, height] = [x, y, width, height].map(|number| Short(*number));
            let _ = write!(
                text,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" shape-rendering=\"crispEdges\""
            );
        }
        Outline::Circle { x, y, radius } => {
            let [x, y, radius] = [x, y, radius].map(|number| Short(*number));
            let _ = write!(text, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"");
        }
        Outline::Path(steps) => {
            text.push_str("<path d=\"");
            for step in steps {
                let _ = match *step {
                    PathStep::Move(x, y) => write!(text, "M{} {}", Short(x), Short(y)),
                    PathStep::Line(x, y) => write!(text, "L{} {}", Short(x), Short(y)),
                    PathStep::Curve(points) => {
                        let [a, b, c, d, e, f] = points.map(Short);
                        write!(text, "C{a} {b} {c} {d} {e} {f}")
                    }
                    PathStep::Close => write!(text, "z"),
                };
            }
            text.push('"');
        }
    }
    let _ = match shape.fill {
        Some(fill) => write!(text, " fill=\"{fill}\""),
        None => write!(text, " fill=\"none\""),
    };
    if let Some((color, width)) = shape.line {
        let _ = write!(text, " stroke=\"{color}\" stroke-width=\"{}\"", Short(width));
        if matches!(shape.outline, Outline::Path(_)) {
            text.push_str(" stroke-linecap=\"round\" stroke-linejoin=\"round\"");
        }
    }
    if shape.opacity < 1.0 {
        let _ = write!(text, " opacity=\"{}\"", Short(shape.opacity));
    }
    text.push_str("/>\n");
}

/// A number with at most two decimals.
struct Short(f32);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fixed = format!("{:.2}", self.0);
        f.write_str(fixed.trim_end_matches('0').trim_end_matches('.'))
    }
}

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}
