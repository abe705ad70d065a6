//! `transpositions`: positions where lines meet, having come by different moves.
//!
//! Lines that have met go on together through many positions; only the first of them is told, the one that is reached
//! from two different positions or more. Two walks over the index find them: the first the positions that several
//! lines share early enough, the second the moves that lead to these. Memory: some tens of bytes for each position
//! shared up to the last ply asked for.

use std::collections::HashMap;

use crate::notation::fen;
use crate::query::{LineSet, Origins};
use crate::rules::PositionKey;
use crate::store::{MoveCode, Posting};
use crate::table::{Cell, Column, Row, Table};

use super::line_facts::moves_to;
use super::{ReportError, Request};

/// Openings end about here.
const DEFAULT_PLIES: u32 = 20;
const DEFAULT_LINES: u32 = 2;

/// A row: one way into a meeting.
pub(super) struct WayRow {
    /// The meeting's number; the one with the most lines is 1.
    meeting: u32,
    ply: u32,
    lines: u32,
    ways: u32,
    way_lines: u32,
    line: u32,
    moves: String,
    opening: Option<String>,
    fen: String,
}

impl Row for WayRow {
    const COLUMNS: &'static [Column] = &[
        Column::number("meeting", 0),
        Column::number("ply", 2),
        Column::number("lines", 0),
        Column::number("ways", 5),
        Column::number("way_lines", 3),
        Column::number("line", 4),
        Column::text("moves", 0),
        Column::text("opening", 1),
        Column::text("fen", 6),
    ];

    fn values(self) -> Vec<Cell> {
        vec![
            self.meeting.into(),
            self.ply.into(),
            self.lines.into(),
            self.ways.into(),
            self.way_lines.into(),
            self.line.into(),
            self.moves.into(),
            self.opening.into(),
            self.fen.into(),
        ]
    }
}

/// A move into a position, from another.
#[derive(Clone, Copy)]
struct Way {
    lines: u32,
    /// The first line that played it, and its plies before the position reached.
    line: u32,
    plies: u32,
}

/// A position that lines share.
struct Meeting {
    key: PositionKey,
    /// Plies of the game before it, where the line that reached it soonest did.
    ply: u32,
    lines: u32,
    ways: Vec<Way>,
}

/// A row a way: `lines` of the position, `way_lines` of them that came this way, `line` the first of these and its `moves`.
pub(super) fn report(request: &Request<'_>) -> Result<Table, ReportError> {
    let mut meetings = meetings(request)?;
    meetings.sort_by_key(|meeting| (std::cmp::Reverse(meeting.lines), meeting.ply, meeting.key));
    let mut origins = Origins::of_all(request.database)?;
    let mut rows = Vec::new();
    for (number, meeting) in (1_u32..).zip(meetings) {
        let opening = request.book.at(meeting.key).map(|opening| opening.name.clone());
        let fen = meeting.key.position().map(|position| fen::write(&position.setup())).unwrap_or_default();
        let ways = meeting.ways.len() as u32;
        for way in meeting.ways {
            rows.push(WayRow {
                meeting: number,
                ply: meeting.ply,
                lines: meeting.lines,
                ways,
                way_lines: way.lines,
                line: way.line,
                moves: moves_to(request.database, &mut origins, way.line, way.plies)?,
                opening: opening.clone(),
                fen: fen.clone(),
            });
        }
    }
    Ok(Table::from_rows(rows))
}

fn meetings(request: &Request<'_>) -> Result<Vec<Meeting>, ReportError> {
    let database = request.database;
    let lines = LineSet::select(database, &request.filters)?;
    let plies = request.min_ply.unwrap_or(1).max(1)..=request.max_ply.unwrap_or(DEFAULT_PLIES);
    let fewest = request.min_lines.unwrap_or(DEFAULT_LINES).max(2);
    // A variation's plies count from its own start.
    let before = plies_before(&mut Origins::of_all(database)?, &lines)?;
    let ply_of = |line: u32, ply: u32| before.get(&line).map_or(ply, |before| before + ply);
    let mut shared: HashMap<PositionKey, Meeting> = HashMap::new();
    let mut here: Vec<u32> = Vec::new();
    database.each_position(|key, postings| {
        if postings.len() < 2 {
            return Ok(());
        }
        here.clear();
        let mut soonest = u32::MAX;
        for posting in postings.iter().filter(|posting| lines.contains(posting.line)) {
            soonest = soonest.min(ply_of(posting.line, posting.ply));
            here.push(posting.line);
        }
        here.sort_unstable();
        here.dedup();
        if here.len() >= fewest as usize && plies.contains(&soonest) {
            shared.insert(key, Meeting { key, ply: soonest, lines: here.len() as u32, ways: Vec::new() });
        }
        Ok(())
    })?;
    database.each_position(|key, postings| {
        let soon =
            |posting: &&Posting| lines.contains(posting.line) && ply_of(posting.line, posting.ply) < *plies.end();
        if !postings.iter().any(|posting| soon(&posting)) {
            return Ok(());
        }
        let Some(position) = key.position() else { return Ok(()) };
        for group in postings.chunk_by(|a, b| a.code == b.code).filter(|group| group[0].code != MoveCode::END) {
            let mut played = group.iter().filter(|posting| lines.contains(posting.line));
            let Some(first) = played.next() else { continue };
            let way = Way { lines: 1 + played.count() as u32, line: first.line, plies: first.ply + 1 };
            let next = group[0].code.find(&position).map(|legal| position.play_unchecked(&legal).key());
            if let Some(meeting) = next.and_then(|next| shared.get_mut(&next)) {
                meeting.ways.push(way);
            }
        }
        Ok(())
    })?;
    let mut met: Vec<Meeting> = shared.into_values().filter(|meeting| meeting.ways.len() > 1).collect();
    for meeting in &mut met {
        meeting.ways.sort_by_key(|way| (std::cmp::Reverse(way.lines), way.line));
    }
    // One line that goes round meets nobody.
    met.retain(|meeting| meeting.ways.iter().any(|way| way.line != meeting.ways[0].line));
    Ok(met)
}

fn plies_before(origins: &mut Origins<'_>, lines: &LineSet) -> Result<HashMap<u32, u32>, ReportError> {
    let mut before = HashMap::new();
    for line in lines.iter() {
        let plies = origins.lookup(line)?.plies;
        if plies > 0 {
            before.insert(line, plies);
        }
    }
    Ok(before)
}
