//! The words of the field, one meaning each.

use crate::table::{Cell, Column, Row};

use super::BookError;
use super::lookup::words;
use super::sheet::Sheet;

/// One word of the glossary.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Term {
    /// The word.
    pub term: String,
    /// What it means.
    pub meaning: String,
    /// Words that are not used for it.
    pub not: Vec<String>,
}

impl Row for Term {
    const COLUMNS: &'static [Column] = &[Column::text("term", 0), Column::text("meaning", 0), Column::text("not", 1)];

    fn values(self) -> Vec<Cell> {
        vec![self.term.into(), self.meaning.into(), self.not.into()]
    }
}

/// All words, in alphabetical order.
///
/// # Errors
/// [`BookError`] when the embedded table is damaged, which a test rules out.
pub fn glossary() -> Result<Vec<Term>, BookError> {
    const GLOSSARY_FILE: &str = "data/glossary.tsv";
    let sheet = Sheet::read(GLOSSARY_FILE, include_str!("../../data/glossary.tsv"), &["term", "meaning", "not"], 3)?;
    sheet
        .rows()
        .map(|row| {
            Ok(Term {
                term: row.field("term").filled("term")?.to_owned(),
                meaning: row.field("meaning").filled("meaning")?.to_owned(),
                not: row.field("not").list(),
            })
        })
        .collect()
}

/// The words that `query` names: those it spells, else those it begins, else those that mention it.
#[must_use]
pub fn find_terms(terms: Vec<Term>, query: &str) -> Vec<Term> {
    let query = words(query).join(" ");
    let rank = |term: &Term| {
        let name = words(&term.term).join(" ");
        if name == query {
            0
        } else if name.starts_with(&query) {
            1
        } else if name.contains(&query) || words(&term.not.join(" ")).join(" ").contains(&query) {
            2
        } else {
            u8::from(!words(&term.meaning).join(" ").contains(&query)) + 3
        }
    };
    let mut ranked: Vec<_> = terms.into_iter().map(|term| (rank(&term), term)).filter(|(rank, _)| *rank < 4).collect();
    let best = ranked.iter().map(|(rank, _)| *rank).min();
    ranked.retain(|(rank, _)| Some(*rank) == best);
    ranked.into_iter().map(|(_, term)| term).collect()
}
