//! Raw texts and the chain of their digests: each digest covers its source's text from the start, so a text is what it was
//! when the text before it is.

use std::collections::HashMap;

use super::{Database, StoreError};

/// Most bytes a chunk of raw text may unpack to.
const MAX_TEXT_BYTES: i64 = 1 << 30;
/// Bytes of a digest that are stored.
pub(super) const DIGEST_BYTES: usize = 16;

/// A chunk of raw text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredText {
    /// Its id.
    pub id: i64,
    /// The source that owns it.
    pub source: i64,
    /// `pdn`, `json` or `book`.
    pub form: String,
    /// The PDN GameType number of its source.
    pub variant: u8,
    /// Line of the file it starts on, from 1.
    pub first_line: u32,
    /// Bytes of the source before it; negative for an excerpt, which belongs to no chain.
    pub first_byte: i64,
    /// The text.
    pub text: String,
}

/// Unpacks a chunk of raw text; a length that no chunk has is refused before memory is asked for.
pub(super) fn unpack(packed: &[u8], length: i64) -> Result<Vec<u8>, StoreError> {
    let damaged = || StoreError::Damaged("a raw text cannot be unpacked".to_owned());
    if !(0..=MAX_TEXT_BYTES).contains(&length) {
        return Err(damaged());
    }
    let text = zstd::bulk::decompress(packed, length as usize).map_err(|_| damaged())?;
    if text.len() as i64 == length { Ok(text) } else { Err(damaged()) }
}

/// The digest of a source of which nothing is read yet.
pub(super) fn digest_of_source(form: &str, game_type: u8) -> blake3::Hasher {
    let mut digest = blake3::Hasher::new();
    digest.update(form.as_bytes());
    digest.update(&[0, game_type]);
    digest
}

/// The digest of an excerpt: a text that no chain leads to.
pub(super) fn digest_of_excerpt(source: i64, first_line: u32, text: &[u8]) -> [u8; DIGEST_BYTES] {
    let mut digest = blake3::Hasher::new();
    digest.update(b"excerpt\0").update(&source.to_le_bytes()).update(&first_line.to_le_bytes()).update(text);
    let mut short = [0; DIGEST_BYTES];
    short.copy_from_slice(&digest.finalize().as_bytes()[..DIGEST_BYTES]);
    short
}

/// A text with its digest, where it can be read.
type Digested = Result<(StoredText, Vec<u8>), StoreError>;

/// Where chains have got to: form, variant and bytes so far, to the texts that end there.
pub(super) type Ends = HashMap<(String, u8, i64), Vec<(i64, blake3::Hasher)>>;

/// The text before `text`, if its digest proves that there is one or that none is needed. Adds the end of `text` to `ends`.
fn link(ends: &mut Ends, text: &StoredText, digest: &[u8]) -> Option<Option<i64>> {
    let start = (text.first_byte == 0).then(|| (None, digest_of_source(&text.form, text.variant)));
    let before = ends.get(&(text.form.clone(), text.variant, text.first_byte)).into_iter().flatten();
    let before: Vec<_> = before.map(|(id, hasher)| (Some(*id), hasher.clone())).collect();
    for (parent, mut hasher) in start.into_iter().chain(before) {
        hasher.update(text.text.as_bytes());
        if hasher.finalize().as_bytes()[..DIGEST_BYTES] == *digest {
            let end = text.first_byte.saturating_add(text.text.len() as i64);
            ends.entry((text.form.clone(), text.variant, end)).or_default().push((text.id, hasher));
            return Some(parent);
        }
    }
    None
}

impl Database {
    /// Shows every chunk of raw text, with whether its digest and those before it are right; how many there are.
    pub(super) fn walk_texts(
        &self,
        visit: &mut dyn FnMut(i64, Result<StoredText, StoreError>, bool),
    ) -> Result<u64, StoreError> {
        let mut ends = Ends::new();
        let mut count = 0;
        self.each_text(&mut |id, read| {
            count += 1;
            match read {
                Ok((text, digest)) => {
                    let chained = if text.first_byte < 0 {
                        digest_of_excerpt(text.source, text.first_line, text.text.as_bytes())[..] == digest
                    } else {
                        link(&mut ends, &text, &digest).is_some()
                    };
                    visit(id, Ok(text), chained);
                }
                Err(error) => visit(id, Err(error), false),
            }
        })?;
        Ok(count)
    }

    /// The text before each text of a chain.
    pub(super) fn text_parents(&self) -> Result<HashMap<i64, i64>, StoreError> {
        let (mut ends, mut parents, mut failed) = (Ends::new(), HashMap::new(), None);
        self.each_text(&mut |id, read| match read {
            Ok((text, digest)) => {
                if let Some(Some(parent)) = link(&mut ends, &text, &digest) {
                    parents.insert(id, parent);
                }
            }
            Err(error) => failed = Some(error),
        })?;
        failed.map_or(Ok(parents), Err)
    }

    /// Reads every text, in the order of their first bytes, so that what a chain needs comes before it.
    fn each_text(&self, visit: &mut dyn FnMut(i64, Digested)) -> Result<(), StoreError> {
        let ids: Vec<i64> = self
            .connection
            .prepare("SELECT id FROM text ORDER BY first_byte, id")?
            .query_map([], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        for id in ids {
            visit(id, self.text(id));
        }
        Ok(())
    }

    pub(super) fn text(&self, id: i64) -> Digested {
        let mut statement = self.connection.prepare_cached(
            "SELECT text.source, source.form, source.variant, first_line, first_byte, digest, length, zstd
             FROM text JOIN source ON source.id = text.source WHERE text.id = ?1",
        )?;
        let (mut text, digest, length, packed) = statement.query_row([id], |row| {
            let text = StoredText {
                id,
                source: row.get(0)?,
                form: row.get(1)?,
                variant: row.get(2)?,
                first_line: row.get(3)?,
                first_byte: row.get(4)?,
                text: String::new(),
            };
            Ok((text, row.get::<_, Vec<u8>>(5)?, row.get::<_, i64>(6)?, row.get::<_, Vec<u8>>(7)?))
        })?;
        text.text = String::from_utf8(unpack(&packed, length)?)
            .map_err(|_| StoreError::Damaged(format!("raw text {id} is not UTF-8")))?;
        Ok((text, digest))
    }
}
