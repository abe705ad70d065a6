//! `coverage`: how deep each opening and ballot is studied.
//!
//! Memory: eight bytes a line, and the rows.

use std::collections::BTreeMap;

use crate::game::LineKind;
use crate::query::{Filters, LineSet, Origins};
use crate::store::Database;
use crate::table::{Cell, Column, Row, Table};

use super::line_facts;
use super::{ReportError, Request};

/// A row: one opening or one ballot.
#[derive(Clone, Default)]
pub(super) struct CoverageRow {
    opening: Option<String>,
    ballot: Option<u16>,
    lines: u32,
    games: u32,
    variations: u32,
    shared_ply: u32,
    longest: u32,
    marked: u32,
    commented: u32,
}

impl Row for CoverageRow {
    const COLUMNS: &'static [Column] = &[
        Column::text("opening", 0),
        Column::number("ballot", 0),
        Column::number("lines", 0),
        Column::number("games", 1).grouped("lines"),
        Column::number("variations", 1).grouped("lines"),
        Column::number("shared_ply", 0),
        Column::number("longest", 0),
        Column::number("marked", 2).grouped("notes"),
        Column::number("commented", 2).grouped("notes"),
    ];

    fn values(self) -> Vec<Cell> {
        let share = |part: u32| f64::from(part) / f64::from(self.lines.max(1));
        vec![
            self.opening.into(),
            self.ballot.into(),
            self.lines.into(),
            self.games.into(),
            self.variations.into(),
            self.shared_ply.into(),
            self.longest.into(),
            share(self.marked).into(),
            share(self.commented).into(),
        ]
    }
}

/// The groups of each line: places in the list of rows, of its opening and of its ballot.
type Groups = Vec<[Option<u32>; 2]>;

/// A row an opening, then a row a ballot, of those that occur. `shared_ply` is the deepest ply at which two of its
/// lines stand in one position, `longest` the plies of its longest line, `marked` and `commented` the shares of lines
/// with a marked move and with a comment. A variation counts as a line, under its own name or else its game's; its
/// plies are those of the game.
pub(super) fn report(request: &Request<'_>) -> Result<Table, ReportError> {
    let database = request.database;
    let lines = LineSet::select(database, &request.filters)?;
    let (marked, commented) = (noted(database, "mark")?, noted(database, "comment")?);
    let mut origins = Origins::of_all(database)?;
    let mut rows: Vec<CoverageRow> = Vec::new();
    let (mut openings, mut ballots) = (BTreeMap::<String, u32>::new(), BTreeMap::<u16, u32>::new());
    let mut groups = Groups::new();
    // All lines, that variations find the names of their games.
    line_facts::each(database, &LineSet::select(database, &Filters::default())?, |line| {
        let origin = origins.lookup(line.id)?;
        let of_game = groups.get(origin.game as usize).copied().unwrap_or_default();
        let opening =
            line.opening.map(|name| *openings.entry(name.clone()).or_insert_with(|| add(&mut rows, Some(name), None)));
        let ballot =
            line.ballot.map(|number| *ballots.entry(number).or_insert_with(|| add(&mut rows, None, Some(number))));
        let own = [opening.or(of_game[0]), ballot.or(of_game[1])];
        let at = line.id as usize;
        if groups.len() <= at {
            groups.resize(at + 1, [None; 2]);
        }
        groups[at] = own;
        if lines.contains(line.id) {
            for group in own.into_iter().flatten() {
                let row = &mut rows[group as usize];
                row.lines += 1;
                row.games += u32::from(line.kind == LineKind::Game);
                row.variations += u32::from(line.kind == LineKind::Variation);
                row.longest = row.longest.max(origin.plies + line.plies);
                row.marked += u32::from(marked.contains(line.id));
                row.commented += u32::from(commented.contains(line.id));
            }
        }
        Ok(())
    })?;
    share(database, &lines, &groups, &mut origins, &mut rows)?;
    rows.retain(|row| row.lines > 0);
    rows.sort_by(|a, b| (a.ballot, &a.opening).cmp(&(b.ballot, &b.opening)));
    Ok(Table::from_rows(rows))
}

fn add(rows: &mut Vec<CoverageRow>, opening: Option<String>, ballot: Option<u16>) -> u32 {
    rows.push(CoverageRow { opening, ballot, ..CoverageRow::default() });
    rows.len() as u32 - 1
}

/// The lines with a note of this kind.
fn noted(database: &Database, kind: &str) -> Result<LineSet, ReportError> {
    let mut notes = database.connection().prepare("SELECT DISTINCT line FROM line_note WHERE kind = ?1")?;
    let mut rows = notes.query([kind])?;
    let mut lines = LineSet::default();
    while let Some(row) = rows.next()? {
        lines.insert(row.get(0)?);
    }
    Ok(lines)
}

/// Finds the deepest ply that two lines of a group share.
fn share(
    database: &Database,
    lines: &LineSet,
    groups: &Groups,
    origins: &mut Origins<'_>,
    rows: &mut [CoverageRow],
) -> Result<(), ReportError> {
    let mut before = vec![0_u32; groups.len()];
    for line in lines.iter() {
        if let Some(plies) = before.get_mut(line as usize) {
            *plies = origins.lookup(line)?.plies;
        }
    }
    // Group, line and ply, each line once and at its first visit.
    let mut here: Vec<(u32, u32, u32)> = Vec::new();
    database.each_position(|_, postings| {
        if postings.len() < 2 {
            return Ok(());
        }
        here.clear();
        for posting in postings.iter().filter(|posting| lines.contains(posting.line)) {
            let at = posting.line as usize;
            if let (Some(groups), Some(before)) = (groups.get(at), before.get(at)) {
                here.extend(groups.iter().flatten().map(|&group| (group, posting.line, before + posting.ply)));
            }
        }
        here.sort_unstable();
        here.dedup_by_key(|(group, line, _)| (*group, *line));
        for group in here.chunk_by_mut(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
            group.sort_unstable_by_key(|(.., ply)| *ply);
            // Two lines reached it at this ply or later.
            let (of, _, ply) = group[group.len() - 2];
            if let Some(row) = rows.get_mut(of as usize) {
                row.shared_ply = row.shared_ply.max(ply);
            }
        }
        Ok(())
    })?;
    Ok(())
}
