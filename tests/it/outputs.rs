//! Output files: whole or as they were, never over a file of another kind unasked, and stdout where that is meant.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::{TempDir, tempdir};

use crate::database::{Random, random_games};
use crate::support::{Ran, crownhead_ends, random_pdn};

/// A folder with a database of some games, from `one.pdn`, and a book text that was imported, too.
fn place() -> (TempDir, PathBuf) {
    let folder = tempdir().unwrap();
    let (db, pdn, book) = (folder.path().join("a.db"), folder.path().join("one.pdn"), folder.path().join("book.txt"));
    fs::write(&pdn, random_pdn(5, 6)).unwrap();
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("data/illustrative_games.txt"), &book).unwrap();
    crownhead_ends(&db, 0, &["--quiet", "import", pdn.to_str().unwrap(), book.to_str().unwrap()]);
    (folder, db)
}

fn in_folder(folder: &Path, db: &Path, args: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crownhead"));
    command.current_dir(folder).arg("--db").arg(db).args(args).env_remove("CROWNHEAD_DB").env("COLUMNS", "200");
    Ran::of(&command.output().unwrap())
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// What can be written, and the kind of file that it makes.
const WRITERS: &[(&str, &[&str])] = &[
    ("csv", &["export", "csv"]),
    ("csv", &["--format", "csv", "games"]),
    ("csv", &["--format", "csv", "--columns", "id", "games"]),
    ("csv", &["--format", "csv", "sql", "SELECT count(*) AS games FROM games"]),
    ("csv", &["export", "csv", "--plies", "--spreadsheet"]),
    ("json", &["export", "json"]),
    ("json", &["--format", "ndjson", "games"]),
    ("json", &["--format", "json", "show", "1"]),
    ("pdn", &["export", "pdn"]),
    ("pdn", &["export", "tree"]),
    ("dot", &["export", "tree", "--as", "dot"]),
    ("table", &["games"]),
    ("table", &["--format", "markdown", "report", "sources"]),
    ("table", &["moves"]),
    ("table", &["perft", "3"]),
    ("page", &["show", "1"]),
    ("page", &["show", "--ascii"]),
    ("page", &["opening", "fife"]),
    ("page", &["opening", "--ascii", "fife"]),
    ("page", &["completions", "bash"]),
];

#[test]
fn a_file_of_the_same_kind_is_replaced_and_no_other() {
    let (folder, db) = place();
    let run = |args: &[&str], more: &[&str]| in_folder(folder.path(), &db, &[args, more].concat());
    for (at, (kind, args)) in WRITERS.iter().enumerate() {
        let file = format!("{at}.out");
        for again in [false, true] {
            // Pages are text like anybody's notes.
            let force: &[&str] = if again && *kind == "page" { &["--force"] } else { &[] };
            let ran = run(args, &[force, &["-o", &file]].concat());
            assert_eq!(ran.status, Some(0), "{args:?} twice: {}", ran.err);
        }
        let written = fs::read(folder.path().join(&file)).unwrap();
        assert_eq!(String::from_utf8_lossy(&written), run(args, &[]).out, "{args:?}");
        for (other_kind, other) in WRITERS {
            // Pages may replace tables, which some of them are.
            if other_kind == kind || [*kind, *other_kind].iter().all(|kind| matches!(*kind, "page" | "table")) {
                continue;
            }
            let ran = run(other, &["-o", &file]);
            assert_eq!(ran.status, Some(2), "{other:?} over {args:?}: {}", ran.out);
            assert!(ran.err.contains("--force"), "{}", ran.err);
            assert_eq!(fs::read(folder.path().join(&file)).unwrap(), written, "{other:?} over {args:?}");
        }
    }
    for (name, bytes) in [("notes.txt", "my own notes"), ("page.out", "<html>"), ("b.out", "PK\x03\x04")] {
        fs::write(folder.path().join(name), bytes).unwrap();
        for args in [
            &["games"][..],
            &["export", "csv"],
            &["export", "pdn"],
            &["export", "json"],
            &["show", "1"],
            &["show", "1", "--raw"],
        ] {
            assert_eq!(run(args, &["-o", name]).status, Some(2), "{args:?} over {name}");
        }
        assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), bytes);
        assert_eq!(run(&["export", "csv", "--force"], &["-o", name]).status, Some(0));
        assert!(fs::read_to_string(folder.path().join(name)).unwrap().starts_with("id,kind"));
    }
    // One word per line is CSV only under the name of one of our columns.
    for words in ["#!/bin/sh\necho\n", "[user]\nname=bob\n", "hello\n", "Wyllie\nAnderson\n", "11-15\n22-18\n"] {
        fs::write(folder.path().join("words.txt"), words).unwrap();
        for args in [&["games", "--format", "csv"][..], &["export", "csv"]] {
            let ran = run(args, &["-o", "words.txt"]);
            assert!(ran.status == Some(2) && ran.err.contains("--force"), "{args:?} over {words:?}: {}", ran.err);
        }
        assert_eq!(fs::read_to_string(folder.path().join("words.txt")).unwrap(), words);
    }
    for _ in 0..2 {
        let one_column = ["games", "--format", "csv", "--columns", "moves"];
        assert_eq!(run(&one_column, &["-o", "moves.csv"]).status, Some(0));
    }
    // An empty file holds nothing that could be lost.
    fs::write(folder.path().join("empty"), "").unwrap();
    assert_eq!(run(&["export", "pdn"], &["-o", "empty"]).status, Some(0));
    let svg = ["show", "1", "--diagram", "a.svg"];
    assert_eq!((run(&svg, &[]).status, run(&svg, &[]).status), (Some(0), Some(0)));
    fs::rename(folder.path().join("a.svg"), folder.path().join("a.png")).unwrap();
    assert_eq!(run(&["show", "1", "--diagram", "a.png"], &[]).status, Some(2));
    assert_eq!(run(&["show", "1", "--diagram", "a.png", "--force"], &[]).status, Some(0));
    let claim = ["prove", "--not-loss", "W:WK19,K23:B12,K28", "--certificate"];
    assert_eq!(run(&claim, &["a.png"]).status, Some(2));
    assert_eq!((run(&claim, &["a.proof"]).status, run(&claim, &["a.proof"]).status), (Some(0), Some(0)));
}

#[test]
fn an_imported_text_is_not_replaced_unasked() {
    let (folder, db) = place();
    let before = fs::read(folder.path().join("one.pdn")).unwrap();
    fs::copy(folder.path().join("one.pdn"), folder.path().join("copy.pdn")).unwrap();
    for name in ["one.pdn", "copy.pdn", "book.txt"] {
        let ran = in_folder(folder.path(), &db, &["export", "pdn", "-o", name]);
        assert_eq!(ran.status, Some(2), "{name}");
        assert!(ran.err.contains("was imported") && ran.err.contains("--force"), "{}", ran.err);
    }
    assert_eq!(fs::read(folder.path().join("one.pdn")).unwrap(), before);
    crownhead_ends(&db, 0, &["export", "pdn", "--force", "-o", folder.path().join("one.pdn").to_str().unwrap()]);
    // The database is not replaced at all.
    let ran = in_folder(folder.path(), &db, &["games", "--force", "-o", "a.db"]);
    assert!(ran.status == Some(2) && ran.err.contains("is the database"), "{}", ran.err);
}

#[test]
fn a_dash_is_stdout_or_refused() {
    let (folder, db) = place();
    let plain = in_folder(folder.path(), &db, &["export", "pdn"]);
    for name in ["-", "/dev/stdout"] {
        if cfg!(unix) || name == "-" {
            assert_eq!(in_folder(folder.path(), &db, &["export", "pdn", "-o", name]).out, plain.out);
        }
    }
    let refused: [&[&str]; 7] = [
        &["show", "1", "--diagram", "-"],
        &["backup", "-"],
        &["prove", "--win", "W:WK19,K23:B12,K28", "--certificate", "-"],
        &["tune", "-", "--stored"],
        &["man", "-"],
        &["annotate", "--certificates", "-"],
        &["--db", "-", "import", "one.pdn"],
    ];
    for args in refused {
        let args: Vec<&str> = args.to_vec();
        let ran = if args[0] == "--db" {
            let mut command = Command::new(env!("CARGO_BIN_EXE_crownhead"));
            Ran::of(&command.current_dir(folder.path()).args(&args).output().unwrap())
        } else {
            in_folder(folder.path(), &db, &args)
        };
        assert_eq!(ran.status, Some(2), "{args:?}: {}", ran.err);
    }
    assert!(!folder.path().join("-").exists());
    assert_eq!(names(folder.path()), ["a.db", "book.txt", "one.pdn"]);
    let mut checked = Command::new(env!("CARGO_BIN_EXE_crownhead"));
    let proof = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/foster.proof");
    checked.args(["--format", "csv", "--columns", "file,answer", "check-proof", "-"]);
    let ran = Ran::of(&checked.env("CROWNHEAD_DB", &db).stdin(fs::File::open(proof).unwrap()).output().unwrap());
    assert_eq!(ran.out, "file,answer\n-,accepted\n", "{}", ran.err);
}

#[test]
fn what_cannot_be_written_is_reported_before_the_work() {
    let (folder, db) = place();
    let outputs: [&[&str]; 4] = [
        &["export", "csv", "-o", "none/a.csv"],
        &["show", "1", "--diagram", "none/a.svg"],
        &["prove", "--win", "W:WK19,K23:B12,K28", "--certificate", "none/a.proof"],
        &["tune", "none/a.weights", "--stored"],
    ];
    for args in outputs {
        let ran = in_folder(folder.path(), &db, args);
        assert_eq!(ran.status, Some(2), "{args:?}");
        assert!(ran.out.is_empty() && ran.err.contains("the folder none does not exist"), "{args:?}: {}", ran.err);
        assert!(!ran.err.contains("exported"), "{}", ran.err);
    }
    let ran = in_folder(folder.path(), &db, &["remove", "--number", "1", "-o", "x.csv"]);
    assert_eq!((ran.status, folder.path().join("x.csv").exists()), (Some(2), false), "{}", ran.err);
}

#[test]
fn the_ending_of_a_name_gives_the_form_or_is_refused() {
    let (folder, db) = place();
    let run = |args: &[&str]| in_folder(folder.path(), &db, args);
    let forms =
        [("a.csv", "csv"), ("a.JSON", "json"), ("a.ndjson", "ndjson"), ("a.jsonl", "ndjson"), ("a.md", "markdown")];
    for command in [&["games"][..], &["moves"], &["show", "1"], &["opening", "fife"], &["report", "openings"]] {
        for (name, format) in forms {
            let wanted = run(&[&["--format", format][..], command].concat()).out;
            let ran = run(&[command, &["--force", "-o", name]].concat());
            assert_eq!(ran.status, Some(0), "{command:?} {name}: {}", ran.err);
            assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), wanted, "{command:?} {name}");
        }
    }
    // What is asked for in words goes before the name.
    assert_eq!(run(&["--format", "table", "games", "--force", "-o", "a.csv"]).status, Some(0));
    assert_eq!(fs::read_to_string(folder.path().join("a.csv")).unwrap(), run(&["games"]).out);
    assert_eq!(run(&["export", "json", "-o", "whole.ndjson"]).status, Some(0));
    assert_eq!(
        fs::read_to_string(folder.path().join("whole.ndjson")).unwrap(),
        run(&["--format", "ndjson", "export", "json"]).out
    );
    let refused: [(&[&str], &str); 7] = [
        (&["games"], "new.xlsx"),
        (&["export", "csv"], "new.ods"),
        (&["games"], "new.pdn"),
        (&["moves"], "new.svg"),
        (&["export", "csv"], "new.json"),
        (&["export", "pdn"], "new.csv"),
        (&["export", "tree"], "new.dot"),
    ];
    for (args, name) in refused {
        let ran = run(&[args, &["-o", name]].concat());
        assert!(ran.status == Some(2) && ran.err.contains("hint:"), "{args:?} {name}: {}", ran.err);
        assert!(!folder.path().join(name).exists(), "{name}");
    }
    // A column of one's own naming is replaced like any other.
    for _ in 0..2 {
        let ran = run(&["sql", "SELECT id AS n FROM games", "-o", "n.csv"]);
        assert_eq!(ran.status, Some(0), "{}", ran.err);
    }
    fs::write(folder.path().join("e.csv"), "e\nmy own\nwords\n").unwrap();
    assert_eq!(run(&["sql", "SELECT id AS n FROM games", "-o", "e.csv"]).status, Some(2));
}

#[test]
fn the_welcome_is_written_into_no_file() {
    let (folder, db) = place();
    let before = fs::read(&db).unwrap();
    for name in ["a.db", "one.pdn", "new.txt"] {
        let ran = in_folder(folder.path(), &db, &["-o", name]);
        assert!(ran.status == Some(2) && ran.err.contains("--output needs a command"), "{name}: {}", ran.err);
    }
    assert!(in_folder(folder.path(), &db, &["-o", "-"]).out.contains("crownhead"));
    assert_eq!(
        (fs::read(&db).unwrap(), names(folder.path())),
        (before, ["a.db", "book.txt", "one.pdn"].map(str::to_owned).to_vec())
    );
}

#[test]
fn no_file_is_made_where_nothing_is_found() {
    let (folder, db) = place();
    let before = names(folder.path());
    for (args, name) in [
        (&["games"][..], "new.txt"),
        (&["games"], "new.csv"),
        (&["export", "csv"], "new.csv"),
        (&["export", "pdn"], "new.pdn"),
        (&["export", "json"], "new.json"),
    ] {
        let ran = in_folder(folder.path(), &db, &[args, &["--player", "nobody of that name", "-o", name]].concat());
        assert_eq!(ran.status, Some(1), "{args:?}: {}", ran.err);
        assert!(ran.err.contains(&format!("{name} is not written")), "{args:?}: {}", ran.err);
        assert_eq!(names(folder.path()), before, "{args:?}");
    }
}

#[test]
fn a_write_protected_file_is_not_replaced() {
    let (folder, db) = place();
    let at = |name: &str| folder.path().join(name);
    for name in ["a.csv", "a.svg", "copy.db"] {
        let bytes = if name == "copy.db" { fs::read(&db).unwrap() } else { Vec::new() };
        fs::write(at(name), bytes).unwrap();
        let mut rights = fs::metadata(at(name)).unwrap().permissions();
        rights.set_readonly(true);
        fs::set_permissions(at(name), rights).unwrap();
    }
    let before = fs::read(at("copy.db")).unwrap();
    for args in [
        &["games", "--force", "-o", "a.csv"][..],
        &["show", "1", "--force", "--diagram", "a.svg"],
        &["backup", "--force", "copy.db"],
        &["--db", "copy.db", "import", "--force", "one.pdn"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_crownhead"));
        let ran = Ran::of(&command.current_dir(folder.path()).env("CROWNHEAD_DB", &db).args(args).output().unwrap());
        assert!(ran.status == Some(2) && ran.err.contains("it is write-protected"), "{args:?}: {}", ran.err);
    }
    assert_eq!((fs::read(at("a.csv")).unwrap().len(), fs::read(at("copy.db")).unwrap()), (0, before));
}

#[cfg(unix)]
mod on_unix {
    use std::io::Read as _;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    fn export(db: &Path, form: &str, to: &Path) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_crownhead"));
        command.arg("--db").arg(db).args(["export", form, "-o"]).arg(to).env_remove("CROWNHEAD_DB");
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        command
    }

    #[test]
    fn links_pipes_and_devices_are_written_to() {
        let (folder, db) = place();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("sub")).unwrap();
        fs::write(at("sub/real.csv"), "id,kind\n").unwrap();
        fs::set_permissions(at("sub/real.csv"), fs::Permissions::from_mode(0o600)).unwrap();
        symlink("sub/real.csv", at("link.csv")).unwrap();
        assert!(export(&db, "csv", &at("link.csv")).status().unwrap().success());
        assert!(fs::symlink_metadata(at("link.csv")).unwrap().is_symlink());
        let whole = fs::read_to_string(at("sub/real.csv")).unwrap();
        assert_eq!(whole.lines().count(), 1 + 6 + 7);
        assert_eq!(fs::metadata(at("sub/real.csv")).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
        let mut writer = export(&db, "csv", &at("pipe")).spawn().unwrap();
        let mut read = String::new();
        fs::File::open(at("pipe")).unwrap().read_to_string(&mut read).unwrap();
        assert!(writer.wait().unwrap().success());
        assert_eq!(read, whole);
        assert!(export(&db, "csv", Path::new("/dev/null")).status().unwrap().success());
        assert_eq!(names(folder.path()), ["a.db", "book.txt", "link.csv", "one.pdn", "pipe", "sub"]);
        // A limit on the size of files.
        let mut shell = Command::new("sh");
        shell.args(["-c", "ulimit -c 0; ulimit -f 1; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_crownhead"), "--db"]);
        let ran = Ran::of(
            &shell.arg(&db).args(["export", "csv", "--plies", "--force", "-o"]).arg(at("link.csv")).output().unwrap(),
        );
        assert_eq!(ran.status, Some(2), "{}", ran.err);
        assert!(ran.err.contains("link.csv is left as it was") && !ran.err.contains("exported"), "{}", ran.err);
        assert_eq!(fs::read_to_string(at("sub/real.csv")).unwrap(), whole);
        assert_eq!(names(&at("sub")), ["real.csv"]);
    }

    /// A database of so many games that its export takes a while.
    fn large(folder: &Path) -> PathBuf {
        let (db, pdn) = (folder.join("a.db"), folder.join("large.pdn"));
        fs::write(&pdn, random_games(1_500_000, 30, 9)).unwrap();
        crownhead_ends(&db, 0, &["--quiet", "import", pdn.to_str().unwrap()]);
        db
    }

    fn signal(process: u32, name: &str) {
        assert!(Command::new("kill").args(["-s", name, &process.to_string()]).status().unwrap().success());
    }

    #[test]
    fn an_export_that_is_stopped_leaves_the_older_file() {
        let folder = tempdir().unwrap();
        let db = large(folder.path());
        let out = folder.path().join("out.json");
        let started = Instant::now();
        assert!(export(&db, "json", &out).status().unwrap().success());
        let usual = started.elapsed();
        let whole = fs::read(&out).unwrap();
        let (mut hits, mut random) = (0, Random(0x0f11e));
        let statuses = [("INT", 130), ("TERM", 143), ("HUP", 129)];
        for round in 0..kills() {
            fs::write(&out, "[]\n").unwrap();
            let mut running = export(&db, "json", &out).spawn().unwrap();
            // Not so early that the program does not watch for signals yet.
            thread::sleep(usual.mul_f64(0.2 + random.below(700) as f64 / 1000.0));
            let (name, wanted) = statuses.get(round % 4).copied().unwrap_or(("KILL", -1));
            let hit = running.try_wait().unwrap().is_none();
            if hit {
                signal(running.id(), name);
            }
            let ended = running.wait_with_output().unwrap();
            let found = fs::read(&out).unwrap();
            assert!(found == b"[]\n" || found == whole, "round {round}, {name}: {} bytes", found.len());
            if found != whole {
                hits += 1;
                if wanted > 0 {
                    assert_eq!(ended.status.code(), Some(wanted), "{name}");
                    let told = String::from_utf8_lossy(&ended.stderr).into_owned();
                    assert!(told.contains("out.json is left as it was"), "{told}");
                    assert!(!names(folder.path()).iter().any(|name| name.ends_with(".partial")), "{name}");
                }
            }
        }
        // The next run removes what killed ones left.
        assert!(export(&db, "json", &out).status().unwrap().success());
        assert_eq!(fs::read(&out).unwrap(), whole);
        assert_eq!(names(folder.path()), ["a.db", "large.pdn", "out.json"]);
        println!("{hits} of {} exports stopped before their end; usual {usual:?}", kills());
        assert!(hits > 0);
    }

    /// How many exports are stopped.
    fn kills() -> usize {
        std::env::var("CROWNHEAD_KILLS").ok().and_then(|count| count.parse().ok()).unwrap_or(12)
    }

    #[test]
    fn ctrl_c_and_a_closed_pipe_have_their_statuses() {
        let folder = tempdir().unwrap();
        let db = large(folder.path());
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
        let commands: [&[&str]; 5] = [
            &["export", "json"],
            &["--format", "json", "games"],
            &["--format", "csv", "report", "transpositions"],
            &["--format", "csv", "search", "--material", "1v1"],
            &["sql", endless],
        ];
        let program = |args: &[&str]| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_crownhead"));
            command.arg("--db").arg(&db).args(args).env_remove("CROWNHEAD_DB").stdout(Stdio::piped());
            command.stderr(Stdio::null()).spawn().unwrap()
        };
        for args in commands {
            let mut running = program(args);
            thread::sleep(Duration::from_millis(60));
            // Output that no one reads keeps the first two waiting; the others may be done by now.
            if running.try_wait().unwrap().is_none() {
                signal(running.id(), "INT");
                let status = running.wait().unwrap().code();
                assert!(status == Some(130) || (status < Some(2) && args[0] == "--format"), "{args:?}: {status:?}");
            }
        }
        for args in &commands[..2] {
            let mut running = program(args);
            let mut first = [0; 10];
            running.stdout.take().unwrap().read_exact(&mut first).unwrap();
            assert_eq!(running.wait().unwrap().code(), Some(0), "{args:?}");
        }
    }
}
