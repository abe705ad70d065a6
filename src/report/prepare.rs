//! One player as an opponent: what he plays and how it went, where he left what others had played, where he went wrong, and games
//! to play through.
//!
//! One pass over the lines finds the player's games; one walk over the index, as for `novelties`, finds where they left known
//! play. Memory: that walk's, some hundred bytes per game of the player, and the rows.

mod player;
mod rows;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::board::{Bounds, Color, Value, Winner, Witness};
use crate::game::{move_text, write_moves};
use crate::query::{Filters, LineSet, Players};
use crate::rules::Position;
use crate::store::{Database, StoredLine};

use super::ReportError;
use super::line_facts::{self, LineFacts, Years};
use super::novelties::{KnownPlay, NoveltyRow};
use super::tally::ResultTally;

pub use player::PlayerName;
pub use rows::Section;

/// Games to play through: as many that the player won, and as many that the player lost.
const MODEL_GAMES: usize = 5;

/// What is asked about a player.
#[derive(Clone, Debug)]
pub struct Question {
    /// Words of the player's name.
    pub player: String,
    /// Only games in which the player had this side.
    pub side: Option<Color>,
    /// Which games count.
    pub filters: Filters,
}

/// What the words of a name lead to.
#[derive(Clone, PartialEq, Debug)]
pub enum PlayerLookup {
    /// No player has these words in the name.
    Unknown,
    /// Several players have, and none has only these: each with the number of games, the most first.
    Several(Vec<PlayerName>),
    /// One player.
    Found(Box<Dossier>),
}

/// What is known of one player.
#[derive(Clone, PartialEq, Debug)]
pub struct Dossier {
    /// The player.
    pub player: PlayerName,
    /// Other players who have the words asked for in their names, and whose games are left out.
    pub others: Vec<PlayerName>,
    /// Games without a year: what others had played before them is not known.
    pub undated: u32,
    /// Games that `annotate` has looked at.
    pub annotated: u32,
    sides: [SideSummary; 2],
    choices: Vec<PlayerChoice>,
    departures: Vec<Departure>,
    slips: Vec<Slip>,
    models: Vec<ModelGame>,
}

/// The games of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct SideSummary {
    tally: ResultTally,
    years: Years,
}

/// What a choice is of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum ChoiceKind {
    Opening,
    Ballot,
    /// Black's first move, or White's with the one it answers.
    FirstMoves,
}

/// Something that the player had on the board, and how it went.
#[derive(Clone, PartialEq, Debug)]
struct PlayerChoice {
    kind: ChoiceKind,
    side: Color,
    name: String,
    tally: ResultTally,
    /// Its part of the games of that side.
    share: f64,
}

/// A game in which the player left what was known.
#[derive(Clone, PartialEq, Debug)]
struct Departure {
    game: GameHead,
    ply: u32,
    played: String,
    known_lines: u32,
    known_moves: Vec<String>,
}

/// A move by which the player gave something away.
#[derive(Clone, PartialEq, Debug)]
struct Slip {
    game: GameHead,
    ply: u32,
    played: String,
    is_losing: bool,
    before: Option<Bounds>,
    after: Bounds,
    better: Option<String>,
    refutation: Option<String>,
    witness: Witness,
}

/// A game to play through.
#[derive(Clone, PartialEq, Debug)]
struct ModelGame {
    game: GameHead,
    plies: u32,
}

/// What is told of a game of the player.
#[derive(Clone, PartialEq, Debug)]
struct GameHead {
    id: u32,
    date: Option<String>,
    year: Option<u16>,
    side: Color,
    opponent: Option<String>,
    outcome: Option<Value>,
    opening: Option<String>,
}

impl GameHead {
    fn from_facts(told: &LineFacts, side: Color) -> Self {
        let opponent = if side == Color::Black { &told.white } else { &told.black };
        let outcome = match (told.winner, side) {
            (Winner::Unknown, _) => None,
            (Winner::Draw, _) => Some(Value::Draw),
            (Winner::Black, Color::Black) | (Winner::White, Color::White) => Some(Value::Win),
            _ => Some(Value::Loss),
        };
        Self {
            id: told.id,
            date: told.date.clone(),
            year: told.year(),
            side,
            opponent: opponent.clone(),
            outcome,
            opening: told.opening.clone(),
        }
    }
}

/// What is known of the player that `question` asks about.
///
/// # Errors
/// When the name has no word, a filter cannot be read or the database cannot.
pub fn prepare(database: &Database, question: &Question) -> Result<PlayerLookup, ReportError> {
    let named = Filters { player: Some(question.player.clone()), exact: question.filters.exact, ..Filters::default() };
    named.check_words()?;
    // One snapshot for all that is asked: an import may go on meanwhile.
    let _snapshot = database.connection().unchecked_transaction()?;
    let (player, others) = match player::find(database, &named)? {
        player::PlayerMatch::None => return Ok(PlayerLookup::Unknown),
        player::PlayerMatch::Several(players) => return Ok(PlayerLookup::Several(players)),
        player::PlayerMatch::One(player, others) => (player, others),
    };
    let mut collected = Collected { aliases: Players::read(database)?, ..Collected::default() };
    line_facts::each(database, &LineSet::select(database, &question.filters)?, |told| {
        collected.add(database, &player, question, &told)
    })?;
    let Collected { sides, choices, games, slips, undated, annotated, .. } = collected;
    let departures = departures(database, &games)?;
    Ok(PlayerLookup::Found(Box::new(Dossier {
        player,
        others,
        undated,
        annotated,
        sides,
        choices: ranked(choices, &sides),
        departures,
        slips: sorted(slips),
        models: models(&games),
    })))
}

/// What one pass over the lines collects.
#[derive(Default)]
struct Collected {
    aliases: Players,
    sides: [SideSummary; 2],
    choices: BTreeMap<(Color, ChoiceKind, String), ResultTally>,
    games: Vec<ModelGame>,
    slips: Vec<Slip>,
    undated: u32,
    annotated: u32,
}

impl Collected {
    fn add(
        &mut self,
        database: &Database,
        player: &PlayerName,
        question: &Question,
        told: &LineFacts,
    ) -> Result<(), ReportError> {
        let exact = question.filters.exact;
        let is_player =
            |name: &Option<String>| name.as_deref().is_some_and(|name| player.is(&self.aliases, name, exact));
        let (black, white) = (is_player(&told.black), is_player(&told.white));
        let is_wanted = |side: Color| question.side.is_none_or(|wanted| wanted == side);
        // A game of the player against himself counts once.
        let side = if black && is_wanted(Color::Black) { Color::Black } else { Color::White };
        if !told.is_game() || !(black || white) || !is_wanted(side) || (side == Color::White && !white) {
            return Ok(());
        }
        let winner = if black && white { Winner::Unknown } else { told.winner };
        let line = line_facts::line(database, told.id)?;
        let summary = &mut self.sides[index(side)];
        summary.tally.add(winner, side);
        summary.years.add(told.year());
        let ballot = told.ballot.map(|ballot| (ChoiceKind::Ballot, ballot.to_string()));
        let opening = told.opening.clone().map(|opening| (ChoiceKind::Opening, opening));
        let first = first_moves(&line, side).map(|moves| (ChoiceKind::FirstMoves, moves));
        for (kind, name) in [opening, ballot, first].into_iter().flatten() {
            self.choices.entry((side, kind, name)).or_default().add(winner, side);
        }
        self.undated += u32::from(told.year().is_none());
        let head = GameHead::from_facts(told, side);
        self.add_slips(database, &head, &line)?;
        self.games.push(ModelGame { game: head, plies: told.plies });
        Ok(())
    }

    /// Adds the moves of the player that gave something away, by the stored analysis, and those that only the source marks.
    fn add_slips(&mut self, database: &Database, head: &GameHead, line: &StoredLine) -> Result<(), ReportError> {
        let positions: Vec<Position> = line.positions().collect();
        let played = |ply: u32| {
            let at = (ply as usize).checked_sub(1)?;
            let position = positions.get(at).filter(|position| position.turn() == head.side)?;
            Some(move_text(position, line.moves.get(at)?))
        };
        let mut plies = Vec::new();
        if let Some(analysis) = database.analysis(head.id)? {
            self.annotated += 1;
            for swing in analysis.swings.into_iter().filter(|swing| swing.is_swing) {
                let Some(played) = played(swing.ply) else { continue };
                plies.push(swing.ply);
                self.slips.push(Slip {
                    game: head.clone(),
                    ply: swing.ply,
                    played,
                    is_losing: swing.is_losing,
                    before: Some(swing.before),
                    after: swing.after,
                    better: swing.better,
                    refutation: swing.refutation,
                    witness: swing.witness,
                });
            }
        }
        for note in
            database.notes(head.id)?.iter().filter(|note| note.kind.marks_losing() && !plies.contains(&note.ply))
        {
            let Some(played) = played(note.ply) else { continue };
            self.slips.push(Slip {
                game: head.clone(),
                ply: note.ply,
                played,
                is_losing: true,
                before: None,
                after: Bounds::exactly(Value::Loss),
                better: None,
                refutation: None,
                witness: Witness::Source,
            });
        }
        Ok(())
    }
}

const fn index(side: Color) -> usize {
    match side {
        Color::Black => 0,
        Color::White => 1,
    }
}

/// The player's first move from the usual start, after the move it answers.
fn first_moves(line: &StoredLine, side: Color) -> Option<String> {
    let plies = index(side) + 1;
    let is_usual = line.start == Position::start(line.start.variant());
    let moves = line.moves.get(..plies).filter(|_| is_usual)?;
    Some(write_moves(line.start, moves))
}

/// Choices in the order of their kinds, Black's first, the most frequent first.
fn ranked(choices: BTreeMap<(Color, ChoiceKind, String), ResultTally>, sides: &[SideSummary; 2]) -> Vec<PlayerChoice> {
    let choice = |((side, kind, name), tally): ((Color, ChoiceKind, String), ResultTally)| {
        let of_side = sides[index(side)].tally.games.max(1);
        PlayerChoice { kind, side, name, tally, share: f64::from(tally.games) / f64::from(of_side) }
    };
    let mut choices: Vec<PlayerChoice> = choices.into_iter().map(choice).collect();
    choices.sort_by_key(|choice| (choice.kind, index(choice.side), Reverse(choice.tally.games)));
    choices
}

/// Moves that lost first, then the others; of these the latest games first.
fn sorted(mut slips: Vec<Slip>) -> Vec<Slip> {
    slips.sort_by_key(|slip| (!slip.is_losing, Reverse(slip.game.year), slip.game.id, slip.ply));
    slips
}

/// Where the player was the first to leave what earlier games and books had, the latest game first. Games without a year are not
/// looked at: what was earlier is not known.
fn departures(database: &Database, games: &[ModelGame]) -> Result<Vec<Departure>, ReportError> {
    let dated: Vec<&GameHead> = games.iter().map(|game| &game.game).filter(|game| game.year.is_some()).collect();
    if dated.is_empty() {
        return Ok(Vec::new());
    }
    let known = KnownPlay::find(database)?;
    let mut found = Vec::new();
    for game in dated {
        let Some(ply) = known.left_at(game.id) else { continue };
        let line = line_facts::line(database, game.id)?;
        let turn = if ply % 2 == 1 { line.start.turn() } else { !line.start.turn() };
        if turn != game.side {
            continue;
        }
        let Some(row) = known.row(database, LineFacts::load(database, game.id)?, &line, ply)? else { continue };
        let NoveltyRow { played, known_lines, known_moves, .. } = row;
        if known_moves.is_empty() {
            // All that was known ended here: there was nothing to leave.
            continue;
        }
        found.push(Departure { game: game.clone(), ply, played, known_lines, known_moves });
    }
    found.sort_by_key(|departure| (Reverse(departure.game.year), departure.game.id));
    Ok(found)
}

/// The latest games that the player won, then the latest that the player lost.
fn models(games: &[ModelGame]) -> Vec<ModelGame> {
    let latest = |outcome: Value| {
        let mut some: Vec<&ModelGame> = games.iter().filter(|game| game.game.outcome == Some(outcome)).collect();
        some.sort_by_key(|game| (Reverse(game.game.year), game.game.id));
        some.truncate(MODEL_GAMES);
        some.into_iter().cloned().collect::<Vec<_>>()
    };
    [latest(Value::Win), latest(Value::Loss)].concat()
}
