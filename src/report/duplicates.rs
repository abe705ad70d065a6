//! `duplicates`: exact copies that imports linked, and games that are nearly the same.
//!
//! Two games are nearly the same where their moves are, or one's are the beginning of the other's, and their players
//! are: names equal but for aliases, case, accents, order of words, initials and a slip of a letter. An unknown name (blank,
//! `?`, `NN`) goes with any, but one player at least must be known in both games: games without players are held against
//! none, for any two of them that are short would be alike. The same moves by other players are two games. A beginning must
//! agree in its year too, as far as that is known.
//!
//! Games are read in the order of their moves, so only those that the one at hand goes on from are held: at most
//! [`COMPARED_GAMES`] of them.

use std::cmp::Reverse;

use crate::query::{LineSet, Players, year_of};
use crate::table::{Cell, Column, Row, Table};

use super::line_facts::LineFacts;
use super::{ReportError, Request};

/// Games of the same beginning that each is compared with, the latest ones.
const COMPARED_GAMES: usize = 64;
/// Letters of a word from which on one that differs is taken for a slip.
const MAX_DIFFERENT_PLIES: usize = 5;

/// A row: two appearances of a game.
pub(super) struct DuplicateRow {
    how: &'static str,
    game: u32,
    /// The other game; none for a copy, which is not stored again.
    other: Option<u32>,
    plies: u32,
    differs: Vec<String>,
    black: Option<String>,
    white: Option<String>,
    source: String,
    game_number: i64,
    other_source: String,
    other_place: i64,
}

impl Row for DuplicateRow {
    const COLUMNS: &'static [Column] = &[
        Column::text("how", 0),
        Column::number("game", 0),
        Column::number("other", 0),
        Column::number("plies", 2),
        Column::text("differs", 0),
        Column::text("black", 1).grouped("players"),
        Column::text("white", 1).grouped("players"),
        Column::path("source", 3).grouped("places"),
        Column::number("place", 3).grouped("places"),
        Column::path("other_source", 3).grouped("places"),
        Column::number("other_place", 3).grouped("places"),
    ];

    fn values(self) -> Vec<Cell> {
        vec![
            self.how.into(),
            self.game.into(),
            self.other.into(),
            self.plies.into(),
            self.differs.into(),
            self.black.into(),
            self.white.into(),
            self.source.into(),
            self.game_number.into(),
            self.other_source.into(),
            self.other_place.into(),
        ]
    }
}

/// A row a copy, then a row a near duplicate, paired with the game it differs from least: `how` is `copy`, `same moves` or
/// `beginning`; `differs` says what the two tell differently. A filter keeps the pairs of which it lets one game through.
pub(super) fn report(request: &Request<'_>) -> Result<Table, ReportError> {
    let lines = LineSet::select(request.database, &request.filters)?;
    let mut rows = copies(request, &lines)?;
    rows.extend(near_duplicates(request, &lines)?);
    Ok(Table::from_rows(rows))
}

fn copies(request: &Request<'_>, lines: &LineSet) -> Result<Vec<DuplicateRow>, ReportError> {
    let mut appearances = request.database.connection().prepare(
        "SELECT copy.same_as AS line, source.name, copy.file_line, copy.source, copy.number FROM copy
             JOIN source ON source.id = copy.source WHERE same_as IS NOT NULL AND parent IS NULL
         UNION ALL
         SELECT unread_copy.line, source.name, unread_copy.file_line, unread_copy.source, unread_copy.number FROM unread_copy
             JOIN source ON source.id = unread_copy.source
         ORDER BY 1, 4, 5",
    )?;
    let mut found = appearances.query([])?;
    let mut rows = Vec::new();
    while let Some(row) = found.next()? {
        let game: u32 = row.get(0)?;
        if lines.contains(game) {
            let told = LineFacts::load(request.database, game)?;
            rows.push(DuplicateRow {
                how: "copy",
                game,
                other: None,
                plies: told.plies,
                differs: Vec::new(),
                black: told.black,
                white: told.white,
                source: told.source,
                game_number: told.game_number,
                other_source: row.get(1)?,
                other_place: row.get(2)?,
            });
        }
    }
    Ok(rows)
}

/// A game that those behind it may go on from.
struct Held {
    moves: Vec<u8>,
    game: ComparedGame,
}

/// A game with what it is compared by.
#[derive(Clone)]
struct ComparedGame {
    facts: LineFacts,
    /// The keys of Black's and White's name; empty where unknown.
    players: [String; 2],
}

impl ComparedGame {
    fn new(told: LineFacts, names: &Players) -> Self {
        let key = |name: &Option<String>| names.key(name.as_deref()?, false);
        let players = [&told.black, &told.white].map(|name| key(name).unwrap_or_default());
        Self { facts: told, players }
    }
}

/// A near duplicate: how, the game met first, the other, what differs.
type NearDuplicate = (&'static str, LineFacts, LineFacts, Vec<String>);

fn near_duplicates(request: &Request<'_>, lines: &LineSet) -> Result<Vec<DuplicateRow>, ReportError> {
    let database = request.database;
    let names = Players::read(database)?;
    let mut held: Vec<Held> = Vec::new();
    let mut start: (u32, Option<Vec<u8>>) = (0, None);
    let mut pairs: Vec<NearDuplicate> = Vec::new();
    database.each_game_by_moves(|line, from, moves| {
        if (start.0, start.1.as_deref()) != from {
            start = (from.0, from.1.map(<[u8]>::to_vec));
            held.clear();
        }
        while held.last().is_some_and(|last| !moves.starts_with(&last.moves)) {
            held.pop();
        }
        let game = ComparedGame::new(LineFacts::load(database, line)?, &names);
        let best = held
            .iter()
            .filter(|other| lines.contains(line) || lines.contains(other.game.facts.id))
            .filter_map(|other| Some((other, compare(&other.game, &game, other.moves == moves)?)))
            .min_by_key(|(other, differs)| (differs.len(), Reverse(other.moves.len()), other.game.facts.id));
        if let Some((other, differs)) = best {
            let how = if other.moves == moves { "same moves" } else { "beginning" };
            pairs.push((how, other.game.facts.clone(), game.facts.clone(), differs));
        }
        if held.len() == COMPARED_GAMES {
            held.remove(0);
        }
        held.push(Held { moves: moves.to_vec(), game });
        Ok::<_, ReportError>(())
    })?;
    pairs.sort_by_key(|(_, one, two, _)| (one.id, two.id));
    Ok(pairs.into_iter().map(row).collect())
}

fn row((how, one, two, differs): NearDuplicate) -> DuplicateRow {
    DuplicateRow {
        how,
        game: one.id,
        other: Some(two.id),
        plies: one.plies.max(two.plies),
        differs,
        black: one.black,
        white: one.white,
        source: one.source,
        game_number: one.game_number,
        other_source: two.source,
        other_place: two.game_number,
    }
}

/// What two games tell differently; `None` where they are two games by all that is known.
fn compare(one: &ComparedGame, two: &ComparedGame, same_moves: bool) -> Option<Vec<String>> {
    let shares_player = one.players.iter().zip(&two.players).any(|(one, two)| !one.is_empty() && !two.is_empty());
    let years = [one, two].map(|game| game.facts.date.as_deref().and_then(year_of));
    let years_agree = years[0].is_none() || years[1].is_none() || years[0] == years[1];
    let players_agree = one.players.iter().zip(&two.players).all(|(one, two)| alike(one, two));
    if !players_agree || !shares_player || !(same_moves || years_agree) {
        return None;
    }
    let (one, two) = (&one.facts, &two.facts);
    let mut differs = Vec::new();
    let mut note = |what: &str, one: Option<&str>, two: Option<&str>| {
        if one != two {
            differs.push(format!("{what} {} / {}", one.unwrap_or("-"), two.unwrap_or("-")));
        }
    };
    if !same_moves {
        note("plies", Some(&one.plies.to_string()), Some(&two.plies.to_string()));
    }
    note("result", Some(one.winner.name()), Some(two.winner.name()));
    note("date", one.date.as_deref(), two.date.as_deref());
    note("black", one.black.as_deref(), two.black.as_deref());
    note("white", one.white.as_deref(), two.white.as_deref());
    note("event", one.event.as_deref(), two.event.as_deref());
    Some(differs)
}

/// Whether two keys of names can be one player's: their words pair off, and one word at least is more than an initial.
fn alike(one: &str, two: &str) -> bool {
    if one.is_empty() || two.is_empty() || one == two {
        return true;
    }
    let mut rest: Vec<&str> = two.split(' ').collect();
    let mut whole = false;
    // The words that agree best are paired first.
    let mut left: Vec<&str> = one.split(' ').collect();
    for fits in [|a: &str, b: &str| a == b, is_slip, is_initial] as [fn(&str, &str) -> bool; 3] {
        left.retain(|word| match rest.iter().position(|other| fits(word, other)) {
            Some(at) => {
                whole |= rest.remove(at).chars().count() > 1 && word.chars().count() > 1;
                false
            }
            None => true,
        });
    }
    whole && left.is_empty() && rest.is_empty()
}

/// Whether two words differ by one letter, of words long enough that this tells something.
fn is_slip(one: &str, two: &str) -> bool {
    one.chars().count().min(two.chars().count()) >= MAX_DIFFERENT_PLIES && strsim::osa_distance(one, two) <= 1
}

/// Whether one word is the initial of the other.
fn is_initial(one: &str, two: &str) -> bool {
    let initial = |short: &str, long: &str| short.chars().count() == 1 && long.starts_with(short);
    initial(one, two) || initial(two, one)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::name_key;

    fn one_player(one: &str, two: &str) -> bool {
        alike(&name_key(one, false), &name_key(two, false))
    }

    #[test]
    fn names_of_one_player() {
        assert!(one_player("Alder, P.", "P. ALDER") && one_player("Alder, Percy", "Alder, P."));
        assert!(one_player("Lindquist, A.", "Lindqvist, A.") && one_player("?", "Birch, Q."));
        assert!(!one_player("Alder, P.", "Cedar, R.") && !one_player("Alder, P.", "Alder, Q."));
        assert!(!one_player("Alder, Percy", "Alder, Quentin") && !one_player("Alder", "Alder, P. Q."));
    }
}
