//! Rows of one chunk: its lines and further copies with their notes, and the index entries of those that are lines.

use crate::game::{LineKind, Status, VerifiedGame};

use super::chunk::{ChunkCounts, ChunkRows};
use super::copies;
use super::prepared_lines::PreparedChunk;
use super::rows::{LineOrigin, Passed, RowWriter};
use super::writer::ImportWriter;
use super::{StoreError, facts};

impl ImportWriter<'_> {
    /// Stores the lines of a chunk with their index entries; what was stored of them. `passed` is for this source alone.
    pub(super) fn insert_lines(
        &mut self,
        chunk: &ChunkRows<'_>,
        prepared: PreparedChunk,
        passed: &mut Passed,
    ) -> Result<ChunkCounts, StoreError> {
        let mut counts = ChunkCounts::default();
        // Local index → the stored row and its line: another row where it is a further copy.
        let mut ids: Vec<Option<(u32, u32)>> = Vec::with_capacity(prepared.lines.len());
        let rows = RowWriter(&self.database.connection);
        let mut main: Option<(u32, usize)> = None;
        let mut is_copy = false;
        let mut copied = Vec::new();
        for line in &prepared.lines {
            let Some(game) = chunk.games.get(line.game as usize).and_then(|replayed| replayed.game.as_ref()) else {
                ids.push(None);
                continue;
            };
            let number = game.number() + chunk.at.games_before;
            if line.branch.is_none() {
                (main, is_copy) = (None, false);
            }
            // Of a text that is read once more, only the copies without words are wanted.
            let noted = match chunk.unread.filter(|_| line.branch.is_none()) {
                None => None,
                Some(unread) => match unread.get(&number) {
                    Some(&noted) if rows.has_moves(noted, &line.moves)? => Some(noted),
                    _ => {
                        ids.push(None);
                        continue;
                    }
                },
            };
            if line.branch.is_some() && main.is_none() {
                // A variation of a game that is not wanted.
                ids.push(None);
                continue;
            }
            let parent = line.branch.and_then(|branch| parent_of(game, branch, main, &ids));
            let mut row = LineOrigin {
                id: self.next_line,
                source: chunk.source,
                variant: chunk.variant,
                text: chunk.text,
                first_byte: chunk.at.first_byte,
                number,
                parent: parent.map(|(parent, _)| parent),
                same_as: None,
            };
            let ply = line.branch.and_then(|branch| game.branches().get(branch as usize)).map(|branch| branch.ply);
            row.same_as = match (parent, ply) {
                // A game of which this is the first copy has variations that nobody has.
                (Some((_, parent)), Some(ply)) if is_copy => {
                    copies::find_variation(rows.0, chunk.source, parent, ply, &line.moves)?
                }
                (Some(_), _) => None,
                (None, _) if noted.is_some() => noted,
                // In an empty database there is nothing to look for.
                (None, _) if !self.any_identity => None,
                (None, _) => rows.find_duplicate(chunk.source, chunk.order, game, line, passed)?,
            };
            if row.same_as.is_some() {
                row.id = self.next_copy;
                self.next_copy += 1;
            }
            if line.branch.is_none() {
                is_copy = row.same_as.is_some();
                main = Some((row.id, ids.len()));
                match game.status() {
                    _ if is_copy => counts.duplicates += 1,
                    Status::Stored => counts.stored += 1,
                    Status::Partly => counts.partly += 1,
                }
                counts.games += u64::from(!is_copy && game.kind() == LineKind::Game);
                counts.openings += u64::from(!is_copy && game.kind() == LineKind::Opening);
            }
            let plies = rows.insert_line(&row, game, line)?;
            ids.push(Some((row.id, row.same_as.unwrap_or(row.id))));
            if let Some(same_as) = row.same_as {
                copied.push(same_as);
                continue;
            }
            counts.plies += plies;
            counts.lines += 1;
            self.facts.extend_from_slice(&line.fact);
            self.next_line += 1;
        }
        let mut entries = prepared.entries;
        // Ids grow with local indexes, so the order stays as it is.
        entries.retain_mut(|entry| match ids.get(entry.posting.line as usize).copied().flatten() {
            // Further copies are not in the index.
            Some((id, line)) if id == line => {
                entry.posting.line = id;
                true
            }
            _ => false,
        });
        self.entries += entries.len();
        if !entries.is_empty() {
            entries.shrink_to_fit();
            self.runs.push(entries);
        }
        for line in copied {
            self.agree(line)?;
        }
        Ok(counts)
    }

    /// Works out anew what the copies of a line say together.
    fn agree(&mut self, line: u32) -> Result<(), StoreError> {
        if let Some(fact) = copies::agree(&self.database.connection, line)? {
            match line.checked_sub(self.first_fact_line) {
                Some(index) => {
                    let at = index as usize * facts::FACT_BYTES;
                    if let Some(bytes) = self.facts.get_mut(at..at + facts::FACT_BYTES) {
                        bytes.copy_from_slice(&fact);
                    }
                }
                None => facts::rewrite(&self.database.connection, line, fact)?,
            }
        }
        Ok(())
    }
}

/// The row and the line that branch `branch` leaves. Lines of a game follow each other: the main line, then its branches.
fn parent_of(
    game: &VerifiedGame,
    branch: u32,
    main: Option<(u32, usize)>,
    ids: &[Option<(u32, u32)>],
) -> Option<(u32, u32)> {
    let (_, main_local) = main?;
    match game.branches().get(branch as usize)?.parent {
        None => ids.get(main_local).copied().flatten(),
        Some(parent) => ids.get(main_local + 1 + parent as usize).copied().flatten(),
    }
}
