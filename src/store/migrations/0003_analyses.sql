-- Why: what the program itself found out about lines: which move loses, what should have been played, and how that is known.

-- One analysis a line, by limits that repeat.
CREATE TABLE analysis (
    line        INTEGER PRIMARY KEY REFERENCES line,
    maker       TEXT    NOT NULL,
    version     TEXT    NOT NULL,
    nodes       INTEGER NOT NULL,                  -- positions a search may look at
    depth       INTEGER NOT NULL,                  -- its last iteration, in plies
    proof_nodes INTEGER NOT NULL,                  -- positions an attempt to prove something may look at
    pieces      INTEGER NOT NULL,                  -- of the endgame databases that were there
    plies       INTEGER NOT NULL,                  -- of the line
    loser       TEXT CHECK (loser IN ('black', 'white')),
    losing_ply  INTEGER,                           -- the losing move by all that is known
    witness     TEXT CHECK (witness IN ('engine', 'proved')),
    engine_ply  INTEGER,                           -- the losing move by scores alone
    proved_ply  INTEGER,                           -- the first move after which the loser's position is proved lost
    proof       TEXT,                              -- the certificate of that, where a database does not say it
    note        TEXT                               -- where result and proof contradict one another
) STRICT;

-- The moves that changed what the position was worth, and those that the source marks. Values are those of the side that
-- moved; the row's witness is the weaker of the two.
CREATE TABLE swing (
    line               INTEGER NOT NULL REFERENCES analysis,
    ply                INTEGER NOT NULL,           -- from 1
    is_swing           INTEGER NOT NULL,           -- 0 for a marked move that changed nothing
    is_losing          INTEGER NOT NULL,           -- 1 for the losing move of the line
    witness            TEXT    NOT NULL CHECK (witness IN ('engine', 'proved')),
    before             TEXT    NOT NULL CHECK (before IN ('won', 'drawn', 'lost', 'not lost', 'not won')),
    before_witness     TEXT    NOT NULL CHECK (before_witness IN ('engine', 'proved')),
    before_score       INTEGER,                    -- hundredths of a man
    after              TEXT    NOT NULL CHECK (after IN ('won', 'drawn', 'lost', 'not lost', 'not won')),
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

-- Proofs, each gone through by the checker before it came here; named by their own digest.
CREATE TABLE certificate (
    digest    TEXT    PRIMARY KEY,
    key       BLOB    NOT NULL,                    -- of the position, see rules/key.rs
    claim     TEXT    NOT NULL CHECK (claim IN ('win', 'loss', 'not-loss', 'not-win')),
    endings   INTEGER NOT NULL,                    -- positions of so many pieces and fewer are left to a database
    positions INTEGER NOT NULL,                    -- that have a move in it
    length    INTEGER NOT NULL,                    -- bytes, uncompressed
    zstd      BLOB    NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX certificate_key ON certificate(key, claim);

DROP VIEW games;
CREATE VIEW games AS
SELECT line.id,
       CASE line.kind WHEN 0 THEN 'game' WHEN 1 THEN 'book' WHEN 2 THEN 'variation' ELSE 'opening' END AS kind,
       source.name AS source,
       line.file_line AS place,
       line.event, line.date, line.black, line.white, line.result,
       CASE COALESCE(line.score * CASE source.result_order WHEN 'black-first' THEN 1 ELSE -1 END, line.decided)
           WHEN 1 THEN 'black' WHEN -1 THEN 'white' WHEN 0 THEN 'draw' ELSE 'unknown' END AS winner,
       line.verdict,
       CASE WHEN line.board IS NOT NULL
            THEN CASE WHEN coalesce(line.score * CASE source.result_order WHEN 'black-first' THEN 1 ELSE -1 END,
                                    line.decided, line.board) = line.board THEN 'proved'
                      ELSE 'contradicted' END
            WHEN line.score IS NULL AND line.verdict IS NULL THEN 'none'
            WHEN coalesce(line.score * CASE source.result_order WHEN 'black-first' THEN 1 ELSE -1 END,
                          line.decided) = line.ending THEN 'proved'
            ELSE 'claimed' END AS result_check,
       line.plies,
       CASE line.status WHEN 0 THEN 'stored' ELSE 'partly' END AS status,
       opening_name.name AS opening,
       line.ballot,
       -- The strongest witness: proved, engine, source.
       coalesce(analysis.losing_ply, line.losing_ply) AS losing_ply,
       coalesce(analysis.witness, CASE WHEN line.losing_ply IS NULL THEN NULL ELSE 'source' END) AS witness,
       CASE line.ending WHEN 1 THEN 'black' WHEN -1 THEN 'white' WHEN 0 THEN 'draw' END AS ending
FROM line
JOIN source ON source.id = line.source
LEFT JOIN opening_name ON opening_name.id = line.opening
LEFT JOIN analysis ON analysis.line = line.id;

-- A row a witness.
DROP VIEW losing_moves;
CREATE VIEW losing_moves AS
SELECT line AS game, ply, 'source' AS witness FROM note WHERE kind = 'mark' AND value = 'losing'
UNION ALL
SELECT line, CASE witness WHEN 'engine' THEN losing_ply ELSE engine_ply END, 'engine' FROM analysis
WHERE engine_ply IS NOT NULL OR witness = 'engine'
UNION ALL
SELECT line, losing_ply, 'proved' FROM analysis WHERE witness = 'proved';

-- Every move that changed what its position was worth.
CREATE VIEW swings AS
SELECT line AS game, ply, is_losing AS losing, witness, before, before_witness, before_score, after, after_witness,
       after_score, better, refutation, distance, certificate
FROM swing WHERE is_swing;
