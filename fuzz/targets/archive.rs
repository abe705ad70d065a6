//! Archives, gzip and zstd. Law: they read as the texts in them do; where one is damaged, what is read is legal, reading it again adds
//! nothing, and `check` is clean afterwards.

#![no_main]

crownhead_fuzz::target!("archive");
