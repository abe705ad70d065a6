//! The games that Crownhead knows, as far as no rule of movement is needed to tell them apart.

use super::{Color, Geometry, ResultOrder};

/// A game of the draughts family.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Variant {
    /// English draughts, American checkers: PDN GameType 21.
    English,
}

impl Variant {
    /// Every variant, in the order they are listed to people.
    pub const ALL: &'static [Self] = &[Self::English];

    /// The short name, used in options and tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::English => "english",
        }
    }

    /// Other names people use.
    #[must_use]
    pub const fn aliases(self) -> &'static [&'static str] {
        match self {
            Self::English => &["checkers", "american", "anglo-american", "english draughts", "21"],
        }
    }

    /// The variant of this name or alias, whatever the case of its letters.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.trim().to_lowercase();
        Self::ALL.iter().copied().find(|v| v.name() == name || v.aliases().contains(&name.as_str()))
    }

    /// The number of the PDN tag GameType (PDN 3.0, GameType table).
    #[must_use]
    pub const fn game_type(self) -> u8 {
        match self {
            Self::English => 21,
        }
    }

    /// The variant of this GameType number.
    #[must_use]
    pub fn from_game_type(number: u32) -> Option<Self> {
        Self::ALL.iter().copied().find(|v| u32::from(v.game_type()) == number)
    }

    /// The board it is played on.
    #[must_use]
    pub fn geometry(self) -> &'static Geometry {
        match self {
            Self::English => Geometry::eight(),
        }
    }

    /// How many men each side starts with.
    #[must_use]
    pub const fn men(self) -> u8 {
        match self {
            Self::English => 12,
        }
    }

    /// The side that moves first from the start.
    #[must_use]
    pub const fn first_to_move(self) -> Color {
        match self {
            Self::English => Color::Black,
        }
    }

    /// The order of scores in this game's files unless a source says otherwise.
    #[must_use]
    pub const fn result_order(self) -> ResultOrder {
        match self {
            Self::English => ResultOrder::BlackFirst,
        }
    }
}

impl std::fmt::Display for Variant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}
