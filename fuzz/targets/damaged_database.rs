//! Damaged databases. Law: nothing that reads one panics, hangs or shows illegal play; if `check` finds nothing, every game has the
//! moves it had.

#![no_main]

crownhead_fuzz::target!("damaged_database");
