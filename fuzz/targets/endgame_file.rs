//! Endgame database files. Law: a changed file is refused, or `verify` finds the fault, or every value is the right one.

#![no_main]

crownhead_fuzz::target!("endgame_file");
