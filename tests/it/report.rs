//! Reports: each on one small study, whose values were confirmed by hand, and two against slow answers of their own.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use clap::CommandFactory;
use crownhead::board::{Bounds, Witness};
use crownhead::book::Book;
use crownhead::cli::Cli;
use crownhead::notation::fen;
use crownhead::report::{REPORTS, Report, Request};
use crownhead::rules::PositionKey;
use crownhead::store::{AnalysisLimits, Database, StoredAnalysis, StoredSwing};
use crownhead::table::{Cell, Table};

use crate::support::{crownhead, crownhead_ends, random_pdn};

/// What `cooks` is about: verdicts that are wrong.
const COOKS: [&str; 2] = ["tests/report/cooks.pdn", "tests/report/chapters.txt"];
const STUDY: [&str; 3] = ["tests/report/study.pdn", "tests/report/more.pdn", "tests/report/book.txt"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The study in a database of its own.
fn study(folder: &Path) -> PathBuf {
    let database = folder.join("study.db");
    // Two games of it have slips.
    crownhead_ends(&database, 1, &[&["--quiet", "import"], &STUDY[..]].concat());
    analyse(&database);
    database
}

/// Writes analyses of two lines as `annotate` would: made by hand, so that no engine has a say in golden tables.
fn analyse(database: &Path) {
    let (mut database, _) = Database::create(database).unwrap();
    for (line, plies_and_values) in [
        (1, [(4, "draw", "loss", true), (6, "win", "draw", false)]),
        (3, [(3, "draw", "loss", false), (8, "not-loss", "loss", true)]),
    ] {
        let swing = |&(ply, before, after, is_losing): &(u32, &str, &str, bool)| StoredSwing {
            ply,
            is_swing: true,
            is_losing,
            witness: if before == "not-loss" { Witness::Proved } else { Witness::Engine },
            before: Bounds::from_name(before).unwrap(),
            before_witness: Witness::Engine,
            before_score: Some(0),
            after: Bounds::from_name(after).unwrap(),
            after_witness: Witness::Engine,
            after_score: Some(-90),
            better: None,
            refutation: None,
            distance: None,
            before_certificate: None,
            certificate: None,
            mark: None,
        };
        let swings: Vec<StoredSwing> = plies_and_values.iter().map(swing).collect();
        let losing = swings.iter().find(|swing| swing.is_losing);
        let analysis = StoredAnalysis {
            line,
            limits: AnalysisLimits {
                maker: "crownhead".to_owned(),
                version: "0.1.0".to_owned(),
                nodes: 1,
                depth: 1,
                proof_nodes: 0,
                pieces: 0,
            },
            plies: database.line(line).unwrap().unwrap().moves.len() as u32,
            loser: None,
            losing_ply: losing.map(|swing| swing.ply),
            witness: losing.map(|swing| swing.witness),
            engine_ply: None,
            proved_ply: None,
            proof: None,
            note: None,
            swings,
        };
        assert!(database.store_analysis(&analysis, &[]).unwrap());
    }
}

/// What a report of the study is asked for beside its name: most ballots were never played.
fn arguments(report: &Report) -> &'static [&'static str] {
    if report.name == "ballots" { &["--sort", "-games", "--limit", "8"] } else { &[] }
}

#[test]
fn every_report_prints_its_golden_table() {
    let folder = tempfile::tempdir().unwrap();
    let (all, cooks) = (study(folder.path()), folder.path().join("cooks.db"));
    crownhead_ends(&cooks, 0, &[&["--quiet", "import"], &COOKS[..]].concat());
    let mut wrong = Vec::new();
    for report in REPORTS {
        let database = if report.name == "cooks" { &cooks } else { &all };
        for (format, ending) in [("table", "txt"), ("csv", "csv")] {
            let args = [&["--format", format, "report", report.name], arguments(report)].concat();
            let printed = crownhead_ends(database, 0, &args);
            assert!(printed.lines().count() > 1, "the study has nothing for {}", report.name);
            assert_eq!(printed, crownhead_ends(database, 0, &args), "{} twice", report.name);
            let golden = root().join(format!("tests/golden/report/{}.{ending}", report.name));
            if std::env::var_os("UPDATE_GOLDEN").is_some() {
                fs::write(&golden, &printed).unwrap();
            }
            if fs::read_to_string(&golden).unwrap_or_default() != printed {
                wrong.push(format!("{}:\n{printed}", golden.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "confirm by hand, then UPDATE_GOLDEN=1\n{}", wrong.join("\n"));
}

#[test]
fn every_report_is_documented_and_listed() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let command = Cli::command();
    let help = command.find_subcommand("report").unwrap().get_after_help().unwrap().to_string();
    let list = crownhead_ends(Path::new("none.db"), 0, &["--format", "csv", "report"]);
    let mut missing = Vec::new();
    for report in REPORTS {
        if !readme.contains(&format!("| `{}` | ", report.name)) {
            missing.push(format!("README.md has no line for {}", report.name));
        }
        if !help.lines().any(|line| line.contains("crownhead") && line.contains(&format!("report {}", report.name))) {
            missing.push(format!("the help of report has no example of {}", report.name));
        }
        if !list.contains(report.about) || report.about.ends_with('.') || report.about.len() > 60 {
            missing.push(format!("the list does not tell well what {} is about", report.name));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    let files = fs::read_dir(root().join("tests/golden/report")).unwrap().count();
    assert_eq!(files, REPORTS.len() * 2, "a golden table is left of a report that is gone");
}

#[test]
fn damaged_endgame_databases_stop_only_the_reports_that_ask_them() {
    let folder = tempfile::tempdir().unwrap();
    let database = study(folder.path());
    let beside = folder.path().join("egdb").join("english");
    fs::create_dir_all(&beside).unwrap();
    fs::write(beside.join("MMvM.wld"), "no database").unwrap();
    for report in REPORTS {
        let ran = crownhead(&database, &["--format", "csv", "report", report.name]);
        assert_eq!(ran.status == Some(2), report.asks_endings, "{}: {}", report.name, ran.err);
        assert_eq!(ran.err.contains("MMvM"), report.asks_endings, "{}: {}", report.name, ran.err);
    }
    assert!(REPORTS.iter().any(|report| report.asks_endings));
}

#[test]
fn what_a_report_has_no_use_for_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let database = study(folder.path());
    for args in [
        &["report", "players", "--since", "1880"][..],
        &["report", "sources", "--player", "alder"],
        &["report", "openings", "--min-ply", "3"],
        &["report", "novelties", "--min-lines", "3"],
    ] {
        let ran = crownhead(&database, args);
        assert_eq!(ran.status, Some(2), "{args:?}");
        assert!(ran.err.contains("has no use for") && ran.err.contains("it takes --"), "{}", ran.err);
    }
    let ran = crownhead(&database, &["report", "player"]);
    assert!(ran.status == Some(2) && ran.err.contains("did you mean players?"), "{}", ran.err);
    let ran = crownhead(&database, &["--sort", "wins", "report", "players"]);
    assert!(ran.status == Some(2) && ran.err.contains("no column `wins`"), "{}", ran.err);
}

/// One column of a report of the study as CSV.
fn column(database: &Path, name: &str, args: &[&str]) -> Vec<String> {
    let args = [&["--quiet", "--format", "csv", "--columns", name, "report"], args].concat();
    let ran = crownhead(database, &args);
    assert!(matches!(ran.status, Some(0 | 1)), "{args:?}: {}", ran.err);
    ran.out.lines().skip(1).map(|line| line.trim_matches('"').to_owned()).collect()
}

#[test]
fn filters_and_choices_narrow_reports() {
    let folder = tempfile::tempdir().unwrap();
    let database = study(folder.path());
    assert_eq!(column(&database, "player", &["players", "--player", "T. elm"]), ["Elm, T."]);
    assert_eq!(column(&database, "games", &["players", "--player", "elm", "--year", "1884"]), ["3"]);
    assert_eq!(column(&database, "source", &["sources", "--source", "more"]), ["tests/report/more.pdn"]);
    assert!(column(&database, "source", &["refusals", "--source", "more"]).is_empty());
    assert_eq!(column(&database, "game", &["novelties", "--since", "1891"]), ["11", "13"]);
    assert_eq!(column(&database, "game", &["novelties", "--since", "1880", "--min-ply", "6"]), ["3"]);
    assert_eq!(column(&database, "ply", &["transpositions", "--max-ply", "5"]), ["3", "3"]);
    assert_eq!(column(&database, "ply", &["transpositions", "--min-ply", "4"]), ["8", "8"]);
    assert!(column(&database, "ply", &["transpositions", "--min-lines", "9"]).is_empty());
    assert_eq!(column(&database, "over", &["contradictions", "--source", "study", "--event", "endings"]), ["board"]);
    assert_eq!(column(&database, "mark", &["stars", "--losing"]), ["losing"]);
    assert_eq!(column(&database, "opening", &["coverage", "--kind", "variation"]), ["Laird and Lady", ""]);
}

/// Case 68: the same game told twice, and two games of the same moves.
#[test]
fn near_duplicates_are_told_and_two_games_are_two() {
    let folder = tempfile::tempdir().unwrap();
    let database = study(folder.path());
    let args = ["duplicates", "--year", "1880..1884"];
    let pairs: Vec<_> = column(&database, "game", &args).into_iter().zip(column(&database, "other", &args)).collect();
    let has = |one: &str, two: &str| pairs.contains(&(one.to_owned(), two.to_owned()));
    assert!(has("1", "3") && has("1", "4") && has("1", ""), "{pairs:?}");
    assert!(!has("1", "5") && !has("4", "5") && !has("3", "5"), "{pairs:?}");
}

fn stored(folder: &Path, pdn: &str) -> Database {
    let (file, database) = (folder.join("a.pdn"), folder.join("a.db"));
    fs::write(&file, pdn).unwrap();
    crownhead_ends(&database, 0, &["--quiet", "import", file.to_str().unwrap()]);
    Database::open(&database).unwrap()
}

fn cells<'a>(table: &'a Table, name: &str) -> Vec<&'a Cell> {
    let at = table.columns.iter().position(|column| column.name == name).unwrap();
    table.rows.iter().map(|row| &row[at]).collect()
}

#[test]
fn novelties_are_those_of_a_slow_search() {
    let folder = tempfile::tempdir().unwrap();
    let database = stored(folder.path(), &random_pdn(11, 300));
    let table =
        Report::from_name("novelties").unwrap().make(&Request::new(&database, &Book::embedded().unwrap())).unwrap();
    let mut known: HashSet<PositionKey> = HashSet::new();
    let mut expected = Vec::new();
    for id in database.line_ids().unwrap() {
        let line = database.line(id).unwrap().unwrap();
        let keys: Vec<PositionKey> = line.positions().map(|position| position.key()).collect();
        let first = keys.iter().position(|key| !known.contains(key));
        if let Some(first) = first.filter(|first| *first > 0) {
            let rejoins = (first + 1..keys.len()).find(|ply| known.contains(&keys[*ply]));
            let number = |ply: usize| Cell::Int(ply as i64);
            expected.push((Cell::Int(id.into()), number(first), rejoins.map_or(Cell::Null, number)));
        }
        known.extend(keys);
    }
    let found: Vec<_> =
        cells(&table, "game").into_iter().zip(cells(&table, "ply")).zip(cells(&table, "rejoins")).collect();
    let found: Vec<_> =
        found.into_iter().map(|((game, ply), rejoins)| (game.clone(), ply.clone(), rejoins.clone())).collect();
    assert!(expected.iter().any(|row| row.2 != Cell::Null) && expected.len() > 200);
    assert_eq!(found, expected);
}

#[test]
fn transpositions_are_those_of_a_slow_search() {
    let folder = tempfile::tempdir().unwrap();
    let database = stored(folder.path(), &random_pdn(12, 400));
    let book = Book::embedded().unwrap();
    let request = Request { max_ply: Some(8), ..Request::new(&database, &book) };
    let table = Report::from_name("transpositions").unwrap().make(&request).unwrap();
    let mut ways: HashMap<PositionKey, BTreeSet<PositionKey>> = HashMap::new();
    let mut lines: HashMap<PositionKey, BTreeSet<u32>> = HashMap::new();
    for id in database.line_ids().unwrap() {
        let line = database.line(id).unwrap().unwrap();
        let keys: Vec<PositionKey> = line.positions().take(9).map(|position| position.key()).collect();
        for pair in keys.windows(2) {
            ways.entry(pair[1]).or_default().insert(pair[0]);
            lines.entry(pair[1]).or_default().insert(id);
        }
    }
    let mut expected = BTreeMap::new();
    for (key, from) in ways.iter().filter(|(_, from)| from.len() > 1) {
        expected.insert(fen::write(&key.position().unwrap().setup()), (from.len() as i64, lines[key].len() as i64));
    }
    let mut found = BTreeMap::new();
    for ((fen, ways), lines) in cells(&table, "fen").into_iter().zip(cells(&table, "ways")).zip(cells(&table, "lines"))
    {
        let (Cell::Text(fen), Cell::Int(ways), Cell::Int(lines)) = (fen, ways, lines) else { panic!("{fen:?}") };
        found.insert(fen.clone(), (*ways, *lines));
    }
    assert!(expected.len() > 10, "{}", expected.len());
    assert_eq!(found, expected);
    // Every way is told by moves that lead there.
    assert_eq!(table.rows.len() as i64, expected.values().map(|(ways, _)| ways).sum::<i64>());
}
