//! What positions are worth, how far that is known, and who says so: the words that engine, store, queries and analysis share.

use std::fmt;

/// What a position or a game is worth to one side, the worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// The side loses.
    Loss,
    /// Neither side can force a win.
    Draw,
    /// The side wins.
    Win,
}

impl Value {
    /// Every value, the worst first.
    pub const ALL: [Self; 3] = [Self::Loss, Self::Draw, Self::Win];

    /// The same seen from the other side.
    #[must_use]
    pub const fn turned(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    /// The word in every table: `win`, `draw` or `loss`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Win => "win",
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Who says what a position is worth, the weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Witness {
    /// A source: a mark or a word in a book.
    Source,
    /// What stored verdicts together imply.
    Tree,
    /// A search within limits.
    Engine,
    /// The rules, an endgame database, or a certificate that was checked.
    Proved,
}

impl Witness {
    /// Every witness, the weakest first.
    pub const ALL: [Self; 4] = [Self::Source, Self::Tree, Self::Engine, Self::Proved];

    /// The word in tables and in the database: `source`, `tree`, `engine` or `proved`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Tree => "tree",
            Self::Engine => "engine",
            Self::Proved => "proved",
        }
    }

    /// The witness of this name, if it is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|witness| witness.name() == name)
    }
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What is known of a value for one side: it is no less than one value and no more than another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bounds {
    /// The side has this at least.
    pub least: Value,
    /// The side has this at most; never less than `least`.
    pub most: Value,
}

impl Bounds {
    /// Nothing is known.
    pub const OPEN: Self = Self { least: Value::Loss, most: Value::Win };
    /// A win or a draw.
    pub const NOT_LOSS: Self = Self { least: Value::Draw, most: Value::Win };
    /// A draw or a loss.
    pub const NOT_WIN: Self = Self { least: Value::Loss, most: Value::Draw };
    /// All of them, nothing known last.
    pub const ALL: [Self; 6] = [
        Self::exactly(Value::Win),
        Self::exactly(Value::Draw),
        Self::exactly(Value::Loss),
        Self::NOT_LOSS,
        Self::NOT_WIN,
        Self::OPEN,
    ];

    /// The value is this one.
    #[must_use]
    pub const fn exactly(value: Value) -> Self {
        Self { least: value, most: value }
    }

    /// The value, where it is known.
    #[must_use]
    pub fn exact(self) -> Option<Value> {
        (self.least == self.most).then_some(self.least)
    }

    /// Whether the value cannot be this one.
    #[must_use]
    pub fn excludes(self, value: Value) -> bool {
        value < self.least || value > self.most
    }

    /// The same for the other side.
    #[must_use]
    pub const fn turned(self) -> Self {
        Self { least: self.most.turned(), most: self.least.turned() }
    }

    /// What both say. Bounds that exclude one another, which a damaged proof may bring, add nothing.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let both = Self { least: self.least.max(other.least), most: self.most.min(other.most) };
        if both.least <= both.most { both } else { self }
    }

    /// What a position has whose side to move has a move that gives it this: as much at least.
    #[must_use]
    pub const fn at_least(self) -> Self {
        Self { least: self.least, most: Value::Win }
    }

    /// What a position has to which a move leads from one that has this: as much at most.
    #[must_use]
    pub const fn at_most(self) -> Self {
        Self { least: Value::Loss, most: self.most }
    }

    /// The word in tables and in the database: `win`, `draw`, `loss`, `not-loss`, `not-win`, or `open` where nothing is known.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match (self.least, self.most) {
            (Value::Win, _) => "win",
            (Value::Draw, Value::Win) => "not-loss",
            (Value::Draw, _) => "draw",
            (Value::Loss, Value::Loss) => "loss",
            (Value::Loss, Value::Draw) => "not-win",
            (Value::Loss, Value::Win) => "open",
        }
    }

    /// The bounds of this name, if there are any.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|bounds| bounds.name() == name)
    }
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_read_back() {
        assert!(Bounds::ALL.iter().all(|bounds| Bounds::from_name(bounds.name()) == Some(*bounds)));
        assert!(Witness::ALL.iter().all(|witness| Witness::from_name(witness.name()) == Some(*witness)));
        assert_eq!(Bounds::from_name("won"), None);
    }

    #[test]
    fn bounds_turn_round_and_meet() {
        assert_eq!(Bounds::NOT_LOSS.turned(), Bounds::NOT_WIN);
        assert_eq!(Bounds::NOT_LOSS.and(Bounds::NOT_WIN), Bounds::exactly(Value::Draw));
        assert_eq!(
            Bounds::exactly(Value::Win).and(Bounds::NOT_WIN),
            Bounds::exactly(Value::Win),
            "a contradiction adds nothing"
        );
        assert!(Bounds::NOT_LOSS.excludes(Value::Loss) && !Bounds::OPEN.excludes(Value::Loss));
        assert_eq!((Bounds::NOT_WIN.exact(), Bounds::exactly(Value::Draw).exact()), (None, Some(Value::Draw)));
    }
}
