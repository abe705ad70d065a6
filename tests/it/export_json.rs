//! JSON of our own exports, read again: nothing lost, nothing doubled, and nothing believed.

use std::fs;
use std::path::Path;

use crownhead::board::Variant;
use crownhead::notation::json::JsonReader;
use crownhead::notation::{Code, Location, Mark, Note, NoteKind, ParsedGame, Severity};
use tempfile::tempdir;

use crate::support::{crownhead, crownhead_ends};

fn read(text: &str) -> Vec<ParsedGame> {
    JsonReader::new(text, Location::FIRST, 1, Variant::English).collect()
}

fn codes(game: &ParsedGame) -> Vec<(Code, u32, u32)> {
    game.diagnostics.iter().map(|found| (found.code, found.location.line, found.location.column)).collect()
}

const GAME: &str = r#"{"id":7,"kind":"book","label":"12 { }","result":null,"winner":"white","verdict":"W. wins","status":"partly",
 "start":"W:W32:B1","tags":[{"name":"Event","value":"a \"b\" é"},{"name":"no name","value":"x"}],
 "comments":["first"],"marks":["$5"],"order":["comment","mark"],"unknown":{"a":[[[1,{"b":null}]]]},
 "moves":[{"move":"32-28","marks":["losing","odd"],"comments":["a\nb"],"repairs":["32 28"],"order":["repair","comment","mark"]},"1-5"],
 "variations":[{"id":8,"parent":7,"ply":1,"label":"A","moves":["32-27"]},{"id":9,"parent":8,"ply":1,"moves":[]}]}"#;

#[test]
fn an_object_is_a_game() {
    let [game] = &read(GAME)[..] else { panic!("one game") };
    assert_eq!(codes(game), [(Code::BadTag, 2, 66)]);
    assert_eq!((game.kind.name(), game.label.as_deref(), game.cut_short), ("book", Some("12 { }"), true));
    assert_eq!((game.tag("Event"), game.tag("Result")), (Some("a \"b\" é"), Some("0-1")));
    assert_eq!(game.original_result.as_deref(), Some(""));
    assert_eq!(game.verdict.as_ref().map(|verdict| verdict.written.as_str()), Some("W. wins"));
    let note = |ply, kind| Note { ply, kind };
    let comment = |text: &str| NoteKind::Comment(text.to_owned());
    assert_eq!(
        game.line.notes,
        [
            note(0, comment("first")),
            note(0, NoteKind::Mark(Mark::Nag(5))),
            note(1, NoteKind::Repaired("32 28".to_owned())),
            note(1, comment("a b")),
            note(1, NoteKind::Mark(Mark::Losing)),
            note(1, comment("odd")),
        ]
    );
    assert_eq!(game.line.moves.iter().map(|m| m.squares.to_vec()).collect::<Vec<_>>(), [vec![32, 28], vec![1, 5]]);
    assert_eq!((game.line.moves[0].location.line, game.line.moves[0].location.column), (4, 19));
    let hangs: Vec<_> = game.variations.iter().map(|branch| (branch.parent, branch.ply)).collect();
    assert_eq!(hangs, [(None, 1), (Some(0), 1)]);
    assert_eq!(game.span, 0..GAME.len() as u64);
}

/// What a hand-made object says of its result: the winner by colour, else the text; a word that is neither is told.
#[test]
fn words_that_are_not_known_are_told_and_the_result_speaks() {
    type Said = (&'static str, Option<&'static str>, Option<&'static str>, &'static [&'static str]);
    let cases: &[Said] = &[
        (r#""result":"1-0","winner":"Black""#, Some("1-0"), None, &["Black"]),
        (r#""result":"1-0","winner":"white""#, Some("0-1"), Some("1-0"), &[]),
        (r#""winner":"white""#, Some("0-1"), None, &[]),
        (r#""winner":"draw""#, Some("1/2-1/2"), None, &[]),
        (r#""winner":"unknown""#, None, None, &[]),
        (r#""result":null,"winner":"white""#, None, None, &[]),
        (r#""result":"0-0","winner":"unknown""#, Some("*"), Some("0-0"), &[]),
        (r#""winner":null,"kind":"gmae""#, None, None, &["gmae"]),
    ];
    for (keys, tag, original, told) in cases {
        let games = read(&format!("{{{keys},\"moves\":[\"11-15\"]}}"));
        let [game] = &games[..] else { panic!("one game") };
        assert_eq!((game.tag("Result"), game.original_result.as_deref()), (*tag, *original), "{keys}");
        let found: Vec<&str> = game.diagnostics.iter().map(|finding| finding.found.as_str()).collect();
        assert_eq!(found, *told, "{keys}");
        assert!(game.diagnostics.iter().all(|finding| finding.severity == Severity::Warning), "{keys}");
    }
}

#[test]
fn damage_costs_no_more_than_it_must() {
    /// A text, the moves kept of each game, and what is reported first: code, line, column.
    type Damage = (&'static str, &'static [usize], Option<(Code, u32, u32)>);
    let cases: &[Damage] = &[
        ("[]", &[], None),
        (r#"[{"moves":[]},{"moves":["1-2"]}]"#, &[0, 1], None),
        ("{\"moves\":[\"1-2\"]}\n{\"moves\":[\"1-2\",\"3-4\"]}", &[1, 2], None),
        // Cut in the middle of a move, of a key, of a string.
        (r#"[{"moves":["1-2","3-4"#, &[2], Some((Code::BadJson, 1, 22))),
        (r#"{"moves":["1-2",{"mo"#, &[2], Some((Code::BadJson, 1, 21))),
        ("{\"moves\":[\"1-2\",\"3-\n{\"moves\":[\"1-2\"]}", &[2, 1], Some((Code::UnknownToken, 1, 17))),
        // The wrong types.
        (r#"{"moves":{"a":1}}"#, &[0], Some((Code::BadJson, 1, 10))),
        (r#"{"moves":["1-2",5,null,"3-4"]}"#, &[4], Some((Code::BadJson, 1, 17))),
        (r#"{"moves":["1-2"],"label":[1],"id":1e99,"tags":"x","comments":{}}"#, &[1], Some((Code::BadJson, 1, 26))),
        (r#"{"moves":["99999999999999999999-1"]}"#, &[1], Some((Code::UnknownToken, 1, 11))),
        (r#"{"moves":["1-2"],"variations":[{"parent":4,"ply":1,"moves":[]}]}"#, &[1], Some((Code::BadJson, 1, 32))),
        (r#"{"moves":["1-2"],"variations":[{"ply":-1,"moves":[]}]}"#, &[1], Some((Code::BadJson, 1, 39))),
        (r#"{"start":"W:W99:B1","moves":[]}"#, &[0], Some((Code::BadFen, 1, 10))),
        // No game at all.
        (r#"{"a":1}"#, &[0], Some((Code::BadJson, 1, 1))),
        (r#"{"moves" "x"}"#, &[0], Some((Code::BadJson, 1, 10))),
    ];
    for (text, moves, first) in cases {
        let games = read(text);
        assert_eq!(games.iter().map(|game| game.line.moves.len()).collect::<Vec<_>>(), *moves, "{text}");
        assert_eq!(games.iter().flat_map(codes).next(), *first, "{text}");
    }
}

#[test]
fn depth_and_size_overflow_nothing() {
    let deep = format!("{{\"x\":{}{},\"moves\":[\"9-14\"]}}", "[".repeat(200_000), "]".repeat(200_000));
    assert_eq!(read(&deep)[0].line.moves.len(), 1);
    assert_eq!(read(&"{\"a\":".repeat(100_000)).len(), 1);
    assert_eq!(read(&"[".repeat(100_000)).len(), 0);
    let mut stray = JsonReader::new("1 true \"x\" }", Location::FIRST, 1, Variant::English);
    assert_eq!((stray.by_ref().count(), stray.take_outside().len()), (0, 4));
}

#[test]
fn every_move_is_replayed_and_told_by_its_place() {
    let folder = tempdir().unwrap();
    let (db, file) = (folder.path().join("a.db"), folder.path().join("a.json"));
    fs::write(
        &file,
        "[\n  {\"tags\":[],\"moves\":[{\"move\":\"11-15\"},{\"move\":\"30-14\",\"fen\":\"W:WK1:BK2\"}]}\n]\n",
    )
    .unwrap();
    let ran = crownhead(&db, &["import", file.to_str().unwrap()]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.err.contains("a.json:2:48: "), "{}", ran.err);
    let raw = crownhead_ends(&db, 0, &["show", "1", "--raw"]);
    assert!(raw.starts_with("{\"tags\":[],") && raw.trim_end().ends_with("]}"), "{raw}");
    // A comment of PDN is not taken for JSON, and JSON is known without its name.
    fs::write(folder.path().join("p"), "{\"Words\" in a comment}\n[Event \"x\"]\n1. 9-13 *").unwrap();
    fs::write(folder.path().join("j"), "{\"moves\":[\"9-14\"]}\n").unwrap();
    crownhead_ends(
        &db,
        0,
        &["import", folder.path().join("p").to_str().unwrap(), folder.path().join("j").to_str().unwrap()],
    );
    let forms = crownhead_ends(&db, 0, &["--format", "csv", "sql", "SELECT form FROM sources"]);
    assert_eq!(forms, "form\njson\npdn\njson\n");
}

/// Many chunks of one long line, and of many: numbers and places go through.
#[test]
fn long_files_are_read_in_pieces() {
    let folder = tempdir().unwrap();
    let games: Vec<String> = (0..9_000)
        .map(|n| {
            format!(
                "{{\"tags\":[{{\"name\":\"Event\",\"value\":\"number {n} {}\"}}],\"moves\":[\"11-15\",\"23-19\"]}}",
                "x".repeat(60)
            )
        })
        .collect();
    let last_bad = r#"{"tags":[{"name":"Event","value":"bad"}],"moves":["11-15","1-2"]}"#;
    for (name, joint) in [("line.json", ","), ("lines.ndjson", "\n")] {
        let (db, file) = (folder.path().join(format!("{name}.db")), folder.path().join(name));
        let text = format!("{}{joint}{last_bad}", games.join(joint));
        let text = if joint == "," { format!("[{text}]") } else { text };
        fs::write(&file, &text).unwrap();
        let ran = crownhead(&db, &["import", file.to_str().unwrap()]);
        let column = 1 + text.lines().last().unwrap().find("\"1-2\"").unwrap();
        let line = text.lines().count();
        assert!(ran.err.contains(&format!("{name}:{line}:{column}: ")), "{}", ran.err);
        let count = crownhead_ends(&db, 0, &["--format", "csv", "sql", "SELECT read, stored, partly FROM sources"]);
        assert_eq!(count, "read,stored,partly\n9001,9000,1\n");
    }
}

/// What an export of `db` says, ids and sources aside.
fn exported(db: &Path) -> String {
    let text = crownhead_ends(db, 0, &["--format", "ndjson", "export", "json"]);
    let mut known = std::collections::HashMap::new();
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut game: serde_json::Value = serde_json::from_str(line).unwrap();
        game["source"] = serde_json::Value::Null;
        game["place"] = serde_json::Value::Null;
        let mut number = |id: &serde_json::Value| {
            let next = known.len();
            (*known.entry(id.as_u64().unwrap()).or_insert(next)).into()
        };
        game["id"] = number(&game["id"]);
        for variation in game["variations"].as_array_mut().unwrap() {
            variation["id"] = number(&variation["id"]);
            variation["parent"] = number(&variation["parent"]);
        }
        lines.push(game.to_string());
    }
    lines.join("\n")
}

#[test]
fn a_comment_with_a_brace_goes_through_pdn_too() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let game = r#"{"tags":[{"name":"Event","value":"}"}],"comments":["{a} 100%7D","[%losing]"],"moves":[{"move":"9-14","comments":["b}"],"repairs":["9 }14"]}]}"#;
    fs::write(path("a.json"), game).unwrap();
    crownhead_ends(&path("a.db"), 0, &["import", path("a.json").to_str().unwrap()]);
    fs::write(path("b.pdn"), crownhead_ends(&path("a.db"), 0, &["export", "pdn"])).unwrap();
    crownhead_ends(&path("b.db"), 0, &["import", path("b.pdn").to_str().unwrap()]);
    let (one, two) = (exported(&path("a.db")), exported(&path("b.db")));
    let two = two.replace(r#"{"name":"GameType","value":"21"}"#, "").replace(r#""},]"#, r#""}]"#);
    assert_eq!(one, two);
    assert!(one.contains(r#""comments":["{a} 100%7D","[%losing]"]"#), "{one}");
}
