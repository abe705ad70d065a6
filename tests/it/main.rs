//! The one integration binary: a module a subject.
mod book_text;
