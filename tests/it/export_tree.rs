//! Play merged into one PDN game, or into a graph.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use crownhead::board::Variant;
use crownhead::game::{ReplayOptions, replay};
use crownhead::notation::Location;
use crownhead::notation::pdn::PdnReader;
use crownhead::rules::PositionKey;
use tempfile::{TempDir, tempdir};

use crate::support::{crownhead, crownhead_ends, random_pdn};

fn database(text: &str) -> (TempDir, PathBuf) {
    let folder = tempdir().unwrap();
    let (db, file) = (folder.path().join("a.db"), folder.path().join("a.pdn"));
    fs::write(&file, text).unwrap();
    crownhead_ends(&db, 0, &["import", file.to_str().unwrap()]);
    (folder, db)
}

fn tree(db: &Path, args: &[&str]) -> String {
    crownhead_ends(db, 0, &[&["export", "tree"], args].concat())
}

/// The move text without tags and comments, and the comments.
fn parts(pdn: &str) -> (String, Vec<String>) {
    let body: String = pdn.lines().filter(|line| !line.starts_with('[')).collect::<Vec<_>>().join(" ");
    let (mut moves, mut comments) = (String::new(), Vec::new());
    for part in body.split('{') {
        match part.split_once('}') {
            Some((comment, rest)) => {
                comments.push(comment.to_owned());
                moves.push_str(rest);
            }
            None => moves.push_str(part),
        }
    }
    (moves.split_whitespace().collect::<Vec<_>>().join(" ").replace(" )", ")"), comments)
}

/// Our own reader reads it and every move replays; the positions that its lines stand in, and its edges.
fn positions_and_edges(pdn: &str) -> (usize, usize) {
    let games: Vec<_> = PdnReader::new(pdn, Location::FIRST, 1, Variant::English).collect();
    let [game] = &games[..] else { panic!("one game: {pdn}") };
    let replayed = replay(game.clone(), ReplayOptions::for_variant(Variant::English));
    assert_eq!(replayed.findings, [], "{pdn}");
    let game = replayed.game.unwrap();
    let lines = std::iter::once(game.line()).chain(game.branches().iter().map(|branch| &branch.line));
    let (mut positions, mut edges): (HashSet<PositionKey>, HashSet<_>) = Default::default();
    for line in lines {
        positions.extend(line.positions().map(|position| position.key()));
        edges.extend(line.positions().zip(line.moves()).map(|(position, played)| (position.key(), *played)));
    }
    (positions.len(), edges.len())
}

/// Case 65: a line that is there already adds counts, not moves; another makes a branch.
#[test]
fn lines_are_merged() {
    let text = "1. 11-15 23-19 2. 8-11 *\n\n1. 11-15 22-18 2. 15x22 *\n\n1. 11-15 23-19 2. 8-11 *\n";
    let (_folder, db) = database(text);
    let pdn = tree(&db, &[]);
    let (moves, comments) = parts(&pdn);
    assert_eq!(moves, "1. 11-15 1... 23-19 (1... 22-18 2. 15x22) 2. 8-11 *");
    assert_eq!(comments[0], "3 games: 0-0-0; counts: won by Black-drawn-won by White");
    assert_eq!(comments[2], "2 games: 0-0-0");
    assert_eq!(positions_and_edges(&pdn), (6, 5));
    let dot = tree(&db, &["--as", "dot"]);
    assert_eq!((dot.matches("tooltip").count(), dot.matches(" -> ").count()), (6, 5));
    assert_eq!(parts(&tree(&db, &["--min-games", "2"])).0, "1. 11-15 1... 23-19 2. 8-11 *");
    assert_eq!(parts(&tree(&db, &["--depth", "1"])).0, "1. 11-15 *");
    // The moves to a position stand before it.
    assert_eq!(parts(&tree(&db, &["11-15", "22-18"])).0, "1. 11-15 22-18 2. 15x22 *");
    // A tree is no game: imported again, it counts in no statistics.
    let again = db.with_extension("tree.pdn");
    fs::write(&again, pdn).unwrap();
    crownhead_ends(&db, 0, &["import", again.to_str().unwrap()]);
    assert!(crownhead(&db, &["moves"]).err.starts_with("3 games,"));
}

/// Case 66: a cycle ends where it meets the line above.
#[test]
fn cycles_end() {
    let text = "[GameType \"21\"]\n[FEN \"W:WK18:BK1\"]\n[Result \"1/2-1/2\"]\n\
        1... 18-22 2. 1-5 22-18 3. 5-1 18-22 4. 1-5 22-18 5. 5-1 1/2-1/2\n";
    let (_folder, db) = database(text);
    let pdn = tree(&db, &["W:WK18:BK1", "--depth", "1000000000"]);
    let (moves, comments) = parts(&pdn);
    assert_eq!(moves, "1... 18-22 2. 1-5 2... 22-18 3. 5-1 *");
    assert!(comments[0].starts_with("position 1; 1 game: 0-1-0;"), "{comments:?}");
    assert_eq!(comments[4], "1 game: 0-1-0; = line above, position 1");
    assert_eq!(positions_and_edges(&pdn), (4, 4));
}

#[test]
fn lines_meet_and_filters_choose() {
    let game = |black: &str, moves: &str, result: &str| {
        format!("[Black \"{black}\"]\n[White \"x\"]\n[Result \"{result}\"]\n{moves} {result}\n\n")
    };
    let text = game("Alder", "1. 11-15 23-19 2. 8-11 22-17 3. 9-14", "1-0")
        + &game("Alder", "1. 11-15 23-19 2. 8-11 22-17 3. 11-16", "1-0")
        + &game("Birch", "1. 9-14 23-19 2. 11-15 22-17", "0-1");
    let (_folder, db) = database(&text);
    assert_eq!(parts(&tree(&db, &["--player", "birch"])).0, "1. 9-14 1... 23-19 2. 11-15 2... 22-17 *");
    let none = crownhead(&db, &["export", "tree", "--player", "nobody"]);
    assert_eq!((none.status, none.out.as_str()), (Some(1), ""));
    let text = game("Alder", "1. 11-15 23-19 2. 9-14 22-17", "1-0")
        + &game("Birch", "1. 9-14 23-19 2. 11-15 22-17 3. 8-11", "0-1");
    let (_folder, db) = database(&text);
    let pdn = tree(&db, &[]);
    let (moves, comments) = parts(&pdn);
    assert_eq!(moves, "1. 9-14 (1. 11-15 1... 23-19 2. 9-14 2... 22-17 3. 8-11) 1... 23-19 2. 11-15 *");
    assert_eq!(comments.iter().filter(|comment| comment.contains("= line above, position 1")).count(), 1, "{pdn}");
    assert!(comments.iter().any(|comment| comment.contains("position 1; ")), "{pdn}");
    assert!(comments.iter().any(|comment| comment == "2 games: 1-0-1"), "{pdn}");
}

#[test]
fn any_tree_is_read_back_whole() {
    let (_folder, db) = database(&random_pdn(11, 300));
    for args in [&["--depth", "6"][..], &["--depth", "40", "--min-games", "2"], &["--limit", "50"]] {
        let (pdn, dot) = (tree(&db, args), tree(&db, &[args, &["--as", "dot"]].concat()));
        let found = positions_and_edges(&pdn);
        assert_eq!(found, (dot.matches("tooltip").count(), dot.matches(" -> ").count()), "{args:?}");
        assert!(found.0 > 20 && (args[0] != "--limit" || found.0 == 50), "{found:?}");
    }
    assert!(crownhead(&db, &["export", "tree", "--limit", "50"]).err.contains("There is more"));
}
