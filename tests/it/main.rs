//! The one integration binary: a module a subject.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod architecture;
mod cli;
mod database;
mod game;
mod pdn;
mod perft;
mod render;
mod rules;
mod store;
mod support;
