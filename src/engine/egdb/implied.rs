//! Which values follow from others and need not be stored.
//!
//! - Where captures are due, the value is that of the best capture.
//! - Where the other side *threatens* (it could capture if it were to move), the position after a quiet move is *settled* if
//!   the other side must capture in it, or if I threaten nothing in it: it does not need this second rule itself. If some
//!   settled position is lost for the other side, the value is a win. If all are settled, it is that of the best of them.
//!
//! Everything else is stored. So a look-up is right for every position and its work is bounded: one ply for the second rule,
//! and each capture leaves fewer pieces.

use super::board::{EndgameBoard, Law};
use super::value::Best;
use crate::board::Value;

/// What follows for `board`, in which no capture is due but the other side threatens, from what `look_up` tells of settled
/// positions, as the other side sees them. `None` if the value must be stored. Stops at the first error.
pub(super) fn implied<E>(
    law: Law,
    board: &EndgameBoard,
    mut look_up: impl FnMut(&EndgameBoard) -> Result<Value, E>,
) -> Result<Option<Value>, E> {
    let (mut best, mut all, mut moves, mut failed) = (Best::default(), true, false, None);
    board.quiet(&mut |after| {
        moves = true;
        if !is_settled(law, &after) {
            all = false;
            return true;
        }
        match look_up(&after.turned()) {
            Ok(value) => best.add((value, 0)),
            Err(error) => failed = Some(error),
        }
        failed.is_none() && !best.wins()
    });
    match failed {
        Some(error) => Err(error),
        None if !moves => Ok(Some(law.stuck)),
        None if all || best.wins() => Ok(Some(best.value().0)),
        None => Ok(None),
    }
}

/// Whether [`implied`] tells the `value` of `board`, which is known. `look_up` takes positions after a move as I see them.
pub(super) fn is_implied(
    law: Law,
    board: &EndgameBoard,
    value: Value,
    mut look_up: impl FnMut(&EndgameBoard) -> Value,
) -> bool {
    let (mut moves, mut settled, mut won) = (false, true, false);
    board.quiet(&mut |after| {
        moves = true;
        if is_settled(law, &after) {
            won = value == Value::Win && look_up(&after) == Value::Loss;
            !won
        } else {
            settled = false;
            // What is not won needs all of them.
            value == Value::Win
        }
    });
    !moves || settled || won
}

/// Whether the position after my quiet move, as I see it, is settled.
#[inline]
fn is_settled(law: Law, after: &EndgameBoard) -> bool {
    after.is_threatened(law) || !after.must_capture(law)
}
