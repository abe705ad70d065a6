//! `verify --deep`: what a source marks as losing, held against an analysis: the stored one, or one made for this and not kept.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::analysis::{AnnotationLimits, Annotator};
use crate::board::Winner;
use crate::engine::{Evaluation, MAX_DEPTH, StopFlag};
use crate::game::{Diagnostic, LineKind, Mark, NoteKind, Severity, VerifiedGame, move_text};
use crate::notation::{Code, Location};
use crate::store::{Database, StoredAnalysis, StoredLine};

use super::context::Context;
use super::engine::endings;
use super::error::CliError;

/// The limits of `annotate`, where nobody says others.
pub(super) const DEEP_LIMITS: AnnotationLimits =
    AnnotationLimits { nodes: 300_000, depth: MAX_DEPTH, proof_nodes: 1_000_000 };

/// Looks at marked lines.
pub(super) struct Deep {
    annotator: Annotator,
    /// Once it is set no line is looked at any more.
    stop: StopFlag,
}

impl Deep {
    pub(super) fn new(context: &Context, stop: StopFlag) -> Result<Self, CliError> {
        Ok(Self { annotator: Annotator::new(Arc::new(Evaluation::best()), endings(context)?), stop })
    }

    /// What there is to say of the marks of a game that was read.
    pub(super) fn of_game(&mut self, game: &VerifiedGame) -> Vec<Diagnostic> {
        let line = game.line();
        let marked = line.notes.iter().filter(|note| note.kind == NoteKind::Mark(Mark::Losing));
        let marks: BTreeSet<u32> = marked.map(|note| note.ply).collect();
        if marks.is_empty() || game.kind() == LineKind::Opening {
            return Vec::new();
        }
        let line = StoredLine { id: 0, start: *line.start(), moves: line.moves().to_vec() };
        let found = self.annotator.annotate(&line, game.winner(), &marks, &DEEP_LIMITS, &self.stop);
        let found = found.map(|annotated| annotated.analysis);
        found.map_or_else(Vec::new, |analysis| mark_findings(&analysis, &line, game.number(), game.location()))
    }

    /// What there is to say of the marks of a stored line.
    pub(super) fn of_line(&mut self, database: &Database, id: u32) -> Result<Vec<Diagnostic>, CliError> {
        let notes = database.notes(id)?;
        let marked = notes.iter().filter(|note| note.kind.marks_losing());
        let marks: BTreeSet<u32> = marked.map(|note| note.ply).collect();
        let Some(line) = database.line(id)?.filter(|_| !marks.is_empty()) else { return Ok(Vec::new()) };
        let analysis = match database.analysis(id)? {
            Some(analysis) => Some(analysis),
            None => {
                let winner = database.facts()?.get(id).map_or(Winner::Unknown, |fact| fact.winner);
                let found = self.annotator.annotate(&line, winner, &marks, &DEEP_LIMITS, &self.stop);
                found.map(|annotated| annotated.analysis)
            }
        };
        Ok(analysis.map_or_else(Vec::new, |analysis| mark_findings(&analysis, &line, id, Location::FIRST)))
    }
}

/// A note a mark, and one where result and proof contradict one another.
fn mark_findings(analysis: &StoredAnalysis, line: &StoredLine, game: u32, place: Location) -> Vec<Diagnostic> {
    let text = |ply: u32| {
        let index = ply.checked_sub(1)? as usize;
        Some(move_text(&line.positions().nth(index)?, line.moves.get(index)?))
    };
    let losing = analysis.swings.iter().find(|swing| swing.is_losing);
    let mut told = Vec::new();
    for swing in &analysis.swings {
        let Some(compares) = &swing.mark else { continue };
        let mut words = format!("{compares} ({})", swing.witness);
        if let Some(better) = losing.filter(|found| found.ply == swing.ply).and_then(|found| found.better.as_ref()) {
            words.push_str(&format!(", better {}", better.split(' ').next().unwrap_or_default()));
        }
        if let Some(other) = losing.filter(|found| found.ply != swing.ply) {
            words.push_str(&format!("; found to lose: ply {} {}", other.ply, text(other.ply).unwrap_or_default()));
        }
        let note = Diagnostic::new(Severity::Note, Code::LosingMove, place).at(game, swing.ply);
        told.push(note.found(format!("*{}", text(swing.ply).unwrap_or_default())).expected(words));
    }
    if let Some(note) = &analysis.note {
        let end = analysis.plies;
        told.push(Diagnostic::new(Severity::Note, Code::ResultContradicted, place).at(game, end).found(note.clone()));
    }
    told
}
