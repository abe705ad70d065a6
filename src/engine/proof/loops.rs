//! Positions that fail only because play from them comes back to positions before them.
//!
//! A claim that needs progress fails in a circle, but the circle is closed by the path that led into it: reached by another
//! path, or once the earlier position is proved, the same position may hold. Of the earlier positions that a failure rests on
//! the first and the last are kept; the failure counts while both are in the path. Those between are taken for granted, which can
//! cost a proof but never makes one.

use std::collections::HashMap;

use crate::rules::FastPosition;

use super::proven::Quick;

/// Failures kept; beyond, all are forgotten.
const MAX_FAILURES: usize = 2_000_000;

/// The first and the last place of a path that a failure rests on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LoopSpan {
    first: usize,
    last: usize,
}

impl LoopSpan {
    /// It rests on none, and so counts everywhere.
    pub(super) const NONE: Self = Self { first: usize::MAX, last: 0 };

    /// All of `path`.
    pub(super) const fn whole_path(path: &[FastPosition]) -> Self {
        Self { first: 0, last: path.len().saturating_sub(1) }
    }

    /// Where `position` is in `path`, if it is.
    pub(super) fn locate(position: &FastPosition, path: &[FastPosition]) -> Option<Self> {
        path.iter().rposition(|earlier| earlier == position).map(|at| Self { first: at, last: at })
    }

    /// Both failures are needed.
    pub(super) fn and(self, other: Self) -> Self {
        Self { first: self.first.min(other.first), last: self.last.max(other.last) }
    }

    /// One of two failures is enough: the one that reaches back less far.
    pub(super) fn or(self, other: Self) -> Self {
        if (other.first, self.last) > (self.first, other.last) { other } else { self }
    }

    /// What is left of it for the position at `place` itself, for which coming back to it is a failure of its own.
    pub(super) fn before(self, place: usize) -> Self {
        if self.first >= place {
            Self::NONE
        } else if self.last >= place {
            Self { first: self.first, last: self.first }
        } else {
            self
        }
    }
}

/// The failures found, by position.
#[derive(Default)]
pub(super) struct Loops {
    failed: HashMap<FastPosition, [FastPosition; 2], Quick>,
}

impl Loops {
    /// Whether a failure of `position` is kept, whatever it rests on.
    pub(super) fn contains(&self, position: &FastPosition) -> bool {
        self.failed.contains_key(position)
    }

    /// What the failure of `position` rests on, if it counts in `path`.
    pub(super) fn failing(&self, position: &FastPosition, path: &[FastPosition]) -> Option<LoopSpan> {
        let [first, last] = self.failed.get(position)?;
        Some(LoopSpan::locate(first, path)?.and(LoopSpan::locate(last, path)?))
    }

    /// `position` fails by what is at the places `by` of `path`.
    pub(super) fn keep(&mut self, position: &FastPosition, by: LoopSpan, path: &[FastPosition]) {
        if let (Some(first), Some(last)) = (path.get(by.first), path.get(by.last)) {
            if self.failed.len() >= MAX_FAILURES {
                self.failed.clear();
            }
            self.failed.insert(*position, [*first, *last]);
        }
    }

    /// A failure that rests on nothing takes the place of what was kept.
    pub(super) fn forget(&mut self, position: &FastPosition) {
        self.failed.remove(position);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Variant;
    use crate::rules::Position;

    fn path(plies: usize) -> Vec<FastPosition> {
        let mut path: Vec<FastPosition> =
            FastPosition::from_position(&Position::start(Variant::English)).into_iter().collect();
        while path.len() < plies {
            let Some(next) = path.last().and_then(|last| last.steps().first().map(|step| last.after(step))) else {
                break;
            };
            path.push(next);
        }
        path
    }

    #[test]
    fn a_failure_counts_while_what_it_rests_on_is_in_the_path() {
        let path = path(6);
        let mut loops = Loops::default();
        loops.keep(&path[5], LoopSpan { first: 1, last: 3 }, &path[..5]);
        assert_eq!(loops.failing(&path[5], &path[..5]), Some(LoopSpan { first: 1, last: 3 }));
        assert_eq!(loops.failing(&path[5], &path[..3]), None, "the last is not there");
        assert_eq!(loops.failing(&path[5], &path[2..5]), None, "the first is not there");
        loops.forget(&path[5]);
        assert!(!loops.contains(&path[5]));
    }

    #[test]
    fn coming_back_to_a_position_is_its_own_failure() {
        assert_eq!(LoopSpan { first: 4, last: 4 }.before(4), LoopSpan::NONE);
        assert_eq!(LoopSpan { first: 2, last: 4 }.before(4), LoopSpan { first: 2, last: 2 });
        assert_eq!(LoopSpan { first: 2, last: 3 }.before(4), LoopSpan { first: 2, last: 3 });
    }

    #[test]
    fn of_two_failures_the_nearer_is_enough_and_both_need_both() {
        let (near, far) = (LoopSpan { first: 3, last: 3 }, LoopSpan { first: 1, last: 2 });
        assert_eq!((near.or(far), far.or(near)), (near, near));
        assert_eq!(near.and(far), LoopSpan { first: 1, last: 3 });
        assert_eq!((LoopSpan::NONE.or(near), near.and(LoopSpan::NONE)), (LoopSpan::NONE, near));
    }
}
