//! The columns of every row type, as the source declares them: which are dropped first where there is little room, and
//! which belong together.
//!
//! Row types of commands are private, so the declarations are read from the source, as `architecture.rs` does.

use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

/// What people look for in a table: never dropped before [`INTERNALS`].
const ANSWERS: &[&str] = &["black", "white", "player", "move", "moves", "opening", "name", "better"];
/// What says where something came from or how it was stored.
const INTERNALS: &[&str] = &["source", "place", "status", "result_check", "fen", "final_fen", "certificate", "form"];
/// Columns that mean little without one another.
const FAMILIES: &[&[&str]] = &[
    &["black_wins", "draws", "white_wins"],
    &["wins", "draws", "losses"],
    &["won", "drawn", "lost"],
    &["read", "stored", "partly", "refused", "duplicates"],
    &["value", "witness"],
    &["black", "white"],
    &["source", "place"],
    &["low", "high"],
    &["first_year", "last_year"],
    &["before", "after"],
];

/// A column as it is declared.
#[derive(Debug)]
struct Declared {
    name: String,
    rank: u8,
    group: Option<String>,
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// The columns of every row type, each list with the file that declares it.
fn declared() -> Vec<(String, Vec<Declared>)> {
    let list = Regex::new(r"(?s)const \w+: &(?:'static )?\[Column\]\s*=\s*&\[(.*?)\];").unwrap();
    let column =
        Regex::new(r#"Column::(?:text|number|path|date)\("(\w+)", (\d+)\)((?:\s*\.\w+\("[^"]*"\))*)"#).unwrap();
    let group = Regex::new(r#"\.grouped\("(\w+)"\)"#).unwrap();
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    files.sort();
    let mut lists = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for found in list.captures_iter(&text) {
            let columns = column.captures_iter(&found[1]).map(|one| Declared {
                name: one[1].to_owned(),
                rank: one[2].parse().unwrap(),
                group: group.captures(&one[3]).map(|group| group[1].to_owned()),
            });
            let columns: Vec<Declared> = columns.collect();
            assert_eq!(
                columns.len(),
                found[1].matches("Column::").count(),
                "{}: a column was not read",
                file.display()
            );
            lists.push((file.display().to_string(), columns));
        }
    }
    assert!(lists.len() > 30, "{} lists of columns", lists.len());
    lists
}

#[test]
fn columns_of_one_group_have_one_rank() {
    for (file, columns) in declared() {
        for column in columns.iter().filter(|column| column.group.is_some()) {
            let others = columns.iter().filter(|other| other.group == column.group);
            let ranks: Vec<u8> = others.map(|other| other.rank).collect();
            assert!(ranks.len() > 1, "{file}: {} is alone in its group", column.name);
            assert!(ranks.iter().all(|rank| *rank == column.rank), "{file}: {column:?} {ranks:?}");
        }
    }
}

#[test]
fn columns_that_belong_together_are_in_one_group() {
    for (file, columns) in declared() {
        for family in FAMILIES {
            let members: Vec<_> = columns.iter().filter(|column| family.contains(&&*column.name)).collect();
            // Columns of rank 0 are always there, together or not.
            if members.len() == family.len() && members.iter().any(|member| member.rank > 0) {
                let group = &members[0].group;
                assert!(group.is_some() && members.iter().all(|member| member.group == *group), "{file}: {members:?}");
            }
        }
    }
}

#[test]
fn players_moves_and_openings_outlast_internals() {
    for (file, columns) in declared() {
        let of = |names: &[&str]| -> Vec<(u8, String)> {
            let chosen = columns.iter().filter(|column| names.contains(&&*column.name));
            chosen.map(|column| (column.rank, column.name.clone())).collect()
        };
        let (answers, internals) = (of(ANSWERS), of(INTERNALS));
        for (rank, answer) in &answers {
            for (other, internal) in internals.iter().filter(|(other, _)| *other > 0) {
                assert!(rank < other, "{file}: {answer} ({rank}) goes before {internal} ({other})");
            }
        }
    }
}
