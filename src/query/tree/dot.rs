//! A tree of play as a graph for Graphviz: a node a position, so that transpositions meet, and an edge a move.

use std::fmt::Write as _;

use crate::notation::fen;

use super::{PlayTree, counts};

/// The tree in the DOT language. Named positions bear their names, the root its games; every position has its FEN as a tooltip.
#[must_use]
pub fn tree_dot(tree: &PlayTree) -> String {
    let mut text = String::from(
        "digraph play {\n  rankdir=LR;\n  node [shape=box, style=rounded, fontname=\"Helvetica\"];\n  \
         edge [fontname=\"Helvetica\", fontsize=11];\n",
    );
    for (id, node) in tree.nodes.iter().enumerate() {
        let mut lines = Vec::new();
        lines.extend(node.opening.clone());
        if id == 0 {
            lines.push(counts(&tree.here));
        }
        if lines.is_empty() {
            lines.push(format!("{} to move", node.position.turn()));
        }
        let (label, tooltip) = (quoted(&lines.join("\n")), quoted(&fen::write(&node.position.setup())));
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "  n{id} [label={label}, tooltip={tooltip}];");
    }
    for (id, node) in tree.nodes.iter().enumerate() {
        for edge in &node.edges {
            let label = quoted(&format!("{}\n{}", edge.text, counts(&edge.stats)));
            let _ = writeln!(text, "  n{id} -> n{} [label={label}];", edge.to);
        }
    }
    text.push_str("}\n");
    text
}

/// A text as a string of the DOT language. A backslash is doubled, for Graphviz reads `\N` and the like in labels as its own
/// escapes; line ends become such an escape.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            c if c.is_control() => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn no_name_ends_a_label() {
        assert_eq!(quoted("a \"b\" \\N\nc\td\\"), r#""a \"b\" \\N\nc d\\""#);
    }
}
