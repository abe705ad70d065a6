//! The law of packed files: an archive, gzip or zstd file reads as the texts in it do when they are not packed. Where it is damaged,
//! what is read of it is legal and reading it again adds nothing; `check` finds the database whole either way.
//!
//! An input that begins like a packed file is one. Any other is packed first: a byte that says how, a byte that counts edits,
//! three bytes per edit of the packed bytes (offset, value), and the text: members between zero bytes, each with its name as its
//! first line.

use std::collections::BTreeMap;
use std::io::{Cursor, Write};
use std::path::Path;

use crownhead::store::Database;
use zip::CompressionMethod;
use zip::write::SimpleFileOptions;

use super::common::{Scratch, assert_whole, files, import_file, pdn};

/// Edits that an input may have.
const MOST_EDITS: usize = 15;

pub(super) fn check(bytes: &[u8]) {
    if is_packed(bytes) {
        let scratch = Scratch::new();
        unpack(&scratch.file("packed", bytes));
        return;
    }
    let [how, edits, rest @ ..] = bytes else { return };
    let edits = usize::from(*edits) % (MOST_EDITS + 1);
    let Some((edits, text)) = rest.split_at_checked(3 * edits) else { return };
    let members = members(text);
    let (name, mut packed) = match how % 4 {
        0 => ("games.zip", archive(&members, CompressionMethod::Stored)),
        1 => ("games.zip", archive(&members, CompressionMethod::Deflated)),
        2 => ("games.pdn.gz", Some(gzip(text))),
        _ => ("games.pdn.zst", zstd::bulk::compress(text, 1).ok()),
    };
    let Some(packed) = &mut packed else { return };
    for edit in edits.chunks_exact(3) {
        let at = usize::from(u16::from_le_bytes([edit[0], edit[1]])) % packed.len();
        packed[at] = edit[2];
    }
    let scratch = Scratch::new();
    let found = unpack(&scratch.file(name, packed));
    if edits.is_empty() {
        let plain: Vec<&[u8]> = if how % 4 < 2 { members.values().copied().collect() } else { vec![text] };
        // Members of other names are not read, and a name may lead anywhere. A text that begins like a packed file is none.
        let named = how % 4 >= 2 || members.keys().all(|name| is_plain(name));
        if named && !plain.iter().any(|text| is_packed(text)) {
            assert_eq!(found, plainly(&plain), "packed and plain differ");
        }
    }
}

/// Whether bytes begin like a packed file.
fn is_packed(bytes: &[u8]) -> bool {
    [&b"PK\x03\x04"[..], &[0x1f, 0x8b], &[0x28, 0xb5, 0x2f, 0xfd]].iter().any(|magic| bytes.starts_with(magic))
}

/// The members of a text by name, ascending.
fn members(text: &[u8]) -> BTreeMap<String, &[u8]> {
    let member = |part| {
        let end = memchr(part, b'\n').unwrap_or(0);
        (String::from_utf8_lossy(&part[..end]).into_owned(), &part[end..])
    };
    text.split(|byte| *byte == 0).map(member).collect()
}

fn memchr(text: &[u8], wanted: u8) -> Option<usize> {
    text.iter().position(|byte| *byte == wanted)
}

fn is_plain(name: &str) -> bool {
    name.strip_suffix(".pdn").is_some_and(|stem| !stem.is_empty() && stem.bytes().all(|byte| byte.is_ascii_lowercase()))
}

/// `None` where a name cannot be written.
fn archive(members: &BTreeMap<String, &[u8]>, method: CompressionMethod) -> Option<Vec<u8>> {
    let mut out = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in members {
        out.start_file(&**name, SimpleFileOptions::default().compression_method(method)).ok()?;
        out.write_all(text).ok()?;
    }
    Some(out.finish().ok()?.into_inner())
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(text).expect("memory takes what is written");
    out.finish().expect("memory takes what is written")
}

/// What is read of a packed file, twice.
fn unpack(path: &Path) -> String {
    let mut database = Database::in_memory().expect("a database in memory");
    if import_file(&mut database, path, None, None).is_err() {
        return String::new();
    }
    let first = pdn(&database);
    // Nothing but an archive without a text is an error the first time, and then there is no second.
    import_file(&mut database, path, None, None).expect("what was read once is read again");
    assert_eq!(pdn(&database), first, "reading it again adds something");
    assert_whole(&database);
    first
}

/// What is read of plain texts.
fn plainly(texts: &[&[u8]]) -> String {
    let scratch = Scratch::new();
    let mut database = Database::in_memory().expect("a database in memory");
    for text in texts {
        let path = scratch.file("plain.pdn", text);
        import_file(&mut database, &path, None, None).expect("a database in memory takes it");
    }
    pdn(&database)
}

pub(super) fn seeds() -> Vec<Vec<u8>> {
    let games =
        b"[Event \"a\"]\n[Result \"1-0\"]\n1. 11-15 23-19 2. 8-11 22-17 1-0\n\n[Event \"b\"]\n1. 9-13 22-18 *\n";
    let mut two = b"a.pdn\n".to_vec();
    two.extend_from_slice(games);
    two.extend_from_slice(b"\0b.pdn\n1. 12-16 24-20 1/2-1/2\n");
    let mut seeds = vec![gzip(games), zstd::bulk::compress(games, 3).expect("it can be packed")];
    seeds.extend(archive(&members(&two), CompressionMethod::Deflated));
    seeds.extend(archive(&members(&two), CompressionMethod::Stored));
    for how in 0..4_u8 {
        seeds.push([&[how, 0][..], &two].concat());
        seeds.push([&[how, 2, 60, 0, 7, 8, 0, 1][..], &two].concat());
    }
    seeds.extend(files("tests/corpus/pdn", &["pdn"]).into_iter().map(|text| [&[2, 0][..], &text].concat()));
    seeds
}
