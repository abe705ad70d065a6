//! Every command that prints a table, at 80 and at 140 columns: no line is wider, and what matters most is there.

use std::path::Path;
use std::process::Command;

use crownhead::render::display_width;
use crownhead::report::REPORTS;

use super::support::{crownhead_ends, random_pdn};

/// Commands, and the columns that must be seen at 80 columns already.
const TABLES: &[(&[&str], &[&str])] = &[
    (&["games"], &["id", "black", "white", "winner", "plies", "opening"]),
    (&["games", "--kind", "book"], &[]),
    (&["sources"], &["number", "name", "games", "date", "lines", "plies"]),
    (&["moves"], &["move", "games", "B", "=", "W", "score", "opening"]),
    (&["search", "--pattern", "-11"], &["game", "ply", "move_to_come", "black", "white"]),
    (&["opening"], &["name", "moves"]),
    (&["the-move", "W:WK26,K32:BK19,K28"], &["the_move", "fen"]),
    (&["perft", "3", "--divide"], &["move", "lines"]),
    (&["sql", "SELECT * FROM games"], &["id"]),
    (&["sql", "SELECT * FROM sources"], &["id", "name"]),
    (&["glossary"], &[]),
    (&["verify", "bad.pdn"], &["line", "code", "found", "expected"]),
    (&["import", "games.pdn"], &["file", "read", "stored", "partly", "refused", "duplicates"]),
    (&["show", "1"], &[]),
    (&["show", "11-15 23-19"], &[]),
    (&["opening", "fife"], &[]),
    (&["opening", "--ballot", "86"], &[]),
    (&["identify", "11-15 23-19"], &[]),
];

#[test]
fn tables_fit_and_show_what_matters() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let long = "[White \"Константинопольский-Берёзов, Александр\"]\n[Black \"林小明 the Very Long-Named Younger\"]\n\
         [Event \"A tournament with a name that goes on and on\"]\n1. 11-15 23-19 2. 8-11 *\n\n";
    std::fs::write(at("games.pdn"), long.to_owned() + &random_pdn(3, 30)).unwrap();
    std::fs::write(at("bad.pdn"), "1. 11-15 23-18 2. 8-11 27-22 *\n").unwrap();
    crownhead_ends(&at("x.db"), 0, &["import", at("games.pdn").to_str().unwrap()]);
    let reports: Vec<[&str; 2]> = REPORTS.iter().map(|report| ["report", report.name]).collect();
    let reports = reports.iter().map(|command| (&command[..], &[][..]));
    let tables: Vec<(&[&str], &[&str])> = TABLES.iter().copied().chain(reports).collect();
    for width in [80, 140] {
        for (command, columns) in &tables {
            let out = run(folder.path(), width, command);
            for line in out.lines() {
                assert!(display_width(line) <= width, "{command:?} at {width}: {line}");
            }
            let header: Vec<&str> = out.lines().next().unwrap_or_default().split_whitespace().collect();
            for column in *columns {
                assert!(header.contains(column), "{command:?} at {width} lacks {column}: {header:?}");
            }
        }
    }
}

fn run(folder: &Path, width: usize, command: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_crownhead"))
        .current_dir(folder)
        .args(["--db", "x.db"])
        .args(command)
        .env("COLUMNS", width.to_string())
        .output()
        .unwrap();
    assert_ne!(output.status.code(), Some(2), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
