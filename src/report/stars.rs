//! `stars`: every marked move, and what is known of it.

use crate::board::{Color, Winner, Witness};
use crate::game::{Mark, move_text};
use crate::notation::fen;
use crate::query::{LineSet, Origins, PositionStats, distinct_lines};
use crate::store::MoveCode;
use crate::table::{Cell, Column, Row, Table};

use super::line_facts::{self, LineFacts};
use super::{ReportError, Request};

/// A row: one mark, in the order of lines and plies.
pub(super) struct StarRow {
    facts: LineFacts,
    ply: u32,
    side: Color,
    played: String,
    mark: String,
    agrees: Option<bool>,
    /// How the mark compares with the analysis of its line, and what that rests on.
    compares: Option<String>,
    known_by: Option<Witness>,
    /// Other lines that played it here, counted by who won.
    others: u32,
    stats: PositionStats,
    fen: String,
}

impl Row for StarRow {
    const COLUMNS: &'static [Column] = &[
        Column::number("line", 0),
        Column::number("ply", 0),
        Column::text("side", 2),
        Column::text("move", 0),
        Column::text("mark", 1).grouped("mark"),
        Column::text("witness", 1).grouped("mark"),
        Column::text("verdict", 6),
        Column::text("winner", 0),
        Column::text("agrees", 0),
        Column::number("others", 3),
        Column::number("others_score", 4),
        Column::number("others_won", 7).grouped("others"),
        Column::number("others_drawn", 7).grouped("others"),
        Column::number("others_lost", 7).grouped("others"),
        Column::text("kind", 8),
        Column::text("opening", 2),
        Column::text("compares", 5),
        Column::text("known_by", 7),
        Column::text("fen", 9),
    ];

    fn values(self) -> Vec<Cell> {
        let (won, lost) = match self.side {
            Color::Black => (self.stats.black_wins, self.stats.white_wins),
            Color::White => (self.stats.white_wins, self.stats.black_wins),
        };
        vec![
            self.facts.id.into(),
            self.ply.into(),
            self.side.name().into(),
            self.played.into(),
            self.mark.into(),
            "source".into(),
            self.facts.verdict.into(),
            self.facts.winner.name().into(),
            self.agrees.into(),
            self.others.into(),
            self.stats.score(self.side).into(),
            won.into(),
            self.stats.draws.into(),
            lost.into(),
            self.facts.kind.name().into(),
            self.facts.opening.into(),
            self.compares.into(),
            self.known_by.map(Witness::name).into(),
            self.fen.into(),
        ]
    }
}

/// A row a mark: `losing`, `star` (an only move) or a sign such as `?`. `agrees` says whether the line's winner goes
/// with it: against the side of a losing move or a bad one, not against that of a star or a good one; empty where no
/// winner is known. `others` are the other lines of any kind that played the move in this position, `others_score`
/// what they made of it, 0 to 1 for the side that moved. The ply is counted from the start of the line, a variation's
/// from the game's. `compares` says what `annotate` found of a losing move, `known_by` with which witness; empty where the line is
/// not annotated.
pub(super) fn report(request: &Request<'_>) -> Result<Table, ReportError> {
    let database = request.database;
    let lines = LineSet::select(database, &request.filters)?;
    let facts = database.facts()?;
    let mut origins = Origins::of_all(database)?;
    let mut marks = database
        .connection()
        .prepare("SELECT DISTINCT line, ply, value FROM line_note WHERE kind = 'mark' ORDER BY line, ply, number")?;
    let mut found = marks.query([])?;
    let mut rows = Vec::new();
    while let Some(row) = found.next()? {
        let (line, ply): (u32, u32) = (row.get(0)?, row.get(1)?);
        if !lines.contains(line) {
            continue;
        }
        let stored = line_facts::line(database, line)?;
        let Some(at) = (ply as usize).checked_sub(1) else { continue };
        let (Some(position), Some(played)) = (stored.positions().nth(at), stored.moves.get(at)) else { continue };
        let mut postings = database.postings(position.key())?;
        let code = MoveCode::encode(&position, played);
        postings.retain(|posting| posting.code == code && posting.line != line);
        let mut stats = PositionStats::default();
        let others = distinct_lines(&postings);
        for fact in others.iter().filter_map(|other| facts.get(*other)) {
            stats.add(fact.winner, fact.year);
        }
        let told = LineFacts::load(database, line)?;
        let analysis = database.analysis(line)?;
        let seen = analysis.and_then(|found| found.swings.into_iter().find(|swing| swing.ply == ply));
        let (compares, witness) = seen.map_or((None, None), |swing| (swing.mark, Some(swing.witness)));
        let known_by = compares.as_ref().and(witness);
        let written: String = row.get(2)?;
        let mark = Mark::from_name(&written).map_or(written, |mark| mark.sign().into_owned());
        rows.push(StarRow {
            ply: origins.lookup(line)?.plies + ply,
            side: position.turn(),
            played: move_text(&position, played),
            agrees: agrees(&mark, position.turn(), told.winner),
            mark,
            compares,
            known_by,
            others: others.len() as u32,
            stats,
            fen: fen::write(&position.setup()),
            facts: told,
        });
    }
    Ok(Table::from_rows(rows))
}

fn agrees(mark: &str, side: Color, winner: Winner) -> Option<bool> {
    let lost = match winner {
        Winner::Unknown => return None,
        Winner::Draw => false,
        Winner::Black => side == Color::White,
        Winner::White => side == Color::Black,
    };
    match mark {
        "losing" | "?" | "??" => Some(lost),
        "star" | "!" | "!!" => Some(!lost),
        _ => None,
    }
}
