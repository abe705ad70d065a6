//! The one integration binary: a module a subject.

mod book;
mod data;
