//! Players: aliases, names that name no one, games against oneself, dates in every written form, and reports without rows.

use std::fs;
use std::path::{Path, PathBuf};

use crownhead::query::Players;
use crownhead::store::{AliasAdded, Database};

use crate::support::{crownhead, crownhead_ends};

fn game(date: &str, black: &str, white: &str, result: &str, moves: &str) -> String {
    format!(
        "[Event \"Cup\"]\n[Date \"{date}\"]\n[Black \"{black}\"]\n[White \"{white}\"]\n[Result \"{result}\"]\n{moves} {result}\n\n"
    )
}

fn database(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("a.pdn");
    fs::write(&path, text).unwrap();
    let db = folder.join("x.db");
    crownhead_ends(&db, 0, &["import", path.to_str().unwrap()]);
    db
}

fn csv(db: &Path, columns: &str, args: &[&str]) -> String {
    crownhead(db, &[&["--format", "csv", "--columns", columns], args].concat()).out.replace('\r', "")
}

fn cup(folder: &Path) -> PathBuf {
    let games = [
        game("1898.05.12", "Ash, C", "Birch, D.", "1-0", "1. 11-15 23-19 2. 8-11"),
        game("c. 1901", "Birch, D.", "Charles Ash", "0-1", "1. 11-15 22-17 2. 8-11"),
        game("1899", "Cedar, R.", "C. \u{c1}sh", "1/2-1/2", "1. 9-14 22-17"),
        game("1899", "Ashwood, T.", "Cedar, R.", "1-0", "1. 10-15 22-17"),
    ];
    database(folder, &games.concat())
}

#[test]
fn an_alias_counts_as_its_name_in_filters_and_reports() {
    let folder = tempfile::tempdir().unwrap();
    let db = cup(folder.path());
    let exported = crownhead_ends(&db, 0, &["export", "pdn"]);
    assert_eq!(csv(&db, "id", &["games", "--player", "charles ash"]), "id\n2\n");
    let added = crownhead(&db, &["alias", "add", "Ash, C", "Charles Ash"]);
    assert_eq!((added.status, added.err.as_str()), (Some(0), "\"Ash, C\" counts as \"Charles Ash\" from now on.\n"));
    // Either finds both, on the side it is asked for; the tags are as they were.
    for name in ["charles ash", "Ash, C", "\u{e1}sh c."] {
        assert_eq!(csv(&db, "id", &["games", "--player", name]), "id\n1\n2\n3\n", "{name}");
        assert_eq!(csv(&db, "id", &["games", "--white", name]), "id\n2\n3\n", "{name}");
        assert_eq!(csv(&db, "game", &["search", "--position", "11-15", "--player", name]), "game\n1\n2\n", "{name}");
        assert_eq!(csv(&db, "move,games", &["moves", "--black", name]), "move,games\n11-15,1\n", "{name}");
    }
    assert_eq!(csv(&db, "black", &["games", "--black", "charles"]), "black\n\"Ash, C\"\n");
    assert_eq!(crownhead_ends(&db, 0, &["export", "pdn"]), exported);
    let players = csv(&db, "player,games,won,drawn", &["report", "players"]);
    assert!(players.contains("Charles Ash,3,2,1\n") && !players.contains("\"Ash, C\""), "{players}");
    assert_eq!(
        csv(&db, "player,games", &["report", "players", "--player", "charles"]),
        "player,games\nCharles Ash,3\n"
    );
    let openings = csv(&db, "player_score", &["report", "openings", "--player", "charles", "--year", "1898"]);
    assert_eq!(openings, "player_score\n1\n");
    let page = crownhead_ends(&db, 0, &["--format", "json", "prepare", "charles ash"]);
    assert!(page.contains("Birch, D."), "{page}");
    assert_eq!(page, crownhead_ends(&db, 0, &["--format", "json", "prepare", "Ash, C"]));
    let list = csv(&db, "spelling,name,games", &["alias", "list"]);
    assert_eq!(list, "spelling,name,games\n\"Ash, C\",Charles Ash,2\n");
    crownhead_ends(&db, 0, &["alias", "remove", "c ash"]);
    assert_eq!(csv(&db, "id", &["games", "--player", "charles ash"]), "id\n2\n");
    assert_eq!(crownhead(&db, &["alias", "remove", "c ash"]).status, Some(1));
    assert_eq!(crownhead(&db, &["check"]).status, Some(0));
}

#[test]
fn aliases_make_no_chains_and_no_circles() {
    let mut database = Database::in_memory().unwrap();
    let stored = |name: &str, moved: &[&str]| AliasAdded::Stored {
        name: name.to_owned(),
        moved: moved.iter().map(|&text| text.to_owned()).collect(),
    };
    assert_eq!(database.add_alias("Ash, C", "Charles Ash").unwrap(), stored("Charles Ash", &[]));
    assert_eq!(database.add_alias("c. ash", "ash CHARLES").unwrap(), AliasAdded::Known);
    assert_eq!(database.add_alias("Asch", "Ash, C.").unwrap(), stored("Charles Ash", &[]));
    assert_eq!(database.add_alias("Charles Ash", "Asch").unwrap(), AliasAdded::Circle);
    assert_eq!(database.add_alias("Asch", "Birch").unwrap(), AliasAdded::Taken("Charles Ash".to_owned()));
    assert_eq!(database.add_alias("Birch, D.", "d birch").unwrap(), AliasAdded::SameName);
    for (spelling, name) in [("?", "Birch"), ("Birch", ""), ("NN", "Birch"), ("Birch", "unknown")] {
        assert_eq!(database.add_alias(spelling, name).unwrap(), AliasAdded::NoName, "{spelling} {name}");
    }
    // What counted as a spelling goes on to the name of that.
    assert_eq!(database.add_alias("Charles Ash", "Lord Ash").unwrap(), stored("Lord Ash", &["Asch", "Ash, C"]));
    let players = Players::read(&database).unwrap();
    for name in ["Ash C", "ASCH", "Ash, Charles", "ash lord"] {
        assert_eq!(players.name(name), "Lord Ash", "{name}");
        assert_eq!(players.key(name, false).as_deref(), Some("ash lord"), "{name}");
    }
    assert_eq!(players.name("Birch"), "Birch");
    assert_eq!(["NN", "?", "", "Unknown"].map(|name| players.key(name, false)), [const { None }; 4]);
    database.remove_alias("charles ash").unwrap();
    assert_eq!(database.aliases().unwrap().len(), 2);
}

#[test]
fn an_alias_that_cannot_be_is_an_error_and_one_without_games_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let db = cup(folder.path());
    for (spelling, name) in [("Birch, D.", "d birch"), ("NN", "Birch"), ("", "Birch")] {
        let ran = crownhead(&db, &["alias", "add", spelling, name]);
        assert_eq!(ran.status, Some(2), "{spelling} {name}: {}", ran.err);
    }
    let ran = crownhead(&db, &["alias", "add", "Brich", "Birch, D."]);
    assert!(
        ran.err.contains("No game here has a player called \"Brich\".") && !ran.err.contains("called \"Birch"),
        "{}",
        ran.err
    );
    crownhead_ends(&db, 0, &["alias", "add", "Cedar, R.", "Rose Cedar"]);
    let circle = crownhead(&db, &["alias", "add", "Rose Cedar", "Cedar, R."]);
    assert!(circle.status == Some(2) && circle.err.contains("alias remove \"Cedar, R.\""), "{}", circle.err);
    // Without a database there is nothing to add to.
    assert_eq!(crownhead(&folder.path().join("none.db"), &["alias", "list"]).status, Some(2));
    // A name that was meant is proposed by the name it counts as, too.
    assert!(crownhead(&db, &["games", "--player", "roze cedar"]).err.contains("Rose Cedar"));
}

#[test]
fn a_game_against_oneself_counts_once_and_no_one_is_no_player() {
    let folder = tempfile::tempdir().unwrap();
    let games = [
        game("1898", "Ash", "Ash", "1-0", "1. 11-15 23-19"),
        game("1899", "Ash", "ash", "1/2-1/2", "1. 11-15 22-17"),
        game("1900", "Ash", "NN", "1-0", "1. 11-15 22-18"),
        game("1901", "?", "N.N.", "0-1", "1. 9-14 22-18"),
        game("1902", "Unknown", "Asch", "0-1", "1. 9-14 22-17"),
    ];
    let db = database(folder.path(), &games.concat());
    let columns = "player,games,as_black,as_white,won,drawn,lost";
    let head = format!("{columns}\n");
    assert_eq!(csv(&db, columns, &["report", "players"]), format!("{head}Ash,3,3,2,1,1,0\nAsch,1,0,1,1,0,0\n"));
    assert_eq!(csv(&db, "id", &["games", "--player", "ash"]).lines().count(), 4);
    // An alias makes one player of two.
    crownhead_ends(&db, 0, &["alias", "add", "Asch", "Ash"]);
    assert_eq!(csv(&db, columns, &["report", "players"]), format!("{head}Ash,4,3,3,2,1,0\n"));
    crownhead_ends(&db, 0, &["annotate", "--nodes", "1", "--depth", "1", "--proof-nodes", "0"]);
    let lines = csv(&db, "by,name,lines", &["report", "errors"]);
    assert!(!lines.contains("player,Ash,5"), "{lines}");
}

#[test]
fn that_no_game_names_its_players_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let (db, pdn) = (folder.path().join("a.db"), folder.path().join("a.pdn"));
    let game = |tags: &str| format!("{tags}[Result \"1-0\"]\n\n1. 11-15 23-19 1-0\n\n");
    fs::write(&pdn, game("") + &game("[Black \"?\"]\n[White \"NN\"]\n")).unwrap();
    crownhead_ends(&db, 0, &["import", pdn.to_str().unwrap()]);
    let asking: [&[&str]; 6] = [
        &["prepare", "hale"],
        &["prepare", "hale", "--side", "black"],
        &["report", "players"],
        &["report", "openings", "--player", "hale"],
        &["games", "--white", "hale"],
        &["moves", "--player", "hale"],
    ];
    for args in asking {
        let ran = crownhead(&db, args);
        assert_eq!((ran.status, ran.err.as_str()), (Some(1), "No game here names its players.\n"), "{args:?}");
    }
    let named = game("[Black \"Ash, A.\"]\n[White \"?\"]\n").replace("23-19", "22-17");
    fs::write(&pdn, named).unwrap();
    crownhead_ends(&db, 0, &["import", pdn.to_str().unwrap()]);
    assert!(crownhead(&db, &["prepare", "hale"]).err.starts_with("No player here is called \"hale\"."));
    // What is asked for is shown in one style, and a command for a shell is safe to copy.
    let ran = crownhead(&db, &["games", "--player", "a\\ \u{1b}[31m\nb"]);
    assert!(ran.err.contains("called \"a\\ \\u{1b}[31m\\nb\""), "{}", ran.err);
    crownhead_ends(&db, 0, &["alias", "add", "$x", "Ash, A."]);
    let ran = crownhead(&db, &["alias", "add", "$x", "Birch"]);
    assert!(ran.err.contains("hint: first: crownhead alias remove '$x'\n"), "{}", ran.err);
}

/// Games without players, of one player, and of two: the one rule for unknown names.
#[test]
fn duplicates_need_a_player_known_in_both_games() {
    let folder = tempfile::tempdir().unwrap();
    let moves = "1. 11-15 23-19 2. 8-11 22-17";
    let games = [
        game("1898", "?", "?", "*", moves),
        game("1898", "NN", "NN", "1-0", moves),
        game("1898", "Ash, C", "Birch, D", "1-0", moves),
        game("1899", "Ash, C.", "?", "1-0", moves),
        game("1899", "N.N.", "Cedar", "1-0", moves),
    ];
    let db = database(folder.path(), &games.concat());
    assert_eq!(csv(&db, "how,game,other", &["report", "duplicates"]), "how,game,other\nsame moves,3,4\n");
}

#[test]
fn dates_sort_as_dates_in_every_form() {
    let folder = tempfile::tempdir().unwrap();
    let dates = ["12 May 1898", "?", "1898.??.??", "05/11/1898", "1897-12-31", "c. 1899", "1898.06.01", "2.7.1898"];
    let games: String =
        (1..).zip(dates).map(|(id, date)| game(date, &format!("P{id}"), "Q", "*", "1. 11-15")).collect();
    let db = database(folder.path(), &games);
    let rising = [5, 3, 4, 1, 7, 8, 6, 2].map(|id: u32| format!("{id}\n")).concat();
    let falling = [6, 8, 7, 1, 4, 3, 5, 2].map(|id: u32| format!("{id}\n")).concat();
    for command in [&["games"][..], &["export", "csv"]] {
        assert_eq!(csv(&db, "id", &[&["--sort", "date"], command].concat()), format!("id\n{rising}"), "{command:?}");
        assert_eq!(csv(&db, "id", &[&["--sort", "-date"], command].concat()), format!("id\n{falling}"), "{command:?}");
    }
    let sql = "SELECT id FROM games ORDER BY date_order(date) NULLS LAST, id";
    assert_eq!(csv(&db, "id", &["sql", sql]), format!("id\n{rising}"));
    let sql = "SELECT id, date FROM games";
    assert_eq!(csv(&db, "id", &["--sort", "date", "sql", sql]), format!("id\n{rising}"));
}

#[test]
fn reports_whose_emptiness_is_good_news_end_well() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path(), &game("1898", "Ash", "Birch", "*", "1. 11-15 23-19"));
    for report in ["duplicates", "contradictions", "refusals", "cooks"] {
        crownhead_ends(&db, 0, &["report", report]);
        crownhead_ends(&db, 0, &["--format", "csv", "report", report]);
        let misfit = if report == "refusals" { ["--source", "nowhere"] } else { ["--player", "nobody"] };
        crownhead_ends(&db, 1, &[&["report", report], &misfit[..]].concat());
    }
    crownhead_ends(&db, 1, &["report", "stars"]);
    for command in [&["games", "--player", "nobody"][..], &["search", "--pattern", "WK1"], &["moves", "10-14"]] {
        crownhead_ends(&db, 1, command);
    }
}
