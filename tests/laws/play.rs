//! The law of texts with play (PDN, the text of books, JSON): what is read is legal by the reference generator, and every game is
//! counted once as stored, partly stored, refused or a duplicate; `check` finds nothing damaged afterwards; what is exported as
//! PDN or JSON is read again without an error, adds nothing to the same database, and gives the same export from an empty one.

use crownhead::board::ResultOrder;
use crownhead::intake::InputForm;
use crownhead::store::Database;

use super::common::{Scratch, assert_whole, files, import_file, json as json_of, pdn as pdn_of};

pub(super) fn pdn(bytes: &[u8]) {
    check(bytes, InputForm::Pdn);
}

pub(super) fn book(bytes: &[u8]) {
    check(bytes, InputForm::Book);
}

pub(super) fn json(bytes: &[u8]) {
    check(bytes, InputForm::Json);
}

fn check(bytes: &[u8], form: InputForm) {
    // The order of results is an option of the reader, so it must not matter either.
    let order = [None, Some(ResultOrder::BlackFirst), Some(ResultOrder::WhiteFirst)][bytes.len() % 3];
    let scratch = Scratch::new();
    let mut database = Database::in_memory().expect("a database in memory");
    let path = scratch.file("input", bytes);
    let first = import_file(&mut database, &path, Some(form), order).expect("a database in memory takes it");
    assert_whole(&database);
    if first.report.total.lines > 0 {
        round_trip(&scratch, &mut database);
    }
}

/// What is exported comes back as it was, and adds nothing to what is there.
fn round_trip(scratch: &Scratch, database: &mut Database) {
    let exported = pdn_of(database);
    let before = database.totals().expect("totals");
    for (form, text) in [(InputForm::Pdn, exported.clone()), (InputForm::Json, json_of(database))] {
        let path = scratch.file("again", text.as_bytes());
        let again = import_file(database, &path, Some(form), None).expect("a database in memory takes it");
        assert_eq!(again.errors, [""; 0], "an export has errors:\n{text}");
        assert_eq!(again.report.total.duplicates, again.report.total.read, "an export adds games:\n{text}");
        let after = database.totals().expect("totals");
        assert_eq!((after.lines, after.plies), (before.lines, before.plies), "an export adds lines:\n{text}");

        let mut fresh = Database::in_memory().expect("a database in memory");
        import_file(&mut fresh, &path, Some(form), None).expect("a database in memory takes it");
        assert_eq!(pdn_of(&fresh), exported, "another export from:\n{text}");
    }
    assert_whole(database);
}

pub(super) fn pdn_seeds() -> Vec<Vec<u8>> {
    [files("tests/corpus/pdn", &["pdn"]), files("tests/fixtures", &["pdn"]), files("tests/report", &["pdn"])].concat()
}

pub(super) fn book_seeds() -> Vec<Vec<u8>> {
    [files("tests/corpus/book", &["txt"]), files("tests/fixtures", &["txt"]), files("tests/report", &["txt"])].concat()
}

/// What is exported of the seeds of the two others.
pub(super) fn json_seeds() -> Vec<Vec<u8>> {
    let texts = pdn_seeds().into_iter().map(|text| (InputForm::Pdn, text));
    let texts = texts.chain(book_seeds().into_iter().map(|text| (InputForm::Book, text)));
    let scratch = Scratch::new();
    let exports = texts.map(|(form, text)| {
        let mut database = Database::in_memory().expect("a database in memory");
        let path = scratch.file("seed", &text);
        import_file(&mut database, &path, Some(form), None).expect("a database in memory takes it");
        json_of(&database).into_bytes()
    });
    let short = |text: &Vec<u8>| text.len() > 3 && text.len() < 16 * 1024;
    exports.filter(short).collect()
}
