//! The one integration binary: a module a subject.

mod perft;
mod rules;
mod support;
