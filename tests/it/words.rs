//! The commands for people: `glossary`, `completions`, `man`.

use std::fs;
use std::path::Path;

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
