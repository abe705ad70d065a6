//! What was found as comments, line by line, for people.

use std::collections::HashMap;

use crate::cli::context::Context;
use crate::cli::error::CliError;
use crate::game::move_text;
use crate::query::{LineTitle, Origins, proved_from, remark};
use crate::render::{clean_for_terminal, plural, sentence, wrap};
use crate::rules::Position;
use crate::store::{StoredAnalysis, StoredLine, StoredSwing};
use crate::table::escaped;

use super::Library;

/// Plies that are told of the play against a losing move.
const CONTINUATION_PLIES: usize = 8;
/// Blanks before a comment.
const INDENT: usize = 2;

/// Prints what was found of the lines `ids`.
pub(super) fn print(
    context: &mut Context,
    library: &Library,
    ids: &[u32],
    found: &HashMap<u32, StoredAnalysis>,
    all_swings: bool,
) -> Result<(), CliError> {
    let database = &library.database;
    let mut origins = Origins::for_some(database, ids.len())?;
    let width = usize::from(context.width());
    for id in ids {
        let (Some(analysis), Some(line)) = (found.get(id), database.line(*id)?) else { continue };
        let Some(head) = LineTitle::read(database, *id)? else { continue };
        let origin = origins.lookup(*id)?;
        let name =
            if library.is_stored() { format!("Line {id}") } else { format!("{}:{}", head.source, head.game_number) };
        let title = match origin.parent {
            Some(_) if library.is_stored() => format!("variation of line {} after ply {}", origin.game, origin.plies),
            Some(_) => format!("a variation after ply {}", origin.plies),
            None => head.sentence(),
        };
        let title = if title.is_empty() { name } else { format!("{name}: {title}") };
        let mut text = lines_of(&escaped(&title), width, 0);
        for sentence in sentences(analysis, &line, origin.plies, all_swings) {
            text.push_str(&lines_of(&sentence, width, INDENT));
        }
        context.out().write_all(text.as_bytes())?;
    }
    Ok(())
}

/// `text` as lines for a terminal, `indent` blanks before each.
fn lines_of(text: &str, width: usize, indent: usize) -> String {
    let lines = wrap(&clean_for_terminal(text), width.saturating_sub(indent));
    lines.iter().map(|line| format!("{:indent$}{line}\n", "")).collect()
}

/// What there is to say of a line that begins after `before` plies of its game.
fn sentences(analysis: &StoredAnalysis, line: &StoredLine, before: u32, all_swings: bool) -> Vec<String> {
    let positions: Vec<Position> = line.positions().collect();
    let comment = |swing: &StoredSwing| {
        let index = (swing.ply as usize).checked_sub(1)?;
        let played = move_text(positions.get(index)?, line.moves.get(index)?);
        Some(remark(swing, &played, swing.ply + before, CONTINUATION_PLIES))
    };
    let is_told = |swing: &&StoredSwing| swing.is_losing || swing.mark.is_some() || (all_swings && swing.is_swing);
    let mut told: Vec<String> = analysis.swings.iter().filter(is_told).filter_map(comment).collect();
    let proved = analysis.proved_ply.filter(|ply| analysis.losing_ply != Some(*ply)).and_then(|ply| {
        let index = (ply as usize).checked_sub(1)?;
        Some(proved_from(&move_text(positions.get(index)?, line.moves.get(index)?), ply + before))
    });
    told.extend(proved);
    if analysis.losing_ply.is_none() {
        let others = analysis.swings.iter().filter(|swing| swing.is_swing).count() as u64;
        told.push(match others {
            0 => "No losing move: no move changed the value.".to_owned(),
            _ if all_swings => "No losing move.".to_owned(),
            others => {
                format!("No losing move; {} gave something away: see --all-swings.", plural(others, "move", "moves"))
            }
        });
    }
    told.extend(analysis.note.as_deref().map(sentence));
    told
}
