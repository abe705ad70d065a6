//! Search: patterns and material read, found as a naive look at every position finds them, filtered, sorted and paged.

use std::fmt::Write as _;
use std::fs;
use std::sync::atomic::AtomicBool;

use crownhead::board::{Color, PieceKind, Square, Variant};
use crownhead::book::Book;
use crownhead::game::{LineKind, ReplayOptions, move_text, read_moves};
use crownhead::import::{self, ImportObserver, ImportOptions};
use crownhead::intake::{self, Chunk, Input};
use crownhead::query::{
    self, Filters, Hit, Material, Pattern, PositionSearch, QueryError, SearchRow, Sort, WinnerFilter,
};
use crownhead::rules::Position;
use crownhead::store::Database;
use crownhead::table::{Cell, Row, Table};
use proptest::prelude::*;

const ENGLISH: Variant = Variant::English;

struct Nobody;

impl ImportObserver for Nobody {
    fn chunk(&mut self, _: &Input, _: &Chunk) {}
}

/// Imports PDN into `database`.
fn import_into(database: &mut Database, pdn: &str) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pdn");
    fs::write(&file, pdn).unwrap();
    let replay = ReplayOptions::for_variant(ENGLISH);
    let options = ImportOptions { intake: intake::ReadOptions { replay, form: None, threads: 1 }, strict: false };
    let inputs = intake::inputs(&[file]).unwrap();
    let stop = AtomicBool::new(false);
    import::import(database, &inputs, &Book::embedded().unwrap(), &options, &stop, &mut Nobody).unwrap();
}

fn database(pdn: &str) -> Database {
    let mut database = Database::in_memory().unwrap();
    import_into(&mut database, pdn);
    database
}

fn nothing() -> PositionSearch {
    PositionSearch { variant: ENGLISH, position: None, pattern: None, material: None, reversed: false }
}

fn pattern(text: &str) -> PositionSearch {
    PositionSearch { pattern: Some(Pattern::read(text, ENGLISH, false).unwrap()), ..nothing() }
}

fn material(text: &str) -> PositionSearch {
    PositionSearch { material: Some(Material::read(text, ENGLISH).unwrap()), ..nothing() }
}

fn after(moves: &str) -> Position {
    let start = Position::start(ENGLISH);
    read_moves(moves, start).unwrap().iter().fold(start, |position, played| position.play(played).unwrap())
}

fn at(moves: &str) -> PositionSearch {
    PositionSearch { position: Some(after(moves)), ..nothing() }
}

fn found(database: &Database, search: &PositionSearch) -> Vec<(u32, u32, bool)> {
    let hits = query::find(database, search).unwrap();
    hits.iter().map(|hit| (hit.line, hit.ply, hit.reversed)).collect()
}

/// The cells of some columns of all rows, joined by blanks.
fn told(rows: Vec<SearchRow>, columns: &[&str]) -> Vec<String> {
    let table = Table::from_rows(rows);
    let places: Vec<usize> =
        columns.iter().map(|name| SearchRow::COLUMNS.iter().position(|column| column.name == *name).unwrap()).collect();
    let cell = |value: &Cell| match value {
        Cell::Null => "~".to_owned(),
        Cell::Int(number) => number.to_string(),
        Cell::Text(text) => text.clone(),
        Cell::Bool(yes) => yes.to_string(),
        other => format!("{other:?}"),
    };
    table.rows.iter().map(|row| places.iter().map(|&at| cell(&row[at])).collect::<Vec<_>>().join(" ")).collect()
}

fn ids(database: &Database, filters: &Filters) -> Vec<String> {
    told(query::search(database, &nothing(), filters, &Sort::default()).unwrap().0, &["game"])
}

/// Three games, one with a variation in a variation.
const GAMES: &str = "\
[Event \"Spring Match\"]
[Black \"Alder, J.\"]
[White \"Birch, Q.\"]
[Date \"1880.??.??\"]
[Result \"1-0\"]
[GameType \"21\"]
1. 11-15 23-19 2. 8-11 22-17 (2... 26-23 3. 4-8 (3. 10-14 19x10 4. 6-15)) 3. 4-8 17-13 1-0

[Event \"Spring Match\"]
[Black \"Birch, Q.\"]
[White \"Alder, J.\"]
[Date \"??.05.1891\"]
[Result \"0-1\"]
[GameType \"21\"]
1. 11-15 22-17 2. 8-11 23-19 3. 4-8 17-13 4. 15-18 0-1

[Event \"Autumn Match\"]
[Black \"Cedar, K.\"]
[White \"Birch, Q.\"]
[Date \"1891.09.01\"]
[Result \"1/2-1/2\"]
[GameType \"21\"]
1. 9-14 22-18 2. 5-9 24-19 3. 11-16 1/2-1/2
";

#[test]
fn patterns_that_are_none_are_told_with_their_place() {
    let told = |text: &str| Pattern::read(text, ENGLISH, false).unwrap_err();
    let cases = [
        ("", 1, "nothing"),
        ("   ", 4, "nothing"),
        ("W", 2, "no square"),
        ("W0", 2, "\"0\""),
        ("W33", 2, "\"33\""),
        ("b9 X5", 4, "\"X\""),
        ("b9 18", 4, "a square without a piece, \"18\""),
        ("W18|", 5, "nothing"),
        ("W18 |b9", 5, "nothing"),
        ("W18 bK9", 5, "\"bK\""),
        ("W18x", 2, "\"18x\""),
        ("W18,b9", 2, "\"18,b9\""),
        ("W99999999999999999999", 2, "\"99999999999999999999\""),
        ("W18 B18", 5, "\"B18\" contradicts what stands before it"),
        ("é W18", 1, "\"é\""),
    ];
    for (text, column, what) in cases {
        let error = told(text);
        assert_eq!((error.at.start + 1, error.what.as_str()), (column, what), "{text:?}");
    }
    assert_eq!(
        told("b9 X5").to_string(),
        "\"X\": expected a piece: B, W (men), BK, WK (kings), b, w (either), - (empty) or ? (anything)"
    );
    let endless = "b1|b2|b3|b4|b5|b6|b7|b8 ".repeat(10);
    assert!(told(&endless).what.contains("too many ways"));
}

#[test]
fn material_that_is_none_is_told_with_its_place() {
    let bad = ["", "4", "v", "4v", "v4", "4+v3", "4v3+1", "4v3k1", "13v1", "7+6kv1", "4v3kk", "4v-3", "1k+2kv1", "4vx"];
    for text in bad {
        assert!(Material::read(text, ENGLISH).is_err(), "{text}");
    }
    assert_eq!(Material::read("4vx", ENGLISH).unwrap_err().at, 2..3);
    let read = Material::read("4v3+1k", ENGLISH).unwrap();
    assert_eq!(read, Material { black_men: 4, black_kings: 0, white_men: 3, white_kings: 1 });
    assert_eq!(Material::read("2K V 1K", ENGLISH).unwrap(), Material::read("2kv1k", ENGLISH).unwrap());
    assert_eq!(read.reversed(), Material::read("3+1kv4", ENGLISH).unwrap());
}

#[test]
fn a_position_is_found_by_any_order_of_moves_and_in_variations() {
    let database = database(GAMES);
    // Lines: 1 the first game, 2 and 3 its variations, 4 and 5 the other games.
    assert_eq!(found(&database, &at("11-15 23-19 8-11 22-17")), [(1, 4, false), (4, 4, false)]);
    assert_eq!(found(&database, &at("11-15 23-19 8-11")), [(1, 3, false), (2, 0, false)]);
    assert_eq!(found(&database, &at("11-15 23-19 8-11 26-23 10-14")), [(3, 1, false)]);
    assert_eq!(found(&database, &at("11-16")), []);
    let (rows, total) =
        query::search(&database, &at("11-15 23-19 8-11 26-23 10-14"), &Filters::default(), &Sort::default()).unwrap();
    assert_eq!(total, 1);
    let columns = ["game", "kind", "ply", "move_to_come", "fen", "black", "winner", "line", "parent", "reversed"];
    assert_eq!(
        told(rows, &columns),
        [
            "1 variation 5 19x10 W:W19,21,22,23,24,25,27,28,29,30,31,32:B1,2,3,4,5,6,7,9,11,12,14,15 Alder, J. unknown 3 2 false"
        ]
    );
}

#[test]
fn patterns_and_material_are_found_at_their_first_ply() {
    let database = database(GAMES);
    assert_eq!(found(&database, &pattern("W13 B8")), [(1, 6, false), (4, 6, false)]);
    assert_eq!(found(&database, &pattern("W13 B8 B18")), [(4, 7, false)]);
    assert_eq!(found(&database, &pattern("B18|B14 -22")), [(4, 7, false), (5, 2, false)]);
    assert_eq!(found(&database, &pattern("wk32")), []);
    assert_eq!(found(&database, &pattern("?32")).len(), 5);
    assert_eq!(found(&database, &material("11v12")), [(3, 2, false)]);
    assert_eq!(found(&database, &material("11v11")), [(3, 3, false)]);
    // Together they must hold in one position.
    let both = |p: &str, m: &str| PositionSearch { material: material(m).material, ..pattern(p) };
    assert_eq!(found(&database, &both("-19", "11v12")), [(3, 2, false)]);
    assert_eq!(found(&database, &both("W19", "11v12")), []);
    let exact = |text| PositionSearch { pattern: Some(Pattern::read(text, ENGLISH, true).unwrap()), ..nothing() };
    assert_eq!(found(&database, &exact("W13 B8")), []);
    let black = (1..=12).map(|square| format!("B{square} ")).collect::<String>();
    let white = (21..=32).map(|square| format!("W{square} ")).collect::<String>();
    let start = exact(&format!("{black}{white}"));
    assert_eq!(found(&database, &start), [(1, 0, false), (4, 0, false), (5, 0, false)]);
    let with_position = |text: &str| PositionSearch { pattern: pattern(text).pattern, ..at("9-14") };
    assert_eq!(found(&database, &with_position("B14")), [(5, 1, false)]);
    assert_eq!(found(&database, &with_position("B15")), []);
}

#[test]
fn colours_reversed_are_found_and_told() {
    let database = database(GAMES);
    let reversed = |search: PositionSearch| PositionSearch { reversed: true, ..search };
    // 9-14 with Black to have moved is 24-19 of White, turned round.
    let turned = PositionSearch { position: Some(after("9-14").reversed()), ..nothing() };
    assert_eq!(found(&database, &turned), []);
    assert_eq!(found(&database, &reversed(turned)), [(5, 1, true)]);
    assert_eq!(found(&database, &pattern("W20")), []);
    assert_eq!(found(&database, &pattern("B13")), []);
    assert_eq!(found(&database, &reversed(pattern("B20"))), [(1, 6, true), (4, 6, true)]);
    assert_eq!(found(&database, &reversed(material("12v11"))), [(3, 2, true)]);
    assert_eq!(found(&database, &reversed(material("11v12"))), [(3, 2, false)]);
}

#[test]
fn filters_ask_the_game_of_a_variation_and_combine() {
    let database = database(GAMES);
    let rows = |search: &PositionSearch, filters: Filters, sort: Sort| {
        let (rows, total) = query::search(&database, search, &filters, &sort).unwrap();
        (told(rows, &["line"]), total)
    };
    let some = |text: &str| Some(text.to_owned());
    let all = Filters::default;
    let lines = |search: &PositionSearch, filters: Filters| rows(search, filters, Sort::default()).0;
    assert_eq!(lines(&pattern("B15"), all()), ["1", "2", "3", "4"]);
    assert_eq!(lines(&pattern("B15"), Filters { years: some("1880"), ..all() }), ["1", "2", "3"]);
    assert_eq!(lines(&pattern("B15"), Filters { years: some("1890.."), ..all() }), ["4"]);
    assert_eq!(lines(&pattern("B15"), Filters { kind: Some(LineKind::Variation), ..all() }), ["2", "3"]);
    assert_eq!(lines(&pattern("B15"), Filters { winner: WinnerFilter::from_name("black"), ..all() }), ["1"]);
    assert_eq!(lines(&pattern("B15"), Filters { winner: WinnerFilter::from_name("white"), ..all() }), ["4"]);
    let both = Filters { player: some("j. alder"), event: some("spring"), years: some("..1880"), ..all() };
    assert_eq!(lines(&pattern("B15"), both), ["1", "2", "3"]);
    assert_eq!(lines(&nothing(), Filters { player: some("cedar"), ..all() }), ["5"]);
    assert_eq!(lines(&pattern("B15"), Filters { losing: true, ..all() }), Vec::<String>::new());
    assert!(matches!(
        query::search(&database, &nothing(), &Filters { years: some("soon"), ..all() }, &Sort::default()),
        Err(QueryError::Years(_))
    ));
    // Paging and sorting.
    let sort = |column: &str, offset, limit| Sort { column: Some(column.to_owned()), offset, limit };
    assert_eq!(
        rows(&pattern("B15"), all(), Sort { column: None, offset: 1, limit: Some(2) }),
        (vec!["2".to_owned(), "3".to_owned()], 4)
    );
    assert_eq!(rows(&pattern("B15"), all(), sort("-line", 0, Some(2))).0, ["4", "3"]);
    assert_eq!(rows(&pattern("B15"), all(), sort("-ply", 0, None)).0, ["3", "2", "1", "4"]);
    assert_eq!(rows(&nothing(), all(), sort("black", 3, None)).0, ["4", "5"]);
    let error = query::search(&database, &nothing(), &all(), &sort("plies", 0, None)).unwrap_err();
    assert!(error.to_string().contains("move_to_come"), "{error}");
}

#[test]
fn names_are_found_whatever_signs_they_have() {
    let mut pdn = String::new();
    let names = ["O'Elm, T.", "100%_Player", "Lindén, Åsa", "LINDEN, ASA", "Берёзов, К.", "x'); DROP TABLE games;--"];
    for (number, name) in names.iter().enumerate() {
        let _ = write!(pdn, "[Event \"n{number}\"]\n[White \"{name}\"]\n[Black \"Birch, Q.\"]\n[GameType \"21\"]\n");
        pdn.push_str("[Result \"*\"]\n1. 11-15 *\n\n");
    }
    let database = database(&pdn);
    let player = |text: &str, exact| Filters { player: Some(text.to_owned()), exact, ..Filters::default() };
    let cases: [(&str, &[&str]); 9] = [
        ("O'Elm", &["1"]),
        ("t. o\u{2019}elm", &["1"]),
        ("100%", &["2"]),
        ("%", &["2"]),
        ("_", &["2"]),
        ("linden", &["3", "4"]),
        ("åsa LINDÉN", &["3", "4"]),
        ("березов", &["5"]),
        ("x'); DROP TABLE games;--", &["6"]),
    ];
    for (text, games) in cases {
        assert_eq!(ids(&database, &player(text, false)), games, "{text}");
        let (rows, total) = query::games(&database, &player(text, false), &Sort::default()).unwrap();
        assert_eq!((rows.len(), total), (games.len(), games.len() as u64), "{text}");
    }
    assert_eq!(ids(&database, &player("linden", true)), ["4"]);
    assert_eq!(ids(&database, &player("Lindén", true)), ["3"]);
    let empty = query::search(&database, &nothing(), &player(" ,", false), &Sort::default());
    assert!(matches!(empty, Err(query::QueryError::NoWord("player"))), "{empty:?}");
}

/// PDN of the games that `choices` make of legal moves, each game named.
fn pdn_of(games: &[Vec<u8>]) -> String {
    let mut text = String::new();
    for (number, choices) in games.iter().enumerate() {
        let _ = write!(text, "[Event \"{number}\"]\n[GameType \"21\"]\n[Result \"*\"]\n");
        let mut position = Position::start(ENGLISH);
        for &choice in choices {
            let legal = position.legal_moves();
            let Some(chosen) = legal.get(usize::from(choice) % legal.len().max(1)) else { break };
            let _ = writeln!(text, "{}", move_text(&position, chosen));
            position = position.play_unchecked(chosen);
        }
        text.push_str("*\n\n");
    }
    text
}

/// Whether `item`, a piece and a square such as `bk5`, holds: written down a second time, square by square.
fn item_holds(position: &Position, item: &str) -> bool {
    let digits = item.find(|c: char| c.is_ascii_digit()).unwrap();
    let piece = position.piece_at(Square::new(item[digits..].parse::<u8>().unwrap() - 1));
    let piece = piece.map(|piece| (piece.color, piece.kind));
    match &item[..digits] {
        "B" => piece == Some((Color::Black, PieceKind::Man)),
        "BK" => piece == Some((Color::Black, PieceKind::King)),
        "b" => piece.is_some_and(|(color, _)| color == Color::Black),
        "W" => piece == Some((Color::White, PieceKind::Man)),
        "WK" => piece == Some((Color::White, PieceKind::King)),
        "w" => piece.is_some_and(|(color, _)| color == Color::White),
        "-" => piece.is_none(),
        _ => true,
    }
}

fn pattern_holds(position: &Position, text: &str, exact: bool) -> bool {
    let named = |square: u8| {
        text.split([' ', '|']).any(|item| item.trim_start_matches(|c: char| !c.is_ascii_digit()) == square.to_string())
    };
    text.split(' ').all(|word| word.split('|').any(|item| item_holds(position, item)))
        && (!exact || (1..=32).all(|square| named(square) || position.piece_at(Square::new(square - 1)).is_none()))
}

fn material_holds(position: &Position, material: &Material) -> bool {
    let count = |color, kings: bool| {
        let pieces = position.pieces(color);
        pieces.squares().filter(|&square| position.kings().contains(square) == kings).count() as u32
    };
    let found = Material {
        black_men: count(Color::Black, false),
        black_kings: count(Color::Black, true),
        white_men: count(Color::White, false),
        white_kings: count(Color::White, true),
    };
    found == *material
}

/// What [`query::find`] should find, by looking at every position.
fn naive(database: &Database, reversed: bool, holds: &dyn Fn(&Position) -> bool) -> Vec<Hit> {
    let mut hits = Vec::new();
    for id in database.line_ids().unwrap() {
        let line = database.line(id).unwrap().unwrap();
        let first = line.positions().enumerate().find_map(|(ply, position)| {
            let turned = !holds(&position);
            let yes = !turned || (reversed && holds(&position.reversed()));
            yes.then_some(Hit { line: id, ply: ply as u32, reversed: turned })
        });
        hits.extend(first);
    }
    hits
}

fn item() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec!["B", "BK", "b", "W", "WK", "w", "-", "?", "-", "B", "W"]);
    (piece, 1..=32_u8).prop_map(|(piece, square)| format!("{piece}{square}"))
}

fn some_pattern() -> impl Strategy<Value = String> {
    let word = prop::collection::vec(item(), 1..4).prop_map(|items| items.join("|"));
    prop::collection::vec(word, 1..4).prop_map(|words| words.join(" "))
}

fn some_games() -> impl Strategy<Value = Vec<Vec<u8>>> {
    prop::collection::vec(prop::collection::vec(any::<u8>(), 0..140), 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn patterns_find_what_a_naive_look_finds(
        games in some_games(),
        patterns in prop::collection::vec(some_pattern(), 12),
        reversed: bool,
    ) {
        let database = database(&pdn_of(&games));
        for text in patterns {
            let Ok(pattern) = Pattern::read(&text, ENGLISH, false) else { continue };
            let search = PositionSearch { pattern: Some(pattern), reversed, ..nothing() };
            let expected = naive(&database, reversed, &|position| pattern_holds(position, &text, false));
            prop_assert_eq!(query::find(&database, &search).unwrap(), expected, "{}", text);
        }
    }

    #[test]
    fn positions_met_are_found_by_key_exact_pattern_and_material(games in some_games(), ply in 0..120_usize, reversed: bool) {
        let database = database(&pdn_of(&games));
        let line = database.line(1).unwrap().unwrap();
        let position = line.positions().nth(ply.min(line.moves.len())).unwrap();
        let asked = if reversed { position.reversed() } else { position };
        let search = PositionSearch { position: Some(asked), reversed, ..nothing() };
        let expected = naive(&database, reversed, &|other| *other == asked);
        prop_assert_eq!(query::find(&database, &search).unwrap(), expected);

        let mut words = Vec::new();
        for square in (1..=32).map(|number| Square::from_number(number, 32).unwrap()) {
            if let Some(piece) = asked.piece_at(square) {
                let king = if piece.kind == PieceKind::King { "K" } else { "" };
                words.push(format!("{}{king}{square}", piece.color.letter()));
            }
        }
        let text = words.join(" ");
        let search = PositionSearch { pattern: Some(Pattern::read(&text, ENGLISH, true).unwrap()), reversed, ..nothing() };
        let expected = naive(&database, reversed, &|other| pattern_holds(other, &text, true));
        prop_assert!(!expected.is_empty());
        prop_assert_eq!(query::find(&database, &search).unwrap(), expected);

        let count = |color, kings: bool| {
            asked.pieces(color).squares().filter(|&square| asked.kings().contains(square) == kings).count() as u32
        };
        let material = Material {
            black_men: count(Color::Black, false),
            black_kings: count(Color::Black, true),
            white_men: count(Color::White, false),
            white_kings: count(Color::White, true),
        };
        let search = PositionSearch { material: Some(material), reversed, ..nothing() };
        let expected = naive(&database, reversed, &|other| material_holds(other, &material));
        prop_assert_eq!(query::find(&database, &search).unwrap(), expected);

        // Both, of one position: a word that the board has, and a square that is free there.
        let free = (1..=32).find(|&number| Square::from_number(number, 32).is_some_and(|at| asked.piece_at(at).is_none()));
        let text = format!("{} -{}", words.last().map_or("?1", String::as_str), free.unwrap());
        let search = PositionSearch { pattern: Some(Pattern::read(&text, ENGLISH, false).unwrap()), ..search };
        let both = |other: &Position| pattern_holds(other, &text, false) && material_holds(other, &material);
        prop_assert_eq!(query::find(&database, &search).unwrap(), naive(&database, reversed, &both));
    }
}

#[test]
fn several_threads_find_the_same_in_the_same_order() {
    let games: Vec<Vec<u8>> = (0..6000_u32)
        .map(|number| (0..24_u32).map(|ply| (number.wrapping_mul(2_654_435_761) >> (ply % 25)) as u8).collect())
        .collect();
    let pdn = pdn_of(&games);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let (mut written, _) = Database::create(&path).unwrap();
    import_into(&mut written, &pdn);
    drop(written);
    let on_disk = Database::open(&path).unwrap();
    let in_memory = database(&pdn);
    for search in [pattern("B18|B19 -27"), material("10v11"), PositionSearch { reversed: true, ..pattern("W13 w22") }] {
        let hits = query::find(&on_disk, &search).unwrap();
        assert!(hits.len() > 10, "{}", hits.len());
        assert_eq!(hits, query::find(&in_memory, &search).unwrap());
    }
    // So do filters, which many hits are divided for.
    let filters = Filters { event: Some("59".to_owned()), kind: Some(LineKind::Game), ..Filters::default() };
    let filtered = |database: &Database| query::search(database, &nothing(), &filters, &Sort::default()).unwrap();
    assert_eq!(filtered(&on_disk), filtered(&in_memory));
    assert_eq!(filtered(&on_disk).1, 111, "59, 590 to 599, 5900 to 5999");
}
