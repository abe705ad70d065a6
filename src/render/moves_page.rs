//! The moves of a position for a terminal: the board, and beside it a row per move with a bar of how its games ended.
//!
//! The board stands beside the table where both have room, and is left out elsewhere. Without its numbers at the sides it is 34
//! columns wide, so that a gap and a table of 44 columns fill a terminal of 80.

use crate::board::Setup;

use super::diagram::{DiagramOptions, board};
use super::text::{cut, display_width, one_line, wrap};

/// One move of the page.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PageMove {
    /// The move.
    pub text: String,
    /// Games that played it.
    pub games: u32,
    /// How many of them Black won, how many were drawn, how many White won.
    pub results: [u32; 3],
    /// The score of the side to move.
    pub score: Option<f64>,
    /// What the move is worth to the side that plays it.
    pub value: Option<&'static str>,
    /// Plies to the end with best play.
    pub plies: Option<u16>,
    /// The opening that it leads to.
    pub leads_to: Option<String>,
}

/// The room that a table beside a board must have.
const TABLE_WIDTH: usize = 44;
/// Between two columns, and between board and table.
const GAP: usize = 2;
/// The least and the most columns of a bar.
const BAR_WIDTHS: (usize, usize) = (6, 24);
/// As much of an opening's name as should be seen before another column is left out for it.
const NAME_WIDTH: usize = 13;
const BOLD: &str = "\x1b[1m";
const RESET: &str = "\x1b[0m";

/// A column of the table: its heading and a cell per move, all as wide as they are.
struct PageColumn {
    heading: String,
    cells: Vec<String>,
    right: bool,
}

impl PageColumn {
    fn width(&self) -> usize {
        let cells = self.cells.iter().map(|cell| display_width(cell)).max().unwrap_or(0);
        cells.max(display_width(&self.heading))
    }
}

/// `moves`, played in `setup`, as a page at most `width` columns wide; every line ends with a newline. Where there are none,
/// the sentence `none` stands in the place of their table.
#[must_use]
pub fn moves_page(setup: &Setup, moves: &[PageMove], none: &str, width: usize, diagram: &DiagramOptions) -> String {
    let table = |width: usize| if moves.is_empty() { wrap(none, width) } else { lines(moves, width, diagram) };
    let sides = [true, false].into_iter().find_map(|sides| {
        let drawn = board(setup, &DiagramOptions { sides, ..*diagram });
        let wide = drawn.lines().map(visible_width).max().unwrap_or(0);
        (wide + GAP + TABLE_WIDTH <= width).then_some((drawn, wide))
    });
    let Some((drawn, wide)) = sides else {
        return table(width).iter().map(|line| format!("{line}\n")).collect();
    };
    let table = table(width - wide - GAP);
    let mut left = drawn.lines();
    let mut text = String::new();
    for row in 0..table.len().max(drawn.lines().count()) {
        let part = left.next().unwrap_or_default();
        let line = table.get(row).map_or("", String::as_str);
        let pad = if line.is_empty() { 0 } else { wide + GAP - visible_width(part) };
        text.push_str(&format!("{part}{:pad$}{line}\n", ""));
    }
    text
}

/// The columns that `text` takes, escape sequences for colours apart.
fn visible_width(text: &str) -> usize {
    let mut parts = text.split("\x1b[");
    let plain = parts.next().map_or(0, display_width);
    plain + parts.map(|part| display_width(part.split_once('m').map_or(part, |(_, rest)| rest))).sum::<usize>()
}

/// The table as lines: a heading, a rule, a line per move.
fn lines(moves: &[PageMove], width: usize, diagram: &DiagramOptions) -> Vec<String> {
    let columns = columns(moves, width, diagram.ascii);
    let line = |cell: &dyn Fn(&PageColumn) -> String| {
        let mut text = String::new();
        for (at, column) in columns.iter().enumerate() {
            let cell = cell(column);
            let pad = " ".repeat(column.width().saturating_sub(display_width(&cell)));
            text.push_str(&if column.right { pad + &cell } else { cell + &pad });
            if at + 1 < columns.len() {
                text.push_str(&" ".repeat(GAP));
            }
        }
        text.trim_end().to_owned()
    };
    let heading = line(&|column| column.heading.clone());
    let total = columns.iter().map(PageColumn::width).sum::<usize>() + GAP * columns.len().saturating_sub(1);
    let rule = if diagram.ascii { "-" } else { "─" }.repeat(total);
    let mut lines = vec![if diagram.color { format!("{BOLD}{heading}{RESET}") } else { heading }, rule];
    lines.extend((0..moves.len()).map(|row| line(&|column| column.cells.get(row).cloned().unwrap_or_default())));
    lines
}

/// The columns that fit in `width`. What is left out for an opening's name first is the number of plies, then values that say
/// nothing but draw, then the score, then other values.
fn columns(moves: &[PageMove], width: usize, ascii: bool) -> Vec<PageColumn> {
    let column = |heading: &str, right, cell: &dyn Fn(&PageMove) -> String| PageColumn {
        heading: heading.to_owned(),
        cells: moves.iter().map(cell).collect(),
        right,
    };
    let number = |number: Option<String>| number.unwrap_or_default();
    let named: Vec<String> = moves.iter().map(|m| one_line(m.leads_to.as_deref().unwrap_or_default())).collect();
    let mut first = vec![column("move", false, &|m| m.text.clone())];
    let is_played = moves.iter().any(|m| m.games > 0);
    if is_played {
        first.push(column("games", true, &|m| m.games.to_string()));
    }
    let mut others = Vec::new();
    if moves.iter().any(|m| m.value.is_some()) {
        others.push(column("value", false, &|m| m.value.unwrap_or_default().to_owned()));
    }
    if moves.iter().any(|m| m.score.is_some()) {
        others.push(column("score", true, &|m| number(m.score.map(|score| format!("{score:.2}")))));
    }
    if moves.iter().any(|m| m.plies.is_some()) {
        others.push(column("plies", true, &|m| number(m.plies.map(|plies| plies.to_string()))));
    }
    let names = PageColumn { heading: "leads to".to_owned(), cells: named, right: false };
    let has_names = names.cells.iter().any(|name| !name.is_empty());
    let natural = if has_names { names.width() } else { 0 };
    let least =
        natural.min(NAME_WIDTH) + if has_names { GAP } else { 0 } + if is_played { BAR_WIDTHS.0 + GAP } else { 0 };
    let taken = |columns: &[PageColumn]| columns.iter().map(|column| column.width() + GAP).sum::<usize>();
    // The last one goes first.
    let is_level = moves.iter().all(|m| m.value.is_none_or(|value| value == "draw"));
    if is_level {
        others.sort_by_key(|column| ["score", "value", "plies"].iter().position(|heading| *heading == column.heading));
    }
    while taken(&first) + taken(&others) + least > width + GAP && others.pop().is_some() {}
    let mut spare = (width + GAP).saturating_sub(taken(&first) + taken(&others) + least);
    let for_name = spare.min(natural - natural.min(NAME_WIDTH));
    spare -= for_name;
    if is_played {
        let wide = BAR_WIDTHS.0 + spare.min(BAR_WIDTHS.1 - BAR_WIDTHS.0);
        let signs = if ascii { ['#', '-', '.'] } else { ['█', '▒', '░'] };
        let [black, drawn, white] = signs;
        let heading = format!("{black}B{drawn}={white}W");
        let cells = moves.iter().map(|m| bar(m.results, wide, signs)).collect();
        first.push(PageColumn { heading, cells, right: false });
    }
    // The score reads best behind the bar it sums up.
    others.sort_by_key(|column| column.heading != "score");
    first.extend(others);
    if has_names {
        let (room, ellipsis) = (natural.min(NAME_WIDTH) + for_name, if ascii { "..." } else { "…" });
        let cells = names.cells.iter().map(|name| cut(name, room, ellipsis).into_owned()).collect();
        first.push(PageColumn { cells, ..names });
    }
    first
}

/// A bar `width` columns wide of which each result has its share, a column at least where it occurred; blank where no game has
/// a known winner.
fn bar(results: [u32; 3], width: usize, signs: [char; 3]) -> String {
    let total: u64 = results.iter().map(|count| u64::from(*count)).sum();
    if total == 0 {
        return String::new();
    }
    let wide = width as u64;
    let mut cells = results.map(|count| (u64::from(count) * wide / total).max(u64::from(count > 0)));
    // What a result lacks of its share, in columns times games.
    let lack =
        |at: usize, cells: &[u64; 3]| u64::from(results[at]) as i128 * i128::from(wide) - i128::from(cells[at] * total);
    while cells.iter().sum::<u64>() != wide {
        let short = cells.iter().sum::<u64>() < wide;
        let ranked = (0..3).filter(|at| if short { results[*at] > 0 } else { cells[*at] > 1 });
        let by_lack = |at: &usize| if short { lack(*at, &cells) } else { -lack(*at, &cells) };
        let Some(at) = ranked.max_by_key(by_lack) else { break };
        cells[at] = if short { cells[at] + 1 } else { cells[at] - 1 };
    }
    signs.into_iter().zip(cells).flat_map(|(sign, count)| std::iter::repeat_n(sign, count as usize)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, Variant};

    fn played(text: &str, results: [u32; 3], leads_to: Option<&str>) -> PageMove {
        let games = results.iter().sum();
        let score = (games > 0).then(|| f64::from(results[0] * 2 + results[1]) / f64::from(games * 2));
        let leads_to = leads_to.map(str::to_owned);
        PageMove { text: text.to_owned(), games, results, score, leads_to, ..PageMove::default() }
    }

    fn moves() -> Vec<PageMove> {
        vec![
            played("11-15", [900, 1200, 600], Some("Old Faithful")),
            played("12-16", [1, 0, 300], Some("The Opening with a Very Long Name Indeed")),
            PageMove { value: Some("draw"), ..played("9-14", [0, 0, 0], None) },
        ]
    }

    fn page(width: usize, ascii: bool) -> String {
        let mut setup = Setup::empty(Variant::English);
        setup.turn = Some(Color::Black);
        moves_page(&setup, &moves(), "", width, &DiagramOptions { ascii, ..DiagramOptions::default() })
    }

    #[test]
    fn a_bar_has_its_width_and_a_column_for_whatever_occurred() {
        let signs = ['#', '-', '.'];
        assert_eq!(bar([1, 1, 1], 6, signs), "##--..");
        assert_eq!(bar([1, 0, 300], 6, signs), "#.....");
        assert_eq!(bar([500, 1, 1], 6, signs), "####-.");
        assert_eq!(bar([0, 3, 0], 6, signs), "------");
        assert_eq!(bar([0, 0, 0], 6, signs), "");
        for width in 6..=24 {
            for results in [[1, 2, 3], [7, 0, 5], [1000, 1, 0], [u32::MAX, u32::MAX, 1]] {
                let drawn = bar(results, width, signs);
                assert_eq!(drawn.len(), width, "{results:?} {drawn}");
                for (sign, count) in signs.into_iter().zip(results) {
                    assert_eq!(drawn.contains(sign), count > 0, "{results:?} {drawn}");
                }
            }
        }
    }

    #[test]
    fn the_board_stands_beside_the_table_from_80_columns_on() {
        for width in [40, 60, 79, 80, 85, 86, 120, 200] {
            let text = page(width, false);
            assert!(text.lines().all(|line| visible_width(line) <= width), "{width}:\n{text}");
            assert_eq!(text.contains('┌'), width >= 80, "{width}:\n{text}");
            assert_eq!(text.contains("│ 28"), width >= 86, "the numbers at the sides: {width}:\n{text}");
            assert!(text.contains("11-15   2700") && text.contains('▒'), "{width}:\n{text}");
            assert!(text.contains("Old Fait"), "{width}:\n{text}");
        }
        assert!(page(120, false).contains("The Opening with a Very Long Name Indeed"));
        assert!(page(120, true).is_ascii(), "{}", page(120, true));
    }

    #[test]
    fn colours_change_no_column() {
        let mut setup = Setup::empty(Variant::English);
        setup.turn = Some(Color::Black);
        let draw =
            |color| moves_page(&setup, &moves(), "", 100, &DiagramOptions { color, ..DiagramOptions::default() });
        let widths = |text: &str| text.lines().map(visible_width).collect::<Vec<_>>();
        assert!(draw(true).contains('\x1b') && !draw(false).contains('\x1b'));
        assert_eq!(widths(&draw(true)), widths(&draw(false)));
    }

    #[test]
    fn an_ending_without_games_shows_values_alone() {
        let mut setup = Setup::empty(Variant::English);
        setup.turn = Some(Color::White);
        let won = PageMove { text: "19-15".to_owned(), value: Some("win"), plies: Some(7), ..PageMove::default() };
        let text = moves_page(&setup, &[won], "", 60, &DiagramOptions::default());
        assert!(text.starts_with("move   value  plies\n"), "{text}");
        assert!(text.ends_with("19-15  win        7\n"), "{text}");
    }

    #[test]
    fn a_sentence_stands_in_the_place_of_an_empty_table() {
        let setup = Setup::empty(Variant::English);
        let at =
            |width| moves_page(&setup, &[], "No stored game goes on from here.", width, &DiagramOptions::default());
        let first = at(80).lines().next().map(str::to_owned).unwrap_or_default();
        assert!(first.starts_with('┌') && first.ends_with("  No stored game goes on from here."), "{first}");
        assert_eq!(at(40), "No stored game goes on from here.\n");
    }
}
