//! The README and `tests/cli` as they run: each `console` block is a terminal session whose output is compared whole.
//!
//! Every file gets a database of its own in a scratch folder, empty at its start, so that no test sees a person's data;
//! the files call it `[DATABASE]`. What differs from run to run, such as times, is `[..]` in them.
//! `TRYCMD=overwrite cargo test --test it transcripts` writes what the program prints now into the files; read the
//! difference before you keep it.

use std::fs;
use std::path::{Path, PathBuf};

use clap::CommandFactory;
use crownhead::cli::Cli;
use trycmd::TestCases;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The transcripts of `tests/cli`, by name.
fn transcripts() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("tests/cli")).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "trycmd"));
    files.sort();
    files
}

/// Runs the sessions of one file.
fn run(file: &Path) {
    let scratch = tempfile::tempdir().unwrap();
    let database = scratch.path().join("crownhead.db");
    let cases = TestCases::new();
    cases
        .register_bin("crownhead", Path::new(env!("CARGO_BIN_EXE_crownhead")))
        .env("CROWNHEAD_DB", database.to_str().unwrap())
        .env("COLUMNS", "80")
        .env("NO_COLOR", "1")
        .case(file);
    cases.insert_var("[DATABASE]", database.to_str().unwrap().to_owned()).unwrap();
    cases.run();
}

#[test]
fn transcripts_of_the_readme() {
    run(&root().join("README.md"));
}

#[test]
fn transcripts_of_the_commands() {
    let files = transcripts();
    assert!(!files.is_empty(), "tests/cli has no transcripts");
    for file in files {
        run(&file);
    }
}

#[test]
fn every_command_is_documented() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let sessions: String = transcripts().iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let mut missing = Vec::new();
    for command in Cli::command().get_subcommands() {
        let name = command.get_name();
        if !readme.contains(&format!("\n### `{name}`")) {
            missing.push(format!("README.md has no heading ### `{name}`"));
        }
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        if !help.contains(&format!("crownhead {name}")) {
            missing.push(format!("the help of {name} has no example"));
        }
        if !sessions.contains(&format!("crownhead {name}")) {
            missing.push(format!("tests/cli runs {name} nowhere"));
        }
        // Every option must be told of too; those of all commands once.
        for option in command.get_arguments().filter_map(clap::Arg::get_long).filter(|&option| option != "help") {
            if !readme.contains(&format!("`--{option}")) {
                missing.push(format!("README.md does not tell of --{option} of {name}"));
            }
        }
    }
    for option in Cli::command().get_arguments().filter_map(clap::Arg::get_long) {
        if !matches!(option, "help" | "version") && !readme.contains(&format!("`--{option}")) {
            missing.push(format!("README.md does not tell of --{option}"));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
