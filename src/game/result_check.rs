//! Results held against what is known of the last position.
//!
//! The board decides few games; most end when somebody resigns or both agree. Where few pieces are left, an endgame database
//! knows what the agreement was worth. That is never a contradiction: players do resign games that were won.

use crate::board::{Color, Outcome, Winner};
use crate::notation::{Code, Diagnostic, Severity};
use crate::rules::Position;

use super::replay::Replayed;
use super::result::{Ending, ResultCheck};
use super::verified::VerifiedGame;

impl Replayed {
    /// Asks `known` about the last position of a game whose end the board leaves open. A claimed result that it confirms is
    /// proved; one that it denies stays claimed, with a note.
    ///
    /// A game that was cut short is not asked about: its result belongs to another position.
    pub fn settle(&mut self, known: impl FnOnce(&Position) -> Option<Ending>) {
        let Some(game) = self.game.as_mut().filter(|game| game.complete && game.on_board.is_none()) else { return };
        let Some(ending) = known(game.line.end()) else { return };
        game.ending = Some(ending);
        if game.result_check != ResultCheck::Claimed {
            return;
        }
        if game.winner == Winner::from(Some(ending.outcome)) {
            game.result_check = ResultCheck::Proved;
        } else {
            self.findings.push(proved_otherwise(game, ending));
        }
    }
}

fn proved_otherwise(game: &VerifiedGame, ending: Ending) -> Diagnostic {
    let proof = match ending.outcome {
        Outcome::Won(Color::Black) => "Black wins",
        Outcome::Won(Color::White) => "White wins",
        Outcome::Draw => "a draw",
    };
    let written = game.verdict().map(|verdict| verdict.written.as_str());
    let distance = |plies: u16| format!("{proof} in {plies} {}", if plies == 1 { "ply" } else { "plies" });
    Diagnostic::new(Severity::Note, Code::ProvedOtherwise, game.location())
        .at(game.number(), game.line().moves().len() as u32)
        .found(game.result().or(written).unwrap_or_default())
        .expected(format!("{proof}: final position proved otherwise"))
        .hint(ending.plies.map(distance).unwrap_or_default())
}
