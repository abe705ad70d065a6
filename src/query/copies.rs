//! Which source's copy of a line is exported, and all copies of one merged.
//!
//! Nothing here depends on the order of imports: copies are ordered by the names of their sources and their places in them.

use std::collections::{HashMap, HashSet};

use crate::game::{Note, NoteKind};
use crate::store::Database;

use super::record::{BranchView, GameRecord, TAG_ROSTER, record};
use super::{Filters, QueryError};

/// A copy of a line: what one source has of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineCopy {
    /// Its row, which [`record`] and [`show`](super::show) take as they take the id of a line.
    pub id: u32,
    /// The name of its source.
    pub source: String,
    /// Its line in the source.
    pub place: u32,
}

/// The copies of a line, by the names of their sources.
///
/// # Errors
/// When the database cannot be read.
pub fn copies(database: &Database, line: u32) -> Result<Vec<LineCopy>, QueryError> {
    let mut copies = database.connection().prepare_cached(
        "SELECT copy.id, source.name, copy.file_line FROM copy JOIN source ON source.id = copy.source
         WHERE copy.id = ?1 OR (copy.same_as = ?1 AND copy.same_as IS NOT NULL) ORDER BY source.name, copy.number, source.id",
    )?;
    let rows = copies
        .query_map([line], |row| Ok(LineCopy { id: row.get(0)?, source: row.get(1)?, place: row.get(2)? }))?
        .collect::<Result<_, _>>()?;
    Ok(rows)
}

/// For each of the lines `ids` its copy in the sources that `filters` name, in the order of the sources and their texts, or in that of
/// `ids` where it is `kept`. A line that none of them has is left out.
///
/// # Errors
/// When the database cannot be read.
pub fn copies_in_sources(
    database: &Database,
    filters: &Filters,
    ids: &[u32],
    kept: bool,
) -> Result<Vec<u32>, QueryError> {
    let names = database.source_names()?.into_iter().filter(|(_, name)| filters.has_source(name));
    let wanted: Vec<String> = names.map(|(source, _)| source.to_string()).collect();
    let asked: HashSet<u32> = ids.iter().copied().collect();
    let mut found: Vec<u32> = Vec::new();
    let mut copy_of: HashMap<u32, u32> = HashMap::new();
    let mut copies = database.connection().prepare(
        "SELECT copy.id, coalesce(copy.same_as, copy.id) FROM copy JOIN source ON source.id = copy.source
         WHERE copy.source IN (SELECT value FROM json_each(?1))
         ORDER BY source.name, source.id, copy.number, copy.branch, copy.id",
    )?;
    let mut rows = copies.query([format!("[{}]", wanted.join(","))])?;
    while let Some(row) = rows.next()? {
        let (copy, line): (u32, u32) = (row.get(0)?, row.get(1)?);
        if asked.contains(&line) && !copy_of.contains_key(&line) {
            copy_of.insert(line, copy);
            found.push(copy);
        }
    }
    Ok(if kept { ids.iter().filter_map(|line| copy_of.get(line).copied()).collect() } else { found })
}

/// All copies of a line as one: the tags of the first, and those that it lacks; marks and variations once; comments with the names of
/// their sources.
///
/// # Errors
/// When the database cannot be read.
pub fn merged(database: &Database, line: u32) -> Result<Option<GameRecord>, QueryError> {
    let mut whole: Option<GameRecord> = None;
    for copy in copies(database, line)? {
        let Some(mut next) = record(database, copy.id)? else { continue };
        name_comments(&mut next, &copy.source);
        match &mut whole {
            None => whole = Some(next),
            Some(whole) => add(whole, next),
        }
    }
    Ok(whole)
}

/// Puts the name of its source before each comment.
fn name_comments(record: &mut GameRecord, source: &str) {
    let lines = std::iter::once(&mut record.main).chain(record.branches.iter_mut().map(|branch| &mut branch.line));
    for note in lines.flat_map(|line| &mut line.notes) {
        if let NoteKind::Comment(text) = &mut note.kind {
            *text = format!("{source}: {text}");
        }
    }
}

/// Adds what another copy of the same line has.
fn add(whole: &mut GameRecord, other: GameRecord) {
    for (name, value) in other.tags {
        if !whole.tags.iter().any(|(held, _)| held.eq_ignore_ascii_case(&name)) {
            whole.tags.push((name, value));
        }
    }
    // The roster stands first, in its order.
    let place = |name: &str| TAG_ROSTER.iter().position(|of_roster| *of_roster == name).unwrap_or(TAG_ROSTER.len());
    whole.tags.sort_by_key(|(name, _)| place(name));
    whole.verdict = whole.verdict.take().or(other.verdict);
    whole.decided = whole.decided.or(other.decided);
    add_notes(&mut whole.main.notes, other.main.notes);
    // Variations that two copies have are one line.
    let held: HashMap<u32, usize> = whole.branches.iter().map(|branch| branch.line.line.id).zip(0..).collect();
    for branch in other.branches {
        match held.get(&branch.line.line.id).and_then(|&at| whole.branches.get_mut(at)) {
            Some(held) => {
                held.label = held.label.take().or(branch.label);
                add_notes(&mut held.line.notes, branch.line.notes);
            }
            None => whole.branches.push(branch),
        }
    }
    whole.branches = ordered(whole.id, std::mem::take(&mut whole.branches));
}

/// Variations of the game `main`, each behind the line it leaves; those of one line by their plies and moves, which do not depend on
/// ids.
fn ordered(main: u32, mut branches: Vec<BranchView>) -> Vec<BranchView> {
    branches.sort_by(|a, b| (a.ply, &a.line.texts).cmp(&(b.ply, &b.line.texts)));
    let mut children: HashMap<u32, Vec<BranchView>> = HashMap::new();
    for branch in branches {
        children.entry(branch.parent).or_default().push(branch);
    }
    let mut ordered = children.remove(&main).unwrap_or_default();
    let mut next = 0;
    while let Some(branch) = ordered.get(next) {
        let own = children.remove(&branch.line.line.id).unwrap_or_default();
        ordered.extend(own);
        next += 1;
    }
    ordered
}

/// Adds the notes that are not there, each behind those of its ply.
fn add_notes(notes: &mut Vec<Note>, more: Vec<Note>) {
    let held: HashSet<Note> = notes.iter().cloned().collect();
    notes.extend(more.into_iter().filter(|note| !held.contains(note)));
    notes.sort_by_key(|note| note.ply);
}

/// How two texts of one name differ in their games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SourceDifference {
    /// Games of the older text that the newer one has word for word.
    pub same: u64,
    /// Games with other comments, marks, variations or tags.
    pub differing: u64,
    /// Games of the older text that the newer one has not.
    pub gone: u64,
}

/// How the games of the source `newer` differ from those of `older`.
///
/// # Errors
/// When the database cannot be read.
pub fn source_difference(database: &Database, older: i64, newer: i64) -> Result<SourceDifference, QueryError> {
    let mut pairs = database.connection().prepare(
        "SELECT old.id, (SELECT new.id FROM copy AS new WHERE new.source = ?2
             AND (new.id = coalesce(old.same_as, old.id)
                 OR (new.same_as = coalesce(old.same_as, old.id) AND new.same_as IS NOT NULL)))
         FROM copy AS old WHERE old.source = ?1 AND old.parent IS NULL",
    )?;
    let mut rows = pairs.query([older, newer])?;
    let mut difference = SourceDifference::default();
    while let Some(row) = rows.next()? {
        let (old, new): (u32, Option<u32>) = (row.get(0)?, row.get(1)?);
        let words = |copy: u32| Ok::<_, QueryError>(record(database, copy)?.map(|record| words(&record)));
        match new {
            None => difference.gone += 1,
            Some(new) if words(old)? == words(new)? => difference.same += 1,
            Some(_) => difference.differing += 1,
        }
    }
    Ok(difference)
}

/// What a source says of a game beside its moves.
fn words(record: &GameRecord) -> String {
    let branches: Vec<_> = record
        .branches
        .iter()
        .map(|branch| (branch.parent, branch.ply, &branch.label, &branch.line.texts, &branch.line.notes))
        .collect();
    format!("{:?}", (&record.tags, &record.result, &record.verdict, &record.label, &record.main.notes, branches))
}
