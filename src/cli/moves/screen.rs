//! The moves of a position as a page for a terminal, and model games below them.

use crate::board::Color;
use crate::book::Book;
use crate::cli::context::Context;
use crate::cli::error::CliError;
use crate::cli::position_argument::Named;
use crate::cli::show::BoardArgs;
use crate::game::write_moves;
use crate::query::{self, CountedLines, MoveRow};
use crate::render::{Format, PageMove, clean_for_terminal, moves_page, plural, wrap};
use crate::rules::Position;
use crate::table::{Row, SortOrder, Table};

/// Whether the answer is for a person who looks at a terminal and did not ask for columns.
pub(super) fn is_wanted(context: &Context) -> bool {
    context.args.format == Format::Table && context.args.columns.is_none() && context.is_terminal()
}

/// Prints the page of `rows`, the moves of `named`; where there are none, of the sentence `none`.
pub(super) fn print(
    context: &mut Context,
    board: &BoardArgs,
    book: &Book,
    named: &Named,
    mut rows: Vec<MoveRow>,
    none: &str,
) -> Result<(), CliError> {
    if let Some(column) = &context.args.sort {
        let order = SortOrder::read(MoveRow::COLUMNS, column).map_err(|error| CliError::usage(error.to_string()))?;
        rows.sort_by(|a, b| order.compare(&a.clone().values(), &b.clone().values()));
    }
    let total = rows.len() as u64;
    let number = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    // The title takes a line more than a table's heading.
    let keep = context.args.limit.or(context.row_limit().map(|rows| rows.saturating_sub(1)));
    let kept = rows.iter().skip(number(context.args.offset)).take(keep.map_or(usize::MAX, number));
    let moves: Vec<PageMove> = kept.map(page_move).collect();
    let width = usize::from(context.width());
    let mut diagram = board.options(context);
    diagram.last_move = named.moves.last().copied();
    let (bold, reset) = if diagram.color { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
    let mut text = String::new();
    for line in wrap(&clean_for_terminal(&title(book, named)), width) {
        text.push_str(&format!("{bold}{line}{reset}\n"));
    }
    text.push_str(&moves_page(&named.position.setup(), &moves, none, width, &diagram));
    context.out().write_all(text.as_bytes())?;
    let passed = context.args.offset.saturating_add(moves.len() as u64);
    if passed < total && !moves.is_empty() {
        context.say_what_is_left(&[format!("+{}: --limit {total}", plural(total - passed, "move", "moves"))]);
    }
    Ok(())
}

/// Prints `most` model games as a table of their own.
pub(super) fn print_games(
    context: &mut Context,
    counted: &CountedLines<'_>,
    position: &Position,
    most: usize,
) -> Result<(), CliError> {
    let games = query::model_games(counted, position, most)?;
    if games.is_empty() {
        return Ok(());
    }
    context.out().write_all(b"\n")?;
    context.print_whole(&Table::from_rows(games))
}

/// A row of the answer as the page shows it.
fn page_move(row: &MoveRow) -> PageMove {
    let stats = row.stats;
    PageMove {
        text: row.text.clone(),
        games: stats.games,
        results: [stats.black_wins, stats.draws, stats.white_wins],
        score: stats.score(row.turn),
        value: row.value.map(|worth| worth.value.name()),
        plies: row.value.and_then(|worth| worth.plies),
        leads_to: row.opening.clone(),
    }
}

/// What the position is called, and the moves that lead to it where they are known.
fn title(book: &Book, named: &Named) -> String {
    let played = write_moves(named.start, &named.moves);
    if let Some(opening) = book.at(named.position.key()) {
        return if played.is_empty() { opening.name.clone() } else { format!("{}: {played}", opening.name) };
    }
    let mut positions = vec![named.start];
    for step in &named.moves {
        positions.extend(positions.last().map(|position| position.play_unchecked(step)));
    }
    match book.identify(&positions, &named.moves).name() {
        Some(name) if !played.is_empty() => format!("{played} (a line of the {name})"),
        _ if !played.is_empty() => played,
        _ if named.position == Position::start(named.position.variant()) => "The starting position".to_owned(),
        _ => match named.position.turn() {
            Color::Black => "A position with Black to move".to_owned(),
            Color::White => "A position with White to move".to_owned(),
        },
    }
}
