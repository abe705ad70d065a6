//! Replay: what is proved, what is refused, and what is told about it.

use std::fs;
use std::path::Path;

use crownhead::board::{Color, ResultOrder, Variant, Winner};
use crownhead::game::{
    Diagnostic, NoteKind, ReplayOptions, Replayed, ResultCheck, Severity, Status, move_text, replay,
};
use crownhead::notation::{Code, Location, book, fen, pdn::PdnReader};

/// The input of a case under `tests/fixtures/cases`.
pub(crate) fn case(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/cases").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn read_with(text: &str, result_order: Option<ResultOrder>) -> Vec<Replayed> {
    let options = ReplayOptions { result_order, ..ReplayOptions::for_variant(Variant::English) };
    PdnReader::new(text, Location::FIRST, 1, Variant::English).map(|parsed| replay(parsed, options)).collect()
}

fn read(text: &str) -> Vec<Replayed> {
    read_with(text, None)
}

fn only(text: &str) -> Replayed {
    let mut games = read(text);
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

fn moves(replayed: &Replayed) -> String {
    let line = replayed.game.as_ref().expect("a game").line();
    line.positions().zip(line.moves()).map(|(p, m)| move_text(&p, m)).collect::<Vec<_>>().join(" ")
}

fn final_fen(replayed: &Replayed) -> String {
    fen::write(&replayed.game.as_ref().expect("a game").line().end().setup())
}

fn errors(replayed: &Replayed) -> Vec<&Diagnostic> {
    replayed.findings.iter().filter(|finding| finding.severity == Severity::Error).collect()
}

/// A game with a tag, so that it is kept whatever its moves.
fn tagged(fen: &str, moves: &str) -> String {
    let fen = if fen.is_empty() { String::new() } else { format!("[FEN \"{fen}\"]\n") };
    format!("[Event \"x\"]\n{fen}{moves}\n")
}

const AMBIGUOUS: &str = "W:W22,32:B9,10,11,17,18,27";
const DOUBLE: &str = "W:W21,31:B16,18,19,26,27,28";

#[test]
fn every_kind_of_mismatch_keeps_the_plies_before_it_and_tells_why() {
    // Start, moves, plies kept, code, words of the reason.
    let cases = [
        ("", "1. 11-15 23-19 2. 1-6 *", 2, Code::Illegal, "square 6 is occupied"),
        ("", "1. 11-15 23-19 2. 11-16 *", 2, Code::Illegal, "no piece stands on 11"),
        ("", "1. 11-20 *", 0, Code::Illegal, "the man cannot go there"),
        ("", "1. 11-15 23-19 2. 11-33 *", 2, Code::Illegal, "square 33: the board has the squares 1 to 32"),
        ("", "1. 23-19 *", 0, Code::WrongSide, "the man on 23 is White's, Black is to move"),
        ("", "1. 11-15 22-18 2. 8-11 *", 2, Code::CaptureMissed, "Black must capture"),
        (DOUBLE, "1... 31x22 *", 0, Code::Illegal, "the capture must be finished"),
        ("B:W22:B17,18", "1. 17x26 22-18 *", 1, Code::AfterEnd, "the game is over: White has no move"),
        (AMBIGUOUS, "1... 22x6 *", 0, Code::Ambiguous, "several captures fit: 22x13x6 22x15x6"),
        ("", "1. 11-15 -- *", 1, Code::UnknownMove, "the move is not known"),
    ];
    for (start, text, plies, code, reason) in cases {
        let replayed = only(&tagged(start, text));
        let game = replayed.game.as_ref().unwrap_or_else(|| panic!("{text}: refused"));
        assert_eq!((game.line().moves().len(), game.status()), (plies, Status::Partly), "{text}");
        let errors = errors(&replayed);
        assert_eq!(errors.len(), 1, "{text}: {errors:?}");
        assert_eq!((errors[0].code, errors[0].ply as usize), (code, plies + 1), "{text}");
        assert!(errors[0].expected.starts_with(reason), "{text}: {:?}", errors[0].expected);
        if code != Code::AfterEnd {
            assert!(errors[0].expected.contains("; legal: "), "{text}: {:?}", errors[0].expected);
        }
    }
}

#[test]
fn an_illegal_move_lists_the_legal_ones_and_its_place() {
    let games = read(&case("83-exit-status-and-summary/input.pdn"));
    let plies: Vec<_> = games.iter().map(|g| g.game.as_ref().map(|game| game.line().moves().len())).collect();
    assert_eq!(plies, [Some(2), Some(2), None, Some(1)]);
    let illegal = errors(&games[1])[0];
    assert_eq!((illegal.location.line, illegal.game, illegal.ply), (9, 2, 3));
    assert_eq!(illegal.found, "1-6");
    assert!(illegal.expected.ends_with("legal: 7-11 8-11 9-13 9-14 10-14 12-16 15-18"), "{}", illegal.expected);
    let refused = errors(&games[2])[0];
    assert_eq!((refused.location.line, refused.game, refused.code), (13, 3, Code::BadFen));
    assert!(format!("{} {}", refused.found, refused.expected).contains("40"), "{refused:?}");
}

#[test]
fn a_lost_move_is_suggested_but_never_filled_in() {
    let replayed = only(&case("46-book-text-missing-move/input.pdn"));
    assert_eq!(moves(&replayed), "11-15 23-19 8-11");
    let error = errors(&replayed)[0];
    assert_eq!((error.code, error.ply), (Code::WrongSide, 4));
    assert!(error.expected.contains("legal: 19-16 21-17 22-17 22-18 24-20 26-23 27-23"), "{}", error.expected);
    assert!(error.hint.contains("21-17 or 22-17 would let the rest go on"), "{}", error.hint);
}

#[test]
fn a_misread_move_with_several_candidates_is_not_chosen() {
    let read = book::read(&case("45-book-text-scan-errors/input.txt"), Variant::English);
    let options = ReplayOptions::for_variant(Variant::English);
    let games: Vec<_> = read.games.into_iter().map(|parsed| replay(parsed, options)).collect();
    assert_eq!(games.len(), 1);
    assert_eq!(moves(&games[0]), "11-15 23-19 8-11 22-17 4-8 17-13");
    let error = errors(&games[0])[0];
    assert_eq!((error.ply, error.found.as_str()), (7, "15-16"));
    assert!(error.expected.ends_with("legal: 9-14 10-14 11-16 12-16 15-18"), "{}", error.expected);
    // After 12-16 White must capture, so that the text could not go on with 24-20.
    for candidate in ["11-16", "15-18"] {
        assert!(error.hint.contains(candidate), "{candidate}: {}", error.hint);
    }
    // Every letter that was read as a digit is told.
    let repaired = games[0].game.as_ref().unwrap().line().notes.iter();
    assert!(repaired.filter(|note| matches!(note.kind, NoteKind::Repaired(_))).count() >= 5);
}

#[test]
fn what_follows_decides_between_captures() {
    let settled = only(&tagged(AMBIGUOUS, "1... 22x6 2. 17-21 *"));
    assert_eq!(moves(&settled), "22x15x6 17-21");
    assert_eq!(settled.game.as_ref().unwrap().status(), Status::Stored);
    let told: Vec<_> = settled.findings.iter().map(|f| (f.severity, f.code)).collect();
    assert_eq!(told, [(Severity::Warning, Code::Ambiguous)]);
    assert!(settled.findings[0].hint.contains("read as 22x15x6"), "{}", settled.findings[0].hint);
    // A move that fits both decides nothing.
    let open = only(&tagged(AMBIGUOUS, "1... 22x6 2. 27-31 *"));
    assert_eq!(open.game.as_ref().unwrap().line().moves().len(), 0);
    assert_eq!(errors(&open)[0].code, Code::Ambiguous);
}

#[test]
fn paths_tell_captures_with_the_same_ends_apart() {
    let games = read(&case("48-ambiguous-capture-8x8/input.pdn"));
    assert_eq!(errors(&games[0])[0].code, Code::Ambiguous);
    assert_eq!(moves(&games[0]), "");
    assert_eq!((moves(&games[1]), final_fen(&games[1])), ("22x13x6".to_owned(), "B:W6,32:B10,11,18,27".to_owned()));
    assert_eq!((moves(&games[2]), final_fen(&games[2])), ("22x15x6".to_owned(), "B:W6,32:B9,11,17,27".to_owned()));
}

#[test]
fn squares_decide_and_not_the_sign_between_them() {
    let games = read(&case("23-separator-does-not-match-kind/input.pdn"));
    assert_eq!(moves(&games[0]), "11-15 23-19 8-11 22-17 9-14 25-22 11-16 24-20 15x24 20x11");
    assert!(games[0].findings.iter().all(|f| f.severity == Severity::Warning && f.code == Code::Separator));
    assert!(!games[0].findings.is_empty());
    assert_eq!(final_fen(&games[0]), "B:W11,17,21,22,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,10,12,14,24");
    assert_eq!(final_fen(&games[1]), "B:W15,21:B16,19,27,28");
}

#[test]
fn results_are_held_against_the_board() {
    let english: String = {
        let text = case("58-who-won-when-it-says-1-0/input.pdn");
        text.split("\n\n").filter(|game| !game.contains("\"20\"")).collect::<Vec<_>>().join("\n\n")
    };
    let checks = |order| -> Vec<_> {
        let games = read_with(&english, order);
        games.iter().map(|g| g.game.as_ref().map(|g| (g.winner(), g.result_check())).unwrap()).collect()
    };
    let black_first = [(Winner::Black, ResultCheck::Proved), (Winner::Black, ResultCheck::Claimed)];
    assert_eq!(checks(None), black_first);
    assert_eq!(checks(Some(ResultOrder::BlackFirst)), black_first);
    let white_first = [(Winner::White, ResultCheck::Contradicted), (Winner::White, ResultCheck::Claimed)];
    assert_eq!(checks(Some(ResultOrder::WhiteFirst)), white_first);
    let told = read_with(&english, Some(ResultOrder::WhiteFirst));
    assert!(told[0].findings.iter().any(|f| f.code == Code::ResultContradicted));

    // The board proves what nobody claims; where neither says anything there is no result.
    let silent = only(&tagged("B:W22:B17,18", "1. 17x26 *"));
    let game = silent.game.as_ref().unwrap();
    assert_eq!((game.winner(), game.result_check()), (Winner::Black, ResultCheck::Proved));
    let open = only(&tagged("", "1. 11-15 *"));
    let game = open.game.as_ref().unwrap();
    assert_eq!((game.winner(), game.result_check()), (Winner::Unknown, ResultCheck::None));
    // A line cut short proves nothing about the result.
    let cut = only(&tagged("", "1. 11-15 1-2 0-1"));
    assert_eq!(cut.game.as_ref().unwrap().result_check(), ResultCheck::Claimed);
}

#[test]
fn the_result_tag_wins_over_another_final_marker() {
    let both = only("[Event \"x\"]\n[Result \"1-0\"]\n1. 11-15 23-19 0-1\n");
    let game = both.game.as_ref().unwrap();
    assert_eq!((game.result(), game.winner()), (Some("1-0"), Winner::Black));
    assert_eq!(both.findings.iter().filter(|f| f.code == Code::ResultDiffers).count(), 1);
    let open_tag = only("[Event \"x\"]\n[Result \"*\"]\n1. 11-15 23-19 1/2-1/2\n");
    let game = open_tag.game.as_ref().unwrap();
    assert_eq!((game.result(), game.winner()), (Some("1/2-1/2"), Winner::Draw));
    let same = only("[Event \"x\"]\n[Result \"1-0\"]\n1. 11-15 23-19 2-0\n");
    assert!(same.findings.iter().all(|f| f.code != Code::ResultDiffers), "{:?}", same.findings);
    let odd = only("[Event \"x\"]\n[Result \"won on time\"]\n1. 11-15 23-19 *\n");
    assert_eq!(odd.game.as_ref().unwrap().winner(), Winner::Unknown);
    assert!(odd.findings.iter().any(|f| f.code == Code::UnknownResult));
}

#[test]
fn a_game_of_another_variant_is_refused_and_the_next_is_read() {
    let games = read("[Event \"a\"]\n[GameType \"20\"]\n1. 32-28 18-23 *\n\n[Event \"b\"]\n1. 11-15 *\n");
    assert!(games[0].game.is_none());
    let error = errors(&games[0])[0];
    assert_eq!((error.code, error.location.line, error.found.as_str()), (Code::UnknownVariant, 2, "GameType 20"));
    assert_eq!(moves(&games[1]), "11-15");
}

#[test]
fn a_diagram_without_a_side_to_move_is_refused_with_an_error() {
    let replayed = only(&tagged("W18:B1", "*"));
    assert!(replayed.game.is_none());
    assert!(errors(&replayed).iter().any(|f| f.code == Code::NoSideToMove), "{:?}", replayed.findings);
}

#[test]
fn nothing_proved_of_a_nameless_game_is_refused() {
    let replayed = only("1. 11-20 *\n");
    assert!(replayed.game.is_none());
    assert_eq!(errors(&replayed).len(), 1);
    assert_eq!(only(&tagged("", "1. 11-15 23-19 2. 8-11 *")).game.unwrap().line().end().turn(), Color::White);
}

#[test]
fn nested_variations_hang_where_they_were_written() {
    let text = tagged("", "1. 11-15 23-19 (1... 22-18 2. 15x22 (2... 25x18) (2... 26x17) 25x18) 2. 8-11 (2. 9-14) *");
    let replayed = only(&text);
    assert_eq!(errors(&replayed).len(), 2, "a variation must replace a move of its own side: {:?}", replayed.findings);
    let text = tagged(
        "",
        "1. 11-15 23-19 (1... 22-18 2. 15x22 25x18 (2... 26x17 3. 8-11 (3. 9-13 4. 17-14))) 2. 8-11 (2. 9-14 22-17) *",
    );
    let replayed = only(&text);
    assert!(errors(&replayed).is_empty(), "{:?}", replayed.findings);
    let branches = replayed.game.as_ref().unwrap().branches();
    let shape: Vec<_> = branches.iter().map(|b| (b.parent, b.ply, b.line.moves().len())).collect();
    assert_eq!(shape, [(None, 2, 3), (Some(0), 3, 2), (Some(1), 2, 2), (None, 3, 2)]);
}

#[test]
fn an_asterisk_means_what_the_option_says() {
    use crownhead::game::{Mark, NoteKind, replay};
    use crownhead::notation::{Location, pdn::PdnReader};
    let text = "[Event \"e\"]\n1. 11-15* 23-19 8-11 *\n";
    let marks = |asterisk| {
        let parsed = PdnReader::new(text, Location::FIRST, 1, Variant::English).next().unwrap();
        let options = ReplayOptions { asterisk, ..ReplayOptions::for_variant(Variant::English) };
        let game = replay(parsed, options).game.unwrap();
        game.line().notes.iter().map(|note| (note.ply, note.kind.clone())).collect::<Vec<_>>()
    };
    assert_eq!(marks(None), [(1, NoteKind::Mark(Mark::Star))]);
    assert_eq!(marks(Some(Mark::Losing)), [(1, NoteKind::Mark(Mark::Losing))]);
}
