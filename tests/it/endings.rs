//! Endgame databases in the commands of every day: values of moves and positions, and results held against them.
//!
//! Kings on 19 and 12: 12 to move loses, 19 to move draws.

use std::fs;
use std::path::{Path, PathBuf};

use crownhead::store::Database;

use super::database::{assert_same, import_text};
use super::egdb;
use super::support::{Ran, crownhead, crownhead_ends, crownhead_with};

const PDN: &str = include_str!("../cli/endings.pdn");
/// White wins in 61 plies.
const LONG: &str = "W:WK19,K23:B12,K28";

fn rows(database: &Database, sql: &str) -> Vec<String> {
    let mut statement = database.connection().prepare(sql).unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

const CHECKS: &str = "SELECT winner || ' ' || result_check || ' ' || coalesce(ending, '-') FROM games ORDER BY id";

fn no_database(folder: &tempfile::TempDir) -> PathBuf {
    folder.path().join("none.db")
}

/// The program with the distances that tests have made.
fn with_distances(database: &Path, args: &[&str]) -> Ran {
    crownhead_with(database, args, &[("CROWNHEAD_EGDB", egdb::made().0.path())])
}

#[test]
fn a_result_that_the_database_bears_out_is_proved_and_none_is_contradicted() {
    let folder = tempfile::tempdir().unwrap();
    let mut database = Database::in_memory().unwrap();
    let cut = "[Event \"Cut short\"]\n[SetUp \"1\"]\n[FEN \"W:WK12:BK19\"]\n[Result \"1/2-1/2\"]\n1. ... 12-8 19-1 *\n";
    import_text(&mut database, folder.path(), "a.pdn", format!("{PDN}\n{cut}"));
    let told = [
        "black proved black",
        "draw claimed black",
        "draw proved draw",
        "white claimed draw",
        "unknown none draw",
        // Its result is about a position that nobody knows.
        "draw claimed -",
    ];
    assert_eq!(rows(&database, CHECKS), told);
    // A source turned round is one row still: what was proved is then only claimed.
    database.connection().execute("UPDATE source SET result_order = 'white-first'", []).unwrap();
    let turned = ["white claimed black", "draw claimed black", "draw proved draw", "black claimed draw"];
    assert_eq!(rows(&database, CHECKS)[..4], turned);
}

#[test]
fn what_is_stored_does_not_depend_on_the_databases_of_the_machine() {
    let folder = tempfile::tempdir().unwrap();
    let pdn = folder.path().join("a.pdn");
    fs::write(&pdn, PDN).unwrap();
    let (poor, rich) = (folder.path().join("poor.db"), folder.path().join("rich.db"));
    let args = ["import", pdn.to_str().unwrap()];
    let told = crownhead(&poor, &args);
    assert_eq!(told.status, Some(0));
    assert!(told.err.contains("2 results are other than the endgame database has it"), "{}", told.err);
    assert_eq!(with_distances(&rich, &args).status, Some(0));
    assert_same(&Database::open(&poor).unwrap(), &Database::open(&rich).unwrap());
}

#[test]
fn a_denied_result_is_a_note_with_its_distance_where_that_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let pdn = folder.path().join("a.pdn");
    fs::write(&pdn, PDN).unwrap();
    let columns = "game,ply,severity,code,found,expected,hint";
    let args = ["--format", "csv", "--columns", columns, "verify", pdn.to_str().unwrap()];
    let line = |game: u32, result: &str, proof: &str, hint: &str| {
        format!("{game},1,note,proved-otherwise,{result},{proof}: final position proved otherwise,{hint}")
    };
    let none = no_database(&folder);
    let plain = crownhead_ends(&none, 0, &args);
    assert_eq!(
        plain.lines().skip(1).collect::<Vec<_>>(),
        [line(2, "1/2-1/2", "Black wins", ""), line(4, "0-1", "a draw", "")]
    );
    let rich = with_distances(&none, &args);
    assert_eq!(rich.status, Some(0), "{}", rich.err);
    assert!(rich.out.contains("Black wins: final position proved otherwise,Black wins in "), "{}", rich.out);
    assert!(rich.out.contains(&line(4, "0-1", "a draw", "")), "{}", rich.out);
}

#[test]
fn moves_of_an_ending_have_their_values_with_and_without_games() {
    let folder = tempfile::tempdir().unwrap();
    let none = no_database(&folder);
    let moves = |database: &Path, position: &str| {
        let columns = "move,games,value,witness,position_games,arrivals";
        crownhead_ends(database, 0, &["--format", "csv", "--columns", columns, "moves", position])
    };
    let header = "move,games,value,witness,position_games,arrivals\n";
    assert_eq!(moves(&none, "W:WK12:BK19"), format!("{header}12-8,0,loss,proved,0,0\n12-16,0,loss,proved,0,0\n"));
    let draws = moves(&none, "B:WK12:BK19");
    assert_eq!(draws.matches(",draw,proved").count(), 3, "{draws}");
    assert!(draws.ends_with("19-16,0,loss,proved,0,0\n"), "the losing move comes last: {draws}");

    let pdn = folder.path().join("a.pdn");
    fs::write(&pdn, PDN).unwrap();
    let full = folder.path().join("full.db");
    crownhead_ends(&full, 0, &["import", pdn.to_str().unwrap()]);
    assert_eq!(moves(&full, "W:WK12:BK19"), format!("{header}12-8,2,loss,proved,2,0\n12-16,0,loss,proved,0,0\n"));
    // What no database knows is listed only where it was played.
    assert!(!moves(&full, "B:WK12:BK19").contains(",,"));
    let start = crownhead(&full, &["--format", "csv", "moves"]);
    assert_eq!((start.status, start.out.lines().count()), (Some(1), 1), "{}", start.out);
    assert_eq!(crownhead(&none, &["moves"]).status, Some(2), "without games the start is unknown");
}

#[test]
fn distances_are_told_where_they_are_there() {
    let folder = tempfile::tempdir().unwrap();
    let none = no_database(&folder);
    let moves = with_distances(&none, &["--format", "csv", "--columns", "move,value,plies_to_end", "moves", LONG]);
    let listed: Vec<&str> = moves.out.lines().skip(1).collect();
    assert!(listed[0].ends_with(",win,61"), "{}", moves.out);
    assert!(listed[listed.len() - 1].contains(",loss,"), "{}", moves.out);
    assert!(moves.err.contains("White wins in 61 plies"), "{}", moves.err);
    let shown = with_distances(&none, &["show", LONG]);
    assert!(shown.out.contains("\nValue: White wins in 61 plies (endgame database)\n"), "{}", shown.out);
    let plain = crownhead_ends(&none, 0, &["show", LONG]);
    assert!(plain.contains("\nValue: White wins (endgame database)\n"), "{plain}");
    let the_move = with_distances(&none, &["--format", "csv", "--columns", "value,plies_to_end", "the-move", LONG]);
    assert_eq!(the_move.out, "value,plies_to_end\nwon,61\n");
    assert!(!crownhead_ends(&none, 0, &["show"]).contains("Value"));
    // The board speaks for itself.
    let over = crownhead_ends(&none, 0, &["show", "W:W:B1"]);
    assert!(over.contains("White has no move") && !over.contains("Value"), "{over}");
}

#[test]
fn a_damaged_file_is_told_by_the_name_of_its_slice() {
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(egdb::made().0.path()).unwrap() {
        let path = entry.unwrap().path();
        let mut bytes = fs::read(&path).unwrap();
        bytes.truncate(bytes.len() / 2);
        fs::write(folder.path().join(path.file_name().unwrap()), bytes).unwrap();
    }
    let none = no_database(&folder);
    let ran = crownhead_with(&none, &["moves", LONG], &[("CROWNHEAD_EGDB", folder.path())]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.err.contains("KvK") && ran.err.contains("egdb generate"), "{}", ran.err);
    // Where no ending can be meant, nothing is opened.
    assert_eq!(crownhead_with(&none, &["show"], &[("CROWNHEAD_EGDB", folder.path())]).status, Some(0));
}

#[test]
fn a_database_of_the_first_version_is_read_and_brought_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.db");
    let old = rusqlite::Connection::open(&path).unwrap();
    old.execute_batch(include_str!("../../src/store/migrations/0001_initial.sql")).unwrap();
    old.pragma_update(None, "user_version", 1).unwrap();
    old.pragma_update(None, "application_id", 0x4372_4864).unwrap();
    drop(old);
    assert_eq!(crownhead(&path, &["games"]).status, Some(1), "there are none");
    let (mut database, made) = Database::create(&path).unwrap();
    assert!(!made);
    import_text(&mut database, folder.path(), "a.pdn", PDN);
    assert_eq!(rows(&database, CHECKS)[0], "black proved black");
}
