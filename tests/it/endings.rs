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
/// White wins.
const FIVE: &str = "W:WK22,K23,K24:BK31,K32";
/// White is blocked.
const OVER: &str = "W:W5:BK1";

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
    // The command that is named can be run.
    let (_, command) = told.err.split_once("has it: see crownhead ").unwrap();
    let words: Vec<&str> = command.lines().next().unwrap().split(' ').collect();
    let verified = crownhead(&poor, &words);
    assert_eq!(verified.out.matches("proved-otherwise").count() + verified.err.matches("proved-otherwise").count(), 2);
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
        [line(2, "1/2-1/2", "Black wins", "Black wins in 5 plies"), line(4, "0-1", "a draw", "")]
    );
    let rich = with_distances(&none, &args);
    assert_eq!((rich.status, rich.out), (Some(0), plain), "{}", rich.err);
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
    let moves = crownhead(&none, &["--format", "csv", "--columns", "move,value,plies_to_end", "moves", LONG]);
    let listed: Vec<&str> = moves.out.lines().skip(1).collect();
    assert!(listed[0].ends_with(",win,61"), "{}", moves.out);
    assert!(listed[listed.len() - 1].contains(",loss,"), "{}", moves.out);
    assert!(moves.err.contains("White wins in 61 plies"), "{}", moves.err);
    let shown = crownhead_ends(&none, 0, &["show", LONG]);
    assert!(shown.contains("\nValue: White wins in 61 plies (endgame database)\n"), "{shown}");
    // Of five pieces only values are shipped.
    let plain = crownhead_ends(&none, 0, &["show", FIVE]);
    assert!(plain.contains("\nValue: White wins (endgame database)\n"), "{plain}");
    let probed = crownhead(&none, &["egdb", "probe", LONG]);
    assert!(probed.err.contains("White to move wins in 61 plies."), "{}", probed.err);
    let the_move = with_distances(&none, &["--format", "csv", "--columns", "value,plies_to_end", "the-move", LONG]);
    assert_eq!(the_move.out, "value,plies_to_end\nwin,61\n");
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

/// A folder with the files of the slices named, of those that tests have made.
fn folder_of(names: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in names {
        fs::copy(egdb::made().0.path().join(name), folder.path().join(name)).unwrap();
    }
    folder
}

#[test]
fn a_folder_of_databases_hides_nothing_and_what_it_lacks_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let none = no_database(&folder);
    let (empty, few) = (tempfile::tempdir().unwrap(), folder_of(&["KvK.wld", "KvK.plies"]));
    let missing = folder.path().join("misspelt");
    let cases = [
        (missing.as_path(), "There is no folder"),
        (empty.path(), "No endgame database is in"),
        (few.path(), "has 1 of the 3 files of 2 pieces"),
    ];
    for (own, said) in cases {
        for args in [
            &["egdb", "probe", FIVE][..],
            &["analyse", FIVE],
            &["moves", FIVE],
            &["show", FIVE],
            &["the-move", FIVE],
            &["prove", "--win", FIVE],
        ] {
            let plain = crownhead(&none, args);
            assert_eq!((plain.status, plain.err.contains(said)), (Some(0), false), "{args:?}: {}", plain.err);
            let ran = crownhead_with(&none, args, &[("CROWNHEAD_EGDB", own)]);
            assert_eq!((ran.status, &ran.out), (Some(0), &plain.out), "{args:?}: {}", ran.err);
            assert_eq!(ran.err.matches(said).count(), 1, "{args:?}: {}", ran.err);
            let quiet = crownhead_with(&none, &[&["--quiet"], args].concat(), &[("CROWNHEAD_EGDB", own)]);
            assert_eq!(quiet.err, "");
        }
    }
    // An option does what the variable does; an empty variable counts as none.
    let probe = crownhead(&none, &["egdb", "probe", "--dir", missing.to_str().unwrap(), FIVE]);
    assert!(probe.err.contains("There is no folder") && probe.err.contains("wins"), "{}", probe.err);
    let unset = crownhead_with(&none, &["moves", FIVE], &[("CROWNHEAD_EGDB", Path::new(""))]);
    assert_eq!((unset.status, unset.err), (Some(0), crownhead(&none, &["moves", FIVE]).err));
    // What speaks of the folder alone needs it.
    let info = crownhead(&none, &["egdb", "info", "--dir", missing.to_str().unwrap()]);
    assert_eq!(info.status, Some(2), "{}", info.err);
    assert!(info.err.contains("there is no folder"), "{}", info.err);
}

#[test]
fn files_beside_the_database_are_found_in_egdb_and_in_its_folder_for_the_game() {
    let names = ["KvK.wld", "KvM.wld", "MvM.wld"];
    for below in ["egdb", "egdb/english"] {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join(below);
        fs::create_dir_all(&own).unwrap();
        for name in names {
            fs::copy(egdb::made().0.path().join(name), own.join(name)).unwrap();
        }
        // A damaged file is noticed where it is looked at.
        fs::write(own.join("KKvK.wld"), "damage").unwrap();
        let ran = crownhead(&no_database(&folder), &["egdb", "probe", "W:WK16:BK26"]);
        assert!(ran.status == Some(2) && ran.err.contains("KKvK"), "{below}: {}", ran.err);
        fs::remove_file(own.join("KKvK.wld")).unwrap();
        let ran = crownhead(&no_database(&folder), &["egdb", "probe", "W:WK16:BK26"]);
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), "White to move wins in 9 plies.\n"), "{below}");
    }
}

#[test]
fn every_command_says_of_a_final_position_who_has_lost() {
    let folder = tempfile::tempdir().unwrap();
    let none = no_database(&folder);
    let over = "White has no move and has lost.";
    for text in [OVER, "W:W:BK1", "W:W21,25,29:B14,17,18,22"] {
        for command in ["moves", "show", "the-move", "analyse"] {
            let ran = crownhead(&none, &[command, text]);
            assert_eq!(ran.status, Some(0), "{command} {text}: {}", ran.err);
            assert!(format!("{}{}", ran.out, ran.err).contains(over), "{command} {text}: {} {}", ran.out, ran.err);
        }
        let moves = crownhead(&none, &["--format", "json", "moves", text]);
        assert_eq!((moves.status, moves.out.trim()), (Some(0), "[]"), "{}", moves.err);
        assert!(crownhead_ends(&none, 0, &["perft", "3", text]).contains('0'));
    }
    let probed = crownhead(&none, &["egdb", "probe", OVER]);
    assert_eq!((probed.status, probed.err.trim_end()), (Some(0), over));
    let proved = crownhead(&none, &["prove", "--loss", OVER]);
    assert_eq!((proved.status, proved.err.trim_end()), (Some(0), "White to move loses."));
    // Who has the move by the count may lose all the same.
    let count = crownhead(&none, &["the-move", "B:WK15,30:BK4,K18"]);
    assert!(
        count.err.contains("Black wins in 11 plies (endgame database), though White has the move."),
        "{}",
        count.err
    );
    // Games that came to it are counted.
    let pdn = folder.path().join("a.pdn");
    fs::write(&pdn, "[SetUp \"1\"]\n[FEN \"B:W5:BK6\"]\n[Result \"*\"]\n1. 6-1 *\n").unwrap();
    let full = folder.path().join("full.db");
    crownhead_ends(&full, 0, &["import", pdn.to_str().unwrap()]);
    let counted = crownhead(&full, &["moves", OVER]);
    assert!(counted.status == Some(0) && counted.err.contains(over), "{}", counted.err);
    assert!(counted.err.contains("1 game, White to move"), "{}", counted.err);
}
