//! What raw texts say of their games: they are read once more, and what a row says is held against them.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::board::{Color, Outcome, ResultOrder, Variant};
use crate::game::{Note, ReplayOptions, VerifiedGame, WrittenScore, replay};
use crate::notation::{Code, Location, ParsedGame, book, json, pdn};
use crate::store::StoredText;

/// Tags with a column of their own, but for the result.
pub(super) const TAG_ROSTER: [&str; 6] = ["Event", "Site", "Date", "Round", "Black", "White"];

/// What a raw text says of a game. Hashes are cut to half: what they are for is to find changes that no one made on purpose.
pub(super) struct RawFacts {
    /// The tags and the result.
    pub(super) tags: u32,
    /// The kind, the name, the verdict, the status and the line of the file.
    pub(super) head: u32,
    /// The notes of the main line.
    pub(super) notes: u32,
    /// The notes of each variation, with its name and where it leaves which line of the game.
    pub(super) branches: Box<[u32]>,
    /// Its bytes, and those that are left without blanks around them.
    pub(super) lengths: [u32; 2],
    /// What its result says, and whether the text itself says whose score stands first; the winner is by colour then.
    pub(super) score: (Option<i8>, bool),
    /// The winner by colour that its verdict names.
    pub(super) verdict: Option<i8>,
}

/// What raw texts say of their games, by text and the byte of it that a game starts at: a line of a file may hold several.
#[derive(Default)]
pub(super) struct RawText {
    /// Games whose Result tag and final marker say different things, and what.
    pub(super) differing: HashMap<(i64, i64), String>,
    /// What each game is; nothing where several start at the same byte.
    games: HashMap<(i64, i64), Option<RawFacts>>,
    /// Texts that were read whole.
    read: std::collections::HashSet<i64>,
}

impl RawText {
    /// Reads the games of a text once more.
    pub(super) fn read(&mut self, text: &StoredText) {
        let Some(variant) = Variant::from_game_type(text.variant.into()) else { return };
        let start = Location { byte: text.first_byte.unsigned_abs(), line: text.first_line, column: 1 };
        let is_excerpt = text.first_byte < 0;
        // An excerpt belongs to a source that may be of another form, and what a book says of a line may stand before it.
        let begins = |sign| !is_excerpt || text.text.starts_with(sign);
        match text.form.as_str() {
            "pdn" if begins('[') => {
                let games = pdn::PdnReader::new(&text.text, start, 1, variant);
                games.for_each(|parsed| self.add(text, start, variant, parsed));
            }
            "json" if begins('{') => {
                let games = json::JsonReader::new(&text.text, start, 1, variant);
                games.for_each(|parsed| self.add(text, start, variant, parsed));
            }
            "book" if !is_excerpt => {
                let games = book::read(&text.text, variant).games;
                games.into_iter().for_each(|parsed| self.add(text, start, variant, parsed));
            }
            _ => return,
        }
        self.read.insert(text.id);
    }

    /// What the text of this id says of the game that starts at byte `at` of it: `Err` where it has no game there.
    pub(super) fn facts(&self, text: i64, at: i64) -> Result<Option<&RawFacts>, ()> {
        match self.games.get(&(text, at)) {
            Some(told) => Ok(told.as_ref()),
            None if self.read.contains(&text) => Err(()),
            None => Ok(None),
        }
    }

    fn add(&mut self, text: &StoredText, start: Location, variant: Variant, parsed: ParsedGame) {
        let Some(from) = parsed.span.start.checked_sub(start.byte) else { return };
        let at = (text.id, from as i64);
        let bytes = usize::try_from(from).ok().zip(usize::try_from(parsed.span.end - start.byte).ok());
        let raw = bytes.and_then(|(from, to)| text.text.get(from..to)).unwrap_or_default();
        let states_order = parsed.result_order.is_some();
        let replayed = replay(parsed, ReplayOptions::for_variant(variant));
        if let Some(game) = &replayed.game {
            let told = RawFacts::from_game(game, raw, states_order);
            self.games.entry(at).and_modify(|held| *held = None).or_insert(Some(told));
        }
        let differs = replayed.findings.into_iter().find(|finding| finding.code == Code::ResultDiffers);
        if let Some(finding) = differs {
            self.differing.insert(at, finding.found);
        }
    }
}

impl RawFacts {
    fn from_game(game: &VerifiedGame, raw: &str, states_order: bool) -> Self {
        let has_column =
            |name: &str| TAG_ROSTER.iter().chain(["Result"].iter()).any(|own| name.eq_ignore_ascii_case(own));
        let others = game.tags().iter().map(|tag| (tag.name.as_str(), tag.value.as_str()));
        let roster = TAG_ROSTER.iter().map(|name| game.tag(name));
        let order = game.line().start().variant().result_order();
        let score = game
            .score()
            .map(|score| if states_order { outcome_number(score.outcome(order)) } else { score_number(score) });
        let branch = |branch: &crate::game::VerifiedBranch| {
            let leaves = branch.parent.map_or(0, |parent| parent + 1);
            hash_of_branch(leaves, Some(branch.ply), branch.label.as_deref(), hash_of_notes(&branch.line.notes))
        };
        Self {
            tags: hash_of_tags(roster, others.filter(|(name, _)| !has_column(name)), game.result()),
            head: hash_of_head(
                game.kind() as u8,
                game.label(),
                game.verdict().map(|verdict| verdict.written.as_str()),
                game.status() as u8,
                game.location().line,
            ),
            notes: hash_of_notes(&game.line().notes),
            branches: game.branches().iter().map(branch).collect(),
            lengths: [raw.len() as u32, raw.trim_ascii().len() as u32],
            score: (score, states_order),
            verdict: game.verdict().map(|verdict| outcome_number(verdict.outcome)),
        }
    }

    /// Whether a stored score, of a source that writes in this order, is the one of the text.
    pub(super) fn is_score(&self, stored: Option<i8>, order: ResultOrder) -> bool {
        let sign = if order == ResultOrder::BlackFirst { 1 } else { -1 };
        let (score, by_color) = self.score;
        score == if by_color { stored.map(|score| score * sign) } else { stored }
    }
}

/// A hash of the tags of the roster in its order, of the others and of the result.
pub(super) fn hash_of_tags<'t>(
    roster: impl Iterator<Item = Option<&'t str>>,
    others: impl Iterator<Item = (&'t str, &'t str)>,
    result: Option<&str>,
) -> u32 {
    let mut hasher = DefaultHasher::new();
    roster.for_each(|tag| tag.hash(&mut hasher));
    others.for_each(|tag| tag.hash(&mut hasher));
    result.hash(&mut hasher);
    hasher.finish() as u32
}

/// A hash of what a game is beside its tags and moves.
pub(super) fn hash_of_head(kind: u8, label: Option<&str>, verdict: Option<&str>, status: u8, line: u32) -> u32 {
    let mut hasher = DefaultHasher::new();
    (kind, label, verdict, status, line).hash(&mut hasher);
    hasher.finish() as u32
}

/// A hash of a variation that leaves line `leaves` of its game: 0 the main line, then the variations in their order.
pub(super) fn hash_of_branch(leaves: u32, ply: Option<u32>, label: Option<&str>, notes: u32) -> u32 {
    let mut hasher = DefaultHasher::new();
    (leaves, ply, label, notes).hash(&mut hasher);
    hasher.finish() as u32
}

/// The notes of a game as the database keeps them, in the order of their plies.
fn by_ply(notes: &[Note]) -> Vec<&Note> {
    let mut notes: Vec<&Note> = notes.iter().collect();
    notes.sort_by_key(|note| note.ply);
    notes
}

/// A hash of notes in the order of their plies. What an asterisk means may have been said at the import (`--asterisk`).
pub(super) fn hash_of_notes(notes: &[Note]) -> u32 {
    let mut hasher = DefaultHasher::new();
    for Note { ply, kind } in by_ply(notes) {
        match (kind.name(), &*kind.value()) {
            ("mark", "losing" | "star") | ("comment", "*") => (ply, "asterisk").hash(&mut hasher),
            (name, value) => (ply, name, value).hash(&mut hasher),
        }
    }
    hasher.finish() as u32
}

const fn score_number(score: WrittenScore) -> i8 {
    match score {
        WrittenScore::First => 1,
        WrittenScore::Equal => 0,
        WrittenScore::Second => -1,
    }
}

/// A winner by colour as it is stored.
pub(super) const fn outcome_number(outcome: Outcome) -> i8 {
    match outcome {
        Outcome::Won(Color::Black) => 1,
        Outcome::Draw => 0,
        Outcome::Won(Color::White) => -1,
    }
}
