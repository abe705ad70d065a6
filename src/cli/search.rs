//! `search`: where positions, patterns and material stand in stored play.

use crate::query::{self, Material, Pattern, PositionSearch, Sort};
use crate::table::Table;

use super::context::Context;
use super::error::{CliError, Exit};
use super::games::{FilterArgs, tell_misfits};

const EXAMPLES: &str = "\
Examples:
  crownhead search --position \"11-15 23-19 8-11\"    by any order of moves
  crownhead search --position \"ayrshire lassie\" --player wyllie
  crownhead search --pattern \"W18 b9|b10 -14 ?22\"   the rest free
  crownhead search --pattern \"BK1 WK5 W13\" --exact  and the rest empty
  crownhead search --material 4v3+1k --reversed     either way round
  crownhead search --material 2kv1k --year 1880..1899 --result draw
  crownhead --sort -ply --limit 10 search --pattern WK32

Pattern: words that must all hold, each a piece and a square. B, W: a man; BK,
WK: a king; b, w: either; -: empty; ?: anything; | between two: one or the
other. Material: Black's men + kings k, v, White's. Pattern and material given
together must stand in one position.

--position alone is what is sought, the side to move included. With --pattern or
--material it is a filter: games that passed through it, before or after.

A line is told once, at the first ply where all holds: ply counts the plies of
the game before it. Variations are found too, from the position where they leave
their game: game is then the game they belong to, line their own number for
crownhead show. Filters ask that game, but --kind, --result and --losing the
line itself.";

/// Find positions, patterns and material in stored play
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// These pieces: W18 b9|b10 -14 ?22
    #[arg(long, value_name = "PATTERN", allow_hyphen_values = true)]
    pattern: Option<String>,
    /// These numbers of pieces: 4v3+1k
    #[arg(long, value_name = "MATERIAL")]
    material: Option<String>,
    /// Also find it with colours reversed
    #[arg(long)]
    reversed: bool,
    #[command(flatten)]
    filters: FilterArgs,
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    let variant = context.args.variant;
    let mut filters = args.filters.filters(context)?;
    // Alone it is the question; beside one it filters games as it does everywhere else.
    let is_asked = args.pattern.is_some() || args.material.is_some();
    let position = if is_asked { None } else { filters.position.take() };
    let pattern_error = |error: query::PatternError| {
        CliError::from(error).hint("patterns look like W18 b9|b10 -14 ?22, material like 4v3+1k")
    };
    let pattern = args.pattern.as_deref().map(|text| Pattern::read(text, variant, filters.exact)).transpose();
    let material = args.material.as_deref().map(|text| Material::read(text, variant)).transpose();
    let search = PositionSearch {
        variant,
        position,
        pattern: pattern.map_err(pattern_error)?,
        material: material.map_err(pattern_error)?,
        reversed: args.reversed,
    };
    let database = context.database()?;
    let sort = Sort { column: context.args.sort.clone(), offset: context.args.offset, limit: context.row_limit() };
    let (rows, total) = query::search(&database, &search, &filters, &sort)?;
    if total == 0 && !tell_misfits(context, &database, &filters)? {
        context.message("Nothing found. Try fewer conditions, or --reversed.");
    }
    context.print_part(&Table::from_rows(rows), total, ("line", "lines"))?;
    Ok(if total == 0 { Exit::No } else { Exit::Done })
}
