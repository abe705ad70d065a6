//! What the search does not look at, or less deeply: where a position is expected to stay outside the window.
//!
//! Purpose: the conditions and margins of all that is taken on trust, in one place. Invariants: the cuts take on trust only that
//! a score lies outside a null window, never where an end of the game is at stake, nor (but for the horizon) where a man is
//! threatened; reductions, that a late move which a shallow look finds no better is none. What each is worth is in the README.
//!
//! Must not know: the order of moves but for history, the table.

use crate::rules::{FastMove, FastPosition};

use super::score::Score;
use super::worker::{Stopped, Window, Worker};

/// How many plies beyond the depth a threatened position is looked on at.
const MAX_THREAT_EXTENSION_DEPTH: i32 = -4;
/// Hundredths of a man: a threatened position so far above the window is not expected to come down into it.
const THREAT_MARGIN: i32 = 100;
/// Hundredths of a man a ply: a quiet position so far above the window will not come down into it.
const FUTILITY_MARGIN_PER_PLY: i32 = 55;
/// The greatest depth at which that is believed.
const MAX_FUTILITY_DEPTH: i32 = 6;
/// Hundredths of a man: a shallower search so far outside the window will not be denied by the full one.
const PROBCUT_MARGIN: i16 = 35;
/// How many plies shallower that search is.
const PROBCUT_DEPTH_CUT: i32 = 3;

impl Worker<'_> {
    /// What a position without captures is worth at the horizon, unless it must be looked on at. Most positions are quiet ones
    /// there: nothing is looked up or kept for them.
    pub(super) fn at_horizon(&self, position: &FastPosition, depth: i32, window: Window, ply: usize) -> Option<Score> {
        if !position.has_quiet_move() {
            return Some(Score::lost_at(ply));
        }
        let score = self.evaluate(position);
        // A threat makes nothing better, and seldom costs more than a man.
        let above = i32::from(score.0) - THREAT_MARGIN >= i32::from(window.beta.0);
        let settled = window.trusts() && (score <= window.alpha || above);
        (settled || depth <= MAX_THREAT_EXTENSION_DEPTH || !position.is_threatened()).then_some(score)
    }

    /// What is believed of a quiet position that is expected to stay outside the window, if it is.
    ///
    /// Truncation: its value, where the opponent would have to win very much without a capture in sight. `ProbCut` (Buro 1995),
    /// without its regression: what a shallower search leaves of a margin by which it finds it beyond a bound.
    ///
    /// # Errors
    ///
    /// As for [`Worker::score`].
    pub(super) fn outside(
        &mut self,
        position: &FastPosition,
        depth: i32,
        window: Window,
        ply: usize,
    ) -> Result<Option<Score>, Stopped> {
        if !window.trusts() || position.is_threatened() {
            return Ok(None);
        }
        let Window { alpha, beta } = window;
        let worth = self.evaluate(position);
        if depth <= MAX_FUTILITY_DEPTH && i32::from(worth.0) - FUTILITY_MARGIN_PER_PLY * depth >= i32::from(beta.0) {
            return Ok(Some(worth));
        }
        if depth <= PROBCUT_DEPTH_CUT {
            return Ok(None);
        }
        let believed = if worth >= beta {
            let above = Score(beta.0 + PROBCUT_MARGIN);
            let score = self.score(position, depth - PROBCUT_DEPTH_CUT, Window::below(above), ply)?;
            (score >= above).then(|| score.moved(-PROBCUT_MARGIN))
        } else {
            let below = Score(alpha.0 - PROBCUT_MARGIN);
            let score = self.score(position, depth - PROBCUT_DEPTH_CUT, Window::above(below), ply)?;
            (score <= below).then(|| score.moved(PROBCUT_MARGIN))
        };
        // The play that the shallower search saw is not that of the full one.
        if let Some(line) = self.lines.get_mut(ply) {
            line.clear();
        }
        Ok(believed)
    }

    /// How much less deep a quiet step is looked at that comes late in the order.
    pub(super) fn reduction(&self, position: &FastPosition, step: &FastMove, depth: i32, tried: usize) -> i32 {
        if depth < 3 || tried < 3 {
            return 0;
        }
        let late = i32::from(tried >= 8) + i32::from(depth >= 8);
        let liked = i32::from(self.order.history_of(step, position.turn()) > 4_096);
        (1 + late - liked).max(0)
    }
}
