//! The checker: goes through a certificate with the rules and a database, and believes nothing else.
//!
//! Purpose: to be read in one sitting, so that what it accepts can be trusted. It shares nothing with the search that made
//! the certificate. Accepted is a certificate whose moves are legal and lead, whatever the other side plays, to the end of
//! the game or to a database position that bears the claim out, and never round in a circle.

use std::collections::HashMap;

use crate::board::{Bitboard, Color, Move, Square, Value};
use crate::rules::{FastPosition, Position, PositionKey};

use super::claim::Claim;
use crate::engine::Endings;

/// Why a certificate is refused.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// A line is not as it must be.
    #[error("line {line}: expected {expected}")]
    Form {
        /// From 1.
        line: usize,
        /// What should stand there.
        expected: &'static str,
    },
    /// The text was changed since it was written.
    #[error("the digest does not fit the text: the certificate was changed")]
    Digest,
    /// The database at hand knows less than the certificate counts on.
    #[error("the certificate needs endgame databases of {needed} pieces, and {have} are at hand")]
    Endings {
        /// Pieces that it needs.
        needed: u32,
        /// Pieces that the database knows.
        have: u32,
    },
    /// A position that the other side can bring about has no move.
    #[error("{key:032x}: no move is given for this position")]
    NoMove {
        /// The position's key.
        key: u128,
    },
    /// A move is not legal.
    #[error("{key:032x}: the move given is not legal")]
    Illegal {
        /// The position's key.
        key: u128,
    },
    /// A line ends otherwise than was claimed.
    #[error("{key:032x}: a line ends here, and not as was claimed")]
    Fails {
        /// The position's key.
        key: u128,
    },
    /// A line comes back to where it was.
    #[error("{key:032x}: a line comes back to this position")]
    Circle {
        /// The position's key.
        key: u128,
    },
}

/// What a certificate that was accepted says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CheckedCertificate {
    /// The position.
    pub position: Position,
    /// What is proved of it.
    pub claim: Claim,
    /// Positions gone through.
    pub walked: usize,
    /// Ends of lines: positions in the database, or without a move.
    pub ends: usize,
}

/// Goes through the certificate `text`.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn check(text: &str, endings: Option<&dyn Endings>) -> Result<CheckedCertificate, CheckError> {
    let read = Read::parse(text)?;
    let have = endings.map_or(0, Endings::most_pieces);
    if read.endings > have {
        return Err(CheckError::Endings { needed: read.endings, have });
    }
    walk(&read, endings)
}

/// A certificate as it stands in its text.
struct Read {
    position: Position,
    claim: Claim,
    endings: u32,
    moves: HashMap<PositionKey, Move>,
}

impl Read {
    fn parse(text: &str) -> Result<Self, CheckError> {
        let form = |line, expected| CheckError::Form { line, expected };
        let body_end = text.rfind("digest ").ok_or(form(1, "a last line with the digest"))?;
        let (body, last) = text.split_at(body_end);
        let digest = blake3::hash(body.as_bytes()).to_hex();
        if last != format!("digest {digest}\n") {
            return Err(CheckError::Digest);
        }
        let lines: Vec<&str> = body.strip_suffix('\n').unwrap_or(body).split('\n').collect();
        let field = |at: usize, name: &'static str| {
            lines.get(at).and_then(|line| line.strip_prefix(name)).ok_or(form(at + 1, name))
        };
        if lines.first() != Some(&"crownhead-certificate 1") {
            return Err(form(1, "crownhead-certificate 1"));
        }
        let position = key(field(3, "position ")?).and_then(PositionKey::position);
        let position = position.ok_or(form(4, "the key of a legal position"))?;
        if field(1, "game ")? != position.variant().game_type().to_string() {
            return Err(form(2, "the game of the position"));
        }
        let claim = field(2, "claim ")?;
        let claim = Claim::ALL.into_iter().find(|known| known.name() == claim).ok_or(form(3, "a claim"))?;
        let endings = number(field(4, "endings ")?).ok_or(form(5, "a number of pieces"))?;
        let mut moves = HashMap::new();
        for (at, line) in lines.iter().enumerate().skip(5) {
            let (position, played) = line
                .split_once(' ')
                .and_then(|(position, played)| Some((key(position)?, read_move(played)?)))
                .ok_or(form(at + 1, "a key and a move"))?;
            if moves.insert(position, played).is_some() {
                return Err(form(at + 1, "a position that has no move yet"));
            }
        }
        Ok(Self { position, claim, endings, moves })
    }
}

/// 32 hexadecimal digits.
pub(super) fn key(text: &str) -> Option<PositionKey> {
    let plain = text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    plain.then(|| u128::from_str_radix(text, 16).ok().map(PositionKey)).flatten()
}

/// Decimal digits, without a sign or a leading zero.
fn number(text: &str) -> Option<u32> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    plain.then(|| text.parse().ok()).flatten()
}

fn square(text: &str) -> Option<Square> {
    number(text).filter(|number| (1..=32).contains(number)).map(|number| Square::new(number as u8 - 1))
}

/// `9-14` or `18x2:14,6`.
pub(super) fn read_move(text: &str) -> Option<Move> {
    if let Some((from, to)) = text.split_once('-') {
        return Some(Move { from: square(from)?, to: square(to)?, captured: Bitboard::EMPTY });
    }
    let (ends, taken) = text.split_once(':')?;
    let (from, to) = ends.split_once('x')?;
    let mut captured = Bitboard::EMPTY;
    for each in taken.split(',') {
        captured.insert(square(each)?);
    }
    Some(Move { from: square(from)?, to: square(to)?, captured })
}

/// Follows every line of the proof.
fn walk(read: &Read, endings: Option<&dyn Endings>) -> Result<CheckedCertificate, CheckError> {
    let mover = read.position.turn();
    let prover = match read.claim {
        Claim::Win | Claim::NotLoss => mover,
        Claim::Loss | Claim::NotWin => !mover,
    };
    let draw_will_do = matches!(read.claim, Claim::NotLoss | Claim::NotWin);
    let mut state: HashMap<PositionKey, LineState> = HashMap::new();
    let mut ends = 0;
    let mut open = vec![Visit::Enter(read.position)];
    while let Some(visit) = open.pop() {
        let here = match visit {
            Visit::Enter(here) => here,
            Visit::Leave(key) => {
                state.insert(key, LineState::Shown);
                continue;
            }
        };
        let key = here.key();
        match state.get(&key) {
            Some(LineState::Shown) => continue,
            Some(LineState::Open) => return Err(CheckError::Circle { key: key.0 }),
            None => {}
        }
        if let Some(winner) = ending(&here, read.endings, endings) {
            if winner != Some(prover) && !(draw_will_do && winner.is_none()) {
                return Err(CheckError::Fails { key: key.0 });
            }
            ends += 1;
            state.insert(key, LineState::Shown);
            continue;
        }
        state.insert(key, LineState::Open);
        open.push(Visit::Leave(key));
        if here.turn() == prover {
            let played = read.moves.get(&key).ok_or(CheckError::NoMove { key: key.0 })?;
            let next = here.play(played).map_err(|_| CheckError::Illegal { key: key.0 })?;
            open.push(Visit::Enter(next));
        } else {
            open.extend(here.legal_moves().iter().map(|played| Visit::Enter(here.play_unchecked(played))));
        }
    }
    Ok(CheckedCertificate { position: read.position, claim: read.claim, walked: state.len(), ends })
}

/// A position whose lines are being followed, or were.
enum LineState {
    Open,
    Shown,
}

enum Visit {
    Enter(Position),
    Leave(PositionKey),
}

/// Who wins where a line ends: by the rules, or by the database; `Some(None)` for a draw, `None` where play goes on.
fn ending(position: &Position, pieces: u32, endings: Option<&dyn Endings>) -> Option<Option<Color>> {
    if !position.has_legal_move() {
        return Some(Some(!position.turn()));
    }
    let count = position.pieces(Color::Black).count() + position.pieces(Color::White).count();
    if count > pieces {
        return None;
    }
    Some(match endings?.value(&FastPosition::from_position(position)?)? {
        Value::Win => Some(position.turn()),
        Value::Draw => None,
        Value::Loss => Some(!position.turn()),
    })
}
