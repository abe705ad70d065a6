//! What several laws need: fixtures, a scratch folder, imports that check legality, exports.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use crownhead::board::{Move, ResultOrder, Variant};
use crownhead::book::Book;
use crownhead::cli::game_object;
use crownhead::game::{ReplayOptions, Severity};
use crownhead::import::{self, ImportError, ImportObserver, ImportOptions, ImportReport, findings};
use crownhead::intake::{self, Chunk, Input, InputForm};
use crownhead::query::{self, Filters, Sort};
use crownhead::render::JsonGames;
use crownhead::rules::Position;
use crownhead::store::Database;
use crownhead::table::Row;

/// Seeds that are longer slow fuzzing down.
const LONGEST_SEED: usize = 8 * 1024;

/// The book of names, read once.
pub(super) static BOOK: LazyLock<Book> = LazyLock::new(|| Book::embedded().expect("the embedded book is whole"));

/// The contents of the files in a folder of the project whose names end in one of `endings`, folders below included; of all
/// files where no ending is given.
pub(super) fn files(folder: impl AsRef<Path>, endings: &[&str]) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // The fuzz crate stands in a folder of the project.
    let root = root.ancestors().find(|root| root.join("tests/laws").is_dir()).unwrap_or(root);
    let (mut open, mut found) = (vec![root.join(folder)], Vec::new());
    while let Some(folder) = open.pop() {
        for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                open.push(path);
            } else if endings.is_empty() || path.extension().is_some_and(|e| endings.iter().any(|known| e == *known)) {
                found.push(path);
            }
        }
    }
    found.sort();
    let read = found.iter().map(|path| fs::read(path).expect("a fixture can be read"));
    read.filter(|bytes| bytes.len() <= LONGEST_SEED).collect()
}

/// Panics unless `moves` are legal one after the other by the reference generator; the position they lead to.
pub(super) fn assert_legal(start: Position, moves: &[Move]) -> Position {
    moves.iter().fold(start, |position, played| {
        assert!(position.legal_moves_generic().contains(played), "{played:?} is not legal in {position:?}");
        position.play(played).expect("both generators agree")
    })
}

/// A folder for the files of one input, removed with it.
pub(super) struct Scratch(tempfile::TempDir);

impl Scratch {
    pub(super) fn new() -> Self {
        Self(tempfile::tempdir().expect("a scratch folder"))
    }

    /// The path of a file in it.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file.
    pub(super) fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, bytes).expect("a scratch file can be written");
        path
    }
}

/// What an import came to.
pub(super) struct Imported {
    pub(super) report: ImportReport,
    /// Findings that are errors.
    pub(super) errors: Vec<String>,
}

/// Checks what is read, and keeps its errors.
struct Watch<'a>(&'a mut Vec<String>);

impl ImportObserver for Watch<'_> {
    fn chunk(&mut self, _: &Input, chunk: &Chunk) {
        for game in chunk.games.iter().filter_map(|replayed| replayed.game.as_ref()) {
            let end = assert_legal(*game.line().start(), game.line().moves());
            assert_eq!(end, *game.line().end());
            for (at, branch) in game.branches().iter().enumerate() {
                let parent = branch.parent.map_or(game.line(), |parent| {
                    assert!((parent as usize) < at, "a branch stands before the line it leaves");
                    &game.branches()[parent as usize].line
                });
                let before = branch.ply.checked_sub(1).and_then(|ply| parent.positions().nth(ply as usize));
                assert_eq!(before, Some(*branch.line.start()), "a branch starts elsewhere");
                assert_legal(*branch.line.start(), branch.line.moves());
            }
        }
        let errors = findings(chunk).filter(|finding| finding.severity == Severity::Error);
        self.0.extend(errors.map(|finding| format!("{finding:?}")));
    }
}

/// Imports a file; everything that is read must be legal, and every game must be counted once.
pub(super) fn import_file(
    database: &mut Database,
    path: &Path,
    form: Option<InputForm>,
    order: Option<ResultOrder>,
) -> Result<Imported, ImportError> {
    let inputs = intake::inputs(&[path.to_owned()])?;
    let replay = ReplayOptions { result_order: order, ..ReplayOptions::for_variant(Variant::English) };
    let options = ImportOptions { intake: intake::ReadOptions { replay, form, threads: 1 }, strict: false };
    let mut errors = Vec::new();
    let stop = AtomicBool::new(false);
    let report = import::import(database, &inputs, &BOOK, &options, &stop, &mut Watch(&mut errors))?;
    for counts in report.files.iter().map(|file| file.counts).chain([report.total]) {
        assert_eq!(counts.read, counts.stored + counts.partly + counts.refused + counts.duplicates, "{report:?}");
    }
    Ok(Imported { report, errors })
}

/// The ids of all lines, in the order of exports.
pub(super) fn ids(database: &Database) -> Vec<u32> {
    query::line_ids(database, &Filters::default(), &Sort::default()).expect("a whole database lists its lines")
}

/// Everything as PDN.
pub(super) fn pdn(database: &Database) -> String {
    let text = |id| query::pdn(&query::record(database, id).expect("a whole line").expect("a line that is there"));
    ids(database).into_iter().map(text).collect()
}

/// Everything as JSON.
pub(super) fn json(database: &Database) -> String {
    let mut out = Vec::new();
    let mut games = JsonGames::new(false, &mut out);
    for id in ids(database) {
        let record = query::record(database, id).expect("a whole line").expect("a line that is there");
        let values = record.row.clone().values();
        games.game(&game_object(&record, &values)).expect("memory takes what is written");
    }
    games.finish().expect("memory takes what is written");
    String::from_utf8(out).expect("JSON is UTF-8")
}

/// Panics unless every stored line is legal and `check` finds nothing damaged.
pub(super) fn assert_whole(database: &Database) {
    for id in database.line_ids().expect("a whole database") {
        let line = database.line(id).expect("a whole line").expect("a line that is there");
        assert_legal(line.start, &line.moves);
    }
    let check = query::check(database).expect("a whole database");
    assert_eq!(check.errors, 0, "{:?}", check.rows);
}
