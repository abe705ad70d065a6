//! FENs, lists of moves, patterns and material as people type them. Law: what is read is legal and reads the same when written; an
//! error points into the text.

#![no_main]

crownhead_fuzz::target!("fen");
