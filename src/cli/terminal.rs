//! What the terminal is: whether it shows colours, how wide and high it is, and how messages fit in it.

use std::ffi::OsString;
use std::io::IsTerminal;

use clap::ValueEnum;

use crate::render::{clean_for_terminal, wrap_message};

use super::environment::number;

/// Width where there is no terminal to ask.
const DEFAULT_WIDTH: u16 = 80;
/// The narrowest that is believed.
const MIN_WIDTH: u16 = 20;

/// When to use colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum ColorWhen {
    /// On a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb say otherwise.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl ColorWhen {
    /// The same for the messages of the reader of the command line, which look at stderr themselves.
    pub(super) fn for_clap(self) -> clap::ColorChoice {
        match self {
            Self::Always => clap::ColorChoice::Always,
            Self::Never => clap::ColorChoice::Never,
            Self::Auto if self.shows(true) => clap::ColorChoice::Auto,
            Self::Auto => clap::ColorChoice::Never,
        }
    }

    /// Whether a stream that is a terminal or not gets colours.
    pub(super) fn shows(self, is_terminal: bool) -> bool {
        self.decide(is_terminal, |name| std::env::var_os(name))
    }

    fn decide(self, is_terminal: bool, variable: impl Fn(&str) -> Option<OsString>) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => {
                is_terminal
                    && variable("NO_COLOR").is_none_or(|value| value.is_empty())
                    && variable("CLICOLOR").is_none_or(|value| value != "0")
                    && variable("TERM").is_none_or(|value| value != "dumb")
            }
        }
    }
}

/// How wide tables may be: COLUMNS, else the terminal where there is one, else without limit.
pub(super) fn table_width(is_terminal: bool) -> Option<u16> {
    let from_terminal = || terminal_size::terminal_size().map(|(width, _)| width.0);
    let width = number("COLUMNS").or_else(|| if is_terminal { from_terminal() } else { None });
    width.map(|width| width.max(MIN_WIDTH))
}

/// How wide pages and pictures of text may be: as tables, but at most 80 where there is no terminal.
pub(super) fn width(is_terminal: bool) -> u16 {
    table_width(is_terminal).unwrap_or(DEFAULT_WIDTH)
}

/// How many lines the terminal shows: LINES, else what it says of itself.
pub(super) fn height() -> Option<u16> {
    number("LINES").or_else(|| terminal_size::terminal_size().map(|(_, height)| height.0))
}

/// Whether the terminal's locale has more than ASCII. Where the environment names none, it has: many systems set no locale.
pub(super) fn is_unicode() -> bool {
    names_unicode(|name| std::env::var(name).ok())
}

fn names_unicode(variable: impl Fn(&str) -> Option<String>) -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(variable).find(|value| !value.is_empty());
    locale.is_none_or(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

/// A message with everything that a terminal would obey, line ends too, shown as an escape, its lines broken between words where stderr is
/// a terminal; elsewhere a sentence is a line.
pub(super) fn message(text: &str) -> String {
    // A line end within a name must not look like another message.
    let one_line = text.replace('\n', "\\n");
    let clean = clean_for_terminal(&one_line);
    if !std::io::stderr().is_terminal() {
        return clean.into_owned();
    }
    wrap_message(&clean, width(true).into()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_without_utf_8_is_ascii() {
        let with = |set: &[(&str, &str)]| {
            names_unicode(|name| set.iter().find(|(other, _)| *other == name).map(|(_, value)| (*value).to_owned()))
        };
        assert!(with(&[]) && with(&[("LANG", "en_GB.UTF-8")]) && with(&[("LANG", "C.utf8")]));
        assert!(with(&[("LC_ALL", ""), ("LC_CTYPE", "de_DE.UTF-8"), ("LANG", "C")]));
        assert!(!with(&[("LANG", "C")]) && !with(&[("LANG", "de_DE.ISO-8859-1")]));
        assert!(!with(&[("LC_ALL", "POSIX"), ("LANG", "en_GB.UTF-8")]), "LC_ALL outranks the others");
    }

    #[test]
    fn colour_is_for_terminals_that_want_it() {
        let with = |when: ColorWhen, terminal: bool, set: &[(&str, &str)]| {
            when.decide(terminal, |name| set.iter().find(|(other, _)| *other == name).map(|(_, value)| value.into()))
        };
        assert!(with(ColorWhen::Auto, true, &[]));
        assert!(with(ColorWhen::Auto, true, &[("NO_COLOR", ""), ("CLICOLOR", "1"), ("TERM", "xterm")]));
        assert!(!with(ColorWhen::Auto, false, &[]));
        for off in [("NO_COLOR", "1"), ("CLICOLOR", "0"), ("TERM", "dumb")] {
            assert!(!with(ColorWhen::Auto, true, &[off]), "{off:?}");
            assert!(with(ColorWhen::Always, false, &[off]), "{off:?}");
        }
        assert!(!with(ColorWhen::Never, true, &[]));
    }
}
