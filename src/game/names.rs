//! What tags say made comparable: names of people and events, and the year of a date however much else of it is unknown.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::table::is_invisible;

/// Text made comparable: lower case, one kind of apostrophe, and accents off unless `exact`.
#[must_use]
pub fn fold(text: &str, exact: bool) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    if exact {
        return text.nfc().collect::<String>().to_lowercase();
    }
    let plain: String = text.nfd().filter(|c| !is_combining_mark(*c)).collect();
    let mut folded = String::with_capacity(plain.len());
    for letter in plain.to_lowercase().chars() {
        // Letters whose accent Unicode does not take apart.
        match letter {
            '\u{2018}' | '\u{2019}' | '\u{02bc}' => folded.push('\''),
            'ø' => folded.push('o'),
            'ł' => folded.push('l'),
            'đ' | 'ð' => folded.push('d'),
            'ı' => folded.push('i'),
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            // Lower case can bring a mark of its own: İ.
            mark if is_combining_mark(mark) => {}
            other => folded.push(other),
        }
    }
    folded
}

/// `text` as names are compared: folded, without what is invisible in it.
#[must_use]
pub fn fold_name(text: &str, exact: bool) -> String {
    let mut folded = fold(text, exact);
    if !folded.is_ascii() {
        folded.retain(|c| !is_invisible(c));
    }
    folded
}

/// A name made comparable: its words without case, signs and, unless `exact`, accents, in a fixed order. Empty for what is no
/// name, such as `?`.
#[must_use]
pub fn name_key(name: &str, exact: bool) -> String {
    let folded = fold_name(name, exact);
    let mut words: Vec<&str> = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.sort_unstable();
    words.join(" ")
}

/// Whether a player's name names no one: blank, signs alone (`?`, `-`), `NN` and the words that stand for it.
#[must_use]
pub fn is_unknown_player(name: &str) -> bool {
    const NO_ONE: [&str; 6] = ["", "nn", "n n", "unknown", "anonymous", "anon"];
    NO_ONE.contains(&name_key(name, false).as_str())
}

/// The year of a date: its first four digits in a row; `None` where that is 0000.
#[must_use]
pub fn year_of(date: &str) -> Option<u16> {
    let digits = date.as_bytes().windows(4).find(|four| four.iter().all(u8::is_ascii_digit))?;
    std::str::from_utf8(digits).ok()?.parse().ok().filter(|&year| year > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_partial_date_has_its_year() {
        assert_eq!(year_of("1880.??.??"), Some(1880));
        assert_eq!(year_of("??.11.1880"), Some(1880));
        assert_eq!(year_of("1841-??-??"), Some(1841));
        assert_eq!(year_of("c. 1898"), Some(1898));
        assert_eq!(year_of("????.??.??"), None);
    }

    #[test]
    fn a_name_has_one_key_however_it_is_written() {
        let names = ["Lindén, Å. B.", "A.B. Linden", "linde\u{301}n a b", "B. A. LINDEN"];
        assert_eq!(names.map(|name| name_key(name, false)), ["a b linden"; 4]);
        assert_eq!(name_key("Ti\u{200b}nsley, \u{200e}M\u{ad}.", false), name_key("Tinsley, M.", false));
        assert_ne!(name_key("Lindén", true), name_key("Linden", true));
        let no_one = ["?", "", " ", "-", "???", "NN", "N.N.", "n. n.", "Unknown", "anonymous"];
        assert!(no_one.iter().all(|name| is_unknown_player(name)));
        assert!(["Ann, N.", "N. Ash", "Nunn", "Mr. Unknown"].iter().all(|name| !is_unknown_player(name)));
        assert_eq!(["?", "", "-", "???"].map(|name| name_key(name, false)), [""; 4]);
    }
}
