//! Laws that must hold for every input, however damaged: one module per kind of input.
//!
//! A law is a function over bytes that panics where it is broken. The same functions are called by the fuzz targets in `fuzz/`,
//! which look for inputs that break them, and by the test `laws`, which checks them on [`Law::seeds`] and on the inputs that
//! fuzzing once found (`found/LAW/*`).
//!
//! To add a law: write its module, add a row to [`LAWS`], and a target of the same name to `fuzz/`.

mod archive;
mod certificate;
mod common;
mod damaged_database;
mod endgame_file;
mod fen;
mod names;
mod play;
mod sql_text;

use std::fs;
use std::path::Path;

/// A law, by the name of its fuzz target.
pub(crate) struct Law {
    /// The name of the target.
    pub(crate) name: &'static str,
    /// Checks the law on one input.
    pub(crate) check: fn(&[u8]),
    seeds: fn() -> Vec<Vec<u8>>,
}

impl Law {
    /// The inputs that fuzzing starts from: the project's own fixtures, and what fuzzing found before.
    pub(crate) fn seeds(&self) -> Vec<Vec<u8>> {
        let mut seeds = (self.seeds)();
        seeds.extend(common::files(Path::new("tests/laws/found").join(self.name), &[]));
        seeds
    }
}

/// Every law.
pub(crate) const LAWS: &[Law] = &[
    Law { name: "pdn", check: play::pdn, seeds: play::pdn_seeds },
    Law { name: "book_text", check: play::book, seeds: play::book_seeds },
    Law { name: "json", check: play::json, seeds: play::json_seeds },
    Law { name: "fen", check: fen::check, seeds: fen::seeds },
    Law { name: "names", check: names::check, seeds: names::seeds },
    Law { name: "archive", check: archive::check, seeds: archive::seeds },
    Law { name: "certificate", check: certificate::check, seeds: certificate::seeds },
    Law { name: "endgame_file", check: endgame_file::check, seeds: endgame_file::seeds },
    Law { name: "sql_text", check: sql_text::check, seeds: sql_text::seeds },
    Law { name: "damaged_database", check: damaged_database::check, seeds: damaged_database::seeds },
];

/// The law of this name.
pub(crate) fn law(name: &str) -> &'static Law {
    LAWS.iter().find(|law| law.name == name).unwrap_or_else(|| panic!("there is no law {name:?}"))
}

/// Writes the seeds of a law into `folder`, one file per seed.
pub(crate) fn write_seeds(law: &Law, folder: &Path) {
    fs::create_dir_all(folder).expect("a folder for the seeds");
    for (number, seed) in law.seeds().iter().enumerate() {
        fs::write(folder.join(format!("seed-{number:03}")), seed).expect("a seed can be written");
    }
}
