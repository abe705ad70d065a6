//! The law of tables of names and of names asked for: every line of a table that is read is legal, and its name is found by its
//! position and, where it has a word to look for, by itself; an error names a place in the file. Whatever is asked for, each
//! opening is found once, the best match first, and only the first can be sure.

use std::collections::HashSet;

use crownhead::board::Variant;
use crownhead::book::{Book, Rank};
use crownhead::game::{fold, name_key, year_of};
use crownhead::rules::Position;

use super::common::{BOOK, assert_legal, files};

/// Longer names cannot be asked for.
const LONGEST_QUESTION: usize = 100;

pub(super) fn check(bytes: &[u8]) {
    let text = &*String::from_utf8_lossy(bytes);
    match Book::default().with_names("names.tsv", text) {
        Ok(book) => table(&book),
        Err(error) => {
            let lines = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
            assert!(error.line >= 1 && error.line <= lines.max(1) && error.column >= 1, "{error}");
        }
    }
    question(text);
}

fn table(book: &Book) {
    for opening in book.openings() {
        for line in opening.lines() {
            let end = assert_legal(Position::start(Variant::English), &line.moves);
            assert_eq!(end, line.position);
            assert_eq!(book.at(line.key()).map(|found| &found.name), Some(&opening.name));
        }
        let found = book.lookup(&opening.name);
        let askable = fold(&opening.name, false).chars().filter(|c| c.is_alphanumeric()).count() > 3
            && opening.name.chars().all(|c| c.is_ascii_alphabetic())
            && opening.name.len() < LONGEST_QUESTION;
        let first = found.first().map(|best| (best.rank, best.opening.name.to_lowercase()));
        assert!(
            !askable || first == Some((Rank::Exact, opening.name.to_lowercase())),
            "{:?} is not found by its name: {first:?}",
            opening.name
        );
    }
}

fn question(text: &str) {
    let found = BOOK.lookup(text);
    assert!(found.is_sorted_by_key(|one| (one.rank, one.distance)), "the best match stands first");
    assert!(found.iter().skip(1).all(|one| !one.is_sure()), "two matches are sure");
    let names: HashSet<&str> = found.iter().map(|one| &*one.opening.name).collect();
    assert_eq!(names.len(), found.len(), "an opening is found twice");
    if let Some(Ok(ballot)) = BOOK.read_ballot(text) {
        assert_eq!(BOOK.ballot(ballot.deck, ballot.number), Some(ballot));
    }
    for exact in [false, true] {
        let folded = fold(text, exact);
        assert_eq!(fold(&folded, exact), folded, "folding twice is folding once");
        let _ = name_key(text, exact);
    }
    let _ = year_of(text);
}

pub(super) fn seeds() -> Vec<Vec<u8>> {
    let written = [
        "name\tmoves\taliases\tlevel\tconfidence\tsource\tnote\nFern Game\t11-15 22-17\tFerns; The Fern\topening\tA\tx\ty\n",
        "# table\nmoves\tname\n11-15\tA\n11-15 23-19 8-11\tB: C\n",
        "bristol cross",
        "Laird & Lady",
        "the fourteenth",
        "ballot no. 86",
        "La.s.sie",
        "Óld Foürteenth's",
        "Tinsley, Marion",
        "1997.05.??",
    ];
    let written = written.iter().map(|text| text.as_bytes().to_vec());
    written.chain(files("tests/fixtures", &["tsv"])).collect()
}
