//! `check` of copies: that each is of the line it is said to be, and that lines say what their copies say together.

use rusqlite::ToSql;

use super::inspect::{DatabasePart, Inspection};
use super::rows::FIRST_COPY_ID;
use super::{Database, StoreError};

/// Copies that are not of the line they name, by their ids.
const STRANGERS: &str = "
    SELECT copy.id FROM copy LEFT JOIN copy AS first ON first.id = copy.same_as
    WHERE (copy.id >= ?1) <> (copy.same_as IS NOT NULL)
       OR copy.same_as IS NOT NULL AND (first.id IS NULL OR first.id >= ?1 OR first.moves <> copy.moves
           OR first.start IS NOT copy.start OR first.kind <> copy.kind OR first.source = copy.source
           OR first.branch_ply IS NOT copy.branch_ply)";
/// Lines whose winner or losing move is not what their copies say together: those with one copy, then those with several.
const DISAGREEING: &str = "
    SELECT id FROM copy WHERE (agreed IS NOT decided OR marked_ply IS NOT losing_ply)
        AND (id >= ?1 OR NOT EXISTS (SELECT 1 FROM copy AS other WHERE other.same_as = copy.id AND other.same_as IS NOT NULL))
    UNION
    SELECT id FROM (
        SELECT first.id, first.agreed, first.marked_ply, count(DISTINCT copy.decided) AS winners, min(copy.decided) AS winner,
            min(copy.losing_ply) AS losing
        FROM (SELECT DISTINCT same_as AS line FROM copy WHERE same_as IS NOT NULL) AS several
        JOIN copy AS first ON first.id = several.line
        JOIN copy ON copy.id = first.id OR (copy.same_as = first.id AND copy.same_as IS NOT NULL)
        GROUP BY first.id)
    WHERE agreed IS NOT CASE winners WHEN 1 THEN winner END OR marked_ply IS NOT losing";
/// Sources whose last chunk of text is not the last that they have or have copies from.
const CUT_SOURCES: &str = "
    SELECT id FROM source WHERE complete AND last_text IS NOT coalesce(
        (SELECT text.id FROM text WHERE text.source = source.id AND first_byte >= 0 ORDER BY first_byte DESC LIMIT 1),
        (SELECT text.id FROM copy JOIN text ON text.id = copy.text WHERE copy.source = source.id
            ORDER BY first_byte DESC LIMIT 1), last_text)";

impl Database {
    /// Looks over what copies and their lines say of one another.
    pub(super) fn inspect_copies(&self, found: &mut Inspection) -> Result<(), StoreError> {
        let mut report = |sql: &str, parameters: &[&dyn ToSql], part, what: &str| -> Result<(), StoreError> {
            let mut rows = self.connection.prepare(sql)?;
            for id in rows.query_map(parameters, |row| row.get::<_, i64>(0))? {
                found.trouble(part, id?, what);
            }
            Ok(())
        };
        let first: &[&dyn ToSql] = &[&FIRST_COPY_ID];
        report(STRANGERS, first, DatabasePart::Line, "it is no copy of the line that it is said to be of")?;
        report(
            DISAGREEING,
            first,
            DatabasePart::Line,
            "its winner or losing move is not what its copies say together",
        )?;
        report(CUT_SOURCES, &[], DatabasePart::Source, "its last text is another than it is said to be")?;
        Ok(())
    }
}
