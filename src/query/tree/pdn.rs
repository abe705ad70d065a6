//! A tree of play as one PDN game: the most played moves as its line, the others as variations.
//!
//! PDN has no place where lines meet. A position is written out where it is reached first; where it is reached again stands
//! `= line above` with the number that its first place bears. So each position is expanded once and cycles end.

use crate::board::{Color, Move};
use crate::game::{LineKind, move_text};
use crate::notation::fen;
use crate::notation::pdn::{self, PdnDocument, PdnEvent};
use crate::rules::Position;

use super::{PlayTree, counts};

/// What is to be written next.
enum WriteStep {
    /// The move at this index of this node.
    Edge(u32, usize),
    /// What follows that move.
    Behind(u32, usize),
    Open,
    Close,
}

/// A part of the text; comments by their index.
enum TextPart {
    Move(String, Color),
    Comment(usize),
    Open,
    Close,
}

struct Writing<'a> {
    tree: &'a PlayTree,
    /// The move by which each position was reached first.
    claims: Vec<Option<(u32, usize)>>,
    /// Whether several moves lead to a position, so that its first place needs a number.
    met: Vec<bool>,
    numbers: Vec<u32>,
    last_number: u32,
    parts: Vec<TextPart>,
    comments: Vec<String>,
}

/// The tree as one PDN game of a kind that counts in no statistics. `lead` are the moves from `start` to its root.
#[must_use]
pub fn tree_pdn(tree: &PlayTree, start: &Position, lead: &[Move]) -> String {
    let mut arrivals = vec![0_u32; tree.nodes.len()];
    for edge in tree.nodes.iter().flat_map(|node| &node.edges) {
        arrivals[edge.to as usize] += 1;
    }
    // The root is reached without a move.
    arrivals[0] += 1;
    let mut writing = Writing {
        tree,
        claims: vec![None; tree.nodes.len()],
        met: arrivals.iter().map(|&count| count > 1).collect(),
        numbers: vec![0; tree.nodes.len()],
        last_number: 0,
        parts: Vec::new(),
        comments: Vec::new(),
    };
    for (position, played) in start.along(lead).zip(lead) {
        writing.parts.push(TextPart::Move(move_text(&position, played), position.turn()));
    }
    let legend = "; counts: won by Black-drawn-won by White";
    let root = writing.position_label(0) + &counts(&tree.here) + legend;
    writing.comment(root);
    writing.run();
    write(start, &writing)
}

impl Writing<'_> {
    fn run(&mut self) {
        let mut steps = Vec::new();
        push_moves(&mut steps, 0, self.tree.nodes[0].edges.len());
        while let Some(step) = steps.pop() {
            match step {
                WriteStep::Open => self.parts.push(TextPart::Open),
                WriteStep::Close => self.parts.push(TextPart::Close),
                WriteStep::Edge(from, at) => self.edge(from, at),
                WriteStep::Behind(from, at) => {
                    let to = self.tree.nodes[from as usize].edges[at].to;
                    // Only behind its first place, and never behind the root, which stands at the top.
                    if to != 0 && self.claims[to as usize] == Some((from, at)) {
                        push_moves(&mut steps, to, self.tree.nodes[to as usize].edges.len());
                    }
                }
            }
        }
    }

    fn edge(&mut self, from: u32, at: usize) {
        let node = &self.tree.nodes[from as usize];
        let edge = &node.edges[at];
        self.parts.push(TextPart::Move(edge.text.clone(), node.position.turn()));
        let to = edge.to as usize;
        if to == 0 || self.claims[to].is_some() {
            let number = self.numbers[to];
            self.comment(format!("{}; = line above, position {number}", counts(&edge.stats)));
            return;
        }
        self.claims[to] = Some((from, at));
        let text = self.position_label(to) + &counts(&edge.stats);
        self.comment(text);
    }

    /// The name of a position, and its number where it is needed.
    fn position_label(&mut self, node: usize) -> String {
        let mut text = String::new();
        if let Some(name) = &self.tree.nodes[node].opening {
            text = format!("{name}; ");
        }
        if self.met[node] {
            self.last_number += 1;
            self.numbers[node] = self.last_number;
            text += &format!("position {}; ", self.last_number);
        }
        text
    }

    fn comment(&mut self, text: String) {
        self.parts.push(TextPart::Comment(self.comments.len()));
        self.comments.push(text);
    }
}

/// The steps that write the moves of a node: the first, the others in its place, then what follows the first.
fn push_moves(steps: &mut Vec<WriteStep>, node: u32, count: usize) {
    if count == 0 {
        return;
    }
    steps.push(WriteStep::Behind(node, 0));
    for at in (1..count).rev() {
        steps.extend([WriteStep::Close, WriteStep::Behind(node, at), WriteStep::Edge(node, at), WriteStep::Open]);
    }
    steps.push(WriteStep::Edge(node, 0));
}

fn write(start: &Position, writing: &Writing<'_>) -> String {
    let game_type = start.variant().game_type().to_string();
    let fen = fen::write(&start.setup());
    let mut tags = vec![("Event", "Merged play"), ("Result", "*"), ("GameType", game_type.as_str())];
    if *start != Position::start(start.variant()) {
        tags.extend([("SetUp", "1"), ("FEN", fen.as_str())]);
    }
    tags.push((pdn::TAG_KIND, LineKind::Book.name()));
    let events = writing.parts.iter().map(|part| match part {
        TextPart::Move(text, color) => PdnEvent::Move { text: text.clone(), color: *color },
        TextPart::Comment(at) => PdnEvent::Comment(&writing.comments[*at]),
        TextPart::Open => PdnEvent::VariationStart,
        TextPart::Close => PdnEvent::VariationEnd,
    });
    pdn::write(&PdnDocument {
        tags,
        first_player: start.variant().first_to_move(),
        first_number: 1,
        events: events.collect(),
        terminator: "*",
    })
}
