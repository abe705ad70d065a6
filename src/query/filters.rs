//! Filters: which lines are wanted. One set of them, and one SQL condition made of it, for every command.
//!
//! What people typed is only ever bound, never pasted into SQL, and no sign of it is a wildcard.

use std::sync::Arc;

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::Value as Sql;

use crate::board::Color;
use crate::board::{Winner, Witness};
use crate::game::{LineKind, fold_name, year_of};
use crate::rules::Position;
use crate::store::Database;
use crate::table::date_order;

use super::QueryError;
use super::lines_through::{has_line, lines_through};
use super::players::Players;

/// Which lines are wanted: one set of filters for every command. All that are given must hold.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Filters {
    /// Opening: its name has words that begin with these.
    pub opening: Option<String>,
    /// Three-move ballot, by number.
    pub ballot: Option<u16>,
    /// Either player: every word of it, in any order, of the tag or of a name that means the same player.
    pub player: Option<String>,
    /// The player of the black side, read as either player is.
    pub black: Option<String>,
    /// The player of the white side.
    pub white: Option<String>,
    /// Event: every word of it.
    pub event: Option<String>,
    /// Source: as for the opening, of the name of any source that has the game.
    pub source: Option<String>,
    /// Years, `1880` or `1880..1899`; either end may be left open.
    pub years: Option<String>,
    /// Who won.
    pub winner: Option<WinnerFilter>,
    /// The kind of line.
    pub kind: Option<LineKind>,
    /// Only lines that stood in this position, a variation also where its game did before it left.
    pub position: Option<Position>,
    /// Only lines with a losing move marked.
    pub losing: bool,
    /// The strongest witness of the losing move.
    pub witness: Option<Witness>,
    /// Names have their accents as they are given; case and order are forgiven all the same.
    pub exact: bool,
}

/// What is asked of the winner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WinnerFilter {
    /// It is this one.
    Is(Winner),
    /// Either side won.
    Decisive,
}

impl WinnerFilter {
    /// The word of the option `--result`: `black`, `white`, `draw`, `unknown` or `decisive`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Is(winner) => winner.name(),
            Self::Decisive => "decisive",
        }
    }

    /// The filter of this name, if it is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        if name == Self::Decisive.name() { Some(Self::Decisive) } else { Winner::from_name(name).map(Self::Is) }
    }
}

/// A condition over the columns of the view `games`, with the values that its `?` stand for.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Condition {
    parts: Vec<&'static str>,
    bound: Vec<Sql>,
}

impl Condition {
    /// The condition as SQL; `1` where everything is let through.
    pub(super) fn sql(&self) -> String {
        if self.parts.is_empty() { "1".to_owned() } else { self.parts.join(" AND ") }
    }

    /// The values in the order of their `?`.
    pub(super) fn bound(&self) -> &[Sql] {
        &self.bound
    }

    /// Whether everything is let through.
    pub(super) const fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    const fn new() -> Self {
        Self { parts: Vec::new(), bound: Vec::new() }
    }

    fn add(&mut self, part: &'static str, values: impl IntoIterator<Item = Sql>) {
        self.parts.push(part);
        self.bound.extend(values);
    }
}

impl Filters {
    /// Whether the filter for a player of either colour lets this name through, by itself or as an alias.
    #[must_use]
    pub fn has_player(&self, players: &Players, name: &str) -> bool {
        self.player.as_ref().is_none_or(|wanted| self.means(players, name, wanted))
    }

    /// Whether `name`, or another name of that player, has the words of `wanted`.
    fn means(&self, players: &Players, name: &str, wanted: &str) -> bool {
        let words = words(wanted, self.exact);
        players.any_name(name, |name| has_words(name, &words, self.exact))
            || !self.exact && players.is_same(name, wanted)
    }

    /// Whether the player of the `color` side, called `name`, is one that the filters ask for by name: any, where they ask
    /// for none.
    #[must_use]
    pub fn names_player(&self, players: &Players, color: Color, name: &str) -> bool {
        let side = match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        };
        let is_named = |wanted: &String| self.means(players, name, wanted);
        let asks_none = self.player.is_none() && self.black.is_none() && self.white.is_none();
        asks_none || [&self.player, side].into_iter().flatten().any(is_named)
    }

    /// Whether the filter for sources lets this name through.
    #[must_use]
    pub fn has_source(&self, name: &str) -> bool {
        self.source.as_ref().is_none_or(|wanted| has_words(name, &words(wanted, self.exact), self.exact))
    }

    /// Whether every filter by name has a word to look for.
    ///
    /// # Errors
    /// Names the first that has none.
    pub fn check_words(&self) -> Result<(), QueryError> {
        let names = [
            ("opening", &self.opening),
            ("player", &self.player),
            ("black", &self.black),
            ("white", &self.white),
            ("event", &self.event),
            ("source", &self.source),
        ];
        for (name, filter) in names {
            if filter.as_ref().is_some_and(|text| words(text, self.exact).is_empty()) {
                return Err(QueryError::NoWord(name));
            }
        }
        Ok(())
    }

    /// What is asked of a game as a whole: a variation has these from the game it belongs to.
    ///
    /// # Errors
    /// When the years cannot be read or a name has no word.
    pub(super) fn of_game(&self) -> Result<Condition, QueryError> {
        let mut condition = Condition::new();
        self.check_words()?;
        let words = |text: &String| [Sql::Text(text.clone()), Sql::Integer(i64::from(self.exact))];
        if let Some(opening) = &self.opening {
            condition.add("has_words(opening, ?, ?)", words(opening));
        }
        if let Some(ballot) = self.ballot {
            condition.add("ballot = ?", [i64::from(ballot).into()]);
        }
        if let Some(player) = &self.player {
            let both = words(player).into_iter().chain(words(player));
            condition.add("(means_player(black, ?, ?) OR means_player(white, ?, ?))", both);
        }
        if let Some(black) = &self.black {
            condition.add("means_player(black, ?, ?)", words(black));
        }
        if let Some(white) = &self.white {
            condition.add("means_player(white, ?, ?)", words(white));
        }
        if let Some(event) = &self.event {
            condition.add("has_words(event, ?, ?)", words(event));
        }
        if let Some(source) = &self.source {
            // A line has a copy for each source that has it.
            condition.add(
                "games.id IN (
                     WITH wanted(id) AS (SELECT id FROM source WHERE has_words(name, ?, ?)
                         UNION SELECT source FROM source_name WHERE has_words(name, ?, ?))
                     SELECT coalesce(same_as, id) FROM copy WHERE source IN wanted
                     UNION SELECT line FROM unread_copy WHERE source IN wanted)",
                words(source).into_iter().chain(words(source)),
            );
        }
        if let Some(text) = &self.years {
            let (from, to) = years(text)?;
            condition.add("year_of(date) BETWEEN ? AND ?", [from.into(), to.into()]);
        }
        Ok(condition)
    }

    /// What is asked of each line itself, be it a variation.
    ///
    /// # Errors
    /// When `database`, in which a position is looked up, cannot be read.
    pub(super) fn of_line(&self, database: &Database) -> Result<Condition, QueryError> {
        let mut condition = Condition::new();
        if let Some(position) = &self.position {
            condition.add("has_line(?, games.id)", [Sql::Blob(lines_through(database, position)?)]);
        }
        match self.winner {
            Some(WinnerFilter::Decisive) => condition.add("winner IN ('black', 'white')", []),
            Some(WinnerFilter::Is(winner)) => condition.add("winner = ?", [winner.name().to_owned().into()]),
            None => {}
        }
        if let Some(kind) = self.kind {
            condition.add("kind = ?", [kind.name().to_owned().into()]);
        }
        if self.losing {
            condition.add("losing_ply IS NOT NULL", []);
        }
        if let Some(witness) = self.witness {
            condition.add("witness = ?", [witness.name().to_owned().into()]);
        }
        Ok(condition)
    }

    /// All of it at once, for lists of games: variations only where they are asked for by kind.
    ///
    /// # Errors
    /// As [`Self::of_game`] and [`Self::of_line`].
    pub(super) fn of_list(&self, database: &Database) -> Result<Condition, QueryError> {
        let mut condition = self.of_game()?;
        let line = self.of_line(database)?;
        condition.parts.extend(line.parts);
        condition.bound.extend(line.bound);
        if self.kind.is_none() {
            condition.add("kind <> 'variation'", []);
        }
        Ok(condition)
    }
}

/// Teaches the connection of `database` the functions that conditions use, with the aliases that it has now.
pub(super) fn add_functions(database: &Database) -> Result<(), QueryError> {
    let (connection, players) = (database.connection(), Players::read(database)?);
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_scalar_function("has_words", 3, flags, |context| {
        let (text, wanted, exact) = (text_of(context), wanted_of(context)?, context.get(2)?);
        Ok(has_words(text, &wanted, exact))
    })?;
    connection.create_scalar_function("means_player", 3, flags, move |context| {
        let (name, wanted, exact) = (text_of(context), wanted_of(context)?, context.get(2)?);
        if players.any_name(name, |name| has_words(name, &wanted, exact)) {
            return Ok(true);
        }
        let asked = context.get_raw(1).as_str_or_null().ok().flatten().unwrap_or_default();
        Ok(!exact && players.is_same(name, asked))
    })?;
    connection.create_scalar_function("has_line", 2, flags, |context| {
        let lines = context.get_raw(0).as_blob_or_null().ok().flatten().unwrap_or_default();
        Ok(u32::try_from(context.get::<i64>(1)?).is_ok_and(|line| has_line(lines, line)))
    })?;
    connection.create_scalar_function("date_order", 1, flags, |context| {
        Ok(date_order(context.get_raw(0).as_str_or_null().ok().flatten().unwrap_or_default()))
    })?;
    connection.create_scalar_function("year_of", 1, flags, |context| {
        Ok(year_of(context.get_raw(0).as_str_or_null().ok().flatten().unwrap_or_default()))
    })?;
    Ok(())
}

/// The first argument of a function, a text or nothing.
fn text_of<'c>(context: &'c Context<'_>) -> &'c str {
    context.get_raw(0).as_str_or_null().ok().flatten().unwrap_or_default()
}

/// The second argument of a function as words, folded once per statement as the third says.
fn wanted_of(context: &Context<'_>) -> Result<Arc<Vec<String>>, rusqlite::Error> {
    let exact = context.get::<bool>(2)?;
    context.get_or_create_aux(1, |value| -> Result<Vec<String>, rusqlite::Error> {
        Ok(words(value.as_str().unwrap_or_default(), exact))
    })
}

/// The words of a text, folded.
fn words(text: &str, exact: bool) -> Vec<String> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    words.map(|word| fold_name(word, exact)).filter(|word| !word.is_empty()).collect()
}

/// Whether a name has the words of `wanted`, as filters compare them.
#[must_use]
pub fn has_words_of(name: &str, wanted: &str) -> bool {
    has_words(name, &words(wanted, false), false)
}

/// Whether a word of `text` starts with each word of `wanted`. No sign is a wildcard.
fn has_words(text: &str, wanted: &[String], exact: bool) -> bool {
    if text.is_ascii() {
        // As folded, without a copy: most names are, and a search asks a hundred thousand.
        let starts = |at: usize, word: &str| {
            let here = text.as_bytes().get(at..at + word.len());
            here.is_some_and(|here| here.eq_ignore_ascii_case(word.as_bytes())) && starts_word(text, at)
        };
        return wanted.iter().all(|word| (0..=text.len()).any(|at| starts(at, word)));
    }
    let text = fold_name(text, exact);
    wanted.iter().all(|word| text.match_indices(word.as_str()).any(|(at, _)| starts_word(&text, at)))
}

/// Whether a word starts at this byte of `text`: letters start behind what is no letter, digits behind what is no digit.
fn starts_word(text: &str, at: usize) -> bool {
    let (before, here) = (text[..at].chars().next_back(), text[at..].chars().next());
    match (before, here) {
        (Some(before), Some(here)) => {
            !(before.is_alphabetic() && here.is_alphabetic() || before.is_numeric() && here.is_numeric())
        }
        _ => true,
    }
}

/// The one year that `text` says: up to four digits, with a month and a day behind them or `c.` before them at most, so that
/// nothing that was meant to be a range passes for its first year.
fn year(text: &str) -> Option<i64> {
    let bare = ["circa", "ca.", "ca", "c.", "c"].into_iter().find_map(|word| text.strip_prefix(word)).unwrap_or(text);
    let mut parts = bare.trim_start().split('.');
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let year = parts.next().filter(|year| (1..=4).contains(&year.len()) && is_number(year))?;
    let rest: Vec<&str> = parts.collect();
    let is_date = rest.len() <= 2 && rest.iter().all(|part| part.len() == 2 && (is_number(part) || *part == "??"));
    if is_date { year.parse().ok() } else { None }
}

/// The years that `text` says, as an inclusive range. A date that is known in part says its year: `1898.??.??`, `c. 1898`.
fn years(text: &str) -> Result<(i64, i64), QueryError> {
    let error = || QueryError::Years(text.to_owned());
    let year = |part: &str| year(part.trim()).ok_or_else(error);
    let Some((from, to)) = text.split_once("..") else {
        return year(text).map(|year| (year, year));
    };
    let end = |part: &str, open: i64| if part.trim().is_empty() { Ok(open) } else { year(part) };
    let (from, to) = (end(from, 0)?, end(to, 9999)?);
    if from > to { Err(QueryError::YearsReversed { from, to }) } else { Ok((from, to)) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn has(text: &str, wanted: &str) -> bool {
        has_words(text, &words(wanted, false), false)
    }

    #[test]
    fn words_forgive_case_accents_and_order_but_no_sign_is_a_wildcard() {
        assert!(has("Lindén, Å.", "linden"));
        assert!(has("LINDEN, ASA", "Åsa lindén"));
        assert!(has("Anderson, A.", "a. anderson"));
        assert!(has("Берёзов, К.", "березов"));
        assert!(has("Søren Łuk, O\u{2019}Elm", "soren luk o'elm"));
        // A word is known by how it begins, not by what is somewhere in it.
        assert!(!has("Anselm, B.", "elm"));
        assert!(has("Elmwood, C.", "elm") && has("Thorn-Elm, D.", "elm") && has("old.zip/games1880.pdn", "1880 games"));
        // What cannot be seen does not count, on either side.
        assert!(has("Ti\u{200b}nsley\u{202e}, M.", "tinsley") && has("Tinsley", "tin\u{2060}sley"));
        assert!(!has("Birch, Q.", "%"));
        assert!(has("100% Draws", "%"));
        assert!(!has("Birch, Q.", "_"));
    }

    #[test]
    fn exact_words_keep_their_accents() {
        let exact = |text: &str, wanted: &str| has_words(text, &words(wanted, true), true);
        assert!(exact("LINDEN, ASA", "linden"));
        assert!(!exact("Lindén, Åsa", "linden"));
        assert!(exact("Linde\u{301}n", "LINDÉN"));
    }

    proptest! {
        /// Texts of plain letters go another way; a word behind that has none sends them the usual one.
        #[test]
        fn plain_texts_are_no_exception(text in "[abA-C1% .,'-]{0,12}", wanted in "[abA-C1%\u{301} ,'-]{0,4}", exact: bool) {
            let wanted = words(&wanted, exact);
            prop_assert_eq!(has_words(&text, &wanted, exact), has_words(&format!("{text} é"), &wanted, exact));
        }
    }

    #[test]
    fn years_are_one_or_a_range() {
        assert_eq!(years("1880").unwrap(), (1880, 1880));
        assert_eq!(years("1880..1899").unwrap(), (1880, 1899));
        assert_eq!(years("..1899").unwrap(), (0, 1899));
        assert_eq!(years("c. 1898").unwrap(), (1898, 1898));
        assert_eq!(years("1898.??.??").unwrap(), (1898, 1898));
        assert_eq!(years("1803..1805.12.31").unwrap(), (1803, 1805));
        for wrong in [
            "long ago",
            "1803-1805",
            "1803,1804",
            "1803..1805x",
            "1803...1805",
            "x1803",
            "18035",
            "1803..04..05",
            "",
            "-5",
        ] {
            let told = years(wrong).unwrap_err().to_string();
            assert!(told.contains("write 1880 or 1880..1899"), "{wrong}: {told}");
        }
        let reversed = years("1899..1880").unwrap_err().to_string();
        assert_eq!(reversed, "the years 1899..1880 end before they begin: write 1880..1899");
    }
}
