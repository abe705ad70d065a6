//! The linter of `data/`: what the tables say, held against the rules.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crownhead::board::{Move, Variant};
use crownhead::book::{self, Book, Deck, Level};
use crownhead::game;
use crownhead::rules::{Position, PositionKey};

const TABLES: &[(&str, &str)] = &[
    ("openings", include_str!("../../data/openings.tsv")),
    ("ballots", include_str!("../../data/ballots.tsv")),
    ("ballots_excluded", include_str!("../../data/ballots_excluded.tsv")),
    ("glossary", include_str!("../../data/glossary.tsv")),
];

/// The rows of a table, by column.
fn rows(table: &str) -> Vec<HashMap<&'static str, &'static str>> {
    let text = TABLES.iter().find(|(name, _)| *name == table).unwrap().1;
    let mut lines = text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t'));
    let header: Vec<_> = lines.next().unwrap().collect();
    lines
        .map(|line| {
            let fields: Vec<_> = line.collect();
            assert_eq!(fields.len(), header.len(), "{table}: {fields:?}");
            header.iter().copied().zip(fields).collect()
        })
        .collect()
}

fn start() -> Position {
    Position::start(Variant::English)
}

fn end_of(moves: &[Move]) -> PositionKey {
    moves.iter().fold(start(), |position, played| position.play(played).unwrap()).key()
}

fn read(text: &str) -> Vec<Move> {
    let moves = game::read_moves(text, start()).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(game::write_moves(start(), &moves), text, "written in the one way");
    moves
}

/// Every position three plies from the start, with the orders that lead to it.
fn three_plies() -> BTreeMap<PositionKey, BTreeSet<Vec<Move>>> {
    let mut lines = vec![(start(), Vec::new())];
    for _ in 0..3 {
        let longer = lines.iter().flat_map(|(position, moves): &(Position, Vec<Move>)| {
            position.legal_moves().into_iter().map(|played| {
                let mut moves = moves.clone();
                moves.push(played);
                (position.play_unchecked(&played), moves)
            })
        });
        lines = longer.collect();
    }
    let mut positions = BTreeMap::<_, BTreeSet<_>>::new();
    for (position, moves) in lines {
        positions.entry(position.key()).or_default().insert(moves);
    }
    positions
}

#[test]
fn the_characters_are_clean() {
    for (name, text) in TABLES {
        assert!(text.ends_with('\n') && !text.contains('\r'), "{name}: line ends");
        for (at, line) in text.lines().enumerate() {
            let place = format!("{name}, line {}: {line:?}", at + 1);
            let clean = |c: char| c == '\t' || (' '..='~').contains(&c) || ('\u{c0}'..='\u{17f}').contains(&c);
            assert!(line.chars().all(clean), "Latin letters and ASCII alone, no look-alikes: {place}");
            assert!(!line.contains("  ") && !line.is_empty(), "blanks: {place}");
            if !line.starts_with('#') {
                assert!(line.split('\t').all(|field| field == field.trim()), "blanks round a field: {place}");
            }
        }
        assert!(text.starts_with("# "), "{name} says what it is and where it comes from");
    }
}

#[test]
fn openings_are_whole_and_sorted() {
    let rows = rows("openings");
    let mut order = Vec::new();
    let mut shortest = HashMap::<_, Vec<usize>>::new();
    let mut positions = HashMap::new();
    let mut primary = HashMap::new();
    for row in &rows {
        let moves = read(row["moves"]);
        if let Some(other) = positions.insert(end_of(&moves), row["name"]) {
            panic!("{} and {other} share a position", row["name"]);
        }
        shortest.entry(row["name"]).or_default().push(moves.len());
        order.push((row["name"].to_lowercase(), moves.len()));
        assert!(!row["source"].is_empty(), "{}: source", row["name"]);
        assert!(["A", "B", "C"].contains(&row["confidence"]), "{}: confidence", row["name"]);
        assert!(!row["note"].ends_with('.'), "{}: note", row["name"]);
        assert_eq!(row["level"] == "family", moves.len() == 1 || row["name"] == "Bristol", "{}", row["name"]);
        let role = if row["role"] == "definition" { 0 } else { 1 };
        assert!(role == 1 || row["role"] == "definition");
        primary.entry(row["name"]).or_insert_with(Vec::new).push((moves.len(), role));
    }
    assert!(order.is_sorted(), "by name, then plies");
    for (name, plies) in shortest {
        let least = plies.iter().min().unwrap();
        assert_eq!(plies.iter().filter(|one| *one == least).count(), 1, "{name} has one shortest line");
        let mut roles = primary.remove(name).unwrap();
        roles.sort_unstable();
        assert!(roles.iter().enumerate().all(|(at, (_, role))| *role == usize::from(at > 0)), "{name}: roles");
    }
    // No alias is the name of another opening, or an alias of two.
    let names: BTreeSet<_> = rows.iter().map(|row| row["name"].to_lowercase()).collect();
    let mut aliases = HashMap::new();
    for row in &rows {
        for alias in row["aliases"].split("; ").filter(|alias| !alias.is_empty()) {
            assert!(!names.contains(&alias.to_lowercase()), "{alias} is a name");
            assert!(
                aliases.insert(alias.to_lowercase(), row["name"]).is_none_or(|other| other == row["name"]),
                "{alias}"
            );
        }
    }
    assert_eq!(rows.len(), 107);
}

#[test]
fn the_seven_families_are_the_seven_first_moves() {
    let book = Book::embedded().unwrap();
    let families: BTreeMap<_, _> = book
        .openings()
        .iter()
        .filter(|opening| opening.level == Level::Family)
        .map(|opening| (opening.definition.text.as_str(), opening.name.as_str()))
        .collect();
    let wanted = [
        ("10-14", "Denny"),
        ("10-15", "Kelso"),
        ("11-15", "Old Faithful"),
        ("11-16", "Bristol"),
        ("12-16", "Dundee"),
        ("9-13", "Edinburgh"),
        ("9-14", "Double Corner"),
    ];
    assert_eq!(families.into_iter().collect::<Vec<_>>(), wanted);
    assert_eq!(start().legal_moves().len(), 7);
}

#[test]
fn ballots_and_the_excluded_are_every_position_of_three_plies_in_every_order() {
    let mut listed = BTreeMap::new();
    for table in ["ballots", "ballots_excluded"] {
        let of_three = rows(table).into_iter().filter(|row| row.get("deck").is_none_or(|deck| *deck == "three-move"));
        for row in of_three {
            let others = row["other_orders"].split("; ").filter(|order| !order.is_empty());
            let orders: Vec<_> = std::iter::once(row["moves"]).chain(others).map(read).collect();
            let ends: BTreeSet<_> = orders.iter().map(|order| end_of(order)).collect();
            assert_eq!(ends.len(), 1, "{}: one position", row["moves"]);
            assert_eq!(orders.iter().collect::<BTreeSet<_>>().len(), orders.len(), "{}: each order once", row["moves"]);
            let new = listed.insert(*ends.first().unwrap(), orders.into_iter().collect()).is_none();
            assert!(new, "{} is listed twice", row["moves"]);
        }
    }
    assert_eq!(listed, three_plies());
    assert_eq!(listed.len(), 174 + 42);
    assert_eq!(rows("ballots_excluded").len(), 42);
}

#[test]
fn ballots_are_numbered_named_and_rated_in_order() {
    let book = Book::embedded().unwrap();
    let deck = |deck| book.ballots().iter().filter(move |ballot| ballot.deck == deck);
    assert_eq!(deck(Deck::ThreeMove).map(|ballot| ballot.number).collect::<Vec<_>>(), (1..=174).collect::<Vec<_>>());
    assert_eq!(deck(Deck::TwoMove).map(|ballot| ballot.number).collect::<Vec<_>>(), (1..=49).collect::<Vec<_>>());
    let mut status = BTreeMap::new();
    for ballot in book.ballots() {
        *status.entry((ballot.deck, ballot.status.name())).or_insert(0) += 1;
    }
    let wanted = [
        ((Deck::ThreeMove, "barred"), 18),
        ((Deck::ThreeMove, "cross-board"), 144),
        ((Deck::ThreeMove, "mail-play"), 12),
        ((Deck::TwoMove, "barred"), 4),
        ((Deck::TwoMove, "in deck"), 43),
        ((Deck::TwoMove, "loses a man"), 2),
    ];
    assert_eq!(status.into_iter().collect::<Vec<_>>(), wanted);
    // The two-move openings are all the positions of two plies.
    let two: BTreeSet<_> = deck(Deck::TwoMove).map(book::Ballot::key).collect();
    assert_eq!(two.len(), 49);
    assert!(deck(Deck::TwoMove).map(|ballot| &ballot.moves).is_sorted());

    let mut unrated = 0;
    for ballot in deck(Deck::ThreeMove) {
        let replies = ballot.replies.unwrap();
        assert_eq!(usize::from(replies.legal), ballot.position.legal_moves().len(), "{}", ballot.text);
        let missing = replies.legal - replies.sound - replies.lost;
        assert!(missing <= 1, "{}", ballot.text);
        unrated += missing;
        assert!(ballot.record.is_some());
    }
    assert_eq!(unrated, 11);
}

#[test]
fn openings_and_ballots_agree() {
    let book = Book::embedded().unwrap();
    for ballot in book.ballots() {
        let named = book.at(ballot.key()).map(|opening| opening.name.as_str());
        assert_eq!(ballot.names.first().map(String::as_str), named, "{:?} {}", ballot.deck, ballot.number);
    }
    for row in rows("openings") {
        let key = end_of(&read(row["moves"]));
        let number = book.ballot_at(key).filter(|ballot| ballot.deck == Deck::ThreeMove).map(|ballot| ballot.number);
        assert_eq!(number.map(|number| number.to_string()).unwrap_or_default(), row["ballot"], "{}", row["name"]);
    }
    let octopus = book.ballots().iter().filter(|ballot| ballot.names.iter().any(|name| name == "Octopus"));
    assert_eq!(octopus.map(|ballot| ballot.number).collect::<Vec<_>>(), [86]);
}

#[test]
fn the_old_list_of_fifteen_is_in_the_book() {
    let fifteen = [
        ("Ayrshire Lassie", "11-15 24-20 8-11 28-24"),
        ("Bristol", "11-16 24-20 16-19"),
        ("Cross", "11-15 23-18"),
        ("Defiance", "11-15 23-19 9-14 27-23"),
        ("Dyke", "11-15 22-17 15-19"),
        ("Fife", "11-15 23-19 9-14 22-17 5-9"),
        ("Glasgow", "11-15 23-19 8-11 22-17 11-16"),
        ("Laird and Lady", "11-15 23-19 8-11 22-17 9-13"),
        ("Maid of the Mill", "11-15 22-17 8-11 17-13 15-18"),
        ("Old Fourteenth", "11-15 23-19 8-11 22-17 4-8"),
        ("Second Double Corner", "11-15 24-19"),
        ("Single Corner", "11-15 22-18"),
        ("Souter", "11-15 23-19 9-14 22-17 6-9"),
        ("Whilter", "11-15 23-19 9-14 22-17 7-11"),
        ("Will-o'-the-Wisp", "11-15 23-19 9-13"),
    ];
    let book = Book::embedded().unwrap();
    for (name, moves) in fifteen {
        let (opening, line) = book.line_at(end_of(&read(moves))).unwrap();
        assert_eq!((opening.name.as_str(), line.text.as_str()), (name, moves));
        assert!(line.sources.iter().any(|source| source == "Hoyle's Games Modernized"), "{name}");
        assert!(!line.note.is_empty(), "{name}");
    }
}

#[test]
fn the_glossary_is_sorted() {
    let terms = book::glossary().unwrap();
    assert!(terms.iter().map(|term| term.term.to_lowercase()).is_sorted());
    assert!(terms.len() > 25);
    let found = |query: &str| -> Vec<String> {
        let found = book::find_terms(book::glossary().unwrap(), query);
        found.into_iter().map(|term| term.term).collect()
    };
    assert_eq!(found("Ply"), ["ply"]);
    assert_eq!(found("the move"), ["the move"]);
    assert_eq!(found("queen"), ["king"]);
    assert_eq!(found("tablebase"), ["endgame database"]);
    assert!(found("zugzwang").is_empty());
}
