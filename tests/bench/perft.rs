//! Perft speed.
fn main() {}
