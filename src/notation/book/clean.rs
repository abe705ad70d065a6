//! What a transcriber or a filter put into a text, taken out again, with a map back to the original.
//!
//! Three things are taken out: page marks (`{434}`), marks of emphasis (`_word_`, `_=word=_`), and the dots that a word
//! filter put between letters (`La.s.sie`). Invariant: line ends stay, so lines of both texts agree.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// Page marks, marks of emphasis, words with dots between their letters.
static DAMAGE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\{\d{1,4}\}|_=|=_|_|\p{L}+(?:(?:\.\p{Ll})+\.\+?\p{Ll}+)+").expect("a constant pattern")
});

/// Abbreviations whose dots are their own, before a word that lost its blank.
const ABBREVIATIONS: [&str; 5] = ["i.e.", "e.g.", "a.m.", "p.m.", "q.v."];

/// What an edit took out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EditKind {
    /// Dots inside a word.
    Word,
    /// A page mark.
    PageMark,
    /// A mark of emphasis.
    Emphasis,
}

/// A place where the cleaned text differs from the original.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Edit {
    /// The bytes of the cleaned text; empty where something was taken out whole.
    pub(super) clean: Range<usize>,
    /// The bytes of the original.
    pub(super) original: Range<usize>,
    /// What was taken out.
    pub(super) kind: EditKind,
}

/// A text without marks, and the way back.
pub(super) struct Cleaned<'t> {
    original: &'t str,
    /// The cleaned text.
    pub(super) text: String,
    /// The edits in order.
    pub(super) edits: Vec<Edit>,
    /// Where runs of kept bytes start: in the cleaned text and in the original, ascending.
    runs: Vec<(usize, usize)>,
}

impl<'t> Cleaned<'t> {
    /// The cleaned form of `original`.
    pub(super) fn new(original: &'t str) -> Self {
        let mut cleaned =
            Self { original, text: String::with_capacity(original.len()), edits: Vec::new(), runs: vec![(0, 0)] };
        let mut kept = 0;
        for found in DAMAGE.find_iter(original) {
            let word = found.as_str();
            let kind = match word.as_bytes().first() {
                Some(b'{') => EditKind::PageMark,
                Some(b'_' | b'=') => EditKind::Emphasis,
                _ => EditKind::Word,
            };
            let damaged = match kind {
                EditKind::PageMark => true,
                EditKind::Emphasis => word.len() > 1 || cleaned.stands_at_edge(found.range()),
                EditKind::Word => cleaned.is_dotted(word, found.range()),
            };
            if !damaged {
                continue;
            }
            cleaned.keep(kept..found.start());
            let start = cleaned.text.len();
            if kind == EditKind::Word {
                for (offset, letter) in word.char_indices().filter(|(_, letter)| letter.is_alphabetic()) {
                    let at = found.start() + offset;
                    cleaned.keep(at..at + letter.len_utf8());
                }
            }
            cleaned.edits.push(Edit { clean: start..cleaned.text.len(), original: found.range(), kind });
            kept = found.end();
        }
        cleaned.keep(kept..original.len());
        cleaned
    }

    fn keep(&mut self, range: Range<usize>) {
        if !range.is_empty() {
            self.runs.push((self.text.len(), range.start));
            self.text.push_str(&self.original[range]);
        }
    }

    /// Whether an underscore is no part of a name such as `left_alone`.
    fn stands_at_edge(&self, range: Range<usize>) -> bool {
        let is_inner = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        !(is_inner(self.original[..range.start].chars().next_back())
            && is_inner(self.original[range.end..].chars().next()))
    }

    /// Whether a word with dots has one reading only: the one without them.
    fn is_dotted(&self, word: &str, range: Range<usize>) -> bool {
        let initials = word.split('.').all(|part| part.trim_start_matches('+').chars().count() == 1);
        let next = self.original[range.end..].chars().next();
        !ABBREVIATIONS.iter().any(|known| word.starts_with(known))
            && !word.starts_with("www.")
            && !matches!(next, Some('/' | '@' | ':'))
            && !(initials && (word.split('.').count() < 4 || next == Some('.')))
    }

    /// The byte of the original that stands at byte `clean` of the cleaned text.
    pub(super) fn original(&self, clean: usize) -> usize {
        let run = self.runs.partition_point(|&(start, _)| start <= clean).saturating_sub(1);
        let (start, original) = self.runs.get(run).copied().unwrap_or_default();
        (original + (clean - start)).min(self.original.len())
    }

    /// The original bytes of a range of the cleaned text; edits at its edges stay outside.
    pub(super) fn original_range(&self, clean: Range<usize>) -> Range<usize> {
        let start = self.original(clean.start);
        if clean.is_empty() {
            return start..start;
        }
        // The last byte kept and the one after it may belong to different runs.
        let end = self.original(clean.end - 1) + 1;
        start..end.max(start)
    }

    /// What the original has for a range of the cleaned text.
    pub(super) fn written(&self, clean: Range<usize>) -> &'t str {
        let range = self.original_range(clean);
        self.original.get(range).unwrap_or_default()
    }

    /// What the original has where an edit was made.
    pub(super) fn written_edit(&self, edit: &Edit) -> &'t str {
        self.original.get(edit.original.clone()).unwrap_or_default()
    }

    /// The edits whose place lies in a range of the cleaned text, the end included.
    pub(super) fn edits_in(&self, clean: Range<usize>) -> &[Edit] {
        let first = self.edits.partition_point(|edit| edit.clean.start < clean.start);
        let last = self.edits.partition_point(|edit| edit.clean.end <= clean.end);
        self.edits.get(first..last).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_inside_a_word_go() {
        for (written, read) in [
            ("The Ayrs.h.i.+re La.s.sie", "The Ayrshire Lassie"),
            ("d.y.k.e", "dyke"),
            ("ill.u.s.tration", "illustration"),
            ("ill.u.s.tra.t.ion", "illustration"),
        ] {
            assert_eq!(Cleaned::new(written).text, read);
        }
    }

    #[test]
    fn dots_that_mean_something_stay() {
        for kept in ["i.e.the", "E.T. Baker", "U.S.A.", "q.e.d.", "a.m.", "11.15 23.18", "www.a.org", "end.Next"] {
            assert_eq!(Cleaned::new(kept).text, kept);
        }
    }

    #[test]
    fn marks_go_and_the_way_back_is_kept() {
        let cleaned = Cleaned::new("_=One.=_ {12}\n_two_ snake_case La.s.sie é");
        assert_eq!(cleaned.text, "One. \ntwo snake_case Lassie é");
        let word = cleaned.text.find("Lassie").expect("kept");
        assert_eq!(cleaned.written(word..word + 6), "La.s.sie");
        let last = cleaned.text.find('é').expect("kept");
        assert_eq!(cleaned.written(last..last + 2), "é");
    }
}
