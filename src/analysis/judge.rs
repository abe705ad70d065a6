//! From what was seen of each position to what each move did.
//!
//! Values go backwards through the line: what came of the move that was played tells about the position before it. The side to
//! move could have played it, so its position is worth no less; and where no better move was seen, it is worth the same. So
//! a value never rises by one's own move, and a fall is put down to the move for which a better one was seen. Proofs go both
//! ways: a position is worth at least what a move of it gives, and none of its moves gives more than it is worth. No score
//! outranks what follows from them.

use crate::board::{Bounds, Color, Move, Value, Witness};
use crate::engine::Score;

use super::value::{PositionValue, SAME_SCORE_MARGIN};

/// What was seen of a position, for the side to move.
#[derive(Clone, Debug)]
pub(super) struct Assessment {
    /// What the search found.
    pub(super) score: Option<Score>,
    /// The best play it found.
    pub(super) line: Vec<Move>,
    /// What is proved of it by itself.
    pub(super) proved: Bounds,
}

/// A move that changed what the position was worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Swing {
    /// The ply, from 1.
    pub ply: u32,
    /// Before it, for the side that moved.
    pub before: PositionValue,
    /// After it, for the same side.
    pub after: PositionValue,
}

impl Swing {
    /// Who says that the move made the value fall: proved only where the least before it is more than the most after it.
    #[must_use]
    pub fn witness(&self) -> Witness {
        if self.before.proved.least > self.after.proved.most { Witness::Proved } else { Witness::Engine }
    }
}

/// What is proved of each position of a line, for its side to move, by itself or by what is proved of the others.
fn proved(looks: &[Assessment]) -> Vec<Bounds> {
    let mut proved: Vec<Bounds> = looks.iter().map(|look| look.proved).collect();
    for index in (1..proved.len()).rev() {
        proved[index - 1] = proved[index - 1].and(proved[index].turned().at_least());
    }
    for index in 1..proved.len() {
        proved[index] = proved[index].and(proved[index - 1].at_most().turned());
    }
    proved
}

/// The values of the positions of a line, each for its side to move. `same` is the difference of scores that does not count.
pub(super) fn values(looks: &[Assessment], moves: &[Move], same: i16) -> Vec<PositionValue> {
    let mut values: Vec<PositionValue> = Vec::with_capacity(looks.len());
    for ((index, look), proved) in looks.iter().enumerate().zip(proved(looks)).rev() {
        let own = PositionValue::new(look.score, proved);
        let after = values.last().map(|next| next.turned());
        values.push(match (after, moves.get(index)) {
            (Some(after), Some(played)) => before(look, own, after, played, same),
            _ => own,
        });
    }
    values.reverse();
    values
}

/// The value of a position from which `played` leads to what is worth `after` to the same side.
fn before(look: &Assessment, own: PositionValue, after: PositionValue, played: &Move, same: i16) -> PositionValue {
    if own.is_exact() {
        return own;
    }
    let other = look.line.first().is_some_and(|best| best != played);
    if other && own.weight() > after.weight().saturating_add(same) {
        return own.taken_for(own.value.max(after.value));
    }
    // No better move was seen. A proof outlasts what was played all the same.
    PositionValue { score: after.score, ..own }.taken_for(after.value)
}

/// The moves that changed something, ascending by ply.
pub(super) fn swings(values: &[PositionValue]) -> Vec<Swing> {
    let moves = values.windows(2).zip(1..);
    moves
        .filter_map(|(pair, ply)| {
            let (before, after) = (pair[0], pair[1].turned());
            (after.value < before.value).then_some(Swing { ply, before, after })
        })
        .collect()
}

/// The last move by which `loser` passed from not lost to lost; none where its last position is not lost.
pub(super) fn losing_move(values: &[PositionValue], first: Color, loser: Color) -> Option<u32> {
    let side = |index: usize| if index.is_multiple_of(2) { first } else { !first };
    let last = values.len().checked_sub(1)?;
    let end = if side(last) == loser { values[last] } else { values[last].turned() };
    if end.value != Value::Loss {
        return None;
    }
    let of_loser = |swing: &&Swing| side(swing.ply as usize - 1) == loser && swing.after.value == Value::Loss;
    swings(values).iter().rev().find(of_loser).map(|swing| swing.ply)
}

/// Values and losing move by scores that differ enough, or else by any that differ.
pub(super) fn judge(
    looks: &[Assessment],
    moves: &[Move],
    first: Color,
    loser: Option<Color>,
) -> (Vec<PositionValue>, Option<u32>) {
    for same in [SAME_SCORE_MARGIN, 0] {
        let values = values(looks, moves, same);
        let ply = loser.and_then(|loser| losing_move(&values, first, loser));
        let is_lost = loser.is_some_and(|loser| {
            let turn = if moves.len().is_multiple_of(2) { first } else { !first };
            let end = values.last().map(|end| if turn == loser { *end } else { end.turned() });
            end.is_some_and(|end| end.value == Value::Loss)
        });
        if ply.is_some() || !is_lost {
            return (values, ply);
        }
    }
    (values(looks, moves, SAME_SCORE_MARGIN), None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::value::bounds_of_claim;
    use crate::board::{Bitboard, Square};
    use crate::engine::Claim;

    fn step(from: u8) -> Move {
        Move { from: Square::new(from), to: Square::new(from + 4), captured: Bitboard::EMPTY }
    }

    /// A line of which each position has a score for its side to move and whether another move than the next one was best.
    fn line(seen: &[(i16, bool)]) -> (Vec<Assessment>, Vec<Move>) {
        let looks = seen.iter().zip(0..).map(|((score, other), at)| Assessment {
            score: Some(Score(*score)),
            line: vec![step(if *other { 20 } else { at })],
            proved: Bounds::OPEN,
        });
        (looks.collect(), (0..seen.len() as u8 - 1).map(step).collect())
    }

    #[test]
    fn the_losing_move_is_the_last_that_passes_to_lost() {
        // Black errs at ply 1, White gives it back at ply 2, Black errs again at ply 3.
        let (looks, moves) = line(&[(0, true), (120, true), (5, true), (130, false), (-140, false)]);
        let (values, losing) = judge(&looks, &moves, Color::Black, Some(Color::Black));
        assert_eq!(losing, Some(3));
        let told: Vec<_> =
            swings(&values).iter().map(|s| (s.ply, s.before.says().name(), s.after.says().name())).collect();
        assert_eq!(told, [(1, "draw", "loss"), (2, "win", "draw"), (3, "draw", "loss")]);
    }

    #[test]
    fn a_move_for_which_no_better_was_seen_is_not_to_blame() {
        // The search at ply 3 had hoped for more of the move that was played; the error is that of ply 1.
        let (looks, moves) = line(&[(0, true), (60, false), (-60, false), (90, false), (-100, false)]);
        assert_eq!(judge(&looks, &moves, Color::Black, Some(Color::Black)).1, Some(1));
    }

    #[test]
    fn scores_that_hardly_differ_are_the_same() {
        let (looks, moves) = line(&[(0, true), (90, false), (-60, true), (75, false), (-80, false)]);
        assert_eq!(judge(&looks, &moves, Color::Black, Some(Color::Black)).1, Some(1));
    }

    #[test]
    fn a_proof_outranks_scores() {
        let (mut looks, moves) = line(&[(0, true), (90, false), (-90, true), (110, false), (-110, false)]);
        assert_eq!(judge(&looks, &moves, Color::Black, Some(Color::Black)).1, Some(1));
        looks[2].proved = bounds_of_claim(Claim::NotLoss);
        let (values, losing) = judge(&looks, &moves, Color::Black, Some(Color::Black));
        assert_eq!(losing, Some(3));
        let swing = swings(&values)[0];
        assert_eq!((swing.before.says(), swing.before.witness()), (Bounds::NOT_LOSS, Witness::Proved));
        assert_eq!(swing.witness(), Witness::Engine, "after it only the engine says so");
    }

    #[test]
    fn a_fall_is_proved_only_where_both_sides_of_it_are() {
        // Proved not won before the move, lost after it: whether he was lost before is the engine's word.
        let (mut looks, moves) = line(&[(0, true), (0, true), (140, false)]);
        looks[1].proved = bounds_of_claim(Claim::NotWin);
        looks[2].proved = bounds_of_claim(Claim::Win);
        let (values, losing) = judge(&looks, &moves, Color::Black, Some(Color::White));
        assert_eq!(losing, Some(2));
        assert_eq!(swings(&values)[0].witness(), Witness::Engine);
        looks[1].proved = Bounds::exactly(Value::Draw);
        let (values, _) = judge(&looks, &moves, Color::Black, Some(Color::White));
        assert_eq!(swings(&values)[0].witness(), Witness::Proved);
    }

    #[test]
    fn what_is_proved_of_a_position_outranks_scores_on_both_sides_of_it() {
        // White to move at ply 2 is proved not won: no move of his makes Black lost, whatever the engine says; Black's next does.
        let (mut looks, moves) = line(&[(0, true), (140, true), (-140, true), (150, false), (-150, false)]);
        assert_eq!(judge(&looks, &moves, Color::Black, Some(Color::Black)).1, Some(1));
        looks[1].proved = bounds_of_claim(Claim::NotWin);
        let (values, losing) = judge(&looks, &moves, Color::Black, Some(Color::Black));
        assert_eq!(losing, Some(3));
        assert_eq!((values[2].says(), values[2].witness()), (Bounds::NOT_LOSS, Witness::Proved));
        assert_eq!((values[0].says(), values[0].witness()), (Bounds::NOT_LOSS, Witness::Proved), "by its first move");
    }

    #[test]
    fn a_side_that_is_not_lost_at_the_end_has_no_losing_move() {
        let (looks, moves) = line(&[(0, true), (120, true), (5, false)]);
        let (values, losing) = judge(&looks, &moves, Color::Black, Some(Color::Black));
        assert_eq!((losing, swings(&values).len()), (None, 2));
    }
}
