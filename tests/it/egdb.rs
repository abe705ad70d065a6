//! Endgame databases: counts, known positions, laws, files, and what kills do to them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use crownhead::board::{Color, Setup, Square, Value, Variant};
use crownhead::engine::EngineError;
use crownhead::engine::egdb::{self, Databases, Generated, GenerationOptions, Probed, Slice, ValueCounts};
use crownhead::notation::fen;
use crownhead::rules::Position;
use proptest::prelude::*;

/// Up to how many pieces the tests make distances.
const PIECES: u8 = 4;

fn options(folder: &Path, pieces: u8, distances: bool) -> GenerationOptions {
    GenerationOptions {
        variant: Variant::English,
        pieces,
        distances,
        folder: folder.to_owned(),
        threads: 2,
        memory: None,
    }
}

fn generate(options: &GenerationOptions) -> Result<Generated, EngineError> {
    egdb::generate(options, &AtomicBool::new(false), &|_| {})
}

/// Databases of [`PIECES`] pieces with distances, made once for all tests.
pub(crate) fn made() -> &'static (tempfile::TempDir, Generated, Databases) {
    static MADE: OnceLock<(tempfile::TempDir, Generated, Databases)> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let generated = generate(&options(folder.path(), PIECES, true)).unwrap();
        let databases = Databases::open(&[folder.path()], Variant::English).unwrap();
        (folder, generated, databases)
    })
}

fn position(text: &str) -> Position {
    Position::from_setup(&fen::read(text, Variant::English).unwrap().setup).unwrap()
}

/// The published counts by slice, the side to move named first.
fn published() -> BTreeMap<String, ValueCounts> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/egdb/slices.csv");
    let text = fs::read_to_string(file).unwrap();
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |at: usize| fields[at].parse().unwrap();
        let counts = ValueCounts {
            wins: number(2),
            losses: number(3),
            draws: number(4),
            captures: number(7),
            longest_win: number(5) as u16,
            longest_loss: number(6) as u16,
        };
        assert_eq!(counts.positions(), number(1));
        (fields[0].to_owned(), counts)
    };
    text.lines().skip(1).map(row).collect()
}

/// Holds counts against the published ones; how many slices were compared.
fn assert_counts(generated: &Generated, distances: bool) -> usize {
    let published = published();
    let mut compared = 0;
    for made in &generated.slices {
        for (slice, mut counts) in [(made.slice, made.counts[0]), (made.slice.mirror(), made.counts[1])] {
            let expected = published[&slice.to_string()];
            if !distances {
                (counts.longest_win, counts.longest_loss) = (expected.longest_win, expected.longest_loss);
            }
            assert_eq!(counts, expected, "{slice}");
            compared += usize::from(made.slice == slice) + usize::from(slice != made.slice);
            if slice == slice.mirror() {
                break;
            }
        }
    }
    compared
}

#[test]
fn counts_are_the_published_ones_slice_by_slice() {
    assert_eq!(assert_counts(&made().1, true), 41);
}

#[test]
fn the_shipped_counts_are_the_published_ones() {
    let (published, shipped) = (published(), Databases::embedded(Variant::English).unwrap());
    assert_eq!(shipped.pieces(), 5);
    let mut totals = [0_u64; 4];
    for info in shipped.slices() {
        for (half, slice) in [info.slice, info.slice.mirror()].into_iter().enumerate().take(2) {
            let (counts, expected) = (info.counts[half], published[&slice.to_string()]);
            assert_eq!((counts.wins, counts.losses, counts.draws), (expected.wins, expected.losses, expected.draws));
            assert_eq!(info.distance_bytes.is_some(), slice.pieces() <= PIECES, "{slice}");
            if slice.pieces() <= PIECES {
                assert_eq!(counts, expected, "{slice}");
            }
            if half == 0 || slice != info.slice {
                totals[usize::from(slice.pieces()) - 2] += counts.positions();
            }
        }
    }
    assert_eq!(totals, [3_488, 196_032, 6_209_316, 139_450_808]);
}

/// Minutes of work: `cargo test --release --test it egdb::six -- --ignored`.
#[test]
#[ignore = "minutes of work; cargo test --release --test it egdb::six -- --ignored"]
fn six_pieces_are_the_published_ones() {
    let folder = tempfile::tempdir().unwrap();
    let generated = generate(&options(folder.path(), 6, false)).unwrap();
    assert_eq!(assert_counts(&generated, false), 155);
    let bytes: u64 = generated.slices.iter().map(|made| made.bytes).sum();
    assert!(bytes < 40_000_000, "{bytes} bytes");
}

/// Positions with published values and distances.
fn published_positions() -> Vec<(Position, Value, Option<u16>)> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/egdb/positions.tsv");
    let text = fs::read_to_string(file).unwrap();
    let row = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let value = [Value::Win, Value::Draw, Value::Loss].into_iter().find(|value| value.name() == fields[1]).unwrap();
        (position(fields[0]), value, fields[2].parse().ok())
    };
    text.lines().skip(1).map(row).collect()
}

fn pieces(position: &Position) -> u32 {
    position.pieces(Color::Black).count() + position.pieces(Color::White).count()
}

#[test]
fn published_positions_have_their_values() {
    let (shipped, distances) = (Databases::embedded(Variant::English).unwrap(), &made().2);
    let positions = published_positions();
    assert!(positions.len() > 600);
    for (position, value, plies) in positions {
        let text = fen::write(&position.setup());
        let plies = plies.filter(|_| pieces(&position) <= PIECES.into());
        assert_eq!(shipped.probe(&position).unwrap(), Some(Probed { value, plies }), "{text}");
        if pieces(&position) <= PIECES.into() {
            assert_eq!(distances.probe(&position).unwrap(), Some(Probed { value, plies }), "{text}");
        }
    }
}

#[test]
fn known_positions() {
    use Value::{Draw, Loss, Win};
    let (shipped, distances) = (Databases::embedded(Variant::English).unwrap(), &made().2);
    // The second and later ones of five pieces are also told by longer files; here their values.
    for (text, value, plies) in [
        ("W:WK19,K23:B12,K28", Win, Some(61)),
        ("B:WK19,K23:B12,K28", Draw, None),
        ("W:W20,K15:B12,K28", Win, Some(81)),
        ("W:WK22,K23,K24:BK31,K32", Win, Some(15)),
        ("B:WK22,K23,K24:BK31,K32", Loss, Some(36)),
        ("W:W13,5,K2:BK14,10,1", Draw, None),
        ("W:WK12:BK19", Loss, None),
        ("B:WK12:BK19", Draw, None),
        ("W:WK19:BK12", Draw, None),
        ("B:WK19:BK12", Loss, None),
    ] {
        let position = position(text);
        if pieces(&position) > 5 {
            assert_eq!(shipped.value(&position).unwrap(), None, "{text}");
            continue;
        }
        assert_eq!(shipped.value(&position).unwrap(), Some(value), "{text}");
        if pieces(&position) <= PIECES.into() && plies.is_some() {
            assert_eq!(distances.probe(&position).unwrap(), Some(Probed { value, plies }), "{text}");
        }
    }
}

#[test]
fn a_side_without_pieces_has_lost() {
    let shipped = Databases::embedded(Variant::English).unwrap();
    let probe = |text| shipped.probe(&position(text)).unwrap().unwrap();
    assert_eq!(probe("W:W:BK19"), Probed { value: Value::Loss, plies: Some(0) });
    assert_eq!(probe("B:W:B19"), Probed { value: Value::Win, plies: Some(1) });
    assert_eq!(shipped.value(&Position::start(Variant::English)).unwrap(), None);
}

/// A legal position of these pieces, if they make one.
fn random_position(pieces: &[(u8, bool, bool)], turn: Color) -> Option<Position> {
    let mut setup = Setup { turn: Some(turn), ..Setup::empty(Variant::English) };
    for &(square, black, king) in pieces {
        let square = Square::new(square);
        if setup.piece_at(square).is_none() {
            if black {
                setup.black.insert(square);
            } else {
                setup.white.insert(square);
            }
            if king {
                setup.kings.insert(square);
            }
        }
    }
    Position::from_setup(&setup).ok()
}

/// What the legal moves of the rules make of the values after them.
fn from_successors(databases: &Databases, position: &Position) -> Probed {
    let mut best: Option<Probed> = None;
    for played in position.legal_moves() {
        let next = databases.probe(&position.play_unchecked(&played)).unwrap().unwrap();
        let told = Probed { value: next.value.turned(), plies: next.plies.map(|plies| plies + 1) };
        let key = |told: &Probed| match told.value {
            Value::Win => (2, -i32::from(told.plies.unwrap_or(0))),
            Value::Draw => (1, 0),
            Value::Loss => (0, told.plies.unwrap_or(0).into()),
        };
        best = Some(match best {
            Some(best) if key(&best) >= key(&told) => best,
            _ => told,
        });
    }
    best.unwrap_or(Probed { value: Value::Loss, plies: Some(0) })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// Along random play every value is the best that follows from the moves of the rules, and colours reversed it is the same.
    #[test]
    fn a_value_is_the_best_of_its_successors(
        pieces in prop::collection::vec((0_u8..32, any::<bool>(), any::<bool>()), 2..=5),
        black: bool,
        choices in prop::collection::vec(any::<prop::sample::Index>(), 30),
    ) {
        let (shipped, distances) = (Databases::embedded(Variant::English).unwrap(), &made().2);
        let turn = if black { Color::Black } else { Color::White };
        let Some(mut position) = random_position(&pieces, turn) else { return Ok(()) };
        for choice in choices {
            let value = shipped.value(&position).unwrap().unwrap();
            prop_assert_eq!(value, from_successors(&shipped, &position).value, "{}", fen::write(&position.setup()));
            prop_assert_eq!(shipped.value(&position.reversed()).unwrap(), Some(value));
            if let Some(told) = distances.probe(&position).unwrap() {
                prop_assert_eq!(told.value, value);
                prop_assert_eq!(told.plies.is_some(), value != Value::Draw);
                prop_assert_eq!(told, from_successors(distances, &position), "{}", fen::write(&position.setup()));
            }
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play_unchecked(&moves[choice.index(moves.len())]);
        }
    }
}

#[test]
fn unpacked_values_are_the_packed_ones() {
    let shipped = Databases::embedded(Variant::English).unwrap();
    let unpacked = shipped.unpacked(4, 2, &AtomicBool::new(false)).unwrap();
    for (position, value, _) in published_positions() {
        assert_eq!(unpacked.value(&position).unwrap(), Some(value));
    }
}

#[test]
fn verify_finds_nothing_wrong_with_what_was_made() {
    let checked = egdb::verify(&made().2, None, 2, &AtomicBool::new(false), &mut |_| {}).unwrap();
    let positions: u64 = checked.iter().map(|slice| slice.positions).sum();
    assert_eq!(positions, 3_488 + 196_032 + 6_209_316);
    for slice in checked {
        assert_eq!((slice.wrong, slice.damage, slice.counts_agree), (0, None, Some(true)), "{}", slice.slice);
    }
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap())).collect()
}

/// A folder with the databases of three pieces and distances.
fn three() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    generate(&options(folder.path(), 3, true)).unwrap();
    folder
}

#[test]
fn damage_is_refused_by_the_name_of_the_slice() {
    let folder = three();
    let whole = files(folder.path());
    let lone = position("W:WK1,K28:BK32");
    for name in ["KKvK.wld", "KKvK.plies"] {
        let (path, bytes) = (folder.path().join(name), &whole[name]);
        let refused = |damaged: &[u8], what: &str| {
            fs::write(&path, damaged).unwrap();
            let told = Databases::open(&[folder.path()], Variant::English).and_then(|databases| {
                // A chunk is looked at when it is first needed.
                databases.probe(&lone)?;
                databases.probe(&position("B:WK1,K28:BK32"))
            });
            let error = told.expect_err(what).to_string();
            assert!(error.contains("KKvK") || error.contains("KvKK"), "{what}: {error}");
            error
        };
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            refused(&damaged, &format!("{name}: byte {at} changed"));
        }
        for length in [0, 1, 7, 20, bytes.len() / 2, bytes.len() - 1] {
            refused(&bytes[..length], &format!("{name}: cut to {length}"));
        }
        refused(&[&bytes[..], b"x"].concat(), "a byte more");
        assert!(
            refused(b"SQLite format 3 and so on, for more bytes than a header has: ".repeat(9).as_slice(), "foreign")
                .contains("no endgame database")
        );
        let mut newer = bytes.clone();
        newer[8] = 9;
        assert!(refused(&newer, "newer").contains("version 9"));
        refused(&whole["KvK.wld"], "another slice");
        fs::write(&path, bytes).unwrap();
    }
    assert!(Databases::open(&[folder.path()], Variant::English).unwrap().probe(&lone).unwrap().is_some());
}

#[test]
fn verify_tells_of_damage_and_goes_on() {
    let folder = three();
    let path = folder.path().join("KMvK.wld");
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, bytes).unwrap();
    let databases = Databases::open(&[folder.path()], Variant::English).unwrap();
    let checked = egdb::verify(&databases, Some(100), 1, &AtomicBool::new(false), &mut |_| {}).unwrap();
    // Slices that lead to the damaged one cannot be checked either, and tell why.
    let damaged: Vec<_> = checked.iter().filter_map(|slice| Some((slice.slice, slice.damage.as_ref()?))).collect();
    assert_eq!(damaged[0].0, Slice::from_name("KMvK").unwrap());
    assert!(damaged.iter().all(|(_, damage)| damage.contains("KMvK.wld")), "{damaged:?}");
    assert_eq!(checked.len(), 9);
}

#[test]
fn a_run_goes_on_from_what_is_there() {
    let folder = three();
    let whole = files(folder.path());
    for gone in ["KKvM.wld", "KvK.plies", "MMvM.wld"] {
        fs::remove_file(folder.path().join(gone)).unwrap();
    }
    if Path::new("/proc/self").exists() {
        // Of a process that is gone: the number is above the largest one.
        fs::write(folder.path().join(".crownhead-4194400-0.partial"), b"half of it").unwrap();
    }
    let again = generate(&options(folder.path(), 3, true)).unwrap();
    let made: Vec<String> = again.slices.iter().filter(|made| made.made).map(|made| made.slice.to_string()).collect();
    assert_eq!(made, ["KvK", "KKvM", "MMvM"]);
    assert_eq!(files(folder.path()), whole);
}

#[test]
fn too_little_memory_is_refused_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let bound = GenerationOptions { memory: Some(100_000), ..options(folder.path(), 4, false) };
    let error = generate(&bound).unwrap_err();
    assert!(matches!(error, EngineError::Memory { .. }), "{error}");
    let raised = AtomicBool::new(true);
    let stopped = egdb::generate(&options(folder.path(), 4, false), &raised, &|_| {});
    assert!(matches!(stopped, Err(EngineError::Stopped)));
    assert!(matches!(generate(&options(folder.path(), 9, false)), Err(EngineError::Pieces { .. })));
}

fn command(folder: &Path, distances: bool) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crownhead"));
    command.args(["--quiet", "egdb", "generate", "--pieces", "4", "--threads", "2", "--dir"]).arg(folder);
    if distances {
        command.arg("--distance");
    }
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Runs that are killed again and again leave, once one of them ends, the files of a run that nobody disturbed. The number of
/// kills can be set: `CROWNHEAD_KILLS=200 cargo test --release --test it egdb::kills`.
#[test]
fn kills_leave_whole_files() {
    let kills: u32 = std::env::var("CROWNHEAD_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(5);
    let expected: BTreeMap<String, Vec<u8>> = files(made().0.path());
    let took = {
        let folder = tempfile::tempdir().unwrap();
        let started = Instant::now();
        assert!(command(folder.path(), true).status().unwrap().success());
        assert_eq!(files(folder.path()), expected);
        started.elapsed()
    };
    let (mut random, mut killed) = (0x2545_f491_4f6c_dd1d_u64, 0);
    while killed < kills {
        let folder = tempfile::tempdir().unwrap();
        // Short enough that many kills strike before the end, wherever it has come to.
        loop {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let mut child = command(folder.path(), true).spawn().unwrap();
            thread::sleep(took.mul_f64((random >> 11) as f64 / (1_u64 << 53) as f64 * 0.8) + Duration::from_millis(1));
            let ended = child.try_wait().unwrap();
            if ended.is_some_and(|status| status.success()) {
                break;
            }
            child.kill().unwrap();
            child.wait().unwrap();
            killed += 1;
            for (name, bytes) in files(folder.path()) {
                assert!(name.ends_with(".partial") || expected.get(&name) == Some(&bytes), "{name} is not whole");
            }
            if killed >= kills {
                assert!(command(folder.path(), true).status().unwrap().success());
                break;
            }
        }
        assert_eq!(files(folder.path()), expected);
    }
}

#[test]
fn two_runs_do_not_share_a_folder() {
    let folder: PathBuf = made().0.path().to_owned();
    let lock = fs::File::open(folder.join("lock")).unwrap();
    lock.lock().unwrap();
    let error = generate(&options(&folder, 2, false)).unwrap_err();
    assert!(matches!(error, EngineError::Locked(_)), "{error}");
}
