//! PDN: every file of the corpus against its golden reading, and laws that hold for any text.
//!
//! `CROWNHEAD_BLESS=1 cargo test pdn` writes the golden files anew; read the difference before you keep it.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crownhead::board::{Color, Square, Variant};
use crownhead::notation::pdn::{self, Carried, PdnDocument, PdnEvent, PdnReader};
use crownhead::notation::{Location, Mark, NoteKind, ParsedGame, ParsedLine, Severity, Sign, fen};
use proptest::prelude::*;

fn read(text: &str) -> Vec<ParsedGame> {
    PdnReader::new(text, Location::FIRST, 1, Variant::English).collect()
}

fn moves(line: &ParsedLine) -> String {
    let mut words = Vec::new();
    for played in &line.moves {
        let squares: Vec<_> = played.squares.iter().map(ToString::to_string).collect();
        words.push(match (squares.is_empty(), played.sign) {
            (true, _) => "--".to_owned(),
            (_, Sign::Capture) => squares.join("x"),
            (_, Sign::Quiet | Sign::Silent) => squares.join("-"),
        });
    }
    words.join(" ")
}

fn golden(text: &str) -> String {
    let mut out = String::new();
    let games = read(text);
    writeln!(out, "games {}", games.len()).unwrap();
    for game in &games {
        let line = &game.line;
        let terminator = game.terminator.as_deref().unwrap_or("none");
        writeln!(out, "\ngame {} line {} plies {}", game.number, game.location.line, line.moves.len()).unwrap();
        for tag in &game.tags {
            writeln!(out, "tag {} = {}", tag.name, tag.value).unwrap();
        }
        if let Some(setup) = &game.setup {
            writeln!(out, "setup {}", fen::write(setup)).unwrap();
        } else if game.bad_setup {
            writeln!(out, "setup bad").unwrap();
        }
        writeln!(out, "moves {}", moves(line)).unwrap();
        notes(&mut out, line);
        for variation in &game.variations {
            let parent = variation.parent.map_or("main".to_owned(), |parent| parent.to_string());
            writeln!(out, "variation of {parent} at {}: {}", variation.ply, moves(&variation.line)).unwrap();
            notes(&mut out, &variation.line);
        }
        writeln!(out, "terminator {terminator}").unwrap();
        for told in &game.diagnostics {
            let (severity, place) = (told.severity.name(), told.location);
            let text = [&told.found, &told.expected].map(String::as_str).join(" | ");
            writeln!(out, "{severity} {} {}:{} ply {} | {text}", told.code, place.line, place.column, told.ply)
                .unwrap();
        }
    }
    out
}

fn notes(out: &mut String, line: &ParsedLine) {
    for note in &line.notes {
        match &note.kind {
            NoteKind::Comment(text) => writeln!(out, "note {}: {text}", note.ply),
            kind => writeln!(out, "note {}: {kind:?}", note.ply),
        }
        .unwrap();
    }
}

fn corpus(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/pdn").join(folder);
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// Accepted files have no errors, rejected ones have; each has its golden reading, and nothing else lies there.
#[test]
fn corpus_files_read_as_their_golden_readings_say() {
    let bless = std::env::var_os("CROWNHEAD_BLESS").is_some();
    for (folder, accepted) in [("accept", true), ("reject", false)] {
        let files = corpus(folder);
        assert!(files.iter().any(|file| file.extension().is_some_and(|ext| ext == "pdn")), "{folder} is empty");
        for file in files {
            match file.extension().and_then(|ext| ext.to_str()) {
                Some("pdn") => {}
                Some("golden") => {
                    assert!(file.with_extension("pdn").exists(), "{} has no input", file.display());
                    continue;
                }
                _ => panic!("{} is neither an input nor a golden reading", file.display()),
            }
            let text = fs::read_to_string(&file).unwrap();
            let errors = read(&text).iter().flat_map(|g| &g.diagnostics).any(|d| d.severity == Severity::Error);
            assert_eq!(!errors, accepted, "{}", file.display());
            let (got, path) = (golden(&text), file.with_extension("golden"));
            if bless {
                fs::write(&path, &got).unwrap();
            }
            let wanted = fs::read_to_string(&path).unwrap_or_default();
            assert_eq!(got, wanted, "{}", file.display());
        }
    }
}

#[test]
fn brackets_twenty_thousand_deep_are_read() {
    const DEPTH: usize = 20_000;
    let text = format!("1. 11-15 {}{} 1... 23-19 *\n", "(1. 9-14 ".repeat(DEPTH), ")".repeat(DEPTH));
    let games = read(&text);
    let [game] = games.as_slice() else { panic!("{} games", games.len()) };
    assert_eq!((game.line.moves.len(), game.variations.len(), game.diagnostics.len()), (2, DEPTH, 0));
    assert_eq!(game.variations[DEPTH - 1].parent, Some(DEPTH as u32 - 2));
    assert!(game.variations.iter().all(|v| v.ply == 1 && v.line.moves.len() == 1));
}

#[test]
fn brackets_never_closed_are_one_error_and_the_next_game_is_read() {
    let games = read(&format!("[Event \"a\"]\n1. 11-15 {}*\n\n[Event \"b\"]\n1. 9-14 *\n", "(".repeat(50_000)));
    let counts: Vec<_> = games.iter().map(|g| (g.line.moves.len(), g.diagnostics.len())).collect();
    assert_eq!(counts, [(1, 1), (1, 0)]);
    assert_eq!(games[0].terminator.as_deref(), Some("*"));
    assert_eq!(games[0].diagnostics[0].expected, "bracket opened at line 2 is not closed (50000 open at the end)");
}

#[test]
fn an_asterisk_glued_to_a_move_marks_it_unless_it_ends_the_game() {
    let games = read("1. 11-15* 23-19 2. 8-11*\n\n1. 9-14 22-18* *\n");
    assert_eq!(games.iter().map(|g| g.line.moves.len()).collect::<Vec<_>>(), [3, 2]);
    let stars: Vec<_> = games.iter().map(|g| g.line.notes.iter().map(|n| n.ply).collect::<Vec<_>>()).collect();
    assert_eq!(stars, [vec![1], vec![2]]);
    assert!(games.iter().all(|g| g.line.notes.iter().all(|n| n.kind == NoteKind::Mark(Mark::Star))));
    assert!(games.iter().all(|g| g.terminator.as_deref() == Some("*")));
}

#[test]
fn comments_behind_the_final_marker_stay_with_their_game() {
    let games = read("1. 11-15 1-0 {same line} ; and this\n{next}\n[Event \"b\"]\n1. 9-14 *\n{the end}\n");
    let told: Vec<_> =
        games.iter().map(|g| g.line.notes.iter().map(|n| (n.ply, n.kind.clone())).collect::<Vec<_>>()).collect();
    let comment = |ply, text: &str| (ply, NoteKind::Comment(text.to_owned()));
    let wanted: [Vec<_>; 2] =
        [vec![comment(1, "same line"), comment(1, "and this")], vec![comment(0, "next"), comment(1, "the end")]];
    assert_eq!(told, wanted);
}

#[test]
fn games_without_final_marker_end_at_a_blank_line_and_move_number_one() {
    let games = read("1. 11-15 23-19 2. 8-11\n\n1. 9-14 22-18\n\n2. 5-9\n");
    assert_eq!(games.iter().map(|g| moves(&g.line)).collect::<Vec<_>>(), ["11-15 23-19 8-11", "9-14 22-18 5-9"]);
}

#[test]
fn words_that_no_game_follows_are_told() {
    let mut reader = PdnReader::new("hello there\n{what}\n", Location::FIRST, 1, Variant::English);
    assert_eq!(reader.by_ref().count(), 0);
    let told: Vec<_> = reader.take_outside().into_iter().map(|d| (d.location.line, d.found, d.game)).collect();
    assert_eq!(told, [(1, "hello there".to_owned(), 0), (1, "what".to_owned(), 0)]);
}

#[test]
fn old_macintosh_line_ends_count_as_lines() {
    let games = read("[Event \"a\"]\r1. 11-15 ; said\r 23-19 x *\r");
    assert_eq!(moves(&games[0].line), "11-15 23-19");
    assert_eq!(games[0].diagnostics[0].location.line, 3);
}

#[test]
fn columns_count_characters() {
    let games = read("1. 11-15 {é – é} ) *");
    assert_eq!((games[0].diagnostics[0].location.byte, games[0].diagnostics[0].location.column), (21, 18));
}

#[test]
fn a_text_cut_where_split_says_gives_the_same_games() {
    let mut text = String::new();
    for game in 1..=200 {
        write!(text, "[Event \"é {game}\"]\n[Result \"1-0\"]\n1. 11-15 {{a {{ brace}} 23-19\n2. 8-11 1-0\n\n").unwrap();
        if game == 100 {
            text.push_str("[Event \"open\"]\n1. 9-14 {never closed 22-18 *\n\n");
        }
    }
    let whole = read(&text);
    let (mut parts, mut rest, mut start) = (Vec::new(), text.as_str(), Location::FIRST);
    while !rest.is_empty() {
        let cut = pdn::split(rest.as_bytes(), 1000).unwrap_or(rest.len());
        let (part, behind) = rest.split_at(cut);
        parts.extend(PdnReader::new(part, start, parts.len() as u32 + 1, Variant::English));
        start.byte += cut as u64;
        start.line += part.matches('\n').count() as u32;
        rest = behind;
    }
    assert_eq!(whole.len(), 201);
    for (part, whole) in parts.iter().zip(&whole) {
        assert_eq!(part, whole);
    }
    assert_eq!(parts.len(), whole.len());
}

#[test]
fn split_finds_nothing_where_nothing_is_sure() {
    assert_eq!(pdn::split(b"1. 11-15 *\n\n1. 9-14 *\n", 0), None);
    assert_eq!(pdn::split(b"[Event \"a\"]\n[Site \"b\"]\n1. 11-15 *\n", 0), None);
    assert_eq!(pdn::split(b"[A \"a\"]\n1-0\n\n[A \"b\"]\n*\n", 1), Some(13));
    assert_eq!(pdn::split(b"[A \"a\"]\n1-0\n\n[A \"b\"]\n*\n", 13), Some(13));
    assert_eq!(pdn::split(b"[A \"a\"]\n1-0\n\n[A \"b\"]\n*\n", 14), None);
    assert_eq!(pdn::split(b"", 5), None);
}

#[test]
fn own_annotations_are_left_out_and_other_peoples_stay() {
    let text = "1. 11-15 $1 23-19 $6 $4 {Crownhead found: lost} ({Crownhead found: better} 1... 22-18 $2 (22-17 23-18) 15x22) (1... 24-19 {x}) 2. 8-11 {Crownhead}
        {Crownhead found: drawn} 22-17 $1 {Crownhead found: x}
        ((11-16) {Crownhead found: better} 4-8) *";
    let games = read(text);
    assert_eq!(games[0].variations.len(), 1, "one that holds another is left out with it");
    assert_eq!(moves(&games[0].variations[0].line), "24-19");
    let kept: Vec<_> = games[0].line.notes.iter().map(|note| (note.ply, format!("{:?}", note.kind))).collect();
    let wanted = [(1, "Mark(Nag(1))"), (2, "Mark(Nag(6))"), (3, "Comment(\"Crownhead\")"), (4, "Mark(Nag(1))")];
    assert_eq!(kept, wanted.map(|(ply, kind)| (ply, kind.to_owned())));
    let told: Vec<_> = games[0].diagnostics.iter().map(|told| format!("{told:?}")).collect();
    assert!(told.len() == 1 && told[0].contains("5 by Crownhead"), "{told:?}");
    let theirs = Carried::Note(NoteKind::Comment("Crownhead found: theirs".to_owned())).text();
    let read_back = read(&format!("1. 11-15 {{{theirs}}} *"));
    assert_eq!(read_back[0].line.notes[0].kind, NoteKind::Comment("Crownhead found: theirs".to_owned()));
}

#[test]
fn moves_are_written_as_numbers() {
    let squares = [15, 22, 31].map(|number| Square::new(number - 1));
    assert_eq!(pdn::move_text(&squares, true), "15x22x31");
    assert_eq!(pdn::move_text(&squares[..2], false), "15-22");
}

fn played(text: &str, color: Color) -> PdnEvent<'static> {
    PdnEvent::Move { text: text.to_owned(), color }
}

#[test]
fn the_second_player_has_numbers_with_three_dots() {
    use PdnEvent::{VariationEnd, VariationStart};
    let events = vec![
        played("16-21", Color::Black),
        VariationStart,
        played("18-22", Color::Black),
        played("27x29", Color::White),
        VariationEnd,
        played("27x16", Color::White),
        played("23-28", Color::Black),
    ];
    let first_player = Color::White;
    let document = PdnDocument { tags: Vec::new(), first_player, first_number: 1, events, terminator: "*" };
    assert_eq!(pdn::write(&document), "1... 16-21 (1... 18-22 2. 27x29) 2. 27x16 23-28 *\n\n");
}

/// A game as the writer takes it, with comments and values owned.
#[derive(Clone, Debug)]
enum Step {
    Move(Vec<u8>, bool),
    Comment(String),
    Nag(u8),
    Start,
    End,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (prop::collection::vec(1u8..=50, 2..5), any::<bool>()).prop_map(|(mut squares, capture)| {
            // Of two squares, 1-1 and the like are scores.
            squares.dedup();
            if squares.len() < 2 { squares = vec![11, 15]; }
            Step::Move(squares, capture)
        }),
        1 => "[ -|~é\\[\\]%\"]{1,120}".prop_map(|text| Step::Comment(text.trim().to_owned())),
        1 => (0u8..=255).prop_map(Step::Nag),
        1 => Just(Step::Start),
        1 => Just(Step::End),
    ]
}

/// What the reader makes of a game, places left out.
fn events(game: &ParsedGame) -> Vec<(Option<u32>, u32, Vec<String>)> {
    let line = |line: &ParsedLine| {
        let mut told: Vec<_> = line.moves.iter().map(|m| format!("{:?} {:?}", m.squares, m.sign)).collect();
        told.extend(line.notes.iter().map(|n| format!("{} {:?}", n.ply, n.kind)));
        told
    };
    let branches = game.variations.iter().map(|v| (v.parent, v.ply, line(&v.line)));
    std::iter::once((None, 0, line(&game.line))).chain(branches).collect()
}

fn document<'a>(tags: &'a [(String, String)], steps: &'a [Step]) -> PdnDocument<'a> {
    let mut colors = vec![Color::Black];
    let mut events = Vec::new();
    for step in steps {
        let turn = colors.last_mut().unwrap();
        match step {
            Step::Move(squares, capture) => {
                let squares: Vec<_> = squares.iter().map(|&number| Square::new(number - 1)).collect();
                events.push(PdnEvent::Move { text: pdn::move_text(&squares, *capture), color: *turn });
                *turn = !*turn;
            }
            Step::Comment(text) => events.push(PdnEvent::Comment(text)),
            Step::Nag(nag) => events.push(PdnEvent::Nag(*nag)),
            Step::Start => {
                let turn = !*turn;
                colors.push(turn);
                events.push(PdnEvent::VariationStart);
            }
            Step::End if colors.len() > 1 => {
                colors.pop();
                events.push(PdnEvent::VariationEnd);
            }
            Step::End => {}
        }
    }
    let tags = tags.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    PdnDocument { tags, first_player: Color::Black, first_number: 1, events, terminator: "1-0" }
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(
        values in prop::collection::vec("[ -~éß–]{0,40}", 1..6),
        steps in prop::collection::vec(step(), 0..40),
    ) {
        let tags: Vec<_> = values.into_iter().enumerate().map(|(i, value)| (format!("Tag{i}"), value)).collect();
        let document = document(&tags, &steps);
        let text = pdn::write(&document);
        let games = read(&text);
        prop_assert_eq!(games.len(), 1, "{}", text);
        let game = &games[0];
        let errors: Vec<_> = game.diagnostics.iter().filter(|d| d.code != crownhead::notation::Code::MoveNumber).collect();
        prop_assert!(errors.is_empty(), "{:?}\n{}", errors, text);
        let read_tags: Vec<_> = game.tags.iter().map(|tag| (tag.name.clone(), tag.value.clone())).collect();
        prop_assert_eq!(&read_tags, &tags);
        prop_assert_eq!(game.terminator.as_deref(), Some("1-0"));
        let count = |wanted: fn(&PdnEvent<'_>) -> bool| document.events.iter().filter(|e| wanted(e)).count();
        let lines = || std::iter::once(&game.line).chain(game.variations.iter().map(|v| &v.line));
        prop_assert_eq!(lines().map(|l| l.moves.len()).sum::<usize>(), count(|e| matches!(e, PdnEvent::Move { .. })));
        prop_assert_eq!(game.variations.len(), count(|e| matches!(e, PdnEvent::VariationStart)));
        let comments: Vec<_> = document.events.iter().filter_map(|event| match event {
            PdnEvent::Comment(text) if !text.is_empty() => Some((*text).to_owned()),
            _ => None,
        }).collect();
        let mut wanted = comments;
        let mut got: Vec<_> = lines().flat_map(|l| &l.notes).filter_map(|note| match &note.kind {
            NoteKind::Comment(text) => Some(text.clone()),
            _ => None,
        }).collect();
        wanted.sort();
        got.sort();
        prop_assert_eq!(got, wanted, "{}", text);
        for line in text.lines().skip(tags.len()) {
            prop_assert!(line.chars().count() <= 80 || line.trim_end_matches('}').len() > 60, "{}", line);
        }
        // A second reading of the same text without its line ends is the same game.
        let (head, body) = text.split_at(text.find("\n\n").unwrap_or(0));
        let unwrapped = format!("{head}\n\n{}", body.trim().replace('\n', " "));
        prop_assert_eq!(events(&read(&unwrapped)[0]), events(game));
    }

    #[test]
    fn any_text_is_read_without_panic_and_spans_cover_it(
        pieces in prop::collection::vec(prop_oneof![
            "\\PC{0,8}", "[0-9x:. -]{1,8}", Just("\n".to_owned()), Just("\n\n".to_owned()),
            Just("[Event \"".to_owned()), Just("\"]".to_owned()), Just("{".to_owned()), Just("}".to_owned()),
            Just("(".to_owned()), Just(")".to_owned()), Just("*".to_owned()), Just(" 1-0 ".to_owned()),
            Just("; ".to_owned()), Just("[Result \"4-6\"]".to_owned()), Just("4-6".to_owned()),
            Just("/FEN \"x\"/".to_owned()), Just("½".to_owned()), Just("\0\u{1a}".to_owned()), Just("%".to_owned()),
        ], 0..40),
    ) {
        let text = pieces.concat();
        let mut reader = PdnReader::new(&text, Location::FIRST, 1, Variant::English);
        let games: Vec<_> = reader.by_ref().collect();
        let outside = reader.take_outside();
        let mut end = 0;
        for game in &games {
            let (from, to) = (game.span.start as usize, game.span.end as usize);
            prop_assert!(end <= from && from <= to && text.is_char_boundary(from) && text.is_char_boundary(to));
            prop_assert!(is_blank(&text[end..from]), "{:?} before {:?}", &text[end..from], game.span);
            end = to;
        }
        prop_assert!(!outside.is_empty() || is_blank(&text[end..]), "{:?}", &text[end..]);
        for told in games.iter().flat_map(|game| &game.diagnostics).chain(&outside) {
            let before = &text[..told.location.byte as usize];
            if text.contains('\n') {
                prop_assert_eq!(told.location.line as usize, 1 + before.matches('\n').count());
                let line = before.rfind('\n').map_or(before, |at| &before[at + 1..]);
                prop_assert_eq!(told.location.column as usize, 1 + line.chars().count());
            }
        }
        let _ = pdn::split(text.as_bytes(), text.len() / 2);
    }

    #[test]
    fn fens_are_read_without_panic(text in "[?WBKwbk:,. 0-9-]{0,30}|\\PC{0,20}") {
        if let Ok(read) = fen::read(&text, Variant::English) {
            let strict = fen::write(&read.setup);
            prop_assert_eq!(fen::write(&fen::read(&strict, Variant::English).unwrap().setup), strict);
        }
    }
}

/// Whether the reader passes over this between games.
fn is_blank(text: &str) -> bool {
    text.lines().all(|line| {
        line.starts_with('%') || line.chars().all(|c| c.is_whitespace() || matches!(c, '\u{FEFF}' | '\u{1a}'))
    })
}
