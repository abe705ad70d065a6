//! `prove`: a claim about a position, proved or disproved.

use std::path::PathBuf;

use crate::engine::{Certificate, Claim, Evaluation, Memory, ProofResult, Prover, StopFlag};
use crate::files;
use crate::game::move_text;
use crate::notation::fen;
use crate::render::thousands;
use crate::rules::Position;
use crate::table::{Cell, Column, Row, Table};

use super::context::Context;
use super::engine::{endings, fast, no_move};
use super::error::{CliError, Exit};
use super::output::cannot_write;
use super::position_argument;
use super::signals::stop_flag;
use super::targets::{Target, TargetKind};

const EXAMPLES: &str = "\
Examples:
  crownhead prove --win \"W:WK19,K23:B12,K28\"
  crownhead prove --not-loss \"W:W18,28,30:B5,14,20\" --certificate a.proof
  crownhead prove --loss \"11-15 22-18 15x22 25x18\" --nodes 100000

A claim is about the side to move. Proved means shown down to the end of the
game or to an endgame database, against every defence; an evaluation never
counts, and a repetition never helps the side that claims. Disproved means that
the contrary was proved. The status is 1 unless the claim is proved.";

/// Prove that the side to move wins, loses, or does not lose
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, group = clap::ArgGroup::new("claim").required(true))]
pub(super) struct Args {
    /// A FEN, moves, a ballot, or an opening's name
    #[arg(value_name = "POSITION", required = true)]
    position: Vec<String>,
    /// The side to move wins
    #[arg(long, group = "claim")]
    win: bool,
    /// The side to move loses
    #[arg(long, group = "claim")]
    loss: bool,
    /// The side to move does not lose
    #[arg(long, group = "claim")]
    not_loss: bool,
    /// The side to move does not win
    #[arg(long, group = "claim")]
    not_win: bool,
    /// Look at this many positions at most
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    nodes: u64,
    /// Write the certificate of the proof to this file; `check-proof` goes through it
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
}

impl Args {
    /// The file it writes beside its data.
    pub(super) fn target(&self) -> Option<Target<'_>> {
        Some(Target { option: "--certificate", path: self.certificate.as_deref()?, wanted: TargetKind::Certificate })
    }
}

pub(super) struct ProofRow {
    position: Position,
    claim: Claim,
    answer: &'static str,
    certificate: Option<Certificate>,
    nodes: u64,
}

impl Row for ProofRow {
    const COLUMNS: &'static [Column] = &[
        Column::text("claim", 0),
        Column::text("answer", 0),
        Column::text("move", 0),
        Column::number("positions", 1),
        Column::number("longest", 1),
        Column::number("endings", 2),
        Column::number("nodes", 1),
        Column::text("fen", 3),
    ];

    fn values(self) -> Vec<Cell> {
        let certificate = self.certificate.as_ref();
        let first = certificate.and_then(|found| found.move_in(self.position.key()));
        vec![
            self.claim.name().into(),
            self.answer.into(),
            first.map(|first| move_text(&self.position, &first)).into(),
            certificate.map(|found| found.positions() as i64).into(),
            certificate.map(Certificate::longest).into(),
            certificate.map(Certificate::endings).into(),
            (self.nodes as i64).into(),
            fen::write(&self.position.setup()).into(),
        ]
    }
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    let position = position_argument::position(context, &args.position)?.position;
    let claim = match (args.win, args.loss, args.not_loss) {
        (true, ..) => Claim::Win,
        (_, true, _) => Claim::Loss,
        (_, _, true) => Claim::NotLoss,
        _ => Claim::NotWin,
    };
    let endings = endings(context)?;
    let evaluation = Evaluation::best();
    let stop = StopFlag::from(stop_flag());
    let prover = Prover { evaluation: &evaluation, endings: endings.as_deref() };
    let attempt = prover.prove(&fast(&position)?, claim, args.nodes, &stop, &mut Memory::default());
    let (answer, certificate) = match attempt.verdict {
        ProofResult::Proved(certificate) => ("proved", Some(certificate)),
        ProofResult::Disproved(certificate) => ("disproved", Some(certificate)),
        ProofResult::Open => ("open", None),
    };
    if let (Some(path), Some(certificate)) = (&args.certificate, &certificate) {
        files::write(path, certificate.to_text().as_bytes()).map_err(|error| cannot_write(path, &error))?;
    }
    let proved = answer == "proved";
    let nodes = attempt.nodes;
    let shown = certificate.as_ref().map_or(claim, Certificate::claim);
    context.print(Table::from_rows([ProofRow { position, claim, answer, certificate, nodes }]), true)?;
    let side = position.turn();
    let says = match (answer, shown) {
        ("open", _) if stop.is_set() => format!("Stopped after {} positions: not settled.", thousands(nodes)),
        ("open", _) => format!("Not settled within {} positions: try more --nodes.", thousands(args.nodes)),
        (_, claim) if claim != Claim::Loss && !position.has_legal_move() => no_move(&position),
        (_, Claim::Win) => format!("{side} to move wins."),
        (_, Claim::Loss) => format!("{side} to move loses."),
        (_, Claim::NotLoss) => format!("{side} to move does not lose."),
        (_, Claim::NotWin) => format!("{side} to move does not win."),
    };
    context.message(&says);
    Ok(match answer {
        _ if proved => Exit::Done,
        "open" if stop.is_set() => Exit::Interrupted,
        _ => Exit::No,
    })
}
