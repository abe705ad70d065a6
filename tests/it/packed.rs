//! Packed files: read as what is in them, and a bomb is stopped.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use tempfile::tempdir;

use crate::support::{crownhead, crownhead_ends, random_pdn};

fn gzip(path: &Path, bytes: &[u8]) {
    gzip_at(path, bytes, flate2::Compression::fast());
}

fn gzip_at(path: &Path, bytes: &[u8], level: flate2::Compression) {
    let mut out = flate2::write::GzEncoder::new(File::create(path).unwrap(), level);
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

/// Packs texts into an archive; a name that ends in `!` is encrypted.
fn archive(path: &Path, members: &[(&str, &[u8])]) {
    use zip::write::SimpleFileOptions;
    let mut out = zip::ZipWriter::new(File::create(path).unwrap());
    for (at, (name, bytes)) in members.iter().enumerate() {
        let method = if at % 2 == 0 { zip::CompressionMethod::Deflated } else { zip::CompressionMethod::Stored };
        out.start_file(*name, SimpleFileOptions::default().compression_method(method)).unwrap();
        out.write_all(bytes).unwrap();
    }
    out.finish().unwrap();
}

#[test]
fn each_text_of_an_archive_is_a_source() {
    let folder = tempdir().unwrap();
    let (db, zip) = (folder.path().join("a.db"), folder.path().join("games.zip"));
    let (one, two, three) = (random_pdn(1, 20), random_pdn(2, 30), random_pdn(3, 5));
    archive(
        &zip,
        &[
            ("one.pdn", one.as_bytes()),
            ("deep/er/two.PDN", two.as_bytes()),
            ("../../up\u{1b}[31m.pdn", three.as_bytes()),
            ("picture.png", b"no text"),
            ("empty/", b""),
        ],
    );
    crownhead_ends(&db, 0, &["import", zip.to_str().unwrap()]);
    let rows = crownhead_ends(&db, 0, &["--format", "csv", "sql", "SELECT name, read FROM sources ORDER BY read"]);
    let rows = rows.replace('\r', "").replace(folder.path().to_str().unwrap(), "");
    assert_eq!(rows, "name,read\n/games.zip/up?[31m.pdn,5\n/games.zip/one.pdn,20\n/games.zip/deep/er/two.PDN,30\n");
    let up = folder.path().parent().unwrap().join("up\u{1b}[31m.pdn");
    assert!(!up.exists(), "nothing is unpacked to disk");
    // By a folder, and by its first bytes where the name says nothing; all of it is held.
    let renamed = folder.path().join("archive");
    fs::rename(&zip, &renamed).unwrap();
    assert!(crownhead(&db, &["import", renamed.to_str().unwrap()]).err.contains("held already"));
    fs::rename(&renamed, &zip).unwrap();
    archive(&folder.path().join("other.zip"), &[("readme.md", b"nothing")]);
    let ran = crownhead(&db, &["import", folder.path().to_str().unwrap()]);
    assert!(ran.status == Some(0) && ran.err.contains("held already"), "{}", ran.err);
    let alone = crownhead(&db, &["import", folder.path().join("other.zip").to_str().unwrap()]);
    assert!(alone.status == Some(2) && alone.err.contains("no .pdn or .txt file in the archive"), "{}", alone.err);
}

#[test]
fn a_member_that_cannot_be_read_does_not_keep_the_others_out() {
    let folder = tempdir().unwrap();
    let (db, zip) = (folder.path().join("a.db"), folder.path().join("games.zip"));
    let (one, two) = (random_pdn(1, 20), random_pdn(2, 30));
    let texts =
        [("a.pdn", one.as_bytes()), ("b.pdn", two.as_bytes()), ("c.pdn", two.as_bytes()), ("d.pdn", one.as_bytes())];
    archive(&zip, &texts);
    let mut bytes = fs::read(&zip).unwrap();
    let each = |bytes: &[u8], sign: &[u8]| -> Vec<usize> { memchr::memmem::find_iter(bytes, sign).collect() };
    let central = each(&bytes, b"PK\x01\x02");
    assert_eq!(central.len(), 4);
    // The second says that it is encrypted, the third that it is packed by a way that is not read, the fourth is damaged.
    bytes[central[1] + 8] |= 1;
    bytes[central[2] + 10] = 14;
    let stored = memchr::memmem::rfind(&bytes[..central[0]], b"Seed 1").unwrap();
    bytes[stored] = b's';
    fs::write(&zip, &bytes).unwrap();
    let ran = crownhead(&db, &["import", zip.to_str().unwrap()]);
    assert_eq!(ran.status, Some(2), "{}", ran.err);
    for told in ["b.pdn: it is encrypted", "c.pdn: it is packed by", "d.pdn", "unpacks to another text than was packed"]
    {
        assert!(ran.err.contains(told), "{told}: {}", ran.err);
    }
    let games =
        crownhead_ends(&db, 0, &["--format", "csv", "sql", "SELECT count(*) FROM games WHERE source LIKE '%a.pdn'"]);
    assert!(games.contains("20"), "{games}");
    // An archive cut short is told as a whole.
    fs::write(&zip, &bytes[..bytes.len() / 2]).unwrap();
    let ran = crownhead(&db, &["import", zip.to_str().unwrap()]);
    assert!(ran.status == Some(2) && ran.err.contains("cannot open"), "{}", ran.err);
    // And a bomb as a packed file is.
    archive(&zip, &[("bomb.pdn", &vec![b' '; 80 << 20])]);
    let ran = crownhead(&db, &["import", zip.to_str().unwrap()]);
    assert!(ran.status == Some(2) && ran.err.contains("200 times"), "{}", ran.err);
}

#[test]
fn a_bad_archive_in_a_folder_does_not_keep_the_others_out() {
    let folder = tempdir().unwrap();
    let (inside, db) = (folder.path().join("in"), folder.path().join("a.db"));
    fs::create_dir(&inside).unwrap();
    archive(&inside.join("bad.zip"), &[("a.pdn", random_pdn(1, 20).as_bytes())]);
    let bytes = fs::read(inside.join("bad.zip")).unwrap();
    fs::write(inside.join("bad.zip"), &bytes[..bytes.len() / 2]).unwrap();
    // Of the second archive, the place where a member starts is damaged.
    let half = inside.join("half.zip");
    archive(&half, &[("b.pdn", random_pdn(2, 30).as_bytes()), ("c.pdn", random_pdn(3, 5).as_bytes())]);
    let mut bytes = fs::read(&half).unwrap();
    bytes[0] = b'X';
    fs::write(&half, &bytes).unwrap();
    fs::write(inside.join("d.pdn"), random_pdn(4, 7)).unwrap();
    for command in ["verify", "import"] {
        let ran = crownhead(&db, &[command, inside.to_str().unwrap()]);
        assert_eq!(ran.status, Some(2), "{command}: {}", ran.err);
        assert!(ran.err.contains("bad.zip: ") && ran.err.contains("half.zip/b.pdn: "), "{command}: {}", ran.err);
    }
    let rows = crownhead_ends(&db, 0, &["--format", "csv", "sql", "SELECT read FROM sources ORDER BY read"]);
    assert_eq!(rows.replace('\r', ""), "read\n5\n7\n");
}

/// The directory of an archive is read once, not once a member.
#[test]
fn many_members_are_read_in_the_time_of_many_files() {
    let folder = tempdir().unwrap();
    let zip = folder.path().join("many.zip");
    let text = b"1. 11-15 *\n";
    let names: Vec<String> = (0..4_000).map(|at| format!("{at}.pdn")).collect();
    archive(&zip, &names.iter().map(|name| (name.as_str(), &text[..])).collect::<Vec<_>>());
    let inputs = crownhead::intake::inputs(&[zip]).unwrap();
    assert_eq!(inputs.len(), 4_000);
    let start = std::time::Instant::now();
    assert!(inputs.iter().all(|input| crownhead::intake::look(input).is_ok()));
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}

#[test]
fn what_is_no_text_is_refused_and_makes_no_database() {
    let folder = tempdir().unwrap();
    let db = folder.path().join("new.db");
    let picture = [&b"\x89PNG\r\n\x1a\n"[..], &(0..=255).collect::<Vec<u8>>()].concat();
    let noise: Vec<u8> = (0..20_000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for (name, bytes, told) in [
        ("a.png", &picture[..], "a PNG picture"),
        ("games.pdn", &picture, "a PNG picture"),
        ("b.db", b"SQLite format 3\0and more", "an SQLite database"),
        ("program", b"\x7fELF\x02\x01\x01\0\0", "a program"),
        ("book.txt", b"%PDF-1.7\n1 0 obj", "a PDF document"),
        ("noise.pdn", &noise, "binary data"),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        for command in ["import", "verify"] {
            let ran = crownhead(&db, &[command, path.to_str().unwrap()]);
            assert_eq!(ran.status, Some(2), "{command} {name}: {}", ran.err);
            assert!(ran.err.contains("is not text") && ran.err.contains(told), "{command} {name}: {}", ran.err);
        }
        assert!(!db.exists(), "{name}");
    }
    // Packed ones are known too, and beside play they do not keep it out.
    gzip(&folder.path().join("c.pdn.gz"), &picture);
    fs::write(folder.path().join("play.pdn"), random_pdn(1, 3)).unwrap();
    let both = [folder.path().join("c.pdn.gz"), folder.path().join("play.pdn")];
    let ran = crownhead(&db, &["import", both[0].to_str().unwrap(), both[1].to_str().unwrap()]);
    assert!(ran.status == Some(2) && ran.err.contains("c.pdn.gz is not text"), "{}", ran.err);
    assert_eq!(crownhead_ends(&db, 0, &["--format", "csv", "games"]).lines().count(), 4);
}

#[test]
fn a_bomb_is_stopped_and_the_limit_told() {
    let folder = tempdir().unwrap();
    let (db, bomb) = (folder.path().join("a.db"), folder.path().join("bomb.pdn.gz"));
    gzip(&bomb, &vec![b' '; 80 << 20]);
    let ran = crownhead(&db, &["import", bomb.to_str().unwrap()]);
    assert_eq!(ran.status, Some(2), "{}", ran.err);
    assert!(ran.err.contains("200 times"), "{}", ran.err);
    // Packed twice, each time by less than the limit: what was packed first is measured by the outermost bytes.
    let mut state = 1_u32;
    let mut letter = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from(b'a' + (state >> 24) as u8 % 26)
    };
    let block: String = (0..8_192).map(|_| letter()).collect();
    let text = format!("{{{}}} 1. 11-15 *", block.repeat(5_000));
    gzip_at(&bomb, text.as_bytes(), flate2::Compression::default());
    let once = fs::read(&bomb).unwrap();
    assert!(text.len() / once.len() < 190, "{}", once.len());
    let twice = folder.path().join("twice.zip");
    archive(&twice, &[("bomb.pdn.gz", &once)]);
    assert!(text.len() as u64 / fs::metadata(&twice).unwrap().len() > 210);
    let ran = crownhead(&db, &["import", twice.to_str().unwrap()]);
    assert!(ran.status == Some(2) && ran.err.contains("200 times"), "{}", ran.err);
    // Cut short in the middle: told, and the games before it are kept.
    let cut = folder.path().join("cut.pdn.gz");
    gzip(&cut, random_pdn(4, 50).as_bytes());
    let bytes = fs::read(&cut).unwrap();
    fs::write(&cut, &bytes[..bytes.len() / 2]).unwrap();
    let ran = crownhead(&db, &["import", cut.to_str().unwrap()]);
    assert!(ran.status == Some(1) && ran.err.contains("error: cannot read"), "{:?} {}", ran.status, ran.err);
}

#[test]
fn games_before_the_damage_of_a_packed_text_are_kept() {
    let folder = tempdir().unwrap();
    let text = random_pdn(4, 50);
    let packed = folder.path().join("a.pdn.gz");
    gzip(&packed, text.as_bytes());
    let whole = fs::read(&packed).unwrap();
    let import = |name: &str, bytes: &[u8]| {
        let (db, file) = (folder.path().join(format!("{name}.db")), folder.path().join(format!("{name}.pdn.gz")));
        fs::write(&file, bytes).unwrap();
        let checked = crownhead(&db, &["verify", file.to_str().unwrap()]);
        let ran = crownhead(&db, &["import", file.to_str().unwrap()]);
        assert_eq!((checked.status, ran.status), (Some(1), Some(1)), "{name}: {}{}", checked.err, ran.err);
        assert!(ran.err.contains("error: cannot read") && ran.err.contains(name), "{name}: {}", ran.err);
        let games = crownhead_ends(&db, 0, &["--quiet", "export", "pdn"]);
        // Every game is one of the text, whole.
        for moves in games.split("\n\n").filter(|part| part.starts_with("1.")) {
            let words =
                |text: &str| text.split_whitespace().filter(|w| !w.ends_with('.')).collect::<Vec<_>>().join(" ");
            assert!(words(&text).contains(words(moves).rsplit_once(' ').unwrap().0), "{name}: {moves}");
        }
        let complete =
            crownhead_ends(&db, 0, &["--format", "csv", "sql", "SELECT count(*) AS n FROM sources WHERE complete"]);
        assert_eq!(complete, "n\n0\n", "{name}");
        games.matches("[Event ").count()
    };
    for (name, garbage) in [("two", &b"xy"[..]), ("long", &[b'x'; 5_000])] {
        assert_eq!(import(name, &[&whole[..], garbage].concat()), 50, "{name}");
    }
    let mut before = 0;
    for (name, length) in [("third", whole.len() / 3), ("half", whole.len() / 2), ("most", whole.len() - 200)] {
        let games = import(name, &whole[..length]);
        assert!(games > before && games < 50, "{name}: {games}");
        before = games;
    }
}

#[test]
fn a_text_of_another_checksum_is_kept_and_said_to_be_doubtful() {
    let folder = tempdir().unwrap();
    let (db, packed) = (folder.path().join("a.db"), folder.path().join("a.pdn.gz"));
    gzip(&packed, random_pdn(4, 50).as_bytes());
    let mut bytes = fs::read(&packed).unwrap();
    // The checksum stands before the last four bytes.
    let at = bytes.len() - 5;
    bytes[at] ^= 1;
    fs::write(&packed, bytes).unwrap();
    let name = packed.to_str().unwrap();
    for args in [&["verify", name][..], &["import", name]] {
        let ran = crownhead(&db, args);
        assert_eq!(ran.status, Some(1), "{}", ran.err);
        assert!(ran.err.contains("a.pdn.gz is damaged") && ran.err.contains("look for another copy"), "{}", ran.err);
        assert!(!ran.err.contains("right file"), "{}", ran.err);
    }
    let sources = crownhead_ends(&db, 0, &["--format", "csv", "--columns", "games,complete", "sources"]);
    assert_eq!(sources, "games,complete\n50,false\n");
}

#[test]
fn a_member_whose_name_another_has_is_not_dropped_in_silence() {
    let folder = tempfile::tempdir().unwrap();
    let (db, file) = (folder.path().join("a.db"), folder.path().join("twice.zip"));
    archive(&file, &[("a.pdn", b"1. 11-15 23-19 *\n"), ("b.pdn", b"1. 9-13 22-18 *\n")]);
    let mut bytes = fs::read(&file).unwrap();
    for at in 0..bytes.len() - 5 {
        if &bytes[at..at + 5] == b"b.pdn" {
            bytes[at] = b'a';
        }
    }
    fs::write(&file, bytes).unwrap();
    let ran = crownhead(&db, &["import", file.to_str().unwrap()]);
    assert_ne!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.err.contains("1 of its members have a name that another has"), "{}", ran.err);
    assert!(ran.err.contains("Read 1 = 1 stored"), "{}", ran.err);
}
