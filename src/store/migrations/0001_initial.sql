-- Why: the first schema. A line is any stored play (game, book, variation, opening); squares and moves are stored as
-- squares, never as indexes into a generated list, so that no later generator can change what a row means.

-- Where play came from. Turning a source's scores round (black-first to white-first) is one row here: winners are derived.
CREATE TABLE source (
    id           INTEGER PRIMARY KEY,
    name         TEXT    NOT NULL,
    form         TEXT    NOT NULL,
    variant      INTEGER NOT NULL,                 -- PDN GameType number
    result_order TEXT    NOT NULL CHECK (result_order IN ('black-first', 'white-first')),
    complete     INTEGER NOT NULL DEFAULT 0,       -- 1 once its whole text was read
    read         INTEGER NOT NULL DEFAULT 0,
    stored       INTEGER NOT NULL DEFAULT 0,
    partly       INTEGER NOT NULL DEFAULT 0,
    refused      INTEGER NOT NULL DEFAULT 0,
    duplicates   INTEGER NOT NULL DEFAULT 0
) STRICT;

-- The raw text of each source, compressed in chunks of whole games. The digest covers the source's text up to and including
-- the chunk: the same digest again means that all of it is held already. That is how an import goes on after a kill.
CREATE TABLE text (
    id         INTEGER PRIMARY KEY,
    source     INTEGER NOT NULL REFERENCES source,
    first_byte INTEGER NOT NULL,
    first_line INTEGER NOT NULL,                   -- line of the file, from 1
    games      INTEGER NOT NULL,                   -- games read from it, refused ones too
    refused    INTEGER NOT NULL,
    length     INTEGER NOT NULL,                   -- bytes, uncompressed
    digest     BLOB    NOT NULL UNIQUE,
    zstd       BLOB    NOT NULL
) STRICT;

CREATE TABLE opening_name (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE line (
    id           INTEGER PRIMARY KEY,
    source       INTEGER NOT NULL REFERENCES source,
    kind         INTEGER NOT NULL,                 -- 0 game, 1 book, 2 variation, 3 opening
    number       INTEGER NOT NULL,                 -- of the game in its source, from 1
    parent       INTEGER REFERENCES line,          -- the line a variation leaves
    branch_ply   INTEGER,                          -- and the ply of it that it replaces, from 1
    label        TEXT,
    text         INTEGER NOT NULL REFERENCES text, -- where its raw text is
    text_offset  INTEGER NOT NULL,                 -- bytes into that chunk
    text_length  INTEGER NOT NULL,
    file_line    INTEGER NOT NULL,                 -- line of the file, from 1
    event        TEXT,
    site         TEXT,
    date         TEXT,
    round        TEXT,
    black        TEXT,
    white        TEXT,
    tags         TEXT,                             -- the other tags, JSON: [[name, value], ...]
    start        BLOB,                             -- key of its own start; NULL for the variant's start
    moves        BLOB    NOT NULL,                 -- see store/codec.rs
    plies        INTEGER NOT NULL,
    result       TEXT,                             -- as written
    score        INTEGER,                          -- 1 the first score is greater, -1 the second, 0 equal, NULL not told
    verdict      TEXT,                             -- the book's word, as printed
    decided      INTEGER,                          -- winner by colour, where word or board tells it: 1 black, -1 white, 0 draw
    board        INTEGER,                          -- winner by colour that the final position proves; NULL where it is open
    status       INTEGER NOT NULL,                 -- 0 stored, 1 partly
    opening      INTEGER REFERENCES opening_name,
    ballot       INTEGER,
    losing_ply   INTEGER,                          -- the ply the source marks as the losing move
    identity     INTEGER                           -- hash that finds candidates for duplicates; a hit is always compared
) STRICT;
-- Queries say IS NOT NULL, too: otherwise SQLite plans them anew for each value, to see whether a partial index applies.
CREATE INDEX line_identity ON line(identity) WHERE identity IS NOT NULL;
CREATE INDEX line_parent ON line(parent) WHERE parent IS NOT NULL;

-- An exact copy of a line that another source has too: linked, not counted again.
CREATE TABLE appearance (
    line      INTEGER NOT NULL REFERENCES line,
    source    INTEGER NOT NULL REFERENCES source,
    number    INTEGER NOT NULL,
    file_line INTEGER NOT NULL,
    PRIMARY KEY (line, source, number)
) STRICT, WITHOUT ROWID;

-- Comments, marks and repairs by ply.
CREATE TABLE note (
    line  INTEGER NOT NULL REFERENCES line,
    ply   INTEGER NOT NULL,                        -- 0 before the first move
    kind  TEXT    NOT NULL CHECK (kind IN ('comment', 'mark', 'repair')),
    value TEXT    NOT NULL
) STRICT;
CREATE INDEX note_line ON note(line);

-- What was refused or cut short, and why.
CREATE TABLE finding (
    source    INTEGER NOT NULL REFERENCES source,
    number    INTEGER NOT NULL,
    file_line INTEGER NOT NULL,
    ply       INTEGER NOT NULL,
    code      TEXT    NOT NULL,
    found     TEXT    NOT NULL,
    expected  TEXT    NOT NULL
) STRICT;

-- Three bytes a line that statistics need, for each run of lines written together: see store/facts.rs.
CREATE TABLE facts (
    first_line INTEGER PRIMARY KEY,
    source     INTEGER NOT NULL REFERENCES source,
    data       BLOB    NOT NULL
) STRICT;

-- The position index: append-only segments of sorted, prefix-coded, compressed blocks: see store/index.
CREATE TABLE segment (
    id       INTEGER PRIMARY KEY,
    postings INTEGER NOT NULL,
    keys     INTEGER NOT NULL
) STRICT;
CREATE TABLE block (
    id        INTEGER PRIMARY KEY,
    segment   INTEGER NOT NULL REFERENCES segment,
    first_key BLOB    NOT NULL,
    data      BLOB    NOT NULL
) STRICT;
CREATE INDEX block_key ON block(segment, first_key);

CREATE VIEW sources AS
SELECT id, name, form, result_order, complete, read, stored, partly, refused, duplicates FROM source;

CREATE VIEW games AS
SELECT line.id,
       CASE line.kind WHEN 0 THEN 'game' WHEN 1 THEN 'book' WHEN 2 THEN 'variation' ELSE 'opening' END AS kind,
       source.name AS source,
       line.file_line AS place,
       line.event, line.date, line.black, line.white, line.result,
       CASE COALESCE(line.score * CASE source.result_order WHEN 'black-first' THEN 1 ELSE -1 END, line.decided)
           WHEN 1 THEN 'black' WHEN -1 THEN 'white' WHEN 0 THEN 'draw' ELSE 'unknown' END AS winner,
       line.verdict,
       CASE WHEN line.board IS NULL
            THEN CASE WHEN line.score IS NULL AND line.verdict IS NULL THEN 'none' ELSE 'claimed' END
            WHEN coalesce(line.score * CASE source.result_order WHEN 'black-first' THEN 1 ELSE -1 END,
                          line.decided, line.board) = line.board THEN 'proved'
            ELSE 'contradicted' END AS result_check,
       line.plies,
       CASE line.status WHEN 0 THEN 'stored' ELSE 'partly' END AS status,
       opening_name.name AS opening,
       line.ballot,
       line.losing_ply,
       CASE WHEN line.losing_ply IS NULL THEN NULL ELSE 'source' END AS witness
FROM line
JOIN source ON source.id = line.source
LEFT JOIN opening_name ON opening_name.id = line.opening;

-- A row a witness: so far only the source's own marks.
CREATE VIEW losing_moves AS
SELECT line AS game, ply, 'source' AS witness FROM note WHERE kind = 'mark' AND value = 'losing';
