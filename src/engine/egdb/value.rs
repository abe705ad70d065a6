//! Values as files keep them, and the best of several.

use crate::board::Value;

/// The two bits of a value in tables and files.
#[inline]
pub(super) const fn bits_of(value: Value) -> u8 {
    match value {
        Value::Draw => 0,
        Value::Win => 1,
        Value::Loss => 2,
    }
}

/// The value of these two bits; the pair that no value has is read as a draw.
#[inline]
pub(super) const fn value_of_bits(bits: u8) -> Value {
    match bits & 3 {
        1 => Value::Win,
        2 => Value::Loss,
        _ => Value::Draw,
    }
}

/// The best of several moves: a win soonest, else a draw, else a loss latest.
#[derive(Default)]
pub(super) struct Best {
    win: Option<u16>,
    draws: bool,
    loss: u16,
}

impl Best {
    /// A move leads to what is worth `value` to the other side, `plies` from the end.
    #[inline]
    pub(super) fn add(&mut self, (value, plies): (Value, u16)) {
        match value {
            Value::Loss => self.win = Some(self.win.map_or(plies + 1, |win| win.min(plies + 1))),
            Value::Draw => self.draws = true,
            Value::Win => self.loss = self.loss.max(plies + 1),
        }
    }

    /// Whether some move wins.
    pub(super) const fn wins(&self) -> bool {
        self.win.is_some()
    }

    /// Whether some move wins or draws.
    pub(super) const fn is_never_lost(&self) -> bool {
        self.win.is_some() || self.draws
    }

    /// The greatest distance of a loss, 0 where no move loses.
    pub(super) const fn longest_loss(&self) -> u16 {
        self.loss
    }

    /// The value for the side that has these moves, one at least, and its distance.
    pub(super) const fn value(&self) -> (Value, u16) {
        match self.win {
            Some(win) => (Value::Win, win),
            None if self.draws => (Value::Draw, 0),
            None => (Value::Loss, self.loss),
        }
    }
}
