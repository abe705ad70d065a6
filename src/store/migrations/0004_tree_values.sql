-- Why: what all stored verdicts together imply of positions, for libraries too large to work it out at every question.

-- Grows with every change to what these values are worked out from, so that a stale one is known without anybody having to
-- remember: play comes and goes with its segments of the index, proofs with their certificates, winners with a source's order.
CREATE TABLE revision (number INTEGER NOT NULL) STRICT;
INSERT INTO revision VALUES (0);
CREATE TRIGGER revision_segment_added AFTER INSERT ON segment BEGIN UPDATE revision SET number = number + 1; END;
CREATE TRIGGER revision_segment_gone AFTER DELETE ON segment BEGIN UPDATE revision SET number = number + 1; END;
CREATE TRIGGER revision_certificate_added AFTER INSERT ON certificate BEGIN UPDATE revision SET number = number + 1; END;
CREATE TRIGGER revision_certificate_gone AFTER DELETE ON certificate BEGIN UPDATE revision SET number = number + 1; END;
CREATE TRIGGER revision_order AFTER UPDATE OF result_order ON source BEGIN UPDATE revision SET number = number + 1; END;
CREATE TRIGGER revision_verdict AFTER UPDATE OF verdict, score, decided, moves ON line
BEGIN UPDATE revision SET number = number + 1; END;

-- When and how the values of `tree_value` were worked out; no row where they were not.
CREATE TABLE tree_state (
    revision INTEGER NOT NULL,
    method   INTEGER NOT NULL,                     -- of the program that did it
    pieces   INTEGER NOT NULL                      -- of the endgame databases that were there
) STRICT;

CREATE TABLE tree_value (
    key     BLOB    PRIMARY KEY,                   -- of a stored position, see rules/key.rs
    value   INTEGER NOT NULL CHECK (value BETWEEN -1 AND 1),     -- for the side to move: 1 won, 0 drawn, -1 lost
    witness INTEGER NOT NULL CHECK (witness BETWEEN 0 AND 1)     -- 0 tree, 1 proved
) STRICT, WITHOUT ROWID;
