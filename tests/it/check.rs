//! `check`, and what damaged files do: a clear message, never a panic.

use std::fs;
use std::path::{Path, PathBuf};

use crownhead::book::Book;
use crownhead::query;
use crownhead::store::Database;
use tempfile::{TempDir, tempdir};

use crate::database::Random;
use crate::support::{crownhead, crownhead_ends, random_pdn};

fn small_database() -> (TempDir, PathBuf) {
    let folder = tempdir().unwrap();
    let (db, pdn) = (folder.path().join("a.db"), folder.path().join("a.pdn"));
    fs::write(&pdn, random_pdn(3, 60)).unwrap();
    crownhead_ends(&db, 0, &["import", "--quiet", pdn.to_str().unwrap()]);
    (folder, db)
}

/// Runs SQL behind the program's back.
fn meddle(db: &Path, sql: &str) {
    let (database, _) = Database::create(db).unwrap();
    database.connection().execute_batch(sql).unwrap();
}

#[test]
fn a_whole_database_has_no_damage() {
    let (_folder, db) = small_database();
    let ran = crownhead(&db, &["check"]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(0), ""));
    assert!(ran.err.contains("60 of 60 lines whole") && ran.err.contains("No damage"), "{}", ran.err);
}

#[test]
fn results_that_cannot_be_right_are_listed_and_are_no_damage() {
    let folder = tempdir().unwrap();
    let (db, pdn) = (folder.path().join("a.db"), folder.path().join("a.pdn"));
    let text = "[Black \"A\"]\n[Result \"1-0\"]\n1. 11-15 23-19 0-1\n\n[Black \"B\"]\n[Result \"*\"]\n1. 11-15 22-18 1/2-1/2\n\n\
        [Black \"C\"]\n[FEN \"W:WK18:BK14\"]\n[Result \"1-0\"]\n1. 18x9 1-0\n";
    fs::write(&pdn, text).unwrap();
    crownhead_ends(&db, 0, &["import", pdn.to_str().unwrap()]);
    let rows = crownhead_ends(&db, 0, &["--format", "csv", "check"]);
    let rows: Vec<&str> = rows.lines().collect();
    assert_eq!(rows.len(), 3, "{rows:?}");
    assert!(rows[1].starts_with("warning,result,1,") && rows[1].contains("differ"), "{rows:?}");
    assert!(rows[2].starts_with("warning,result,3,") && rows[2].contains("White has won"), "{rows:?}");
}

#[test]
fn damage_is_told_part_by_part() {
    let parts = [
        ("UPDATE copy SET moves = x'7f7f' WHERE id = 7", "line,7,"),
        ("UPDATE copy SET plies = 3 WHERE id = 7", "line,7,"),
        ("UPDATE copy SET kind = 9 WHERE id = 8", "line,8,"),
        ("UPDATE copy SET black = 'Playes 7' WHERE id = 8", "line,8,"),
        ("UPDATE copy SET result = '0-2' WHERE id = 8", "line,8,"),
        ("UPDATE text SET zstd = x'00112233' WHERE id = 1", "text,1,"),
        ("UPDATE text SET digest = x'00' WHERE id = 1", "text,1,"),
        ("UPDATE text SET length = 9223372036854775807 WHERE id = 1", "text,1,"),
        ("UPDATE block SET data = x'ffffffff00' WHERE id = 1", "index,1,"),
        ("DELETE FROM block", "index,9,"),
        ("UPDATE facts SET data = x'00'", "facts,2,"),
        ("UPDATE copy SET date = '1880' WHERE id = 9", "facts,9,"),
        ("UPDATE source SET read = 99", "source,1,"),
        ("PRAGMA foreign_keys = OFF; DELETE FROM copy WHERE id = 5", "index,5,"),
        ("PRAGMA foreign_keys = OFF; UPDATE copy SET source = 4 WHERE id = 5", "file,5,"),
    ];
    for (sql, told) in parts {
        let (_folder, db) = small_database();
        meddle(&db, sql);
        let rows = crownhead_ends(&db, 1, &["--format", "csv", "check"]);
        assert!(rows.contains(&format!("\nerror,{told}")), "{sql}: {rows}");
    }
}

#[test]
fn columns_that_follow_from_play_and_notes_are_held_against_them() {
    let changes = [
        ("UPDATE copy SET ballot = -32640 WHERE id = 1", 1, "ballot -32640, but its moves are those of ballot"),
        ("UPDATE copy SET ballot = ballot - 2 WHERE id = 1", 1, "but its moves are those of ballot"),
        ("UPDATE copy SET ballot = NULL WHERE id = 1", 1, "no ballot, but its moves are those of ballot"),
        ("UPDATE copy SET losing_ply = 3 WHERE id = 1", 1, "its losing move"),
        ("UPDATE copy SET losing_ply = NULL WHERE id = 1", 1, "its losing move"),
        ("UPDATE copy SET board = 1 WHERE id = 1", 1, "its final position"),
        ("UPDATE copy SET board = NULL WHERE id = 3", 3, "its final position"),
        ("UPDATE copy SET board = 1 WHERE id = 3", 3, "its final position"),
        ("UPDATE copy SET branch_ply = 3 WHERE id = 2", 2, "does not leave its line"),
        ("UPDATE copy SET branch_ply = NULL WHERE id = 2", 2, "does not leave its line"),
        ("UPDATE copy SET parent = NULL WHERE id = 2", 2, "leaves a line, but not which"),
    ];
    let text = "[Black \"A\"]\n1. 11-15 23-19 2. 8-11 22-17 {[%losing]} (2... 26-23) 3. 11-16 *\n\n\
        [Black \"C\"]\n[FEN \"W:WK18:BK14\"]\n1. 18x9 0-1\n";
    for (sql, id, told) in changes {
        let folder = tempdir().unwrap();
        let (db, pdn) = (folder.path().join("a.db"), folder.path().join("a.pdn"));
        fs::write(&pdn, text).unwrap();
        crownhead_ends(&db, 0, &["import", "--quiet", pdn.to_str().unwrap()]);
        assert_eq!(crownhead_ends(&db, 0, &["--format", "csv", "check"]).lines().count(), 1, "{sql}");
        damage(&db, sql);
        let rows = crownhead_ends(&db, 1, &["--format", "csv", "check"]);
        assert!(rows.contains(&format!("\nerror,line,{id},")) && rows.contains(told), "{sql}: {rows}");
        let said = crownhead(&db, &["check"]).err;
        // A variation that leaves no line is missing in its game, too.
        let whole = if sql.contains("parent = NULL") { 1 } else { 2 };
        assert!(said.contains(&format!("{whole} of 3 lines whole")), "{sql}: {said}");
    }
}

#[test]
fn what_a_row_says_is_held_against_its_raw_text() {
    let text = "[Event \"Cup\"]\n[Site \"Here\"]\n[Black \"A\"]\n[White \"B\"]\n[Annotator \"C\"]\n[Result \"1-0\"]\n\
        {before} 1. 11-15 {first} 23-19 2. 8-11 {third} 22-17 $4 ({instead} 2... 26-23 {other}) 3. 11-16 1-0\n";
    let notes = "its notes";
    let changes = [
        ("UPDATE note SET ply = 2 WHERE value = 'third'", 1, notes),
        ("UPDATE note SET ply = 0 WHERE value = 'first'", 1, notes),
        ("UPDATE note SET value = 'thirD' WHERE value = 'third'", 1, notes),
        ("UPDATE note SET value = '$5' WHERE kind = 'mark'", 1, notes),
        ("UPDATE note SET kind = 'repair' WHERE value = 'third'", 1, notes),
        ("DELETE FROM note WHERE value = 'third'", 1, notes),
        ("UPDATE note SET ply = 0 WHERE value = 'other'", 2, notes),
        ("UPDATE copy SET label = 'a' WHERE id = 2", 2, notes),
        ("UPDATE copy SET label = 'a' WHERE id = 1", 1, "its kind, name"),
        ("UPDATE copy SET kind = 1 WHERE id = 1", 1, "its kind, name"),
        ("UPDATE copy SET verdict = 'a' WHERE id = 1", 1, "its kind, name"),
        ("UPDATE copy SET status = 1 WHERE id = 1", 1, "its kind, name"),
        ("UPDATE copy SET file_line = 2 WHERE id = 1", 1, "its kind, name"),
        ("UPDATE copy SET black = 'a' WHERE id = 1", 1, "its tags"),
        ("UPDATE copy SET site = 'here' WHERE id = 1", 1, "its tags"),
        ("UPDATE copy SET tags = '[[\"Annotator\",\"c\"]]' WHERE id = 1", 1, "its tags"),
        ("UPDATE copy SET score = -1 WHERE id = 1", 1, "its winner"),
        ("UPDATE copy SET decided = 1 WHERE id = 1", 1, "its winner"),
        ("UPDATE copy SET text_offset = 1 WHERE id = 1", 1, "its raw text has no game"),
        ("UPDATE copy SET text_length = text_length - 8 WHERE id = 1", 1, "its raw text is longer"),
    ];
    let (folder, json) = (tempdir().unwrap(), "as.json");
    let (db, pdn) = (folder.path().join("a.db"), folder.path().join("a.pdn"));
    fs::write(&pdn, text).unwrap();
    crownhead_ends(&db, 0, &["import", "--quiet", pdn.to_str().unwrap()]);
    fs::write(folder.path().join(json), crownhead_ends(&db, 0, &["export", "json"])).unwrap();
    // As PDN and as JSON.
    for name in ["a.pdn", json] {
        let whole = folder.path().join(format!("{name}.db"));
        crownhead_ends(&whole, 0, &["import", "--quiet", folder.path().join(name).to_str().unwrap()]);
        assert_eq!(crownhead_ends(&whole, 0, &["--format", "csv", "check"]).lines().count(), 1, "{name}");
        for (sql, id, told) in changes {
            // An object of JSON stands on line 1 or 2 as an export likes it.
            if name == json && sql.contains("file_line") {
                continue;
            }
            let changed = folder.path().join("changed.db");
            fs::copy(&whole, &changed).unwrap();
            damage(&changed, sql);
            let rows = crownhead_ends(&changed, 1, &["--format", "csv", "check"]);
            let is_told = rows.lines().any(|row| row.starts_with(&format!("error,line,{id},")) && row.contains(told));
            assert!(is_told, "{name}: {sql}: {rows}");
        }
    }
}

#[test]
fn notes_of_books_and_of_asterisks_are_no_damage() {
    let book = "GAME 1.\n\n11-15 22-18 15-22 25-18 8-11* 29-25\n\nBlack wins.\n";
    for meaning in ["losing", "star"] {
        let folder = tempdir().unwrap();
        let (db, text) = (folder.path().join("a.db"), folder.path().join("a.txt"));
        fs::write(&text, book).unwrap();
        crownhead(&db, &["import", "--as", "book", "--asterisk", meaning, "--quiet", text.to_str().unwrap()]);
        crownhead_ends(&db, 0, &["import", "--quiet", "data/named_openings.txt", "data/illustrative_games.txt"]);
        let ran = crownhead(&db, &["check"]);
        assert_eq!((ran.status, ran.out.as_str()), (Some(0), ""), "{}", ran.err);
        damage(&db, "UPDATE note SET ply = ply - 1 WHERE rowid = (SELECT max(rowid) FROM note WHERE ply > 0)");
        assert!(crownhead_ends(&db, 1, &["--format", "csv", "check"]).contains("its notes are not"), "{meaning}");
    }
}

/// A writable connection of SQLite's own, for damage that the program would not let through.
fn damage(db: &Path, sql: &str) {
    rusqlite::Connection::open(db).unwrap().execute_batch(sql).unwrap();
}

#[test]
fn every_column_that_exports_give_back_is_read() {
    let bad = "CAST(x'41ff42' AS TEXT)";
    let texts = ["event", "site", "date", "round", "black", "white", "tags", "result", "verdict", "label"];
    let mut damages: Vec<String> =
        texts.iter().map(|name| format!("UPDATE copy SET {name} = {bad} WHERE id = 7")).collect();
    damages.extend(
        [
            "UPDATE copy SET tags = '[[\"Annotator\",\"A\"}]' WHERE id = 7",
            "UPDATE copy SET start = x'00' WHERE id = 7",
            "UPDATE copy SET kind = 300 WHERE id = 7",
            "INSERT INTO note VALUES (7, 1, 'comment', CAST(x'ff' AS TEXT))",
            "INSERT INTO note VALUES (7, -1, 'comment', 'A')",
        ]
        .map(str::to_owned),
    );
    let forms: [&[&str]; 4] = [&["csv"], &["csv", "--plies"], &["json"], &["pdn"]];
    for sql in damages {
        let (_folder, db) = small_database();
        damage(&db, &sql);
        let rows = crownhead_ends(&db, 1, &["--format", "csv", "check"]);
        assert!(rows.contains("\nerror,line,7,"), "{sql}: {rows}");
        let said = crownhead(&db, &["check"]).err;
        assert!(said.contains("59 of "), "{sql}: {said}");
        // Exports go on behind it: the others are there, first and last, and the status tells.
        let mut left_out = 0;
        for form in forms {
            let ran = crownhead(&db, &[&["--quiet", "export"], form].concat());
            if ran.status == Some(1) {
                assert!(ran.err.contains("line 7 is left out: "), "{sql} {form:?}: {}", ran.err);
                left_out += 1;
            }
            assert!(matches!(ran.status, Some(0 | 1)), "{sql} {form:?}: {}", ran.err);
            let is_there = |name: &str| form.contains(&"--plies") || ran.out.contains(name);
            assert!(is_there("Player 0\"") || is_there("Player 0,"), "{sql} {form:?}");
            assert!(is_there("Player 59\"") || is_there("Player 59,"), "{sql} {form:?}");
        }
        assert!(left_out > 0, "{sql}");
    }
}

#[test]
fn tags_whose_json_is_broken_name_their_line() {
    let (folder, db) = small_database();
    let pdn = folder.path().join("tags.pdn");
    let text = "[Black \"A\"]\n[Annotator \"Somebody\"]\n[Result \"*\"]\n1. 11-15 23-18 8-11 27-23 *\n";
    fs::write(&pdn, text).unwrap();
    crownhead_ends(&db, 0, &["import", "--quiet", pdn.to_str().unwrap()]);
    // What bit 0 of a quotation mark makes of it.
    damage(&db, "UPDATE copy SET tags = replace(tags, '[[\"', '[[#') WHERE id = 61");
    let rows = crownhead_ends(&db, 1, &["--format", "csv", "check"]);
    assert!(rows.contains("error,line,61,") && rows.contains("tags that cannot be read"), "{rows}");
    let ran = crownhead(&db, &["export", "csv", "--plies"]);
    assert_eq!(ran.status, Some(1), "{}", ran.err);
    assert!(ran.err.contains("line 61 is left out: ") && ran.err.contains("1 damaged line is left out"), "{}", ran.err);
    assert!(ran.out.lines().any(|line| line.starts_with("60,")), "{}", ran.out);
}

#[test]
fn a_cut_file_tells_its_length_and_what_is_left() {
    let (folder, db) = small_database();
    let whole = fs::read(&db).unwrap();
    let cut = folder.path().join("cut.db");
    for length in [150, 4_096, whole.len() - 4_096, whole.len() - 1] {
        fs::write(&cut, &whole[..length]).unwrap();
        let ran = crownhead(&cut, &["--format", "csv", "check"]);
        let told = format!("the file is {length} bytes, its header says {}", whole.len());
        assert!(format!("{}{}", ran.out, ran.err).contains(&told), "{length}: {} {}", ran.out, ran.err);
        assert!(!ran.err.contains("crownhead check") && ran.err.contains("backup"), "{length}: {}", ran.err);
        // Where the schema is whole, what is left is counted.
        if length < 5_000 {
            assert_eq!(ran.status, Some(2), "{length}");
            assert!(ran.err.contains("none of its lines"), "{length}: {}", ran.err);
        } else {
            assert_eq!(ran.status, Some(1), "{length}");
            assert!(ran.err.contains("lines whole"), "{length}: {}", ran.err);
        }
    }
}

#[test]
fn flipped_bytes_never_end_in_a_panic() {
    let (folder, db) = small_database();
    let whole = fs::read(&db).unwrap();
    let damaged = folder.path().join("damaged.db");
    let commands: [&[&str]; 4] = [&["check"], &["games"], &["moves"], &["show", "1"]];
    // The program itself at some places, the library at many.
    let mut told = 0;
    for at in (0..whole.len()).step_by(whole.len() / 25) {
        let mut bytes = whole.clone();
        for byte in &mut bytes[at..(at + 8).min(whole.len())] {
            *byte ^= 0x5a;
        }
        fs::write(&damaged, &bytes).unwrap();
        for command in commands {
            let ran = crownhead(&damaged, command);
            assert!(matches!(ran.status, Some(0..=2)), "{command:?} at {at}: {:?} {}", ran.status, ran.err);
            assert!(!ran.err.contains("panicked"), "{command:?} at {at}: {}", ran.err);
            told += usize::from(command == ["check"] && ran.status != Some(0));
        }
    }
    // The rest fell on pages that hold nothing yet, as those of analyses here.
    assert!(told > 6, "check told of {told}");
    for at in (0..whole.len()).step_by(97) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&damaged, &bytes).unwrap();
        let Ok(database) = Database::open(&damaged) else { continue };
        let _ = query::check(&database);
        let _ = query::games(&database, &query::Filters::default(), &query::Sort::default());
        let _ = query::show(&database, 1).is_ok_and(|_| database.raw_text(1).is_ok());
    }
}

/// What a line says, and what the tree says of its first moves.
fn lines_of(database: &Database, book: &Book) -> Vec<String> {
    let ids = database.line_ids().unwrap();
    ids.into_iter()
        .map(|id| {
            let line = database.line(id).unwrap().unwrap();
            let (rows, stats) = query::moves(database, book, &line.end()).unwrap();
            format!("{id} {:?} {rows:?} {stats:?}", line.moves)
        })
        .collect()
}

/// Damage anywhere either changes no answer or is told: what `check` calls whole is what was stored.
#[test]
fn what_is_called_whole_is_what_was_stored() {
    let (folder, db) = small_database();
    let whole = fs::read(&db).unwrap();
    let book = Book::embedded().unwrap();
    let expected = lines_of(&Database::open(&db).unwrap(), &book);
    let damaged = folder.path().join("damaged.db");
    let (mut random, mut told, mut harmless, mut unreadable) = (Random(0xf11b), 0, 0, 0);
    for _ in 0..300 {
        let mut bytes = whole.clone();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len());
            bytes[at] ^= 1 + random.below(255) as u8;
        }
        fs::write(&damaged, &bytes).unwrap();
        let Ok(database) = Database::open(&damaged) else {
            unreadable += 1;
            continue;
        };
        match query::check(&database) {
            Ok(check) if check.errors == 0 => {
                harmless += 1;
                let now = lines_of(&database, &book);
                let differing = now.iter().zip(&expected).find(|(a, b)| a != b);
                assert!(differing.is_none() && now.len() == expected.len(), "not told: {differing:?}");
            }
            Ok(check) => {
                told += 1;
                // Lines of which nothing is told are what they were, where the file itself can be read.
                let is_of_file = |row: &query::CheckRow| row.part == "file" || row.id.is_none();
                if check.rows.iter().any(is_of_file) {
                    continue;
                }
                let troubled: Vec<i64> = check.rows.iter().filter_map(|row| row.id).collect();
                for line in &expected {
                    let id: u32 = line.split(' ').next().unwrap().parse().unwrap();
                    if !troubled.contains(&i64::from(id))
                        && let Ok(Some(stored)) = database.line(id)
                    {
                        assert!(line.starts_with(&format!("{id} {:?} ", stored.moves)), "line {id} is another");
                    }
                }
            }
            Err(_) => unreadable += 1,
        }
    }
    println!("damage told {told}, no answer changed {harmless}, refused at once {unreadable}");
    assert!(told > 60, "{told}");
}

#[test]
fn every_command_tells_of_damage_and_what_to_do() {
    let (folder, db) = small_database();
    let whole = fs::read(&db).unwrap();
    let cut = folder.path().join("cut.db");
    let (text, copy) = (folder.path().join("b.pdn"), folder.path().join("copy.db"));
    fs::write(&text, random_pdn(4, 3)).unwrap();
    let commands: [&[&str]; 10] = [
        &["games"],
        &["moves"],
        &["show", "1"],
        &["search", "--pattern", "b9"],
        &["sql", "SELECT sum(plies) FROM games"],
        &["export", "pdn"],
        &["verify", "--all"],
        &["import", text.to_str().unwrap()],
        &["remove", "--number", "1"],
        &["backup", copy.to_str().unwrap()],
    ];
    // Everything behind the schema is gone.
    fs::write(&cut, &whole[..8_192]).unwrap();
    for command in commands {
        let ran = crownhead(&cut, command);
        assert_eq!(ran.status, Some(2), "{command:?}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains("malformed") || ran.err.contains("damaged"), "{command:?}: {}", ran.err);
        assert!(ran.err.contains("crownhead check"), "{command:?}: {}", ran.err);
        fs::write(&cut, &whole[..8_192]).unwrap();
    }
    let ran = crownhead(&cut, &["check"]);
    assert!(matches!(ran.status, Some(1 | 2)) && ran.err.contains("damage"), "{}", ran.err);
}

#[test]
fn every_command_refuses_what_is_no_database_of_ours() {
    let (folder, db) = small_database();
    let at = |name: &str| folder.path().join(name);
    fs::copy(&db, at("newer.db")).unwrap();
    rusqlite::Connection::open(at("newer.db")).unwrap().pragma_update(None, "user_version", 77).unwrap();
    rusqlite::Connection::open(at("foreign.db")).unwrap().execute_batch("CREATE TABLE t (a)").unwrap();
    fs::write(at("text.db"), random_pdn(5, 9)).unwrap();
    fs::create_dir(at("folder.db")).unwrap();
    let text = at("a.pdn");
    for (name, told) in [
        ("newer.db", "version 77"),
        ("foreign.db", "another program"),
        ("text.db", "is no database"),
        ("folder.db", "folder.db"),
    ] {
        let before = fs::read(at(name)).ok();
        for command in [
            &["games"][..],
            &["moves"],
            &["check"],
            &["sql", "SELECT 1"],
            &["import", text.to_str().unwrap()],
            &["remove", "--number", "1"],
        ] {
            let ran = crownhead(&at(name), command);
            assert_eq!(ran.status, Some(2), "{name} {command:?}: {}", ran.err);
            assert!(ran.err.contains(told), "{name} {command:?}: {}", ran.err);
        }
        assert_eq!(fs::read(at(name)).ok(), before, "{name}");
    }
}

#[test]
fn a_copy_with_a_log_of_another_day_is_not_called_whole() {
    let (folder, db) = small_database();
    let (log, copy) = (folder.path().join("a.db-wal"), folder.path().join("copy.db"));
    let pdn = folder.path().join("a.pdn");
    // A log as it stood in the middle of something, with pages that were written anew since.
    let writer = rusqlite::Connection::open(&db).unwrap();
    writer.execute_batch("UPDATE copy SET black = 'Early' WHERE id % 2; DELETE FROM block WHERE id = 1").unwrap();
    fs::copy(&log, folder.path().join("early")).unwrap();
    writer.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    drop(writer);
    fs::copy(&db, &copy).unwrap();
    // The main file alone, copied while the log is empty, is what it was.
    assert!(crownhead(&copy, &["games"]).out.contains("Early"));
    fs::write(&pdn, random_pdn(8, 2_000)).unwrap();
    crownhead_ends(&db, 0, &["--quiet", "import", pdn.to_str().unwrap()]);
    fs::copy(&db, &copy).unwrap();
    fs::copy(folder.path().join("early"), folder.path().join("copy.db-wal")).unwrap();
    let ran = crownhead(&copy, &["check"]);
    assert!(matches!(ran.status, Some(1 | 2)), "{:?} {}", ran.status, ran.err);
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
}

#[test]
fn cut_files_are_told() {
    let (folder, db) = small_database();
    let whole = fs::read(&db).unwrap();
    let cut = folder.path().join("cut.db");
    for length in [1, 50, 100, 4_096, 5_000, whole.len() / 2, whole.len() - 1] {
        fs::write(&cut, &whole[..length]).unwrap();
        let ran = crownhead(&cut, &["check"]);
        assert!(matches!(ran.status, Some(1 | 2)), "{length}: {:?} {}", ran.status, ran.err);
        assert!(
            ["damage", "another program", "no database"].iter().any(|told| ran.err.contains(told)),
            "{length}: {}",
            ran.err
        );
    }
}

#[test]
fn games_on_one_line_of_a_file_are_no_damage() {
    let folder = tempdir().unwrap();
    let (db, pdn) = (folder.path().join("a.db"), folder.path().join("a.pdn"));
    let text =
        "[Event \"A\"] [Black \"B\"] 1. 11-15 23-19 * [Event \"C\"] [Black \"D\"] 1. 9-14 *\n1. 10-15 * 1. 12-16 *\n";
    fs::write(&pdn, text).unwrap();
    crownhead_ends(&db, 0, &["import", pdn.to_str().unwrap()]);
    let ran = crownhead(&db, &["check"]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(0), ""), "{}", ran.err);
    // And a tag that was changed is found in each of them.
    for (id, name) in [(1, "B"), (2, "D")] {
        meddle(&db, &format!("UPDATE copy SET black = 'X' WHERE id = {id}"));
        let rows = crownhead_ends(&db, 1, &["--format", "csv", "check"]);
        assert!(rows.lines().count() == 2 && rows.contains(&format!("\nerror,line,{id},")), "{rows}");
        meddle(&db, &format!("UPDATE copy SET black = '{name}' WHERE id = {id}"));
    }
}

#[test]
fn what_is_not_ours_in_a_schema_is_told_and_not_run() {
    let endless = "DROP VIEW games; CREATE VIEW games AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) \
        SELECT i AS id FROM n";
    let altered = [
        (
            "CREATE TRIGGER t AFTER INSERT ON copy BEGIN UPDATE source SET name = 0; END",
            "the trigger t is not Crownhead's",
        ),
        (endless, "the view games is not the one"),
        ("DROP INDEX note_line", "the index note_line is missing"),
    ];
    for (sql, told) in altered {
        let (_folder, db) = small_database();
        damage(&db, sql);
        let rows = crownhead_ends(&db, 1, &["--format", "csv", "check"]);
        assert!(rows.contains(told), "{sql}: {rows}");
        for command in [&["games"][..], &["export", "csv"], &["import", "-"]] {
            let ran = crownhead(&db, command);
            assert!(ran.status == Some(2) && ran.err.contains(told) && ran.err.contains("hint:"), "{sql}: {}", ran.err);
        }
    }
    // A view of one's own does no harm, and is told.
    let (_folder, db) = small_database();
    damage(&db, "CREATE VIEW mine AS SELECT 1");
    crownhead_ends(&db, 0, &["games"]);
    assert!(crownhead_ends(&db, 1, &["--format", "csv", "check"]).contains("the view mine is not Crownhead's"));
}

#[test]
fn a_version_that_is_none_and_too_many_facts_are_told() {
    let (folder, db) = small_database();
    let facts = folder.path().join("facts.db");
    fs::copy(&db, &facts).unwrap();
    damage(&db, "PRAGMA user_version = -3");
    for command in [&["check"][..], &["games"], &["import", "-"]] {
        let ran = crownhead(&db, command);
        let is_short = ran.err.lines().count() < 4 && ran.err.contains("-3 is no version of the schema");
        assert!(ran.status == Some(2) && is_short, "{}", ran.err);
    }
    damage(&facts, "UPDATE facts SET data = zeroblob(1000000)");
    let ran = crownhead(&facts, &["moves"]);
    assert!(ran.status == Some(2) && ran.err.contains("more lines than there are"), "{}", ran.err);
}
