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
    assert!(last.starts_with("\x1b[2m+42 lines: --limit 60; +") && last.ends_with("--columns all\x1b[0m"), "{last:?}");

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
fn pages_of_help_go_through_the_pager() {
    let marked = [("PAGER", "sed 's/$/ <paged>/'")];
    for args in [&["--help"][..], &["moves", "--help"], &["help", "options"], &["help"], &["games", "-h"]] {
        let paged = on_terminal(80, 24, &marked, args);
        assert!(paged.status == Some(0) && paged.text.lines().count() > 24, "{args:?}: {}", paged.text);
        assert!(paged.text.lines().all(|line| line.ends_with(" <paged>")), "{args:?}: {}", paged.text);
        let straight = on_terminal(80, 24, &marked, &[&["--no-pager"], args].concat());
        assert!(straight.status == Some(0) && !straight.text.contains("<paged>"), "{args:?}: {}", straight.text);
        assert_eq!(paged.text.replace(" <paged>", ""), straight.text, "{args:?}");
        assert_eq!(on_terminal(80, 24, &[], args).text, straight.text, "{args:?}");
    }
    for args in [&["--version"][..], &["glossary", "--help"]] {
        assert!(!on_terminal(80, 60, &marked, args).text.contains("<paged>"), "{args:?} is short");
    }
    let missing = on_terminal(80, 24, &[("PAGER", "no-such-pager")], &["--help"]);
    assert!(missing.text.contains("crownhead help options\nThe pager "), "{}", missing.text);
}

#[test]
fn a_table_keeps_to_the_screen_where_the_pager_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path(), 60);
    let plain = on_terminal(80, 24, &[], &["--db", &db, "games"]).text;
    for pager in ["no-such-pager", "/no/such/pager -R"] {
        let shown = on_terminal(80, 24, &[("PAGER", pager)], &["--db", &db, "games"]).text;
        let warning = shown.strip_prefix(&plain).unwrap_or_else(|| panic!("{shown}"));
        assert!(warning.starts_with("The pager ") && warning.contains("cannot be started"), "{shown}");
        // Where nothing is missed, there is nothing to say.
        let few =
            on_terminal(80, 24, &[("PAGER", pager)], &["--db", &db, "--columns", "id", "--limit", "60", "perft", "2"]);
        assert!(!few.text.contains("pager"), "{}", few.text);
    }
}

#[test]
fn as_many_records_as_fit_are_printed() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path(), 60);
    let all = ["--db", &db, "--color", "never", "--columns", "all", "games"];
    let records = |text: &str| text.lines().filter(|line| line.starts_with("id ")).count();
    for (rows, most) in [(24, 24), (60, 60), (8, usize::MAX)] {
        let shown = on_terminal(80, rows, &[], &all).text;
        let count = records(&shown);
        assert!(count >= 1 && shown.lines().count() < most, "{rows}: {shown}");
        let left = format!("+{} lines: --limit 60\n", 60 - count);
        assert!(shown.ends_with(&left), "{rows}: {shown}");
        assert!(rows == 60 || count == 1, "{rows}: {shown}");
        assert!(rows != 60 || count > 1, "{shown}");
    }
    // As many as are asked for, and all in the pager.
    assert_eq!(records(&on_terminal(80, 24, &[], &[&all[..], &["--limit", "5"]].concat()).text), 5);
    assert_eq!(records(&on_terminal(80, 24, &[("PAGER", "cat")], &all).text), 60);
    // What stands below the list goes by what its rows are.
    let games = on_terminal(80, 24, &[], &[&all[..], &["--kind", "game"]].concat()).text;
    assert!(games.contains(" games: --limit 60"), "{games}");
}

#[test]
fn a_list_of_sources_has_sizes_before_digests() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path(), 3);
    let heading = |columns, args: &[&str]| {
        let shown = on_terminal(columns, 24, &[], &[&["--db", &*db, "--color", "never"], args, &["sources"]].concat());
        (shown.text.lines().next().unwrap().to_owned(), shown.text)
    };
    let (narrow, shown) = heading(80, &[]);
    assert!(narrow.contains("lines") && narrow.contains("plies") && !narrow.contains("digest"), "{shown}");
    let csv = crownhead(Path::new(&db), &["--format", "csv", "--columns", "digest", "sources"]).out;
    let digest = csv.lines().nth(1).unwrap();
    assert_eq!(digest.len(), 32, "{csv}");
    let (wide, shown) = heading(200, &[]);
    assert!(wide.contains("digest") && shown.contains(&digest[..12]) && !shown.contains(&digest[..13]), "{shown}");
    assert!(heading(80, &["--columns", "digest"]).1.contains(digest), "whole where it is asked for");
    assert!(crownhead(Path::new(&db), &["sources"]).out.contains(digest), "and in a pipe");
}

#[test]
fn errors_of_usage_obey_color_and_explain_numbers_below_0() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path(), 1);
    let colored = |args: &[&str]| on_terminal(80, 24, &[], &[&["--db", &*db], args].concat()).text.contains("\u{1b}[");
    assert!(colored(&["--color", "always", "moves", "--bogus"]));
    for args in [
        &["--color", "never", "moves", "--bogus"][..],
        &["moves", "--bogus", "--color=never"],
        &["--color", "never", "bogus", "--help"],
        &["--color", "never", "help", "bogus"],
        &["--color", "never", "moves", "99-98"],
        &["--color", "never", "moves", "--help"],
    ] {
        assert!(!colored(args), "{args:?}");
        let dyed = [&["--color", "always"], &args[args.len().saturating_sub(2)..]].concat();
        assert!(args[0] != "--color" || colored(&dyed), "{dyed:?}");
    }
    for (args, told) in [
        (&["moves", "-1"][..], "a position is a FEN, moves, a ballot (1 to 174) or an opening's name"),
        (&["show", "-14"], "unexpected argument '-14' found\n\n  tip: a number below 0 is not taken here"),
        (&["search", "--", "-14"], "a number below 0 is not taken here"),
        (&["annotate", "-5"], "the ids of lines begin with 1"),
        (&["games", "--limit", "-1"], "'--limit' takes no number below 0"),
        (&["games", "--limit=-1"], "it takes no number below 0"),
        (&["--offset", "-3", "games"], "'--offset' takes no number below 0"),
        (&["prepare", "x", "--result", "loss"], "games lost with Black: '--side black --result white'"),
        (&["games", "--result", "won"], "games lost with Black: '--black NAME --result white'"),
        (&["--ballot", "1", "games"], "'--ballot' is an option of games: write it after the command"),
        (&["egdb", "help", "verify"], "write it first: 'crownhead help egdb'"),
    ] {
        let ran = crownhead(Path::new(&db), args);
        assert!(ran.status == Some(2) && ran.err.contains(told), "{args:?}: {}", ran.err);
    }
}

#[test]
fn a_command_in_a_message_stays_on_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path(), 1);
    let shown = on_terminal(56, 24, &[], &["--db", &db, "--color", "never", "opening", "zzzz"]);
    assert!(shown.text.lines().any(|line| line == "crownhead opening"), "{}", shown.text);
    let shown = on_terminal(80, 24, &[], &["--color", "never", "sql", "--player", "x"]).text;
    assert!(shown.contains("is an option of: games,") && shown.contains("\n       prepare, annotate\n"), "{shown}");
}

#[test]
fn averages_have_one_decimal_for_people_and_identify_fits_a_screen() {
    let folder = tempfile::tempdir().unwrap();
    let trunk = "1. 11-15 23-19 2. 8-11 22-17 3. 4-8";
    let games = [("Ash", trunk.to_owned()), ("Birch", trunk.to_owned()), ("Elm", format!("{trunk} 17-13"))];
    let text: String = games.iter().map(|(black, moves)| game(black, "Fir", moves)).collect();
    let db = stored(folder.path(), &text);
    let columns = ["report", "openings", "--columns", "average_plies"];
    let printed = |format| {
        on_terminal(120, 50, &[], &[&["--db", &*db, "--color", "never", "--format", format], &columns[..]].concat())
            .text
    };
    assert!(printed("table").lines().any(|line| line.trim() == "5.3"), "{}", printed("table"));
    assert!(printed("csv").lines().any(|line| line == "5.333"), "{}", printed("csv"));
    let shown = on_terminal(80, 24, &[], &["--db", &db, "--color", "never", "identify", "11-15 23-19"]).text;
    assert!(shown.lines().count() < 20 && !shown.contains("fen ") && shown.ends_with(": --columns all\n"), "{shown}");
    let all =
        on_terminal(80, 24, &[], &["--db", &db, "--color", "never", "--columns", "all", "identify", "11-15 23-19"])
            .text;
    let fen = all.lines().skip_while(|line| !line.starts_with("fen ")).take(2).collect::<Vec<_>>();
    assert!(fen.len() == 2 && fen[0].ends_with(','), "{all}");
}

#[test]
fn a_line_end_in_a_name_makes_no_line() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path(), 1);
    let file = folder.path().join("a\nerror: b.pdn");
    std::fs::write(&file, random_pdn(77, 2)).unwrap();
    crownhead_ends(Path::new(&db), 0, &["import", "--quiet", file.to_str().unwrap()]);
    let ran = crownhead(Path::new(&db), &["remove", "--number", "2", "--dry-run"]);
    assert!(ran.status == Some(0) && ran.err.contains("a\\nerror: b.pdn"), "{}", ran.err);
    assert!(!ran.err.lines().any(|line| line.starts_with("error")), "{}", ran.err);
    let id = crownhead(Path::new(&db), &["--format", "csv", "--columns", "id", "games", "--source", "error"]).out;
    let id = id.lines().nth(1).unwrap();
    for args in [
        &["show", id, "--all"][..],
        &["annotate", "--nodes", "10", "--proof-nodes", "0", file.to_str().unwrap()],
        &["verify", file.to_str().unwrap()],
        &["sources"],
        &["games"],
        &["games", "--limit", "x\nerror: y"],
        &["games", "--limit=x\nerror: y"],
        &["--x\nerror: y"],
        &["x\nerror: y"],
    ] {
        let ran = crownhead(Path::new(&db), args);
        let printed = [ran.out, ran.err].concat();
        assert!(!printed.contains("\nerror"), "{args:?}: {printed}");
    }
    let turned = crownhead(Path::new(&db), &["games", "--limit", "\u{202e}1"]).err;
    assert!(turned.contains("'\\u{202e}1'"), "{turned}");
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
    assert!(shown.ends_with("+8 details: --all\n") && !shown.contains("confidence"), "{shown}");
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

/// A database with the games of `text`, as an argument.
fn stored(folder: &Path, text: &str) -> String {
    let (pdn, db) = (folder.join("own.pdn"), folder.join("own.db"));
    std::fs::write(&pdn, text).unwrap();
    crownhead_ends(&db, 0, &["--quiet", "import", pdn.to_str().unwrap()]);
    db.to_str().unwrap().to_owned()
}

/// A game with these moves.
fn game(black: &str, white: &str, moves: &str) -> String {
    format!("[Date \"1880\"]\n[Black \"{black}\"]\n[White \"{white}\"]\n[Result \"1-0\"]\n{moves} 1-0\n\n")
}

#[test]
fn the_last_position_of_a_game_has_its_board_and_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let db = stored(folder.path(), &game("Ash, A.", "Beech, B.", "1. 11-15 23-19 2. 8-11"));
    let last = ["--db", &db, "moves", "11-15 23-19 8-11"];
    let shown = on_terminal(80, 24, &[("LC_ALL", "C.UTF-8")], &last).text;
    assert!(shown.contains("┌──") && shown.contains("  No stored game goes on from here.\n"), "{shown}");
    assert!(!shown.contains("score") && shown.contains("1 game, White to move"), "{shown}");
    let filtered = on_terminal(80, 24, &[], &[&last[..], &["--player", "ash"]].concat()).text;
    assert!(filtered.contains("No game that these filters let"), "{filtered}");
    let piped = crownhead(Path::new(&db), &["--format", "csv", "moves", "11-15 23-19 8-11"]);
    assert_eq!((piped.status, piped.out.lines().count()), (Some(0), 1), "{}", piped.out);
    assert!(piped.err.starts_with("No stored game goes on from here.\n1 game, White to move"), "{}", piped.err);
    // Who cannot move has the board too.
    let end = on_terminal(80, 24, &[("LC_ALL", "C.UTF-8")], &["--db", &db, "moves", "W:W29:B25,22"]).text;
    assert!(end.contains("┌──") && end.contains("White has no move"), "{end}");
}

#[test]
fn an_opponent_is_seen_with_both_sides_on_a_low_screen() {
    let folder = tempfile::tempdir().unwrap();
    let mut games = String::new();
    for (number, moves) in ["11-15 23-19", "9-14 22-18", "10-15 22-18", "12-16 24-20"].into_iter().enumerate() {
        for again in 0..=number {
            games += &game("Fir, F.", "Elm, E.", &format!("1. {moves}")).replace("1880", &format!("188{again}"));
        }
    }
    games += &game("Elm, E.", "Fir, F.", "1. 11-15 24-20 2. 8-11");
    games += &game("Elm, E.", "Fir, F.", "1. 9-14 22-18 2. 5-9 18-15 {[%losing]}");
    let db = stored(folder.path(), &games);
    let shown = on_terminal(80, 24, &[], &["--db", &db, "--color", "never", "prepare", "fir"]).text;
    let openings: Vec<&str> = shown
        .lines()
        .skip_while(|line| !line.contains("share"))
        .skip(2)
        .take_while(|line| line.contains("0."))
        .collect();
    let of = |side: &str| openings.iter().any(|row| row.starts_with(side));
    assert!(of("black") && of("white") && shown.contains("openings"), "{shown}");
    assert!(shown.lines().count() < 24, "{shown}");
    let limited = crownhead(Path::new(&db), &["--limit", "2", "prepare", "fir"]).out;
    assert!(limited.contains("\nOpenings\n") && limited.matches("\nwhite").count() > 2, "{limited}");
}

#[test]
fn the_moves_of_an_opening_do_not_scroll_away() {
    let folder = tempfile::tempdir().unwrap();
    let db = stored(folder.path(), &game("Ash, A.", "Beech, B.", "1. 11-15 24-20 2. 8-11"));
    let shown = |rows, args: &[&str]| on_terminal(80, rows, &[], &[&["--db", &*db], args].concat()).text;
    for rows in [24, 22] {
        let page = shown(rows, &["--color", "never", "opening", "ayrshire lassie"]);
        assert!(page.starts_with("name ") && page.lines().count() < rows.into(), "{page}");
        assert!(page.contains("1 game stood in this position: Black won 1") && page.contains("11-15 24-20"), "{page}");
    }
    assert!(shown(60, &["opening", "ayrshire lassie"]).contains("also at\n"), "where there is room");
    assert!(shown(24, &["opening", "ayrshire lassie", "--all"]).contains("also at\n"));
    let other = crownhead(Path::new(&db), &["opening", "fife"]).out;
    assert!(other.contains("No stored game stood in this position."), "{other}");
}

#[test]
fn players_and_result_stand_above_the_board_of_a_long_game() {
    let folder = tempfile::tempdir().unwrap();
    let moves = "1. 11-15 23-19 2. 8-11 22-17 3. 4-8 17-13 4. 15-18 24-20 5. 11-15 28-24 6. 8-11 26-23";
    let db = stored(folder.path(), &game("Ash, A.", "Beech, B.", moves));
    let head = "Ash, A. v Beech, B.; 1880; Old Fourteenth; Black won\n   ┌──";
    let shown =
        |rows, args: &[&str]| on_terminal(80, rows, &[("LC_ALL", "C.UTF-8")], &[&["--db", &*db], args].concat());
    assert!(shown(24, &["show", "1"]).text.contains(head), "{}", shown(24, &["show", "1"]).text);
    assert!(!shown(60, &["show", "1"]).text.contains(" v "), "where all is seen at once");
    assert!(!crownhead(Path::new(&db), &["show", "1"]).out.contains(" v "), "nor in a pipe");
    crownhead_ends(Path::new(&db), 0, &["--quiet", "annotate", "--nodes", "500", "--proof-nodes", "0"]);
    let losing = crownhead(Path::new(&db), &["--format", "csv", "--quiet", "sql", "SELECT losing_ply FROM games"]).out;
    let annotated = shown(24, &["show", "1"]).text;
    let (_, above) = annotated.split_once(" v Beech").unwrap();
    assert_eq!(
        above.contains("?? loses") && !losing.ends_with("\n\n"),
        above.contains("After the losing move"),
        "{above}"
    );
}

#[test]
fn exports_escape_on_a_terminal_what_it_would_obey_and_nowhere_else() {
    let folder = tempfile::tempdir().unwrap();
    let hidden = "A\u{202e}b\u{200b}c";
    let db =
        stored(folder.path(), &format!("[Event \"{hidden}\"]\n[Black \"Ann\"]\n\n1. 11-15 {{x\u{2066}y}} 23-19 *\n"));
    for args in [
        &["export", "pdn"][..],
        &["export", "csv"],
        &["export", "json"],
        &["--format", "csv", "games"],
        &["--format", "json", "games"],
    ] {
        let shown = on_terminal(80, 24, &[], &[&["--db", &db], args].concat());
        assert_eq!(shown.status, Some(0), "{}", shown.text);
        assert!(!shown.text.contains(['\u{202e}', '\u{200b}', '\u{2066}']), "{args:?}: {:?}", shown.text);
        assert!(shown.text.contains("A\\u{202e}b\\u{200b}c"), "{args:?}: {:?}", shown.text);
        let piped = crownhead_ends(Path::new(&db), 0, args);
        assert!(piped.contains(hidden), "{args:?}: {piped}");
    }
    assert!(crownhead_ends(Path::new(&db), 0, &["--format", "csv", "games", "--event", "abc"]).contains(hidden));
}

#[test]
fn a_pager_whose_command_no_shell_can_read_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path(), 60);
    let shown = on_terminal(80, 24, &[("PAGER", "less \"")], &["--db", &db, "--limit", "60", "games"]);
    assert_eq!(shown.status, Some(0), "{}", shown.text);
    assert!(shown.text.lines().count() > 60, "{}", shown.text);
}

#[test]
fn colour_of_help_is_as_asked() {
    let page = |when: &str| on_terminal(80, 24, &[], &["moves", "--help", "--color", when]).text;
    assert!(page("always").contains("\x1b[") && !page("never").contains("\x1b["));
    assert!(!on_terminal(80, 24, &[], &["--color=never", "--help"]).text.contains("\x1b["));
}

#[test]
fn the_words_of_the_glossary_fit_the_screen() {
    let shown = on_terminal(80, 24, &[], &["glossary"]);
    let lines: Vec<&str> = shown.text.lines().collect();
    assert!(lines.len() < 22 && lines.iter().all(|line| line.chars().count() <= 80), "{}", shown.text);
    assert!(shown.text.contains("the move") && shown.text.contains("arrivals"), "{}", shown.text);
    assert!(on_terminal(80, 24, &[], &["glossary", "--all"]).text.lines().count() > 100);
}
