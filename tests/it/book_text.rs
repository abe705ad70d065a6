//! The reader of books' text: every fixture against its golden reading, the project's own data, and laws.
//!
//! `CROWNHEAD_BLESS=1` writes the golden files anew; look at the difference before you commit it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crownhead::board::{Move, Outcome, Variant};
use crownhead::notation::book::{self, BookText, Reason};
use crownhead::notation::{Code, Diagnostic, LeftAlone, LineKind, Mark, NoteKind, ParsedGame, ParsedLine, ParsedMove};
use crownhead::rules::Position;
use proptest::prelude::*;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The legal move that a written one is, where one only fits.
fn fit(position: &Position, written: &ParsedMove) -> Option<Move> {
    let (from, to) = (written.squares.first()?, written.squares.last()?);
    let mut fitting =
        position.legal_moves().into_iter().filter(|legal| legal.from.number() == *from && legal.to.number() == *to);
    fitting.next().filter(|_| fitting.next().is_none())
}

/// How many plies of a line are legal from the start, and the position they lead to.
fn replay(line: &ParsedLine) -> (usize, Position) {
    let mut position = Position::start(Variant::English);
    for (ply, written) in line.moves.iter().enumerate() {
        match fit(&position, written) {
            Some(legal) => position = position.play_unchecked(&legal),
            None => return (ply, position),
        }
    }
    (line.moves.len(), position)
}

fn moves(line: &ParsedLine) -> String {
    let spell = |each: &ParsedMove| {
        let squares: Vec<_> = each.squares.iter().map(ToString::to_string).collect();
        if squares.is_empty() { "?".to_owned() } else { squares.join("-") }
    };
    line.moves.iter().map(spell).collect::<Vec<_>>().join(" ")
}

/// What was read, for people: the form of the golden files.
fn show(read: &BookText) -> String {
    let mut out = String::new();
    for game in &read.games {
        let _ = writeln!(
            out,
            "{} {} {}:{} bytes {}..{}: {}",
            game.kind.name(),
            game.number,
            game.location.line,
            game.location.column,
            game.span.start,
            game.span.end,
            game.label.as_deref().unwrap_or("-")
        );
        let _ = writeln!(out, "  {}", moves(&game.line));
        for other in &game.other_readings {
            let _ = writeln!(out, "  or {}", moves(other));
        }
        let _ = writeln!(out, "  plies {}, legal {}", game.line.moves.len(), replay(&game.line).0);
        for branch in &game.variations {
            let label = branch.label.as_deref().unwrap_or("-");
            let _ = writeln!(out, "  ({label}) at {} {}", branch.ply, moves(&branch.line));
            let mut whole =
                ParsedLine { moves: game.line.moves[..branch.ply as usize - 1].to_vec(), notes: Vec::new() };
            whole.moves.extend(branch.line.moves.iter().cloned());
            let _ = writeln!(out, "  plies {}, legal {}", whole.moves.len(), replay(&whole).0);
        }
        if let Some(stated) = game.stated_plies {
            let _ = writeln!(out, "  stated {stated}");
        }
        for note in &game.line.notes {
            let _ = match &note.kind {
                NoteKind::Comment(text) => writeln!(out, "  {} comment {text}", note.ply),
                NoteKind::Mark(mark) => writeln!(out, "  {} mark {mark:?}", note.ply),
                NoteKind::Repaired(written) => writeln!(out, "  {} repaired {written}", note.ply),
            };
        }
        if let Some(verdict) = &game.verdict {
            let _ = writeln!(out, "  verdict {:?} ({})", verdict.outcome, verdict.written);
        }
        game.diagnostics.iter().for_each(|diagnostic| show_diagnostic(&mut out, diagnostic));
    }
    read.diagnostics.iter().for_each(|diagnostic| show_diagnostic(&mut out, diagnostic));
    for left in &read.left_alone {
        let LeftAlone { location: place, lines, reason, what } = left;
        let _ = writeln!(out, "left {}:{} lines {lines} {reason}: {what}", place.line, place.column);
    }
    out
}

fn show_diagnostic(out: &mut String, diagnostic: &Diagnostic) {
    let Diagnostic { severity, code, location: place, ply, found, expected, .. } = diagnostic;
    let _ =
        writeln!(out, "  {} {code} {}:{} ply {ply} [{found}] {expected}", severity.name(), place.line, place.column);
}

/// The losing moves starred in a game.
fn starred(game: &ParsedGame) -> Vec<u32> {
    let is_losing = |kind: &NoteKind| *kind == NoteKind::Mark(Mark::Losing);
    game.line.notes.iter().filter(|note| is_losing(&note.kind)).map(|note| note.ply).collect()
}

/// Places and spans lie in the text, and every move stands where it says.
fn check_places(text: &str, read: &BookText) {
    for game in &read.games {
        assert!(game.span.start <= game.span.end && game.span.end <= text.len() as u64, "{:?}", game.span);
        assert!(text.get(game.span.start as usize..game.span.end as usize).is_some(), "{:?}", game.span);
        for each in &game.line.moves {
            let before = &text[..each.location.byte as usize];
            assert_eq!(each.location.line as usize, before.matches('\n').count() + 1);
            let line = before.rsplit('\n').next().unwrap_or_default();
            assert_eq!(each.location.column as usize, line.chars().count() + 1);
        }
    }
}

#[test]
fn fixtures_read_as_their_golden_files_say() {
    let folder = root().join("tests/corpus/book");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder).expect("the folder").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let bless = std::env::var_os("CROWNHEAD_BLESS").is_some();
    let mut texts = 0;
    for path in files {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("txt") => {
                texts += 1;
                let text = std::fs::read_to_string(&path).expect("a fixture");
                let read = book::read(&text, Variant::English);
                check_places(&text, &read);
                let golden = path.with_extension("golden");
                if bless {
                    std::fs::write(&golden, show(&read)).expect("written");
                }
                let expected = std::fs::read_to_string(&golden).unwrap_or_else(|_| panic!("no {}", golden.display()));
                assert_eq!(show(&read), expected, "{}", path.display());
            }
            Some("golden") => assert!(path.with_extension("txt").exists(), "{} has no text", path.display()),
            _ => panic!("{} is neither a fixture nor a golden file", path.display()),
        }
    }
    assert!(texts >= 8, "{texts} fixtures");
}

#[test]
fn own_games_are_the_seven_of_foster() {
    let text = std::fs::read_to_string(root().join("data/illustrative_games.txt")).expect("the data");
    let lost_line_ends = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for text in [text, lost_line_ends] {
        let read = book::read(&text, Variant::English);
        check_places(&text, &read);
        assert_eq!(read.diagnostics, []);
        assert!(read.games.iter().all(|game| game.kind == LineKind::Game && game.diagnostics.is_empty()));
        let plies: Vec<_> = read.games.iter().map(|game| game.line.moves.len()).collect();
        assert_eq!(plies, [23, 23, 15, 12, 16, 14, 26]);
        let losing: Vec<_> = read.games.iter().map(starred).collect();
        assert_eq!(losing, [vec![12], vec![6], vec![8], vec![7], vec![11], vec![7], vec![]]);
        let verdicts: Vec<_> =
            read.games.iter().filter_map(|game| Some(game.verdict.as_ref()?.written.as_str())).collect();
        assert_eq!(verdicts, ["B wins.", "B wins.", "B wins.", "W wins.", "W wins.", "W wins.", "W wins."]);
        let ends: Vec<_> = read.games.iter().map(|game| replay(&game.line)).collect();
        assert!(ends.iter().zip(&plies).all(|((legal, _), plies)| legal == plies));
        let proved: Vec<_> = ends.iter().map(|(_, end)| end.legal_moves().is_empty()).collect();
        assert_eq!(proved, [false, false, false, false, false, false, true]);
        let ten =
            |game: &ParsedGame| game.line.moves.iter().map(|each| each.squares.clone()).take(10).collect::<Vec<_>>();
        assert_eq!(ten(&read.games[0]), ten(&read.games[4]));
    }
}

#[test]
fn own_openings_are_the_fifteen_of_hoyle() {
    let text = std::fs::read_to_string(root().join("data/named_openings.txt")).expect("the data");
    let read = book::read(&text, Variant::English);
    check_places(&text, &read);
    let stated: Vec<_> = read.games.iter().filter_map(|game| game.stated_plies).collect();
    assert_eq!(stated, [4, 3, 2, 4, 3, 5, 5, 5, 5, 5, 2, 2, 5, 5, 3]);
    for game in &read.games {
        assert_eq!((game.kind, game.diagnostics.len()), (LineKind::Opening, 0), "{:?}", game.label);
        assert_eq!(game.stated_plies, Some(replay(&game.line).0 as u32), "{:?}", game.label);
        assert_eq!(game.stated_plies, Some(game.line.moves.len() as u32), "{:?}", game.label);
    }
}

#[test]
fn a_lost_bar_cuts_the_table_short_and_is_reported() {
    let rows = ["| 1 | 2 |", "| 11-15 | 10-15 |", "| 22 18 | 22 18 |", "| 15-22   15-22 |", "| 25 18 | 25 18 |"];
    for text in [rows.join("\n"), rows.join(" ")] {
        let read = book::read(&text, Variant::English);
        let lines: Vec<_> = read.games.iter().map(|game| moves(&game.line)).collect();
        assert_eq!(lines, ["11-15 22-18", "10-15 22-18"], "{text}");
        let codes: Vec<_> = read.diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
        assert_eq!(codes, [Code::Unreadable], "{text}");
    }
}

#[test]
fn verdicts_name_their_side() {
    let read = book::read("| 1 | 2 |\n| 11-15 | 9-14 |\n| White loses | Drawn |\n", Variant::English);
    let outcomes: Vec<_> = read.games.iter().filter_map(|game| Some(game.verdict.as_ref()?.outcome)).collect();
    assert_eq!(outcomes, [Outcome::Won(crownhead::board::Color::Black), Outcome::Draw]);
}

#[test]
fn reasons_have_names_of_their_own() {
    let names: std::collections::BTreeSet<_> = Reason::ALL.iter().map(|reason| reason.name()).collect();
    assert_eq!(names.len(), Reason::ALL.len());
}

/// Pieces of the forms, to be shuffled.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "|",
        " | ",
        "+---+",
        "\n",
        "\n\n",
        "_1_",
        "1",
        "2",
        "3",
        "11-15",
        "22 18",
        "*17 14",
        "W wins.",
        "drawn",
        "{434}",
        "The \"Cross\" is formed by the first two moves: ",
        "11 to 15",
        ",",
        ", ",
        ".",
        "La.s.sie",
        "d.y.k.e",
        "é",
        "An asterisk marks the losing move.",
        "_=LAWS.=_",
        " shall ",
        "l1-15",
        "99-99",
        "0-0",
        "300-1",
        "1234",
        "“",
        "”",
        "\"",
        "\r\n",
        "(",
        ")",
        " is formed by ",
        "\n(a) Or ",
        "  ",
        "(a)",
        "\n11-15   8-11 (a)\n23 19   22 17\n",
    ]);
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_text_is_read_without_panic(text in any::<String>()) {
        check_places(&text, &book::read(&text, Variant::English));
    }

    #[test]
    fn shuffled_pieces_are_read_without_panic(text in pieces()) {
        check_places(&text, &book::read(&text, Variant::English));
    }

    #[test]
    fn words_yield_no_play(words in prop::collection::vec("[A-Za-z]{1,9}[.,;]?", 0..80)) {
        let read = book::read(&words.join(" "), Variant::English);
        prop_assert_eq!(read.games.len(), 0);
    }
}
