//! `cooks`: published verdicts and losing marks that proofs, or other published play, overturn.

use crate::analysis::{ClaimKind, ColorClaim as Said, Cook, TreeValues};
use crate::board::Outcome;
use crate::game::write_moves;
use crate::notation::fen;
use crate::query::LineSet;
use crate::store::short_digest;
use crate::table::{Cell, Column, Row, Table};

use super::line_facts::LineFacts;
use super::{ReportError, Request};

/// A row: one claim that is overturned.
pub(super) struct CookRow {
    facts: LineFacts,
    cook: Cook,
}

impl Row for CookRow {
    const COLUMNS: &'static [Column] = &[
        Column::number("line", 0),
        Column::text("what", 1),
        Column::number("ply", 1),
        Column::text("published", 0),
        Column::text("implied", 0),
        Column::text("witness", 0),
        Column::number("by_ply", 3).grouped("by"),
        Column::text("by", 0),
        Column::number("by_line", 3).grouped("by"),
        Column::text("certificate", 4),
        Column::text("kind", 6),
        Column::path("source", 5).grouped("place"),
        Column::number("place", 5).grouped("place"),
        Column::text("verdict", 7),
        Column::text("opening", 2),
        Column::text("fen", 8),
    ];

    fn values(self) -> Vec<Cell> {
        let Self { facts: told, cook } = self;
        let by = write_moves(cook.from, &cook.by);
        let verdict = told.verdict.filter(|_| cook.claim.kind == ClaimKind::Verdict);
        vec![
            told.id.into(),
            cook.claim.kind.name().into(),
            cook.claim.ply.into(),
            claim_text(cook.published).into(),
            claim_text(cook.implied).into(),
            if cook.is_proved { "proved" } else { "tree" }.into(),
            (!by.is_empty()).then_some(cook.by_ply).into(),
            by.into(),
            cook.by_line.into(),
            cook.certificate.as_deref().map(|digest| short_digest(digest).to_owned()).into(),
            told.kind.name().into(),
            told.source.into(),
            told.game_number.into(),
            verdict.into(),
            told.opening.into(),
            fen::write(&cook.position.setup()).into(),
        ]
    }
}

/// What is said, in words: by colour, for readers do not ask who is to move.
fn claim_text(said: Said) -> String {
    match said {
        Said::Ends(Outcome::Draw) => "draw".to_owned(),
        Said::Ends(Outcome::Won(color)) => format!("{} wins", color.name()),
        Said::NotWon(color) => format!("{} does not win", color.name()),
    }
}

/// A row a claim, in the order of lines and plies: the verdict at the end of a line, or the mark of a losing move (which says
/// that the position after it is won, and that the one before it was not lost). `proved` overturns for certain. `tree` sets
/// one published claim against another: no one is called wrong for it. All stored play is evidence, whatever the
/// filters: they choose the lines whose claims are told.
pub(super) fn report(request: &Request<'_>) -> Result<Table, ReportError> {
    let database = request.database;
    let lines = LineSet::select(database, &request.filters)?;
    let tree = TreeValues::compute(database, request.endings)?;
    let mut rows = Vec::new();
    for cook in tree.cooks(database, |line| lines.contains(line))? {
        rows.push(CookRow { facts: LineFacts::load(database, cook.claim.line)?, cook });
    }
    Ok(Table::from_rows(rows))
}
