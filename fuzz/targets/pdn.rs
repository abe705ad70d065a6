//! PDN. Law: what is read is legal and counted once, `check` is clean afterwards, and what is exported as PDN or JSON adds nothing to
//! the same database and gives the same export from an empty one.

#![no_main]

crownhead_fuzz::target!("pdn");
