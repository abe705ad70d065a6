//! Telling PDN from a book's text.

use std::sync::LazyLock;

use regex::Regex;

/// A tag, or moves with PDN's numbers, or moves that end in PDN's result, at the start of a line.
static PDN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"(?xm) ^ \s* (?:
            \[ \s* [A-Za-z]\w* \s* "
            | \d{1,3} \.{1,3} \s* (?: \d{1,2} \s* [-x:] \s* \d{1,2} | [a-l]\d{1,2} \s* [-x:] \s* [a-l]\d ) \b
            | (?: \d{1,2} [-x:] \d{1,2} \s+ )+ (?: \d-\d | 1/2-1/2 | \* ) \s* $
        )"#,
    )
    .expect("a constant pattern")
});

/// Whether a text is PDN: it has a tag line, or moves numbered as PDN numbers them, or moves before a final marker.
/// Everything else is for [`read`](super::read), which leaves alone what it does not know.
#[must_use]
pub fn looks_like_pdn(text: &str) -> bool {
    PDN.is_match(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pdn_is_told_from_books() {
        for pdn in ["[Event \"A\"]\n", "1. 11-15 23-19", "Club night\n 1.11-15", "11-15 23-19 *", "12. ... \n1. c3-d4"]
        {
            assert!(looks_like_pdn(pdn), "{pdn}");
        }
        for book in [
            "1. The \"Cross\" is formed by the first two moves: 11 to 15, 23 to 18.",
            "| 11-15 | 11-15 |",
            "   1.   B.     11    15",
            "11.15 23.18 8.11",
            "[Illustration: a board]",
            "l1-15 23-l9 8-1I",
        ] {
            assert!(!looks_like_pdn(book), "{book}");
        }
    }
}
