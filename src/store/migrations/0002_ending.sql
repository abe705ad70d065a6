-- Why: what the endgame databases of the program know of a final position that the board leaves open. A result that says the
-- same is proved; one that does not stays claimed, for players do resign won games. Lines stored before have NULL.
ALTER TABLE line ADD COLUMN ending INTEGER;         -- winner by colour with best play: 1 black, -1 white, 0 draw

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
       line.losing_ply,
       CASE WHEN line.losing_ply IS NULL THEN NULL ELSE 'source' END AS witness,
       CASE line.ending WHEN 1 THEN 'black' WHEN -1 THEN 'white' WHEN 0 THEN 'draw' END AS ending
FROM line
JOIN source ON source.id = line.source
LEFT JOIN opening_name ON opening_name.id = line.opening;
