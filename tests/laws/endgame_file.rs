//! The law of endgame database files: a file that was changed is refused, or `verify` finds what is wrong, or every value looked up is
//! the right one. Digests may be right although the rest is not.
//!
//! An input that begins like such a file is one, of two kings. Any other edits a whole file: a byte that chooses the file, a byte
//! that says what is made to fit again (1: the digests of chunks, 2: that of the header), a byte of how many bytes are cut off its end,
//! and three bytes per edit (offset, value).

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{LazyLock, Mutex};

use crownhead::board::{Bitboard, Color, Setup, Square, Variant};
use crownhead::engine::egdb::{Databases, GenerationOptions, Probed, generate, verify};
use crownhead::rules::Position;

/// Bytes before the table of chunks; see the format in `engine::egdb::file`.
const FIXED: usize = 8 + 2 + 1 + 1 + 4 + 2 + 2 * 36 + 8 + 2 * 4;
const ENTRY: usize = 16;
const DIGEST: usize = 16;

/// Whole databases of two pieces in a folder of their own.
struct Whole {
    folder: tempfile::TempDir,
    files: Vec<(PathBuf, Vec<u8>)>,
    positions: Vec<(Position, Option<Probed>)>,
}

/// One input at a time changes a file and puts it back.
static WHOLE: LazyLock<Mutex<Whole>> = LazyLock::new(|| Mutex::new(Whole::generate()));

impl Whole {
    fn generate() -> Self {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let options = GenerationOptions {
            variant: Variant::English,
            pieces: 2,
            distances: true,
            folder: folder.path().to_owned(),
            threads: 1,
            memory: None,
        };
        generate(&options, &AtomicBool::new(false), &|_| {}).expect("two pieces are generated");
        let entries = fs::read_dir(folder.path()).expect("the folder can be read").flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|e| e == "wld" || e == "plies"));
        paths.sort();
        let read = |path: PathBuf| (path.clone(), fs::read(path).expect("a file can be read"));
        let databases = Databases::open(&[folder.path()], Variant::English).expect("they are whole");
        let probed = |position: Position| (position, databases.probe(&position).expect("they are whole"));
        let positions = two_pieces().into_iter().map(probed).collect();
        Self { folder, files: paths.into_iter().map(read).collect(), positions }
    }
}

/// Every position of a black and a white piece with Black to move.
fn two_pieces() -> Vec<Position> {
    let squares = || (0..32).map(Square::new);
    let pairs = squares().flat_map(|black| squares().map(move |white| (black, white)));
    let all = pairs.flat_map(|(black, white)| (0..4).map(move |kings| (black, white, kings)));
    let position = |(black, white, kings): (Square, Square, u8)| {
        let mut setup = Setup { turn: Some(Color::Black), ..Setup::empty(Variant::English) };
        setup.black = Bitboard::from_square(black);
        setup.white = Bitboard::from_square(white);
        for (king, square) in [(1, black), (2, white)] {
            if kings & king != 0 {
                setup.kings.insert(square);
            }
        }
        Position::from_setup(&setup).ok()
    };
    all.filter_map(position).collect()
}

pub(super) fn check(bytes: &[u8]) {
    let whole = WHOLE.lock().expect("no law was broken before");
    let Some((path, changed)) = changed(&whole, bytes) else { return };
    fs::write(path, changed).expect("a scratch file can be written");
    holds(&whole);
    for (file, good) in whole.files.iter().filter(|(file, _)| file == path) {
        fs::write(file, good).expect("a scratch file can be written");
    }
}

/// The file that an input changes, and what it becomes.
fn changed<'w>(whole: &'w Whole, bytes: &[u8]) -> Option<(&'w PathBuf, Vec<u8>)> {
    if bytes.starts_with(b"CROWNEG\n") {
        return whole.files.first().map(|(path, _)| (path, bytes.to_vec()));
    }
    let [choice, fit, cut, edits @ ..] = bytes else { return None };
    let (path, good) = whole.files.get(usize::from(*choice) % whole.files.len())?;
    let mut changed = good.clone();
    for edit in edits.chunks_exact(3) {
        let at = usize::from(u16::from_le_bytes([edit[0], edit[1]])) % changed.len();
        changed[at] = edit[2];
    }
    changed.truncate(changed.len().saturating_sub(usize::from(*cut)));
    if fit & 1 != 0 {
        fit_chunks(&mut changed);
    }
    if fit & 2 != 0 {
        fit_header(&mut changed);
    }
    Some((path, changed))
}

fn number(bytes: &[u8]) -> usize {
    bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | usize::from(byte))
}

/// Where the table of chunks ends.
fn end_of_table(file: &[u8]) -> Option<usize> {
    let chunks = number(file.get(FIXED - 8..FIXED - 4)?).checked_add(number(file.get(FIXED - 4..FIXED)?))?;
    let end = FIXED.checked_add(chunks.checked_mul(ENTRY)?)?;
    (end.checked_add(DIGEST)? <= file.len()).then_some(end)
}

/// Makes the digests of the chunks fit their bytes.
fn fit_chunks(file: &mut [u8]) -> Option<()> {
    let end = end_of_table(file)?;
    let mut start = end + DIGEST;
    for entry in (FIXED..end).step_by(ENTRY) {
        let length = number(&file[entry..entry + 4]);
        let digest = blake3::hash(file.get(start..start.checked_add(length)?)?);
        file[entry + 8..entry + 16].copy_from_slice(&digest.as_bytes()[..8]);
        start += length;
    }
    Some(())
}

/// Makes the digest of the header fit it.
fn fit_header(file: &mut [u8]) -> Option<()> {
    let end = end_of_table(file)?;
    let digest = blake3::hash(&file[..end]);
    file[end..end + DIGEST].copy_from_slice(&digest.as_bytes()[..DIGEST]);
    Some(())
}

fn holds(whole: &Whole) {
    let Ok(databases) = Databases::open(&[whole.folder.path()], Variant::English) else { return };
    let checked = verify(&databases, None, 1, &AtomicBool::new(false), &mut |_| {}).expect("nothing stops it");
    let sound =
        checked.iter().all(|one| one.damage.is_none() && one.wrong == 0 && one.counts_agree.is_none_or(|agree| agree));
    for (position, right) in &whole.positions {
        let found = databases.probe(position);
        assert!(!sound || found.as_ref().is_ok_and(|found| found == right), "{position:?}: {found:?}, not {right:?}");
    }
}

pub(super) fn seeds() -> Vec<Vec<u8>> {
    let whole = WHOLE.lock().expect("no law was broken before");
    let mut seeds: Vec<Vec<u8>> =
        whole.files.iter().map(|(_, bytes)| bytes.clone()).filter(|b| b.len() < 8_192).collect();
    for file in 0..whole.files.len() as u8 {
        for fit in 0..4 {
            seeds.push(vec![file, fit, 0, 12, 0, 1, 30, 0, 2]);
            seeds.push(vec![file, fit, 3, 200, 0, 1, 44, 1, 2]);
        }
    }
    seeds
}
