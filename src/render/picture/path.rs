//! Paths of straight lines and curves.

/// A step of a path, in absolute coordinates.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum PathStep {
    /// Go there without drawing.
    Move(f32, f32),
    /// A straight line.
    Line(f32, f32),
    /// A cubic curve: two control points and the end.
    Curve([f32; 6]),
    /// Back to where this part of the path started.
    Close,
}

impl PathStep {
    /// The step scaled by `scale` and then shifted.
    pub(super) fn placed(self, scale: f32, x: f32, y: f32) -> Self {
        let at = |px: f32, py: f32| (px.mul_add(scale, x), py.mul_add(scale, y));
        match self {
            Self::Move(px, py) => {
                let (px, py) = at(px, py);
                Self::Move(px, py)
            }
            Self::Line(px, py) => {
                let (px, py) = at(px, py);
                Self::Line(px, py)
            }
            Self::Curve([ax, ay, bx, by, cx, cy]) => {
                let ((ax, ay), (bx, by), (cx, cy)) = (at(ax, ay), at(bx, by), at(cx, cy));
                Self::Curve([ax, ay, bx, by, cx, cy])
            }
            Self::Close => Self::Close,
        }
    }
}

/// The path of `text`, written as in SVG with absolute `M`, `L`, `C` and `Z` and blanks between all parts. What is not so
/// written ends it.
pub(super) fn read(text: &str) -> Vec<PathStep> {
    let mut words = text.split_ascii_whitespace();
    let mut steps = Vec::new();
    while let Some(command) = words.next() {
        let mut number = || words.next().and_then(|word| word.parse::<f32>().ok());
        let step = match command {
            "M" => number().zip(number()).map(|(x, y)| PathStep::Move(x, y)),
            "L" => number().zip(number()).map(|(x, y)| PathStep::Line(x, y)),
            "C" => {
                let mut all = [0.0; 6];
                let mut whole = true;
                for place in &mut all {
                    let read = number();
                    whole &= read.is_some();
                    *place = read.unwrap_or_default();
                }
                whole.then_some(PathStep::Curve(all))
            }
            "Z" => Some(PathStep::Close),
            _ => None,
        };
        let Some(step) = step else { break };
        steps.push(step);
    }
    steps
}
