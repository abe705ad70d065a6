//! Analyses: what the program found out about stored lines, with the proofs.
//!
//! An analysis is written whole, with its moves and certificates, in a transaction of its own. Certificates are named by their
//! digest, so that the same proof is stored once and ids do not depend on the order of work.

use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::board::{Bounds, Color, Witness};

use super::texts::unpack;
use super::{Database, StoreError, words};

/// Level of compression of certificates: hexadecimal, so it pays.
const CERTIFICATE_ZSTD_LEVEL: i32 = 6;
/// The last line of a certificate begins so.
const DIGEST_PREFIX: &str = "digest ";
/// How many digits of one are enough for people.
const DIGEST_DIGITS: usize = 12;

/// Who made an analysis and within which limits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnalysisLimits {
    /// The program.
    pub maker: String,
    /// Its version.
    pub version: String,
    /// Positions that the search of a position may look at.
    pub nodes: u64,
    /// The last iteration of a search, in plies.
    pub depth: u8,
    /// Positions that an attempt to prove something may look at.
    pub proof_nodes: u64,
    /// Up to how many pieces endgame databases were there.
    pub pieces: u32,
}

/// What was found out about a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredAnalysis {
    /// The line.
    pub line: u32,
    /// By whom and how.
    pub limits: AnalysisLimits,
    /// Its plies.
    pub plies: u32,
    /// Who finally lost.
    pub loser: Option<Color>,
    /// The ply of the losing move by all that is known, from 1.
    pub losing_ply: Option<u32>,
    /// How that is known: by the engine, or proved.
    pub witness: Option<Witness>,
    /// The ply of the losing move by scores alone.
    pub engine_ply: Option<u32>,
    /// The first ply after which the loser's position is proved lost.
    pub proved_ply: Option<u32>,
    /// The digest of the certificate of that, where a database does not say it.
    pub proof: Option<String>,
    /// Where result and proof contradict one another.
    pub note: Option<String>,
    /// The moves that changed something, and those marked by the source, ascending by ply.
    pub swings: Vec<StoredSwing>,
}

impl StoredAnalysis {
    /// The digests of the certificates that it names, each as often as it does.
    pub fn digests(&self) -> impl Iterator<Item = &str> {
        let of_moves = self.swings.iter().flat_map(|swing| [&swing.before_certificate, &swing.certificate]);
        of_moves.chain([&self.proof]).flatten().map(String::as_str)
    }
}

/// A move that changed what its position was worth, or that the source marks. Values and scores (hundredths of a man) are
/// those of the side that moved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredSwing {
    /// The ply, from 1.
    pub ply: u32,
    /// Whether the move changed the value.
    pub is_swing: bool,
    /// Whether it is the losing move of its line.
    pub is_losing: bool,
    /// Who says that the value fell: proved where the least before it is proved to be more than the most after it, else the
    /// engine. Of a marked move that changed nothing: who says how the mark compares.
    pub witness: Witness,
    /// What was known before it.
    pub before: Bounds,
    /// Who says so.
    pub before_witness: Witness,
    /// The score before it.
    pub before_score: Option<i16>,
    /// What is known after it.
    pub after: Bounds,
    /// Who says so.
    pub after_witness: Witness,
    /// The score after it.
    pub after_score: Option<i16>,
    /// The best play instead, from the position before.
    pub better: Option<String>,
    /// The best play against it, from the position after.
    pub refutation: Option<String>,
    /// Plies to the end after it, where they were seen.
    pub distance: Option<u16>,
    /// The digest of the certificate of what is said before it.
    pub before_certificate: Option<String>,
    /// The digest of the certificate of what is said after it.
    pub certificate: Option<String>,
    /// How the source's mark compares.
    pub mark: Option<String>,
}

/// A proof to store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewCertificate {
    /// The key of the position.
    pub key: [u8; 16],
    /// `win`, `loss`, `not-loss` or `not-win`.
    pub claim: &'static str,
    /// Pieces that are left to a database.
    pub endings: u32,
    /// Positions with a move.
    pub positions: usize,
    /// The whole text, which a checker has accepted.
    pub text: String,
}

impl NewCertificate {
    /// The digest in the last line: its name.
    #[must_use]
    pub fn digest(&self) -> &str {
        digest_of(&self.text).unwrap_or_default()
    }
}

/// The digits of a digest that name a certificate to people, and its file.
#[must_use]
pub fn short_digest(digest: &str) -> &str {
    digest.get(..DIGEST_DIGITS).unwrap_or(digest)
}

/// The digest that the last line of a certificate gives.
pub(super) fn digest_of(text: &str) -> Option<&str> {
    text.trim_end().rsplit('\n').next()?.strip_prefix(DIGEST_PREFIX)
}

impl Database {
    /// Whether the schema has analyses: a database that an older version wrote and that is open for reading has none.
    pub(super) fn has_analyses(&self) -> Result<bool, StoreError> {
        self.has_table("analysis")
    }

    /// By whom and how a line was analysed, if it was.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn analysis_limits(&self, line: u32) -> Result<Option<AnalysisLimits>, StoreError> {
        if !self.has_analyses()? {
            return Ok(None);
        }
        let sql = "SELECT maker, version, nodes, depth, proof_nodes, pieces FROM analysis WHERE line = ?1";
        Ok(self.connection.prepare_cached(sql)?.query_row([line], |row| read_limits(row, 0)).optional()?)
    }

    /// What was found out about a line, if anything.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn analysis(&self, line: u32) -> Result<Option<StoredAnalysis>, StoreError> {
        if !self.has_analyses()? {
            return Ok(None);
        }
        let sql =
            "SELECT maker, version, nodes, depth, proof_nodes, pieces, plies, loser, losing_ply, witness, engine_ply,
                       proved_ply, proof, note FROM analysis WHERE line = ?1";
        let read = |row: &Row<'_>| {
            Ok(StoredAnalysis {
                line,
                limits: read_limits(row, 0)?,
                plies: row.get(6)?,
                loser: words::color(row, 7)?,
                losing_ply: row.get(8)?,
                witness: words::optional_witness(row, 9)?,
                engine_ply: row.get(10)?,
                proved_ply: row.get(11)?,
                proof: row.get(12)?,
                note: row.get(13)?,
                swings: Vec::new(),
            })
        };
        let Some(mut analysis) = self.connection.prepare_cached(sql)?.query_row([line], read).optional()? else {
            return Ok(None);
        };
        let sql =
            "SELECT ply, is_swing, is_losing, witness, before, before_witness, before_score, after, after_witness,
                       after_score, better, refutation, distance, before_certificate, certificate, mark
                   FROM swing WHERE line = ?1 ORDER BY ply";
        let mut swings = self.connection.prepare_cached(sql)?;
        analysis.swings = swings.query_map([line], read_swing)?.collect::<Result<_, _>>()?;
        Ok(Some(analysis))
    }

    /// Writes an analysis in place of an earlier one, with its certificates, all or nothing. A line that is gone meanwhile, or
    /// has other plies than were looked at, is passed over: `false`.
    ///
    /// # Errors
    /// When the database cannot be written; nothing has changed then.
    pub fn store_analysis(
        &mut self,
        analysis: &StoredAnalysis,
        certificates: &[NewCertificate],
    ) -> Result<bool, StoreError> {
        let packed: Vec<Vec<u8>> = certificates
            .iter()
            .map(|certificate| zstd::bulk::compress(certificate.text.as_bytes(), CERTIFICATE_ZSTD_LEVEL))
            .collect::<Result<_, _>>()?;
        self.in_transaction(|| write(&self.connection, analysis, certificates, &packed))
    }

    /// The text of the certificate of this digest.
    ///
    /// # Errors
    /// When the database cannot be read or the certificate is damaged.
    pub fn certificate(&self, digest: &str) -> Result<Option<String>, StoreError> {
        if !self.has_analyses()? {
            return Ok(None);
        }
        let sql = "SELECT length, zstd FROM certificate WHERE digest = ?1";
        let found: Option<(i64, Vec<u8>)> = self
            .connection
            .prepare_cached(sql)?
            .query_row([digest], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let Some((length, packed)) = found else { return Ok(None) };
        let text = unpack(&packed, length)?;
        String::from_utf8(text).map(Some).map_err(|_| StoreError::Damaged(format!("certificate {digest} is no text")))
    }

    /// The digests of all certificates, ascending.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn certificates(&self) -> Result<Vec<String>, StoreError> {
        if !self.has_analyses()? {
            return Ok(Vec::new());
        }
        let mut digests = self.connection.prepare("SELECT digest FROM certificate ORDER BY digest")?;
        let rows = digests.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

fn read_limits(row: &Row<'_>, at: usize) -> rusqlite::Result<AnalysisLimits> {
    Ok(AnalysisLimits {
        maker: row.get(at)?,
        version: row.get(at + 1)?,
        nodes: row.get::<_, i64>(at + 2)?.unsigned_abs(),
        depth: row.get(at + 3)?,
        proof_nodes: row.get::<_, i64>(at + 4)?.unsigned_abs(),
        pieces: row.get(at + 5)?,
    })
}

fn read_swing(row: &Row<'_>) -> rusqlite::Result<StoredSwing> {
    Ok(StoredSwing {
        ply: row.get(0)?,
        is_swing: row.get(1)?,
        is_losing: row.get(2)?,
        witness: words::witness(row, 3)?,
        before: words::bounds(row, 4)?,
        before_witness: words::witness(row, 5)?,
        before_score: row.get(6)?,
        after: words::bounds(row, 7)?,
        after_witness: words::witness(row, 8)?,
        after_score: row.get(9)?,
        better: row.get(10)?,
        refutation: row.get(11)?,
        distance: row.get(12)?,
        before_certificate: row.get(13)?,
        certificate: row.get(14)?,
        mark: row.get(15)?,
    })
}

fn write(
    connection: &Connection,
    analysis: &StoredAnalysis,
    certificates: &[NewCertificate],
    packed: &[Vec<u8>],
) -> Result<bool, StoreError> {
    let plies: Option<u32> = connection
        .prepare_cached("SELECT plies FROM line WHERE id = ?1")?
        .query_row([analysis.line], |row| row.get(0))
        .optional()?;
    if plies != Some(analysis.plies) {
        return Ok(false);
    }
    let had_some = forget(connection, analysis.line)?;
    let limits = &analysis.limits;
    connection
        .prepare_cached(
            "INSERT INTO analysis (line, maker, version, nodes, depth, proof_nodes, pieces, plies, loser, losing_ply, witness,
                 engine_ply, proved_ply, proof, note)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
        )?
        .execute(params![
            analysis.line,
            limits.maker,
            limits.version,
            i64::try_from(limits.nodes).unwrap_or(i64::MAX),
            limits.depth,
            i64::try_from(limits.proof_nodes).unwrap_or(i64::MAX),
            limits.pieces,
            analysis.plies,
            analysis.loser.map(Color::name),
            analysis.losing_ply,
            analysis.witness.map(Witness::name),
            analysis.engine_ply,
            analysis.proved_ply,
            analysis.proof,
            analysis.note,
        ])?;
    let mut insert = connection.prepare_cached(
        "INSERT INTO swing (line, ply, is_swing, is_losing, witness, before, before_witness, before_score, after,
             after_witness, after_score, better, refutation, distance, before_certificate, certificate, mark)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)",
    )?;
    for swing in &analysis.swings {
        insert.execute(params![
            analysis.line,
            swing.ply,
            swing.is_swing,
            swing.is_losing,
            swing.witness.name(),
            swing.before.name(),
            swing.before_witness.name(),
            swing.before_score,
            swing.after.name(),
            swing.after_witness.name(),
            swing.after_score,
            swing.better,
            swing.refutation,
            swing.distance,
            swing.before_certificate,
            swing.certificate,
            swing.mark,
        ])?;
    }
    let mut insert = connection.prepare_cached(
        "INSERT OR IGNORE INTO certificate (digest, key, claim, endings, positions, length, zstd)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    for (certificate, zstd) in certificates.iter().zip(packed) {
        insert.execute(params![
            certificate.digest(),
            certificate.key,
            certificate.claim,
            certificate.endings,
            certificate.positions as i64,
            certificate.text.len() as i64,
            zstd,
        ])?;
    }
    if had_some {
        drop_unused(connection)?;
    }
    Ok(true)
}

/// Takes the analysis of a line away; whether there was one.
fn forget(connection: &Connection, line: u32) -> Result<bool, StoreError> {
    connection.prepare_cached("DELETE FROM swing WHERE line = ?1")?.execute([line])?;
    Ok(connection.prepare_cached("DELETE FROM analysis WHERE line = ?1")?.execute([line])? > 0)
}

/// Takes away the analyses of all lines of a source, and the certificates that nothing else stands on.
pub(super) fn forget_source(connection: &Connection, source: i64) -> Result<(), StoreError> {
    for table in ["swing", "analysis"] {
        let sql = format!("DELETE FROM {table} WHERE line IN (SELECT id FROM copy WHERE source = ?1)");
        connection.execute(&sql, [source])?;
    }
    drop_unused(connection)
}

/// Takes away what analyses of these lines say of marks: a source that marked moves is gone.
pub(super) fn forget_marks(connection: &Connection, lines: &[u32]) -> Result<(), StoreError> {
    let mut clear = connection.prepare_cached("UPDATE swing SET mark = NULL WHERE line = ?1 AND mark IS NOT NULL")?;
    let mut remove =
        connection.prepare_cached("DELETE FROM swing WHERE line = ?1 AND NOT is_swing AND NOT is_losing")?;
    for line in lines {
        clear.execute([line])?;
        remove.execute([line])?;
    }
    Ok(())
}

/// Takes certificates away that no analysis names.
fn drop_unused(connection: &Connection) -> Result<(), StoreError> {
    connection.execute(
        "DELETE FROM certificate WHERE digest NOT IN (
             SELECT certificate FROM swing WHERE certificate IS NOT NULL
             UNION SELECT before_certificate FROM swing WHERE before_certificate IS NOT NULL
             UNION SELECT proof FROM analysis WHERE proof IS NOT NULL)",
        [],
    )?;
    Ok(())
}
