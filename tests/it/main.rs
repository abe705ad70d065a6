//! The one integration binary: a module a subject.

#![allow(clippy::unwrap_used, reason = "the setting for tests covers test functions only, not their helpers")]

mod perft;
mod rules;
mod support;
