//! Replaying parsed games: the one gate to verified play.

use crate::board::{Color, Outcome, ResultOrder, Variant, Winner};
use crate::notation::{Code, Diagnostic, LineKind, Mark, Note, NoteKind, ParsedGame, ParsedLine, ParsedMove, Severity};
use crate::rules::Position;

use super::matching::{Candidates, Mismatch, match_move};
use super::notate::{move_text, moves_text};
use super::repairs::{plies_that_fit, suggest};
use super::result::{ResultCheck, WrittenScore, board_outcome};
use super::verified::{Status, VerifiedBranch, VerifiedGame, VerifiedLine};

/// How far a line is followed to decide between captures that the text does not tell apart.
const AMBIGUITY_LOOK_AHEAD_PLIES: usize = 12;

/// What replaying may assume.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReplayOptions {
    /// The game played where the text does not say.
    pub variant: Variant,
    /// Whose score stands first; `None` for the variant's own custom.
    pub result_order: Option<ResultOrder>,
    /// What an asterisk at a move means, whatever the text's own legend says; `None` to follow the legend.
    pub asterisk: Option<Mark>,
}

impl ReplayOptions {
    /// What is assumed of a text of `variant` about which nobody told anything.
    #[must_use]
    pub const fn for_variant(variant: Variant) -> Self {
        Self { variant, result_order: None, asterisk: None }
    }
}

/// What came of one parsed game.
#[derive(Clone, PartialEq, Debug)]
pub struct Replayed {
    /// What was proved; `None` when the game is refused.
    pub game: Option<VerifiedGame>,
    /// What the reader and the proof have to report.
    pub findings: Vec<Diagnostic>,
}

/// Proves `parsed` against the rules.
///
/// A line is kept up to its first move that cannot be played. A game is refused when its start is no legal position, when
/// it is of another variant, or when nothing of a line that should have moves could be proved and no tag tells of it.
#[must_use]
pub fn replay(mut parsed: ParsedGame, options: ReplayOptions) -> Replayed {
    let mut findings = std::mem::take(&mut parsed.diagnostics);
    if parsed.clean_texts() {
        findings.push(control_characters(&parsed));
    }
    if let Some(meaning) = options.asterisk {
        reread_asterisks(&mut parsed, meaning);
    }
    let lost_on_reading = findings.iter().any(loses_play);
    let Some(start) = start_of(&parsed, options, &mut findings) else {
        return Replayed { game: None, findings };
    };
    let mut source = choose_reading(parsed, start);
    let mut line = VerifiedLine::new(start);
    let complete = follow(&mut line, &source.line, source.number, None, &mut findings);
    line.notes = kept_notes(std::mem::take(&mut source.line.notes), line.moves().len());
    let complete = complete && !source.cut_short && !lost_on_reading;
    check_count(&source, &line, &mut findings);
    let (branches, branches_whole) = follow_branches(&mut source, &line, &mut findings);
    let plies_written = source.line.moves.len();
    source.line.moves = Vec::new();

    let order = options.result_order.unwrap_or(start.variant().result_order());
    let (result, score) = written_result(&source, &mut findings);
    // A text that states its own order is believed; the score is kept in the order of the source.
    let turned = source.result_order.is_some_and(|stated| stated != order);
    let score = if turned { score.map(WrittenScore::turned) } else { score };
    let claimed = score.map(|s| s.outcome(order)).or_else(|| source.verdict.as_ref().map(|v| v.outcome));
    // A line cut short does not reach the position that the result is about.
    let result_check = match (complete, claimed) {
        (true, _) => ResultCheck::compare(claimed, line.end()),
        (false, Some(_)) => ResultCheck::Claimed,
        (false, None) => ResultCheck::None,
    };
    if result_check == ResultCheck::Contradicted {
        findings.push(contradiction(&source, &line, result.as_deref()));
    }
    let on_board = if complete { board_outcome(line.end()) } else { None };
    let winner = Winner::from(claimed.or(on_board));
    let nothing_kept = !complete && line.moves().is_empty() && plies_written > 0;
    if nothing_kept && source.tags.is_empty() {
        return Replayed { game: None, findings };
    }
    let status = if complete && branches_whole { Status::Stored } else { Status::Partly };
    let game = VerifiedGame {
        source,
        line,
        branches,
        status,
        score,
        result,
        winner,
        result_check,
        on_board,
        complete,
        ending: None,
    };
    Replayed { game: Some(game), findings }
}

/// Reports that a game had control characters.
fn control_characters(parsed: &ParsedGame) -> Diagnostic {
    Diagnostic::new(Severity::Warning, Code::ControlByte, parsed.location)
        .at(parsed.number, 0)
        .found("control characters in a tag, a name or a comment")
        .expected("printable text")
        .hint("read as U+FFFD")
}

/// Whether a reader's finding says that play may stand in the text that is not in the parsed game.
fn loses_play(finding: &Diagnostic) -> bool {
    finding.severity == Severity::Error
        && matches!(
            finding.code,
            Code::BadJson | Code::Unclosed | Code::UnknownToken | Code::Unreadable | Code::UnknownMove
        )
}

/// Gives every asterisk of a game the meaning that an option tells. A reader leaves one without a legend as a comment.
fn reread_asterisks(parsed: &mut ParsedGame, meaning: Mark) {
    let lines = parsed.variations.iter_mut().map(|variation| &mut variation.line);
    let notes =
        std::iter::once(&mut parsed.line).chain(&mut parsed.other_readings).chain(lines).flat_map(|l| &mut l.notes);
    for note in notes {
        let asterisk = match &note.kind {
            NoteKind::Mark(mark) => matches!(mark, Mark::Losing | Mark::Star),
            NoteKind::Comment(text) => text == "*",
            NoteKind::Repaired(_) => false,
        };
        if asterisk {
            note.kind = NoteKind::Mark(meaning);
        }
    }
}

/// The position the game starts from, or `None` with a finding.
fn start_of(parsed: &ParsedGame, options: ReplayOptions, findings: &mut Vec<Diagnostic>) -> Option<Position> {
    let report = |severity, code| Diagnostic::new(severity, code, parsed.location).at(parsed.number, 0);
    let variant = match parsed.tags.iter().find(|tag| tag.name.eq_ignore_ascii_case("GameType")) {
        None => options.variant,
        Some(tag) => {
            let digits: String = tag.value.trim().chars().take_while(char::is_ascii_digit).collect();
            match digits.parse().ok().and_then(Variant::from_game_type) {
                Some(variant) => variant,
                None => {
                    let known: Vec<_> = Variant::ALL.iter().map(|v| format!("{} ({v})", v.game_type())).collect();
                    let mut finding = report(Severity::Error, Code::UnknownVariant)
                        .found(format!("GameType {}", tag.value))
                        .expected(format!("a supported game: {}", known.join(", ")))
                        .hint("the game is refused; later games are read all the same");
                    finding.location = tag.location;
                    findings.push(finding);
                    return None;
                }
            }
        }
    };
    if parsed.bad_setup {
        return None;
    }
    let Some(setup) = parsed.setup else { return Some(Position::start(variant)) };
    match Position::from_setup(&setup) {
        Ok(position) => Some(position),
        Err(reasons) => {
            let place = parsed
                .tags
                .iter()
                .find(|tag| tag.name.eq_ignore_ascii_case("FEN"))
                .map_or(parsed.location, |t| t.location);
            let only_a_diagram = setup.turn.is_none();
            // A diagram is refused too, and no refusal may pass without an error.
            let code = if only_a_diagram { Code::NoSideToMove } else { Code::BadPosition };
            let mut finding = report(Severity::Error, code)
                .found(parsed.tag("FEN").unwrap_or("a set-up"))
                .expected(reasons.to_string())
                .hint(if only_a_diagram { "write W: or B: at the start of the FEN to make it playable" } else { "" });
            finding.location = place;
            findings.push(finding);
            None
        }
    }
}

/// The game with the reading of its main line that can be played furthest; among equals the likeliest.
fn choose_reading(mut parsed: ParsedGame, start: Position) -> ParsedGame {
    if parsed.other_readings.is_empty() {
        return parsed;
    }
    let mut best = plies_that_fit(start, &parsed.line.moves);
    for reading in std::mem::take(&mut parsed.other_readings) {
        if best == parsed.line.moves.len() && best > 0 {
            break;
        }
        let fit = plies_that_fit(start, &reading.moves);
        if fit > best {
            best = fit;
            parsed.line = reading;
        }
    }
    parsed
}

/// Plays `written` onto `line` as far as it goes; whether all of it went. Findings are about `game`; those of a branch carry
/// its label.
fn follow(
    line: &mut VerifiedLine,
    written: &ParsedLine,
    game: u32,
    branch: Option<&str>,
    findings: &mut Vec<Diagnostic>,
) -> bool {
    line.reserve(written.moves.len());
    for (index, parsed) in written.moves.iter().enumerate() {
        let ply = index as u32 + 1;
        let matched = match match_move(line.end(), parsed) {
            Err(Mismatch::Ambiguous(candidates)) => settle(line.end(), &candidates, &written.moves[index..])
                .inspect(|legal| findings.push(settled(line.end(), parsed, game, ply, legal, &candidates)))
                .ok_or(Mismatch::Ambiguous(candidates)),
            Ok(matched) => {
                if matched.wrong_sign {
                    findings.push(wrong_sign(line.end(), parsed, game, ply, &matched.legal));
                }
                Ok(matched.legal)
            }
            Err(other) => Err(other),
        };
        match matched {
            Ok(legal) => line.push(legal),
            Err(mismatch) => {
                findings.push(illegal(line.end(), &written.moves[index..], game, ply, branch, &mismatch));
                return false;
            }
        }
    }
    true
}

/// The one candidate after which the rest of the line can be played, if there is exactly one and a rest.
fn settle(position: &Position, candidates: &Candidates, rest: &[ParsedMove]) -> Option<crate::board::Move> {
    let following = &rest[1..rest.len().min(1 + AMBIGUITY_LOOK_AHEAD_PLIES)];
    if following.is_empty() {
        return None;
    }
    let mut fitting =
        candidates.iter().filter(|legal| plies_that_fit(position.play_unchecked(legal), following) == following.len());
    match (fitting.next(), fitting.next()) {
        (Some(only), None) => Some(*only),
        _ => None,
    }
}

fn written_text(parsed: &ParsedMove) -> String {
    if parsed.squares.is_empty() {
        return "--".to_owned();
    }
    let sign = match parsed.sign {
        crate::notation::Sign::Capture => "x",
        crate::notation::Sign::Quiet | crate::notation::Sign::Silent => "-",
    };
    parsed.squares.iter().map(u8::to_string).collect::<Vec<_>>().join(sign)
}

fn illegal(
    position: &Position,
    rest: &[ParsedMove],
    game: u32,
    ply: u32,
    branch: Option<&str>,
    mismatch: &Mismatch,
) -> Diagnostic {
    let parsed = &rest[0];
    let code = match mismatch {
        Mismatch::Unknown => Code::UnknownMove,
        Mismatch::AfterEnd => Code::AfterEnd,
        Mismatch::WrongSide(..) => Code::WrongSide,
        Mismatch::CaptureMissed => Code::CaptureMissed,
        Mismatch::Ambiguous(_) => Code::Ambiguous,
        _ => Code::Illegal,
    };
    let mut expected = mismatch.reason(position);
    let legal = position.legal_moves();
    if !legal.is_empty() {
        expected.push_str("; legal: ");
        expected.push_str(&moves_text(position, &legal));
    }
    let mut hint = match mismatch {
        Mismatch::Ambiguous(_) => "write the whole path of the capture".to_owned(),
        Mismatch::NoSuchSquare(n) if *n > position.geometry().squares() => {
            "perhaps a game on a larger board: say so in a GameType tag".to_owned()
        }
        Mismatch::AfterEnd => String::new(),
        _ => suggest(position, rest),
    };
    if let Some(label) = branch {
        let note = format!("in variation {label}");
        hint = if hint.is_empty() { note } else { format!("{note}; {hint}") };
    }
    Diagnostic::new(Severity::Error, code, parsed.location)
        .at(game, ply)
        .found(written_text(parsed))
        .expected(expected)
        .hint(hint)
}

fn settled(
    position: &Position,
    parsed: &ParsedMove,
    game: u32,
    ply: u32,
    legal: &crate::board::Move,
    candidates: &Candidates,
) -> Diagnostic {
    Diagnostic::new(Severity::Warning, Code::Ambiguous, parsed.location)
        .at(game, ply)
        .found(written_text(parsed))
        .expected(format!("one of {}", moves_text(position, candidates)))
        .hint(format!("read as {}: only then can the moves that follow be played", move_text(position, legal)))
}

fn wrong_sign(position: &Position, parsed: &ParsedMove, game: u32, ply: u32, legal: &crate::board::Move) -> Diagnostic {
    Diagnostic::new(Severity::Warning, Code::Separator, parsed.location)
        .at(game, ply)
        .found(written_text(parsed))
        .expected(move_text(position, legal))
        .hint(if legal.is_capture() { "a capture is written with x" } else { "a quiet move is written with -" })
}

/// The notes of plies that were proved, in order. Repairs of later plies are kept with the last.
fn kept_notes(mut notes: Vec<Note>, plies: usize) -> Vec<Note> {
    notes.retain(|note| note.ply as usize <= plies || matches!(note.kind, NoteKind::Comment(_)));
    for note in &mut notes {
        note.ply = note.ply.min(plies as u32);
    }
    notes
}

fn check_count(source: &ParsedGame, line: &VerifiedLine, findings: &mut Vec<Diagnostic>) {
    if let Some(stated) = source.stated_plies.filter(|&stated| stated as usize != line.moves().len()) {
        findings.push(
            Diagnostic::new(Severity::Warning, Code::CountDiffers, source.location)
                .at(source.number, 0)
                .found(format!("{} proved", line.moves().len()))
                .expected(format!("{stated} moves, as the text says"))
                .hint("compare the line with the source"),
        );
    }
}

/// A place in a line.
struct LineCursor {
    played: usize,
    position: Position,
}

impl LineCursor {
    const fn at_start(line: &VerifiedLine) -> Self {
        Self { played: 0, position: *line.start() }
    }

    /// The position before ply `ply` of `line`, from 1; one past the last ply gives the end. Goes on from the place asked for last.
    fn position_before(&mut self, line: &VerifiedLine, ply: u32) -> Option<Position> {
        let wanted = (ply as usize).checked_sub(1)?;
        let moves = line.moves();
        if wanted > moves.len() {
            return None;
        }
        if wanted < self.played {
            *self = Self::at_start(line);
        }
        for played in &moves[self.played..wanted] {
            self.position = self.position.play_unchecked(played);
        }
        self.played = wanted;
        Some(self.position)
    }
}

/// Proves the branches of a game; those that could be reached, and whether all of them could be proved whole.
fn follow_branches(
    source: &mut ParsedGame,
    main: &VerifiedLine,
    findings: &mut Vec<Diagnostic>,
) -> (Vec<VerifiedBranch>, bool) {
    let mut whole = true;
    let mut branches: Vec<VerifiedBranch> = Vec::with_capacity(source.variations.len());
    // Where an unproved branch hangs, what hangs on it cannot be proved either: parsed index → proved index.
    let mut kept: Vec<Option<u32>> = Vec::with_capacity(source.variations.len());
    // Where each line was left last, the main line first: variations come in order as a rule, so that no line is played twice to
    // find them.
    let mut cursors: Vec<LineCursor> = vec![LineCursor::at_start(main)];
    for mut variation in std::mem::take(&mut source.variations) {
        let parent = match variation.parent {
            None => Some((main, None)),
            Some(index) => kept
                .get(index as usize)
                .copied()
                .flatten()
                .and_then(|proved| branches.get(proved as usize).map(|branch| (&branch.line, Some(proved)))),
        };
        let start = parent.and_then(|(line, proved)| {
            let cursor = cursors.get_mut(proved.map_or(0, |index| index as usize + 1))?;
            Some((cursor.position_before(line, variation.ply)?, proved))
        });
        let Some((position, parent)) = start else {
            kept.push(None);
            whole = false;
            if let Some(first) = variation.line.moves.first() {
                findings.push(
                    Diagnostic::new(Severity::Error, Code::Illegal, first.location)
                        .at(source.number, variation.ply)
                        .found("a variation")
                        .expected("a proved move for it to replace")
                        .hint("the line it leaves was cut short before that ply"),
                );
            }
            continue;
        };
        let label = variation.label.clone().unwrap_or_else(|| format!("at ply {}", variation.ply));
        let mut line = VerifiedLine::new(position);
        whole &= follow(&mut line, &variation.line, source.number, Some(&label), findings);
        line.notes = kept_notes(std::mem::take(&mut variation.line.notes), line.moves().len());
        kept.push(Some(branches.len() as u32));
        cursors.push(LineCursor::at_start(&line));
        branches.push(VerifiedBranch { parent, ply: variation.ply, label: variation.label, line });
    }
    (branches, whole)
}

/// The result as written and what it says: the Result tag, or the final marker where the tag is open. A difference between
/// the two is reported; the tag wins.
fn written_result(source: &ParsedGame, findings: &mut Vec<Diagnostic>) -> (Option<String>, Option<WrittenScore>) {
    let open = |text: &&str| !matches!(*text, "*" | "" | "?");
    let tag = source.tag("Result").map(str::trim);
    let marker = source.terminator.as_deref().map(str::trim);
    // An export that turned or tidied the result says what its source wrote; the score is that of the Result tag, which is
    // written in the order of the text at hand.
    let original = source.original_result.as_deref().map(str::trim);
    let written = original.or(tag.filter(open).or(marker.filter(open)).or(tag).or(marker));
    let written = written.filter(|text| !text.is_empty());
    let score = match original {
        Some(_) => written.and_then(WrittenScore::read).and(tag.and_then(WrittenScore::read)),
        None => written.and_then(WrittenScore::read),
    };
    let report = |code| Diagnostic::new(Severity::Warning, code, source.location).at(source.number, 0);
    if let (Some(tag), Some(marker)) = (tag.filter(open), marker.filter(open)) {
        let same = tag == marker
            || (WrittenScore::read(tag) == WrittenScore::read(marker) && WrittenScore::read(tag).is_some());
        let reader_told = findings.iter().any(|finding| finding.code == Code::ResultDiffers);
        if !same && !reader_told {
            findings.push(
                report(Code::ResultDiffers)
                    .found(format!("Result \"{tag}\", final marker {marker}"))
                    .expected("the same result in both")
                    .hint("the Result tag is followed"),
            );
        }
    }
    if let Some(text) = written.filter(open).filter(|_| score.is_none()) {
        findings.push(
            report(Code::UnknownResult)
                .found(text)
                .expected("a result such as 1-0, 0-1, 1/2-1/2 or *")
                .hint("kept as written; no winner is derived"),
        );
    }
    (written.map(str::to_owned), score)
}

fn contradiction(source: &ParsedGame, line: &VerifiedLine, result: Option<&str>) -> Diagnostic {
    let proof = match board_outcome(line.end()) {
        Some(Outcome::Won(Color::Black)) => "Black has won: White has no move",
        Some(Outcome::Won(Color::White)) => "White has won: Black has no move",
        Some(Outcome::Draw) | None => "another result",
    };
    let found = result.or(source.verdict.as_ref().map(|v| v.written.as_str())).unwrap_or_default();
    let hint = if source.kind == LineKind::Game && source.result_order.is_none() {
        "is the score of the other side written first? see --result-order"
    } else {
        ""
    };
    Diagnostic::new(Severity::Warning, Code::ResultContradicted, source.location)
        .at(source.number, line.moves().len() as u32)
        .found(found)
        .expected(format!("{proof} in the final position"))
        .hint(hint)
}
