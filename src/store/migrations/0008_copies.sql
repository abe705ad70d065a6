-- Why: two sources of one game keep their own words. A row of `copy` is what one source has of a game: its tags, verdict, place,
-- raw text, notes and variations. The first copy of a line has the id of the line; further ones name that id in `same_as`, have
-- ids from 2147483648 (see FIRST_COPY_ID in store/rows.rs) and no entries in the position index. So it is with variations: two
-- sources that have a variation in the same place have two copies of one line.
DROP TRIGGER revision_verdict;
DROP VIEW games;
DROP VIEW losing_moves;
ALTER TABLE line RENAME TO copy;
ALTER TABLE copy ADD COLUMN same_as INTEGER REFERENCES copy;  -- the first copy of the line; NULL in that itself
ALTER TABLE copy ADD COLUMN branch INTEGER;         -- of a variation: its number in its game, from 0; NULL if older: by id
ALTER TABLE copy ADD COLUMN agreed INTEGER;         -- of the first copy: `decided` where all copies that have it agree
ALTER TABLE copy ADD COLUMN marked_ply INTEGER;     -- of the first copy: the first `losing_ply` of all copies
UPDATE copy SET agreed = decided, marked_ply = losing_ply WHERE decided IS NOT NULL OR losing_ply IS NOT NULL;
CREATE UNIQUE INDEX copy_same ON copy(same_as, source) WHERE same_as IS NOT NULL;
CREATE TRIGGER revision_verdict AFTER UPDATE OF verdict, score, decided, moves ON copy
BEGIN UPDATE revision SET number = number + 1; END;

-- Copies that an older version noted without their words; the next import, or check --repair, reads them from the raw text.
ALTER TABLE appearance RENAME TO unread_copy;

-- The last chunk of a source's text, which may belong to another source that begins in the same way.
ALTER TABLE source ADD COLUMN last_text INTEGER REFERENCES text;
UPDATE source SET last_text = (SELECT id FROM text WHERE text.source = source.id ORDER BY first_byte DESC, id DESC LIMIT 1);

-- Further names of a source: files of the same bytes.
CREATE TABLE source_name (
    source   INTEGER NOT NULL REFERENCES source,
    name     TEXT    NOT NULL,
    imported TEXT,                                 -- the day in UTC, YYYY-MM-DD
    PRIMARY KEY (source, name)
) STRICT, WITHOUT ROWID;

-- One row a line: its first copy. The parent of a variation is the line it leaves, not the copy.
CREATE VIEW line AS
SELECT id, source, kind, number,
       CASE WHEN parent >= 2147483648 THEN (SELECT leaves.same_as FROM copy AS leaves WHERE leaves.id = copy.parent)
            ELSE parent END AS parent,
       branch_ply, label, text, text_offset, text_length, file_line, event, site, date, round, black, white, tags, start,
       moves, plies, result, score, verdict, agreed AS decided, board, status, opening, ballot, marked_ply AS losing_ply,
       identity, ending
FROM copy WHERE id < 2147483648;

-- Notes by line, whichever copy has them.
CREATE VIEW line_note AS
SELECT CASE WHEN note.line >= 2147483648 THEN (SELECT same_as FROM copy WHERE copy.id = note.line)
            ELSE note.line END AS line, ply, kind, value,
       note.rowid AS number
FROM note;

-- As `games`, but a row a copy, with its line: what its source says of winner and losing move. Reading `same_as` costs more than
-- comparing ids, because it stands behind the moves.
CREATE VIEW copies AS
SELECT copy.id,
       CASE WHEN copy.id < 2147483648 THEN copy.id ELSE copy.same_as END AS line,
       CASE copy.kind WHEN 0 THEN 'game' WHEN 1 THEN 'book' WHEN 2 THEN 'variation' ELSE 'opening' END AS kind,
       source.name AS source,
       copy.file_line AS place,
       copy.event, copy.date, copy.black, copy.white, copy.result,
       CASE COALESCE(copy.score * CASE source.result_order WHEN 'black-first' THEN 1 ELSE -1 END, copy.decided)
           WHEN 1 THEN 'black' WHEN -1 THEN 'white' WHEN 0 THEN 'draw' ELSE 'unknown' END AS winner,
       copy.verdict,
       CASE WHEN copy.board IS NOT NULL
            THEN CASE WHEN coalesce(copy.score * CASE source.result_order WHEN 'black-first' THEN 1 ELSE -1 END,
                                    copy.decided, copy.board) = copy.board THEN 'proved'
                      ELSE 'contradicted' END
            WHEN copy.score IS NULL AND copy.verdict IS NULL THEN 'none'
            WHEN coalesce(copy.score * CASE source.result_order WHEN 'black-first' THEN 1 ELSE -1 END,
                          copy.decided) = copy.ending THEN 'proved'
            ELSE 'claimed' END AS result_check,
       copy.plies,
       CASE copy.status WHEN 0 THEN 'stored' ELSE 'partly' END AS status,
       opening_name.name AS opening,
       copy.ballot,
       coalesce(analysis.losing_ply, copy.losing_ply) AS losing_ply,
       coalesce(analysis.witness, CASE WHEN copy.losing_ply IS NULL THEN NULL ELSE 'source' END) AS witness,
       CASE copy.ending WHEN 1 THEN 'black' WHEN -1 THEN 'white' WHEN 0 THEN 'draw' END AS ending,
       copy.score, copy.agreed, copy.marked_ply
FROM copy
JOIN source ON source.id = copy.source
LEFT JOIN opening_name ON opening_name.id = copy.opening
LEFT JOIN analysis ON analysis.line = CASE WHEN copy.id < 2147483648 THEN copy.id ELSE copy.same_as END;

-- A row a line: the words of its first copy, and what all copies say of winner and losing move together. The strongest witness of
-- the losing move counts: proved, engine, source.
CREATE VIEW games AS
SELECT id, kind, source, place, event, date, black, white, result,
       CASE WHEN score IS NOT NULL THEN winner WHEN agreed = 1 THEN 'black' WHEN agreed = -1 THEN 'white'
            WHEN agreed = 0 THEN 'draw' ELSE 'unknown' END AS winner,
       verdict, result_check, plies, status, opening, ballot,
       CASE WHEN witness IN ('engine', 'proved') THEN losing_ply ELSE marked_ply END AS losing_ply,
       CASE WHEN witness IN ('engine', 'proved') THEN witness WHEN marked_ply IS NOT NULL THEN 'source' END AS witness,
       ending
FROM copies WHERE id < 2147483648;

-- A row a witness.
CREATE VIEW losing_moves AS
SELECT DISTINCT line AS game, ply, 'source' AS witness FROM line_note WHERE kind = 'mark' AND value = 'losing'
UNION ALL
SELECT line, CASE witness WHEN 'engine' THEN losing_ply ELSE engine_ply END, 'engine' FROM analysis
WHERE engine_ply IS NOT NULL OR witness = 'engine'
UNION ALL
SELECT line, losing_ply, 'proved' FROM analysis WHERE witness = 'proved';
