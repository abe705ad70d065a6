//! Blocks: a run of keys with their postings as five streams of bytes, compressed together.
//!
//! ```text
//! block   = zstd(varint length of keys, groups, codes, plies; keys; groups; codes; plies; lines)
//! keys    = per key: header byte, key bytes not shared with the key before
//! groups  = per key: varint number of groups; per group: varint number of postings
//! codes   = per group: ends (2 bytes), captured squares (4 bytes, where ends says so)
//! plies   = per posting: varint
//! lines   = per posting: varint; first of a group: the line; then the difference from the one before
//! ```
//! A key's header: bits 4–7 how many of its first nine bytes (variant, black, white) are those of the key before, bit 1 set where kings
//! follow, bit 0 the side to move.

use std::io;

use crate::rules::PositionKey;

use super::posting::{IndexEntry, Posting};
use crate::store::StoreError;
use crate::store::codec::MoveCode;

/// Uncompressed bytes after which a block is closed: small enough to read in a few microseconds.
const FULL_BLOCK_BYTES: usize = 8 * 1024;
const BLOCK_ZSTD_LEVEL: i32 = 1;
/// Most bytes a block may unpack to: the postings of one position in every line of a very large database.
const MAX_BLOCK_BYTES: usize = 1 << 30;
/// The bytes of variant, black and white in a key.
const PIECE_BYTES: usize = 9;
const HAS_KINGS: u8 = 2;

/// A finished block.
#[derive(Debug)]
pub(in crate::store) struct Block {
    pub(in crate::store) first_key: PositionKey,
    pub(in crate::store) data: Vec<u8>,
}

/// Packs entries, which come in ascending order, into blocks.
pub(super) struct BlockWriter {
    compressor: zstd::bulk::Compressor<'static>,
    first_key: Option<PositionKey>,
    last_key: PositionKey,
    keys: Vec<u8>,
    groups: Vec<u8>,
    codes: Vec<u8>,
    plies: Vec<u8>,
    lines: Vec<u8>,
    blocks: Vec<Block>,
}

fn split_key(key: PositionKey) -> ([u8; PIECE_BYTES], [u8; 4], u8) {
    let bytes = key.to_bytes();
    let mut pieces = [0; PIECE_BYTES];
    pieces.copy_from_slice(&bytes[2..11]);
    (pieces, [bytes[11], bytes[12], bytes[13], bytes[14]], bytes[15])
}

fn put(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

impl BlockWriter {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self {
            compressor: zstd::bulk::Compressor::new(BLOCK_ZSTD_LEVEL)?,
            first_key: None,
            last_key: PositionKey(0),
            keys: Vec::new(),
            groups: Vec::new(),
            codes: Vec::new(),
            plies: Vec::new(),
            lines: Vec::new(),
            blocks: Vec::new(),
        })
    }

    /// Adds a key with its postings, ascending by code and line; at least one.
    pub(super) fn add(&mut self, key: PositionKey, postings: &[IndexEntry]) -> io::Result<()> {
        let held = self.keys.len() + self.groups.len() + self.codes.len() + self.plies.len() + self.lines.len();
        if held >= FULL_BLOCK_BYTES || (held > 0 && postings.len() > FULL_BLOCK_BYTES / 4) {
            self.close()?;
        }
        self.put_key(key);
        let groups = postings.chunk_by(|a, b| a.posting.code == b.posting.code);
        put(&mut self.groups, groups.clone().count() as u32);
        for group in groups {
            put(&mut self.groups, group.len() as u32);
            let code = group[0].posting.code;
            self.codes.extend_from_slice(&code.ends.to_le_bytes());
            if code.captured != 0 {
                self.codes.extend_from_slice(&code.captured.to_le_bytes());
            }
            let mut before = 0;
            for entry in group {
                put(&mut self.plies, entry.posting.ply);
                put(&mut self.lines, entry.posting.line - before);
                before = entry.posting.line;
            }
        }
        Ok(())
    }

    fn put_key(&mut self, key: PositionKey) {
        let (pieces, kings, turn) = split_key(key);
        let shared = match self.first_key {
            None => 0,
            Some(_) => {
                let (before, ..) = split_key(self.last_key);
                pieces.iter().zip(&before).take_while(|(a, b)| a == b).count()
            }
        };
        let has_kings = kings != [0; 4];
        self.keys.push((shared as u8) << 4 | if has_kings { HAS_KINGS } else { 0 } | (turn & 1));
        self.keys.extend_from_slice(&pieces[shared..]);
        if has_kings {
            self.keys.extend_from_slice(&kings);
        }
        self.first_key.get_or_insert(key);
        self.last_key = key;
    }

    fn close(&mut self) -> io::Result<()> {
        let Some(first_key) = self.first_key.take() else { return Ok(()) };
        let mut plain = Vec::with_capacity(FULL_BLOCK_BYTES * 2);
        for stream in [&self.keys, &self.groups, &self.codes, &self.plies] {
            put(&mut plain, stream.len() as u32);
        }
        for stream in [&mut self.keys, &mut self.groups, &mut self.codes, &mut self.plies, &mut self.lines] {
            plain.append(stream);
        }
        let mut data = (plain.len() as u32).to_le_bytes().to_vec();
        data.extend_from_slice(&self.compressor.compress(&plain)?);
        self.blocks.push(Block { first_key, data });
        Ok(())
    }

    /// The blocks finished so far, handed over.
    pub(super) fn take_blocks(&mut self) -> Vec<Block> {
        std::mem::take(&mut self.blocks)
    }

    /// All remaining blocks.
    pub(super) fn finish(mut self) -> io::Result<Vec<Block>> {
        self.close()?;
        Ok(self.blocks)
    }
}

/// Reads bytes and never past them.
struct BlockCursor<'a>(&'a [u8]);

impl<'a> BlockCursor<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], StoreError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or_else(damaged)?;
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, StoreError> {
        let (&byte, rest) = self.0.split_first().ok_or_else(damaged)?;
        self.0 = rest;
        Ok(byte)
    }

    #[inline]
    fn number(&mut self) -> Result<u32, StoreError> {
        let first = self.byte()?;
        if first < 0x80 {
            return Ok(first.into());
        }
        let mut number = u32::from(first & 0x7f);
        for shift in [7, 14, 21, 28] {
            let byte = self.byte()?;
            number |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(damaged())
    }
}

fn damaged() -> StoreError {
    StoreError::Damaged("a block of the position index cannot be read".to_owned())
}

/// The keys of a block with their postings, ascending.
pub(super) struct BlockReader {
    plain: Vec<u8>,
    /// Where each of the five streams stands and, but for the last, ends.
    at: [usize; 5],
    ends: [usize; 5],
    last: [u8; PIECE_BYTES],
}

impl BlockReader {
    pub(super) fn new(data: &[u8], decompressor: &mut zstd::bulk::Decompressor<'_>) -> Result<Self, StoreError> {
        let (length, packed) = data.split_first_chunk::<4>().ok_or_else(damaged)?;
        let length = u32::from_le_bytes(*length) as usize;
        if length > MAX_BLOCK_BYTES {
            return Err(damaged());
        }
        let plain = decompressor.decompress(packed, length)?;
        let mut head = BlockCursor(&plain);
        let lengths = [head.number()?, head.number()?, head.number()?, head.number()?];
        let mut start = plain.len() - head.0.len();
        let (mut at, mut ends) = ([0; 5], [0; 5]);
        for (i, length) in lengths.into_iter().enumerate() {
            at[i] = start;
            start = start.saturating_add(length as usize);
            ends[i] = start;
        }
        (at[4], ends[4]) = (start, plain.len());
        if start > plain.len() {
            return Err(damaged());
        }
        Ok(Self { plain, at, ends, last: [0; PIECE_BYTES] })
    }

    fn stream(&self, i: usize) -> BlockCursor<'_> {
        BlockCursor(&self.plain[self.at[i]..self.ends[i]])
    }

    /// The next key; its postings are appended to `out` where `wanted` says so, else passed over. `None` at the end.
    pub(super) fn next_key(
        &mut self,
        wanted: impl FnOnce(PositionKey) -> bool,
        out: &mut Vec<Posting>,
    ) -> Result<Option<PositionKey>, StoreError> {
        let mut keys = self.stream(0);
        if keys.0.is_empty() {
            return Ok(None);
        }
        let header = keys.byte()?;
        let mut pieces = self.last;
        let shared = usize::from(header >> 4);
        if shared > PIECE_BYTES {
            return Err(damaged());
        }
        pieces[shared..].copy_from_slice(keys.take(PIECE_BYTES - shared)?);
        let mut bytes = [0; 16];
        bytes[2..11].copy_from_slice(&pieces);
        if header & HAS_KINGS != 0 {
            bytes[11..15].copy_from_slice(keys.take(4)?);
        }
        bytes[15] = header & 1;
        let key = PositionKey::from_bytes(bytes);
        let wanted = wanted(key);
        let (mut groups, mut codes, mut plies, mut lines) =
            (self.stream(1), self.stream(2), self.stream(3), self.stream(4));
        for _ in 0..groups.number()? {
            let count = groups.number()?;
            let ends = u16::from_le_bytes(codes.take(2)?.try_into().map_err(|_| damaged())?);
            let captured = if ends != u16::MAX && ends & MoveCode::EXPLICIT_BIT != 0 {
                u32::from_le_bytes(codes.take(4)?.try_into().map_err(|_| damaged())?)
            } else {
                0
            };
            let code = MoveCode { ends, captured };
            let mut line = 0_u32;
            for _ in 0..count {
                let ply = plies.number()?;
                line = line.wrapping_add(lines.number()?);
                if wanted {
                    out.push(Posting { code, line, ply });
                }
            }
        }
        let left = [keys.0.len(), groups.0.len(), codes.0.len(), plies.0.len(), lines.0.len()];
        for (i, left) in left.into_iter().enumerate() {
            self.at[i] = self.ends[i] - left;
        }
        self.last = pieces;
        Ok(Some(key))
    }
}
