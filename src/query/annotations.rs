//! Analyses put into a record as marks, comments and variations, for exports that ask for them. They are told apart from the
//! source's, so that no import takes one for the other.

use crate::game::{Mark, Note, NoteKind, move_text, read_moves};
use crate::store::{StoredAnalysis, StoredLine, StoredSwing};

use super::record::{BranchView, GameRecord};
use super::show::LineView;

/// The glyph of the losing move, `??`, and of another move that changed something, `?`.
const MARK_GLYPHS: [Mark; 2] = [Mark::Nag(4), Mark::Nag(2)];

/// Adds what was found out of the main line and of variations to `record`: a glyph and a comment at each move that changed what
/// its position was worth, and the better play as a variation. Nothing of the source is changed.
pub fn add_annotations(record: &mut GameRecord, analyses: &[StoredAnalysis]) {
    // Ids that no stored line has: they only tell lines of this record apart.
    let mut fresh = (0..u32::MAX).rev();
    for analysis in analyses {
        let branches = record.branches.iter_mut().map(|branch| &mut branch.line);
        let mut lines = std::iter::once(&mut record.main).chain(branches);
        let Some(view) = lines.find(|view| view.line.id == analysis.line) else { continue };
        let mut found = Vec::new();
        for (swing, id) in analysis.swings.iter().filter(|swing| swing.is_swing).zip(&mut fresh) {
            let glyph = if swing.is_losing { MARK_GLYPHS[0] } else { MARK_GLYPHS[1] };
            let at = view.notes.partition_point(|note| note.ply <= swing.ply);
            view.notes.insert(at, Note { ply: swing.ply, kind: NoteKind::Mark(glyph) });
            view.found.push((swing.ply, swing_text(swing)));
            found.extend(better(&view.line, swing, id));
        }
        for branch in found {
            // Before the first of the same line that stands later; else behind all, so behind the line it leaves.
            let is_later = |other: &BranchView| other.parent == branch.parent && other.ply > branch.ply;
            let at = record.branches.iter().position(is_later).unwrap_or(record.branches.len());
            record.branches.insert(at, branch);
        }
    }
}

/// The words of a comment.
fn swing_text(swing: &StoredSwing) -> String {
    let losing = if swing.is_losing { "the losing move, " } else { "" };
    let mut text = format!(
        "{losing}{} ({}) before, {} ({}) after",
        swing.before, swing.before_witness, swing.after, swing.after_witness
    );
    if let Some(refutation) = &swing.refutation {
        text.push_str(&format!("; then {refutation}"));
    }
    text
}

/// The better play as a variation of the line that was looked at.
fn better(played: &StoredLine, swing: &StoredSwing, id: u32) -> Option<BranchView> {
    let start = played.positions().nth(swing.ply.checked_sub(1)? as usize)?;
    // What a damaged database says is left out.
    let moves = read_moves(swing.better.as_deref()?, start).ok()?;
    let line = StoredLine { id, start, moves };
    let texts = line.positions().zip(&line.moves).map(|(position, played)| move_text(&position, played)).collect();
    let (notes, found) = (Vec::new(), vec![(0, "better".to_owned())]);
    Some(BranchView { parent: played.id, ply: swing.ply, label: None, line: LineView { line, texts, notes, found } })
}
