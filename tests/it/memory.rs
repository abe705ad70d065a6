//! Memory: whatever a text repeats, reading it takes no more than a little.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::support::{crownhead, crownhead_ends};

/// Bytes of each text.
const SIZE: usize = 3 << 20;
/// Kilobytes that reading it may take; before there were limits, most of these texts took more than 400,000.
const MOST: u64 = 160_000;

/// Runs the program on a text and returns the most memory it had at one time, in kilobytes.
fn peak(folder: &Path, form: &str, command: &str, text: &[u8]) -> u64 {
    let path = folder.join("text");
    fs::write(&path, text).unwrap();
    peak_of(Command::new(env!("CARGO_BIN_EXE_crownhead")), &folder.join("x.db"), form, command, &path).0
}

/// The same of a text or a folder that is there, with the exit status; `program` is the program, or what starts it.
fn peak_of(mut program: Command, db: &Path, form: &str, command: &str, path: &Path) -> (u64, Option<i32>) {
    let _ = fs::remove_file(db);
    let mut child = program
        .args(["--format", "csv", "--quiet", "--db"])
        .arg(db)
        .args([command, "--as", form])
        .arg(path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        if let Some(ended) = child.try_wait().unwrap() {
            return (peak, ended.code());
        }
        let told = fs::read_to_string(&status).unwrap_or_default();
        let line = told.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
        peak = line.trim().trim_end_matches(" kB").parse().unwrap_or(peak).max(peak);
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn no_text_takes_much_memory() {
    let repeated = |part: &str| part.repeat(SIZE / part.len()).into_bytes();
    let within =
        |before: &str, part: &str, behind: &str| [before.as_bytes(), &repeated(part), behind.as_bytes()].concat();
    let marks = format!("{}*\n", ")".repeat(500));
    let texts: [(&str, &str, Vec<u8>); 17] = [
        ("pdn", "verify", repeated("* ")),
        ("pdn", "import", repeated("--* ")),
        ("pdn", "verify", repeated("(")),
        ("pdn", "verify", repeated(&format!("11-15 {marks}"))),
        ("pdn", "import", repeated(&format!("11-15 {marks}"))),
        ("pdn", "verify", repeated("{}")),
        ("pdn", "verify", within("1. 11-15 ", "{a}", " *\n")),
        ("pdn", "import", repeated("[x \"y\"]")),
        ("pdn", "verify", within("1. 11-15 ", "$1", " *\n")),
        ("pdn", "verify", within("1. 11-15 23-19 ", "(22-18)", " *\n")),
        ("pdn", "verify", repeated("11-15 ")),
        ("pdn", "verify", repeated("1. 11-16 33-44 9-9 *\n")),
        ("json", "verify", repeated("{}")),
        ("json", "import", repeated("{}")),
        ("json", "verify", within("{\"moves\":[", "\"11-15\",", "\"11-15\"]}")),
        ("json", "verify", repeated("[")),
        ("book", "verify", repeated("11-15, 23-19\n\n")),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (form, command, text) in texts {
        let peak = peak(folder.path(), form, command, &text);
        let start = String::from_utf8_lossy(&text[..text.len().min(30)]).into_owned();
        assert!(peak < MOST, "{command} --as {form} of {start:?}: {peak} kB");
    }
}

/// The program on two processors, or one where there is one: every further one reads a book of its own. `None`, and a word about
/// it, where it cannot be kept to them.
#[cfg(target_os = "linux")]
fn on_two_processors() -> Option<Command> {
    let told = fs::read_to_string("/proc/self/status").unwrap();
    let list = told.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap().trim();
    // Ranges such as `0-3,8`.
    let numbers = list.split(',').flat_map(|range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        first.parse::<u32>().unwrap()..=last.parse().unwrap()
    });
    let two: Vec<String> = numbers.take(2).map(|number| number.to_string()).collect();
    let mut program = Command::new("taskset");
    program.args(["-c", &two.join(",")]);
    if !program.arg("true").status().is_ok_and(|status| status.success()) {
        println!("skipped: there is no taskset here");
        return None;
    }
    let mut program = Command::new("taskset");
    program.args(["-c", &two.join(","), env!("CARGO_BIN_EXE_crownhead")]);
    Some(program)
}

/// A book of moves in columns has at most 8 MiB; 60 MiB are eight of them.
#[test]
#[cfg(target_os = "linux")]
fn books_of_columns_take_no_more_memory_than_a_few_of_them() {
    const BOOKS_SIZE: usize = 60 << 20;
    const MOST_OF_BOOKS: u64 = 300_000;
    let folder = tempfile::tempdir().unwrap();
    let (db, books, one) = (folder.path().join("x.db"), folder.path().join("books"), folder.path().join("one.txt"));
    fs::create_dir(&books).unwrap();
    // The last reply is none, so that each game is cut short and reported, too.
    let columns = "11-15   8-11   4-8   9-13\n23-19   22-17  17-14  24-20\n\n";
    let text = columns.repeat(BOOKS_SIZE / columns.len());
    for (number, part) in text.as_bytes().chunks(BOOKS_SIZE / 8).enumerate() {
        fs::write(books.join(format!("{number}.txt")), part).unwrap();
    }
    // As one text it is refused before much of it is read.
    fs::write(&one, text).unwrap();
    for command in ["verify", "import"] {
        let program = Command::new(env!("CARGO_BIN_EXE_crownhead"));
        let (peak, status) = peak_of(program, &db, "book", command, &one);
        assert!(status == Some(2) && peak < MOST, "{command} of one text: {status:?}, {peak} kB");
    }
    for command in ["verify", "import"] {
        let Some(program) = on_two_processors() else { return };
        let (peak, status) = peak_of(program, &db, "book", command, &books);
        println!("{command} of books: {peak} kB");
        // Far less would mean that they were not read.
        assert_eq!(status, Some(1), "{command}");
        assert!((60_000..MOST_OF_BOOKS).contains(&peak), "{command} of books: {peak} kB");
    }
}

#[test]
fn a_game_beyond_a_limit_is_refused_and_the_next_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let (db, path) = (folder.path().join("x.db"), folder.path().join("a.pdn"));
    let around = |middle: &str| format!("[Event \"A\"]\n1. 11-15 *\n\n{middle}\n\n[Event \"C\"]\n1. 9-14 *\n");
    let too_much = [
        around(&format!("[Event \"B\"]\n1. 11-15 {} *", "(22-18)".repeat(100_001))),
        around(&format!("[Event \"B\"]\n1. 11-15 {} *", "$1".repeat(200_001))),
        around(&format!("[Event \"B\"]\n{} *", "11-15 ".repeat(200_001))),
        around(&format!("{}\n1. 11-15 *", "[x \"y\"]\n".repeat(1_001))),
        around(&format!("[Event \"B\"]\n1. 11-15 {{{}}} *", "words 1-0 ".repeat(900_000))),
    ];
    for text in too_much {
        let _ = fs::remove_file(&db);
        fs::write(&path, &text).unwrap();
        let ran = crownhead(&db, &["--format", "json", "import", path.to_str().unwrap()]);
        let about = &text[..60];
        assert!(ran.status == Some(1) && ran.err.contains("error[too-large] game 2"), "{about}: {}", ran.err);
        let summary: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(
            (&summary["read"], &summary["stored"], &summary["refused"]),
            (&3.into(), &2.into(), &1.into()),
            "{about}"
        );
        let events = crownhead_ends(&db, 0, &["--format", "csv", "sql", "SELECT group_concat(event) AS e FROM games"]);
        assert_eq!(events, "e\n\"A,C\"\n", "{about}");
        assert_eq!(crownhead(&db, &["check"]).status, Some(0), "{about}");
        // The same text again changes nothing.
        assert!(crownhead(&db, &["import", path.to_str().unwrap()]).err.contains("already"), "{about}");
    }
}

#[test]
fn findings_beyond_the_limit_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let (db, path) = (folder.path().join("x.db"), folder.path().join("a.json"));
    fs::write(&path, "{}".repeat(12_345)).unwrap();
    let ran = crownhead(&db, &["--format", "csv", "verify", "--as", "json", path.to_str().unwrap()]);
    assert_eq!((ran.status, ran.out.lines().count()), (Some(1), 10_001));
    assert!(ran.err.contains("and 2,345 more") && ran.err.contains("12,345 errors"), "{}", ran.err);
    let ran = crownhead(&db, &["--format", "json", "import", "--as", "json", path.to_str().unwrap()]);
    let summary: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&summary["read"], &summary["refused"]), (&12_345.into(), &12_345.into()));
    let stored = crownhead_ends(&db, 0, &["--format", "csv", "sql", "SELECT count(*) AS n FROM finding"]);
    assert_eq!(stored, "n\n10001\n");
}

/// A marker that follows another makes no game of its own.
#[test]
fn final_markers_alone_are_no_games() {
    let folder = tempfile::tempdir().unwrap();
    let (db, path) = (folder.path().join("x.db"), folder.path().join("a.pdn"));
    let text = "1. 11-15 23-19 * {still level} 1/2-1/2\n\n1. 9-14 22-17 1-0 0-1\n* *\n";
    fs::write(&path, text).unwrap();
    let ran = crownhead(&db, &["--format", "csv", "verify", path.to_str().unwrap()]);
    assert!(ran.err.contains("2 games checked"), "{}", ran.err);
    assert_eq!(ran.out.matches("result-differs").count(), 2, "{}", ran.out);
    assert!(ran.out.contains("0-1,\"1-0, as the final marker before it says\""), "{}", ran.out);
}

/// Where reading is by the mebibyte and a text is a whole number of them, nothing is left for the last reading.
#[test]
fn a_text_may_end_where_a_reading_ends() {
    let folder = tempfile::tempdir().unwrap();
    let (db, path) = (folder.path().join("x.db"), folder.path().join("a.json"));
    for mebibytes in [1, 2] {
        fs::write(&path, "[".repeat(mebibytes << 20)).unwrap();
        let ran = crownhead(&db, &["import", path.to_str().unwrap()]);
        assert!(ran.status == Some(1) && ran.err.contains("No play was found"), "{mebibytes}: {}", ran.err);
        assert_eq!(crownhead(&db, &["check"]).status, Some(0));
    }
}
