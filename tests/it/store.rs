//! The store: duplicates, interrupted imports, merged segments, counts, and databases that are none.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use crownhead::board::Variant;
use crownhead::book::Book;
use crownhead::game::NoteKind;
use crownhead::import::{self, ImportObserver};
use crownhead::intake::{self, Chunk, Input};
use crownhead::query;
use crownhead::rules::Position;
use crownhead::store::{Database, StoreError};
use proptest::prelude::*;

use super::database::{
    Nobody, assert_same, assert_tree_is_that_of_the_lines, dump, import_files, import_text, options, random_games,
};
use super::game::case;
use super::support::position;

fn game(tags: &[(&str, &str)], moves: &str) -> String {
    let tags: String = tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
    format!("{tags}{moves}\n\n")
}

fn known(event: &str, moves: &str) -> String {
    game(&[("Event", event), ("Black", "Alder, P."), ("White", "Birch, Q."), ("Result", "1-0")], moves)
}

fn count(database: &Database, sql: &str) -> i64 {
    database.connection().query_row(sql, [], |row| row.get(0)).unwrap()
}

fn memory() -> (Database, tempfile::TempDir) {
    (Database::in_memory().unwrap(), tempfile::tempdir().unwrap())
}

#[test]
fn the_same_game_in_another_source_is_linked_and_not_counted() {
    let (mut database, folder) = memory();
    let (one, two, three) =
        (known("1", "1. 11-15 23-19 1-0"), known("2", "1. 9-14 22-18 1-0"), known("3", "1. 10-15 22-17 1-0"));
    let first = import_text(&mut database, folder.path(), "a.pdn", format!("{one}{two}"));
    assert_eq!((first.total.stored, first.total.duplicates), (2, 0));
    let second = import_text(&mut database, folder.path(), "b.pdn", format!("{two}{three}"));
    assert_eq!((second.total.read, second.total.stored, second.total.duplicates), (2, 1, 1));
    assert_eq!(database.totals().unwrap().games, 3);
    assert_eq!(count(&database, "SELECT count(*) FROM copy WHERE same_as = 2 AND source = 2 AND number = 1"), 1);
    assert_eq!(query::position_stats(&database, &Position::start(Variant::English)).unwrap().games, 3);
    assert_eq!(query::show(&database, 2).unwrap().unwrap().also_in.len(), 1);
}

#[test]
fn files_of_one_command_are_held_against_each_other() {
    let (mut database, folder) = memory();
    let (one, two) = (known("1", "1. 11-15 23-19 1-0"), known("2", "1. 9-14 22-18 1-0"));
    let (a, b) = (folder.path().join("a.pdn"), folder.path().join("b.pdn"));
    fs::write(&a, format!("{one}{two}")).unwrap();
    fs::write(&b, format!("{two}{one}")).unwrap();
    let report = import_files(&mut database, &[&a, &b, &a]);
    assert_eq!((report.total.read, report.total.stored, report.total.duplicates), (6, 2, 4));
    assert_eq!(report.files.iter().map(|file| file.held).collect::<Vec<_>>(), [false, false, true]);
    assert_eq!(database.totals().unwrap().games, 2);
    // A folder that holds both, twice.
    let before = dump(&database);
    let again = import_files(&mut database, &[folder.path(), folder.path()]);
    assert_eq!((again.total.read, again.total.duplicates), (8, 8));
    assert_eq!(dump(&database), before);
}

#[test]
fn copies_inside_one_source_stay() {
    let (mut database, folder) = memory();
    let one = known("1", "1. 11-15 23-19 1-0");
    import_text(&mut database, folder.path(), "a.pdn", one.repeat(3));
    assert_eq!(database.totals().unwrap().games, 3);
    // Of four in another source, three are those.
    let report = import_text(&mut database, folder.path(), "b.pdn", one.repeat(4));
    assert_eq!((report.total.stored, report.total.duplicates), (1, 3));
    assert_eq!(database.totals().unwrap().games, 4);
    assert_eq!(count(&database, "SELECT count(DISTINCT same_as) FROM copy"), 3);
}

#[test]
fn names_of_known_players_forgive_accents_and_tags_of_unknown_ones_do_not() {
    let (mut database, folder) = memory();
    let tags = |black: &'static str, event: &'static str| [("Event", event), ("Black", black), ("White", "Birch, Q.")];
    let moves = "1. 11-15 23-19 *";
    import_text(&mut database, folder.path(), "a.pdn", game(&tags("Lindén, Å.", "Cup"), moves));
    let same = import_text(&mut database, folder.path(), "b.pdn", game(&tags("LINDEN,  A.", "cup"), moves));
    assert_eq!(same.total.duplicates, 1);
    import_text(&mut database, folder.path(), "c.pdn", game(&tags("?", "Cup"), moves));
    let other = import_text(&mut database, folder.path(), "d.pdn", game(&tags("?", "cup"), moves));
    assert_eq!(other.total.stored, 1, "letters of another size");
    let site = game(&[("Event", "Cup"), ("Site", "Dock End"), ("Black", "?"), ("White", "Birch, Q.")], moves);
    assert_eq!(import_text(&mut database, folder.path(), "e.pdn", site).total.stored, 1, "one tag more");
    // The same bytes but for a blank line between the games.
    let equal = format!("\n{}", game(&tags("?", "Cup"), moves));
    assert_eq!(import_text(&mut database, folder.path(), "f.pdn", equal).total.duplicates, 1);
}

#[test]
fn near_duplicates_are_all_stored() {
    let (mut database, folder) = memory();
    let english = |text: &str| {
        text.replace("[GameType \"20\"]", "[GameType \"21\"]")
            .replace("32-28 18-23", "11-15 23-19")
            .replace("33-29 23x32", "8-11 22-17")
            .replace("37x28 17-22", "4-8 17-13")
            .replace("37x28", "4-8")
    };
    let text = english(&case("68-near-duplicates/input.pdn"));
    let games: Vec<_> = text.split("\n\n").filter(|game| !game.trim().is_empty()).collect();
    assert_eq!(games.len(), 4);
    for (number, game) in games.iter().enumerate() {
        let report = import_text(&mut database, folder.path(), &format!("{number}.pdn"), game);
        assert_eq!((report.total.read, report.total.stored), (1, 1), "{game}");
    }
    let shared = position("W:W19,17,21,24-32:B1,2,3,5,6,7,8,9,10,11,12,15");
    assert_eq!(query::position_stats(&database, &shared).unwrap().games, 4);
}

#[test]
fn the_same_file_again_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (path, file) = (folder.path().join("x.db"), folder.path().join("a.pdn"));
    fs::write(&file, random_games(700_000, 60, 1)).unwrap();
    let mut database = Database::create(&path).unwrap().0;
    let first = import_files(&mut database, &[&file]);
    let before = dump(&database);
    drop(database);
    let bytes = fs::metadata(&path).unwrap().len();
    let mut database = Database::create(&path).unwrap().0;
    let again = import_files(&mut database, &[&file]);
    assert_eq!((again.total.read, again.total.duplicates), (first.total.read, first.total.read));
    assert!(again.files[0].held);
    assert_eq!(dump(&database), before);
    drop(database);
    assert_eq!(fs::metadata(&path).unwrap().len(), bytes);
    let wal = folder.path().join("x.db-wal");
    assert!(fs::metadata(&wal).map_or(0, |meta| meta.len()) == 0, "the file alone is the whole database");
}

/// Raises a flag after some chunks.
struct StopAfter<'a> {
    chunks: usize,
    flag: &'a AtomicBool,
}

impl ImportObserver for StopAfter<'_> {
    fn chunk(&mut self, _: &Input, _: &Chunk) {
        self.chunks -= 1;
        if self.chunks == 0 {
            self.flag.store(true, Ordering::Relaxed);
        }
    }
}

fn import_stopped(database: &mut Database, file: &Path, chunks: usize) -> import::ImportReport {
    let inputs = intake::inputs(&[file.to_owned()]).unwrap();
    let flag = AtomicBool::new(false);
    let mut observer = StopAfter { chunks, flag: &flag };
    import::import(database, &inputs, &Book::embedded().unwrap(), &options(false), &flag, &mut observer).unwrap()
}

#[test]
fn a_stopped_import_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("big.pdn");
    fs::write(&file, random_games(1_600_000, 60, 2)).unwrap();
    let mut whole = Database::in_memory().unwrap();
    let expected = import_files(&mut whole, &[&file]);
    let mut database = Database::in_memory().unwrap();
    for chunks in [1, 3] {
        let stopped = import_stopped(&mut database, &file, chunks);
        assert!(stopped.stopped);
        assert_eq!(count(&database, "SELECT complete FROM source"), 0);
        assert_tree_is_that_of_the_lines(&database);
    }
    let rest = import_files(&mut database, &[&file]);
    assert!(!rest.stopped);
    assert_eq!(rest.total.read, expected.total.read);
    assert!(rest.total.stored < expected.total.stored);
    assert_same(&database, &whole);
    // Stopped at the very end, all is there but the word that it is complete.
    let mut database = Database::in_memory().unwrap();
    import_stopped(&mut database, &file, 7);
    import_files(&mut database, &[&file]);
    assert_same(&database, &whole);
}

#[test]
fn a_text_that_grew_is_linked_as_far_as_it_is_held() {
    let (mut database, folder) = memory();
    let (short, tail, other) =
        (random_games(700_000, 50, 3), random_games(300_000, 50, 4), random_games(300_000, 50, 5));
    let games = |report: &import::ImportReport| (report.total.read, report.total.stored, report.total.duplicates);
    let (read, ..) = games(&import_text(&mut database, folder.path(), "a.pdn", &short));
    let grown = format!("{short}{tail}");
    let report = import_text(&mut database, folder.path(), "b.pdn", &grown);
    assert_eq!(report.total.duplicates, read);
    assert_eq!(count(&database, "SELECT count(*) FROM copy WHERE source = 2 AND same_as IS NOT NULL"), read as i64);
    // Chunks of the grown text have two owners; reading it again finds them all.
    let before = dump(&database);
    let again = import_text(&mut database, folder.path(), "b.pdn", &grown);
    assert!(again.files[0].held);
    assert_eq!(dump(&database), before);
    // And a third text that leaves the second later on is linked to all that both share.
    let third = import_text(&mut database, folder.path(), "c.pdn", format!("{grown}{other}"));
    assert_eq!(third.total.duplicates, report.total.read);
    assert_eq!(
        count(&database, "SELECT count(*) FROM copy WHERE source = 3 AND same_as IS NOT NULL"),
        report.total.read as i64
    );
    assert_tree_is_that_of_the_lines(&database);
    let unsound = "SELECT count(*) FROM source WHERE read <> stored + partly + refused + duplicates";
    assert_eq!(count(&database, unsound), 0);
}

#[test]
fn a_grown_text_can_be_stopped_too() {
    let folder = tempfile::tempdir().unwrap();
    let short = random_games(600_000, 50, 6);
    let file = folder.path().join("b.pdn");
    fs::write(&file, format!("{short}{}", random_games(900_000, 50, 7))).unwrap();
    let held = |path: &Path| {
        let mut database = Database::in_memory().unwrap();
        import_text(&mut database, path, "a.pdn", &short);
        database
    };
    let mut whole = held(folder.path());
    import_files(&mut whole, &[&file]);
    let mut database = held(folder.path());
    // Two chunks of the first text, then some of its own.
    assert!(import_stopped(&mut database, &file, 4).stopped);
    import_files(&mut database, &[&file]);
    assert_same(&database, &whole);
}

#[test]
fn a_failed_write_takes_its_batch_back() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.pdn");
    fs::write(&file, random_games(900_000, 50, 8)).unwrap();
    let mut whole = Database::in_memory().unwrap();
    import_files(&mut whole, &[&file]);
    let mut database = Database::in_memory().unwrap();
    database
        .connection()
        .execute_batch(
            "CREATE TEMP TRIGGER full BEFORE INSERT ON copy WHEN NEW.number = 1500
             BEGIN SELECT RAISE(ABORT, 'no room'); END",
        )
        .unwrap();
    let inputs = intake::inputs(std::slice::from_ref(&file)).unwrap();
    let book = Book::embedded().unwrap();
    let failed = import::import(&mut database, &inputs, &book, &options(false), &AtomicBool::new(false), &mut Nobody);
    assert!(matches!(failed, Err(import::ImportError::Store(_))), "{failed:?}");
    assert_eq!(count(&database, "SELECT count(*) FROM text"), 0, "no chunk may look held with games missing");
    database.connection().execute_batch("DROP TRIGGER full").unwrap();
    import_files(&mut database, &[&file]);
    assert_same(&database, &whole);
}

#[test]
fn many_small_imports_are_merged_and_counts_stay_right() {
    let (mut database, folder) = memory();
    for number in 0..40 {
        let bytes = if number % 7 == 0 { 20_000 } else { 1_500 };
        import_text(&mut database, folder.path(), &format!("{number}.pdn"), random_games(bytes, 40, 100 + number));
    }
    let segments = count(&database, "SELECT count(*) FROM segment");
    assert!((1..16).contains(&segments), "{segments} segments of 40 imports");
    assert_eq!(
        count(&database, "SELECT count(*) FROM block WHERE segment NOT IN (SELECT id FROM segment)"),
        0,
        "merged blocks are gone"
    );
    assert_tree_is_that_of_the_lines(&database);
}

/// Text of small games: choices of moves, from the start or from an ending in which positions come back.
fn small_game(from_ending: bool, choices: &[u8], number: usize) -> String {
    let (start, fen) = if from_ending {
        (position("W:WK18,K32:BK1"), "[FEN \"W:WK18,K32:BK1\"]\n")
    } else {
        (Position::start(Variant::English), "")
    };
    let positions = super::support::play(start, choices);
    let mut text = format!("[Event \"{number}\"]\n{fen}[Result \"1-0\"]\n");
    for (at, choice) in positions.iter().zip(choices).take(positions.len() - 1) {
        let legal = at.legal_moves();
        text.push_str(&crownhead::game::move_text(at, &legal[usize::from(*choice) % legal.len()]));
        text.push(' ');
    }
    text + "1-0\n\n"
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn the_tree_is_that_of_its_games(
        games in prop::collection::vec((any::<bool>(), prop::collection::vec(0_u8..3, 0..24)), 1..30),
        at_once in 1_usize..4,
    ) {
        let (mut database, folder) = memory();
        let texts: Vec<_> =
            games.iter().enumerate().map(|(number, (ending, choices))| small_game(*ending, choices, number)).collect();
        for (number, texts) in texts.chunks(at_once).enumerate() {
            let report = import_text(&mut database, folder.path(), &format!("{number}.pdn"), texts.concat());
            prop_assert_eq!(report.total.stored, texts.len() as u64);
        }
        assert_tree_is_that_of_the_lines(&database);
    }
}

#[test]
fn databases_that_are_none_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    assert!(matches!(Database::open(&at("none.db")), Err(StoreError::Missing(_))));
    fs::write(at("empty.db"), "").unwrap();
    assert!(matches!(Database::open(&at("empty.db")), Err(StoreError::Missing(_))));
    let foreign = rusqlite::Connection::open(at("foreign.db")).unwrap();
    foreign.execute_batch("CREATE TABLE mine (x); INSERT INTO mine VALUES (1)").unwrap();
    drop(foreign);
    let before = fs::read(at("foreign.db")).unwrap();
    assert!(matches!(Database::open(&at("foreign.db")), Err(StoreError::Foreign(_))));
    assert!(matches!(Database::create(&at("foreign.db")), Err(StoreError::Foreign(_))));
    assert_eq!(fs::read(at("foreign.db")).unwrap(), before);
    fs::write(
        at("text.db"),
        "this is a letter and no database, long enough to have a head of a hundred bytes and more ".repeat(9),
    )
    .unwrap();
    assert!(matches!(Database::open(&at("text.db")), Err(StoreError::NoDatabase(_))));
    assert!(matches!(Database::create(&at("text.db")), Err(StoreError::NoDatabase(_))));
    drop(Database::create(&at("newer.db")).unwrap());
    rusqlite::Connection::open(at("newer.db")).unwrap().pragma_update(None, "user_version", 99).unwrap();
    assert!(matches!(Database::open(&at("newer.db")), Err(StoreError::TooNew { found: 99, .. })));
    assert!(matches!(Database::create(&at("newer.db")), Err(StoreError::TooNew { found: 99, .. })));
}

fn with_case(name: &str) -> Database {
    let (mut database, folder) = memory();
    let report = import_text(&mut database, folder.path(), "input.pdn", case(name));
    assert_eq!(report.total.stored, report.total.read, "{name}");
    database
}

fn tree(database: &Database, fen: &str) -> (u32, Vec<(String, u32, u32)>) {
    let (rows, here) = query::moves(database, &Book::embedded().unwrap(), &position(fen)).unwrap();
    let mut rows: Vec<_> = rows.into_iter().map(|row| (row.text, row.stats.games, row.position_games)).collect();
    rows.sort();
    (here.games, rows)
}

fn row(text: &str, games: u32, position_games: u32) -> (String, u32, u32) {
    (text.to_owned(), games, position_games)
}

const START: &str = "B:W21-32:B1-12";

#[test]
fn transpositions_are_counted_by_position() {
    let database = with_case("60-transposition-counts/input.pdn");
    let a = "W:W19,21,22,24-32:B1-7,9,10,11,12,15";
    assert_eq!(tree(&database, a), (2, vec![row("22-17", 2, 3)]));
    let p = "B:W17,19,21,24-32:B1-7,9,10,11,12,15";
    assert_eq!(tree(&database, p), (3, vec![row("3-8", 1, 1), row("4-8", 2, 2)]));
    assert_eq!(tree(&database, START), (3, vec![row("11-15", 3, 3)]));
}

#[test]
fn a_game_that_comes_back_counts_once() {
    let database = with_case("61-repetition-counts-once/input.pdn");
    assert_eq!(tree(&database, "W:WK18:BK1"), (1, vec![row("18-22", 1, 1)]));
    assert_eq!(tree(&database, "W:WK22:BK5"), (1, vec![row("22-17", 1, 1), row("22-18", 1, 1)]));
}

#[test]
fn set_ups_stand_beside_the_start() {
    let database = with_case("63-custom-start-games/input.pdn");
    assert_eq!(tree(&database, START), (1, vec![row("9-14", 1, 1)]));
    assert_eq!(tree(&database, "B:W18,21:B9,10"), (1, vec![row("9-14", 1, 1)]));
    let named: Vec<Option<String>> = {
        let mut rows = database.connection().prepare("SELECT opening FROM games ORDER BY id").unwrap();
        rows.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    };
    assert_eq!(named[1], None);
}

#[test]
fn lines_merge_and_cycles_end() {
    let counts = with_case("65-merge-lines-into-one-tree/input.pdn").position_counts().unwrap();
    assert_eq!((counts.positions, counts.moves), (6, 5));
    let counts = with_case("66-cycles-in-the-graph/input.pdn").position_counts().unwrap();
    assert_eq!((counts.positions, counts.moves, counts.pairs), (4, 4, 4));
}

#[test]
fn turning_a_source_round_is_one_row() {
    let (mut database, folder) = memory();
    import_text(&mut database, folder.path(), "a.pdn", known("1", "1. 11-15 23-19 1-0"));
    // The board has the last word where no score is written: that does not turn.
    let board = game(&[("Event", "2"), ("FEN", "B:W22:B17,18")], "1. 17x26 *");
    import_text(&mut database, folder.path(), "b.pdn", format!("{board}{}", known("3", "1. 11-15 24-20 1-0")));
    let winners = |database: &Database| -> Vec<String> {
        let mut rows = database.connection().prepare("SELECT winner FROM games ORDER BY id").unwrap();
        rows.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    };
    assert_eq!(winners(&database), ["black", "black", "black"]);
    let path = folder.path().join("x.db");
    database.connection().execute("VACUUM INTO ?1", [path.to_str().unwrap()]).unwrap();
    let changed = rusqlite::Connection::open(&path).unwrap();
    assert_eq!(changed.execute("UPDATE source SET result_order = 'white-first' WHERE id = 2", []).unwrap(), 1);
    drop(changed);
    let turned = Database::open(&path).unwrap();
    assert_eq!(winners(&turned), ["black", "black", "white"]);
    let stats = query::position_stats(&turned, &Position::start(Variant::English)).unwrap();
    assert_eq!((stats.black_wins, stats.white_wins), (1, 1));
}

#[test]
fn the_raw_text_of_a_game_is_that_of_its_source() {
    let (mut database, folder) = memory();
    let text = random_games(600_000, 40, 9);
    import_text(&mut database, folder.path(), "a.pdn", format!("\u{feff}{text}"));
    let games: Vec<_> = text.split("\n\n").filter(|game| !game.is_empty()).collect();
    assert_eq!(database.totals().unwrap().games as usize, games.len());
    for (index, game) in games.iter().enumerate().step_by(97) {
        let raw = database.raw_text(index as u32 + 1).unwrap().unwrap();
        assert_eq!(raw.trim_end(), *game);
    }
    assert_eq!(database.raw_text(1_000_000).unwrap(), None);
}

#[test]
fn notes_marks_and_nested_variations_come_back() {
    let (mut database, folder) = memory();
    let text = known(
        "1",
        "{at the start} 1. 11-15! {first} 23-19 (1... 22-18 {a} 2. 15x22 25x18 (2... 26x17? 3. 8-11 (3. 9-13 {deep} 4. 17-14))) \
         2. 8-11 $4 (2. 9-14 22-17) 1-0",
    );
    let report = import_text(&mut database, folder.path(), "a.pdn", &text);
    assert_eq!((report.total.stored, report.total.lines, report.total.plies), (1, 5, 3 + 3 + 2 + 2 + 2));
    let notes: Vec<_> = database.notes(1).unwrap().into_iter().map(|n| (n.ply, n.kind)).collect();
    let note = |ply, kind: &str, value: &str| (ply, NoteKind::from_words(kind, value.to_owned()).unwrap());
    for expected in
        [note(0, "comment", "at the start"), note(1, "mark", "$1"), note(1, "comment", "first"), note(3, "mark", "$4")]
    {
        assert!(notes.contains(&expected), "{expected:?} in {notes:?}");
    }
    let branches = database.branches(1).unwrap();
    let shape: Vec<_> = branches.iter().map(|b| (b.line.id, b.parent, b.ply, b.line.moves.len())).collect();
    assert_eq!(shape, [(2, 1, 2, 3), (5, 1, 3, 2), (3, 2, 3, 2), (4, 3, 2, 2)]);
    assert!(database.notes(4).unwrap().iter().any(|n| n.ply == 1 && n.kind == NoteKind::Comment("deep".to_owned())));
    // Variations stand in no count of games.
    assert_eq!(query::position_stats(&database, &Position::start(Variant::English)).unwrap().games, 1);
    assert_eq!(tree(&database, "W:W21-32:B1-10,12,15"), (1, vec![row("23-19", 1, 1)]));
}

#[test]
fn odd_files_are_told_and_not_taken_for_nothing() {
    let (mut database, folder) = memory();
    let mut import = |name: &str, text: &[u8]| import_text(&mut database, folder.path(), name, text).total;
    assert_eq!(import("empty.pdn", b"").read, 0);
    assert_eq!(import("blank.pdn", b" \r\n\r\n\t\n").read, 0);
    let bom = import("bom.pdn", "\u{feff}[Event \"x\"]\n1. 11-15 *\n".as_bytes());
    assert_eq!((bom.read, bom.stored), (1, 1));
    let crlf = import(
        "crlf.pdn",
        b"[Event \"y\"]\r\n[Black \"A\"]\r\n\r\n1. 11-15\r\n23-19 *\r\n\r\n[Event \"z\"]\r\n1. 9-14 *\r\n",
    );
    assert_eq!((crlf.read, crlf.stored, crlf.plies), (2, 2, 3));
    for name in ["input-le-bom.pdn", "input-be-bom.pdn", "input-le-nobom.pdn"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/cases/35-utf16").join(name);
        let counts = import(name, &fs::read(path).unwrap());
        assert_eq!((counts.read, counts.refused), (1, 1), "{name}: a 10x10 game is refused, and told");
    }
    let utf16: Vec<u8> =
        "\u{feff}[Event \"w\"]\r\n[Black \"Å\"]\r\n1. 10-15 *\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(import("utf16.pdn", &utf16).stored, 1);
    let refused = import("refused.pdn", b"1. 11-20 *\n\n1. 1-2 *\n");
    assert_eq!((refused.read, refused.refused), (2, 2));
    let again = import("refused-again.pdn", b"1. 11-20 *\n\n1. 1-2 *\n");
    assert_eq!((again.read, again.refused, again.duplicates), (2, 2, 0));
    assert_eq!(count(&database, "SELECT count(*) FROM games WHERE black = 'Å'"), 1);
    // The three are one text, so it is told once.
    assert_eq!(count(&database, "SELECT count(*) FROM finding WHERE code = 'unknown-variant'"), 1);
}

#[test]
fn one_stray_byte_spoils_no_other_name() {
    let (mut database, folder) = memory();
    let mut text = game(&[("Event", "1"), ("Black", "Lindén, Å.")], "1. 11-15 *").into_bytes();
    text.extend(b"[Event \"2\"]\n[Black \"Lind\xe9n\"]\n1. 9-14 *\n\n");
    import_text(&mut database, folder.path(), "a.pdn", text);
    assert_eq!(count(&database, "SELECT count(*) FROM games WHERE black IN ('Lindén, Å.', 'Lindén')"), 2);
    assert!(database.raw_text(2).unwrap().unwrap().contains("Lindén"));
}

#[test]
fn strict_keeps_everything_out_however_large() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.pdn");
    fs::write(&file, random_games(600_000, 40, 10) + "[Event \"bad\"]\n1. 11-15 1-2 *\n").unwrap();
    let mut database = Database::in_memory().unwrap();
    let inputs = intake::inputs(&[file]).unwrap();
    let book = Book::embedded().unwrap();
    let report =
        import::import(&mut database, &inputs, &book, &options(true), &AtomicBool::new(false), &mut Nobody).unwrap();
    assert!(report.withheld);
    assert_eq!((report.total.stored, report.total.partly), (0, 0));
    assert_eq!(report.total.refused, report.total.read);
    assert_eq!(database.totals().unwrap(), crownhead::store::Totals::default());
}
