//! Checks on shared data that is no part of the project: `tests/with_corpus DIR`.
//!
//! Each check prints what it found; one that differs from the oracle fails the run. Without a folder everything is skipped.

use std::collections::{HashMap, HashSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crownhead::board::{ResultOrder, Variant, Winner};
use crownhead::book::Book;
use crownhead::cli::game_object;
use crownhead::game::{LineKind, ReplayOptions, moves_text, read_moves};
use crownhead::import::{self, ImportObserver, ImportOptions, ImportReport};
use crownhead::intake::{self, Chunk, Input};
use crownhead::notation::fen;
use crownhead::query::{self, Filters, Material, Pattern, PositionSearch, Sort};
use crownhead::render::JsonGames;
use crownhead::report::{REPORTS, Request};
use crownhead::rules::{self, Position};
use crownhead::store::Database;
use crownhead::table::{Cell, Row};
use serde_json::Value as Json;

/// Counts what differs and tells it.
#[derive(Default)]
struct Checks {
    done: u32,
    failed: u32,
}

impl Checks {
    fn equal<T: PartialEq + std::fmt::Debug>(&mut self, what: &str, found: &T, wanted: &T) {
        self.done += 1;
        if found != wanted {
            self.failed += 1;
            println!("  DIFFERS {what}: found {found:?}, wanted {wanted:?}");
        }
    }
}

/// What an import met, game by game.
#[derive(Default)]
struct Seen {
    games: Vec<SeenGame>,
    left_alone: usize,
}

struct SeenGame {
    plies: usize,
    moves: String,
    end: String,
    variant_refused: bool,
}

impl ImportObserver for Seen {
    fn chunk(&mut self, _: &Input, chunk: &Chunk) {
        self.left_alone += chunk.left_alone.len();
        for replayed in &chunk.games {
            let variant_refused = replayed.findings.iter().any(|f| f.code.name() == "unknown-variant");
            let (plies, moves, end) = replayed.game.as_ref().map_or_else(
                || (0, String::new(), String::new()),
                |game| {
                    let line = game.line();
                    let texts = line.positions().zip(line.moves());
                    let moves: Vec<String> = texts.map(|(position, m)| moves_text(&position, [m])).collect();
                    (line.moves().len(), moves.join(" "), fen::write(&line.end().setup()))
                },
            );
            self.games.push(SeenGame { plies, moves, end, variant_refused });
        }
    }
}

fn options() -> ImportOptions {
    let replay = ReplayOptions::for_variant(Variant::English);
    ImportOptions { intake: intake::ReadOptions { replay, form: None, threads: 0 }, strict: false }
}

fn import_into(database: &mut Database, book: &Book, path: &Path) -> (ImportReport, Seen) {
    let mut seen = Seen::default();
    let inputs = intake::inputs(&[path.to_owned()]).expect("the file is there");
    let report = import::import(database, &inputs, book, &options(), &AtomicBool::new(false), &mut seen)
        .expect("the import goes through");
    (report, seen)
}

fn folder(path: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        fs::read_dir(path).map(|entries| entries.flatten().map(|entry| entry.path()).collect()).unwrap_or_default();
    found.sort();
    found
}

fn seeds(root: &Path, book: &Book, checks: &mut Checks) {
    let mut database = Database::in_memory().expect("memory");
    let wanted = [(7, 0), (0, 0), (0, 0), (0, 15)];
    for (path, (games, openings)) in folder(&root.join("seeds")).iter().zip(wanted) {
        let (report, seen) = import_into(&mut database, book, path);
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let total = report.total;
        println!(
            "  {name}: {} games, {} openings, {} refused, {} in part, {} parts left alone",
            total.games, total.openings, total.refused, total.partly, seen.left_alone
        );
        checks.equal(&name, &(total.games, total.openings, total.refused, total.partly), &(games, openings, 0, 0));
    }
    let filters = Filters { kind: Some(LineKind::Game), ..Filters::default() };
    query::games(&database, &filters, &Sort::default()).expect("a list of games");
    let rows = |sql: &str| -> Vec<String> {
        let mut statement = database.connection().prepare(sql).expect("sql");
        let rows = statement.query_map([], |row| row.get::<_, String>(0)).expect("rows");
        rows.flatten().collect()
    };
    let column = |name: &str| {
        rows(&format!("SELECT coalesce({name}, '-') || '' FROM games WHERE kind = 'game' ORDER BY id")).join(" ")
    };
    checks.equal("plies", &column("plies"), &"23 23 15 12 16 14 26".to_owned());
    checks.equal("losing plies", &column("losing_ply"), &"12 6 8 7 11 7 -".to_owned());
    checks.equal("winners", &column("winner"), &"black black black white white white white".to_owned());
    let claims = "claimed claimed claimed claimed claimed claimed proved".to_owned();
    checks.equal("result checks", &column("result_check"), &claims);
    let ids: Vec<u32> = rows("SELECT id || '' FROM games WHERE kind = 'game' ORDER BY id")
        .iter()
        .filter_map(|id| id.parse().ok())
        .collect();
    if let [first, .., fifth, _, _] = ids[..] {
        let line = |id| database.line(id).expect("readable").expect("there").moves;
        let same = line(first).iter().zip(line(fifth)).take_while(|(a, b)| *a == b).count();
        checks.equal("plies that games 1 and 5 share", &same, &10);
    }
}

fn book_lines(root: &Path, book: &Book, checks: &mut Checks) {
    let text = fs::read_to_string(root.join("oracles/book_lines.json")).expect("the oracle");
    let lines: Json = serde_json::from_str(&text).expect("json");
    let seed = folder(&root.join("seeds")).into_iter().next().expect("a seed");
    let (_, seen) = import_into(&mut Database::in_memory().expect("memory"), book, &seed);
    let foster = lines.as_array().into_iter().flatten().filter(|line| {
        line["source"] == "foster" && line["label"].as_str().is_some_and(|label| label.starts_with("illustrative"))
    });
    for (line, game) in foster.zip(&seen.games) {
        let label = line["label"].as_str().unwrap_or_default();
        let moves = line["moves"].as_str().unwrap_or_default();
        checks.equal(label, &all_ends(&game.moves), &all_ends(moves));
        checks.equal(label, &game.end.as_str(), &line["final"].as_str().unwrap_or_default());
    }
    println!("  {} illustrative games as the oracle has them", seen.games.len());
}

fn acf(root: &Path, book: &Book, checks: &mut Checks) {
    let file = root.join("corpus/acf_9377_games.pdn");
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let mut runs = Vec::new();
    let mut size = 0;
    for run in 0..5 {
        let path = scratch.path().join(format!("acf{run}.db"));
        let started = Instant::now();
        let (mut database, _) = Database::create(&path).expect("a database");
        let (report, _) = import_quietly(&mut database, book, &file);
        drop(database);
        runs.push(started.elapsed().as_secs_f64());
        size = fs::metadata(&path).map_or(0, |meta| meta.len());
        let total = report.total;
        checks.equal("games and plies", &(total.stored, total.plies), &(9_377, 460_287));
    }
    runs.sort_by(f64::total_cmp);
    let median = runs[runs.len() / 2];
    println!(
        "  import of 460,287 half-moves: {:?} s, median {median:.3} s; {:.2} bytes a half-move",
        rounded(&runs),
        size as f64 / 460_287.0
    );
    let database = Database::open(&scratch.path().join("acf0.db")).expect("a database");
    acf_counts(&database, checks);
    acf_moves(&database, book, checks);
    acf_speed(&database, book);
    acf_reports(&database, book, checks);
    acf_search(&database);
    acf_csv(&scratch.path().join("acf0.db"), checks);
}

fn rounded(runs: &[f64]) -> Vec<f64> {
    runs.iter().map(|run| (run * 1000.0).round() / 1000.0).collect()
}

struct Nobody;

impl ImportObserver for Nobody {
    fn chunk(&mut self, _: &Input, _: &Chunk) {}
}

fn import_quietly(database: &mut Database, book: &Book, path: &Path) -> (ImportReport, ()) {
    let inputs = intake::inputs(&[path.to_owned()]).expect("the file is there");
    let report = import::import(database, &inputs, book, &options(), &AtomicBool::new(false), &mut Nobody)
        .expect("the import goes through");
    (report, ())
}

fn acf_counts(database: &Database, checks: &mut Checks) {
    let (mut winners, mut longest, mut captures, mut multiple) = ([0_u32; 4], 0, 0, 0);
    let mut sequences: HashMap<Vec<u8>, u32> = HashMap::new();
    for id in database.line_ids().expect("ids") {
        let line = database.line(id).expect("readable").expect("there");
        longest = longest.max(line.moves.len());
        captures += line.moves.iter().filter(|m| m.is_capture()).count();
        multiple += line.moves.iter().filter(|m| m.captured.count() > 1).count();
        let squares = line.moves.iter().flat_map(|m| [m.from.number(), m.to.number()]);
        let taken = line.moves.iter().flat_map(|m| m.captured.0.to_le_bytes());
        *sequences.entry(squares.chain(taken).collect()).or_default() += 1;
        match database.facts().expect("facts").get(id).expect("a fact").winner {
            Winner::Black => winners[0] += 1,
            Winner::Draw => winners[1] += 1,
            Winner::White => winners[2] += 1,
            Winner::Unknown => winners[3] += 1,
        }
    }
    checks.equal("Black, drawn, White, unknown", &winners, &[1_597, 5_407, 2_373, 0]);
    checks.equal("longest game", &longest, &237);
    checks.equal("captures, of more than one", &(captures, multiple), &(121_024, 10_596));
    checks.equal("different sequences", &sequences.len(), &9_030);
    let repeating: u32 = sequences.values().map(|copies| copies - 1).sum();
    checks.equal("games that repeat one", &repeating, &347);
    let settled = |check: &str| -> i64 {
        let sql = "SELECT count(*) FROM games WHERE ending IS NOT NULL AND result_check = ?1";
        database.connection().query_row(sql, [check], |row| row.get(0)).expect("a count")
    };
    let results = (settled("proved"), settled("claimed"));
    checks.equal("results that endgame databases bear out, and deny", &results, &(239, 4));
    let counts = database.position_counts().expect("counts");
    checks.equal("positions", &counts.positions, &293_960);
    checks.equal("of two games or more", &counts.shared, &38_147);
    checks.equal("(game, position) pairs", &counts.pairs, &469_335);
    println!("  {} positions, {} shared, {} pairs", counts.positions, counts.shared, counts.pairs);
}

fn at(moves: &str) -> Position {
    let start = Position::start(Variant::English);
    let moves = read_moves(moves, start).expect("legal moves");
    moves.iter().fold(start, |position, m| position.play_unchecked(m))
}

fn acf_moves(database: &Database, book: &Book, checks: &mut Checks) {
    let (rows, here) = query::moves(database, book, &at("")).expect("moves");
    let found: Vec<_> = rows
        .iter()
        .map(|row| (row.text.as_str(), row.stats.games, row.stats.black_wins, row.stats.draws, row.stats.white_wins))
        .collect();
    let wanted = vec![
        ("11-15", 2048, 425, 1209, 414),
        ("9-13", 1539, 228, 923, 388),
        ("10-15", 1309, 205, 743, 361),
        ("11-16", 1298, 207, 730, 361),
        ("9-14", 1254, 227, 728, 299),
        ("10-14", 1156, 181, 639, 336),
        ("12-16", 773, 124, 435, 214),
    ];
    checks.equal("moves at the start", &found, &wanted);
    checks.equal("games at the start", &here.games, &9_377);
    let (rows, here) = query::moves(database, book, &at("11-15 23-19")).expect("moves");
    checks.equal("after 11-15 23-19", &(here.games, here.black_wins, here.draws, here.white_wins), &(371, 81, 226, 64));
    let found: Vec<_> = rows.iter().take(4).map(|row| (row.text.as_str(), row.stats.games)).collect();
    checks.equal("and its moves", &found, &vec![("8-11", 164), ("9-14", 111), ("9-13", 79), ("7-11", 17)]);
    let seventh = rows.iter().find(|row| row.text == "7-11").map(|row| row.position_games);
    checks.equal("games after 7-11 by any order", &seventh, &Some(75));
    let (rows, here) = query::moves(database, book, &at("11-15 23-19 8-11 22-17")).expect("moves");
    checks.equal("after 22-17", &here.games, &156);
    let ninth = rows.iter().find(|row| row.text == "9-14").map(|row| (row.stats.games, row.position_games));
    checks.equal("9-14: played here, in the next position", &ninth, &Some((22, 40)));
}

/// Every report; that on ballots must agree with the record that came with the table of ballots.
fn acf_reports(database: &Database, book: &Book, checks: &mut Checks) {
    let mut times = Vec::new();
    for report in REPORTS {
        let begun = Instant::now();
        let table = report.make(&Request::new(database, book)).expect("a report");
        times.push(format!("{} {:.2} s ({} rows)", report.name, begun.elapsed().as_secs_f64(), table.rows.len()));
        if report.name == "ballots" {
            let at = |name: &str| table.columns.iter().position(|column| column.name == name).expect("a column");
            let columns = ["black_wins", "draws", "white_wins"].map(at);
            let found: Vec<_> = table.rows.iter().map(|row| columns.map(|column| row[column].clone())).collect();
            let recorded = book.ballots().iter().zip(&found).filter_map(|(ballot, found)| {
                let record = ballot.record?;
                Some((found.clone(), [record.black_wins, record.draws, record.white_wins].map(Cell::from)))
            });
            checks.equal("ballots with a record", &recorded.clone().count(), &174);
            for (found, wanted) in recorded {
                checks.equal("results of a ballot", &found, &wanted);
            }
        }
    }
    println!("  reports: {}", times.join(", "));
}

fn acf_speed(database: &Database, book: &Book) {
    let median = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    let timed = |question: &mut dyn FnMut()| {
        let started = Instant::now();
        question();
        started.elapsed().as_secs_f64() * 1e6
    };
    let start = at("");
    let times = (0..101).map(|_| timed(&mut || drop(query::moves(database, book, &start)))).collect();
    println!("  moves at the start: median {:.0} microseconds", median(times));
    let mut sample = Vec::new();
    for id in database.line_ids().expect("ids").into_iter().step_by(37) {
        let line = database.line(id).expect("readable").expect("there");
        sample.extend(line.positions().step_by(11).map(|position| position.key()));
    }
    let times: Vec<f64> = sample.iter().map(|&key| timed(&mut || drop(database.postings(key)))).collect();
    let worst = times.iter().copied().fold(0.0, f64::max);
    println!("  {} exact positions: median {:.1} microseconds, worst {worst:.0}", sample.len(), median(times));
}

/// Times of patterns and material; the best of each is printed, for a machine is seldom idle.
fn acf_search(database: &Database) {
    let nothing =
        PositionSearch { variant: Variant::English, position: None, pattern: None, material: None, reversed: false };
    let timed = |what: &str, search: &PositionSearch| {
        let mut times = Vec::new();
        let mut found = 0;
        for _ in 0..15 {
            let started = Instant::now();
            found = query::find(database, search).expect("an answer").len();
            times.push(started.elapsed().as_secs_f64() * 1e3);
        }
        times.sort_by(f64::total_cmp);
        println!("  {what}: {found} lines, median {:.1} ms, best {:.1}", times[times.len() / 2], times[0]);
    };
    for text in ["W18 b9|b10 -14", "WK1 BK32", "W13 B12 W21"] {
        let pattern = Some(Pattern::read(text, Variant::English, false).expect("a pattern"));
        timed(text, &PositionSearch { pattern, ..nothing.clone() });
    }
    for text in ["4v3+1k", "7v7"] {
        let material = Some(Material::read(text, Variant::English).expect("a material"));
        timed(text, &PositionSearch { material, ..nothing.clone() });
    }
}

/// `export csv` as a reader of CSV that is not ours counts it.
fn acf_csv(path: &Path, checks: &mut Checks) {
    for (options, wanted) in [(&["export", "csv"][..], 9_377), (&["export", "csv", "--plies"], 460_287)] {
        let started = Instant::now();
        let output = Command::new(env!("CARGO_BIN_EXE_crownhead")).arg("--db").arg(path).args(options).output();
        let bytes = output.expect("the program runs").stdout;
        let seconds = started.elapsed().as_secs_f64();
        let mut reader = csv::Reader::from_reader(bytes.as_slice());
        let rows = reader.records().filter(Result::is_ok).count();
        checks.equal(&options.join(" "), &rows, &wanted);
        println!("  {}: {rows} rows in {seconds:.2} s", options.join(" "));
    }
}

/// OCA 2.0 by player, event and year: what its tags say, counted apart from us.
fn oca(root: &Path, book: &Book, checks: &mut Checks) {
    let mut database = Database::in_memory().expect("memory");
    import_quietly(&mut database, book, &root.join("corpus/wiegerw_succeed/OCA_2.0.pdn"));
    let count = |filters: &Filters| query::games(&database, filters, &Sort::default()).expect("games").1;
    let player = |name: &str| count(&Filters { player: Some(name.to_owned()), ..Filters::default() });
    let event = |name: &str| count(&Filters { event: Some(name.to_owned()), ..Filters::default() });
    let year = |years: &str| count(&Filters { years: Some(years.to_owned()), ..Filters::default() });
    checks.equal("all", &count(&Filters::default()), &43);
    checks.equal("Wyllie, whatever the case and order", &[player("Wyllie"), player("j. WYLLIE")], &[35, 35]);
    checks.equal("Anderson", &player("anderson, a."), &33);
    checks.equal("Edinburgh 1847, Carluke", &[event("1847 edinburgh"), event("carluke")], &[31, 2]);
    checks.equal("by year", &["1841", "1842", "1844", "1847", "1849"].map(year), &[1, 1, 2, 31, 8]);
    checks.equal("by years", &[year("1841..1844"), year("..1846"), year("1848..")], &[4, 4, 8]);
    println!("  43 games searched by player, event and year");
}

fn cases(root: &Path, book: &Book, checks: &mut Checks) {
    let (mut games, mut questions, mut skipped) = (0, 0, 0);
    for case in folder(&root.join("cases")) {
        let Ok(expect) = fs::read_to_string(case.join("expect.md")) else { continue };
        let Some(json) = expect.split("```json").nth(1).and_then(|rest| rest.split("```").next()) else { continue };
        let Ok(Json::Array(entries)) = serde_json::from_str::<Json>(json) else { continue };
        let name = case.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for entry in &entries {
            let Some(file) = entry["file"].as_str() else { continue };
            let mut database = Database::in_memory().expect("memory");
            let (_, seen) = import_into(&mut database, book, &case.join(file));
            if let Some(count) = entry["games"].as_u64().filter(|_| entry["position"].is_null()) {
                checks.equal(&format!("{name}: games"), &(seen.games.len() as u64), &count);
            }
            for (index, wanted) in entry["per_game"].as_array().into_iter().flatten().enumerate() {
                let Some(game) = seen.games.get(index).filter(|game| !game.variant_refused) else {
                    skipped += 1;
                    continue;
                };
                if wanted["variant"].as_str().is_some_and(|variant| variant != "english") {
                    skipped += 1;
                    continue;
                }
                let what = format!("{name}: game {}", index + 1);
                games += 1;
                if let Some(plies) = wanted["plies"].as_u64() {
                    checks.equal(&what, &(game.plies as u64), &plies);
                }
                if let (Some(moves), Some(variant)) = (wanted["moves"].as_str(), wanted["variant"].as_str())
                    && variant == "english"
                {
                    checks.equal(&what, &all_ends(&game.moves), &all_ends(moves));
                }
                if let Some(end) = wanted["final"].as_str().filter(|_| !game.end.is_empty()) {
                    checks.equal(&what, &game.end.as_str(), &end);
                }
            }
            if let Some(position) = entry["position"].as_str().filter(|_| entry["variant"] == "english") {
                let setup = fen::read(position, Variant::English).expect("a fen").setup;
                let position = Position::from_setup(&setup).expect("a position");
                let (rows, here) = query::moves(&database, book, &position).expect("moves");
                questions += 1;
                checks.equal(&format!("{name}: games"), &u64::from(here.games), &entry["games"].as_u64().unwrap_or(0));
                for (played, count) in entry["played_here"].as_object().into_iter().flatten() {
                    let found = rows.iter().find(|row| row.text == *played).map_or(0, |row| row.stats.games);
                    checks.equal(&format!("{name}: {played}"), &u64::from(found), &count.as_u64().unwrap_or(0));
                }
            }
            if let (Some(positions), Some(edges)) = (entry["positions"].as_u64(), entry["edges"].as_u64()) {
                let counts = database.position_counts().expect("counts");
                checks.equal(
                    &format!("{name}: positions, edges"),
                    &(counts.positions, counts.moves),
                    &(positions, edges),
                );
            }
        }
    }
    println!(
        "  {games} games and {questions} positions of the cases checked; {skipped} games of other variants passed over"
    );
}

/// The ends of every move of a line.
fn all_ends(moves: &str) -> Vec<(&str, &str)> {
    moves.split(' ').map(ends).collect()
}

/// The squares a move names first and last.
fn ends(text: &str) -> (&str, &str) {
    let mut squares = text.split(['-', 'x']);
    let first = squares.next().unwrap_or_default();
    (first, squares.next_back().unwrap_or(first))
}

/// Export, import into a fresh database, export again: the same bytes; import over itself: nothing new. Over every file that
/// holds English play.
fn round_trips(root: &Path, book: &Book, checks: &mut Checks) {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let (mut files, mut lines) = (0, 0);
    let folders = ["corpus", "corpus/wiegerw_succeed", "corpus/wiegerw_fail", "seeds", "texts"];
    for path in folders.iter().flat_map(|name| folder(&root.join(name))).filter(|path| path.is_file()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut database = Database::in_memory().expect("memory");
        import_quietly(&mut database, book, &path);
        let before = database.totals().expect("totals");
        if before.lines == 0 {
            continue;
        }
        (files, lines) = (files + 1, lines + before.lines);
        let pdn = export(&database, &scratch.path().join("a.pdn"), false);
        let json = export(&database, &scratch.path().join("a.json"), true);
        for file in ["a.pdn", "a.json"] {
            let file = scratch.path().join(file);
            let (report, ()) = import_quietly(&mut database, book, &file);
            let after = database.totals().expect("totals");
            let what = format!("{name}: {} again", file.display());
            checks.equal(&what, &report.total.duplicates, &report.total.read);
            checks.equal(&what, &(after.lines, after.plies), &(before.lines, before.plies));
            let mut fresh = Database::in_memory().expect("memory");
            import_quietly(&mut fresh, book, &file);
            checks.equal(
                &format!("{what}, PDN"),
                &(export(&fresh, &scratch.path().join("b.pdn"), false) == pdn),
                &true,
            );
            checks.equal(
                &format!("{what}, JSON"),
                &(export(&fresh, &scratch.path().join("b.json"), true) == json),
                &true,
            );
        }
    }
    println!("  {files} files, {lines} lines go out and come back");
}

/// Exports everything to `path`. What is given back leaves ids, sources and places out, and the tags that an export of PDN
/// adds.
fn export(database: &Database, path: &Path, json: bool) -> String {
    let mut text = Vec::new();
    let mut games = JsonGames::new(true, &mut text);
    let mut pdn = String::new();
    for id in query::line_ids(database, &Filters::default(), &Sort::default()).expect("ids") {
        let record = query::record(database, id).expect("readable").expect("there");
        if json {
            games.game(&game_object(&record, &record.row.clone().values())).expect("memory");
        } else {
            pdn.push_str(&query::pdn(&record));
        }
    }
    games.finish().expect("memory");
    if !json {
        fs::write(path, &pdn).expect("room for an export");
        return pdn;
    }
    fs::write(path, &text).expect("room for an export");
    let games = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    games.map(|line| plain(serde_json::from_slice(line).expect("json"))).collect::<Vec<_>>().join("\n")
}

fn plain(mut game: Json) -> String {
    for key in ["id", "source", "place"] {
        game[key] = Json::Null;
    }
    if let Some(tags) = game["tags"].as_array_mut() {
        tags.retain(|tag| !matches!(tag["name"].as_str(), Some("GameType" | "SetUp" | "FEN")));
    }
    for variation in game["variations"].as_array_mut().into_iter().flatten() {
        variation["id"] = Json::Null;
        variation["parent"] = Json::Null;
    }
    game.to_string()
}

fn perft(root: &Path, checks: &mut Checks) {
    let text = fs::read_to_string(root.join("oracles/perft_tables.json")).expect("the oracle");
    let tables: Json = serde_json::from_str(&text).expect("json");
    let english = tables
        .as_array()
        .into_iter()
        .flatten()
        .filter(|table| table["variant"].as_str().is_some_and(|variant| variant.starts_with("english")));
    let mut counted = 0;
    for table in english {
        let written = table["fen"].as_str().unwrap_or_default();
        let Ok(read) = fen::read(written, Variant::English) else { continue };
        let Ok(position) = Position::from_setup(&read.setup) else { continue };
        let by_paths = table["convention"].as_str().is_some_and(|convention| convention.starts_with("paths"));
        for (depth, wanted) in (1_u8..).zip(table["perft"].as_array().into_iter().flatten()) {
            let Some(wanted) = wanted.as_u64().filter(|&count| count < 200_000_000) else { break };
            let found = if by_paths { rules::perft_paths(&position, depth) } else { rules::perft(&position, depth) };
            checks.equal(&format!("perft {depth} of {written}"), &found, &wanted);
            counted += 1;
        }
    }
    println!("  {counted} perft counts");
}

fn names(root: &Path, book: &Book, checks: &mut Checks) {
    let text = fs::read_to_string(root.join("oracles/openings_english.tsv")).expect("the oracle");
    let mut named = 0;
    for row in text.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let (written, name) = (cells[0], cells[2]);
        let setup = fen::read(written, Variant::English).expect("a fen").setup;
        let key = Position::from_setup(&setup).expect("a position").key();
        let found = book.at(key).map(|opening| opening.name.as_str());
        checks.equal(&format!("the name of {written}"), &found, &Some(name));
        named += 1;
    }
    let text = fs::read_to_string(root.join("oracles/ballots_three_move.tsv")).expect("the oracle");
    let mut numbers = HashSet::new();
    for row in text.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        for order in std::iter::once(cells[1]).chain(cells[2].split(';')).filter(|order| !order.trim().is_empty()) {
            let key = at(order.trim()).key();
            let (_, ballot) = book.name_by_keys(&[key]);
            checks.equal(&format!("the ballot of {order}"), &ballot.map(|n| n.to_string()), &Some(cells[0].to_owned()));
        }
        numbers.insert(cells[0].to_owned());
    }
    println!("  {named} named positions, {} ballots with all their orders", numbers.len());
}

fn main() -> ExitCode {
    let Some(root) = env::var_os("CROWNHEAD_CORPUS").map(PathBuf::from).filter(|root| root.is_dir()) else {
        println!("with_corpus: skipped (no folder; run tests/with_corpus DIR)");
        return ExitCode::SUCCESS;
    };
    let book = Book::embedded().expect("the book is whole");
    let mut checks = Checks::default();
    assert_eq!(Variant::English.result_order(), ResultOrder::BlackFirst);
    println!("seeds");
    seeds(&root, &book, &mut checks);
    println!("book lines");
    book_lines(&root, &book, &mut checks);
    println!("names");
    names(&root, &book, &mut checks);
    println!("rules");
    perft(&root, &mut checks);
    println!("cases");
    cases(&root, &book, &mut checks);
    println!("round trips");
    round_trips(&root, &book, &mut checks);
    println!("OCA 2.0");
    oca(&root, &book, &mut checks);
    println!("ACF games");
    acf(&root, &book, &mut checks);
    println!("{} passed, {} failed", checks.done - checks.failed, checks.failed);
    if checks.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
