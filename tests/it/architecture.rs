//! The dependency direction of `src/`, checked from the sources.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A layer may use only the layers named beside it; read from top to bottom.
const LAYERS: &[(&str, &[&str])] = &[
    ("files", &[]),
    ("board", &[]),
    ("table", &[]),
    ("rules", &["board", "table"]),
    ("notation", &["board", "table"]),
    ("engine", &["files", "board", "table", "rules"]),
    ("game", &["board", "table", "rules", "notation"]),
    // `book` stands above `game`, so that there is one reader of moves for tables of names and for games.
    ("book", &["board", "table", "rules", "notation", "game"]),
    ("intake", &["files", "board", "table", "rules", "notation", "game"]),
    ("store", &["files", "board", "table", "rules", "game", "book"]),
    ("import", &["board", "table", "rules", "engine", "game", "book", "intake", "store"]),
    ("query", &["board", "table", "rules", "notation", "engine", "game", "book", "store"]),
    ("analysis", &["board", "table", "rules", "notation", "engine", "game", "store", "query"]),
    ("report", &["board", "table", "rules", "notation", "engine", "game", "book", "store", "query", "analysis"]),
    ("render", &["board", "table", "notation", "game"]),
    (
        "cli",
        &[
            "files", "board", "table", "rules", "notation", "engine", "game", "book", "intake", "store", "import",
            "query", "analysis", "report", "render",
        ],
    ),
];

/// Crates that only these layers may see.
const OUTSIDE: &[(&str, &[&str])] = &[
    ("clap", &["cli"]),
    ("clap_complete", &["cli"]),
    ("clap_mangen", &["cli"]),
    ("indicatif", &["cli"]),
    ("ctrlc", &["cli"]),
    ("signal_hook", &["cli"]),
    ("rusqlite", &["store", "query", "report"]),
    ("comfy_table", &["render"]),
];

pub(crate) fn source_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

pub(crate) fn rust_files() -> Vec<PathBuf> {
    let (mut files, mut open) = (vec![], vec![source_root()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn layer_of(file: &Path) -> String {
    let inside = file.strip_prefix(source_root()).unwrap();
    inside.components().next().unwrap().as_os_str().to_str().unwrap().trim_end_matches(".rs").to_owned()
}

pub(crate) fn code_of(file: &Path) -> String {
    let source = fs::read_to_string(file).unwrap();
    source.lines().map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join("\n")
}

/// Every layer named behind a `crate::` in code.
fn uses(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        assert!(!rest.starts_with('{'), "write one `use crate::layer::…` a layer");
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        found.insert(name);
    }
    found
}

#[test]
fn the_table_is_ordered_so_there_are_no_cycles() {
    for (at, (layer, allowed)) in LAYERS.iter().enumerate() {
        for used in *allowed {
            let below = LAYERS.iter().position(|(name, _)| name == used).unwrap();
            assert!(below < at, "{layer} may not list {used}: it stands below it");
        }
    }
}

#[test]
fn no_layer_reaches_upwards() {
    let mut bad = vec![];
    for file in rust_files() {
        let layer = layer_of(&file);
        if layer == "lib" || layer == "main" {
            continue;
        }
        let (_, allowed) = LAYERS.iter().find(|(name, _)| *name == layer).expect("every layer stands in the table");
        for used in uses(&code_of(&file)) {
            if used != layer && !allowed.contains(&used.as_str()) {
                bad.push(format!("{}: {layer} -> {used}", file.display()));
            }
        }
    }
    assert!(bad.is_empty(), "forbidden uses:\n{}", bad.join("\n"));
}

#[test]
fn outside_crates_stay_in_their_layers() {
    let mut bad = vec![];
    for file in rust_files() {
        let (layer, code) = (layer_of(&file), code_of(&file));
        for (name, allowed) in OUTSIDE {
            if !allowed.contains(&layer.as_str()) && code.contains(&format!("{name}::")) {
                bad.push(format!("{}: {layer} -> {name}", file.display()));
            }
        }
    }
    assert!(bad.is_empty(), "forbidden crates:\n{}", bad.join("\n"));
}

#[test]
fn modules_do_not_climb_and_files_stay_readable() {
    for file in rust_files() {
        let code = code_of(&file);
        assert!(!code.contains("super::super"), "{} climbs", file.display());
        let lines = fs::read_to_string(&file).unwrap().lines().count();
        assert!(lines <= 1_000, "{} has {lines} lines", file.display());
        let first = fs::read_to_string(&file).unwrap();
        assert!(first.starts_with("//!"), "{} does not say what it is for", file.display());
    }
}
