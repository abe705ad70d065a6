//! Environment variables: one that is empty counts as unset, and none counts as an option that somebody gave.
//!
//! clap takes a variable of an option for the option itself: it would then conflict with others, and an empty one would be
//! an error. So variables are read here, where the option was not given.

use std::ffi::OsString;
use std::path::PathBuf;

/// The value of a variable that is set and not empty.
pub(super) fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// The path that a variable names.
pub(super) fn path(name: &str) -> Option<PathBuf> {
    variable(name).map(PathBuf::from)
}

/// The number that a variable holds, if it is one above 0.
pub(super) fn number(name: &str) -> Option<u16> {
    let text = variable(name)?.into_string().ok()?;
    text.trim().parse().ok().filter(|number| *number > 0)
}
