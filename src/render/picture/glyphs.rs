//! The digits and letters of pictures, drawn as strokes with a round pen. They are the project's own: no font is needed.

use super::path::{self, PathStep};

/// The height of a digit in the units of the drawings below; the base line is at 10.
const HEIGHT: f32 = 10.0;
/// Between two signs.
const GAP: f32 = 2.2;
/// A blank.
const BLANK: f32 = 2.6;
/// The width of the pen.
const PEN: f32 = 1.35;

/// Sign, width, strokes.
const GLYPHS: &[(char, f32, &str)] = &[
    ('0', 6.0, "M 3 0 C 5.2 0 6 2 6 5 C 6 8 5.2 10 3 10 C 0.8 10 0 8 0 5 C 0 2 0.8 0 3 0 Z"),
    ('1', 3.4, "M 0.6 2.2 L 3.2 0 L 3.2 10"),
    ('2', 6.0, "M 0.3 2.7 C 0.3 1 1.4 0 3 0 C 4.7 0 5.8 1.1 5.8 2.7 C 5.8 4.5 4.6 5.7 0.2 10 L 6 10"),
    ('3', 6.0, "M 0.5 0 L 5.6 0 L 2.7 3.9 C 4.9 3.9 6 5.1 6 6.9 C 6 8.8 4.7 10 2.8 10 C 1.4 10 0.5 9.4 0 8.3"),
    ('4', 6.2, "M 4.6 10 L 4.6 0 L 0 7.1 L 6.2 7.1"),
    (
        '5',
        6.0,
        "M 5.4 0 L 1 0 L 0.6 4.6 C 1.3 4 2.1 3.7 3 3.7 C 4.8 3.7 6 4.9 6 6.8 C 6 8.7 4.7 10 2.9 10 C 1.5 10 0.5 9.4 0 8.4",
    ),
    (
        '6',
        6.0,
        "M 5.3 1 C 4.7 0.3 4 0 3.2 0 C 1.1 0 0 2 0 5.8 C 0 8.5 1.1 10 3 10 C 4.8 10 6 8.8 6 6.9 C 6 5 4.8 3.9 3.1 3.9 \
         C 1.6 3.9 0.4 4.9 0 6.4",
    ),
    ('7', 6.0, "M 0 0 L 6 0 L 2.2 10"),
    (
        '8',
        6.0,
        "M 3 0 C 4.6 0 5.6 1 5.6 2.4 C 5.6 3.8 4.6 4.8 3 4.8 C 1.4 4.8 0.4 3.8 0.4 2.4 C 0.4 1 1.4 0 3 0 Z \
         M 3 4.8 C 4.9 4.8 6 5.8 6 7.4 C 6 9 4.9 10 3 10 C 1.1 10 0 9 0 7.4 C 0 5.8 1.1 4.8 3 4.8 Z",
    ),
    (
        '9',
        6.0,
        "M 0.7 9 C 1.3 9.7 2 10 2.8 10 C 4.9 10 6 8 6 4.2 C 6 1.5 4.9 0 3 0 C 1.2 0 0 1.2 0 3.1 C 0 5 1.2 6.1 2.9 6.1 \
         C 4.4 6.1 5.6 5.1 6 3.6",
    ),
    (
        'B',
        6.2,
        "M 3.2 4.8 C 4.8 4.8 5.7 3.9 5.7 2.4 C 5.7 0.9 4.8 0 3.2 0 L 0 0 L 0 10 L 3.4 10 C 5.2 10 6.2 9 6.2 7.4 C 6.2 5.8 5.2 4.8 3.4 4.8 L 0 4.8",
    ),
    ('W', 9.6, "M 0 0 L 2.4 10 L 4.8 0.6 L 7.2 10 L 9.6 0"),
    (
        'a',
        5.2,
        "M 5.2 3.6 L 5.2 10 M 5.2 6.7 C 5.2 4.7 4.1 3.4 2.6 3.4 C 1.1 3.4 0 4.7 0 6.7 C 0 8.7 1.1 10 2.6 10 C 4.1 10 5.2 8.7 5.2 6.7",
    ),
    (
        'b',
        5.2,
        "M 0 0 L 0 10 M 0 6.7 C 0 4.7 1.1 3.4 2.6 3.4 C 4.1 3.4 5.2 4.7 5.2 6.7 C 5.2 8.7 4.1 10 2.6 10 C 1.1 10 0 8.7 0 6.7",
    ),
    (
        'c',
        4.9,
        "M 4.9 4.6 C 4.4 3.8 3.7 3.4 2.8 3.4 C 1.2 3.4 0 4.7 0 6.7 C 0 8.7 1.2 10 2.8 10 C 3.7 10 4.4 9.6 4.9 8.8",
    ),
    (
        'd',
        5.2,
        "M 5.2 0 L 5.2 10 M 5.2 6.7 C 5.2 4.7 4.1 3.4 2.6 3.4 C 1.1 3.4 0 4.7 0 6.7 C 0 8.7 1.1 10 2.6 10 C 4.1 10 5.2 8.7 5.2 6.7",
    ),
    (
        'e',
        5.3,
        "M 0.1 6.6 L 5.3 6.6 C 5.3 4.6 4.3 3.4 2.7 3.4 C 1.1 3.4 0 4.7 0 6.7 C 0 8.7 1.1 10 2.8 10 C 3.8 10 4.6 9.6 5.1 8.8",
    ),
    ('f', 3.6, "M 3.6 0.1 C 2.1 -0.2 1.4 0.6 1.4 2 L 1.4 10 M 0 3.7 L 3.4 3.7"),
    (
        'g',
        5.2,
        "M 5.2 3.6 L 5.2 10.2 C 5.2 12 4.1 12.8 2.6 12.8 C 1.6 12.8 0.9 12.5 0.3 11.9 \
         M 5.2 6.7 C 5.2 4.7 4.1 3.4 2.6 3.4 C 1.1 3.4 0 4.7 0 6.7 C 0 8.7 1.1 10 2.6 10 C 4.1 10 5.2 8.7 5.2 6.7",
    ),
    ('h', 5.0, "M 0 0 L 0 10 M 0 6.2 C 0.4 4.4 1.3 3.4 2.7 3.4 C 4.2 3.4 5 4.3 5 6.1 L 5 10"),
    ('i', 0.0, "M 0 3.6 L 0 10 M 0 0.9 L 0 1.1"),
    ('k', 4.8, "M 0 0 L 0 10 M 4.5 3.6 L 0 7.4 M 1.7 6 L 4.8 10"),
    ('l', 0.0, "M 0 0 L 0 10"),
    (
        'm',
        8.0,
        "M 0 3.6 L 0 10 M 0 6 C 0.4 4.3 1.2 3.4 2.3 3.4 C 3.5 3.4 4 4.3 4 5.8 L 4 10 M 4 6 C 4.4 4.3 5.2 3.4 6.3 3.4 C 7.5 3.4 8 4.3 8 5.8 L 8 10",
    ),
    (
        'o',
        5.6,
        "M 2.8 3.4 C 4.4 3.4 5.6 4.7 5.6 6.7 C 5.6 8.7 4.4 10 2.8 10 C 1.2 10 0 8.7 0 6.7 C 0 4.7 1.2 3.4 2.8 3.4 Z",
    ),
    ('t', 3.5, "M 1.4 1.2 L 1.4 8.2 C 1.4 9.7 2.1 10.2 3.5 9.9 M 0 3.7 L 3.3 3.7"),
    ('v', 5.0, "M 0 3.6 L 2.5 10 L 5 3.6"),
];

/// A text as one path.
pub(super) struct Text {
    pub(super) steps: Vec<PathStep>,
    /// How wide the pen is that draws it.
    pub(super) pen: f32,
}

/// How wide `text` is where its digits are `height` high.
pub(super) fn width(text: &str, height: f32) -> f32 {
    let widths = text.chars().map(|sign| glyph(sign).map_or(BLANK, |(_, width, _)| *width) + GAP);
    (widths.sum::<f32>() - GAP) * height / HEIGHT
}

/// `text` with its left end at `x`, its base line at `y` and digits `height` high. A sign that is not drawn is a blank.
pub(super) fn draw(text: &str, x: f32, y: f32, height: f32) -> Text {
    let scale = height / HEIGHT;
    let (mut steps, mut at) = (Vec::new(), x);
    for sign in text.chars() {
        let Some((_, width, strokes)) = glyph(sign) else {
            at += (BLANK + GAP) * scale;
            continue;
        };
        steps.extend(path::read(strokes).into_iter().map(|step| step.placed(scale, at, y - height)));
        at += (width + GAP) * scale;
    }
    Text { steps, pen: PEN * scale }
}

fn glyph(sign: char) -> Option<&'static (char, f32, &'static str)> {
    GLYPHS.iter().find(|(known, ..)| *known == sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sign_that_pictures_use_is_drawn() {
        for sign in "0123456789abcdefgh Black to move White".chars().filter(|sign| *sign != ' ') {
            let (_, width, strokes) = glyph(sign).unwrap();
            let read = path::read(strokes);
            let letters = strokes.split_ascii_whitespace().filter(|word| word.starts_with(char::is_alphabetic)).count();
            assert_eq!(read.len(), letters, "{sign} is read to its end");
            for step in read {
                if let PathStep::Move(x, _) | PathStep::Line(x, _) | PathStep::Curve([.., x, _]) = step {
                    assert!((0.0..=*width).contains(&x), "{sign} stays in its width");
                }
            }
        }
    }
}
