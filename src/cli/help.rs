//! The pages that `--help` prints: commands grouped by task, examples first, at most [`MAX_PAGE_LINES`] lines.
//!
//! clap's own pages repeat the global options on each of them and list commands in one column. So the command line is
//! rewritten for help alone, from the same declarations: parsing, completions and manual pages use it as it is declared.
//!
//! A page is: what the command does, usage, examples, arguments and options, notes. A page that would be too long points to
//! `crownhead games --help` for its filters, and then does without the paragraph that says more about the command.

use clap::{Arg, ArgAction, Command, CommandFactory};

/// Lines that a page has at most, at 80 columns.
pub(super) const MAX_PAGE_LINES: usize = 60;
/// The width at which pages are measured.
const PAGE_WIDTH: usize = 80;
/// The topic that explains what every command takes.
pub(super) const OPTIONS_TOPIC: &str = "options";
/// The heading of the options that choose games.
const FILTERS_HEADING: &str = "Filters";

/// Commands by task, in the order of the first page.
pub(super) const TASK_GROUPS: &[(&str, &[&str])] = &[
    (
        "Look up",
        &["opening", "identify", "moves", "games", "show", "search", "prepare", "the-move", "variants", "glossary"],
    ),
    ("Import and check", &["import", "verify", "sources", "remove", "alias", "check", "backup"]),
    ("Study", &["annotate", "report"]),
    ("Export", &["export"]),
    ("Engine workshop", &["analyse", "prove", "check-proof", "egdb", "match", "tune", "bench", "perft"]),
    ("Plumbing", &["sql", "completions", "man"]),
];

const TOPIC_ABOUT: &str = "Options and arguments that every command takes";
const TOPIC_NOTES: &str = "\
POSITION is everywhere the same: a FEN, a list of moves, a ballot (126) or an
opening's name; none means the start.

Environment: CROWNHEAD_DB and CROWNHEAD_EGDB act as --db and as --dir of egdb.
Long output on a terminal goes through PAGER. COLUMNS and NO_COLOR are obeyed.

Exit status: 0 done; 1 nothing found, a check failed or something was refused; 2
error; 130 after Ctrl-C.";

/// Whether somebody asks for a page, so that the command line must be built by [`command`].
pub(super) fn is_asked(mut words: impl Iterator<Item = String>) -> bool {
    words.any(|word| matches!(word.as_str(), "help" | "-h" | "--help") || is_short_flags_with_help(&word))
}

/// Whether a word is several one-letter options in one, help among them, such as `-qh`.
fn is_short_flags_with_help(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|letters| !letters.starts_with('-') && letters.contains('h'))
}

/// The command line as its pages show it.
pub(super) fn command() -> Command {
    let declared = super::Cli::command();
    let topic = topic(&declared);
    let listed = groups_text(&declared);
    let examples = declared.get_after_help().map(ToString::to_string).unwrap_or_default();
    let more = format!("Options of every command, POSITION, exit status: crownhead help {OPTIONS_TOPIC}");
    let page = format!(
        "{{about}}\n\n{{usage-heading}} crownhead [OPTIONS] [COMMAND]\n\n{examples}\n\n{listed}More: crownhead COMMAND --help\n{more}"
    );
    let names: Vec<String> = declared.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let mut whole = without_long_texts(declared).help_template(page).after_help(None).subcommand(topic);
    for name in names {
        whole = whole.mut_subcommand(name, |command| paged(command, &["crownhead"]));
    }
    whole
}

/// Every argument with its short text only, the global ones on no page, and one form of help.
fn without_long_texts(command: Command) -> Command {
    let help = Arg::new("help").short('h').long("help").action(ArgAction::HelpShort).global(true).hide(true);
    let command = command.mut_args(|arg| {
        let hidden = arg.is_global_set() || arg.is_hide_set();
        arg.long_help(None).hide(hidden)
    });
    command.disable_help_flag(true).arg(help)
}

/// A command whose page has its examples first, and that of its own commands too.
fn paged(command: Command, parents: &[&str]) -> Command {
    let long = command.get_long_about().map(ToString::to_string).unwrap_or_default();
    let paragraph = long.split_once("\n\n").map(|(_, paragraph)| paragraph.to_owned());
    let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let (examples, notes) = text.split_once("\n\n").unwrap_or((&text, ""));
    let name = [parents, &[command.get_name()]].concat().join(" ");
    let names: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let mut command = command.mut_args(|arg| arg.long_help(None)).long_about(None).disable_help_subcommand(true);
    command = command.after_help(None);
    for own in names {
        let parents: Vec<&str> = name.split(' ').collect();
        command = command.mut_subcommand(own, |command| paged(command, &parents));
    }
    let has_args = command.has_subcommands() || command.get_arguments().any(|arg| !arg.is_hide_set());
    let page = |paragraph: Option<&str>, filters_elsewhere: bool| {
        let mut text = String::from("{about}\n\n");
        if let Some(paragraph) = paragraph {
            text.push_str(&format!("{}\n\n", crate::render::wrap(paragraph, PAGE_WIDTH).join("\n")));
        }
        text.push_str("{usage-heading} {usage}");
        if !examples.is_empty() {
            text.push_str(&format!("\n\n{examples}"));
        }
        if has_args {
            text.push_str("\n\n{all-args}");
        }
        if filters_elsewhere {
            text.push_str("\n\nFilters (--opening, --player, --year …) are those of: crownhead games --help");
        }
        if !notes.is_empty() {
            text.push_str(&format!("\n\n{notes}"));
        }
        text.push_str(&format!("\n\nOptions of every command: crownhead help {OPTIONS_TOPIC}"));
        text
    };
    let has_filters = command.get_arguments().any(is_filter);
    let forms = [(true, false), (true, has_filters), (false, has_filters)];
    let mut fitted = command.clone();
    for (with_paragraph, filters_elsewhere) in forms {
        fitted =
            command.clone().help_template(page(paragraph.as_deref().filter(|_| with_paragraph), filters_elsewhere));
        if filters_elsewhere {
            fitted = fitted.mut_args(|arg| if is_filter(&arg) { arg.hide(true) } else { arg });
        }
        if lines_of(&fitted, &name) <= MAX_PAGE_LINES {
            break;
        }
    }
    fitted
}

fn is_filter(arg: &Arg) -> bool {
    arg.get_help_heading() == Some(FILTERS_HEADING)
}

/// How many lines the page of `command` takes.
fn lines_of(command: &Command, name: &str) -> usize {
    let mut measured = command.clone().bin_name(name.to_owned()).term_width(PAGE_WIDTH);
    measured.render_help().to_string().trim_end().lines().count()
}

/// The commands that there are, by task, each with what it does.
fn groups_text(declared: &Command) -> String {
    let width = declared.get_subcommands().map(|command| command.get_name().len()).max().unwrap_or(0);
    let mut text = String::new();
    for (task, names) in TASK_GROUPS {
        text.push_str(&format!("{task}:\n"));
        for command in names.iter().filter_map(|name| declared.find_subcommand(name)) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            text.push_str(&format!("  {:<width$}  {about}\n", command.get_name()));
        }
        text.push('\n');
    }
    text
}

/// The page of what every command takes, which is not a command.
fn topic(declared: &Command) -> Command {
    // Its own arguments of these names keep the hidden ones away.
    let options = declared.get_arguments().filter(|arg| arg.is_global_set()).cloned();
    let page = format!("{{about}}\n\n{{all-args}}\n\n{TOPIC_NOTES}");
    Command::new(OPTIONS_TOPIC).about(TOPIC_ABOUT).hide(true).args(options).help_template(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of commands as they are typed, with those of their own commands.
    fn pages(command: &Command, parents: &[String], found: &mut Vec<Vec<String>>) {
        found.push(parents.to_vec());
        for own in command.get_subcommands() {
            pages(own, &[parents, &[own.get_name().to_owned()]].concat(), found);
        }
    }

    #[test]
    fn every_command_is_in_one_group() {
        let declared = crate::cli::Cli::command();
        for command in declared.get_subcommands().filter(|command| !command.is_hide_set()) {
            let name = command.get_name();
            let groups = TASK_GROUPS.iter().filter(|(_, names)| names.contains(&name)).count();
            assert_eq!(groups, 1, "{name} must be in one of the groups of `help::GROUPS`");
        }
    }

    #[test]
    fn every_page_fits_and_has_its_examples_before_its_options() {
        let mut found = Vec::new();
        pages(&command(), &[], &mut found);
        assert!(found.len() > 30, "{found:?}");
        for names in found {
            for ask in ["-h", "--help"] {
                let words = ["crownhead".to_owned()].into_iter().chain(names.clone()).chain([ask.to_owned()]);
                let error =
                    command().term_width(PAGE_WIDTH).try_get_matches_from(words).expect_err("a page is no command");
                let page = error.to_string();
                let lines = page.trim_end().lines().count();
                assert!(lines <= MAX_PAGE_LINES, "{names:?} {ask}: {lines} lines\n{page}");
                assert!(
                    page.lines().all(|line| line.chars().count() <= PAGE_WIDTH || line.starts_with("Usage:")),
                    "{names:?}: a line is too wide\n{page}"
                );
                assert!(!page.contains("\n\n\n"), "{names:?}: blank lines behind one another\n{page}");
                let example = page.find("Examples:").unwrap_or(0);
                assert!(page.find("\nOptions:").is_none_or(|options| example < options), "{names:?}\n{page}");
                assert!(page.starts_with(|c: char| c.is_uppercase()), "{names:?}\n{page}");
            }
        }
    }

    #[test]
    fn the_command_line_of_the_pages_is_well_formed() {
        command().debug_assert();
        assert!(is_asked(["x", "-qh"].map(str::to_owned).into_iter()) && !is_asked(["--human".to_owned()].into_iter()));
    }

    #[test]
    fn the_first_page_lists_every_command_on_one_line() {
        let page = command().term_width(PAGE_WIDTH).render_help().to_string();
        assert!(page.contains("crownhead help options") && page.contains("\nLook up:\n"), "{page}");
        for command in crate::cli::Cli::command().get_subcommands().filter(|command| !command.is_hide_set()) {
            let start = format!("  {} ", command.get_name());
            assert_eq!(page.lines().filter(|line| line.starts_with(&start)).count(), 1, "{page}");
        }
    }
}
