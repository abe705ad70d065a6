//! The one integration binary: a module a subject.

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
