//! `the-move`: who has the opposition, and which exchanges change it.

use crate::board::Color;
use crate::engine::egdb::Probed;
use crate::game::write_moves;
use crate::notation::fen;
use crate::render::plural;
use crate::rules::{self, Exchange, Position};
use crate::table::{Cell, Column, Row, Table};

use super::context::Context;
use super::engine::{database_line, databases_for, no_move, winner};
use super::error::{CliError, Exit};
use super::position_argument;

const EXAMPLES: &str = "\
Examples:
  crownhead the-move \"W:WK12:BK19\"          Black has the move
  crownhead the-move \"W:WK26,K32:BK19,K28\"
  crownhead the-move \"B:W18,28,30:B5,9,20\"  with the exchanges that are open

The move (the opposition) tells who will make the last move when the pieces
meet. The board's columns fall into two systems: those that end on White's first
row (29 to 32) and those that end on Black's (1 to 4). With equal numbers, count
all pieces in one system (either will do): odd, and the side to move has the
move; even, the other side has it.

The first row is the position as it stands; each further row is an exchange:
captures and what they take in each system, whether Foster's rule says that the
move changes, and whether a new count says so. Where an endgame database knows
the position of a row, value says what it is worth to the side to move there:
whether having the move wins here.";

/// Show which side has the move, and which exchanges change it
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A FEN, moves, a ballot, or an opening's name; none means the start
    #[arg(value_name = "POSITION")]
    position: Vec<String>,
}

/// A position: as it stands, or after an exchange.
pub(super) struct ExchangeRow {
    position: Position,
    exchange: Option<(String, Exchange)>,
    proved: Option<Probed>,
}

impl Row for ExchangeRow {
    const COLUMNS: &'static [Column] = &[
        Column::text("exchange", 0),
        Column::text("the_move", 0),
        Column::number("white_system", 0).grouped("systems"),
        Column::number("black_system", 0).grouped("systems"),
        Column::number("captures", 3),
        Column::number("taken_white_system", 4).grouped("taken"),
        Column::number("taken_black_system", 4).grouped("taken"),
        Column::text("changes_by_rule", 1).headed("by rule").grouped("changes"),
        Column::text("changes_by_count", 1).headed("by count").grouped("changes"),
        Column::text("fen", 5),
        Column::text("value", 1),
        Column::number("plies_to_end", 1),
    ];

    fn values(self) -> Vec<Cell> {
        let told = rules::the_move(&self.position);
        let holder = told.holder.map_or("undefined", Color::name);
        let mut values: Vec<Cell> = vec![
            Cell::Null,
            holder.into(),
            told.counts.white_side.into(),
            told.counts.black_side.into(),
            Cell::Null,
            Cell::Null,
            Cell::Null,
            Cell::Null,
            Cell::Null,
            fen::write(&self.position.setup()).into(),
            self.proved.map(|proved| proved.value.name()).into(),
            self.proved.and_then(|proved| proved.plies).into(),
        ];
        if let Some((text, exchange)) = self.exchange {
            values[0] = text.into();
            values[4] = exchange.captures.into();
            values[5] = exchange.captured.white_side.into();
            values[6] = exchange.captured.black_side.into();
            values[7] = exchange.rule_says_changes.into();
            values[8] = exchange.recount_says_changes.into();
        }
        values
    }
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    let position = position_argument::position(context, &args.position)?.position;
    let told = rules::the_move(&position);
    let exchanges = rules::exchanges(&position);
    let count = exchanges.len() as u64;
    let mut rows = vec![ExchangeRow { position, exchange: None, proved: None }];
    rows.extend(exchanges.into_iter().map(|exchange| ExchangeRow {
        position: exchange.position,
        exchange: Some((write_moves(position, &exchange.moves), exchange)),
        proved: None,
    }));
    if let Some(databases) = databases_for(context, rows.iter().map(|row| &row.position))? {
        for row in &mut rows {
            row.proved = databases.probe(&row.position)?;
        }
    }
    let proved = rows.first().and_then(|row| row.proved);
    context.print(Table::from_rows(rows), true)?;
    let counts = format!(
        "{} in the system of columns that ends on White's first row, {} in the other",
        plural(told.counts.white_side.into(), "piece", "pieces"),
        told.counts.black_side
    );
    if !position.has_legal_move() {
        context.message(&format!("{counts}. {}", no_move(&position)));
        return Ok(Exit::Done);
    }
    context.message(&match told.holder {
        Ok(color) => format!("{counts}; {} to move: {color} has the move.", position.turn()),
        Err(reason) => format!("{counts}: {reason}, so nobody is said to have the move."),
    });
    if let Some(proved) = proved {
        // The count is no verdict.
        let winner = winner(&position, proved.value);
        let though = match (told.holder, winner) {
            (Ok(holder), Some(winner)) if holder != winner => format!(", though {holder} has the move"),
            _ => String::new(),
        };
        context.message(&format!("{}{though}.", database_line(&position, proved)));
    }
    context.message(&match count {
        0 => "No exchange is open.".to_owned(),
        _ => format!("{} open.", plural(count, "exchange is", "exchanges are")),
    });
    Ok(Exit::Done)
}
