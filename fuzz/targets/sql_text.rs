//! Questions in SQL. Law: an answer has no more rows than were asked for, comes within its time, and changes no file.

#![no_main]

crownhead_fuzz::target!("sql_text");
