//! Stored lines as strict PDN 3.0, in which nothing is lost that an import would want back.
//!
//! Results are written in the variant's order and with the signs of the standard; what the source wrote stands in a tag of its
//! own where it differs. What PDN has no words for (kinds, labels, marks that are no glyphs) is carried as
//! [`Carried`](crate::notation::pdn::Carried) says.

use std::collections::HashMap;

use crate::board::ResultOrder;
use crate::game::{Note, WrittenScore};
use crate::notation::pdn::{self, Carried, PARTLY_STATUS, PdnDocument, PdnEvent};
use crate::notation::{LineKind, Mark, NoteKind, fen};
use crate::rules::Position;

use super::record::{BranchView, GameRecord};
use super::show::LineView;

/// Results of PDN 3.0, each with the one that says the same with the scores turned round.
const RESULT_TEXTS: [(&str, &str); 8] = [
    ("1-0", "0-1"),
    ("0-1", "1-0"),
    ("1/2-1/2", "1/2-1/2"),
    ("2-0", "0-2"),
    ("0-2", "2-0"),
    ("1-1", "1-1"),
    ("0-0", "0-0"),
    ("*", "*"),
];

/// The line with its variations as one PDN game.
#[must_use]
pub fn pdn(record: &GameRecord) -> String {
    let result = result(record);
    let texts = Texts::new(record);
    let tags = tags(record, result);
    pdn::write(&PdnDocument {
        tags: tags.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect(),
        first_player: record.variant.first_to_move(),
        first_number: 1,
        events: texts.events(record),
        terminator: result,
    })
}

fn tags(record: &GameRecord, result: &str) -> Vec<(String, String)> {
    let is = |wanted: &'static str| move |(name, _): &(String, String)| name.eq_ignore_ascii_case(wanted);
    let own = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let game_type = record.variant.game_type().to_string();
    let start = &record.main.line.start;
    let mut tags = record.tags.clone();
    // Behind the roster, as an import puts all tags that are not of it.
    let roster = ["Event", "Site", "Date", "Round", "Black", "White"];
    let behind = tags.iter().take_while(|(name, _)| roster.contains(&name.as_str())).count();
    match tags.iter().position(is("GameType")) {
        None => tags.insert(behind, own("GameType", &game_type)),
        Some(at) => {
            // A longer description of the same game stays: `21,B,8,8,A1,0`.
            let digits = tags[at].1.trim().split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
            if digits != game_type {
                tags[at].1 = game_type;
            }
        }
    }
    tags.insert(behind, own("Result", result));
    if *start != Position::start(record.variant) || tags.iter().any(is("FEN")) {
        let text = fen::write(&start.setup());
        match tags.iter_mut().find(|tag| is("FEN")(tag)) {
            Some(tag) => tag.1 = text,
            None => tags.push(own("FEN", &text)),
        }
        match tags.iter_mut().find(|tag| is("SetUp")(tag)) {
            Some(tag) => "1".clone_into(&mut tag.1),
            None => {
                let before = tags.iter().position(is("FEN")).unwrap_or(tags.len());
                tags.insert(before, own("SetUp", "1"));
            }
        }
    }
    if matches!(record.kind, LineKind::Book | LineKind::Opening) {
        tags.push(own(pdn::TAG_KIND, record.kind.name()));
    }
    if let Some(label) = &record.label {
        tags.push(own(pdn::TAG_NAME, label));
    }
    if let Some(verdict) = &record.verdict {
        tags.push(own(pdn::TAG_VERDICT, verdict));
    }
    if record.partly {
        tags.push(own(pdn::TAG_STATUS, PARTLY_STATUS));
    }
    if WrittenScore::read(result).is_some_and(|score| score != WrittenScore::Equal) {
        tags.push(own(pdn::TAG_ORDER, record.variant.result_order().name()));
    }
    if record.result.as_deref() != Some(result) {
        tags.push(own(pdn::TAG_RESULT, record.result.as_deref().unwrap_or_default()));
    }
    tags
}

/// The result in the variant's order: the text that the source wrote, perhaps turned round, where it says the same as the score
/// that came with it; else a text that does.
fn result(record: &GameRecord) -> &'static str {
    let order = record.variant.result_order();
    if let Some((same, turned)) = RESULT_TEXTS.iter().find(|(text, _)| Some(*text) == record.result.as_deref()) {
        let says = WrittenScore::read(same);
        // A text that was turned when it was exported says the other score than the one that came with it.
        let turned_once = says != record.score;
        let agrees = match (says, record.score) {
            // Objects of JSON may bring a text and a winner that contradict one another.
            (Some(text), Some(score)) => (text == WrittenScore::Equal) == (score == WrittenScore::Equal),
            // A book may say who won without a score: then the Result tag has to say it, or the verdict would not be believed.
            (None, None) => record.verdict.is_none(),
            _ => false,
        };
        if agrees {
            return if (record.order == order) == turned_once { turned } else { same };
        }
    }
    match (record.score, record.decided.filter(|_| record.verdict.is_some())) {
        (Some(WrittenScore::Equal), _) | (None, Some(0)) => "1/2-1/2",
        (Some(score), _) => {
            if (score == WrittenScore::First) == (record.order == order) {
                "1-0"
            } else {
                "0-1"
            }
        }
        (None, Some(winner)) => {
            if (winner > 0) == (order == ResultOrder::BlackFirst) {
                "1-0"
            } else {
                "0-1"
            }
        }
        (None, None) => "*",
    }
}

/// The ply of a note, and its glyph, or its text where it is none.
type PlyNote = (u32, Result<u8, String>);

/// The notes of every line as comments carry them, so that events can borrow them.
struct Texts {
    /// By line: the ply of each note, and its glyph or text.
    notes: HashMap<u32, Vec<PlyNote>>,
    /// By line: what stands at the start of a variation.
    heads: HashMap<u32, Vec<String>>,
}

/// A line that is being written.
struct OpenLine<'a> {
    view: &'a LineView,
    /// Plies written.
    ply: u32,
    /// Notes written.
    notes: usize,
    /// Branches written.
    branches: usize,
}

impl Texts {
    fn new(record: &GameRecord) -> Self {
        let lines: HashMap<u32, &LineView> = views(record).map(|view| (view.line.id, view)).collect();
        let notes = views(record).map(|view| (view.line.id, notes(view))).collect();
        let head = |branch: &BranchView| {
            let mut head: Vec<String> =
                branch.label.clone().map(|label| Carried::Label(label).text()).into_iter().collect();
            // Behind a line that was cut short there is no move to stand in the place of.
            let written = lines.get(&branch.parent).map_or(0, |parent| parent.line.moves.len() as u32);
            // And a variation without moves is nothing that the standard knows, unless something is said in it.
            if branch.ply > written.max(1) || branch.line.texts.is_empty() {
                head.push(Carried::Ply(branch.ply).text());
            }
            (branch.line.line.id, head)
        };
        Self { notes, heads: record.branches.iter().map(head).collect() }
    }

    fn events<'a>(&'a self, record: &'a GameRecord) -> Vec<PdnEvent<'a>> {
        let mut children: HashMap<u32, Vec<&BranchView>> = HashMap::new();
        for branch in &record.branches {
            children.entry(branch.parent).or_default().push(branch);
        }
        let mut events = Vec::with_capacity(record.main.texts.len() + record.main.notes.len());
        let mut open = vec![OpenLine { view: &record.main, ply: 0, notes: 0, branches: 0 }];
        while let Some(line) = open.last_mut() {
            let id = line.view.line.id;
            let notes = self.notes.get(&id).map(Vec::as_slice).unwrap_or_default();
            while let Some((_, text)) = notes.get(line.notes).filter(|(ply, _)| *ply <= line.ply) {
                line.notes += 1;
                events.push(match text {
                    Ok(nag) => PdnEvent::Nag(*nag),
                    Err(text) => PdnEvent::Comment(text),
                });
            }
            let at_end = line.ply as usize >= line.view.texts.len();
            let next = children.get(&id).and_then(|branches| branches.get(line.branches));
            if let Some(branch) = next.filter(|branch| at_end || (line.ply > 0 && branch.ply <= line.ply)) {
                line.branches += 1;
                events.push(PdnEvent::VariationStart);
                let heads = self.heads.get(&branch.line.line.id).into_iter().flatten();
                events.extend(heads.map(|text| PdnEvent::Comment(text)));
                open.push(OpenLine { view: &branch.line, ply: 0, notes: 0, branches: 0 });
            } else if let Some(text) = line.view.texts.get(line.ply as usize) {
                line.ply += 1;
                events.push(PdnEvent::Move { text: text.clone(), color: line.view.color_at(line.ply) });
            } else {
                open.pop();
                if !open.is_empty() {
                    events.push(PdnEvent::VariationEnd);
                }
            }
        }
        events
    }
}

fn views(record: &GameRecord) -> impl Iterator<Item = &LineView> {
    std::iter::once(&record.main).chain(record.branches.iter().map(|branch| &branch.line))
}

/// A note as a glyph, or as the text of a comment.
fn note(note: &Note) -> PlyNote {
    match note.kind {
        NoteKind::Mark(Mark::Nag(number)) => (note.ply, Ok(number)),
        _ => (note.ply, Err(Carried::Note(note.kind.clone()).text())),
    }
}

/// The notes of a line in their order: at each ply the source's, then what our own analysis found.
fn notes(view: &LineView) -> Vec<PlyNote> {
    let mut notes: Vec<PlyNote> = view.notes.iter().map(note).collect();
    for (ply, text) in &view.found {
        let at = notes.partition_point(|(other, _)| other <= ply);
        notes.insert(at, (*ply, Err(format!("{}{text}", pdn::ANNOTATION_PREFIX))));
    }
    notes
}
