//! Analyses put into a record as marks, comments and variations, for exports that ask for them. They are told apart from the
//! source's, so that no import takes one for the other.

use crate::game::{move_text, read_moves};
use crate::store::{StoredAnalysis, StoredLine, StoredNote, StoredSwing};

use super::record::{BranchView, GameRecord};
use super::show::LineView;

/// The glyph of the losing move, `??`, and of another move that changed something, `?`.
const GLYPHS: [&str; 2] = ["$4", "$2"];

/// The kind of a note that no source wrote.
pub(super) const ANNOTATION: &str = "annotation";

/// Adds what was found out to `record`: a glyph and a comment at each move that changed what its position was worth, and the
/// better play as a variation. Nothing of the source is changed.
pub fn add_annotations(record: &mut GameRecord, analysis: &StoredAnalysis) {
    // Ids that no stored line has: they only tell lines of this record apart.
    let fresh = (0..u32::MAX).rev();
    for (swing, id) in analysis.swings.iter().filter(|swing| swing.is_swing).zip(fresh) {
        let glyph = if swing.is_losing { GLYPHS[0] } else { GLYPHS[1] };
        let notes = &mut record.main.notes;
        let at = notes.partition_point(|note| note.ply <= swing.ply);
        let note = |kind: &str, value: String| StoredNote { ply: swing.ply, kind: kind.to_owned(), value };
        notes.splice(at..at, [note("mark", glyph.to_owned()), note(ANNOTATION, told(swing))]);
        if let Some(branch) = better(record, swing, id) {
            // The branches of the main line come first, ascending by ply; theirs behind them.
            let at = record.branches.partition_point(|other| other.parent == record.id && other.ply <= swing.ply);
            record.branches.insert(at, branch);
        }
    }
}

/// The words of a comment.
fn told(swing: &StoredSwing) -> String {
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

/// The better play as a variation of the main line.
fn better(record: &GameRecord, swing: &StoredSwing, id: u32) -> Option<BranchView> {
    let start = record.main.line.positions().nth(swing.ply.checked_sub(1)? as usize)?;
    // What a damaged database says is left out.
    let moves = read_moves(swing.better.as_deref()?, start).ok()?;
    let line = StoredLine { id, start, moves };
    let texts = line.positions().zip(&line.moves).map(|(position, played)| move_text(&position, played)).collect();
    let notes = vec![StoredNote { ply: 0, kind: ANNOTATION.to_owned(), value: "better".to_owned() }];
    Some(BranchView { parent: record.id, ply: swing.ply, label: None, line: LineView { line, texts, notes } })
}
