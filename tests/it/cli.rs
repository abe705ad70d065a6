//! The program as people start it: exit statuses, streams, formats, columns, and interruptions.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crownhead::report::REPORTS;
use crownhead::store::Database;

use super::database::{assert_same, import_files, random_games};
use super::game::case;

/// A folder with a database of its own.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        path
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_crownhead"));
        command.current_dir(self.folder.path()).env_remove("CROWNHEAD_DB").env("COLUMNS", "120");
        command.args(["--db", "x.db"]).args(args).stdin(Stdio::null());
        command
    }

    fn run(&self, args: &[&str]) -> Ran {
        Ran::of(self.command(args).output().unwrap())
    }

    fn database(&self) -> Database {
        Database::open(&self.path("x.db")).unwrap()
    }
}

/// What a run left.
#[derive(Debug)]
struct Ran {
    status: Option<i32>,
    out: String,
    err: String,
}

impl Ran {
    fn of(output: Output) -> Self {
        Self {
            status: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

fn json(ran: &Ran) -> serde_json::Value {
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

fn csv_rows(text: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect()
}

#[test]
fn what_is_refused_is_told_and_sets_the_status() {
    let place = Place::new();
    place.file("input.pdn", case("83-exit-status-and-summary/input.pdn"));
    let ran = place.run(&["--format", "json", "import", "input.pdn"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let summary = json(&ran);
    for (key, number) in
        [("read", 4), ("stored", 2), ("partly", 1), ("refused", 1), ("duplicates", 0), ("lines", 3), ("plies", 5)]
    {
        assert_eq!(summary[key], number, "{key}");
        assert_eq!(summary["files"][0][key], number, "{key}");
    }
    assert_eq!(summary["openings"], 0);
    let told: Vec<_> = ran.err.lines().filter(|line| line.contains("error[")).collect();
    assert_eq!(told.len(), 2, "{}", ran.err);
    assert!(told[0].starts_with("input.pdn:9:") && told[0].contains("game 2 ply 3"), "{}", told[0]);
    assert!(told[0].contains("1-6: square 6 is occupied"), "{}", told[0]);
    assert!(told[1].starts_with("input.pdn:13:") && told[1].contains("game 3"), "{}", told[1]);
    assert!(told[1].contains("40"), "{}", told[1]);
    assert!(ran.err.contains("Read 4 = 2 stored + 1 stored in part + 1 refused + 0 held already"), "{}", ran.err);
    // The same again: nothing changes, and what is refused still is.
    let again = place.run(&["--format", "json", "import", "input.pdn"]);
    assert_eq!((again.status, json(&again)["duplicates"].as_u64()), (Some(1), Some(3)));
    assert_eq!(place.database().totals().unwrap().games, 3);
}

#[test]
fn strict_stores_nothing_where_one_game_is_bad() {
    let place = Place::new();
    place.file("input.pdn", case("83-exit-status-and-summary/input.pdn"));
    place.file("good.pdn", "[Event \"x\"]\n1. 11-15 *\n");
    let ran = place.run(&["import", "--strict", "good.pdn", "input.pdn"]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.err.contains("Nothing was stored"), "{}", ran.err);
    assert_eq!(place.database().totals().unwrap().lines, 0);
    assert_eq!(place.run(&["import", "--strict", "good.pdn"]).status, Some(0));
    assert_eq!(place.database().totals().unwrap().lines, 1);
}

#[test]
fn errors_name_their_cause_and_exit_with_2() {
    let place = Place::new();
    let ran = place.run(&["import", "nowhere.pdn"]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.contains("nowhere.pdn"), "{}", ran.err);
    assert!(!place.path("x.db").exists(), "nothing is made for a file that is not there");
    for command in [&["games"][..], &["moves"], &["show", "1"], &["verify", "--all"]] {
        let ran = place.run(command);
        assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{command:?}");
        assert!(ran.err.contains("no database at x.db") && ran.err.contains("crownhead import"), "{}", ran.err);
    }
    place.file("x.db", "A letter, long enough to be taken for a file with a head. ".repeat(40));
    place.file("good.pdn", "1. 11-15 *\n");
    for command in [&["games"][..], &["import", "good.pdn"]] {
        let ran = place.run(command);
        assert_eq!(ran.status, Some(2));
        assert!(ran.err.contains("x.db is no database") && ran.err.contains("--db"), "{}", ran.err);
    }
    fs::remove_file(place.path("x.db")).unwrap();
    let foreign = rusqlite::Connection::open(place.path("x.db")).unwrap();
    foreign.execute_batch("CREATE TABLE mine (x)").unwrap();
    let ran = place.run(&["import", "good.pdn"]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.err.contains("another program"), "{}", ran.err);
    assert_eq!(place.run(&["perft", "many"]).status, Some(2));
    assert_eq!(place.run(&["games", "--format", "xml"]).status, Some(2));
}

#[test]
fn a_database_that_may_not_be_written_is_told() {
    let place = Place::new();
    place.file("a.pdn", "1. 11-15 *\n");
    assert_eq!(place.run(&["import", "a.pdn"]).status, Some(0));
    let file = place.path("x.db");
    let mut permissions = fs::metadata(&file).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&file, permissions).unwrap();
    let may_write = fs::OpenOptions::new().append(true).open(&file).is_ok();
    place.file("b.pdn", "1. 9-14 *\n");
    let ran = place.run(&["import", "b.pdn"]);
    // The system's administrator may write all the same.
    if !may_write {
        assert_eq!(ran.status, Some(2), "{ran:?}");
        assert!(ran.err.contains("readonly") || ran.err.contains("cannot be used"), "{}", ran.err);
    }
    assert_eq!(place.run(&["games"]).status, Some(0));
}

#[test]
fn nothing_found_is_1_and_a_closed_pipe_is_0() {
    let place = Place::new();
    place.file("empty.pdn", "");
    let ran = place.run(&["import", "empty.pdn"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    // Nothing of it is kept, so that there is nothing to take out.
    assert!(ran.err.contains("No play was found") && !ran.err.contains("remove --source"), "{}", ran.err);
    place.file("prose.txt", "The cat sat on the mat.\n");
    let ran = place.run(&["import", "prose.txt"]);
    let remove =
        "prose.txt is listed by crownhead sources all the same; take it out with: crownhead remove --source prose.txt";
    assert!(ran.status == Some(1) && ran.err.contains(remove), "{}", ran.err);
    assert_eq!(place.run(&["remove", "--source", "prose.txt"]).status, Some(0));
    place.file("a.pdn", random_games(400_000, 30, 11));
    assert_eq!(place.run(&["import", "a.pdn"]).status, Some(0));
    assert_eq!(place.run(&["games", "--player", "nobody of that name"]).status, Some(1));
    assert_eq!(place.run(&["show", "999999"]).status, Some(1));
    let mut child =
        place.command(&["--format", "csv", "games"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

fn import_stdin(place: &Place, text: &[u8]) -> Ran {
    let mut child = place
        .command(&["--format", "json", "import", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(text).unwrap();
    drop(stdin);
    Ran::of(child.wait_with_output().unwrap())
}

#[test]
fn standard_input_gives_what_a_file_gives() {
    let (from_pipe, from_file) = (Place::new(), Place::new());
    let text = random_games(1_500_000, 40, 12);
    let ran = import_stdin(&from_pipe, text.as_bytes());
    assert_eq!(ran.status, Some(0), "{ran:?}");
    from_file.file("f.pdn", &text);
    from_file.run(&["import", "f.pdn"]);
    let change = rusqlite::Connection::open(from_file.path("x.db")).unwrap();
    change.execute("UPDATE source SET name = '-'", []).unwrap();
    drop(change);
    assert_same(&from_pipe.database(), &from_file.database());
}

/// The columns that the design promises; others may be added.
const PROMISED: &[(&str, &str)] = &[
    (
        "games",
        "id kind source place event date black white result winner verdict result_check plies status opening ballot \
         losing_ply witness final_fen",
    ),
    ("moves", "move games black_wins draws white_wins score position_games arrivals value witness last_year opening"),
    ("verify", "file line column game ply severity code found expected hint"),
    ("opening", "name aliases moves ply family ballot deck fen source note by_transposition"),
    ("identify", "name aliases moves ply family ballot deck fen source note by_transposition"),
    ("import", "read stored partly refused duplicates lines openings plies"),
];

#[test]
fn columns_are_those_of_the_contract() {
    let place = Place::new();
    place.file("a.pdn", case("60-transposition-counts/input.pdn"));
    place.run(&["import", "a.pdn"]);
    let commands: &[(&str, &[&str])] = &[
        ("import", &["import", "a.pdn"]),
        ("verify", &["verify", "a.pdn"]),
        ("opening", &["opening", "fife"]),
        ("identify", &["identify", "11-15 23-19"]),
        ("games", &["games"]),
        ("sources", &["sources"]),
        ("show", &["show", "1"]),
        ("moves", &["moves"]),
        ("the-move", &["the-move"]),
        ("egdb probe", &["egdb", "probe", "W:WK12:BK19"]),
        ("egdb info", &["egdb", "info"]),
        ("egdb info --slices", &["egdb", "info", "--slices"]),
        ("egdb verify", &["egdb", "verify", "--sample", "1"]),
        ("perft", &["perft", "2", "--divide"]),
    ];
    let mut golden = String::new();
    let mut headers = BTreeMap::new();
    for (name, args) in commands {
        let ran = place.run(&[&["--format", "csv"], *args].concat());
        assert!(matches!(ran.status, Some(0 | 1)), "{ran:?}");
        let header = csv_rows(&ran.out).swap_remove(0);
        writeln!(golden, "{name}: {}", header.join(", ")).unwrap();
        headers.insert(*name, header);
    }
    for report in REPORTS {
        let ran = place.run(&["--format", "csv", "report", report.name]);
        assert!(matches!(ran.status, Some(0 | 1)), "{ran:?}");
        writeln!(golden, "report {}: {}", report.name, csv_rows(&ran.out).swap_remove(0).join(", ")).unwrap();
    }
    for (name, columns) in PROMISED {
        for column in columns.split_whitespace() {
            assert!(headers[name].iter().any(|held| held == column), "{name} has no column {column}");
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/columns.txt");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, &golden).unwrap();
    }
    assert_eq!(
        golden,
        fs::read_to_string(&path).unwrap(),
        "write it anew with UPDATE_GOLDEN=1 where columns were added"
    );
}

#[test]
fn every_format_can_be_read_back() {
    let place = Place::new();
    place.file("a.pdn", random_games(20_000, 40, 13));
    place.run(&["import", "a.pdn"]);
    let games = place.database().totals().unwrap().games as usize;
    let csv = csv_rows(&place.run(&["--format", "csv", "games"]).out);
    assert_eq!(csv.len(), games + 1);
    let rows = json(&place.run(&["--format", "json", "games"]));
    assert_eq!(rows.as_array().map(Vec::len), Some(games));
    let lines: Vec<serde_json::Value> = place
        .run(&["--format", "ndjson", "games"])
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), games);
    assert_eq!(lines[0], rows[0]);
    for (index, name) in csv[0].iter().enumerate() {
        let cell = match &rows[2][name.as_str()] {
            serde_json::Value::Null => String::new(),
            serde_json::Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        assert_eq!(csv[3][index], cell, "{name}");
    }
    let markdown = place.run(&["--format", "markdown", "games"]).out;
    assert_eq!(markdown.lines().count(), games + 2);
    let bars = |line: &str| line.matches('|').count();
    assert!(markdown.lines().all(|line| bars(line) == csv[0].len() + 1));
    for args in [&["moves"][..], &["opening"], &["the-move"], &["verify", "a.pdn"], &["show", "1"]] {
        json(&place.run(&[&["--format", "json"], args].concat()));
    }
}

/// Whether a byte or character would be obeyed by a terminal.
fn hostile(text: &str) -> Option<char> {
    text.chars()
        .find(|c| (c.is_control() && *c != '\n') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'))
}

#[test]
fn hostile_names_reach_no_terminal() {
    let place = Place::new();
    // The 10x10 games of one case, played on the board that is known.
    let names = case("85-cutting-names-in-tables/input.pdn")
        .replace("\"20\"", "\"21\"")
        .replace("32-28", "11-15")
        .replace("33-28", "9-14");
    place.file("names.pdn", names);
    for name in ["77-csv-formula-cells", "78-csv-quoting", "86-terminal-escapes"] {
        place.file(&format!("{name}.pdn"), case(&format!("{name}/input.pdn")));
    }
    let bad = "[Event \"\u{1b}[2Jx\"]\n[FEN \"B:W\u{1b}]0;t\u{7}40:B\u{202e}1\"]\n1. 1-5 *\n\n[Event \"y\"]\n1. 11-15 \u{1b}[31m1-2 *\n";
    place.file("bad\u{1b}[31m.pdn", bad);
    let ran = place.run(&["import", "."]);
    assert_eq!((hostile(&ran.out), hostile(&ran.err)), (None, None), "{ran:?}");
    let ids = place.database().line_ids().unwrap();
    assert!(ids.len() >= 6, "{ran:?}");
    for width in ["1", "20", "33", "80", "200"] {
        let ran = Ran::of(place.command(&["games"]).env("COLUMNS", width).output().unwrap());
        assert_eq!((ran.status, hostile(&ran.out)), (Some(0), None), "{ran:?}");
    }
    for id in ids {
        let ran = place.run(&["show", &id.to_string()]);
        assert_eq!((ran.status, hostile(&ran.out), hostile(&ran.err)), (Some(0), None, None), "{ran:?}");
    }
    let ran = place.run(&["verify", "."]);
    assert_eq!((hostile(&ran.out), hostile(&ran.err)), (None, None), "{ran:?}");
    // Files for programs keep what is stored, and quote it.
    let csv = csv_rows(&place.run(&["--format", "csv", "games"]).out);
    let column = csv[0].iter().position(|name| name == "event").unwrap();
    let events: Vec<_> = csv.iter().map(|row| row[column].as_str()).collect();
    for event in ["=1+2", "Comma, \"quote\"", "e"] {
        assert!(events.contains(&event), "{event} in {events:?}");
    }
}

#[test]
fn control_bytes_cut_nothing() {
    let place = Place::new();
    place.file("input.pdn", case("38-nul-and-control-bytes/input.pdn"));
    let ran = place.run(&["import", "input.pdn"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.err.contains("2 warnings"), "{}", ran.err);
    let asked = "SELECT event, length(event) AS n, plies FROM games ORDER BY id";
    let rows = csv_rows(&place.run(&["--format", "csv", "sql", asked]).out);
    assert_eq!(rows[1..], [["Ni\u{fffd}ght", "6", "2"], ["Day", "3", "1"]]);
    let comment = csv_rows(&place.run(&["--format", "csv", "sql", "SELECT value FROM note"]).out);
    assert_eq!(comment[1], ["a\u{fffd}b\u{fffd}c"], "the whole comment");
}

#[test]
fn names_of_a_file_are_found_by_position() {
    let place = Place::new();
    place.file("input.pdn", case("75-opening-name-by-position/input.pdn"));
    place.file("names.tsv", case("75-opening-name-by-position/names.tsv"));
    assert_eq!(place.run(&["--names", "names.tsv", "import", "input.pdn"]).status, Some(0));
    let csv = csv_rows(&place.run(&["--format", "csv", "--columns", "opening", "games"]).out);
    let names: Vec<_> = csv[1..].iter().map(|row| row[0].as_str()).collect();
    // The first goes on with 3-8 into an opening that the book itself names.
    assert_eq!(names[1..3], ["Moss Game: Long Line", "Fern Game"]);
    let ran = place.run(&["--names", "names.tsv", "--format", "json", "identify", "11-15 22-17 8-11 23-19"]);
    assert_eq!(json(&ran)[0]["name"], "Moss Game");
}

#[test]
fn many_games_have_few_positions() {
    let replies = [
        ("11-15", ["22-17", "23-19", "24-20", "21-17"]),
        ("9-14", ["22-17", "23-19", "24-20", "24-19"]),
        ("9-13", ["22-18", "23-19", "24-20", "24-19"]),
        ("10-14", ["22-17", "23-19", "24-20", "24-19"]),
        ("10-15", ["22-17", "23-19", "24-20", "21-17"]),
        ("11-16", ["22-18", "23-19", "24-20", "21-17"]),
        ("12-16", ["22-18", "23-18", "24-20", "21-17"]),
    ];
    let mut text = String::new();
    for i in 0..5000_usize {
        let (first, answers) = replies[i % 7];
        let tags = format!(
            "[Event \"Load {}\"]\n[White \"P{i}\"]\n[Black \"Q{}\"]\n[Date \"{}.??.??\"]\n[GameType \"21\"]\n[Result \"*\"]\n\n",
            i % 50,
            i % 7,
            1900 + i % 120
        );
        write!(text, "{tags}1. {first} {} *\n\n", answers[i / 7 % 4]).unwrap();
    }
    let place = Place::new();
    assert_eq!(import_stdin(&place, text.as_bytes()).status, Some(0));
    let database = place.database();
    assert_eq!(database.totals().unwrap().games, 5000);
    let counts = database.position_counts().unwrap();
    assert_eq!((counts.positions, counts.moves), (36, 35));
    let moves = json(&place.run(&["--format", "json", "moves"]));
    let sum: u64 = moves.as_array().unwrap().iter().map(|row| row["games"].as_u64().unwrap()).sum();
    assert_eq!(sum, 5000);
}

#[test]
fn depth_and_length_cost_no_more_than_their_bytes() {
    let deep = format!(
        "[Event \"Deep\"]\n[GameType \"21\"]\n[Result \"*\"]\n\n1. 11-15 {}{} 1... 23-19 *\n\n",
        "(1. 9-14 ".repeat(20_000),
        ")".repeat(20_000)
    );
    let long = format!(
        "[Event \"Long\"]\n[GameType \"21\"]\n[FEN \"W:WK18:BK1\"]\n[Result \"*\"]\n\n{}*\n\n",
        "18-22 1-5 22-18 5-1\n".repeat(10_000)
    );
    // A comment and a variation at every fourth ply of a long game.
    let annotated = format!(
        "[Event \"Notes\"]\n[GameType \"21\"]\n[FEN \"W:WK18:BK1\"]\n[Result \"*\"]\n\n{}*\n\n",
        "18-22 {x} (18-23) 1-5 22-18 5-1\n".repeat(10_000)
    );
    let unbalanced =
        format!("[Event \"Unbalanced\"]\n[GameType \"21\"]\n[Result \"*\"]\n1. 11-15 {} *\n", "(".repeat(50_000));
    let place = Place::new();
    place.file("long.pdn", &long);
    let started = Instant::now();
    assert_eq!(place.run(&["import", "long.pdn"]).status, Some(0));
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
    place.file("rest.pdn", format!("{deep}{annotated}{unbalanced}"));
    let started = Instant::now();
    let ran = place.run(&["--format", "json", "import", "rest.pdn"]);
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    assert!(matches!(ran.status, Some(0 | 1)), "{ran:?}");
    assert!(ran.err.contains("rest.pdn:"), "the unbalanced game is told: {}", ran.err);
    let database = place.database();
    let sql = |query: &str| -> i64 { database.connection().query_row(query, [], |row| row.get(0)).unwrap() };
    assert_eq!(sql("SELECT plies FROM games WHERE event = 'Long'"), 40_000);
    let (id, nested) = (
        sql("SELECT id FROM games WHERE event = 'Deep'"),
        sql("SELECT count(*) FROM line AS l WHERE parent >= (SELECT id FROM line WHERE event = 'Deep') \
             AND parent < (SELECT id FROM line WHERE event = 'Notes')"),
    );
    assert_eq!(nested, 20_000);
    assert_eq!(sql(&format!("SELECT plies FROM games WHERE id = {id}")), 2);
    let started = Instant::now();
    for id in [1, id, sql("SELECT id FROM games WHERE event = 'Notes'")] {
        assert_eq!(place.run(&["show", &id.to_string()]).status, Some(0));
        assert_eq!(place.run(&["--format", "csv", "show", &id.to_string()]).status, Some(0));
    }
    // Alone this takes two seconds; what is quadratic takes minutes.
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
}

/// Games held by the database of a place, 0 where there is none yet.
fn held(place: &Place) -> i64 {
    Database::open(&place.path("x.db")).and_then(|database| database.totals()).map_or(0, |totals| totals.games)
}

fn start(place: &Place) -> Child {
    place.command(&["import", "big.pdn"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn a_killed_import_leaves_a_whole_database_and_goes_on() {
    let place = Place::new();
    let file = place.file("big.pdn", random_games(12_000_000, 60, 14));
    let mut whole = Database::in_memory().unwrap();
    import_files(&mut whole, &[&file]);
    // Killed early, and once as soon as a batch is stored.
    for wait in [Some(60), Some(250), None] {
        let mut child = start(&place);
        let started = Instant::now();
        match wait {
            Some(millis) => thread::sleep(Duration::from_millis(millis)),
            None => {
                while held(&place) == 0 && child.try_wait().unwrap().is_none() && started.elapsed().as_secs() < 20 {
                    thread::sleep(Duration::from_millis(10));
                }
            }
        }
        child.kill().unwrap();
        child.wait().unwrap();
        if !place.path("x.db").exists() || Database::open(&place.path("x.db")).is_err() {
            continue;
        }
        let check = rusqlite::Connection::open(place.path("x.db")).unwrap();
        let text = |sql: &str| -> String { check.query_row(sql, [], |row| row.get(0)).unwrap() };
        assert_eq!(text("PRAGMA integrity_check"), "ok");
        assert_eq!(text("SELECT count(*) || '' FROM source WHERE read <> stored + partly + refused + duplicates"), "0");
        let games = check.query_row("SELECT count(*) FROM line", [], |row| row.get::<_, i64>(0)).unwrap();
        let start = crownhead::rules::Position::start(crownhead::board::Variant::English);
        let stats = crownhead::query::position_stats(&place.database(), &start).unwrap();
        assert_eq!(i64::from(stats.games), games);
    }
    assert_eq!(place.run(&["import", "big.pdn"]).status, Some(0));
    let change = rusqlite::Connection::open(place.path("x.db")).unwrap();
    change.execute("UPDATE source SET name = ?1", [file.to_str().unwrap()]).unwrap();
    drop(change);
    assert_same(&place.database(), &whole);
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_at_a_whole_game_even_while_waiting_for_input() {
    let place = Place::new();
    place.file("older.pdn", random_games(60_000, 60, 16));
    assert_eq!(place.run(&["import", "older.pdn"]).status, Some(0));
    let older = held(&place);
    let text = random_games(3_500_000, 60, 15);
    let mut child = place
        .command(&["import", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // All but the end of it, and then nothing more comes.
    stdin.write_all(&text.as_bytes()[..3_000_000]).unwrap();
    thread::sleep(Duration::from_millis(500));
    let started = Instant::now();
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let ran = Ran::of(child.wait_with_output().unwrap());
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
    assert_eq!(ran.status, Some(130), "{ran:?}");
    let games = held(&place);
    // What was there before is not counted.
    let told: String =
        ran.err.split_once("Stopped: ").unwrap().1.chars().take_while(|c| *c != ' ').filter(|c| *c != ',').collect();
    assert_eq!(told, (games - older).to_string(), "{}", ran.err);
    assert!(ran.err.contains("stored by this run. Run the same command again"), "{}", ran.err);
    drop(stdin);
    assert_eq!(import_stdin(&place, text.as_bytes()).status, Some(0));
    assert!(held(&place) > games);
    let whole = Place::new();
    whole.file("older.pdn", random_games(60_000, 60, 16));
    assert_eq!(whole.run(&["import", "older.pdn"]).status, Some(0));
    import_stdin(&whole, text.as_bytes());
    assert_same(&place.database(), &whole.database());
    // A check says that it was stopped, too: what it prints is more than a pipe takes.
    let checking = place.command(&["check"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    thread::sleep(Duration::from_millis(300));
    assert!(Command::new("kill").args(["-INT", &checking.id().to_string()]).status().unwrap().success());
    let ran = Ran::of(checking.wait_with_output().unwrap());
    assert_eq!((ran.status, ran.err.as_str()), (Some(130), "Stopped.\n"));
}
