//! What sources claim of positions: verdicts at the ends of lines, and marks of losing moves.

use std::collections::HashMap;

use crate::board::{Color, Outcome, Value, Winner};
use crate::notation::book;
use crate::rules::PositionKey;
use crate::store::{Database, StoreError};

/// What says something of a position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ClaimKind {
    /// The verdict at the end of the line.
    Verdict,
    /// The mark of a losing move: what it says of the position after the move.
    Mark,
    /// The same mark: that before the move its side was not lost yet.
    Before,
}

impl ClaimKind {
    /// The name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Verdict => "verdict",
            Self::Mark => "mark",
            Self::Before => "before mark",
        }
    }
}

/// What one line says of one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineClaim {
    /// The line.
    pub line: u32,
    /// The ply of it after which the position stands.
    pub ply: u32,
    /// What says it.
    pub kind: ClaimKind,
    /// What the side to move is said to have, or, [before](ClaimKind::Before) a mark, to have at least.
    pub value: Value,
}

/// What a winner is for the side to move.
pub(super) fn value_for(winner: Winner, turn: Color) -> Value {
    match (winner, turn) {
        (Winner::Black, Color::Black) | (Winner::White, Color::White) => Value::Win,
        (Winner::Black, Color::White) | (Winner::White, Color::Black) => Value::Loss,
        (Winner::Draw | Winner::Unknown, _) => Value::Draw,
    }
}

/// The winner by the verdict at the end of each line that has one. A variation has it as the comment behind its last move.
pub(super) fn verdicts(database: &Database) -> Result<HashMap<u32, Winner>, StoreError> {
    let mut verdicts: HashMap<u32, Winner> = database.verdicts()?.into_iter().collect();
    let of_variations = database.closing_comments()?.into_iter();
    verdicts.extend(of_variations.filter_map(|(line, comment)| {
        let verdict = book::verdict(&comment)?;
        Some((line, Winner::from(Some(verdict.outcome))))
    }));
    Ok(verdicts)
}

/// What the marks of losing moves say, with the keys of the positions.
pub(super) fn marks(database: &Database) -> Result<Vec<(PositionKey, LineClaim)>, StoreError> {
    let mut claims = Vec::new();
    let marks = database.losing_marks()?;
    for of_line in marks.chunk_by(|(a, _), (b, _)| a == b) {
        let Some(&(id, _)) = of_line.first() else { continue };
        let Some(line) = database.line(id)? else { continue };
        let keys: Vec<PositionKey> = line.positions().map(|position| position.key()).collect();
        for &(line, ply) in of_line {
            // A mark beyond what is stored of its line is about nothing that is here.
            let (Some(&before), Some(&after)) = (keys.get(ply as usize - 1), keys.get(ply as usize)) else { continue };
            claims.push((after, LineClaim { line, ply, kind: ClaimKind::Mark, value: Value::Win }));
            claims.push((before, LineClaim { line, ply: ply - 1, kind: ClaimKind::Before, value: Value::Draw }));
        }
    }
    Ok(claims)
}

/// What a value of the side to move is by colour.
pub(super) const fn outcome(value: Value, turn: Color) -> Outcome {
    match (value, turn) {
        (Value::Draw, _) => Outcome::Draw,
        (Value::Win, turn) => Outcome::Won(turn),
        (Value::Loss, Color::Black) => Outcome::Won(Color::White),
        (Value::Loss, Color::White) => Outcome::Won(Color::Black),
    }
}
