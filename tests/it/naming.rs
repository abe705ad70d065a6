//! Names of types and functions, held to one meaning each, from the sources.

use std::collections::BTreeMap;

use crate::architecture::{code_of, rust_files};

/// Every command has its own arguments; each module shows whose they are.
const SHARED_TYPE_NAMES: &[&str] = &["Args"];

/// Function names that say nothing about what a function does.
const EMPTY_FUNCTION_NAMES: &[&str] = &["of", "told", "tell", "say", "near", "place", "needs"];

/// The word after `keyword` where `line` declares an item with it, whatever its visibility.
fn declared<'a>(line: &'a str, keyword: &str) -> Option<&'a str> {
    let line = line.trim_start();
    let line = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(')')?.1.trim_start(),
        Some(rest) => rest.trim_start(),
        None => line,
    };
    let line = line.strip_prefix("const ").unwrap_or(line);
    let rest = line.strip_prefix(keyword)?.strip_prefix(' ')?;
    rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().filter(|name| !name.is_empty())
}

#[test]
fn a_type_name_occurs_once() {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in rust_files() {
        for line in code_of(&file).lines() {
            // An indented `type` belongs to an implementation of a trait.
            let alias = if line.starts_with(' ') { None } else { declared(line, "type") };
            let name = ["struct", "enum", "trait"].iter().find_map(|keyword| declared(line, keyword)).or(alias);
            if let Some(name) = name {
                found.entry(name.to_owned()).or_default().push(file.display().to_string());
            }
        }
    }
    assert!(found.len() > 500, "declarations are found");
    found.retain(|name, files| files.len() > 1 && !SHARED_TYPE_NAMES.contains(&name.as_str()));
    assert!(found.is_empty(), "one name, several types: {found:#?}");
}

#[test]
fn functions_are_named_for_what_they_do() {
    let mut bad = vec![];
    for file in rust_files() {
        for line in code_of(&file).lines() {
            if let Some(name) = declared(line, "fn").filter(|name| EMPTY_FUNCTION_NAMES.contains(name)) {
                bad.push(format!("{}: fn {name}", file.display()));
            }
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
