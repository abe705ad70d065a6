//! What PDN has no place for and our own exports carry all the same, so that nothing is lost on the way back.
//!
//! In tags: [`TAG_KIND`], [`TAG_NAME`], [`TAG_VERDICT`], [`TAG_STATUS`], [`TAG_RESULT`], [`TAG_ORDER`]. In comments that hold nothing else,
//! written as a command: `{[%losing]}` and `{[%star]}` behind a move are its marks, `{[%repaired 17,4]}` says what the source
//! has there, `{[%text …]}` is a comment
//! with signs that PDN has no way to write, and at the start of a variation `{[%label B]}` is its label and `{[%ply 9]}` the ply it replaces, where that is
//! not the ply before it. A comment that starts with [`ANNOTATION_PREFIX`] tells what our own analysis found, never the source's word.
//! Numeric glyphs are not used for marks: `$7` and its like are other people's words.

use crate::board::{Outcome, ResultOrder, Variant};
use crate::notation::{LineKind, Mark, NoteKind, ParsedGame, Verdict};

use super::text::{self, Meaning};

/// The kind of a line that is no game: `book`, `opening`.
pub const TAG_KIND: &str = "CrownheadKind";
/// The name its source gives a line.
pub const TAG_NAME: &str = "CrownheadName";
/// A book's word at the end of a line; the Result tag says what it claims, in the variant's order.
pub const TAG_VERDICT: &str = "CrownheadVerdict";
/// `partly` where the source goes on and what follows could not be proved.
pub const TAG_STATUS: &str = "CrownheadStatus";
/// The result as the first source wrote it, where the Result tag differs; empty where it wrote none.
pub const TAG_RESULT: &str = "CrownheadOriginalResult";

/// Whose score stands first in the Result tag, by the name of a [`ResultOrder`]: written where a result says who won, so that
/// no order told for the file turns it round.
pub const TAG_ORDER: &str = "CrownheadResultOrder";

/// The start of a comment that our own analysis made. Reading passes over it, the glyph before it, and a whole variation that
/// starts with it.
pub const ANNOTATION_PREFIX: &str = "Crownhead found: ";

/// The value of [`TAG_STATUS`].
pub const PARTLY_STATUS: &str = "partly";

/// Something that a comment carries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Carried {
    /// A note of the last move.
    Note(NoteKind),
    /// The label of the variation.
    Label(String),
    /// The ply that the variation replaces.
    Ply(u32),
}

impl Carried {
    /// The text of the comment.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Note(NoteKind::Mark(Mark::Losing)) => "[%losing]".to_owned(),
            Self::Note(NoteKind::Mark(Mark::Star)) => "[%star]".to_owned(),
            Self::Note(NoteKind::Mark(Mark::Nag(number))) => format!("${number}"),
            Self::Note(NoteKind::Repaired(text)) => format!("[%repaired {}]", escape(text)),
            Self::Note(NoteKind::Comment(text)) if needs_escapes(text) => format!("[%text {}]", escape(text)),
            Self::Note(NoteKind::Comment(text)) => text.clone(),
            Self::Label(label) => format!("[%label {}]", escape(label)),
            Self::Ply(ply) => format!("[%ply {ply}]"),
        }
    }

    /// What a comment carries, if it is a command.
    pub(super) fn read(comment: &str) -> Option<Self> {
        let inside = comment.strip_prefix("[%")?.strip_suffix(']')?;
        match inside.split_once(' ').unwrap_or((inside, "")) {
            ("losing", "") => Some(Self::Note(NoteKind::Mark(Mark::Losing))),
            ("star", "") => Some(Self::Note(NoteKind::Mark(Mark::Star))),
            ("repaired", text) if !text.is_empty() => Some(Self::Note(NoteKind::Repaired(unescape(text)))),
            ("text", text) if !text.is_empty() => Some(Self::Note(NoteKind::Comment(unescape(text)))),
            ("label", label) if !label.is_empty() => Some(Self::Label(unescape(label))),
            ("ply", number) => number.parse().ok().filter(|&ply| ply > 0).map(Self::Ply),
            _ => None,
        }
    }
}

/// Whether a comment would be read back as something else.
fn needs_escapes(text: &str) -> bool {
    let as_is = !text.contains(['}', '\n', '\r']) && text.trim() == text && !text.starts_with(ANNOTATION_PREFIX);
    !as_is || Carried::read(text).is_some()
}

/// A text as a command carries it: a comment cannot hold a closing brace or a line end.
fn escape(text: &str) -> String {
    text.replace('%', "%25").replace('}', "%7D").replace('\n', "%0A").replace('\r', "%0D")
}

fn unescape(text: &str) -> String {
    text.replace("%0D", "\r").replace("%0A", "\n").replace("%7D", "}").replace("%25", "%")
}

/// Takes the carrying tags out of a game and puts what they say where it belongs. Results stand in the order of `variant`
/// where [`TAG_ORDER`] tells no other.
pub(super) fn take_tags(game: &mut ParsedGame, variant: Variant) {
    if !game.tags.iter().any(|tag| tag.name.starts_with("Crownhead")) {
        return;
    }
    let told = game.tag(TAG_ORDER).and_then(ResultOrder::from_name);
    let order = told.unwrap_or(variant.result_order());
    // Where the Result tag is silent, the final marker speaks.
    let written = [game.tag("Result"), game.terminator.as_deref()].into_iter().flatten().map(text::meaning);
    let claimed = match written.into_iter().find(|meaning| *meaning != Meaning::Open).unwrap_or(Meaning::Open) {
        Meaning::First => Some(Outcome::Won(order.first())),
        Meaning::Second => Some(Outcome::Won(!order.first())),
        Meaning::Draw => Some(Outcome::Draw),
        Meaning::Open | Meaning::Other(_) => None,
    };
    let mut tags = std::mem::take(&mut game.tags);
    // What says nothing that can be used stays a tag like any other.
    tags.retain(|tag| match tag.name.as_str() {
        TAG_KIND => {
            let kinds = [LineKind::Book, LineKind::Opening];
            let kind = kinds.into_iter().find(|kind| kind.name() == tag.value);
            game.kind = kind.unwrap_or(game.kind);
            kind.is_none()
        }
        TAG_NAME => {
            game.label = Some(tag.value.clone());
            false
        }
        TAG_VERDICT => {
            game.verdict = claimed.map(|outcome| Verdict { outcome, written: tag.value.clone() });
            game.verdict.is_none()
        }
        TAG_STATUS => {
            game.cut_short |= tag.value == PARTLY_STATUS;
            tag.value != PARTLY_STATUS
        }
        TAG_RESULT => {
            game.original_result = Some(tag.value.clone());
            game.result_order = Some(order);
            false
        }
        TAG_ORDER => {
            game.result_order = told.or(game.result_order);
            told.is_none()
        }
        _ => true,
    });
    game.tags = tags;
}
