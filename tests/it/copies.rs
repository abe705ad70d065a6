//! Several sources of one game: each keeps its own words, goes with them, and leaves the rest as if it had never been read.

use std::fs;
use std::path::Path;

use crownhead::query;
use crownhead::store::Database;
use tempfile::tempdir;

use crate::database::{Random, random_games};
use crate::support::{crownhead, crownhead_ends};

/// Games that sources share: the main moves, and a variation for the fourth ply.
const GAMES: &[(&str, &str)] = &[
    ("1. 11-15 23-19 2. 8-11 22-17", "26-23 4-8"),
    ("1. 9-14 22-18 2. 5-9 24-19", "25-22 11-16"),
    ("1. 10-15 21-17 2. 6-10 17-13", "25-21 1-6"),
    ("1. 12-16 24-20 2. 8-12 28-24", "27-24 4-8"),
];

/// A text of some of the games with comments, marks, variations and tags of its own; some twice.
fn text(random: &mut Random) -> String {
    games(random, true)
}

/// The same; only where it `is_rich` with variations and with winners that the source alone names.
fn games(random: &mut Random, is_rich: bool) -> String {
    let mut text = String::new();
    for _ in 0..3 + random.below(5) {
        let at = random.below(GAMES.len());
        let (moves, variation) = GAMES[at];
        // Of one game in two the players are unknown, so that all tags count.
        let players = if at.is_multiple_of(2) { "[Black \"Ash\"]\n[White \"Birch\"]\n" } else { "" };
        let site = ["", "[Site \"Here\"]\n", "[Site \"There\"]\n"][random.below(3)];
        let comment = ["", " {good}", " {bad}", " $2", " {[%losing]}"][random.below(5)];
        let variation = match random.below(4) {
            0 => format!(" (2... {variation})"),
            1 => format!(" (2... {variation} {{long}})"),
            2 => format!(" (2... {})", variation.split(' ').next().unwrap()),
            _ => String::new(),
        };
        let variation = if is_rich { variation } else { String::new() };
        // Of some games only the sources' words say who won, and they may disagree.
        let (result, verdict) = match (at, random.below(4)) {
            _ if !is_rich => ("1-0", ""),
            (2, 0) => ("1-0", "Black wins."),
            (2, 1) => ("0-1", "White wins."),
            (2, 2) => ("1/2-1/2", "Drawn."),
            (2, _) => ("*", ""),
            _ => ("1-0", ""),
        };
        let verdict = match verdict {
            "" => String::new(),
            verdict => format!("[CrownheadOriginalResult \"*\"]\n[CrownheadVerdict \"{verdict}\"]\n"),
        };
        let tags = format!("[Event \"E{at}\"]\n{site}{players}[Result \"{result}\"]\n{verdict}");
        text.push_str(&format!("{tags}\n{moves}{comment}{variation} {result}\n\n"));
    }
    text
}

fn import(db: &Path, folder: &Path, names: &[&str]) {
    for name in names {
        let ran = crownhead(db, &["import", "--quiet", folder.join(name).to_str().unwrap()]);
        assert_eq!(ran.status, Some(0), "{}", ran.err);
    }
    assert_whole(db);
}

fn assert_whole(db: &Path) {
    let checked = crownhead(db, &["--format", "csv", "check"]);
    assert_eq!((checked.status, checked.out.lines().count()), (Some(0), 1), "{}{}", checked.out, checked.err);
}

/// Everything that exports give, without the ids of lines, and what is counted.
fn answers(db: &Path, names: &[&str]) -> Vec<String> {
    let mut answers = vec![crownhead(db, &["export", "pdn", "--merge"]).out];
    for name in names {
        answers.push(crownhead(db, &["export", "pdn", "--source", name]).out);
        let columns = "source,place,event,black,white,result,winner,verdict,plies,opening,ballot";
        answers.push(crownhead(db, &["--columns", columns, "export", "csv", "--source", name]).out);
    }
    // Winners and losing moves of lines, which all sources have their say in.
    let counts = "SELECT event, winner, losing_ply, witness, count(*) AS n FROM games GROUP BY 1, 2, 3, 4";
    answers.push(crownhead(db, &["--format", "csv", "sql", counts]).out);
    answers.push(crownhead(db, &["--format", "csv", "report", "openings"]).out);
    let database = Database::open(db).unwrap();
    answers.push(format!("{:?} {:?}", database.totals().unwrap(), database.position_counts().unwrap()));
    answers
}

/// Names of sources with the folder before them: the whole path is what is asked for.
fn paths(folder: &Path, names: &[&str]) -> Vec<String> {
    names.iter().map(|name| folder.join(name).to_str().unwrap().to_owned()).collect()
}

#[test]
fn a_source_that_was_removed_leaves_the_exports_as_they_were() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    let mut random = Random(0x5eed);
    for round in 0..12 {
        let names = ["a.pdn", "b.pdn", "c.pdn"];
        for name in names {
            fs::write(folder.join(name), text(&mut random)).unwrap();
        }
        if round % 4 == 0 {
            // Two names of one file.
            fs::copy(folder.join("a.pdn"), folder.join("c.pdn")).unwrap();
        }
        for (kept, gone) in
            [(["a.pdn", "b.pdn"], "c.pdn"), (["b.pdn", "c.pdn"], "a.pdn"), (["c.pdn", "a.pdn"], "b.pdn")]
        {
            let (db, other) =
                (folder.join(format!("{round}{gone}.db")), folder.join(format!("{round}{gone}.first.db")));
            let kept_paths = paths(folder, &kept);
            let kept_paths: Vec<&str> = kept_paths.iter().map(String::as_str).collect();
            import(&db, folder, &kept);
            let before = answers(&db, &kept_paths);
            import(&db, folder, &[gone]);
            crownhead_ends(&db, 0, &["remove", "--source", folder.join(gone).to_str().unwrap()]);
            assert_whole(&db);
            assert_eq!(answers(&db, &kept_paths), before, "round {round}: {gone} imported last and removed");
            // Imported first, it leaves what the others give alone.
            import(&other, folder, &[gone, kept[0], kept[1]]);
            crownhead_ends(&other, 0, &["remove", "--source", folder.join(gone).to_str().unwrap()]);
            assert_whole(&other);
            assert_eq!(answers(&other, &kept_paths), before, "round {round}: {gone} imported first and removed");
        }
    }
}

#[test]
fn the_order_of_imports_changes_no_count_and_no_export() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    let mut random = Random(0x0dd5);
    let names = ["a.pdn", "b.pdn", "c.pdn"];
    let all = paths(folder, &names);
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    for round in 0..12 {
        for name in names {
            fs::write(folder.join(name), text(&mut random)).unwrap();
        }
        let mut first: Option<Vec<String>> = None;
        for (at, order) in [[0, 1, 2], [2, 1, 0], [1, 0, 2]].into_iter().enumerate() {
            let db = folder.join(format!("{round}.{at}.db"));
            import(&db, folder, &order.map(|at| names[at]));
            let found = answers(&db, &all);
            assert_eq!(first.get_or_insert_with(|| found.clone()), &found, "round {round}, order {order:?}");
        }
    }
}

#[test]
fn each_source_keeps_its_words() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    let head = "[Event \"Match\"]\n[Date \"1901.01.01\"]\n[Round \"1\"]\n[Black \"Ash, Ann\"]\n[White \"Birch, Bo\"]\n[Result \"1-0\"]\n\n";
    let first =
        format!("{head}1. 11-15 23-19 2. 8-11 {{Loses by force.}} 22-17 $4 (2... 24-20 {{Black wins}}) 3. 4-8 1-0\n");
    let second = format!("[Site \"Leeds\"]\n{head}1. 11-15 23-19 2. 8-11 {{A sound move.}} 22-17 3. 4-8 1-0\n");
    fs::write(folder.join("first.pdn"), &first).unwrap();
    fs::write(folder.join("second.pdn"), &second).unwrap();
    let db = folder.join("a.db");
    import(&db, folder, &["first.pdn", "second.pdn"]);
    let shown = crownhead_ends(&db, 0, &["show", "1"]);
    for words in ["Loses by force.", "A sound move.", "Black wins", "Leeds", "second.pdn, line 1"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let one = crownhead_ends(&db, 0, &["show", "1", "--source", "second"]);
    assert!(one.contains("A sound move.") && !one.contains("Loses by force."), "{one}");
    assert!(one.starts_with("Line 1\n"), "{one}");
    let raw = crownhead_ends(&db, 0, &["show", "1", "--raw"]);
    assert!(raw.contains(first.trim()) && raw.contains(second.trim()), "{raw}");
    assert_eq!(crownhead_ends(&db, 0, &["show", "1", "--raw", "--source", "second"]).trim(), second.trim());
    let merged = crownhead_ends(&db, 0, &["export", "pdn", "--merge"]);
    for words in ["first.pdn: Loses by force.", "second.pdn: A sound move.", "[Site \"Leeds\"]", "$4", "24-20"] {
        assert!(merged.contains(words), "{words}: {merged}");
    }
    // The roster stands in its order; variations of a copy have the numbers of their lines; a copy is one row of a report.
    assert!(merged.find("[Site").unwrap() < merged.find("[Date").unwrap(), "{merged}");
    let third = folder.join("third.pdn");
    fs::write(&third, &merged).unwrap();
    crownhead_ends(&db, 0, &["import", "--quiet", third.to_str().unwrap()]);
    let shown = crownhead_ends(&db, 0, &["show", "1", "--source", "third"]);
    assert!(shown.contains("Variation at ply 4 (line 2)"), "{shown}");
    let copies = crownhead_ends(&db, 0, &["--format", "csv", "--columns", "how,game", "report", "duplicates"]);
    assert_eq!(copies, "how,game\ncopy,1\ncopy,1\n");
    crownhead_ends(&db, 0, &["remove", "--source", "third"]);
    // Games of unknown players stay as they are; the first goes with all its words.
    crownhead_ends(&db, 0, &["remove", "--source", "first"]);
    assert_whole(&db);
    let (shown, raw) = (crownhead_ends(&db, 0, &["show", "1"]), crownhead_ends(&db, 0, &["show", "1", "--raw"]));
    assert!(shown.contains("A sound move.") && !shown.contains("force") && !shown.contains("??"), "{shown}");
    assert_eq!(raw.trim(), second.trim());
    assert_eq!(crownhead_ends(&db, 0, &["--format", "csv", "sql", "SELECT count(*) AS n FROM losing_moves"]), "n\n0\n");
    let database = Database::open(&db).unwrap();
    assert_eq!(database.totals().unwrap().lines, 1);
    assert_eq!(query::copies(&database, 1).unwrap().len(), 1);
}

#[test]
fn a_corrected_text_says_what_differs_and_replaces_the_older_one() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    let head = "[Event \"Book\"]\n[Black \"Ash\"]\n[White \"Birch\"]\n[Result \"1-0\"]\n\n";
    let other = "[Event \"Other\"]\n[Black \"Ash\"]\n[White \"Cole\"]\n[Result \"1-0\"]\n\n1. 9-14 22-18 1-0\n\n";
    let (file, db) = (folder.join("book.pdn"), folder.join("a.db"));
    let write = |comment: &str, more: &str| {
        fs::write(&file, format!("{head}1. 11-15 23-19 2. 8-11 {{{comment}}} 22-17 1-0\n\n{more}")).unwrap();
    };
    write("sound", other);
    import(&db, folder, &["book.pdn"]);
    let fresh = crownhead_ends(&db, 0, &["export", "pdn"]);
    write("unsound", other);
    let again = crownhead(&db, &["import", file.to_str().unwrap()]);
    assert_eq!(again.status, Some(0), "{}", again.err);
    let told = "1 of its games is word for word the same here, 1 has other comments";
    assert!(again.err.contains(told) && again.err.contains("import --replace"), "{}", again.err);
    let ran = crownhead(&db, &["import", "--replace", file.to_str().unwrap()]);
    assert!(ran.status == Some(0) && ran.err.contains("Source 1, the older text of"), "{}", ran.err);
    assert_whole(&db);
    assert_eq!(crownhead_ends(&db, 0, &["export", "pdn"]), fresh.replace("sound", "unsound"));
    // And back again, with the game that was left out in between.
    write("sound", "");
    import(&db, folder, &["book.pdn"]);
    write("unsound", other);
    let ran = crownhead(&db, &["import", "--replace", file.to_str().unwrap()]);
    assert!(ran.status == Some(0) && ran.err.contains("Source 3, the older text of"), "{}", ran.err);
    assert_whole(&db);
    assert_eq!(crownhead_ends(&db, 0, &["export", "pdn"]), fresh.replace("sound", "unsound"));
    assert_eq!(
        crownhead_ends(&db, 0, &["--format", "csv", "--columns", "number,games", "sources"]),
        "number,games\n2,2\n"
    );
}

#[test]
fn files_of_the_same_bytes_are_one_source_with_two_names() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    let db = folder.join("a.db");
    let mut random = Random(7);
    fs::write(folder.join("a.pdn"), text(&mut random)).unwrap();
    fs::copy(folder.join("a.pdn"), folder.join("b.pdn")).unwrap();
    import(&db, folder, &["a.pdn", "b.pdn", "b.pdn"]);
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let sources = || crownhead_ends(&db, 0, &["--format", "csv", "--columns", "number,name,other_names", "sources"]);
    assert_eq!(sources(), format!("number,name,other_names\n1,{},{}\n", at("a.pdn"), at("b.pdn")));
    let games = crownhead_ends(&db, 0, &["--format", "csv", "games", "--source", &at("a.pdn")]);
    assert_eq!(crownhead_ends(&db, 0, &["--format", "csv", "games", "--source", &at("b.pdn")]), games);
    assert!(crownhead_ends(&db, 0, &["show", "1"]).contains("b.pdn, the same file"));
    crownhead_ends(&db, 0, &["remove", "--source", &at("a.pdn"), "--dry-run"]);
    crownhead_ends(&db, 0, &["remove", "--source", &at("a.pdn")]);
    assert_eq!(sources(), format!("number,name,other_names\n1,{},\n", at("b.pdn")));
    assert_eq!(crownhead(&db, &["games", "--source", "a.pdn"]).status, Some(1));
    crownhead_ends(&db, 0, &["remove", "--source", &at("b.pdn")]);
    assert_eq!(sources(), "number,name,other_names\n");
}

/// The migrations of the version before copies.
const BEFORE: [&str; 7] = [
    include_str!("../../src/store/migrations/0001_initial.sql"),
    include_str!("../../src/store/migrations/0002_ending.sql"),
    include_str!("../../src/store/migrations/0003_analyses.sql"),
    include_str!("../../src/store/migrations/0004_tree_values.sql"),
    include_str!("../../src/store/migrations/0005_value_words.sql"),
    include_str!("../../src/store/migrations/0006_import_date.sql"),
    include_str!("../../src/store/migrations/0007_player_aliases.sql"),
];

/// Makes of a database one as the version before left it: of further copies only their places are known.
fn as_version_7(new: &Path, old: &Path) {
    let database = rusqlite::Connection::open(old).unwrap();
    database.pragma_update(None, "foreign_keys", false).unwrap();
    for migration in BEFORE {
        database.execute_batch(migration).unwrap();
    }
    database.execute("ATTACH ?1 AS new", [new.to_str().unwrap()]).unwrap();
    let lines = "id, source, kind, number, parent, branch_ply, label, text, text_offset, text_length, file_line, event, site, date,
        round, black, white, tags, start, moves, plies, result, score, verdict, decided, board, status, opening, ballot,
        losing_ply, identity, ending";
    let mut script = format!(
        "INSERT INTO line ({lines}) SELECT {lines} FROM new.copy WHERE same_as IS NULL;
         INSERT INTO appearance SELECT same_as, source, number, file_line FROM new.copy
             WHERE same_as IS NOT NULL AND parent IS NULL;
         INSERT INTO note SELECT * FROM new.note WHERE line IN (SELECT id FROM line) ORDER BY rowid;
         INSERT INTO source SELECT id, name, form, variant, result_order, complete, read, stored, partly, refused, duplicates,
             imported FROM new.source;"
    );
    for table in ["text", "opening_name", "finding", "facts", "segment", "block"] {
        script.push_str(&format!("INSERT INTO {table} SELECT * FROM new.{table};"));
    }
    script.push_str("PRAGMA user_version = 7; PRAGMA application_id = 0x43724864;");
    database.execute_batch(&script).unwrap();
}

#[test]
fn a_database_of_the_version_before_is_copied_brought_up_and_read_again() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    let mut random = Random(0x0718);
    let names = ["a.pdn", "b.pdn", "c.pdn"];
    let (new, old) = (folder.join("new.db"), folder.join("old.db"));
    for name in names {
        // Variations of further copies were not stored, and what lines say together was not worked out.
        fs::write(folder.join(name), games(&mut random, false)).unwrap();
    }
    let all = paths(folder, &names);
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    import(&new, folder, &names);
    let expected = answers(&new, &all);
    as_version_7(&new, &old);
    let before = fs::read(&old).unwrap();
    let first = crownhead(&old, &["games", "--limit", "1"]);
    assert!(first.status == Some(0) && first.err.contains("brought from version 7 to 8"), "{}", first.err);
    let backup = rusqlite::Connection::open(folder.join("old.db.v7")).unwrap();
    assert!(backup.query_row("SELECT count(*) FROM line", [], |row| row.get::<_, i64>(0)).unwrap() > 0);
    assert_eq!(backup.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0)).unwrap(), 7);
    // Copies without their words are listed, and read again when they are asked for.
    assert_whole(&old);
    let repaired = crownhead(&old, &["check", "--repair"]);
    assert!(repaired.status == Some(0) && repaired.err.contains("again that an older version"), "{}", repaired.err);
    assert_whole(&old);
    assert_eq!(answers(&old, &all), expected);
    // Where it cannot be written, that is said.
    let protected = folder.join("protected.db");
    fs::write(&protected, before).unwrap();
    let mut rights = fs::metadata(&protected).unwrap().permissions();
    rights.set_readonly(true);
    fs::set_permissions(&protected, rights).unwrap();
    let refused = crownhead(&protected, &["games"]);
    assert!(refused.status == Some(2) && refused.err.contains("version 7"), "{}", refused.err);
}

#[test]
fn a_copy_that_cannot_be_read_again_stays_noted_and_is_no_error() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    let (new, old) = (folder.join("new.db"), folder.join("old.db"));
    // The second text begins with the chunks of the first, and goes on.
    let short = random_games(700_000, 50, 3);
    fs::write(folder.join("a.pdn"), &short).unwrap();
    fs::write(folder.join("b.pdn"), format!("{short}{}", random_games(300_000, 50, 4))).unwrap();
    for name in ["a.pdn", "b.pdn"] {
        crownhead_ends(&new, 0, &["import", "--quiet", folder.join(name).to_str().unwrap()]);
    }
    as_version_7(&new, &old);
    let database = rusqlite::Connection::open(&old).unwrap();
    database.execute_batch("UPDATE appearance SET line = line + 1 WHERE source = 2 AND number = 1").unwrap();
    drop(database);
    for _ in 0..2 {
        let ran = crownhead(&old, &["check", "--repair"]);
        assert!(ran.status == Some(1) && ran.err.contains("1 copy cannot be read again"), "{}", ran.err);
    }
}
