//! The one integration binary: a module a subject.

#![allow(
    clippy::unwrap_used,
    reason = "a test may fail by panic; the lint exempts only test functions, not their helpers"
)]

mod architecture;
mod book;
mod book_text;
mod cli;
mod data;
mod database;
mod export;
mod game;
mod pdn;
mod perft;
mod render;
mod rules;
mod search;
mod store;
mod support;
mod transcripts;
