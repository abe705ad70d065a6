//! Look-up by name, forgiving.
//!
//! Case, accents, apostrophes, the stops of bad scans (`La.s.sie`), hyphens, word order, spelt-out numbers (`fourteenth`,
//! `14th`, `II`) and near misses are forgiven; what fits better comes first.

use strsim::osa_distance;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::game::is_invisible;

use super::{Book, Opening};

/// How well a name fits what was asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rank {
    /// It is the name.
    Exact,
    /// It begins the name.
    Prefix,
    /// Its words are words of the name, or begin them, in any order.
    Word,
    /// It is near the name.
    Fuzzy,
}

/// An opening that fits what was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpeningMatch<'b> {
    /// The opening.
    pub opening: &'b Opening,
    /// The name or alias that fits.
    pub matched: &'b str,
    /// How well it fits.
    pub rank: Rank,
    /// How many letters differ.
    pub distance: usize,
    sure: bool,
}

impl OpeningMatch<'_> {
    /// Whether no other opening can have been meant: the name itself, or the only one that fits so well.
    #[must_use]
    pub const fn is_sure(&self) -> bool {
        self.sure
    }
}

/// Longer questions are no names.
const MAX_NAME_BYTES: usize = 100;

impl Book {
    /// The openings that `query` may mean, each once, the best first; empty when none is near.
    #[must_use]
    pub fn lookup(&self, query: &str) -> Vec<OpeningMatch<'_>> {
        // A number with a sign is no name, although its digits are a word of some.
        let unsigned = query.trim().strip_prefix(['-', '+']);
        let is_signed = unsigned.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if query.len() > 4 * MAX_NAME_BYTES || is_signed {
            return Vec::new();
        }
        let asked = Asked::new(query, false);
        let mut found = self.matches(&asked, query);
        if found.first().is_none_or(|best| best.rank == Rank::Fuzzy) {
            // "the Fife game", "Souter opening": words that people add to a name.
            let bare = Asked::new(query, true);
            if bare.words != asked.words {
                found.extend(self.matches(&bare, query));
                settle(&mut found, query);
            }
        }
        found
    }

    fn matches(&self, asked: &Asked, query: &str) -> Vec<OpeningMatch<'_>> {
        let mut found = Vec::new();
        if asked.words.is_empty() || asked.text.len() > MAX_NAME_BYTES {
            return found;
        }
        for opening in self.openings() {
            for matched in std::iter::once(&opening.name).chain(&opening.aliases) {
                if let Some((rank, distance)) = asked.fits(&Asked::new(matched, false)) {
                    found.push(OpeningMatch { opening, matched, rank, distance, sure: false });
                }
            }
        }
        settle(&mut found, query);
        found
    }
}

/// Sorts matches, keeps the best of each opening and says whether the first is sure.
fn settle(found: &mut Vec<OpeningMatch<'_>>, query: &str) {
    found.sort_by_key(|one| {
        let as_written = one.matched.to_lowercase() != query.trim().to_lowercase();
        (one.rank, one.distance, as_written, one.matched != one.opening.name, one.matched.chars().count())
    });
    let mut seen: Vec<&str> = Vec::new();
    found.retain(|one| {
        let new = !seen.contains(&one.opening.name.as_str());
        seen.push(&one.opening.name);
        new
    });
    let Some((best, others)) = found.split_first_mut() else { return };
    let mut rivals = others.iter().filter(|one| one.rank == best.rank);
    best.sure = match best.rank {
        Rank::Exact => true,
        // "laird" is the Laird and Lady, although there is a Laird and Lady Refused.
        Rank::Prefix | Rank::Word => rivals.all(|one| one.matched.starts_with(best.matched)),
        Rank::Fuzzy => rivals.all(|one| one.distance > best.distance),
    };
}

/// A name in the form in which names are compared.
struct Asked {
    words: Vec<String>,
    text: String,
    glued: String,
    sorted: String,
    /// As it was spelt, for slips in a number's word: `forteenth`.
    spelt: String,
}

impl Asked {
    fn new(name: &str, bare: bool) -> Self {
        let mut words = words(name);
        words.retain(|word| word != "the" && !(bare && matches!(word.as_str(), "opening" | "game" | "defence")));
        let mut sorted = words.clone();
        sorted.sort_unstable();
        let spelt = plain_words(name).replace("the ", "");
        Self { text: words.join(" "), glued: words.concat(), sorted: sorted.join(" "), spelt, words }
    }

    /// How well `self`, asked for, fits `name`.
    fn fits(&self, name: &Self) -> Option<(Rank, usize)> {
        let missing = name.glued.chars().count().saturating_sub(self.glued.chars().count());
        if self.glued == name.glued {
            Some((Rank::Exact, 0))
        } else if begins(&name.text, &self.text)
            || begins(&name.glued, &self.glued)
            || !self.spelt.is_empty() && begins(&name.spelt, &self.spelt)
        {
            Some((Rank::Prefix, missing))
        } else if words_begin(self.words.iter(), name.words.iter())
            || words_begin(self.spelt.split_whitespace(), name.spelt.split_whitespace())
        {
            Some((Rank::Word, missing))
        } else {
            self.nearness(name).map(|distance| (Rank::Fuzzy, distance))
        }
    }

    /// How many letters differ, where they are few.
    fn nearness(&self, name: &Self) -> Option<usize> {
        let whole = [
            (&self.text, &name.text),
            (&self.glued, &name.glued),
            (&self.sorted, &name.sorted),
            (&self.spelt, &name.spelt),
        ];
        let whole = whole.iter().filter_map(|(asked, name)| spelling_distance(asked, name));
        let words: Option<usize> = self
            .words
            .iter()
            .map(|word| name.words.iter().filter_map(|other| spelling_distance(word, other)).min())
            .sum();
        // Words of the name that nobody asked for make it a little less likely.
        let words = words.map(|sum| sum + name.words.len().saturating_sub(self.words.len()));
        whole.chain(words).min()
    }
}

/// Whether `name` begins with `asked`; not in the middle of a number, because 1 is no beginning of 14.
fn begins(name: &str, asked: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    name.strip_prefix(asked).is_some_and(|rest| !(asked.ends_with(is_digit) && rest.starts_with(is_digit)))
}

/// Whether there are words, and each is or begins a word of `name`, and a word of its own.
fn words_begin<'a, W: AsRef<str> + 'a + ?Sized>(
    words: impl Iterator<Item = &'a W>,
    name: impl Iterator<Item = &'a W>,
) -> bool {
    let words: Vec<&str> = words.map(AsRef::as_ref).collect();
    let mut left: Vec<&str> = name.map(AsRef::as_ref).collect();
    let mut take = |wanted: &dyn Fn(&str) -> bool| {
        let at = left.iter().position(|word| wanted(word));
        at.map(|at| left.swap_remove(at)).is_some()
    };
    let begun: Vec<&&str> = words.iter().filter(|word| !take(&|other| other == **word)).collect();
    !words.is_empty() && begun.into_iter().all(|word| take(&|other| begins(other, word)))
}

/// The number of letters that differ, where that may be a slip: one in four. Numbers are right or wrong.
fn spelling_distance(asked: &str, name: &str) -> Option<usize> {
    if asked == name {
        return Some(0);
    }
    if asked.bytes().all(|byte| byte.is_ascii_digit()) || name.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let length = asked.chars().count().max(name.chars().count());
    if length.abs_diff(asked.chars().count()) > 4 || length.abs_diff(name.chars().count()) > 4 {
        return None;
    }
    let distance = osa_distance(asked, name);
    (distance <= (length / 4).min(4)).then_some(distance)
}

/// A name in small letters without accents, apostrophes and scan marks; one blank between words.
pub(super) fn plain_words(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            // Stops, plus signs and underscores stand inside words in bad scans; apostrophes come in many forms.
            '.' | '+' | '*' | '_' | '~' | '\'' | '"' | '`' | '\u{b4}' | '\u{2018}'..='\u{201f}' => {}
            invisible if is_invisible(invisible) => {}
            '&' => plain.push_str(" and "),
            'ß' => plain.push_str("ss"),
            'ø' | 'Ø' => plain.push('o'),
            'æ' | 'Æ' => plain.push_str("ae"),
            'ł' | 'Ł' => plain.push('l'),
            _ => plain.push(c),
        }
    }
    let folded: String = plain
        .nfkd()
        .filter(|c| !is_combining_mark(*c))
        .flat_map(char::to_lowercase)
        .map(|c| if c.is_alphanumeric() { c } else { ' ' })
        .collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The words of a name: small letters without accents, apostrophes and scan marks; numbers as digits.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut tens: Option<u32> = None;
    for (at, word) in plain_words(text).split(' ').filter(|word| !word.is_empty()).enumerate() {
        let number = number(word, at > 0);
        match (tens.take(), number) {
            // "twenty-first": the units join the tens before them.
            (Some(tens), Some(units @ 1..=9)) => {
                words.pop();
                words.push((tens + units).to_string());
            }
            (_, Some(number)) => {
                tens = (number >= 20 && number % 10 == 0 && word.ends_with('y')).then_some(number);
                words.push(number.to_string());
            }
            _ => words.push(word.to_owned()),
        }
    }
    words
}

/// The number a word spells: cardinal, ordinal, digits with or without an ending, and, after a name, Roman up to ten.
fn number(word: &str, after_name: bool) -> Option<u32> {
    const UNITS: [&str; 20] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ];
    const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    const ORDINALS: [(&str, u32); 7] =
        [("first", 1), ("second", 2), ("third", 3), ("fifth", 5), ("eighth", 8), ("ninth", 9), ("twelfth", 12)];
    const ROMAN: [&str; 10] = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"];
    let place =
        |list: &[&str], word: &str| list.iter().position(|one| *one == word).and_then(|at| u32::try_from(at).ok());
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|ending| word.strip_suffix(ending)).unwrap_or(word);
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return digits.parse().ok();
    }
    if let Some(&(_, value)) = ORDINALS.iter().find(|(name, _)| *name == word) {
        return Some(value);
    }
    let stem = word.strip_suffix("th").unwrap_or(word);
    let tens = stem.strip_suffix("ie").map(|stem| format!("{stem}y"));
    place(&UNITS, stem)
        .or_else(|| place(&TENS, tens.as_deref().unwrap_or(stem)).map(|at| 10 * (at + 2)))
        .or_else(|| place(&ROMAN, word).filter(|_| after_name).map(|at| at + 1))
}
