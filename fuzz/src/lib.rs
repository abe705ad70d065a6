//! What every fuzz target does: check a law on one input, within a bound of memory.
//!
//! The laws are in `tests/laws` of the project, where the test `laws` checks them too. Here they are checked on whatever libFuzzer
//! makes up. A law is broken by a panic on any thread, by taking more memory than [`MEMORY`], by running longer than the limit that
//! `fuzz/run` sets, or by a crash.

use std::alloc::System;
use std::path::Path;

use cap::Cap;

#[path = "../../tests/laws/mod.rs"]
mod laws;

/// Counts what is allocated. Memory that C libraries take for themselves is bounded by `-rss_limit_mb` instead.
#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Bytes that one input of a few kilobytes may take beside what is there before it.
pub const MEMORY: usize = 96 << 20;

/// The variable that names a folder for seeds: a target writes them there and ends.
const SEEDS: &str = "FUZZ_SEEDS";

/// Prepares the target of the law `name`.
pub fn start(name: &str) {
    let law = laws::law(name);
    if let Some(folder) = std::env::var_os(SEEDS) {
        laws::write_seeds(law, Path::new(&folder));
        std::process::exit(0);
    }
    // What is made once stands outside the bound.
    (law.check)(&[]);
    law.seeds().iter().take(1).for_each(|seed| (law.check)(seed));
}

/// Checks the law `name` on one input.
pub fn check(name: &str, input: &[u8]) {
    let bound = ALLOCATOR.allocated().saturating_add(MEMORY);
    ALLOCATOR.set_limit(bound).expect("the bound is above what is allocated");
    (laws::law(name).check)(input);
    ALLOCATOR.set_limit(usize::MAX).expect("there is no bound");
}

/// The body of a target.
#[macro_export]
macro_rules! target {
    ($name:literal) => {
        libfuzzer_sys::fuzz_target!(init: $crate::start($name), |input: &[u8]| $crate::check($name, input));
    };
}
