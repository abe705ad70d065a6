//! Three bytes a line: what statistics need of lines found by position, without a look at each row.
//!
//! Byte 0: bits 0–1 the kind, bits 2–3 the score (0 not told, 1 first, 2 equal, 3 second), bits 4–5 the winner by colour (0 not told, 1 Black,
//! 2 draw, 3 White). Bytes 1–2: the year, 0 where unknown. The source of a run of lines is stored with it, so that turning a
//! source round stays one row.

use rusqlite::{Connection, OptionalExtension, params};

use crate::board::{Color, Outcome, ResultOrder, Winner};
use crate::game::{LineKind, WrittenScore};

use super::StoreError;

/// Bytes a line takes.
pub(super) const FACT_BYTES: usize = 3;

/// What is known of one line without a look at its row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fact {
    /// What sort of line it is.
    pub kind: LineKind,
    /// Who won.
    pub winner: Winner,
    /// The year of its date.
    pub year: Option<u16>,
}

/// The bytes of one line.
pub(super) fn encode(
    kind: LineKind,
    score: Option<WrittenScore>,
    decided: Option<Outcome>,
    year: Option<u16>,
) -> [u8; FACT_BYTES] {
    let score = match score {
        None => 0,
        Some(WrittenScore::First) => 1,
        Some(WrittenScore::Equal) => 2,
        Some(WrittenScore::Second) => 3,
    };
    let decided = match decided {
        None => 0,
        Some(Outcome::Won(Color::Black)) => 1,
        Some(Outcome::Draw) => 2,
        Some(Outcome::Won(Color::White)) => 3,
    };
    let [low, high] = year.unwrap_or(0).to_le_bytes();
    [kind as u8 | score << 2 | decided << 4, low, high]
}

/// Who won, by the four bits of score and winner by colour, for a source that writes Black's score first. A told score outranks the
/// rest.
const BLACK_FIRST: [Winner; 16] = winners(Winner::Black, Winner::White);
/// The same for a source that writes White's score first.
const WHITE_FIRST: [Winner; 16] = winners(Winner::White, Winner::Black);

const fn winners(first: Winner, second: Winner) -> [Winner; 16] {
    let by_color = [Winner::Unknown, Winner::Black, Winner::Draw, Winner::White];
    let mut table = [Winner::Unknown; 16];
    let mut bits = 0;
    while bits < 16 {
        table[bits] = match bits & 3 {
            1 => first,
            2 => Winner::Draw,
            3 => second,
            _ => by_color[bits >> 2],
        };
        bits += 1;
    }
    table
}

/// Writes what statistics need of one line anew.
pub(super) fn rewrite(connection: &Connection, line: u32, fact: [u8; FACT_BYTES]) -> Result<(), StoreError> {
    let run: Option<(u32, Vec<u8>)> = connection
        .prepare_cached("SELECT first_line, data FROM facts WHERE first_line <= ?1 ORDER BY first_line DESC LIMIT 1")?
        .query_row([line], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let damaged = || StoreError::Damaged(format!("statistics know nothing of line {line}"));
    let (first_line, mut data) = run.ok_or_else(damaged)?;
    let at = (line - first_line) as usize * FACT_BYTES;
    data.get_mut(at..at + FACT_BYTES).ok_or_else(damaged)?.copy_from_slice(&fact);
    connection
        .prepare_cached("UPDATE facts SET data = ?2 WHERE first_line = ?1")?
        .execute(params![first_line, data])?;
    Ok(())
}

fn decode(bytes: [u8; FACT_BYTES], order: ResultOrder) -> Fact {
    let winners = match order {
        ResultOrder::BlackFirst => &BLACK_FIRST,
        ResultOrder::WhiteFirst => &WHITE_FIRST,
    };
    let year = u16::from_le_bytes([bytes[1], bytes[2]]);
    Fact {
        kind: LineKind::ALL[usize::from(bytes[0] & 3)],
        winner: winners[usize::from(bytes[0] >> 2 & 15)],
        year: (year > 0).then_some(year),
    }
}

/// The facts of every stored line, held in memory: three bytes a line.
#[derive(Debug, Default)]
pub struct Facts {
    /// Runs in ascending order of their first line.
    runs: Vec<FactRun>,
}

#[derive(Debug)]
struct FactRun {
    first_line: u32,
    order: ResultOrder,
    data: Vec<u8>,
}

impl Facts {
    /// Adds a run; runs come in ascending order of their first line.
    pub(super) fn push(&mut self, first_line: u32, order: ResultOrder, data: Vec<u8>) {
        self.runs.push(FactRun { first_line, order, data });
    }

    /// What is known of `line`; `None` for a line that is not stored.
    #[must_use]
    pub fn get(&self, line: u32) -> Option<Fact> {
        let run = &self.runs[..self.runs.partition_point(|run| run.first_line <= line)].last()?;
        let at = (line - run.first_line) as usize * FACT_BYTES;
        let bytes = run.data.get(at..at + FACT_BYTES)?;
        Some(decode([bytes[0], bytes[1], bytes[2]], run.order))
    }
}
