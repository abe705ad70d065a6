//! How much a proof may cost.

use crate::engine::search::StopFlag;

/// Why a part of a search came to no answer.
pub(super) enum Ended {
    /// Its budget is used up.
    Budget,
    /// It was asked to stop.
    Stopped,
}

/// Nodes that are left, and the flag that ends everything.
pub(super) struct Budget<'a> {
    pub(super) left: u64,
    pub(super) used: u64,
    pub(super) stop: &'a StopFlag,
}

impl Budget<'_> {
    /// Counts a node.
    pub(super) fn spend(&mut self) -> Result<(), Ended> {
        if self.left == 0 {
            return Err(Ended::Budget);
        }
        if self.used.is_multiple_of(1_024) && self.stop.is_set() {
            return Err(Ended::Stopped);
        }
        self.left -= 1;
        self.used += 1;
        Ok(())
    }
}
