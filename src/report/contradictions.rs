//! `contradictions`: the same play judged differently, and results that the board denies.

use std::collections::BTreeMap;

use crate::board::{Outcome, Winner};
use crate::notation::fen;
use crate::query::LineSet;
use crate::rules::PositionKey;
use crate::store::{MoveCode, StoredLine};
use crate::table::{Cell, Column, Row, Table};

use super::line_facts::{self, LineFacts};
use super::{ReportError, Request};

/// What two statements disagree about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Over {
    /// The same moves.
    Line,
    /// The same last position, by other moves.
    Position,
    /// The told result and the last position.
    Board,
}

impl Over {
    const fn name(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Position => "position",
            Self::Board => "board",
        }
    }
}

/// A row: one line of a contradiction.
pub(super) struct ContradictionRow {
    number: u32,
    over: Over,
    facts: LineFacts,
    /// What the board says, where it says anything.
    board: Option<&'static str>,
    fen: String,
}

impl Row for ContradictionRow {
    const COLUMNS: &'static [Column] = &[
        Column::number("number", 0),
        Column::text("over", 0),
        Column::number("line", 0),
        Column::text("kind", 6),
        Column::text("winner", 0),
        Column::text("board", 1),
        Column::text("result", 4),
        Column::text("verdict", 1),
        Column::number("plies", 8),
        Column::text("opening", 3),
        Column::path("source", 5).grouped("place"),
        Column::number("place", 5).grouped("place"),
        Column::text("black", 2).grouped("players"),
        Column::text("white", 2).grouped("players"),
        Column::date("date", 7),
        Column::text("fen", 10),
    ];

    fn values(self) -> Vec<Cell> {
        let told = self.facts;
        vec![
            self.number.into(),
            self.over.name().into(),
            told.id.into(),
            told.kind.name().into(),
            told.winner.name().into(),
            self.board.into(),
            told.result.into(),
            told.verdict.into(),
            told.plies.into(),
            told.opening.into(),
            told.source.into(),
            told.game_number.into(),
            told.black.into(),
            told.white.into(),
            told.date.into(),
            self.fen.into(),
        ]
    }
}

/// A row a line, contradictions in the order of their first lines: lines that end in one position and are told to end
/// differently. `over` is `line` where another line of the same moves says otherwise, `position` where only lines of
/// other moves do, and `board` where the last position shows another winner than is told.
pub(super) fn report(request: &Request<'_>) -> Result<Table, ReportError> {
    let database = request.database;
    let lines = LineSet::select(database, &request.filters)?;
    let facts = database.facts()?;
    // By first line; the key of a result that the board denies is that of the line itself.
    let mut found: BTreeMap<(u32, bool), (PositionKey, Vec<u32>)> = BTreeMap::new();
    database.each_position(|key, postings| {
        let ends = postings.iter().filter(|end| end.code == MoveCode::END && end.ply > 0 && lines.contains(end.line));
        let mut known = Vec::new();
        for end in ends {
            let winner = facts.get(end.line).map_or(Winner::Unknown, |fact| fact.winner);
            if winner != Winner::Unknown {
                known.push((end.line, winner));
            }
        }
        known.sort_unstable();
        if let Some(&(first, winner)) = known.first()
            && known.iter().any(|(_, other)| *other != winner)
        {
            found.insert((first, false), (key, known.into_iter().map(|(line, _)| line).collect()));
        }
        Ok(())
    })?;
    let mut denied =
        database.connection().prepare("SELECT id FROM games WHERE result_check = 'contradicted' ORDER BY id")?;
    for line in denied.query_map([], |row| row.get::<_, u32>(0))? {
        let line = line?;
        if lines.contains(line) {
            found.insert((line, true), (line_facts::line(database, line)?.end().key(), vec![line]));
        }
    }
    let mut rows = Vec::new();
    for (number, ((_, by_board), (key, group))) in (1_u32..).zip(found) {
        let end = key.position();
        let fen = end.map(|position| fen::write(&position.setup())).unwrap_or_default();
        // Who cannot move has lost.
        let loser = end.filter(|end| !end.has_legal_move()).map(|end| end.turn());
        let board = loser.map(|loser| Winner::from(Some(Outcome::Won(!loser))).name());
        let lines = group.into_iter().map(|line| {
            Ok((
                LineFacts::load(database, line)?,
                if by_board { None } else { Some(line_facts::line(database, line)?) },
            ))
        });
        let lines = lines.collect::<Result<Vec<_>, ReportError>>()?;
        let overs: Vec<Over> = lines.iter().map(|line| over(line, &lines)).collect();
        for ((told, _), over) in lines.into_iter().zip(overs) {
            rows.push(ContradictionRow { number, over, facts: told, board, fen: fen.clone() });
        }
    }
    Ok(Table::from_rows(rows))
}

/// What a line of a contradiction disagrees about; its moves are there where it disagrees with others.
fn over((told, moves): &(LineFacts, Option<StoredLine>), group: &[(LineFacts, Option<StoredLine>)]) -> Over {
    let Some(line) = moves else { return Over::Board };
    let twin = |other: &StoredLine| other.start == line.start && other.moves == line.moves;
    let differs = |(other, moves): &(LineFacts, Option<StoredLine>)| {
        other.winner != told.winner && moves.as_ref().is_some_and(twin)
    };
    if group.iter().any(differs) { Over::Line } else { Over::Position }
}
