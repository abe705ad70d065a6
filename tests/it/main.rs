//! The one integration binary: a module a subject.

mod architecture;
mod pdn;
mod perft;
mod render;
mod rules;
mod support;
mod transcripts;
