//! Certificates: a proof written down, for [`super::check`] or anyone else to go through.
//!
//! A text of lines, in ASCII:
//!
//! ```text
//! crownhead-certificate 1
//! game 21
//! claim win
//! position 000015…00            the key of the position (rules::PositionKey) in hexadecimal
//! endings 6                     positions of so many pieces and fewer are left to a database
//! 000015…00 9-14                at each of the proving side's positions: its move
//! 000015…00 18x2:14,6           a capture names the squares of what it takes
//! digest 1f…                    BLAKE3 of all lines before
//! ```

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::board::Move;
use crate::rules::{FastPosition, PositionKey};

use super::check;
use super::claim::{Claim, Judge};
use super::proven::Proven;

/// The first line.
pub(super) const FIRST_LINE: &str = "crownhead-certificate 1";

/// A proof: the proving side's move at each of its positions that the other side can bring about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    position: PositionKey,
    claim: Claim,
    game: u32,
    endings: u32,
    moves: BTreeMap<PositionKey, Move>,
    longest: u32,
}

impl Certificate {
    /// The proof of `claim` about `position` out of what is proved; `None` if a part is missing.
    pub(super) fn assemble(position: &FastPosition, claim: Claim, judge: &Judge<'_>, proven: &Proven) -> Option<Self> {
        let root = position.position().ok()?;
        let mut moves = BTreeMap::new();
        // Depth first with a stack of our own; a position that was walked is not walked again.
        let mut plies: std::collections::HashMap<FastPosition, u32> = std::collections::HashMap::new();
        let mut endings = 0;
        let mut open = vec![(*position, false)];
        while let Some((here, below_done)) = open.pop() {
            if plies.contains_key(&here) {
                continue;
            }
            if let Some(holds) = judge.known(&here) {
                plies.insert(here, 0);
                endings = endings.max(here.pieces());
                if holds { continue } else { return None }
            }
            let steps = here.steps();
            if steps.is_empty() {
                plies.insert(here, 0);
                if judge.holds_when_stuck(&here) { continue } else { return None }
            }
            let next: Vec<FastPosition> = if judge.is_provers(&here) {
                let step = steps.get(usize::from(proven.step(&here)?))?;
                moves.insert(here.position().ok()?.key(), step.to_move());
                vec![here.after(step)]
            } else {
                steps.iter().map(|step| here.after(step)).collect()
            };
            if below_done {
                let deepest = next.iter().filter_map(|next| plies.get(next)).max().copied().unwrap_or(0);
                plies.insert(here, deepest + 1);
            } else {
                open.push((here, true));
                open.extend(next.into_iter().map(|next| (next, false)));
            }
        }
        Some(Self {
            position: root.key(),
            claim,
            game: u32::from(root.variant().game_type()),
            endings,
            moves,
            longest: plies.get(position).copied().unwrap_or(0),
        })
    }

    /// What is proved.
    #[must_use]
    pub const fn claim(&self) -> Claim {
        self.claim
    }

    /// Positions of so many pieces and fewer are left to a database; 0 where none was needed.
    #[must_use]
    pub const fn endings(&self) -> u32 {
        self.endings
    }

    /// How many positions have a move.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.moves.len()
    }

    /// Plies of the longest line down to the database or the end.
    #[must_use]
    pub const fn longest(&self) -> u32 {
        self.longest
    }

    /// The proving side's move in a position of the proof.
    #[must_use]
    pub fn move_in(&self, position: PositionKey) -> Option<Move> {
        self.moves.get(&position).copied()
    }

    /// The certificate as text.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = format!(
            "{FIRST_LINE}\ngame {}\nclaim {}\nposition {:032x}\nendings {}\n",
            self.game, self.claim, self.position.0, self.endings
        );
        for (key, chosen) in &self.moves {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{:032x} {}", key.0, written(chosen));
        }
        let digest = blake3::hash(text.as_bytes()).to_hex();
        let _ = writeln!(text, "digest {digest}");
        text
    }
}

/// The proving side's positions in the text of a certificate that the prover wrote, with its move in each; in all of them that side
/// has what it claims. Lines of another form are passed over. (A checker accepts other people's even with positions that no play
/// reaches, of which nothing is proved.)
pub fn certified_moves(text: &str) -> impl Iterator<Item = (PositionKey, Move)> {
    text.lines().filter_map(|line| {
        let (key, played) = line.split_once(' ')?;
        Some((check::key(key)?, check::read_move(played)?))
    })
}

/// `9-14`, or `18x2:14,6` with the squares of what is taken, ascending.
fn written(chosen: &Move) -> String {
    let (from, to) = (chosen.from.index() + 1, chosen.to.index() + 1);
    if !chosen.is_capture() {
        return format!("{from}-{to}");
    }
    let taken: Vec<String> = chosen.captured.squares().map(|square| (square.index() + 1).to_string()).collect();
    format!("{from}x{to}:{}", taken.join(","))
}
