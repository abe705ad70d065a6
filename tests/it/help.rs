//! Help as people read it: no line of it too wide, and every example runs.

use std::fs;
use std::path::Path;
use std::process::Command;

use clap::CommandFactory;
use crownhead::cli::Cli;

use super::support::{crownhead_ends, random_pdn};

const WIDTH: usize = 80;

/// What stands behind the options in the help of each command, and of all.
fn endings() -> Vec<(String, String)> {
    let all = Cli::command();
    let commands = all.get_subcommands().map(|command| (command.get_name(), command.get_after_help()));
    let ends = commands.chain([("crownhead", all.get_after_help())]);
    ends.map(|(name, help)| (name.to_owned(), help.map(ToString::to_string).unwrap_or_default())).collect()
}

#[test]
fn no_line_of_help_is_wider_than_a_terminal() {
    for (name, help) in endings() {
        for line in help.lines() {
            assert!(line.chars().count() <= WIDTH, "{name}: {line}");
        }
    }
}

/// The examples of all help: lines set in by two blanks, up to the words that explain them.
fn examples() -> Vec<String> {
    let helps = endings();
    let lines = helps.iter().flat_map(|(_, help)| help.lines());
    let set_in = lines.filter_map(|line| line.strip_prefix("  ")).filter(|line| line.starts_with("crownhead "));
    set_in.map(|line| line.split("  ").next().unwrap_or(line).to_owned()).collect()
}

/// Files of the names that examples use.
fn furnish(folder: &Path) {
    let pdn = random_pdn(5, 12);
    fs::create_dir(folder.join("library")).unwrap();
    for name in ["games.pdn", "more.pdn", "library/old.pdn"] {
        fs::write(folder.join(name), &pdn).unwrap();
    }
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    fs::copy(data.join("illustrative_games.txt"), folder.join("chapter.txt")).unwrap();
    fs::write(folder.join("games.pdn.gz"), gzip(pdn.as_bytes())).unwrap();
    fs::write(folder.join("more.zst"), zstd::encode_all(pdn.as_bytes(), 1).unwrap()).unwrap();
    let mut archive = zip::ZipWriter::new(fs::File::create(folder.join("more.zip")).unwrap());
    archive.start_file("old.pdn", zip::write::SimpleFileOptions::default()).unwrap();
    std::io::Write::write_all(&mut archive, pdn.as_bytes()).unwrap();
    archive.finish().unwrap();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    crownhead_ends(&folder.join("x.db"), 0, &["import", &path("games.pdn"), &path("chapter.txt")]);
    crownhead_ends(&folder.join("x.db"), 0, &["-o", &path("games.json"), "export", "json"]);
    fs::copy(folder.join("x.db"), folder.join("copy.db")).unwrap();
}

fn gzip(text: &[u8]) -> Vec<u8> {
    use std::io::Write as _;
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(text).unwrap();
    packer.finish().unwrap()
}

/// The example with a small budget of positions where it would search with a large one: what is tested is that it runs.
fn quick(example: &str) -> String {
    let small = "--nodes 500 --proof-nodes 500";
    if example == "crownhead annotate" {
        return format!("{example} {small}");
    }
    match example.split_once("annotate ") {
        Some((_, rest)) if rest.contains("--nodes") => example.replace("--nodes 20000", small),
        Some((before, rest)) if !rest.contains("--tree") => format!("{before}annotate {small} {rest}"),
        _ => example.to_owned(),
    }
}

/// Every example runs in a shell: it may find nothing, but it must be understood.
#[cfg(unix)]
#[test]
fn every_example_of_help_runs() {
    let folder = tempfile::tempdir().unwrap();
    furnish(folder.path());
    let program = Path::new(env!("CARGO_BIN_EXE_crownhead"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap_or_default());
    let examples = examples();
    assert!(examples.len() > 50, "{examples:?}");
    // Some minutes of work for both cores.
    for example in examples.iter().filter(|example| !example.contains("egdb generate")) {
        let output = Command::new("sh")
            .args(["-c", &quick(example)])
            .current_dir(folder.path())
            .env("PATH", &path)
            .env("HOME", folder.path())
            .env("CROWNHEAD_DB", "x.db")
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        // A folder of completions that is not there is the shell's trouble.
        let shell = example.contains("> ~/") || example.contains("URL");
        assert!(shell || matches!(output.status.code(), Some(0 | 1)), "{example}: {told}");
        assert!(shell || !told.contains("error:"), "{example}: {told}");
    }
}
