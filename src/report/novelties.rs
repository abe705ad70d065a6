//! `novelties`: where each game leaves everything played before it.
//!
//! One walk over the index finds, for every position, which line stood there first; a game leaves known play at its
//! first position that it is itself the first to reach. Memory: a bit a half-move of games, some tens of bytes a
//! line, and the rows.

use std::collections::BTreeMap;

use crate::game::move_text;
use crate::notation::fen;
use crate::query::{Filters, LineSet, Origins, distinct_lines};
use crate::store::{Database, MoveCode, StoredLine};
use crate::table::{Cell, Column, Row, Table, date_order};

use super::line_facts::{self, LineFacts};
use super::{ReportError, Request};

/// A row: one game, in the order of dates and ids.
pub(super) struct NoveltyRow {
    facts: LineFacts,
    ply: u32,
    /// The move that left known play.
    pub(super) played: String,
    /// Lines that stood in the position before.
    pub(super) known_lines: u32,
    /// What they played, with how many did, the most frequent first.
    pub(super) known_moves: Vec<String>,
    rejoins: Option<u32>,
    fen: String,
}

impl Row for NoveltyRow {
    const COLUMNS: &'static [Column] = &[
        Column::number("game", 0),
        Column::date("date", 3),
        Column::text("black", 1).grouped("players"),
        Column::text("white", 1).grouped("players"),
        Column::number("ply", 0),
        Column::text("move", 0),
        Column::number("known_lines", 5),
        Column::text("known_moves", 0),
        Column::number("rejoins", 5),
        Column::text("winner", 4),
        Column::text("opening", 2),
        Column::text("fen", 7),
    ];

    fn values(self) -> Vec<Cell> {
        vec![
            self.facts.id.into(),
            self.facts.date.into(),
            self.facts.black.into(),
            self.facts.white.into(),
            self.ply.into(),
            self.played.into(),
            self.known_lines.into(),
            self.known_moves.into(),
            self.rejoins.into(),
            self.facts.winner.name().into(),
            self.facts.opening.into(),
            self.fen.into(),
        ]
    }
}

/// A row a game that leaves known play: `ply` and `move` the first that nobody had reached, `fen` the position before
/// it, `known_moves` what earlier lines played there, `rejoins` the ply at which it is back in known play, where it
/// transposes. Lines of every kind are known play from their date on; lines without a date, such as books, from the
/// beginning, in the order they were stored. Filters choose the games told of, not what is known.
pub(super) fn report(request: &Request<'_>) -> Result<Table, ReportError> {
    let database = request.database;
    let plies = request.min_ply.unwrap_or(1)..=request.max_ply.unwrap_or(u32::MAX);
    let known = KnownPlay::find(database)?;
    let lines = LineSet::select(database, &request.filters)?;
    let mut rows = Vec::new();
    for &line in known.order.lines.iter().filter(|line| lines.contains(**line)) {
        let Some(ply) = known.left_at(line).filter(|ply| plies.contains(ply)) else { continue };
        let told = LineFacts::load(database, line)?;
        if request.since.is_some_and(|since| told.year().is_none_or(|year| i64::from(year) < since)) {
            continue;
        }
        rows.extend(known.row(database, told, &line_facts::line(database, line)?, ply)?);
    }
    Ok(Table::from_rows(rows))
}

/// What was known before each game, and where the game left it.
pub(super) struct KnownPlay {
    order: Chronology,
    departures: Departures,
}

impl KnownPlay {
    /// Walks over the index once.
    pub(super) fn find(database: &Database) -> Result<Self, ReportError> {
        let order = Chronology::read(database)?;
        let departures = Departures::find(database, &order)?;
        Ok(Self { order, departures })
    }

    /// The ply at which a game left what was known, if it did.
    pub(super) fn left_at(&self, line: u32) -> Option<u32> {
        self.departures.first(line)
    }

    /// The row of the game `told`, whose play is `line` and which left what was known at `ply`.
    pub(super) fn row(
        &self,
        database: &Database,
        told: LineFacts,
        line: &StoredLine,
        ply: u32,
    ) -> Result<Option<NoveltyRow>, ReportError> {
        let rejoins = self.departures.rejoins(told.id, ply);
        row(database, &self.order, told, line, ply, rejoins)
    }
}

fn row(
    database: &Database,
    order: &Chronology,
    told: LineFacts,
    line: &StoredLine,
    ply: u32,
    rejoins: Option<u32>,
) -> Result<Option<NoveltyRow>, ReportError> {
    let at = ply as usize - 1;
    let (Some(before), Some(played)) = (line.positions().nth(at), line.moves.get(at)) else { return Ok(None) };
    let mut known: BTreeMap<MoveCode, u32> = BTreeMap::new();
    let mut postings = database.postings(before.key())?;
    postings.retain(|posting| order.rank(posting.line) < order.rank(told.id));
    for posting in postings.iter().filter(|posting| posting.code != MoveCode::END) {
        *known.entry(posting.code).or_default() += 1;
    }
    let mut known: Vec<(MoveCode, u32)> = known.into_iter().collect();
    known.sort_by_key(|(code, lines)| (std::cmp::Reverse(*lines), *code));
    let text = |(code, lines): (MoveCode, u32)| {
        code.find(&before).map(|legal| format!("{} ({lines})", move_text(&before, &legal)))
    };
    Ok(Some(NoveltyRow {
        ply,
        played: move_text(&before, played),
        known_lines: distinct_lines(&postings).len() as u32,
        known_moves: known.into_iter().filter_map(text).collect(),
        rejoins,
        fen: fen::write(&before.setup()),
        facts: told,
    }))
}

/// All lines in the order in which their play became known.
struct Chronology {
    /// Games in that order.
    lines: Vec<u32>,
    /// The place of each line, by id.
    ranks: Vec<u32>,
    /// Plies of each game, by id; 0 for other lines.
    plies: Vec<u32>,
}

impl Chronology {
    fn read(database: &Database) -> Result<Self, ReportError> {
        let mut origins = Origins::of_all(database)?;
        let mut dated: Vec<(u32, u32)> = Vec::new();
        let (mut dates, mut plies) = (Vec::new(), Vec::new());
        line_facts::each(database, &LineSet::select(database, &Filters::default())?, |line| {
            let at = line.id as usize;
            if dates.len() <= at {
                dates.resize(at + 1, 0);
                plies.resize(at + 1, 0);
            }
            // A variation became known with its game, which is stored before it.
            let game = origins.lookup(line.id)?.game as usize;
            dates[at] = if game == at {
                line.date.as_deref().and_then(date_order).unwrap_or(0)
            } else {
                dates.get(game).copied().unwrap_or(0)
            };
            dated.push((dates[at], line.id));
            if line.is_game() {
                plies[at] = line.plies;
            }
            Ok(())
        })?;
        dated.sort_unstable();
        let mut ranks = vec![u32::MAX; plies.len()];
        for (rank, (_, line)) in (0_u32..).zip(&dated) {
            ranks[*line as usize] = rank;
        }
        let lines = dated.into_iter().map(|(_, line)| line).filter(|line| plies[*line as usize] > 0).collect();
        Ok(Self { lines, ranks, plies })
    }

    fn rank(&self, line: u32) -> u32 {
        self.ranks.get(line as usize).copied().unwrap_or(u32::MAX)
    }
}

/// Which plies of each game led to positions that an earlier line had.
struct Departures {
    /// The first ply whose position nobody had before, by line; `u32::MAX` for none.
    first: Vec<u32>,
    /// Lines that start where nobody stood before: they have nothing to leave.
    own_start: LineSet,
    /// Where the bits of each line begin.
    starts: Vec<u64>,
    known: Vec<u64>,
}

impl Departures {
    fn find(database: &Database, order: &Chronology) -> Result<Self, ReportError> {
        let mut starts = Vec::with_capacity(order.plies.len() + 1);
        let mut bits = 0_u64;
        for plies in &order.plies {
            starts.push(bits);
            bits += u64::from(*plies) + 1;
        }
        let words = usize::try_from(bits / 64).unwrap_or(usize::MAX - 1) + 1;
        let mut found =
            Self { first: vec![u32::MAX; starts.len()], own_start: LineSet::default(), starts, known: vec![0; words] };
        database.each_position(|_, postings| {
            let Some(first) = postings.iter().map(|posting| posting.line).min_by_key(|line| order.rank(*line)) else {
                return Ok(());
            };
            for posting in postings {
                // Only games are told of.
                if order.plies.get(posting.line as usize).is_none_or(|plies| *plies == 0 || posting.ply > *plies) {
                    continue;
                }
                if posting.line != first {
                    found.set_known(posting.line, posting.ply);
                } else if posting.ply == 0 {
                    found.own_start.insert(first);
                } else if let Some(soonest) = found.first.get_mut(first as usize) {
                    *soonest = posting.ply.min(*soonest);
                }
            }
            Ok(())
        })?;
        Ok(found)
    }

    fn set_known(&mut self, line: u32, ply: u32) {
        let bit = self.starts[line as usize] + u64::from(ply);
        if let Some(word) = self.known.get_mut((bit / 64) as usize) {
            *word |= 1 << (bit % 64);
        }
    }

    fn first(&self, line: u32) -> Option<u32> {
        let ply = self.first.get(line as usize).copied()?;
        (ply < u32::MAX && !self.own_start.contains(line)).then_some(ply)
    }

    /// The first known ply behind `ply`.
    fn rejoins(&self, line: u32, ply: u32) -> Option<u32> {
        let start = self.starts.get(line as usize)?;
        let end = self.starts.get(line as usize + 1).copied().unwrap_or(self.known.len() as u64 * 64);
        let bits = start + u64::from(ply) + 1..end;
        let known = |bit: &u64| self.known.get((bit / 64) as usize).is_some_and(|word| word >> (bit % 64) & 1 == 1);
        bits.clone().find(known).and_then(|bit| u32::try_from(bit - start).ok())
    }
}
