//! Progress on a terminal.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};

use crate::intake::Input;

/// A bar by bytes over several inputs; hidden when stderr is no terminal.
pub(super) struct ByteProgress {
    bar: ProgressBar,
    done: u64,
    current: String,
    in_current: u64,
}

impl ByteProgress {
    /// A bar for these inputs.
    pub(super) fn new(inputs: &[Input], quiet: bool) -> Self {
        if quiet || !std::io::stderr().is_terminal() {
            return Self { bar: ProgressBar::hidden(), done: 0, current: String::new(), in_current: 0 };
        }
        let total: Option<u64> = inputs.iter().map(|input| input.size).sum();
        let bar = match total {
            Some(total) => ProgressBar::new(total).with_style(
                ProgressStyle::with_template(
                    "{spinner} {bytes}/{total_bytes} {wide_bar} {bytes_per_sec} {eta} left {msg}",
                )
                .unwrap_or_else(|_| ProgressStyle::default_bar()),
            ),
            None => ProgressBar::new_spinner().with_style(
                ProgressStyle::with_template("{spinner} {bytes} read {bytes_per_sec} {msg}")
                    .unwrap_or_else(|_| ProgressStyle::default_spinner()),
            ),
        };
        Self { bar, done: 0, current: String::new(), in_current: 0 }
    }

    /// `bytes` of `input` are read.
    pub(super) fn read(&mut self, input: &Input, bytes: u64) {
        if self.current != input.name {
            self.done += self.in_current;
            self.current.clone_from(&input.name);
        }
        self.in_current = bytes;
        self.bar.set_position(self.done + bytes);
    }

    /// Prints a line above the bar.
    pub(super) fn line(&self, text: &str) {
        self.as_is(&super::terminal::message(text));
    }

    /// Prints lines above the bar that are clean, colours and all.
    pub(super) fn as_is(&self, text: &str) {
        if self.bar.is_hidden() {
            use std::io::Write as _;
            let _ = writeln!(std::io::stderr(), "{text}");
        } else {
            self.bar.println(text);
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// A line that changes while something is searched; hidden when stderr is no terminal.
pub(super) fn spinner(quiet: bool) -> ProgressBar {
    if quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}");
    ProgressBar::new_spinner().with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
}
