//! Names and ballots read strictly, where a wrong guess would answer another question than the one asked.
//!
//! A name is read in one of three ways, the first that fits:
//!
//! 1. as written, but for case and blanks;
//! 2. equal after folding: accents, apostrophes, stops, hyphens, word order, numbers spelt out, `the`;
//! 3. with one letter off per word, where only one opening has such a name.
//!
//! Numbers and words of one or two letters are never a letter off. Everything looser is not read: [`Book::lookup`] has what was
//! probably meant.

use strsim::osa_distance;

use super::lookup::{plain_words, words};
use super::{Ballot, Book, Deck, Opening};

/// How the name of an opening was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameReading<'b> {
    /// It is the name as written, but for case.
    Exact(&'b Opening),
    /// It differs from the name, and no other can have been meant.
    Forgiven {
        /// The opening.
        opening: &'b Opening,
        /// The name or alias that was read.
        name: &'b str,
    },
}

impl<'b> NameReading<'b> {
    /// The opening that was read.
    #[must_use]
    pub const fn opening(&self) -> &'b Opening {
        match self {
            Self::Exact(opening) | Self::Forgiven { opening, .. } => opening,
        }
    }
}

/// A ballot of a number that its deck does not have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no ballot {number}: the {} deck has the numbers {first} to {last}", deck.name())]
pub struct UnknownBallot {
    /// The deck.
    pub deck: Deck,
    /// The number asked for, in digits.
    pub number: String,
    /// The first number of the deck.
    pub first: u16,
    /// The last number of the deck.
    pub last: u16,
}

/// Longer texts are no names.
const MAX_TEXT_BYTES: usize = 400;

impl Book {
    /// The opening that `text` names, strictly; `None` where it names none, or may name several.
    #[must_use]
    pub fn read_name(&self, text: &str) -> Option<NameReading<'_>> {
        if text.len() > MAX_TEXT_BYTES {
            return None;
        }
        let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        let asked = plain(text);
        if let Some((opening, _)) = self.only_one(|name| plain(name) == asked) {
            return Some(NameReading::Exact(opening));
        }
        let asked = Folded::new(text);
        if asked.words.is_empty() {
            return None;
        }
        let forgiven = |(opening, name)| NameReading::Forgiven { opening, name };
        let equal = |name: &str| asked.equals(&Folded::new(name));
        if self.names().any(|(_, name)| equal(name)) {
            return self.only_one(equal).map(forgiven);
        }
        self.only_one(|name| asked.is_slip_of(&Folded::new(name))).map(forgiven)
    }

    /// The ballot that `text` asks for: `126`, `ballot 126`, `no. 126`, `two-move ballot 7`. `None` where it asks for none.
    #[must_use]
    pub fn read_ballot(&self, text: &str) -> Option<Result<&Ballot, UnknownBallot>> {
        let (deck, number) = ballot_number(text)?;
        let found = number.parse().ok().and_then(|number| self.ballot(deck, number));
        if let Some(ballot) = found {
            return Some(Ok(ballot));
        }
        let numbers = || self.ballots().iter().filter(|ballot| ballot.deck == deck).map(|ballot| ballot.number);
        let (first, last) = (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0));
        Some(Err(UnknownBallot { deck, number, first, last }))
    }

    /// Every name and alias with its opening.
    fn names(&self) -> impl Iterator<Item = (&Opening, &str)> {
        self.openings().iter().flat_map(|opening| {
            std::iter::once(&opening.name).chain(&opening.aliases).map(move |name| (opening, name.as_str()))
        })
    }

    /// The one opening that has a name which `fits`, with that name; `None` where several have.
    fn only_one(&self, fits: impl Fn(&str) -> bool) -> Option<(&Opening, &str)> {
        let mut fitting = self.names().filter(|(_, name)| fits(name));
        let first = fitting.next()?;
        fitting.all(|(opening, _)| std::ptr::eq(opening, first.0)).then_some(first)
    }
}

/// The deck and the number that a text asks for. The number stands in digits at its end.
fn ballot_number(text: &str) -> Option<(Deck, String)> {
    let lower = text.trim().to_lowercase();
    let digits = lower.rsplit(|c: char| !c.is_ascii_digit()).next().filter(|digits| !digits.is_empty())?;
    let before = lower.get(..lower.len() - digits.len())?;
    // `-1` and `+126` are numbers, but not of ballots.
    if !before.is_empty()
        && !before.ends_with(|c: char| c.is_alphabetic() || c.is_whitespace() || matches!(c, '.' | '#' | ':'))
    {
        return None;
    }
    let mut before = words(before);
    if matches!(before.last().map(String::as_str), Some("no" | "number" | "nr")) {
        before.pop();
    }
    let deck = match before.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] | ["ballot"] | ["3", "move", "ballot"] => Deck::ThreeMove,
        ["2", "move", "ballot"] => Deck::TwoMove,
        _ => return None,
    };
    Some((deck, digits.to_owned()))
}

/// A name in the form in which names are compared.
struct Folded {
    /// Its words in their order: numbers as digits, without `the`.
    words: Vec<String>,
    /// The same as they were spelt, for slips in the word of a number.
    spelt: Vec<String>,
}

impl Folded {
    fn new(name: &str) -> Self {
        let of_name = |word: &String| word != "the";
        let spelt = plain_words(name).split_whitespace().map(str::to_owned).filter(of_name).collect();
        Self { words: words(name).into_iter().filter(of_name).collect(), spelt }
    }

    fn equals(&self, name: &Self) -> bool {
        self.words.concat() == name.words.concat() || sorted(&self.words) == sorted(&name.words)
    }

    fn is_slip_of(&self, name: &Self) -> bool {
        pair_off(&self.words, &name.words) || pair_off(&self.spelt, &name.spelt)
    }
}

fn sorted(words: &[String]) -> Vec<&String> {
    let mut words: Vec<&String> = words.iter().collect();
    words.sort_unstable();
    words
}

/// Whether each word of `asked` is a word of `name` of its own, or one with a letter off, and no word of `name` is left.
fn pair_off(asked: &[String], name: &[String]) -> bool {
    let mut left: Vec<&String> = name.iter().collect();
    let mut wrong: Vec<&String> = Vec::new();
    // The same words first, so that a slip does not take another word's place.
    for word in asked {
        match left.iter().position(|other| *other == word) {
            Some(at) => drop(left.swap_remove(at)),
            None => wrong.push(word),
        }
    }
    wrong.len() == left.len()
        && wrong.into_iter().all(|word| match left.iter().position(|other| is_slip(word, other)) {
            Some(at) => {
                left.swap_remove(at);
                true
            }
            None => false,
        })
}

/// Whether two words differ by one letter. Numbers are right or wrong, and so are words of one or two letters.
fn is_slip(one: &str, two: &str) -> bool {
    let length = one.chars().count().min(two.chars().count());
    let has_digit = one.chars().chain(two.chars()).any(char::is_numeric);
    length > 2 && !has_digit && osa_distance(one, two) == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_pair_off_with_one_letter_off_at_most() {
        let pairs = |asked: &str, name: &str| Folded::new(asked).is_slip_of(&Folded::new(name));
        assert!(pairs("bristl cros", "Bristol Cross") && pairs("cros bristl", "Bristol Cross"));
        assert!(pairs("old forteenth", "Old Fourteenth") && pairs("ayrshrie lassie", "Ayrshire Lassie"));
        assert!(!pairs("boston cross", "Bristol Cross") && !pairs("bristol", "Bristol Cross"));
        assert!(!pairs("old 13th", "Old Fourteenth") && !pairs("old 14th", "Old 13th") && !pairs("of", "or"));
    }

    #[test]
    fn a_ballot_has_a_number_at_its_end() {
        for text in ["126", " ballot 126", "Ballot No. 126", "#126", "no 126", "three-move ballot 126"] {
            assert_eq!(ballot_number(text), Some((Deck::ThreeMove, "126".to_owned())), "{text}");
        }
        assert_eq!(ballot_number("two-move ballot 7"), Some((Deck::TwoMove, "7".to_owned())));
        assert_eq!(ballot_number("2-move ballot no. 7"), Some((Deck::TwoMove, "7".to_owned())));
        for text in ["", "fourteenth", "11-15", "old 14", "ballot", "9 14", "11x15", "ballot 7 8", "1."] {
            assert_eq!(ballot_number(text), None, "{text}");
        }
    }
}
