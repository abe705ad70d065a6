//! Material: `4v3+1k` is Black's 4 men against White's 3 men and 1 king.

use crate::board::Variant;
use crate::table::quoted;

use super::pattern::{PatternError, error};

/// How many men and kings each side has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Material {
    /// Black's men.
    pub black_men: u32,
    /// Black's kings.
    pub black_kings: u32,
    /// White's men.
    pub white_men: u32,
    /// White's kings.
    pub white_kings: u32,
}

impl Material {
    /// Reads `4v3+1k`: Black's side first, men, then `+` and kings with a `k`; a side of kings alone is `2k`.
    ///
    /// # Errors
    /// [`PatternError`] with the first place that makes no sense.
    pub fn read(text: &str, variant: Variant) -> Result<Self, PatternError> {
        const MATERIAL_SYNTAX: &str = "Black's pieces, v, White's pieces, such as 4v3+1k";
        let Some(middle) = text.find(['v', 'V']) else {
            return Err(error(text, text.len(), "no v".to_owned(), MATERIAL_SYNTAX));
        };
        let (black_men, black_kings) = read_side(text, 0, &text[..middle], variant)?;
        let (white_men, white_kings) = read_side(text, middle + 1, &text[middle + 1..], variant)?;
        Ok(Self { black_men, black_kings, white_men, white_kings })
    }

    /// The same with colours reversed.
    #[must_use]
    pub const fn reversed(&self) -> Self {
        Self {
            black_men: self.white_men,
            black_kings: self.white_kings,
            white_men: self.black_men,
            white_kings: self.black_kings,
        }
    }

    /// Whether sets of squares hold just this.
    pub(super) const fn fits(&self, black: u128, white: u128, kings: u128) -> bool {
        (black & !kings).count_ones() == self.black_men
            && (black & kings).count_ones() == self.black_kings
            && (white & !kings).count_ones() == self.white_men
            && (white & kings).count_ones() == self.white_kings
    }

    /// The same of a board of 32 squares, by arithmetic alone: 0 where they hold just this.
    #[inline]
    pub(super) const fn wrong(&self, black: u32, white: u32, kings: u32) -> u32 {
        ((black & !kings).count_ones() ^ self.black_men)
            | ((black & kings).count_ones() ^ self.black_kings)
            | ((white & !kings).count_ones() ^ self.white_men)
            | ((white & kings).count_ones() ^ self.white_kings)
    }

    /// All pieces.
    pub(super) const fn pieces(&self) -> u32 {
        self.black_men + self.black_kings + self.white_men + self.white_kings
    }
}

/// The men and kings of one side; `at` is the byte of `text` where it starts.
fn read_side(text: &str, at: usize, side: &str, variant: Variant) -> Result<(u32, u32), PatternError> {
    const SIDE_SYNTAX: &str = "men, kings or both, such as 4, 2k or 3+1k";
    let (mut men, mut kings) = (None, None);
    let mut place = at;
    for part in side.split('+') {
        let trimmed = part.trim();
        let digits = trimmed.trim_end_matches(['k', 'K']);
        let slot = match trimmed.len() - digits.len() {
            0 => &mut men,
            1 => &mut kings,
            _ => return Err(error(text, place, quoted(trimmed), SIDE_SYNTAX)),
        };
        let number = if digits.bytes().all(|b| b.is_ascii_digit()) { digits.parse::<u32>().ok() } else { None };
        match number {
            Some(number) if slot.is_none() => *slot = Some(number),
            _ if trimmed.is_empty() => return Err(error(text, place, "nothing".to_owned(), SIDE_SYNTAX)),
            _ => return Err(error(text, place, quoted(trimmed), SIDE_SYNTAX)),
        }
        place += part.len() + 1;
    }
    let (men, kings) = (men.unwrap_or(0), kings.unwrap_or(0));
    if men.checked_add(kings).is_none_or(|pieces| pieces > u32::from(variant.men())) {
        let expected = "no more pieces than a side starts with";
        return Err(error(text, at, quoted(side.trim()), expected));
    }
    Ok((men, kings))
}
