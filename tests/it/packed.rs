//! Packed files: read as what is in them, and a bomb is stopped.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use tempfile::tempdir;

use crate::support::{crownhead, crownhead_ends, random_pdn};

fn gzip(path: &Path, bytes: &[u8]) {
    let mut out = flate2::write::GzEncoder::new(File::create(path).unwrap(), flate2::Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap();
}

#[test]
fn packed_files_and_folders_with_them_are_read() {
    let folder = tempdir().unwrap();
    let (inside, db) = (folder.path().join("in"), folder.path().join("a.db"));
    fs::create_dir(&inside).unwrap();
    gzip(&inside.join("one.pdn.gz"), random_pdn(1, 20).as_bytes());
    fs::write(inside.join("two.PDN.zst"), zstd::bulk::compress(random_pdn(2, 30).as_bytes(), 3).unwrap()).unwrap();
    fs::write(inside.join("three.pdn"), random_pdn(3, 5)).unwrap();
    fs::write(inside.join("picture.png.gz"), "no text").unwrap();
    crownhead_ends(&db, 0, &["import", inside.to_str().unwrap()]);
    let rows = crownhead_ends(&db, 0, &["--format", "csv", "sql", "SELECT read FROM sources ORDER BY read"]);
    assert_eq!(rows.replace('\r', ""), "read\n5\n20\n30\n");
    // The same text unpacked is held already.
    let plain = folder.path().join("one.pdn");
    fs::write(&plain, random_pdn(1, 20)).unwrap();
    assert!(crownhead(&db, &["import", plain.to_str().unwrap()]).err.contains("held already"));
}

#[test]
fn a_bomb_is_stopped_and_the_limit_told() {
    let folder = tempdir().unwrap();
    let (db, bomb) = (folder.path().join("a.db"), folder.path().join("bomb.pdn.gz"));
    gzip(&bomb, &vec![b' '; 80 << 20]);
    let ran = crownhead(&db, &["import", bomb.to_str().unwrap()]);
    assert_eq!(ran.status, Some(2), "{}", ran.err);
    assert!(ran.err.contains("200 times"), "{}", ran.err);
    // Cut short in the middle: an error, not an end.
    let cut = folder.path().join("cut.pdn.gz");
    gzip(&cut, random_pdn(4, 50).as_bytes());
    let bytes = fs::read(&cut).unwrap();
    fs::write(&cut, &bytes[..bytes.len() / 2]).unwrap();
    assert_eq!(crownhead(&db, &["import", cut.to_str().unwrap()]).status, Some(2));
}
