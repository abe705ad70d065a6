//! JSON. Law: as for PDN: what is read is legal and counted once, `check` is clean afterwards, and an export adds nothing and comes back
//! as it was.

#![no_main]

crownhead_fuzz::target!("json");
