//! One stored line with everything that is known of it, for exports.

use std::collections::{HashMap, HashSet};

use rusqlite::{OptionalExtension, Row as SqlRow};

use crate::board::{Color, ResultOrder, Variant, Witness};
use crate::game::{Note, NoteKind, WrittenScore};
use crate::notation::{LineKind, fen};
use crate::store::{Database, StoreError};
use crate::table::{Cell, Column, Row};

use super::QueryError;
use super::games::{GameRow, game_row};
use super::show::LineView;

/// Tags that the store keeps in columns of their own, in the order of the PDN standard's roster.
pub(super) const TAG_ROSTER: [&str; 6] = ["Event", "Site", "Date", "Round", "Black", "White"];

/// A variation and where it hangs.
#[derive(Clone, PartialEq, Debug)]
pub struct BranchView {
    /// The line it leaves.
    pub parent: u32,
    /// The ply of that line, from 1, which its first move replaces.
    pub ply: u32,
    /// The label a book gives it.
    pub label: Option<String>,
    /// Its moves.
    pub line: LineView,
}

/// A stored line whole.
#[derive(Clone, PartialEq, Debug)]
pub struct GameRecord {
    /// Its id.
    pub id: u32,
    /// What `games` says of it.
    pub row: GameRow,
    /// What sort of line it is.
    pub kind: LineKind,
    /// The name its source gives it.
    pub label: Option<String>,
    /// The game it is of.
    pub variant: Variant,
    /// Its tags but the result: those of the roster, then the others in the order of the source.
    pub tags: Vec<(String, String)>,
    /// The result as written.
    pub result: Option<String>,
    /// What it says.
    pub score: Option<WrittenScore>,
    /// Whose score stands first in it.
    pub order: ResultOrder,
    /// The book's word.
    pub verdict: Option<String>,
    /// Who won, by the book's word or the board, where no score tells it: 1 Black, 0 nobody, -1 White.
    pub decided: Option<i64>,
    /// Whether its source goes on and what follows could not be proved.
    pub partly: bool,
    /// The ply of its losing move and the strongest witness of it.
    pub losing: Option<(u32, Witness)>,
    /// The main line.
    pub main: LineView,
    /// The variations, those of variations too, each behind the line it leaves.
    pub branches: Vec<BranchView>,
}

/// A row of `export csv --plies`.
#[derive(Clone, PartialEq, Debug)]
pub struct PlyRow {
    /// The line.
    pub game: u32,
    /// The ply, from 1.
    pub ply: u32,
    /// The side that moves.
    pub side: Color,
    /// The move.
    pub text: String,
    /// The position after it.
    pub fen: String,
    /// Marks as printed behind a move: `*`, `!`.
    pub mark: String,
    /// Whether it is the losing move of its game.
    pub losing: bool,
    /// The strongest that says so: `proved`, `engine` or `source`.
    pub witness: Option<Witness>,
    /// The comments.
    pub comment: String,
}

impl Row for PlyRow {
    const COLUMNS: &'static [Column] = &[
        Column::number("game", 0),
        Column::number("ply", 0),
        Column::text("side", 2),
        Column::text("move", 0),
        Column::text("fen", 6),
        Column::text("mark", 1),
        Column::text("losing", 3).grouped("losing"),
        Column::text("witness", 3).grouped("losing"),
        Column::text("comment", 4),
    ];

    fn values(self) -> Vec<Cell> {
        vec![
            self.game.into(),
            self.ply.into(),
            self.side.name().into(),
            self.text.into(),
            self.fen.into(),
            self.mark.into(),
            self.losing.into(),
            self.witness.map(Witness::name).into(),
            self.comment.into(),
        ]
    }
}

/// The ply and the text of a note that is a comment.
fn comment(note: &Note) -> Option<(u32, &str)> {
    match &note.kind {
        NoteKind::Comment(text) => Some((note.ply, text)),
        NoteKind::Mark(_) | NoteKind::Repaired(_) => None,
    }
}

impl GameRecord {
    /// The plies of the main line. Comments before the first move stand with the first.
    #[must_use]
    pub fn plies(&self) -> Vec<PlyRow> {
        let mut rows = Vec::with_capacity(self.main.texts.len());
        let mut notes = self.main.notes.iter().filter_map(comment).peekable();
        for (index, (text, position)) in self.main.texts.iter().zip(self.main.line.positions().skip(1)).enumerate() {
            let ply = index as u32 + 1;
            let mut comments = Vec::new();
            while let Some(note) = notes.next_if(|(at, _)| *at <= ply) {
                comments.push(note.1);
            }
            let witness = self.losing.filter(|(losing, _)| *losing == ply).map(|(_, witness)| witness);
            rows.push(PlyRow {
                game: self.id,
                ply,
                side: self.main.color_at(ply),
                text: text.clone(),
                fen: fen::write(&position.setup()),
                mark: self.main.marks_at(ply),
                losing: witness.is_some(),
                witness,
                comment: comments.join(" "),
            });
        }
        rows
    }
}

/// Finds the main lines of many variations, looking at the parent of each line once: variations may be nested thousands deep.
#[derive(Debug)]
pub struct MainLines<'d> {
    database: &'d Database,
    /// The main line of each variation seen so far.
    known: HashMap<u32, u32>,
}

impl<'d> MainLines<'d> {
    /// Of lines of `database`.
    #[must_use]
    pub fn new(database: &'d Database) -> Self {
        Self { database, known: HashMap::new() }
    }

    /// The line that `id` is a variation of, at last; itself where it is none.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn find(&mut self, id: u32) -> Result<u32, QueryError> {
        let mut statement = self.database.connection().prepare_cached("SELECT parent FROM copy WHERE id = ?1")?;
        let (mut line, mut passed) = (id, HashSet::new());
        let main = loop {
            if let Some(&main) = self.known.get(&line) {
                break main;
            }
            let parent = statement.query_row([line], |row| row.get::<_, Option<u32>>(0)).optional()?.flatten();
            let Some(parent) = parent else { break line };
            // A damaged file must not lead round in a ring.
            if !passed.insert(line) {
                return Err(StoreError::Damaged(format!("line {id} leaves itself")).into());
            }
            line = parent;
        };
        self.known.extend(passed.into_iter().map(|line| (line, main)));
        Ok(main)
    }
}

/// What the row of a line says, but its play.
struct LineDetails {
    kind: LineKind,
    label: Option<String>,
    variant: Variant,
    tags: Vec<(String, String)>,
    result: Option<String>,
    score: Option<WrittenScore>,
    order: ResultOrder,
    verdict: Option<String>,
    decided: Option<i64>,
    partly: bool,
}

/// Reads every column of a line that exports give back.
fn head(database: &Database, id: u32) -> Result<Option<LineDetails>, QueryError> {
    let damaged = |what: &str| StoreError::Damaged(format!("line {id} has {what}"));
    let mut statement = database.connection().prepare_cached(
        "SELECT event, site, date, round, black, white, tags, result, score, result_order, verdict, decided, status, kind,
             label, variant FROM copy AS line JOIN source ON source.id = line.source WHERE line.id = ?1",
    )?;
    let mut rows = statement.query([id])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let text = |column: usize| -> Result<Option<String>, StoreError> {
        // SQLite's own words would not say which line it is.
        row.get(column).map_err(|_| {
            let name = row.as_ref().column_name(column).unwrap_or("a column").to_owned();
            damaged(&format!("a {name} that cannot be read"))
        })
    };
    let mut tags = Vec::new();
    for (column, name) in TAG_ROSTER.into_iter().enumerate() {
        tags.extend(text(column)?.map(|value| (name.to_owned(), value)));
    }
    if let Some(json) = text(6)? {
        let others: Vec<(String, String)> =
            serde_json::from_str(&json).map_err(|_| damaged("tags that cannot be read"))?;
        tags.extend(others);
    }
    let score = match row.get::<_, Option<i64>>(8)? {
        None => None,
        Some(0) => Some(WrittenScore::Equal),
        Some(number) => Some(if number > 0 { WrittenScore::First } else { WrittenScore::Second }),
    };
    let order = text(9)?.as_deref().and_then(ResultOrder::from_name);
    let kind = row.get::<_, i64>(13)?;
    Ok(Some(LineDetails {
        kind: usize::try_from(kind)
            .ok()
            .and_then(|kind| LineKind::ALL.get(kind).copied())
            .ok_or_else(|| damaged("no known kind"))?,
        label: text(14)?,
        variant: u32::try_from(row.get::<_, i64>(15)?)
            .ok()
            .and_then(Variant::from_game_type)
            .ok_or_else(|| damaged("no known variant"))?,
        tags,
        result: text(7)?,
        score,
        order: order.ok_or_else(|| damaged("no known order of results"))?,
        verdict: text(10)?,
        decided: row.get(11)?,
        partly: row.get::<_, i64>(12)? != 0,
    }))
}

/// Reads all that exports give back of the line itself, its play but for variations, and says what cannot be read.
///
/// # Errors
/// What an export of the line would say.
pub(super) fn probe(database: &Database, id: u32) -> Result<(), QueryError> {
    game_row(database, id)?;
    head(database, id)?;
    database.notes(id)?;
    let mut branch =
        database.connection().prepare_cached("SELECT branch_ply, label, parent FROM copy WHERE id = ?1")?;
    let read = |row: &SqlRow<'_>| Ok((row.get::<_, Option<u32>>(0)?, row.get::<_, Option<String>>(1)?, row.get(2)?));
    let _: (_, _, Option<u32>) = branch.query_row([id], read)?;
    Ok(())
}

/// The line of this id whole; of the row of a further copy, what its source has of the line.
///
/// # Errors
/// When the database cannot be read.
pub fn record(database: &Database, id: u32) -> Result<Option<GameRecord>, QueryError> {
    let (Some(line), Some(row)) = (database.line(id)?, game_row(database, id)?) else { return Ok(None) };
    let Some(head) = head(database, id)? else { return Ok(None) };
    let mut branches = Vec::new();
    for branch in database.branches(id)? {
        let mut line = LineView::read(database, branch.line)?;
        line.line.id = database.line_of_copy(line.line.id)?;
        let parent = database.line_of_copy(branch.parent)?;
        branches.push(BranchView { parent, ply: branch.ply, label: branch.label, line });
    }
    let losing = database
        .connection()
        .prepare_cached("SELECT losing_ply, witness FROM copies WHERE id = ?1 AND losing_ply IS NOT NULL")?
        .query_row([id], |row| Ok((row.get(0)?, Witness::from_name(row.get_ref(1)?.as_str()?))))
        .optional()?
        .and_then(|(ply, witness): (u32, Option<Witness>)| Some((ply, witness?)));
    let LineDetails { kind, label, variant, tags, result, score, order, verdict, decided, partly } = head;
    let mut main = LineView::read(database, line)?;
    main.line.id = database.line_of_copy(id)?;
    Ok(Some(GameRecord {
        id: main.line.id,
        row,
        kind,
        label,
        variant,
        tags,
        result,
        score,
        order,
        verdict,
        decided,
        partly,
        losing,
        main,
        branches,
    }))
}
