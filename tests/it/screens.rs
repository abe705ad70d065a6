//! What people are shown: moves in lists, a player's score, games read like a comment, an opponent on one page.

use std::fs;
use std::path::{Path, PathBuf};

use crownhead::board::Variant;
use crownhead::game::read_moves;
use crownhead::notation::fen;
use crownhead::rules::Position;

use crate::support::{crownhead, crownhead_ends, position};

/// A database with the games of `text`.
fn database(folder: &Path, text: &str) -> PathBuf {
    let (db, file) = (folder.join("x.db"), folder.join("games.pdn"));
    fs::write(&file, text).unwrap();
    crownhead_ends(&db, 0, &["--quiet", "import", file.to_str().unwrap()]);
    db
}

/// Two games, one from a set-up, and a variation.
const PLAYED: &str = "[Black \"Ash, A.\"]\n[White \"Beech, B.\"]\n[Result \"1-0\"]\n\
    1. 11-15 22-18 2. 15x22 25x18 (2... 26x17 3. 8-11) 3. 8-11 1-0\n\n\
    [Result \"*\"]\n[SetUp \"1\"]\n[FEN \"W:W25,31:B2,15,22\"]\n1. 25x18x11 2-6 2. 31-27 *\n\n";

#[test]
fn listed_moves_replay_to_the_last_position() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path(), PLAYED);
    let args = |kind: &'static str| {
        ["--quiet", "--format", "ndjson", "--columns", "id,start_fen,moves,final_fen", "games", "--kind", kind]
    };
    let mut told = Vec::new();
    for kind in ["game", "variation"] {
        for row in crownhead_ends(&db, 0, &args(kind)).lines() {
            let row: serde_json::Value = serde_json::from_str(row).unwrap();
            let start = row["start_fen"].as_str().map_or_else(|| Position::start(Variant::English), position);
            let moves = row["moves"].as_str().unwrap();
            let end = read_moves(moves, start).unwrap().iter().fold(start, |here, played| here.play_unchecked(played));
            assert_eq!(fen::write(&end.setup()), row["final_fen"].as_str().unwrap(), "{row}");
            told.push((row["start_fen"].is_null(), moves.to_owned()));
        }
    }
    let wanted = [(true, "11-15 22-18 15x22 25x18 8-11"), (false, "25x11 2-6 31-27"), (false, "26x17 8-11")];
    assert_eq!(told, wanted.map(|(usual, moves)| (usual, moves.to_owned())));
    // As a POSITION they are the position after them.
    let shown = crownhead_ends(&db, 0, &["show", wanted[0].1]);
    assert!(shown.contains("W:W18,21,23,24,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,9,10,11,12"), "{shown}");
}

#[test]
fn moves_are_listed_on_request_and_always_exported() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path(), PLAYED);
    let header = |args: &[&str]| {
        let out = crownhead_ends(&db, 0, &[&["--quiet", "--format", "csv"], args].concat());
        out.lines().next().unwrap().to_owned()
    };
    assert!(header(&["games"]).ends_with(",witness,final_fen"));
    assert!(header(&["export", "csv"]).ends_with(",witness,final_fen,start_fen,moves"));
    assert_eq!(header(&["--columns", "Moves,id", "games"]), "moves,id");
    let ran = crownhead(&db, &["--format", "csv", "--columns", "moves", "export", "csv", "--kind", "variation"]);
    assert_eq!(ran.out, "moves\n26x17 8-11\n");
    let ran = crownhead(&db, &["--columns", "id,movs", "games"]);
    assert!(ran.status == Some(2) && ran.err.contains("did you mean `moves`?"), "{}", ran.err);
}

#[test]
fn openings_have_the_score_of_the_player_asked_for() {
    let game = |black: &str, white: &str, moves: &str, result: &str| {
        format!("[Black \"{black}\"]\n[White \"{white}\"]\n[Result \"{result}\"]\n{moves} {result}\n\n")
    };
    let (cross, other) = ("1. 11-15 23-18", "1. 11-15 23-19 2. 8-11");
    let text = [
        game("Ash, A.", "Beech, B.", cross, "1-0"),
        game("Beech, B.", "Ash, A.", cross, "1-0"),
        game("Beech, B.", "Ash, A.", cross, "1/2-1/2"),
        game("Beech, B.", "Ash, A.", cross, "*"),
        game("Beech, B.", "Cedar, C.", cross, "1-0"),
        game("Ash, A.", "Ash, A.", other, "0-1"),
    ];
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path(), &text.concat());
    let rows = |args: &[&str]| {
        let columns = ["--quiet", "--format", "csv", "--columns", "opening,games,score,player_score"];
        crownhead_ends(&db, 0, &[&columns[..], &["report", "openings"], args].concat())
    };
    // One won, one lost, one drawn; against herself she neither wins nor loses.
    let ash = rows(&["--player", "ash"]);
    assert!(ash.contains("Cross,4,0.833,0.5\n"), "{ash}");
    assert!(ash.lines().any(|row| row.ends_with(",1,0,0.5")), "{ash}");
    let cedar = rows(&["--player", "cedar"]);
    assert_eq!(cedar.lines().nth(1).unwrap(), "Cross,1,1,0");
    assert!(rows(&[]).lines().skip(1).all(|row| row.ends_with(',')), "empty where no player is asked for");
}

const COOK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/cook.pdn");
const QUICK: [&str; 5] = ["annotate", "--nodes", "500", "--proof-nodes", "1000"];

#[test]
fn a_file_is_annotated_without_a_database_as_stored_lines_are() {
    let folder = tempfile::tempdir().unwrap();
    let (none, db) = (folder.path().join("none.db"), folder.path().join("x.db"));
    let of_file = crownhead(&none, &[&QUICK[..], &[COOK]].concat());
    assert_eq!(of_file.status, Some(0), "{}", of_file.err);
    assert!(!none.exists(), "nothing is stored");
    assert!(of_file.err.contains("Nothing was stored"), "{}", of_file.err);
    let comment = "\n  2... 28-24?? loses; 30-25 held (proved). Then 20x27 30-26";
    assert!(of_file.out.starts_with(&format!("{COOK}:1: ")) && of_file.out.contains(comment), "{}", of_file.out);

    crownhead_ends(&db, 0, &["--quiet", "import", COOK]);
    let stored = crownhead_ends(&db, 0, &QUICK);
    let comments =
        |text: &str| text.lines().filter(|line| line.starts_with(' ')).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(comments(&stored), comments(&of_file.out));
    assert!(stored.starts_with("Line 1: ") && stored.contains("\nLine 2: "), "{stored}");
    let rows =
        |db: &Path, what: &[&str]| crownhead_ends(db, 0, &[&["--quiet", "--format", "csv"], &QUICK[..], what].concat());
    assert_eq!(rows(&none, &[COOK]), rows(&db, &[]), "the same rows, numbered alike");
    assert_eq!(rows(&db, &["2", "2"]).lines().count(), 2, "each line once");
}

#[test]
fn lines_are_named_by_ids_or_files_and_what_is_missing_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path(), PLAYED);
    let run = |args: &[&str]| crownhead(&db, &[&QUICK[..], args].concat());
    let some = run(&["99", "2"]);
    assert!(some.status == Some(1) && some.err.contains("No line has the id 99."), "{}", some.err);
    assert!(some.out.starts_with("Line 2") && !some.out.contains("Line 1"), "{}", some.out);
    let none = run(&["99"]);
    assert!(none.status == Some(1) && none.out.is_empty(), "{}", none.out);
    assert_eq!(run(&["1", "--player", "nobody"]).status, Some(1), "filters hold for ids too");
    for wrong in [&["2", COOK][..], &["2", "--as", "pdn"], &["2", "--sort", "plies"], &["2", "--tree"]] {
        assert_eq!(run(wrong).status, Some(2), "{wrong:?}");
    }
    let bad = folder.path().join("bad.pdn");
    fs::write(&bad, "[Event \"a\"]\n\n1. 11-15 23-18 2. 11-15 *\n").unwrap();
    let partly = run(&[bad.to_str().unwrap()]);
    assert!(partly.status == Some(1) && partly.out.contains("bad.pdn:1: a"), "{}{}", partly.out, partly.err);
    assert!(partly.err.contains("[illegal-move] game 1 ply 3"), "{}", partly.err);
    let over = crownhead(&db, &["--output", bad.to_str().unwrap(), "annotate", bad.to_str().unwrap()]);
    assert!(over.status == Some(2) && over.err.contains("not written over"), "{}", over.err);
}

#[test]
fn a_score_sheet_tells_the_marks_of_annotate_from_those_of_the_source() {
    let folder = tempfile::tempdir().unwrap();
    let marked = fs::read_to_string(COOK).unwrap();
    for (text, wanted, legend) in [
        (marked.clone(), "28-24*(??)", "Marks: (??) and (?) by annotate, the others by the source."),
        (marked.replace(" {[%losing]}", ""), "28-24??", "Marks: ?? and ? by annotate; the source has none."),
    ] {
        assert_ne!(text.contains("[%losing]"), wanted.ends_with("4??"), "the game has its mark, or lost it");
        let folder = folder.path().join(wanted.len().to_string());
        fs::create_dir(&folder).unwrap();
        let db = database(&folder, &text);
        assert!(!crownhead_ends(&db, 0, &["show", "1"]).contains("Marks:"), "before it is annotated");
        crownhead_ends(&db, 0, &QUICK);
        let shown = crownhead_ends(&db, 0, &["show", "1"]);
        assert!(shown.lines().any(|line| line.contains(wanted)) && shown.contains(legend), "{shown}");
        assert!(shown.contains("2... 28-24?? loses; 30-25 held (proved)."), "{shown}");
    }
}

/// Games of a made-up player, and of those who played before.
const RIVALS: &str = include_str!("../cli/rivals.pdn");

/// The rows of a section, each with the cells of these columns.
fn section(db: &Path, name: &str, columns: &str, args: &[&str]) -> Vec<String> {
    let columns = format!("section,{columns}");
    let options = ["--quiet", "--format", "csv", "--columns", &columns, "prepare"];
    let out = crownhead_ends(db, 0, &[&options[..], args].concat());
    let prefix = format!("{name},");
    out.lines().filter_map(|row| row.strip_prefix(&prefix)).map(str::to_owned).collect()
}

#[test]
fn an_opponent_on_one_page() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path(), RIVALS);
    let ash = |name: &str, columns: &str| section(&db, name, columns, &["ash, a."]);
    // As Black: won one, lost one, one without a result. As White: lost one.
    assert_eq!(ash("results", "side,games,won,drawn,lost,score"), ["black,3,1,0,1,0.5", "white,1,0,0,1,0"]);
    let first = ash("first_moves", "side,moves,games,share,score");
    assert_eq!(
        first,
        ["black,10-15,1,0.333,", "black,11-15,1,0.333,1", "black,9-14,1,0.333,0", "white,11-15 23-19,1,1,0"]
    );
    // 3-8 was new in 1881; in 1882 the opponent left first; in 1883 the first move was new. A game without a year counts as known.
    let left = ash("left", "game,ply,move,known_moves,opponent,outcome");
    assert_eq!(left, ["4,1,9-14,11-15 (3); 10-15 (1),\"Fir, F.\",loss", "2,5,3-8,4-8 (1),\"Elm, E.\",win"]);
    assert_eq!(ash("errors", "game,ply,move,after,losing,witness"), ["4,3,5-9,loss,true,source"]);
    assert_eq!(
        ash("games", "game,outcome,opponent"),
        ["2,win,\"Elm, E.\"", "4,loss,\"Fir, F.\"", "3,loss,\"Fir, F.\""]
    );

    let page = crownhead(&db, &["prepare", "ash, a."]);
    assert_eq!(page.status, Some(0), "{}", page.err);
    assert!(page.out.starts_with("Ash, A.: 4 games\n"), "{}", page.out);
    for heading in ["Openings", "Left what others had played", "Went wrong", "Games to play through"] {
        assert!(page.out.lines().any(|line| line == heading), "{heading}: {}", page.out);
    }
    assert!(page.err.contains("Also spelled: A. Ash; ASH, A."), "{}", page.err);
    assert!(page.err.contains("1 game without a year"), "{}", page.err);
    // JSON and the others have the same rows.
    let json = crownhead_ends(&db, 0, &["--quiet", "--format", "json", "prepare", "ash, a."]);
    let rows: Vec<serde_json::Value> = serde_json::from_str(&json).unwrap();
    assert_eq!(rows[0]["section"], "results");
    assert_eq!(rows.iter().filter(|row| row["section"] == "left").count(), 2);
    for format in ["ndjson", "markdown"] {
        assert!(crownhead_ends(&db, 0, &["--format", format, "prepare", "ash, a."]).contains("Fir, F."), "{format}");
    }
}

#[test]
fn a_player_is_found_by_name_or_not_taken_for_another() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path(), RIVALS);
    let run = |args: &[&str]| crownhead(&db, &[&["prepare"], args].concat());
    let several = run(&["ash"]);
    assert_eq!((several.status, several.out.as_str()), (Some(1), ""), "{}", several.err);
    assert!(several.err.contains("Ash, A. (4 games); Ashton, B. (1 game)"), "{}", several.err);
    let unknown = run(&["firr"]);
    assert!(unknown.status == Some(1) && unknown.err.contains("Did you mean Fir, F."), "{}", unknown.err);
    assert_eq!(run(&[","]).status, Some(2), "a name has a word");
    assert_eq!(run(&["fir", "--side", "red"]).status, Some(2));
    let games = |args: &[&str]| section(&db, "results", "side,games", args);
    assert_eq!(games(&["fir"]), ["black,1", "white,4"]);
    assert_eq!(games(&["F.", "Fir"]), games(&["fir"]), "words in any order");
    assert_eq!(games(&["fir", "--side", "white"]), ["white,4"]);
    // Words that one player has alone are that player; the others are named.
    fs::write(folder.path().join("more.pdn"), "[Black \"Ash\"]\n[White \"Fir, F.\"]\n1. 12-16 *\n").unwrap();
    crownhead_ends(&db, 0, &["--quiet", "import", folder.path().join("more.pdn").to_str().unwrap()]);
    let alone = run(&["ash"]);
    assert!(alone.status == Some(0) && alone.out.starts_with("Ash: 1 game\n"), "{}{}", alone.out, alone.err);
    assert!(alone.err.contains("Left out, as other players: Ash, A. (4 games); Ashton, B."), "{}", alone.err);
    assert_eq!(games(&["fir", "--player", "elm"]), ["white,1"]);
    assert_eq!(games(&["fir", "--year", "1883..1884"]), ["white,2"]);
    assert_eq!(run(&["fir", "--year", "1890"]).status, Some(1));
}

#[test]
fn model_games_stand_below_a_table_and_nowhere_else() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path(), RIVALS);
    let games = crownhead_ends(&db, 0, &["--quiet", "moves", "11-15", "23-19", "--games", "2"]);
    let (table, models) = games.split_once("\n\n").unwrap();
    assert_eq!(table.trim_end(), crownhead_ends(&db, 0, &["--quiet", "moves", "11-15", "23-19"]).trim_end());
    let ids: Vec<&str> = models.lines().skip(2).filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(ids, ["3", "2"], "the latest first: {models}");
    let json = crownhead(&db, &["--format", "json", "moves", "--games", "2"]);
    assert!(json.status == Some(2) && json.err.contains("crownhead games --position"), "{}", json.err);
}

/// What the program prints to a terminal of 80 columns and 24 lines, in a locale; nothing where there is no `script` of util-linux to
/// make one.
#[cfg(unix)]
fn on_a_terminal(db: &Path, locale: &str, args: &str) -> Option<String> {
    use std::process::{Command, Stdio};
    let version = Command::new("script").arg("--version").output().ok()?;
    if !String::from_utf8_lossy(&version.stdout).contains("util-linux") {
        return None;
    }
    let run = format!("'{}' --db '{}' {args}", env!("CARGO_BIN_EXE_crownhead"), db.display());
    let output = Command::new("script")
        .args(["-qec", &run, "/dev/null"])
        .envs([("COLUMNS", "80"), ("LINES", "24"), ("TERM", "xterm"), ("NO_COLOR", "1"), ("LC_ALL", locale)])
        .stdin(Stdio::null())
        .output()
        .ok()?;
    Some(String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n"))
}

#[cfg(unix)]
#[test]
fn a_terminal_gets_the_board_and_bars_and_columns_the_plain_table() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path(), RIVALS);
    let Some(page) = on_a_terminal(&db, "C.UTF-8", "moves 11-15 23-19") else { return };
    assert!(page.contains("┌────") && page.contains("8-11      2  ███"), "{page}");
    assert!(page.lines().all(|line| crownhead::render::display_width(line) <= 80), "{page}");
    let ascii = on_a_terminal(&db, "C", "moves 11-15 23-19").unwrap();
    assert!(ascii.is_ascii() && ascii.contains("###---"), "{ascii}");
    let table = on_a_terminal(&db, "C.UTF-8", "--columns move,games moves 11-15 23-19").unwrap();
    assert!(table.starts_with("move  games\n") && !table.contains('┌'), "{table}");
    let opponent = on_a_terminal(&db, "C.UTF-8", "prepare fir").unwrap();
    assert!(opponent.lines().count() <= 24 && opponent.starts_with("Fir, F.: 5 games\n"), "{opponent}");
}
