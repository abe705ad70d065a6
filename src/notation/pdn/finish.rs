//! What is settled when a game has been read to its end: its set-up and its result.

use crate::board::Variant;
use crate::notation::fen::{self, FenTolerance};
use crate::notation::{Code, Diagnostic, Location, Severity};

use super::assembly::Assembly;
use super::{extensions, text};

pub(super) fn finish(assembly: &mut Assembly) {
    read_setup(assembly);
    compare_results(assembly);
    let variant = variant_of(assembly).unwrap_or(assembly.variant);
    extensions::take_tags(&mut assembly.game, variant);
}

/// The variant of a GameType tag such as `21` or `20,W,10,10,N2,0`; `Err` for a game that is not known.
fn variant_of(assembly: &Assembly) -> Result<Variant, String> {
    let Some(value) = assembly.game.tag("GameType") else { return Ok(assembly.variant) };
    let number: String = value.trim().chars().take_while(char::is_ascii_digit).collect();
    match number.parse() {
        Ok(number) => Variant::from_game_type(number).ok_or_else(|| value.to_owned()),
        // Nothing that could be a number: the game layer judges it.
        Err(_) => Ok(assembly.variant),
    }
}

fn read_setup(assembly: &mut Assembly) {
    let Some((text, place)) = assembly.fen.take() else { return };
    let about = |severity, code, at: usize| {
        let passed = text.get(..at).unwrap_or(&text);
        let column = place.column + passed.chars().count() as u32;
        let place = Location { byte: place.byte + passed.len() as u64, line: place.line, column };
        Diagnostic::new(severity, code, place)
    };
    if text.trim().is_empty() {
        let empty = about(Severity::Warning, Code::BadFen, 0).expected("a FEN");
        assembly.report(empty.hint("the tag is empty: read as the start of the game"));
        return;
    }
    let variant = match variant_of(assembly) {
        Ok(variant) => variant,
        Err(value) => {
            assembly.game.bad_setup = true;
            let note = about(Severity::Note, Code::BadFen, 0).found(text::clip(&text));
            assembly.report(note.expected(format!("a board that is known: GameType is {value}")));
            return;
        }
    };
    match fen::read(&text, variant) {
        Ok(read) => {
            assembly.game.setup = Some(read.setup);
            for warning in read.warnings {
                let code = if warning.kind == FenTolerance::NoSide { Code::NoSideToMove } else { Code::BadFen };
                let told = about(Severity::Warning, code, warning.at).found(text::clip(&text));
                assembly.report(told.expected(warning.kind.text()));
            }
        }
        Err(error) => {
            assembly.game.bad_setup = true;
            let found = text.get(error.at..).unwrap_or_default();
            let found = if found.is_empty() { text.as_str() } else { found };
            let refused = about(Severity::Error, Code::BadFen, error.at).found(text::clip(found));
            assembly.report(refused.expected(error.to_string()));
        }
    }
}

/// PDN 3.0 has the result twice, in a tag and at the end. An open one contradicts nothing.
fn compare_results(assembly: &mut Assembly) {
    use text::{Meaning, meaning};
    let (Some(tag), Some(terminator)) = (assembly.game.tag("Result"), assembly.game.terminator.as_deref()) else {
        return;
    };
    if tag == terminator {
        return;
    }
    let (stated, ended) = (meaning(tag), meaning(terminator));
    if stated == ended || stated == Meaning::Open || ended == Meaning::Open {
        return;
    }
    let differ = Diagnostic::new(Severity::Warning, Code::ResultDiffers, assembly.terminator_place)
        .found(terminator)
        .expected(format!("{tag}, as the Result tag says"))
        .hint("the Result tag counts");
    assembly.report(differ);
}
