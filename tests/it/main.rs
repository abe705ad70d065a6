//! The one integration binary: a module a subject.

mod architecture;
mod book;
mod book_text;
mod data;
mod pdn;
mod perft;
mod render;
mod rules;
mod support;
