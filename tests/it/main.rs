//! The one integration binary: a module a subject.

#![allow(
    clippy::unwrap_used,
    reason = "a test may fail by panic; the lint exempts only test functions, not their helpers"
)]

mod access;
mod annotate;
mod architecture;
mod backup;
mod book;
mod book_text;
mod broken;
mod check;
mod circles;
mod cli;
mod copies;
mod data;
mod database;
mod disk;
mod egdb;
mod endings;
mod engine;
mod export;
mod export_json;
mod export_tree;
mod filters;
mod flips;
mod game;
mod help;
mod interrupts;
mod kills;
mod laws;
mod lock;
mod memory;
mod names;
mod naming;
mod outputs;
mod packed;
mod pdn;
mod perft;
mod play;
mod players;
mod proof;
mod ranks;
mod remove;
mod render;
mod report;
mod rules;
mod screens;
mod search;
mod sources;
mod special;
mod sql;
mod store;
mod support;
mod targets;
#[cfg(unix)]
mod terminal;
mod transcripts;
mod tree_values;
mod values;
mod widths;
mod words;
