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
