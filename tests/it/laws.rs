//! The laws that fuzzing checks, each on its seeds and on what fuzzing once found.

use std::panic::catch_unwind;

#[path = "../laws/mod.rs"]
#[expect(dead_code, reason = "the fuzz targets use the rest")]
mod shared;

/// Checks one law; a broken one names the input.
fn holds(name: &str) {
    let law = shared::law(name);
    let seeds = law.seeds();
    assert!(seeds.len() > 5, "{name} has {} seeds", seeds.len());
    for seed in &seeds {
        if catch_unwind(|| (law.check)(seed)).is_err() {
            panic!("the law {name} is broken by {:?}", String::from_utf8_lossy(seed));
        }
    }
    (law.check)(b"");
}

/// A test per law, so that they run side by side.
macro_rules! laws {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            holds(stringify!($name));
        })*

        #[test]
        fn every_law_is_tested_and_has_a_target() {
            let tested = [$(stringify!($name)),*];
            assert!(shared::LAWS.iter().map(|law| law.name).eq(tested), "a law has no test here");
            let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/targets");
            // A packed crate comes without the targets.
            let targets = !folder.is_dir() || tested.iter().all(|name| folder.join(format!("{name}.rs")).is_file());
            assert!(targets, "a law has no fuzz target");
        }
    };
}

laws!(pdn book_text json fen names archive certificate endgame_file sql_text damaged_database);
