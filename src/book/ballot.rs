//! Ballots: openings drawn by lot.

use crate::board::Move;
use crate::rules::{Position, PositionKey};

use super::opening::replayed;
use super::sheet::{Sheet, SheetRow};
use super::{BookError, Problem};

/// The deck a ballot is numbered in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Deck {
    /// The 174 openings of three plies.
    ThreeMove,
    /// The 49 openings of two plies, of which 43 are balloted.
    TwoMove,
}

impl Deck {
    /// Every deck.
    pub const ALL: &'static [Self] = &[Self::ThreeMove, Self::TwoMove];

    /// The word in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ThreeMove => "three-move",
            Self::TwoMove => "two-move",
        }
    }
}

/// Whether and where a ballot is played.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BallotStatus {
    /// Three-move, across the board.
    CrossBoard,
    /// Three-move, added in 2003; by mail first.
    MailPlay,
    /// Not drawn: one side stands too badly.
    Barred,
    /// Two-move, in the deck of 43.
    InDeck,
    /// Two-move, never balloted.
    LosesAMan,
}

impl BallotStatus {
    /// Every status.
    pub const ALL: &'static [Self] = &[Self::CrossBoard, Self::MailPlay, Self::Barred, Self::InDeck, Self::LosesAMan];

    /// The words in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::CrossBoard => "cross-board",
            Self::MailPlay => "mail-play",
            Self::Barred => "barred",
            Self::InDeck => "in deck",
            Self::LosesAMan => "loses a man",
        }
    }
}

/// White's legal replies to a three-move ballot as the book of KingsRow rates them; a few are rated neither way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Replies {
    /// How many there are.
    pub legal: u16,
    /// Rated not lost.
    pub sound: u16,
    /// Rated lost.
    pub lost: u16,
}

/// How games of a collection ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BallotRecord {
    /// Won by Black.
    pub black_wins: u16,
    /// Drawn.
    pub draws: u16,
    /// Won by White.
    pub white_wins: u16,
}

/// One ballot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ballot {
    /// The deck it is numbered in.
    pub deck: Deck,
    /// Its number there.
    pub number: u16,
    /// The moves as the deck gives them.
    pub moves: Vec<Move>,
    /// The same as text.
    pub text: String,
    /// Other orders that lead to the same position.
    pub other_orders: Vec<Vec<Move>>,
    /// The position.
    pub position: Position,
    /// Whether it is played.
    pub status: BallotStatus,
    /// Whether it is in the "computer tough deck".
    pub tough: bool,
    /// Its names, the usual one first; most have none.
    pub names: Vec<String>,
    /// White's replies, for a three-move ballot.
    pub replies: Option<Replies>,
    /// How games of the ACF collection ended, for a three-move ballot.
    pub record: Option<BallotRecord>,
}

impl Ballot {
    /// The key of its position.
    #[must_use]
    pub fn key(&self) -> PositionKey {
        self.position.key()
    }
}

const COLUMNS: &[&str] = &[
    "deck",
    "number",
    "moves",
    "other_orders",
    "status",
    "tough",
    "names",
    "replies",
    "sound",
    "lost",
    "black_wins",
    "draws",
    "white_wins",
];

/// Reads a table of ballots.
pub(super) fn read_ballots(file: &str, text: &str) -> Result<Vec<Ballot>, BookError> {
    let sheet = Sheet::read(file, text, COLUMNS, COLUMNS.len())?;
    sheet.rows().map(|row| read_ballot(&row)).collect()
}

fn read_ballot(row: &SheetRow<'_, '_>) -> Result<Ballot, BookError> {
    let (moves, text, position) = replayed(row.field("moves"))?;
    let mut other_orders = Vec::new();
    for order in row.field("other_orders").parts() {
        let (other, _, reached) = replayed(order)?;
        if reached != position {
            return Err(order.error(0, Problem::OtherPosition));
        }
        other_orders.push(other);
    }
    let number = row.field("number");
    let Some(number_read) = number.number()? else { return Err(number.error(0, Problem::Empty("number"))) };
    let count = |column| row.field(column).number::<u16>();
    let replies = match (count("replies")?, count("sound")?, count("lost")?) {
        (Some(legal), Some(sound), Some(lost)) => Some(Replies { legal, sound, lost }),
        _ => None,
    };
    let record = match (count("black_wins")?, count("draws")?, count("white_wins")?) {
        (Some(black_wins), Some(draws), Some(white_wins)) => Some(BallotRecord { black_wins, draws, white_wins }),
        _ => None,
    };
    Ok(Ballot {
        deck: row.field("deck").word(Deck::ALL, Deck::name)?,
        number: number_read,
        moves,
        text,
        other_orders,
        position,
        status: row.field("status").word(BallotStatus::ALL, BallotStatus::name)?,
        tough: row.field("tough").text == "yes",
        names: row.field("names").list(),
        replies,
        record,
    })
}
