//! Rows of the tables `opening` and `identify`.

use crate::notation::fen;
use crate::table::{Cell, Column, Row};

use super::identify::keys_of;
use super::{Ballot, Book, Identified, NamedLine, Opening};

/// A row of the tables `opening` and `identify`: their first eleven columns are the contract.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OpeningRow {
    /// The opening's name.
    pub name: Option<String>,
    /// Its other names.
    pub aliases: Vec<String>,
    /// The name's own line.
    pub moves: Option<String>,
    /// The ply at which the named position was reached.
    pub ply: Option<u32>,
    /// The family's name.
    pub family: Option<String>,
    /// The ballot's number.
    pub ballot: Option<u16>,
    /// The deck it is numbered in.
    pub deck: Option<String>,
    /// The named position.
    pub fen: Option<String>,
    /// Where the name comes from.
    pub sources: Vec<String>,
    /// What is told of it.
    pub note: Option<String>,
    /// Whether it was reached in another order than the name's own line.
    pub by_transposition: bool,
    /// The ballot's own names.
    pub ballot_names: Vec<String>,
    /// Whether the ballot is played.
    pub status: Option<String>,
    /// How much the name covers.
    pub level: Option<String>,
    /// How well the name is attested.
    pub confidence: Option<String>,
    /// Whether this is a later position of the name than its definition.
    pub tabiya: bool,
}

impl Row for OpeningRow {
    const COLUMNS: &'static [Column] = &[
        Column::text("name", 0),
        Column::text("aliases", 6),
        Column::text("moves", 1),
        Column::number("ply", 5),
        Column::text("family", 3),
        Column::number("ballot", 2).grouped("ballot"),
        Column::text("deck", 2).grouped("ballot"),
        Column::text("fen", 14),
        Column::path("source", 12),
        Column::text("note", 9),
        Column::text("by_transposition", 8),
        Column::text("ballot_names", 15),
        Column::text("status", 7),
        Column::text("level", 11),
        Column::text("confidence", 13),
        Column::text("tabiya", 10),
    ];

    fn values(self) -> Vec<Cell> {
        vec![
            self.name.into(),
            self.aliases.into(),
            self.moves.into(),
            self.ply.into(),
            self.family.into(),
            self.ballot.into(),
            self.deck.into(),
            self.fen.into(),
            self.sources.into(),
            self.note.into(),
            self.by_transposition.into(),
            self.ballot_names.into(),
            self.status.into(),
            self.level.into(),
            self.confidence.into(),
            self.tabiya.into(),
        ]
    }
}

impl OpeningRow {
    /// The row of one line of an opening.
    #[must_use]
    pub fn of_line(book: &Book, opening: &Opening, line: &NamedLine) -> Self {
        Self::from_identified(&Identified {
            opening: Some((opening, line)),
            ply: Some(line.ply()),
            by_transposition: false,
            family: book.family(&line.moves),
            ballot: book.last_ballot(&keys_of(&line.moves)),
        })
    }

    /// The rows of an opening: its definition, then its tabiyas.
    #[must_use]
    pub fn of_opening(book: &Book, opening: &Opening) -> Vec<Self> {
        opening.lines().map(|line| Self::of_line(book, opening, line)).collect()
    }

    /// The row of a ballot, by its own moves; its name is that of its position, not of one that was passed on the way.
    #[must_use]
    pub fn of_ballot(book: &Book, ballot: &Ballot) -> Self {
        let identified = Identified {
            opening: book.line_at(ballot.position.key()),
            ply: u32::try_from(ballot.moves.len()).ok(),
            by_transposition: false,
            family: book.family(&ballot.moves),
            ballot: Some(ballot),
        };
        let mut row = Self::from_identified(&identified);
        row.name = row.name.or_else(|| ballot.names.first().cloned());
        row.moves = Some(ballot.text.clone());
        row.fen = Some(fen::write(&ballot.position.setup()));
        row
    }

    /// The row of a line of play that was named.
    #[must_use]
    pub fn from_identified(identified: &Identified<'_>) -> Self {
        let mut row = Self {
            ply: identified.ply,
            family: identified.family.map(|family| family.name.clone()),
            by_transposition: identified.by_transposition,
            ..Self::default()
        };
        if let Some((opening, line)) = identified.opening {
            row.name = Some(opening.name.clone());
            row.aliases.clone_from(&opening.aliases);
            row.level = Some(opening.level.name().to_owned());
            row.moves = Some(line.text.clone());
            row.fen = Some(fen::write(&line.position.setup()));
            row.sources.clone_from(&line.sources);
            row.note = (!line.note.is_empty()).then(|| line.note.clone());
            row.confidence = line.confidence.map(|grade| grade.name().to_owned());
            row.tabiya = line.key() != opening.definition.key();
        }
        if let Some(Ballot { deck, number, names, status, .. }) = identified.ballot {
            row.ballot = Some(*number);
            row.deck = Some(deck.name().to_owned());
            row.ballot_names.clone_from(names);
            row.status = Some(status.name().to_owned());
        }
        row
    }
}
