//! Look-up by name and by position.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use crownhead::board::{Move, Setup, Square, Variant};
use crownhead::book::{Book, BookError, Deck, OpeningRow, Problem, Rank};
use crownhead::game::{self, MovesErrorKind};
use crownhead::rules::{Position, PositionKey};
use crownhead::table::{Cell, Row, Table};

/// The table of names of a case about transpositions.
const NAMES: &str = "name\tmoves\nFern Game\t11-15 22-17\nMoss Game\t11-15 23-19 8-11 22-17\n\
                     Moss Game: Long Line\t11-15 23-19 8-11 22-17 4-8\n";

fn start() -> Position {
    Position::start(Variant::English)
}

fn embedded() -> Book {
    Book::embedded().unwrap()
}

fn play_from(start: Position, text: &str) -> (Vec<Position>, Vec<Move>) {
    let moves = game::read_moves(text, start).unwrap();
    let mut positions = vec![start];
    for played in &moves {
        positions.push(positions[positions.len() - 1].play(played).unwrap());
    }
    (positions, moves)
}

fn row(book: &Book, text: &str) -> OpeningRow {
    let (positions, moves) = play_from(start(), text);
    OpeningRow::from_identified(&book.identify(&positions, &moves))
}

fn name(book: &Book, text: &str) -> Option<String> {
    let by_row = row(book, text).name;
    let keys: Vec<PositionKey> = play_from(start(), text).0.iter().map(Position::key).collect();
    assert_eq!(book.name_by_keys(&keys).0.map(|opening| opening.name.clone()), by_row);
    by_row
}

#[test]
fn a_line_is_named_with_family_and_ballot() {
    let row = row(&embedded(), "11-15 23-19 9-14 22-17 5-9");
    assert_eq!(row.name.as_deref(), Some("Fife"));
    assert_eq!(row.ply, Some(5));
    assert_eq!(row.family.as_deref(), Some("Old Faithful"));
    assert_eq!((row.ballot, row.deck.as_deref()), (Some(128), Some("three-move")));
    assert_eq!(row.status.as_deref(), Some("cross-board"));
    assert_eq!(row.moves.as_deref(), Some("11-15 23-19 9-14 22-17 5-9"));
    assert_eq!(row.fen.as_deref(), Some("W:W17,19,21,24,25,26,27,28,29,30,31,32:B1,2,3,4,6,7,8,9,10,12,14,15"));
    assert!(row.note.unwrap().contains("Wyllie"));
    assert!(!row.by_transposition);
}

#[test]
fn the_greatest_ply_names_whatever_the_order() {
    let book = embedded();
    let found = row(&book, "9-14 23-19 11-15 22-17 5-9 26-23");
    assert_eq!(found.name.as_deref(), Some("Fife"));
    assert!(found.by_transposition);
    assert_eq!((found.ply, found.ballot), (Some(5), Some(128)));
    assert_eq!(found.family.as_deref(), Some("Double Corner"), "the first move that was played");
    // Play that goes on past the name keeps it, and an early name yields to a later one.
    assert_eq!(name(&book, "11-15 24-20").as_deref(), Some("Ayrshire Lassie"));
    assert_eq!(name(&book, "11-15 22-17").as_deref(), Some("Old Faithful"));
    assert_eq!(name(&book, ""), None);
    let later = row(&book, "11-15 24-20 8-11 28-24 4-8");
    assert_eq!((later.name.as_deref(), later.ply, later.tabiya), (Some("Ayrshire Lassie"), Some(4), true));
    // Two plies have a ballot of their own deck.
    let two = row(&book, "11-15 23-18");
    assert_eq!((two.ballot, two.deck.as_deref()), (Some(32), Some("two-move")));
    let keys: Vec<_> = play_from(start(), "11-15 23-18").0.iter().map(Position::key).collect();
    assert_eq!(book.name_by_keys(&keys).1, None, "the three-move deck alone counts for games");
}

#[test]
fn a_position_without_moves_is_named_too() {
    let book = embedded();
    let (positions, _) = play_from(start(), "11-15 23-19 9-14 22-17 5-9");
    let found = OpeningRow::from_identified(&book.identify(&positions[5..], &[]));
    assert_eq!(found.name.as_deref(), Some("Fife"));
    assert_eq!((found.ply, found.ballot, found.family.as_deref()), (Some(5), Some(128), Some("Old Faithful")));
    assert!(!found.by_transposition);
    // From a diagram on the way.
    let (positions, moves) = play_from(positions[2], "9-14 22-17 5-9");
    let found = book.identify(&positions, &moves);
    assert_eq!((found.name(), found.ply, found.by_transposition), (Some("Fife"), Some(3), false));
}

#[test]
fn a_diagram_game_has_no_name_unless_it_reaches_one() {
    let mut setup = Setup::empty(Variant::English);
    setup.turn = Some(crownhead::board::Color::Black);
    for (number, black) in [(18, false), (21, false), (9, true), (10, true)] {
        let square = Square::from_number(number, 32).unwrap();
        if black { setup.black.insert(square) } else { setup.white.insert(square) }
    }
    let (positions, moves) = play_from(Position::from_setup(&setup).unwrap(), "9-14 18x9");
    assert!(embedded().identify(&positions, &moves).is_nothing());
    let keys: Vec<_> = positions.iter().map(Position::key).collect();
    assert_eq!(embedded().name_by_keys(&keys), (None, None));
}

#[test]
fn names_alone_by_position() {
    let book = Book::default().with_names("names.tsv", NAMES).unwrap();
    assert_eq!(name(&book, "11-15 22-17 8-11 23-19 3-8").as_deref(), Some("Moss Game"));
    assert_eq!(name(&book, "11-15 22-17 8-11 23-19 4-8 17-13").as_deref(), Some("Moss Game: Long Line"));
    assert_eq!(name(&book, "11-15 22-17").as_deref(), Some("Fern Game"));
    assert_eq!(name(&book, "9-13"), None);
    let found = row(&book, "11-15 22-17 8-11 23-19 3-8");
    assert_eq!((found.ply, found.by_transposition), (Some(4), true));
    assert_eq!(found.sources, ["names.tsv"]);
}

#[test]
fn names_add_and_override() {
    let book = embedded().with_names("names.tsv", NAMES).unwrap();
    assert_eq!(name(&book, "11-15 22-17 8-11 23-19").as_deref(), Some("Moss Game"));
    assert_eq!(name(&book, "11-15 22-17 8-11 23-19 3-8").as_deref(), Some("Alma"), "the embedded names stay");
    assert_eq!(name(&book, "11-15 22-17 8-11 23-19 4-8 17-13").as_deref(), Some("Moss Game: Long Line"));
    assert_eq!(book.lookup("old fourteenth").first().map(|best| best.rank), None, "its only position was taken");
    assert_eq!(book.ballots().len(), 174 + 49);
    // A tabiya defines where the definition was taken; a known name gets another position.
    let text = "name\tmoves\taliases\tnote\r\nMine\t11-15 24-20\t\t\r\n# a comment\r\n\r\nFife\t11-15 23-19 9-14 22-17 5-9 26-23\tScot's own\tours\r\n";
    let book = embedded().with_names("mine.tsv", text).unwrap();
    let lassie = book.lookup("Ayrshire Lassie")[0].opening;
    assert_eq!(lassie.definition.text, "11-15 24-20 8-11");
    let fife = book.lookup("scots own")[0].opening;
    assert_eq!((fife.name.as_str(), fife.tabiyas.len()), ("Fife", 1));
}

#[test]
fn bad_tables_of_names_say_where() {
    let refuse = |text: &str| -> BookError { embedded().with_names("n.tsv", text).unwrap_err() };
    let error = refuse("name\tmoves\n\nBad\t11-15 23-19 15-20\n");
    assert_eq!((error.line, error.column), (3, 17));
    assert_eq!(
        error.to_string(),
        "n.tsv, line 3, column 17: \"15-20\" at ply 3 is not legal; \
         legal: 7-11, 8-11, 9-13, 9-14, 10-14, 12-16, 15-18"
    );
    let same = refuse("name\tmoves\nA\t9-13 22-18 11-15\nB\t11-15 22-17\nC\t11-15 22-17\n");
    assert_eq!((same.line, same.column), (4, 3));
    assert_eq!(same.problem, Problem::SamePosition { other: "B".to_owned(), line: 3 });
    assert_eq!(refuse("").problem, Problem::NoHeader);
    assert_eq!(refuse("name\n").problem, Problem::NoColumn("moves"));
    assert_eq!(refuse("name\tmoves\tname\n").problem, Problem::ColumnTwice("name".to_owned()));
    assert!(matches!(refuse("name\tmoves\tcolour\n").problem, Problem::UnknownColumn { .. }));
    assert_eq!(refuse("name\tmoves\n\t9-13\n").problem, Problem::Empty("name"));
    assert_eq!(refuse("name\tmoves\nA\n").problem, Problem::Empty("moves"));
    assert_eq!(refuse("name\tmoves\nA\t9-13\tmore\n").problem, Problem::TooManyFields(2));
    let control = refuse("name\tmoves\nA\u{1b}[2J\t9-13\n");
    assert_eq!((control.column, control.problem), (2, Problem::Control(0x1b)));
    assert!(matches!(refuse("name\tmoves\tlevel\nA\t9-13\thigh\n").problem, Problem::Word { .. }));
}

#[test]
fn look_up_forgives() {
    let book = embedded();
    let cases = [
        ("ayrshire lasie", "Ayrshire Lassie", Rank::Fuzzy),
        ("AYRSHIRE LASSIE", "Ayrshire Lassie", Rank::Exact),
        ("Ayrs.h.i.+re La.s.sie", "Ayrshire Lassie", Rank::Exact),
        ("Lassie, Ayrshire", "Ayrshire Lassie", Rank::Word),
        ("ayrshirelassie", "Ayrshire Lassie", Rank::Exact),
        ("ayrsh", "Ayrshire Lassie", Rank::Prefix),
        ("lassie", "Ayrshire Lassie", Rank::Word),
        ("lasie", "Ayrshire Lassie", Rank::Fuzzy),
        ("d.y.k.e", "Dyke", Rank::Exact),
        ("Áyrshire Lässie", "Ayrshire Lassie", Rank::Exact),
        ("old 14th", "Old Fourteenth", Rank::Exact),
        ("the Old 14", "Old Fourteenth", Rank::Exact),
        ("old forteenth", "Old Fourteenth", Rank::Fuzzy),
        ("2nd double corner", "Second Double Corner", Rank::Exact),
        ("twenty-six seventeen single corner", "26-17 Single Corner", Rank::Exact),
        ("will o the wisp", "Will-o'-the-Wisp", Rank::Exact),
        ("Will\u{2013}o\u{2019}\u{2013}the\u{2013}Wisp", "Will-o'-the-Wisp", Rank::Exact),
        ("maid of mill", "Maid of the Mill", Rank::Exact),
        ("laird & lady", "Laird and Lady", Rank::Exact),
        ("lady laird", "Laird and Lady", Rank::Word),
        ("gemini two", "Gemini II", Rank::Exact),
        ("skullcracker", "Skull Cracker", Rank::Exact),
        ("suter", "Souter", Rank::Exact),
        ("wholter", "Whilter", Rank::Fuzzy),
        ("Wyllie's Invincible", "Second Double Corner", Rank::Exact),
        ("cross", "Cross", Rank::Exact),
        ("the Fife game", "Fife", Rank::Exact),
        ("bonnie", "Bonnie Dundee", Rank::Prefix),
    ];
    for (query, wanted, rank) in cases {
        let found = book.lookup(query);
        let best = found.first().unwrap_or_else(|| panic!("{query}: nothing"));
        assert_eq!((best.opening.name.as_str(), best.rank), (wanted, rank), "{query}: {:?}", best.matched);
        assert!(best.is_sure(), "{query}");
        assert!(found.is_sorted_by_key(|one| one.rank), "{query}");
    }
    assert!(!book.lookup("old")[0].is_sure());
    assert!(book.lookup("old").len() >= 3);
    for nothing in ["", "the", "...", "sicilian", "zzzzzzzz", &"x".repeat(10_000)] {
        assert!(book.lookup(nothing).is_empty(), "{nothing:.20}");
    }
    assert_eq!(book.read_ballot("Ballot No. 86").unwrap().unwrap().names, ["Octopus"]);
    assert!(book.read_ballot("175").unwrap().is_err() && book.read_ballot("fife").is_none());
}

#[test]
fn move_lists_are_read_in_many_forms() {
    let wanted = "11-15 22-18 15x22 25x18";
    for text in [
        "11-15 22-18 15-22 25-18",
        "1. 11-15 22-18 2. 15x22 25x18",
        "1.11-15 22-18 2.15-22 25-18",
        "1 11-15 22-18 2 15-22 25-18",
        "11 to 15, 22 to 18, 15 to 22, 25 to 18.",
        "11-15,22-18,15:22,25\u{d7}18",
        "11 15 22 18 15 22 25 18",
        "11\u{2013}15! 22\u{2013}18?? *15x22 25x18*",
    ] {
        let moves = game::read_moves(text, start()).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(game::write_moves(start(), &moves), wanted, "{text}");
    }
    let refuse = |text: &str| {
        let error = game::read_moves(text, start()).unwrap_err();
        (error.at, error.ply, error.found, error.kind)
    };
    assert_eq!(refuse("11-15 11-15"), (6, 2, "11-15".to_owned(), MovesErrorKind::Illegal));
    assert_eq!(refuse("11-15 23-99"), (6, 2, "23-99".to_owned(), MovesErrorKind::NoSuchSquare));
    assert_eq!(refuse("11-15 hello"), (6, 2, "hello".to_owned(), MovesErrorKind::NotAMove));
    assert_eq!(refuse("11-15 23-"), (6, 2, "23-".to_owned(), MovesErrorKind::NotAMove));
    assert_eq!(refuse("11-"), (0, 1, "11-".to_owned(), MovesErrorKind::NotAMove));
    assert_eq!(refuse("-"), (0, 1, "-".to_owned(), MovesErrorKind::NotAMove));
    assert_eq!(refuse("7"), (0, 1, "7".to_owned(), MovesErrorKind::NotAMove));
    assert_eq!(refuse("99999999999999999999-1").3, MovesErrorKind::NoSuchSquare);
    assert_eq!(refuse("11-15 \u{1f600}").3, MovesErrorKind::NotAMove);
    assert_eq!(game::read_moves(" , ", start()).unwrap(), []);
}

#[test]
fn captures_that_share_their_ends_are_told_apart() {
    // A man on 2 gets to 18 through 9 or through 11, taking other men.
    let mut setup = Setup::empty(Variant::English);
    let square = |number| Square::from_number(number, 32).unwrap();
    setup.turn = Some(crownhead::board::Color::Black);
    setup.black.insert(square(2));
    for number in [6, 7, 14, 15] {
        setup.white.insert(square(number));
    }
    let position = Position::from_setup(&setup).unwrap();
    let error = game::read_moves("2x18", position).unwrap_err();
    assert_eq!(error.kind, MovesErrorKind::Ambiguous);
    assert_eq!(error.legal.len(), 2);
    for text in ["2x9x18", "2x11x18"] {
        let moves = game::read_moves(text, position).unwrap();
        assert_eq!(game::write_moves(position, &moves), text);
    }
}

#[test]
fn the_first_columns_are_the_contract() {
    let wanted =
        ["name", "aliases", "moves", "ply", "family", "ballot", "deck", "fen", "source", "note", "by_transposition"];
    let columns: Vec<_> = OpeningRow::COLUMNS.iter().map(|column| &*column.name).collect();
    assert_eq!(columns[..wanted.len()], wanted);
    let book = embedded();
    let rows = book.openings().iter().flat_map(|opening| OpeningRow::of_opening(&book, opening));
    let table = Table::from_rows(rows);
    assert_eq!(table.rows.len(), 107);
    let octopus = table.rows.iter().find(|row| row[0] == Cell::from("Octopus")).unwrap();
    assert_eq!(octopus[5], Cell::Int(86));
    assert_eq!(book.ballot(Deck::ThreeMove, 86).unwrap().text, "10-15 21-17 7-10");
}

#[test]
fn every_name_and_alias_finds_its_opening() {
    let book = embedded();
    for opening in book.openings() {
        for asked in std::iter::once(&opening.name).chain(&opening.aliases) {
            let best = book.lookup(asked)[0];
            assert_eq!((best.opening.name.as_str(), best.rank), (opening.name.as_str(), Rank::Exact), "{asked}");
        }
    }
}

proptest::proptest! {
    #[test]
    fn any_text_is_looked_up_and_read_without_a_panic(text in "([0-9x.,; -]|to|\\PC){0,60}") {
        let book = Book::default().with_names("names.tsv", NAMES).unwrap();
        let _ = (book.lookup(&text), book.read_ballot(&text));
        if let Err(error) = game::read_moves(&text, start()) {
            proptest::prop_assert!(text[error.at..].starts_with(&error.found));
        }
        let _ = Book::default().with_names("any.tsv", &format!("name\tmoves\nA\t{text}\n"));
    }

    #[test]
    fn written_play_is_read_back(choices in proptest::collection::vec(proptest::num::usize::ANY, 0..80)) {
        let mut position = start();
        let mut moves = Vec::new();
        for choice in choices {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            moves.push(legal[choice % legal.len()]);
            position = position.play(&moves[moves.len() - 1]).unwrap();
        }
        let text = game::write_moves(start(), &moves);
        proptest::prop_assert_eq!(game::read_moves(&text, start()).unwrap(), moves);
    }
}
