//! Circles of modules inside a layer, found from the sources.
//!
//! 1. Every file is a module; `a/mod.rs` is the module `a`.
//! 2. The paths of its `use` declarations and of its code are followed to the module that declares the item: through
//!    `crate`, `super`, `self` and child modules, and through `pub use` where a module hands an item on.
//! 3. A module that can be reached from itself is on a circle, unless the circle is excused by name.
//!
//! Methods are not seen: a call of `value.method()` names no module. Test modules do not count.

use std::collections::{BTreeMap, BTreeSet};

use crate::architecture::{code_of, rust_files, source_root};

/// The names of the modules from the crate's root.
type ModulePath = Vec<String>;

/// Circles that stay until these modules are rebuilt: the generator with the positions that it makes, and search with its order
/// of moves.
const EXCUSED: &[&[&str]] = &[
    &["rules/english", "rules/generic", "rules/key", "rules/position"],
    &["engine/search", "engine/search/order", "engine/search/worker"],
];

/// The code of every module but its unit tests.
fn modules() -> BTreeMap<ModulePath, String> {
    let mut modules = BTreeMap::new();
    for file in rust_files() {
        let inside = file.strip_prefix(source_root()).unwrap().with_extension("");
        let mut path: ModulePath = inside.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
        if path.last().is_some_and(|last| last == "mod") {
            path.pop();
        }
        let code = code_of(&file);
        let code = code.split("#[cfg(test)]\nmod tests").next().unwrap().to_owned();
        if !matches!(path[0].as_str(), "lib" | "main") {
            modules.insert(path, code);
        }
    }
    modules
}

/// The paths of a `use` tree: `a::{b, c::d as e}` names `a::b` and `a::c::d`.
fn paths_of(tree: &str) -> Vec<Vec<String>> {
    let mut open = vec![(Vec::new(), tree.trim().to_owned())];
    let mut paths = Vec::new();
    while let Some((before, tree)) = open.pop() {
        let words = |text: &str| -> Vec<String> {
            text.split("::").map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect()
        };
        let Some((prefix, inner)) = tree.split_once('{') else {
            let name = tree.split(" as ").next().unwrap();
            paths.push([before, words(name)].concat());
            continue;
        };
        let inner = inner.trim_end().strip_suffix('}').unwrap();
        let before = [before, words(prefix)].concat();
        let (mut depth, mut start) = (0, 0);
        for (at, sign) in inner.char_indices().chain([(inner.len(), ',')]) {
            match sign {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    let part = inner[start..at].trim();
                    if !part.is_empty() {
                        open.push((before.clone(), part.to_owned()));
                    }
                    start = at + 1;
                }
                _ => {}
            }
        }
    }
    paths.retain(|path| !path.is_empty());
    paths
}

/// A `use` declaration.
struct Declaration {
    /// Whether it hands its items on.
    is_visible: bool,
    paths: Vec<Vec<String>>,
}

/// The `use` declarations of `code`, and the rest of it.
fn declarations(code: &str) -> (Vec<Declaration>, String) {
    let (mut found, mut rest) = (Vec::new(), String::new());
    let mut statement: Option<(bool, String)> = None;
    for line in code.lines() {
        if statement.is_none() {
            let trimmed = line.trim_start();
            let (visible, after) = match trimmed.strip_prefix("pub") {
                Some(after) if after.starts_with('(') => (true, after.split_once(')').map_or("", |parts| parts.1)),
                Some(after) => (true, after),
                None => (false, trimmed),
            };
            match after.trim_start().strip_prefix("use ") {
                Some(tree) => statement = Some((visible, tree.to_owned())),
                None => {
                    rest.push_str(line);
                    rest.push('\n');
                }
            }
        } else if let Some((_, tree)) = &mut statement {
            tree.push_str(line);
        }
        if let Some((is_visible, tree)) = statement.take_if(|(_, tree)| tree.contains(';')) {
            found.push(Declaration { is_visible, paths: paths_of(tree.split(';').next().unwrap()) });
        }
    }
    (found, rest)
}

/// Paths in code that begin with `crate`, `super` or `self`.
fn paths_in_code(code: &str) -> Vec<Vec<String>> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    code.split(|c: char| !is_word(c) && c != ':')
        .filter(|path| ["crate::", "super::", "self::"].iter().any(|start| path.starts_with(start)))
        .map(|path| path.split("::").filter(|word| !word.is_empty()).map(str::to_owned).collect())
        .collect()
}

struct Graph {
    modules: BTreeMap<ModulePath, String>,
    /// By module: the names that it hands on, and the module that declares them.
    handed_on: BTreeMap<ModulePath, BTreeMap<String, ModulePath>>,
}

impl Graph {
    fn new() -> Self {
        let mut graph = Self { modules: modules(), handed_on: BTreeMap::new() };
        for (module, code) in &graph.modules {
            for declared in declarations(code).0.into_iter().filter(|declared| declared.is_visible) {
                for path in declared.paths {
                    let target = [module.clone(), vec![path[0].clone()]].concat();
                    if graph.modules.contains_key(&target) {
                        let home = [module.as_slice(), &path[..path.len() - 1]].concat();
                        let name = path[path.len() - 1].clone();
                        graph.handed_on.entry(module.clone()).or_default().insert(name, home);
                    }
                }
            }
        }
        graph
    }

    /// The module that a path written in `module` leads to, if it is one of the crate.
    fn resolve(&self, module: &[String], path: &[String]) -> Option<ModulePath> {
        let is_child =
            |of: &[String], name: &String| self.modules.contains_key(&[of, std::slice::from_ref(name)].concat());
        let (mut here, mut rest) = match path[0].as_str() {
            "crate" => (Vec::new(), &path[1..]),
            "super" => (module[..module.len() - 1].to_vec(), &path[1..]),
            "self" => (module.to_vec(), &path[1..]),
            _ if is_child(module, &path[0]) => (module.to_vec(), path),
            _ => return None,
        };
        while let Some(name) = rest.first() {
            if is_child(&here, name) {
                here.push(name.clone());
            } else if let Some(home) = self.handed_on.get(&here).and_then(|names| names.get(name)) {
                here.clone_from(home);
                continue;
            } else {
                break;
            }
            rest = &rest[1..];
        }
        self.modules.contains_key(&here).then_some(here)
    }

    /// The modules of the same layer that `module` names.
    fn uses(&self, module: &ModulePath) -> BTreeSet<ModulePath> {
        let (declared, rest) = declarations(&self.modules[module]);
        let declared = declared.into_iter().filter(|declared| !declared.is_visible).flat_map(|declared| declared.paths);
        let found = declared.chain(paths_in_code(&rest)).filter_map(|path| self.resolve(module, &path));
        found.filter(|target| target != module && target[0] == module[0]).collect()
    }
}

#[test]
fn no_modules_of_a_layer_go_round_in_circles() {
    let graph = Graph::new();
    let uses: BTreeMap<&ModulePath, BTreeSet<ModulePath>> =
        graph.modules.keys().map(|module| (module, graph.uses(module))).collect();
    assert!(uses.values().map(BTreeSet::len).sum::<usize>() > 400, "uses are found");
    let reached = |from: &ModulePath| {
        let (mut reached, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(module) = open.pop() {
            open.extend(uses[module].iter().filter(|next| reached.insert((*next).clone())));
        }
        reached
    };
    let mut circles: BTreeSet<Vec<String>> = BTreeSet::new();
    for module in graph.modules.keys() {
        let there = reached(module);
        if there.contains(module) {
            let circle = there.into_iter().filter(|other| reached(other).contains(module));
            circles.insert(circle.map(|path| path.join("/")).collect());
        }
    }
    let excused: BTreeSet<Vec<String>> =
        EXCUSED.iter().map(|circle| circle.iter().map(|name| (*name).to_owned()).collect()).collect();
    // An excuse that is no longer needed goes, too.
    assert_eq!(circles, excused);
}

#[test]
fn trees_of_use_are_read() {
    let read: BTreeSet<String> =
        paths_of("crate::{a::{B, c::d as e}, f::{self, G}}").iter().map(|p| p.join("::")).collect();
    assert_eq!(read, ["crate::a::B", "crate::a::c::d", "crate::f::self", "crate::f::G"].map(str::to_owned).into());
}
