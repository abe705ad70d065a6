//! What an analysis found of one move, in the words of a comment: `11... 13-9?? loses; 20-16 held (engine). Then 6x13 20-16 …`

use crate::board::Value;
use crate::store::StoredSwing;

/// The sign of the losing move, and of another move that gave something away.
const MOVE_SIGNS: [&str; 2] = ["??", "?"];

/// The sign that an analysis puts behind a move: `??` behind the losing one, `?` behind another that gave something away, nothing
/// behind one that only the source marks.
#[must_use]
pub fn remark_mark(swing: &StoredSwing) -> &'static str {
    match (swing.is_losing, swing.is_swing) {
        (true, _) => MOVE_SIGNS[0],
        (false, true) => MOVE_SIGNS[1],
        (false, false) => "",
    }
}

/// The comment on the move `played`, which stands at `ply` of its game (from 1). Of the play against it, `plies` are told.
#[must_use]
pub fn remark(swing: &StoredSwing, played: &str, ply: u32, plies: usize) -> String {
    let dots = if ply % 2 == 1 { "." } else { "..." };
    let mut text = format!("{}{dots} {played}{}", ply.div_ceil(2), remark_mark(swing));
    if swing.is_swing {
        text.push_str(&format!(" {}.", verdict(swing)));
        if let Some(refutation) = &swing.refutation {
            let then = beginning(refutation, plies) + &ending(swing);
            text.push_str(&format!(" Then {then}{}", if then.ends_with('…') { "" } else { "." }));
        }
    } else {
        text.push('.');
    }
    if let Some(mark) = &swing.mark {
        text.push_str(&format!(" The source's mark: {mark}."));
    }
    text
}

/// From which move of the game on its loser is proved lost: the move `played`, which stands at `ply` (from 1).
#[must_use]
pub fn proved_from(played: &str, ply: u32) -> String {
    let dots = if ply % 2 == 1 { "." } else { "..." };
    format!("Proved lost after {}{dots} {played}.", ply.div_ceil(2))
}

/// What the move did, and what would have been better.
fn verdict(swing: &StoredSwing) -> String {
    let did = match (swing.before.exact(), swing.after.exact()) {
        (_, Some(Value::Loss)) => "loses".to_owned(),
        (Some(Value::Win), _) => "gives the win away".to_owned(),
        _ => format!("turns a {} into a {}", swing.before, swing.after),
    };
    let better = swing.better.as_deref().and_then(|line| line.split(' ').next());
    let instead = match (better, swing.before) {
        (Some(better), before) if before.least == Value::Win => format!("{better} won"),
        (Some(better), before) if before.least == Value::Draw => format!("{better} held"),
        (Some(better), before) => format!("{better} kept the {before}"),
        (None, before) => format!("before it: {before}"),
    };
    if swing.before_witness == swing.after_witness {
        format!("{did}; {instead} ({})", swing.after_witness)
    } else {
        format!("{did} ({}); {instead} ({})", swing.after_witness, swing.before_witness)
    }
}

/// The first moves of a line, and whether there are more.
fn beginning(line: &str, plies: usize) -> String {
    let mut moves: Vec<&str> = line.split(' ').take(plies.saturating_add(1)).collect();
    if moves.len() > plies {
        moves.truncate(plies);
        moves.push("…");
    }
    moves.join(" ")
}

/// How soon it is over, where that was seen.
fn ending(swing: &StoredSwing) -> String {
    swing.distance.map_or_else(String::new, |plies| match plies {
        1 => " (1 ply to the end)".to_owned(),
        plies => format!(" ({plies} plies to the end)"),
    })
}

#[cfg(test)]
mod tests {
    use crate::board::{Bounds, Witness};

    use super::*;

    const WIN: Bounds = Bounds::exactly(Value::Win);
    const DRAW: Bounds = Bounds::exactly(Value::Draw);
    const LOSS: Bounds = Bounds::exactly(Value::Loss);

    fn swing(before: Bounds, after: Bounds, is_losing: bool) -> StoredSwing {
        StoredSwing {
            ply: 22,
            is_swing: true,
            is_losing,
            witness: Witness::Engine,
            before,
            before_witness: Witness::Engine,
            before_score: None,
            after,
            after_witness: Witness::Engine,
            after_score: None,
            better: Some("20-16 8-11".to_owned()),
            refutation: Some("6x13 20-16 8-11 16x7".to_owned()),
            distance: None,
            before_certificate: None,
            certificate: None,
            mark: None,
        }
    }

    #[test]
    fn a_swing_reads_like_a_comment() {
        let told = remark(&swing(DRAW, LOSS, true), "13-9", 22, 3);
        assert_eq!(told, "11... 13-9?? loses; 20-16 held (engine). Then 6x13 20-16 8-11 …");
        let told = remark(&swing(WIN, DRAW, false), "13-9", 21, 9);
        assert_eq!(told, "11. 13-9? gives the win away; 20-16 won (engine). Then 6x13 20-16 8-11 16x7.");
    }

    #[test]
    fn each_witness_stands_with_what_it_says() {
        let mut proved = swing(Bounds::NOT_LOSS, LOSS, true);
        proved.after_witness = Witness::Proved;
        (proved.refutation, proved.better) = (None, None);
        assert_eq!(remark(&proved, "13-9", 2, 3), "1... 13-9?? loses (proved); before it: not-loss (engine).");
    }

    #[test]
    fn a_mark_that_nothing_bears_out_is_told_without_a_verdict() {
        let marked = StoredSwing {
            is_swing: false,
            mark: Some("not confirmed at this depth".to_owned()),
            ..swing(DRAW, DRAW, false)
        };
        assert_eq!(remark(&marked, "13-9", 2, 3), "1... 13-9. The source's mark: not confirmed at this depth.");
    }
}
