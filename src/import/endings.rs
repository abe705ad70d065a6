//! Results of proved games held against endgame databases.

use crate::board::{Outcome, Value};
use crate::engine::egdb::{Databases, Probed};
use crate::game::Ending;
use crate::intake::Chunk;
use crate::rules::Position;

/// Settles the games of a chunk whose last position `databases` know.
pub(super) fn settle(chunk: &mut Chunk, databases: &Databases) {
    for replayed in &mut chunk.games {
        replayed.settle(|end| ending(end, databases));
    }
}

/// What is known of `end`. A file that turns out to be damaged knows nothing; `egdb verify` tells what is wrong with it.
fn ending(end: &Position, databases: &Databases) -> Option<Ending> {
    let Probed { value, plies } = databases.probe(end).ok().flatten()?;
    let outcome = match value {
        Value::Win => Outcome::Won(end.turn()),
        Value::Draw => Outcome::Draw,
        Value::Loss => Outcome::Won(!end.turn()),
    };
    Some(Ending { outcome, plies })
}
