//! Tables of names, and names asked for. Law: a named line is legal and is found by its position and its name; a question finds each
//! opening once, the best first.

#![no_main]

crownhead_fuzz::target!("names");
