//! The commands for people: `glossary`, `completions`, `man`.

use std::fs;
use std::path::Path;

use crownhead::report::REPORTS;

use crate::support::{crownhead, crownhead_ends};

#[test]
fn the_glossary_explains_words_and_leads_to_the_right_one() {
    let nowhere = Path::new("/nonexistent/none.db");
    let all = crownhead_ends(nowhere, 0, &["--format", "csv", "glossary"]);
    assert!(all.starts_with("term,meaning,not\n") && all.lines().count() > 10, "{all}");
    let one = crownhead_ends(nowhere, 0, &["--format", "ndjson", "glossary", "ply"]);
    assert!(one.starts_with("{\"term\":\"ply\"") && one.lines().count() == 1, "{one}");
    let ran = crownhead(nowhere, &["glossary", "zugzwangzug"]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.contains("crownhead glossary"), "{}", ran.err);
}

#[test]
fn every_shell_gets_completions_with_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = crownhead_ends(Path::new("none.db"), 0, &["completions", shell]);
        assert!(script.contains("the-move") && script.contains("backup"), "{shell}");
    }
    assert_eq!(crownhead(Path::new("none.db"), &["completions", "tcsh"]).status, Some(2));
}

#[test]
fn completions_offer_reports_columns_and_words() {
    let script = |shell| crownhead_ends(Path::new("none.db"), 0, &["completions", shell]);
    let (bash, zsh, fish) = (script("bash"), script("zsh"), script("fish"));
    let reports: Vec<&str> = REPORTS.iter().map(|report| report.name).collect();
    assert!(bash.contains(&reports.join(" ")) && zsh.contains(&format!("({})", reports.join(" "))));
    for word in reports.into_iter().chain(["table", "ndjson", "always", "english", "half-move", "crown-head", "ballot"])
    {
        let known = [&bash, &zsh, &fish].map(|script| script.contains(word));
        // A word that the glossary leads away from is not one that it lists.
        assert!(known == [true; 3] || word == "half-move", "{word}: {known:?}");
    }
    // Every table of the contract, and `all` where columns are chosen.
    let contract = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/columns.txt");
    for line in fs::read_to_string(contract).unwrap().lines() {
        let (command, columns) = line.split_once(": ").unwrap();
        let columns = columns.replace(", ", " ");
        if command.starts_with("report ") || command.starts_with("egdb info") {
            assert!(columns.split(' ').all(|column| bash.contains(column)), "{command}");
            continue;
        }
        // `games` and `export` have columns on request behind these.
        for script in [&bash, &zsh] {
            assert!(script.contains(&columns), "{command}: {columns}");
        }
        assert!(columns.split(' ').all(|column| fish.contains(&format!("\n{column}\\t")) || fish.contains(column)));
    }
    assert!(bash.contains("opening plies_to_end all\"") && zsh.contains("opening plies_to_end all)"));
}

/// What bash offers for the last word of a command line.
#[cfg(unix)]
fn bash_offers(folder: &Path, words: &[&str]) -> Option<Vec<String>> {
    let script = crownhead_ends(Path::new("none.db"), 0, &["completions", "bash"]);
    fs::write(folder.join("completions.bash"), script).unwrap();
    let line = words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ");
    let (last, before) = (words[words.len() - 1], words[words.len() - 2]);
    let asked = format!(
        "source completions.bash; COMP_WORDS=({line}); COMP_CWORD={}; _crownhead crownhead '{last}' '{before}'; \
         printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        words.len() - 1
    );
    let output = std::process::Command::new("bash").args(["-c", &asked]).current_dir(folder).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

#[cfg(unix)]
#[test]
fn bash_completes_names_of_reports_and_columns() {
    let folder = tempfile::tempdir().unwrap();
    let Some(reports) = bash_offers(folder.path(), &["crownhead", "report", "co"]) else {
        return println!("no bash here");
    };
    assert_eq!(reports, ["contradictions", "coverage", "cooks"]);
    let columns = bash_offers(folder.path(), &["crownhead", "moves", "--columns", "w"]).unwrap();
    assert_eq!(columns, ["white_wins", "witness"]);
    assert_eq!(bash_offers(folder.path(), &["crownhead", "games", "--sort", "pl"]).unwrap(), ["place", "plies"]);
}

#[test]
fn every_command_gets_a_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("deep/man1");
    crownhead_ends(Path::new("none.db"), 0, &["man", pages.to_str().unwrap()]);
    for name in ["crownhead", "crownhead-import", "crownhead-the-move", "crownhead-check", "crownhead-man"] {
        let page = fs::read_to_string(pages.join(format!("{name}.1"))).unwrap();
        assert!(page.contains(".TH") && page.contains("Examples:"), "{name}: {page}");
        assert!(page.contains("\\-\\-format"), "{name} tells global options");
    }
    assert!(!pages.join("crownhead-help.1").exists());
}

#[test]
fn words_that_are_not_used_lead_to_those_that_are() {
    let folder = tempfile::tempdir().unwrap();
    let found = |word: &str| crownhead_ends(&folder.path().join("x.db"), 0, &["--format", "csv", "glossary", word]);
    for (asked, term) in
        [("half-move", "\nply,"), ("evaluation", "\nscore,"), ("checker", "\nman,"), ("arrivals", "\narrivals,")]
    {
        assert!(found(asked).contains(term), "{asked}: {}", found(asked));
    }
}
