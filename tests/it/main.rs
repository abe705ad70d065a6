//! The one integration binary: a module a subject.

mod architecture;
mod book;
mod data;
mod pdn;
mod perft;
mod render;
mod rules;
mod support;
