//! Whole games as JSON, one after the other: an array with an object a line, or NDJSON.
//!
//! Variations stand in one flat list, each with the line it leaves and the ply it replaces, so that no depth of them can
//! overflow a reader.

use std::borrow::Cow;
use std::io;

use serde_json::{Map, Value as Json, json};

use crate::board::Color;
use crate::notation::NoteKind;
use crate::table::{Cell, Column};

/// A game to write.
#[derive(Clone, PartialEq, Debug)]
pub struct GameObject<'a> {
    /// Its columns, which become keys.
    pub columns: &'a [Column],
    /// Their values.
    pub values: &'a [Cell],
    /// The name its source gives it.
    pub label: Option<&'a str>,
    /// The PDN number of the game it is of.
    pub game_type: u8,
    /// The position it starts from, as a FEN.
    pub start: String,
    /// Names and values of its tags, in order.
    pub tags: &'a [(String, String)],
    /// The main line.
    pub main: LineObject<'a>,
    /// The variations: id, the line each leaves, the ply it replaces, label, moves.
    pub variations: Vec<(u32, u32, u32, Option<&'a str>, LineObject<'a>)>,
}

/// A line of moves to write.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LineObject<'a> {
    /// What is said before the first move.
    pub notes: NotesObject<'a>,
    /// The moves.
    pub moves: Vec<MoveObject<'a>>,
}

/// A move to write.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveObject<'a> {
    /// Its ply in its line, from 1.
    pub ply: u32,
    /// Who makes it.
    pub color: Color,
    /// Its text.
    pub text: &'a str,
    /// The position after it, as a FEN.
    pub fen: String,
    /// What is said of it.
    pub notes: NotesObject<'a>,
}

/// What is attached to one ply.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NotesObject<'a> {
    /// `losing`, `star`, `$1`.
    pub marks: Vec<Cow<'a, str>>,
    /// Comments.
    pub comments: Vec<Cow<'a, str>>,
    /// What the source has in its place.
    pub repairs: Vec<Cow<'a, str>>,
    /// The kind of each in the order of the source: `mark`, `repair`, `comment`.
    pub order: Vec<&'static str>,
}

impl<'a> NotesObject<'a> {
    /// Adds a note.
    pub fn add(&mut self, note: &'a NoteKind) {
        match note {
            NoteKind::Mark(_) => self.marks.push(note.value()),
            NoteKind::Repaired(_) => self.repairs.push(note.value()),
            NoteKind::Comment(_) => self.comments.push(note.value()),
        }
        self.order.push(note.name());
    }

    /// The order, where it is not the usual one.
    fn unusual_order(&self) -> Option<&[&'static str]> {
        let rank = |kind: &&str| ["mark", "repair", "comment"].iter().position(|known| known == kind);
        (!self.order.is_sorted_by_key(rank)).then_some(&self.order)
    }
}

/// Writes games as JSON, one after the other.
pub struct JsonGames<'a> {
    out: &'a mut dyn io::Write,
    lines: bool,
    any: bool,
}

impl std::fmt::Debug for JsonGames<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("JsonGames").field("lines", &self.lines).finish_non_exhaustive()
    }
}

impl<'a> JsonGames<'a> {
    /// Starts. With `lines` the output is NDJSON, else one array.
    pub fn new(lines: bool, out: &'a mut dyn io::Write) -> Self {
        Self { out, lines, any: false }
    }

    /// Writes one game.
    ///
    /// # Errors
    /// When the output fails.
    pub fn game(&mut self, game: &GameObject<'_>) -> io::Result<()> {
        if !self.lines {
            self.out.write_all(if self.any { b",\n  " } else { b"[\n  " })?;
        }
        self.any = true;
        serde_json::to_writer(&mut *self.out, &object(game))?;
        if self.lines { self.out.write_all(b"\n") } else { Ok(()) }
    }

    /// Ends the array.
    ///
    /// # Errors
    /// When the output fails.
    pub fn finish(self) -> io::Result<()> {
        match (self.lines, self.any) {
            (true, _) => Ok(()),
            (false, true) => self.out.write_all(b"\n]\n"),
            (false, false) => self.out.write_all(b"[]\n"),
        }
    }
}

fn object(game: &GameObject<'_>) -> Json {
    let cells = game.columns.iter().zip(game.values);
    let mut object: Map<String, Json> =
        cells.map(|(column, value)| (column.name.clone().into_owned(), super::json::json(value))).collect();
    object.insert("game_type".to_owned(), json!(game.game_type));
    object.insert("label".to_owned(), json!(game.label));
    object.insert("start".to_owned(), json!(game.start));
    let tags: Vec<Json> = game.tags.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
    object.insert("tags".to_owned(), Json::Array(tags));
    add_line(&mut object, &game.main);
    let variations = game.variations.iter().map(|(id, parent, ply, label, line)| {
        let mut variation = Map::new();
        variation.insert("id".to_owned(), json!(id));
        variation.insert("parent".to_owned(), json!(parent));
        variation.insert("ply".to_owned(), json!(ply));
        variation.insert("label".to_owned(), json!(label));
        add_line(&mut variation, line);
        Json::Object(variation)
    });
    object.insert("variations".to_owned(), Json::Array(variations.collect()));
    Json::Object(object)
}

fn add_line(object: &mut Map<String, Json>, line: &LineObject<'_>) {
    let moves = line.moves.iter().map(|played| {
        let mut object = Map::new();
        object.insert("ply".to_owned(), json!(played.ply));
        object.insert("side".to_owned(), json!(played.color.name()));
        object.insert("move".to_owned(), json!(played.text));
        object.insert("fen".to_owned(), json!(played.fen));
        object.insert("marks".to_owned(), json!(played.notes.marks));
        object.insert("comments".to_owned(), json!(played.notes.comments));
        object.insert("repairs".to_owned(), json!(played.notes.repairs));
        add_order(&mut object, &played.notes);
        Json::Object(object)
    });
    object.insert("comments".to_owned(), json!(line.notes.comments));
    // Hardly ever does anything but a comment stand before the first move.
    for (key, texts) in [("marks", &line.notes.marks), ("repairs", &line.notes.repairs)] {
        if !texts.is_empty() {
            object.insert(key.to_owned(), json!(texts));
        }
    }
    add_order(object, &line.notes);
    object.insert("moves".to_owned(), Json::Array(moves.collect()));
}

fn add_order(object: &mut Map<String, Json>, notes: &NotesObject<'_>) {
    if let Some(order) = notes.unusual_order() {
        object.insert("order".to_owned(), json!(order));
    }
}
