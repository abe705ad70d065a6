//! Reading stored texts once more, for copies that an older version noted without their words.

use crate::book::Book;
use crate::engine::egdb::Databases;
use crate::game::ReplayOptions;
use crate::intake;
use crate::store::{self, ChunkText, Database, StoreError};

use super::endings;

/// How many copies have their words now, and how many could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reread {
    /// Copies that were read.
    pub read: u64,
    /// Copies that stay without their words: their text says another game than it did.
    pub left: u64,
}

/// Reads the words of all copies that have none; nothing is done where there are no such copies.
///
/// # Errors
/// When the database cannot be read or written. Nothing has changed then.
pub fn reread(database: &mut Database, opening_book: &Book) -> Result<Reread, StoreError> {
    let before = database.unread_copies()?;
    if before == 0 {
        return Ok(Reread::default());
    }
    let sources = database.unread_sources()?;
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let mut writer = database.writer(threads, true);
    for source in &sources {
        let mut games_before = 0;
        for &id in &source.texts {
            let (text, games) = writer.stored_text(id)?;
            let unread = writer.unread_games(source, games_before + 1, games_before + games)?;
            let first_byte = text.first_byte.unsigned_abs();
            if unread.is_empty() {
                // Everything in it has its words.
            } else if text.source != source.id {
                writer.share_unread(source, id, &unread)?;
            } else {
                let options = ReplayOptions::for_variant(source.variant);
                let mut chunk = intake::stored_chunk(text.text, &text.form, first_byte, text.first_line, options);
                if let Ok(databases) = Databases::embedded(source.variant) {
                    endings::settle(&mut chunk, &databases);
                }
                let prepared = store::prepare(&chunk.text, &chunk.games, opening_book).map_err(StoreError::from)?;
                let at = ChunkText { text: &chunk.text, first_byte, first_line: text.first_line, games_before };
                writer.reread(source, id, at, &chunk.games, prepared, &unread)?;
            }
            games_before += games;
        }
    }
    writer.finish()?;
    let left = database.unread_copies()?;
    Ok(Reread { read: before - left, left })
}
