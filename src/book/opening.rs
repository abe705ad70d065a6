//! Openings and the lines they own.

use crate::board::{Move, Variant};
use crate::game::{read_moves, write_moves};
use crate::rules::{Position, PositionKey};

use super::sheet::{Field, Sheet, SheetRow};
use super::{BookError, Problem};

/// How much play a name covers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// Everything after one first move.
    Family,
    /// A named opening.
    Opening,
    /// A branch of a named opening, `Opening: Branch`.
    Variation,
}

impl Level {
    /// Every level, the widest first.
    pub const ALL: &'static [Self] = &[Self::Family, Self::Opening, Self::Variation];

    /// The word in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Family => "family",
            Self::Opening => "opening",
            Self::Variation => "variation",
        }
    }
}

/// How well a name is attested.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Confidence {
    /// By two independent kinds of source or more.
    A,
    /// By one good source.
    B,
    /// By one source of less weight.
    C,
}

impl Confidence {
    /// Every grade, the best first.
    pub const ALL: &'static [Self] = &[Self::A, Self::B, Self::C];

    /// The letter in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
            Self::C => "C",
        }
    }
}

/// A line from the start whose last position bears a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedLine {
    /// The moves.
    pub moves: Vec<Move>,
    /// The moves as text.
    pub text: String,
    /// The named position.
    pub position: Position,
    /// How well it is attested that the position bears the name; `None` where the table does not say.
    pub confidence: Option<Confidence>,
    /// Where the name comes from.
    pub sources: Vec<String>,
    /// What is told of it; may be empty.
    pub note: String,
}

impl NamedLine {
    /// How many plies it has.
    #[must_use]
    pub fn ply(&self) -> u32 {
        u32::try_from(self.moves.len()).unwrap_or(u32::MAX)
    }

    /// The key of the named position.
    #[must_use]
    pub fn key(&self) -> PositionKey {
        self.position.key()
    }
}

/// A named opening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The name.
    pub name: String,
    /// How much it covers.
    pub level: Level,
    /// Other names and spellings.
    pub aliases: Vec<String>,
    /// Its shortest line.
    pub definition: NamedLine,
    /// Its later positions, the shortest line first.
    pub tabiyas: Vec<NamedLine>,
}

impl Opening {
    /// All its lines, the definition first.
    pub fn lines(&self) -> impl Iterator<Item = &NamedLine> {
        std::iter::once(&self.definition).chain(&self.tabiyas)
    }
}

/// The columns of a table of openings; the first two must be there.
const COLUMNS: &[&str] = &["name", "moves", "level", "role", "aliases", "ballot", "confidence", "source", "note"];

/// One row of a table of openings: a name and one of its lines.
#[derive(Clone, Debug)]
pub(super) struct NameRow {
    pub(super) name: String,
    pub(super) level: Level,
    pub(super) aliases: Vec<String>,
    pub(super) line: NamedLine,
}

/// Reads a table of openings. Role and ballot follow from the moves; those columns are for readers and linters.
pub(super) fn read_names(file: &str, text: &str, default_source: &str) -> Result<Vec<NameRow>, BookError> {
    let sheet = Sheet::read(file, text, COLUMNS, 2)?;
    let mut seen = super::hash::KeyMap::<(String, u32)>::default();
    sheet
        .rows()
        .map(|row| {
            let one = read_name(&row, default_source)?;
            let place = row.field("moves");
            match seen.insert(one.line.key(), (one.name.clone(), place.line)) {
                Some((other, line)) => Err(place.error(0, Problem::SamePosition { other, line })),
                None => Ok(one),
            }
        })
        .collect()
}

fn read_name(row: &SheetRow<'_, '_>, default_source: &str) -> Result<NameRow, BookError> {
    let name = row.field("name").filled("name")?.to_owned();
    let (moves, text, position) = replayed(row.field("moves"))?;
    let level = row.field("level");
    let level = match level.text {
        "" if name.contains(": ") => Level::Variation,
        "" => Level::Opening,
        _ => level.word(Level::ALL, Level::name)?,
    };
    let confidence = row.field("confidence");
    let confidence = match confidence.text {
        "" => None,
        _ => Some(confidence.word(Confidence::ALL, Confidence::name)?),
    };
    let mut sources = row.field("source").list();
    if sources.is_empty() {
        sources.push(default_source.to_owned());
    }
    let note = row.field("note").text.to_owned();
    let line = NamedLine { moves, text, position, confidence, sources, note };
    Ok(NameRow { name, level, aliases: row.field("aliases").list(), line })
}

/// The moves of a field, replayed from the start; there must be one at least.
pub(super) fn replayed(field: Field<'_>) -> Result<(Vec<Move>, String, Position), BookError> {
    let start = Position::start(Variant::English);
    let moves =
        read_moves(field.filled("moves")?, start).map_err(|error| field.error(error.at, Problem::Moves(error)))?;
    if moves.is_empty() {
        return Err(field.error(0, Problem::Empty("moves")));
    }
    let position = moves.iter().fold(start, |position, played| position.play_unchecked(played));
    let text = write_moves(start, &moves);
    Ok((moves, text, position))
}
