-- Why: every table of the program says win, draw and loss, and so do stored values. What a source says stays as it is.
-- The table is made anew because a CHECK cannot be changed; its columns are those of migration 3.
DROP VIEW swings;
ALTER TABLE swing RENAME TO swing_before_5;
CREATE TABLE swing (
    line               INTEGER NOT NULL REFERENCES analysis,
    ply                INTEGER NOT NULL,           -- from 1
    is_swing           INTEGER NOT NULL,           -- 0 for a marked move that changed nothing
    is_losing          INTEGER NOT NULL,           -- 1 for the losing move of the line
    witness            TEXT    NOT NULL CHECK (witness IN ('engine', 'proved')),
    before             TEXT    NOT NULL CHECK (before IN ('win', 'draw', 'loss', 'not-loss', 'not-win')),
    before_witness     TEXT    NOT NULL CHECK (before_witness IN ('engine', 'proved')),
    before_score       INTEGER,                    -- hundredths of a man
    after              TEXT    NOT NULL CHECK (after IN ('win', 'draw', 'loss', 'not-loss', 'not-win')),
    after_witness      TEXT    NOT NULL CHECK (after_witness IN ('engine', 'proved')),
    after_score        INTEGER,
    better             TEXT,                       -- the best play instead, from the position before
    refutation         TEXT,                       -- the best play against it, from the position after
    distance           INTEGER,                    -- plies to the end after it, where they were seen
    before_certificate TEXT,
    certificate        TEXT,                       -- of what is said after it
    mark               TEXT,                       -- how the source's mark of a losing move compares
    PRIMARY KEY (line, ply)
) STRICT, WITHOUT ROWID;
INSERT INTO swing
SELECT line, ply, is_swing, is_losing, witness,
       CASE before WHEN 'won' THEN 'win' WHEN 'drawn' THEN 'draw' WHEN 'lost' THEN 'loss'
                   WHEN 'not lost' THEN 'not-loss' ELSE 'not-win' END,
       before_witness, before_score,
       CASE after WHEN 'won' THEN 'win' WHEN 'drawn' THEN 'draw' WHEN 'lost' THEN 'loss'
                  WHEN 'not lost' THEN 'not-loss' ELSE 'not-win' END,
       after_witness, after_score, better, refutation, distance, before_certificate, certificate, mark
FROM swing_before_5;
DROP TABLE swing_before_5;

-- As in migration 3.
CREATE VIEW swings AS
SELECT line AS game, ply, is_losing AS losing, witness, before, before_witness, before_score, after, after_witness,
       after_score, better, refutation, distance, certificate
FROM swing WHERE is_swing;
