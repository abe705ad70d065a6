//! The program on a terminal of the test's own: rows and columns that fit, faint lines, the pager, the welcome.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};

use nix::pty::{OpenptyResult, Winsize, openpty};

use super::support::{crownhead, crownhead_ends, random_pdn};

/// What a command printed on a terminal, escape sequences and all, and its exit status.
struct Shown {
    text: String,
    status: Option<i32>,
}

/// Runs a command with stdout and stderr on a terminal of `columns` and `rows`.
fn on_terminal(columns: u16, rows: u16, variables: &[(&str, &str)], args: &[&str]) -> Shown {
    let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    let OpenptyResult { master, slave } = openpty(&size, None).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_crownhead"));
    command.args(args).stdin(Stdio::null()).stdout(slave.try_clone().unwrap()).stderr(slave);
    for name in ["COLUMNS", "LINES", "PAGER", "LESS", "NO_COLOR", "CLICOLOR", "CROWNHEAD_DB", "CROWNHEAD_EGDB"] {
        command.env_remove(name);
    }
    command.env("TERM", "xterm").envs(variables.iter().copied());
    let mut child = command.spawn().unwrap();
    // The command holds the terminal open until it is dropped.
    drop(command);
    let mut text = Vec::new();
    // Where the last program on it has ended, reading a terminal fails on some systems.
    let _ = File::from(master).read_to_end(&mut text);
    let status = child.wait().unwrap().code();
    Shown { text: String::from_utf8_lossy(&text).replace("\r\n", "\n"), status }
}

/// A database of `games` games in `folder`, as an argument.
fn database(folder: &Path, games: usize) -> String {
    let (pdn, db) = (folder.join("a.pdn"), folder.join("x.db"));
    std::fs::write(&pdn, random_pdn(7, games)).unwrap();
    crownhead_ends(&db, 0, &["import", pdn.to_str().unwrap()]);
    db.to_str().unwrap().to_owned()
}

#[test]
fn rows_and_columns_that_do_not_fit_are_one_faint_line() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path(), 60);
    let shown = on_terminal(80, 24, &[], &["--db", &db, "games"]);
    let lines: Vec<&str> = shown.text.lines().collect();
    assert!(lines.len() < 23, "{}", shown.text);
    let last = lines[lines.len() - 1];
    assert!(last.starts_with("\x1b[2m+42 games: --limit 60; +") && last.ends_with("--columns all\x1b[0m"), "{last:?}");

    // As many as were asked for, on a terminal too; the advice leads to all of them.
    let all = on_terminal(80, 24, &[], &["--db", &db, "--limit", "60", "--columns", "id", "games"]);
    assert_eq!(all.text.lines().count(), 62, "{}", all.text);
    // Other formats and pipes have everything.
    let csv = on_terminal(80, 24, &[], &["--db", &db, "--format", "csv", "games"]);
    assert_eq!(csv.text.lines().count(), 61, "{}", csv.text);
    let piped = crownhead(Path::new(&db), &["games"]);
    assert_eq!((piped.out.lines().count(), piped.err.as_str()), (62, ""));
}

#[test]
fn variables_that_are_empty_are_unset_and_those_that_are_set_are_no_options() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path(), 9);
    let home = folder.path().to_str().unwrap();
    let empty = ["COLUMNS", "LINES", "PAGER", "LESS", "NO_COLOR", "CROWNHEAD_DB", "CROWNHEAD_EGDB", "XDG_DATA_HOME"];
    let empty: Vec<_> = empty.iter().map(|name| (*name, "")).chain([("HOME", home)]).collect();
    let shown = on_terminal(80, 24, &empty, &[]);
    assert_eq!(shown.status, Some(0));
    assert!(
        shown.text.contains("No database yet: the first import makes ") && shown.text.contains(home),
        "{}",
        shown.text
    );
    assert!(shown.text.lines().count() < 20 && shown.text.contains("crownhead --help"), "{}", shown.text);
    let plain = on_terminal(80, 24, &[("HOME", home)], &["--db", &db, "games"]).text;
    assert_eq!(on_terminal(80, 24, &empty, &["--db", &db, "games"]).text, plain);
    let probed = on_terminal(80, 24, &empty, &["egdb", "probe", "B:WK12:BK19"]);
    assert_eq!(probed.status, Some(0), "{}", probed.text);
    // What is set acts as its option does, and the welcome still appears.
    let set = [("HOME", home), ("CROWNHEAD_DB", &*db), ("CROWNHEAD_EGDB", "nowhere"), ("PAGER", "cat")];
    let shown = on_terminal(80, 24, &set, &[]);
    assert!(shown.text.contains(&format!("{db} (9 games).")) && shown.status == Some(0), "{}", shown.text);
    assert_eq!(on_terminal(80, 24, &set, &["games"]).text, plain);
    let (as_variable, as_option) = (["egdb", "info"], ["egdb", "info", "--dir", "nowhere"]);
    let (variable, option) = (on_terminal(80, 24, &set, &as_variable), on_terminal(80, 24, &set[..2], &as_option));
    assert_eq!((variable.status, variable.text), (option.status, option.text));
}

#[test]
fn the_examples_of_the_welcome_run() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path(), 1);
    std::fs::rename(folder.path().join("a.pdn"), folder.path().join("games.pdn")).unwrap();
    let welcome = crownhead_ends(Path::new(&db), 0, &[]);
    let examples: Vec<&str> = welcome.lines().filter_map(|line| line.strip_prefix("  ")).collect();
    assert_eq!(examples.len(), 5, "{welcome}");
    let program = Path::new(env!("CARGO_BIN_EXE_crownhead")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    for example in examples {
        let example = example.split("  ").next().unwrap();
        let mut shell = Command::new("sh");
        shell.args(["-c", example]).current_dir(folder.path()).env("PATH", &path).env("CROWNHEAD_DB", &db);
        let output = shell.output().unwrap();
        assert!(matches!(output.status.code(), Some(0 | 1)), "{example}: {output:?}");
    }
}

#[test]
fn long_output_goes_through_the_pager() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path(), 60);
    let games = ["--db", &db, "--columns", "id", "games"];
    // The pager marks each line, so that it shows what went through it.
    let marked = [("PAGER", "sed 's/$/ <'\"$LESS\"'>/'")];
    let paged = on_terminal(80, 24, &marked, &games);
    assert_eq!(paged.text.lines().filter(|line| line.ends_with(" <FRX>")).count(), 62, "{}", paged.text);
    let own = on_terminal(80, 24, &[marked[0], ("LESS", "R")], &games);
    assert!(own.text.contains("<R>"), "{}", own.text);
    // What fits on the screen does not, nor what nobody asked to be paged.
    for (variables, args) in [
        (&marked[..], [&games[..], &["--limit", "5"]].concat()),
        (&marked, [&games[..], &["--no-pager"]].concat()),
        (&[("PAGER", "")], games.to_vec()),
        (&[("PAGER", "  ")], games.to_vec()),
    ] {
        let shown = on_terminal(80, 24, variables, &args);
        assert!(!shown.text.contains('<') && shown.text.contains("+"), "{args:?}: {}", shown.text);
        assert!(shown.text.lines().count() < 24, "{args:?}: {}", shown.text);
    }
    // Messages follow what they are about.
    let paged = on_terminal(80, 24, &marked, &["--db", &db, "games"]);
    assert!(paged.text.lines().last().unwrap().contains("--columns all"), "{}", paged.text);
    assert_eq!(paged.text.lines().filter(|line| line.ends_with(" <FRX>")).count(), 62, "{}", paged.text);
    // Not on a terminal, no pager.
    let output = Command::new(env!("CARGO_BIN_EXE_crownhead")).args(games).env("PAGER", "sed s/$/x/").output().unwrap();
    assert!(!String::from_utf8(output.stdout).unwrap().contains('x'));
}

#[test]
fn a_pager_that_is_left_or_never_was_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path(), 600);
    let (few, many) =
        (["--db", &db, "--format", "csv", "games", "--limit", "60"], ["--db", &db, "--format", "csv", "games"]);
    for (args, lines) in [(&few[..], 61), (&many, 601)] {
        for pager in ["no-such-pager", "no-such-pager -R | cat", "/"] {
            let plain = on_terminal(80, 24, &[("PAGER", pager)], args);
            let said = plain.text.contains("cannot be started") || pager.contains('|');
            assert!(said && plain.status == Some(0), "{pager}: {}", plain.text);
            if !pager.contains('|') {
                assert_eq!(plain.text.lines().filter(|line| line.contains(',')).count(), lines, "{pager}");
            }
        }
        let left = on_terminal(80, 24, &[("PAGER", "head -2")], args);
        let data = left.text.lines().filter(|line| line.contains(','));
        assert_eq!((left.status, data.count()), (Some(0), 2), "{}", left.text);
        let failed = on_terminal(80, 24, &[("PAGER", "cat >/dev/null; exit 3")], args);
        assert!(failed.status == Some(0) && !failed.text.contains(','), "{}", failed.text);
    }
}

#[test]
fn messages_break_between_words() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path(), 1);
    let shown = on_terminal(40, 24, &[], &["--db", &db, "--color", "never", "--columns", "x", "games"]);
    assert!(shown.text.lines().count() > 3, "{}", shown.text);
    assert!(shown.text.lines().all(|line| line.chars().count() <= 40), "{}", shown.text);
    let one_line = shown.text.lines().collect::<Vec<_>>().join(" ");
    let piped = crownhead(Path::new(&db), &["--columns", "x", "games"]);
    assert_eq!(one_line, piped.err.trim_end());
}

#[test]
fn details_do_not_scroll_the_answer_away() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path(), 1);
    let shown = on_terminal(80, 24, &[], &["--db", &db, "--color", "never", "opening", "fife"]).text;
    assert!(shown.lines().count() < 24 && shown.starts_with("name "), "{shown}");
    assert!(shown.ends_with("+9 details: --all\n") && !shown.contains("confidence"), "{shown}");
    for args in [&["opening", "fife", "--all"][..], &["--columns", "all", "opening", "fife"]] {
        let all = on_terminal(80, 24, &[], &[&["--db", &*db], args].concat()).text;
        assert!(all.contains("confidence") && !all.contains("--all"), "{all}");
    }
    assert!(crownhead(Path::new(&db), &["opening", "fife"]).out.contains("confidence"));
    let game = on_terminal(80, 24, &[], &["--db", &db, "show", "1"]).text;
    assert!(!game.contains("result_check") && game.contains(" details: --all"), "{game}");
    assert!(on_terminal(80, 24, &[], &["--db", &db, "show", "1", "--all"]).text.contains("result_check"));
    assert!(crownhead(Path::new(&db), &["show", "1"]).out.contains("result_check"));
}
