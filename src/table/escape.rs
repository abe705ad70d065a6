//! Characters that a terminal would obey, or that nobody sees, as escapes such as `\u{1b}`: the one style of messages and pages.

use std::fmt::Write as _;

/// Whether `c` has no width of its own and changes only how its neighbours are shown: joiners, marks of direction, soft hyphens,
/// tags. Two names that differ in such signs alone look the same.
#[must_use]
pub const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Whether a terminal would obey `c` rather than show it, or show nothing at all: C0 and C1 controls, the two separators that
/// some terminals take for line ends, and what is invisible (see [`is_invisible`]). The joiners U+200C and U+200D are part of
/// words in some scripts and of emoji, and stay.
#[must_use]
pub const fn is_hostile(c: char) -> bool {
    let is_joiner = matches!(c, '\u{200c}' | '\u{200d}');
    matches!(c, '\0'..='\x1f' | '\x7f'..='\u{9f}' | '\u{2028}' | '\u{2029}') || (is_invisible(c) && !is_joiner)
}

/// Appends `c` to `text` as an escape: `\u{1b}`.
pub fn push_escape(text: &mut String, c: char) {
    // Writing to a `String` cannot fail.
    let _ = write!(text, "\\u{{{:x}}}", u32::from(c));
}

/// `text` on one line, as messages name what somebody wrote: line ends are shown as `\n`, tabs as blanks and whatever else is
/// hostile (see [`is_hostile`]) as an escape.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => shown.push_str("\\n"),
            '\t' => shown.push(' '),
            c if is_hostile(c) => push_escape(&mut shown, c),
            c => shown.push(c),
        }
    }
    shown
}

/// The same between quotation marks.
#[must_use]
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_is_escaped_in_one_style() {
        for (text, shown) in [
            ("O'Hara \\ \"x\"", "\"O'Hara \\ \"x\"\""),
            ("Zoe\u{308} 🙂\u{200d}", "\"Zoe\u{308} 🙂\u{200d}\""),
            ("a\tb\nc\r\0", "\"a b\\nc\\u{d}\\u{0}\""),
            ("\u{1b}[31m\u{ad}\u{9b}\u{202e}", "\"\\u{1b}[31m\\u{ad}\\u{9b}\\u{202e}\""),
        ] {
            assert_eq!(quoted(text), shown);
        }
    }
}
