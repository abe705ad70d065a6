//! Exports: what is given back, and that nothing is lost or doubled when it comes in again.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use crownhead::board::{ResultOrder, Variant};
use crownhead::book::Book;
use crownhead::cli::game_object;
use crownhead::game::{ReplayOptions, Severity, move_text};
use crownhead::import::{self, ImportObserver, ImportOptions, ImportReport, findings};
use crownhead::intake::{self, Chunk, Input, InputForm};
use crownhead::query::{self, Filters, GameRow, PlayedRow, PlyRow, Sort};
use crownhead::render::{CsvRows, JsonGames, TableOptions};
use crownhead::rules::Position;
use crownhead::store::Database;
use crownhead::table::{Cell, Row};
use proptest::prelude::*;

/// Collects what is wrong.
#[derive(Default)]
struct Errors(Vec<String>);

impl ImportObserver for Errors {
    fn chunk(&mut self, _: &Input, chunk: &Chunk) {
        let errors = findings(chunk).filter(|finding| finding.severity == Severity::Error);
        self.0.extend(errors.map(|finding| format!("{finding:?}")));
    }
}

fn import_file(
    database: &mut Database,
    path: &Path,
    form: InputForm,
    order: Option<ResultOrder>,
) -> (ImportReport, Vec<String>) {
    let inputs = intake::inputs(&[path.to_owned()]).unwrap();
    let replay = ReplayOptions { result_order: order, ..ReplayOptions::for_variant(Variant::English) };
    let options = ImportOptions { intake: intake::ReadOptions { replay, form: Some(form), threads: 1 }, strict: false };
    let (mut errors, book) = (Errors::default(), Book::embedded().unwrap());
    let stop = AtomicBool::new(false);
    let report = import::import(database, &inputs, &book, &options, &stop, &mut errors).unwrap();
    (report, errors.0)
}

/// A database with the play of `text`.
fn stored(text: &str) -> Database {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.pdn");
    fs::write(&path, text).unwrap();
    let mut database = Database::in_memory().unwrap();
    import_file(&mut database, &path, InputForm::Pdn, None);
    database
}

fn ids(database: &Database) -> Vec<u32> {
    query::line_ids(database, &Filters::default(), &Sort::default()).unwrap()
}

fn pdn(database: &Database) -> String {
    ids(database).into_iter().map(|id| query::pdn(&query::record(database, id).unwrap().unwrap())).collect()
}

/// Everything that is known of every line but where it comes from and how its score is turned.
fn content(database: &Database) -> Vec<String> {
    let repeats = |name: &str| ["GameType", "SetUp", "FEN"].iter().any(|tag| tag.eq_ignore_ascii_case(name));
    let mut all = Vec::new();
    for id in database.line_ids().unwrap() {
        let record = query::record(database, id).unwrap().unwrap();
        let mut cells = record.row.values();
        let columns = GameRow::COLUMNS;
        for name in ["source", "place"] {
            cells[columns.iter().position(|column| column.name == name).unwrap()] = Cell::Null;
        }
        let tags: Vec<_> = record.tags.iter().filter(|(name, _)| !repeats(name)).collect();
        let branches: Vec<_> = record.branches.iter().map(|b| (b.line.line.id, b.parent, b.ply, &b.label)).collect();
        let main = &record.main;
        all.push(format!("{cells:?} {tags:?} {:?} {branches:?} {:?} {:?}", record.label, main.texts, main.notes));
    }
    all
}

/// The laws of a round trip, for one text; the export.
fn round_trip(path: &Path, form: InputForm, order: Option<ResultOrder>) -> String {
    let what = path.display();
    let folder = tempfile::tempdir().unwrap();
    let mut database = Database::in_memory().unwrap();
    import_file(&mut database, path, form, order);
    let (totals, before) = (database.totals().unwrap(), content(&database));
    let exported = pdn(&database);
    let again = folder.path().join("again.pdn");
    fs::write(&again, &exported).unwrap();
    json_round_trip(&mut database, &before, folder.path(), &exported);

    let (report, errors) = import_file(&mut database, &again, InputForm::Pdn, None);
    assert_eq!(errors, [""; 0], "{what}\n{exported}");
    assert_eq!(report.total.duplicates, report.total.read, "{what}\n{exported}");
    let after = database.totals().unwrap();
    assert_eq!((after.lines, after.games, after.plies), (totals.lines, totals.games, totals.plies), "{what}");
    assert_eq!(content(&database), before, "{what}");

    let mut fresh = Database::in_memory().unwrap();
    let (_, errors) = import_file(&mut fresh, &again, InputForm::Pdn, None);
    assert_eq!(errors, [""; 0], "{what}");
    assert_eq!(content(&fresh), before, "{what}\n{exported}");
    assert_eq!(pdn(&fresh), exported, "{what}: the second export is the first");
    no_order_turns_it(&mut database, &before, folder.path(), &exported);
    exported
}

/// Our own exports tell whose score stands first: an option adds nothing and turns nothing.
fn no_order_turns_it(database: &mut Database, before: &[String], folder: &Path, exported: &str) {
    let totals = database.totals().unwrap();
    let json = json(database, false);
    for order in [ResultOrder::BlackFirst, ResultOrder::WhiteFirst] {
        for (form, text) in [(InputForm::Pdn, exported), (InputForm::Json, &json)] {
            let path = folder.join(format!("{}.{}", order.name(), form.name()));
            fs::write(&path, text).unwrap();
            let (report, _) = import_file(database, &path, form, Some(order));
            assert_eq!(report.total.duplicates, report.total.read, "{}\n{text}", path.display());
            assert_eq!(database.totals().unwrap().lines, totals.lines);
            let mut fresh = Database::in_memory().unwrap();
            import_file(&mut fresh, &path, form, Some(order));
            // JSON gives variations new ids, so what came by it is compared as PDN.
            assert!(form == InputForm::Json || content(&fresh) == before, "{}\n{text}", path.display());
            assert_eq!(pdn(&fresh), exported, "{}", path.display());
        }
    }
}

/// The same laws for JSON, and PDN made of what came by JSON.
fn json_round_trip(database: &mut Database, before: &[String], folder: &Path, exported: &str) {
    let file = folder.join("again.json");
    fs::write(&file, json(database, false)).unwrap();
    let totals = database.totals().unwrap();
    let (report, errors) = import_file(database, &file, InputForm::Json, None);
    assert_eq!(errors, [""; 0], "{exported}");
    assert_eq!(report.total.duplicates, report.total.read, "{exported}");
    assert_eq!(database.totals().unwrap().lines, totals.lines);
    assert_eq!(content(database), before);

    let mut fresh = Database::in_memory().unwrap();
    import_file(&mut fresh, &file, InputForm::Json, None);
    assert_eq!(pdn(&fresh), exported, "PDN of what came by JSON");
    let lines = folder.join("again.ndjson");
    fs::write(&lines, json(&fresh, true)).unwrap();
    let mut third = Database::in_memory().unwrap();
    import_file(&mut third, &lines, InputForm::Json, None);
    // Variations got their ids in the order of the file, which does not change any more; names of sources do.
    let named = |text: String| text.replace(lines.to_str().unwrap(), "").replace(file.to_str().unwrap(), "");
    let (one, two) = (named(json(&fresh, true)), named(json(&third, true)));
    assert_eq!(without_places(&one), without_places(&two), "the second export is the first");
}

/// NDJSON without the lines of files that games stand in.
fn without_places(text: &str) -> String {
    let games = text.lines().map(|line| {
        let mut game: serde_json::Value = serde_json::from_str(line).unwrap();
        game["place"] = serde_json::Value::Null;
        game.to_string() + "\n"
    });
    games.collect()
}

fn json(database: &Database, lines: bool) -> String {
    let mut out = Vec::new();
    let mut games = JsonGames::new(lines, &mut out);
    for id in ids(database) {
        let record = query::record(database, id).unwrap().unwrap();
        let values = record.row.clone().values();
        games.game(&game_object(&record, &values)).unwrap();
    }
    games.finish().unwrap();
    String::from_utf8(out).unwrap()
}

fn corpus(folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(folder);
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == extension));
    files.sort();
    assert!(!files.is_empty());
    files
}

#[test]
fn an_export_comes_back_as_it_was() {
    for file in [corpus("pdn/accept", "pdn"), corpus("pdn/reject", "pdn")].concat() {
        round_trip(&file, InputForm::Pdn, None);
        round_trip(&file, InputForm::Pdn, Some(ResultOrder::WhiteFirst));
    }
    for file in corpus("book", "txt") {
        round_trip(&file, InputForm::Book, None);
    }
}

/// Cases 80 and 81 with English games.
#[test]
fn pdn_is_strict_and_whole() {
    let text = r#"[Event "Round \"trip\" \\ one"]
[White "Alder, P."]
[Black "Birch, Q."]
[GameType "21,B,8,8,A1,0"]
[FEN "W:W21-32:B1-10,12,15"]
[Result "½-½"]
[MyTag "kept"]

{before} 1... 23-19 $1 {took ( three ; men} (1... 22-18 {or} 2. 15x22 25x18 {[%losing]} (2... 26x17)) 2. 8-11 22-17 {[%star]} *
"#;
    let expected = r#"[Event "Round \"trip\" \\ one"]
[Black "Birch, Q."]
[White "Alder, P."]
[Result "1/2-1/2"]
[GameType "21,B,8,8,A1,0"]
[SetUp "1"]
[FEN "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15"]
[MyTag "kept"]
[CrownheadOriginalResult "½-½"]

{before} 1... 23-19 $1 {took ( three ; men} (1... 22-18 {or} 2. 15x22 25x18
{[%losing]} (2... 26x17)) 2. 8-11 22-17 {[%star]} 1/2-1/2

"#;
    let database = stored(text);
    assert_eq!(pdn(&database), expected);
    let again = stored(expected);
    assert_eq!(pdn(&again), expected);
    let row = query::record(&again, 1).unwrap().unwrap();
    assert_eq!(row.result.as_deref(), Some("½-½"));
}

#[test]
fn results_are_turned_to_the_order_of_the_variant() {
    for (written, exported, original) in
        [("1-0", "0-1", true), ("0-2", "2-0", true), ("1-1", "1-1", false), ("4-6", "1-0", true), ("*", "*", false)]
    {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.pdn");
        fs::write(&path, format!("[Result \"{written}\"]\n1. 11-15 23-19 {written}\n")).unwrap();
        let text = round_trip(&path, InputForm::Pdn, Some(ResultOrder::WhiteFirst));
        assert!(text.contains(&format!("[Result \"{exported}\"]")), "{text}");
        let decided = !matches!(exported, "1-1" | "*");
        assert_eq!(text.contains("[CrownheadResultOrder \"black-first\"]"), decided, "{text}");
        assert_eq!(text.contains(&format!("[CrownheadOriginalResult \"{written}\"]")), original, "{text}");
    }
}

fn csv(database: &Database, plies: bool, spreadsheet: bool) -> String {
    let mut out = Vec::new();
    let options = TableOptions { spreadsheet, ..TableOptions::default() };
    let columns = if plies { PlyRow::COLUMNS } else { PlayedRow::COLUMNS };
    let mut rows = CsvRows::new(columns, &options, &mut out).unwrap();
    for id in ids(database) {
        let record = query::record(database, id).unwrap().unwrap();
        if plies {
            record.plies().into_iter().for_each(|ply| rows.row(&ply.values()).unwrap());
        } else {
            rows.row(&query::played_row(database, id).unwrap().unwrap().values()).unwrap();
        }
    }
    rows.finish().unwrap();
    String::from_utf8(out).unwrap()
}

/// Cases 77 and 78.
#[test]
fn csv_has_a_row_a_game_or_a_ply() {
    let text = "[Event \"=1+2, \\\"x\\\"\"]\n[Black \"-2+3\"]\n[White \"@SUM(A1)\"]\n[Result \"1-0\"]\n\n\
        {first} 1. 11-15! {a\nsecond, \"line\"} 23-19 {[%losing]} 1-0\n";
    let database = stored(text);
    let fen = "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15";
    let plies = format!(
        "game,ply,side,move,fen,mark,losing,witness,comment\n\
         1,1,black,11-15,\"{fen}\",!,false,,\"first a second, \"\"line\"\"\"\n\
         1,2,white,23-19,\"B:W19,21,22,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15\",*,true,source,\n"
    );
    assert_eq!(csv(&database, true, false), plies);
    let games = csv(&database, false, false);
    assert!(games.contains(",\"=1+2, \"\"x\"\"\",,-2+3,@SUM(A1),1-0,black,"), "{games}");
    let last = |row: &str| row.rsplit(',').next().map(str::to_owned);
    assert_eq!(games.lines().next().and_then(last).as_deref(), Some("moves"), "last, so that old scripts keep working");
    assert!(games.ends_with(",,11-15 23-19\n"), "{games}");
    let guarded = csv(&database, false, true);
    assert!(guarded.starts_with("\u{feff}id,kind"));
    assert!(guarded.contains(",\"'=1+2, \"\"x\"\"\",,'-2+3,'@SUM(A1),'1-0,black,"), "{guarded}");
    assert!(csv(&database, true, true).contains("1,1,black,'11-15,"));
}

/// A game as a writer of PDN might leave it: moves by choice, notes and branches by chance.
fn game_text(
    start: Position,
    choices: &[u8],
    extras: &[(u8, String)],
    tags: &[(&str, String)],
    result: &str,
) -> String {
    let mut text: String = tags
        .iter()
        .map(|(name, value)| format!("[{name} \"{}\"]\n", value.replace('\\', "\\\\").replace('"', "\\\"")))
        .collect();
    text.push('\n');
    let mut position = start;
    let mut extras = extras.iter().cycle();
    for &choice in choices {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let played = legal[usize::from(choice) % legal.len()];
        text.push_str(&format!("{} ", move_text(&position, &played)));
        let Some((kind, comment)) = extras.next() else { continue };
        match kind % 8 {
            0 => text.push_str(&format!("{{{comment}}} ")),
            1 => text.push_str(&format!("${kind} {{{comment}}} ")),
            2 => text.push_str("{[%losing]} "),
            3 => text.push_str("{[%star]} {[%repaired l1-15]} "),
            4 => text.push_str(&nested(&position, *kind, comment)),
            5 => text.push_str(&format!("$1 {{{comment}}} $7 {{[%star]}} {{{comment} }} $255 ")),
            _ => {}
        }
        position = position.play_unchecked(&played);
    }
    text.push_str(result);
    text.push('\n');
    text
}

/// A branch in place of the move from `position`, and branches off its replies, as deep as `kind` says.
fn nested(position: &Position, kind: u8, comment: &str) -> String {
    let (mut text, mut open, mut position) = (String::new(), 0, *position);
    for level in 0..=kind % 5 {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let other = legal[usize::from(kind) % legal.len()];
        text.push_str(&format!("( {{[%label {level}%7D]}} {{{comment}}} {} ", move_text(&position, &other)));
        open += 1;
        let next = position.play_unchecked(&other);
        let Some(reply) = next.legal_moves().first().copied() else { break };
        text.push_str(&format!("{} {{{comment}}} ", move_text(&next, &reply)));
        position = next;
    }
    text + &") ".repeat(open)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn generated_games_come_back_as_they_were(
        choices in prop::collection::vec(any::<u8>(), 0..70),
        extras in prop::collection::vec((any::<u8>(), "[a-zA-Z0-9 ,.;()\\[\\]%\"'*$!?|<é×ж漢😀\u{301}\u{200f}-]{0,90}"), 0..9),
        start in prop::sample::select(vec![None, Some("W:W21-32:B1-10,12,15"), Some("W:WK18,32:BK1,5"), Some("B:W22:B17,18")]),
        event in "[ -~]{0,20}",
        players in prop::sample::select(vec![("Alder, P.", "Birch, Q."), ("?", "Birch, Q."), ("", "")]),
        result in prop::sample::select(vec!["1-0", "0-1", "1/2-1/2", "2-0", "½-½", "4-6", "0-0", "1.02-0.98", "*", ""]),
        copies in 1..3_usize,
        white_first in any::<bool>(),
    ) {
        let mut tags = vec![("Event", event), ("Black", players.0.to_owned()), ("White", players.1.to_owned())];
        tags.push(("Annotator", "x".to_owned()));
        if !result.is_empty() {
            tags.push(("Result", result.to_owned()));
        }
        if let Some(fen) = start {
            tags.push(("FEN", fen.to_owned()));
        }
        let start = start.map_or(Position::start(Variant::English), crate::support::position);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("generated.pdn");
        fs::write(&path, game_text(start, &choices, &extras, &tags, result).repeat(copies)).unwrap();
        round_trip(&path, InputForm::Pdn, white_first.then_some(ResultOrder::WhiteFirst));
    }
}

fn crownhead(folder: &Path, words: &[&str]) -> (Option<i32>, String) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_crownhead"));
    let output = command.current_dir(folder).args(["--db", "x.db", "-q"]).args(words).output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn the_command_gives_every_form() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &[&str]| crownhead(folder.path(), words);
    let text = "[Event \"x\"]\n[Result \"1-0\"]\n\n{first} 1. 11-15 $1 (1. 9-14 {or} 22-18) 23-19 {[%losing]} 1-0\n\n\
        [Event \"y\"]\n\n1. 9-13 *\n";
    fs::write(folder.path().join("x.pdn"), text).unwrap();
    assert_eq!(run(&["import", "x.pdn"]).0, Some(0));

    let (status, csv) = run(&["export", "csv", "--columns", "event,plies,final_fen", "--losing"]);
    assert_eq!((status, csv.lines().next()), (Some(0), Some("event,plies,final_fen")));
    assert!(csv.lines().nth(1).unwrap().starts_with("x,2,\"B:W19,") && csv.lines().count() == 2, "{csv}");
    assert_eq!(run(&["export", "csv", "--plies"]).1.lines().count(), 1 + 3);

    let games: serde_json::Value = serde_json::from_str(&run(&["export", "json"]).1).unwrap();
    assert_eq!(games.as_array().unwrap().len(), 2);
    let game = &games[0];
    assert_eq!((&game["comments"][0], &game["tags"][0]["name"]), (&"first".into(), &"Event".into()));
    assert_eq!((&game["moves"][0]["marks"][0], &game["moves"][1]["marks"][0]), (&"$1".into(), &"losing".into()));
    let variation = &game["variations"][0];
    assert_eq!((&variation["parent"], &variation["ply"]), (&game["id"], &1.into()));
    assert_eq!((&variation["moves"][1]["move"], &variation["moves"][1]["side"]), (&"22-18".into(), &"white".into()));
    assert_eq!(run(&["--format", "ndjson", "export", "json"]).1.lines().count(), 2);

    // A variation is written inside its game, and a game once.
    let (_, pdn) = run(&["export", "pdn", "--kind", "variation"]);
    assert_eq!(pdn.matches("[Event ").count(), 1, "{pdn}");
    assert_eq!(run(&["export", "pdn", "--event", "nothing"]), (Some(1), String::new()));
    assert_eq!(run(&["export", "json", "--event", "nothing"]), (Some(1), "[]\n".to_owned()));
    assert_eq!(run(&["export", "pdn", "--plies"]).0, Some(2));

    assert_eq!(run(&["show", "1", "--diagram", "a.svg"]).0, Some(0));
    assert!(fs::read_to_string(folder.path().join("a.svg")).unwrap().starts_with("<svg "));
    assert_eq!(run(&["show", "1", "--diagram", "a.gif"]).0, Some(2));
    assert_eq!(run(&["show", "1", "--diagram", "a.png", "--size", "64"]).0, Some(0));
    let png = fs::read(folder.path().join("a.png")).unwrap();
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n") && png[16..20] == 64_u32.to_be_bytes());
}
