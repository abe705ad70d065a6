//! `check-proof`: certificates gone through by the rules and a database alone.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::engine::{CheckError, CheckedCertificate, Endings, check};
use crate::files;
use crate::notation::fen;
use crate::render::plural;
use crate::rules::{Position, PositionKey};
use crate::table::{Cell, Column, Row, Table};

use super::context::Context;
use super::engine::endings;
use super::error::{CliError, Exit};

const EXAMPLES: &str = "\
Examples:
  crownhead check-proof a.proof
  crownhead --format csv check-proof *.proof

A certificate gives the proving side's move at each of its positions. Checked
are the digest and that every line, whatever the other side plays, goes by legal
moves and ends the game or comes to a database position as claimed, without a
circle. Nothing of the search that found the proof is used.";

/// No certificate is longer.
const MAX_CERTIFICATE_BYTES: u64 = 1 << 28;

/// Go through certificates of proofs
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Certificates, as `prove --certificate` writes them, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

impl Args {
    /// The files it reads.
    pub(super) fn inputs(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(PathBuf::as_path)
    }
}

pub(super) struct CheckedRow {
    file: String,
    outcome: Result<CheckedCertificate, String>,
}

impl Row for CheckedRow {
    const COLUMNS: &'static [Column] = &[
        Column::path("file", 0),
        Column::text("answer", 0),
        Column::text("claim", 0),
        Column::number("positions", 1),
        Column::number("ends", 1),
        Column::text("fen", 2),
        Column::text("why", 0),
    ];

    fn values(self) -> Vec<Cell> {
        let mut values: Vec<Cell> = vec![self.file.into()];
        match self.outcome {
            Ok(checked) => values.extend([
                Cell::from("accepted"),
                checked.claim.name().into(),
                (checked.walked as i64).into(),
                (checked.ends as i64).into(),
                fen::write(&checked.position.setup()).into(),
                Cell::Null,
            ]),
            Err(why) => {
                values.extend([Cell::from("refused"), Cell::Null, Cell::Null, Cell::Null, Cell::Null, why.into()]);
            }
        }
        values
    }
}

pub(super) fn run(context: &mut Context, args: &Args) -> Result<Exit, CliError> {
    let endings = endings(context)?;
    let rows: Vec<CheckedRow> = args
        .files
        .iter()
        .map(|path| CheckedRow { file: path.display().to_string(), outcome: checked(path, endings.as_deref()) })
        .collect();
    let refused = rows.iter().filter(|row| row.outcome.is_err()).count() as u64;
    let accepted = rows.len() as u64 - refused;
    context.print(Table::from_rows(rows), true)?;
    context.message(&format!("{} accepted, {refused} refused.", plural(accepted, "certificate", "certificates")));
    Ok(if refused == 0 { Exit::Done } else { Exit::No })
}

fn checked(path: &Path, endings: Option<&dyn Endings>) -> Result<CheckedCertificate, String> {
    let mut text = String::new();
    let file: Box<dyn Read> = if path.as_os_str() == "-" {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(File::open(path).map_err(|error| files::reason(&error))?)
    };
    file.take(MAX_CERTIFICATE_BYTES + 1).read_to_string(&mut text).map_err(|error| files::reason(&error))?;
    if text.len() as u64 > MAX_CERTIFICATE_BYTES {
        return Err(format!("it is longer than {MAX_CERTIFICATE_BYTES} bytes"));
    }
    check(&text, endings).map_err(|error| match error {
        CheckError::NoMove { key } => format!("no move is given for {}", written(key)),
        CheckError::Illegal { key } => format!("the move given for {} is not legal", written(key)),
        CheckError::Fails { key } => format!("a line ends in {}, and not as was claimed", written(key)),
        CheckError::Circle { key } => format!("a line comes back to {}", written(key)),
        other => other.to_string(),
    })
}

/// The FEN of a key.
fn written(key: u128) -> String {
    let position: Option<Position> = PositionKey(key).position();
    position.map_or_else(|| format!("{key:032x}"), |position| fen::write(&position.setup()))
}
