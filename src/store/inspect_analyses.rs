//! Looking analyses over: that they are about the lines as they are, and that their certificates are whole.
//!
//! What a certificate proves is for the checker of proofs to say; here its digest must fit its text, and the claim and the
//! position that are kept beside it, which values of the tree are worked out from, must be those of the text.

use crate::game::read_moves;
use crate::rules::{Position, PositionKey};

use super::annotations::digest_of;
use super::inspect::{DatabasePart, Inspection};
use super::{Database, StoreError, StoredAnalysis, StoredLine};

impl Database {
    /// Looks at every analysis and every certificate.
    pub(super) fn inspect_analyses(&self, found: &mut Inspection) -> Result<(), StoreError> {
        if !self.has_analyses()? {
            return Ok(());
        }
        let mut named = self.connection.prepare("SELECT key, claim FROM certificate WHERE digest = ?1")?;
        for digest in self.certificates()? {
            let text = self.certificate(&digest).ok().flatten().filter(|text| is_whole(text, &digest));
            let (key, claim): (Vec<u8>, String) = named.query_row([&digest], |row| Ok((row.get(0)?, row.get(1)?)))?;
            let what = match text {
                None => "is not the text its digest tells",
                Some(text) if !is_about(&text, &key, &claim) => "is kept as the proof of something else",
                Some(_) => continue,
            };
            found.trouble(DatabasePart::Analysis, None, format!("certificate {digest} {what}"));
        }
        let lines: Vec<u32> = self
            .connection
            .prepare("SELECT line FROM analysis ORDER BY line")?
            .query_map([], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        for id in lines {
            // A line that cannot be read is told with the lines.
            let (Ok(Some(analysis)), Ok(Some(line))) = (self.analysis(id), self.line(id)) else { continue };
            for what in self.troubles_of(&analysis, &line)? {
                found.trouble(DatabasePart::Analysis, i64::from(id), what);
            }
        }
        Ok(())
    }

    fn troubles_of(&self, analysis: &StoredAnalysis, line: &StoredLine) -> Result<Vec<String>, StoreError> {
        let mut troubles = Vec::new();
        if analysis.plies as usize != line.moves.len() {
            troubles.push(format!("the analysis is of {} plies, the line has {}", analysis.plies, line.moves.len()));
            return Ok(troubles);
        }
        let positions: Vec<Position> = line.positions().collect();
        let mut named = vec![&analysis.proof];
        for swing in &analysis.swings {
            let at = (swing.ply as usize).checked_sub(1);
            let around = at.and_then(|at| Some((positions.get(at)?, positions.get(at + 1)?)));
            let Some((before, after)) = around else {
                troubles.push(format!("the analysis tells of ply {}, which the line has not", swing.ply));
                continue;
            };
            for (play, start) in [(&swing.better, before), (&swing.refutation, after)] {
                if play.as_ref().is_some_and(|play| read_moves(play, *start).is_err()) {
                    troubles.push(format!("what the analysis would play at ply {} is not legal", swing.ply));
                }
            }
            named.extend([&swing.before_certificate, &swing.certificate]);
        }
        let mut certificate = self.connection.prepare_cached("SELECT count(*) FROM certificate WHERE digest = ?1")?;
        for digest in named.into_iter().flatten() {
            if certificate.query_row([digest], |row| row.get::<_, i64>(0))? == 0 {
                troubles.push(format!("certificate {digest} is not there"));
            }
        }
        Ok(troubles)
    }
}

/// Whether a certificate has this digest and its text bears it out.
fn is_whole(text: &str, digest: &str) -> bool {
    let body = text.rfind("digest ").and_then(|end| text.get(..end));
    digest_of(text) == Some(digest)
        && body.is_some_and(|body| blake3::hash(body.as_bytes()).to_hex().as_str() == digest)
}

/// Whether the text of a certificate makes this claim about the position of this key.
fn is_about(text: &str, key: &[u8], claim: &str) -> bool {
    let says = |line: &str| text.lines().any(|other| other == line);
    let key = <[u8; 16]>::try_from(key).map(PositionKey::from_bytes);
    says(&format!("claim {claim}")) && key.is_ok_and(|key| says(&format!("position {:032x}", key.0)))
}
