//! What searches and proofs ask of endings.

use crate::board::Value;
use crate::rules::FastPosition;

use super::egdb::Databases;

/// What knows the value of endings.
pub trait Endings: Send + Sync {
    /// The greatest number of pieces it knows about.
    fn most_pieces(&self) -> u32;
    /// The value of `position` for the side to move, if it is known.
    fn value(&self, position: &FastPosition) -> Option<Value>;
}

impl Endings for Databases {
    fn most_pieces(&self) -> u32 {
        u32::from(self.pieces())
    }

    /// A file that turns out to be damaged knows nothing; `egdb verify` tells what is wrong with it.
    fn value(&self, position: &FastPosition) -> Option<Value> {
        self.fast_value(position).ok().flatten()
    }
}
