//! What is proposed where an option or a command is not known: only what is near in spelling, or what another command has.
//!
//! Clap's own proposals go by a likeness that puts `--losing` for `--since`, and it proposes to pass every unknown option as a
//! value, which no command here takes.

use std::io::IsTerminal as _;

use clap::Command;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use strsim::osa_distance;

use crate::render::wrap;

use super::terminal;

/// The command that shows pages of help.
const HELP: &str = "help";

/// The error with proposals that fit; `words` are the arguments of the process behind its name.
pub(super) fn mend(mut error: Error, mut root: Command, words: &[String]) -> Error {
    root.build();
    match error.kind() {
        ErrorKind::UnknownArgument => {
            error.remove(ContextKind::SuggestedArg);
            error.remove(ContextKind::Suggested);
            error.remove(ContextKind::TrailingArg);
            // Clap's usage is made of its own proposal.
            let usage = invoked(&root, words).clone().render_usage();
            error.insert(ContextKind::Usage, ContextValue::StyledStr(usage));
            let asked = match error.get(ContextKind::InvalidArg) {
                Some(ContextValue::String(asked)) => asked.split('=').next().unwrap_or_default().to_owned(),
                _ => return error,
            };
            if is_negative(&asked) {
                // Clap takes `-14` for several options of one letter, and names the first.
                let at = words.iter().position(|word| word.starts_with(&asked)).unwrap_or(words.len());
                let whole = words.get(at).cloned().unwrap_or(asked);
                error.insert(ContextKind::InvalidArg, ContextValue::String(whole));
                add_tips(&mut error, negative(invoked(&root, words), words, at));
                return error;
            }
            add_tips(
                &mut error,
                match asked.strip_prefix("--") {
                    Some(option) => tip(&root, words, option),
                    None => named_by_option(&root, words, &asked),
                },
            );
        }
        ErrorKind::InvalidSubcommand => {
            let asked = match error.get(ContextKind::InvalidSubcommand) {
                Some(ContextValue::String(asked)) => asked.clone(),
                _ => return error,
            };
            error.remove(ContextKind::SuggestedSubcommand);
            let here = invoked(&root, words);
            if asked == HELP {
                // Pages are built without it below the first level.
                let before: Vec<&str> = words.iter().map(String::as_str).take_while(|word| *word != HELP).collect();
                let commands: Vec<&str> =
                    before.into_iter().filter(|word| root.find_subcommand(word).is_some()).collect();
                add_tips(&mut error, [format!("write it first: 'crownhead help {}'", commands.join(" "))]);
                return error;
            }
            let names = here.get_subcommands().map(|command| command.get_name().to_owned());
            let near: Vec<String> = names.filter(|name| is_near(&asked, name)).collect();
            if !near.is_empty() {
                error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(near));
            }
        }
        ErrorKind::InvalidValue if is_result_by_player(&error) => {
            let option = if invoked(&root, words).get_name() == "prepare" { "--side black" } else { "--black NAME" };
            let tips =
                ["a result is given by colour".to_owned(), format!("games lost with Black: '{option} --result white'")];
            add_tips(&mut error, tips);
        }
        ErrorKind::ValueValidation => return plain_number(error, &root),
        _ => {}
    }
    error
}

/// The error about a value that is no number, without the words of the language the program is written in.
fn plain_number(error: Error, root: &Command) -> Error {
    let why = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
    let is_below_0 =
        matches!(error.get(ContextKind::InvalidValue), Some(ContextValue::String(value)) if is_negative(value));
    let tip = match why.as_str() {
        "invalid digit found in string" if is_below_0 => "it takes no number below 0",
        "invalid digit found in string" | "cannot parse integer from empty string" => "write a whole number in digits",
        "number too large to fit in target type" => "the number is too large",
        _ => return error,
    };
    let mut plain = Error::new(ErrorKind::ValueValidation).with_cmd(root);
    for kind in [ContextKind::InvalidArg, ContextKind::InvalidValue] {
        if let Some(value) = error.get(kind) {
            plain.insert(kind, value.clone());
        }
    }
    add_tips(&mut plain, [tip.to_owned()]);
    plain
}

/// Whether an unknown argument is a number below 0.
fn is_negative(asked: &str) -> bool {
    asked.strip_prefix('-').is_some_and(|digits| digits.starts_with(|c: char| c.is_ascii_digit()))
}

/// What to say of a negative number, the word `at`: which option does not take it, where it stands behind one; else what `here`, the
/// command, takes.
fn negative(here: &Command, words: &[String], at: usize) -> Vec<String> {
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    if let Some(option) = before.filter(|word| word.len() > 2 && word.starts_with("--")) {
        return vec![format!("'{option}' takes no number below 0")];
    }
    let wanted = here.get_positionals().next().and_then(|argument| argument.get_value_names()?.first().cloned());
    let takes = match wanted.as_deref().unwrap_or_default() {
        names if names.contains("POSITION") => {
            Some("a position is a FEN, moves, a ballot (1 to 174) or an opening's name")
        }
        names if names.contains("ID") => Some("the ids of lines begin with 1"),
        _ => None,
    };
    std::iter::once("a number below 0 is not taken here").chain(takes).map(str::to_owned).collect()
}

/// What clap prints before a tip.
const TIP_HEAD: &str = "  tip: ";

/// Prints `tips` below the error, each on a line of its own, broken between words on a terminal.
fn add_tips(error: &mut Error, tips: impl IntoIterator<Item = String>) {
    let is_terminal = std::io::stderr().is_terminal();
    let room = usize::from(terminal::width(is_terminal)).saturating_sub(TIP_HEAD.len());
    let indent = format!("\n{}", " ".repeat(TIP_HEAD.len()));
    let broken = |tip: String| if is_terminal { wrap(&tip, room).join(&indent) } else { tip };
    let tips: Vec<StyledStr> = tips.into_iter().map(|tip| StyledStr::from(broken(tip))).collect();
    if !tips.is_empty() {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    }
}

/// Whether a result was asked for as that of a player, such as `loss`.
fn is_result_by_player(error: &Error) -> bool {
    let is_result = matches!(error.get(ContextKind::InvalidArg), Some(ContextValue::String(argument)) if argument.starts_with("--result"));
    let by_player = ["win", "won", "wins", "loss", "lost", "losses"];
    is_result
        && matches!(error.get(ContextKind::InvalidValue), Some(ContextValue::String(value)) if by_player.contains(&&**value))
}

/// What to propose for the option `asked`, without its dashes: the one that is spelt nearly so, or the commands that have it.
fn tip(root: &Command, words: &[String], asked: &str) -> Option<String> {
    let here = invoked(root, words);
    if options(here).any(|option| option == asked) {
        return Some(format!("'--{asked}' is an option of {}: write it after the command", here.get_name()));
    }
    let near = options(here).filter(|option| is_near(asked, option)).min_by_key(|option| osa_distance(asked, option));
    if let Some(near) = near {
        return Some(format!("a similar argument exists: '--{near}'"));
    }
    let mut owners = Vec::new();
    for command in root.get_subcommands() {
        let nested =
            command.get_subcommands().map(|nested| (format!("{} {}", command.get_name(), nested.get_name()), nested));
        let all = std::iter::once((command.get_name().to_owned(), command)).chain(nested);
        owners.extend(all.filter(|(_, command)| options(command).any(|option| option == asked)).map(|(name, _)| name));
    }
    (!owners.is_empty()).then(|| format!("'--{asked}' is an option of: {}", owners.join(", ")))
}

/// What to propose for a name that stands alone behind a command which takes it with an option: the source of `remove`.
fn named_by_option(root: &Command, words: &[String], asked: &str) -> Option<String> {
    let is_remove = invoked(root, words).get_name() == "remove" && !asked.starts_with('-');
    let option = if asked.bytes().all(|byte| byte.is_ascii_digit()) { "number" } else { "source" };
    is_remove.then(|| format!("a source is named with an option: '--{option} {}'", for_shell(asked)))
}

/// A word as a shell takes it.
pub(super) fn for_shell(word: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "_-./+:,@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// A word quoted for a command in a message: as it is where it needs no quotation marks, in double ones where it has blanks or
/// commas, which every shell reads alike, and as [`for_shell`] quotes it where it has signs that mean something in double ones.
pub(super) fn for_command(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_');
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else if word.contains(['"', '\\', '$', '`', '!']) {
        for_shell(word)
    } else {
        format!("\"{word}\"")
    }
}

/// The command that `words` call.
fn invoked<'c>(root: &'c Command, words: &[String]) -> &'c Command {
    words.iter().fold(root, |command, word| command.find_subcommand(word).unwrap_or(command))
}

fn options(command: &Command) -> impl Iterator<Item = &str> {
    command.get_arguments().filter(|argument| !argument.is_hide_set()).filter_map(clap::Arg::get_long)
}

/// Whether a slip may have made `asked` of `name`: one letter in three, or the beginning of it.
fn is_near(asked: &str, name: &str) -> bool {
    let length = asked.chars().count().max(name.chars().count());
    osa_distance(asked, name) <= length / 3 && !asked.is_empty() || asked.len() > 2 && name.starts_with(asked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_read_more_in_them() {
        for (word, wanted) in [
            ("a/b-1.pdn", "a/b-1.pdn"),
            ("Jürgen.pdn", "Jürgen.pdn"),
            ("my games.pdn", "'my games.pdn'"),
            ("don't", "'don'\\''t'"),
            ("$(x)", "'$(x)'"),
            ("", "''"),
        ] {
            assert_eq!(for_shell(word), wanted);
        }
        for (word, wanted) in [
            ("Ash, A.", "\"Ash, A.\""),
            ("O'Hara", "\"O'Hara\""),
            ("a\"b", "'a\"b'"),
            ("$x y", "'$x y'"),
            ("hale", "hale"),
        ] {
            assert_eq!(for_command(word), wanted);
        }
    }

    #[test]
    fn near_is_a_slip_or_a_beginning() {
        for (asked, name) in
            [("plyer", "player"), ("positions", "position"), ("sorted", "sort"), ("op", "open"), ("lim", "limit")]
        {
            assert_eq!(is_near(asked, name), asked != "op", "{asked} {name}");
        }
        for (asked, name) in [("since", "losing"), ("pattern", "player"), ("player", "ply"), ("plies", "player")] {
            assert!(!is_near(asked, name), "{asked} {name}");
        }
    }
}
