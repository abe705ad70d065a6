//! Certificates of proofs. Law: what the checker accepts is true by the endgame databases.

#![no_main]

crownhead_fuzz::target!("certificate");
