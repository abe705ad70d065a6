//! What the ending of the name of `--output` says: the form of the data, or that this command does not write such a file.

use std::path::Path;

use crate::render::Format;

use super::error::CliError;
use super::targets::TargetKind;

/// Endings of files that hold data in one of the formats.
const FORMAT_ENDINGS: &[(&str, Format)] = &[
    ("csv", Format::Csv),
    ("json", Format::Json),
    ("ndjson", Format::Ndjson),
    ("jsonl", Format::Ndjson),
    ("md", Format::Markdown),
    ("markdown", Format::Markdown),
];

/// Endings of files that `--output` never writes, and what to do instead.
const FOREIGN_ENDINGS: &[(&str, &str)] = &[
    ("xlsx", SPREADSHEET),
    ("xls", SPREADSHEET),
    ("ods", SPREADSHEET),
    ("pdf", DOCUMENT),
    ("doc", DOCUMENT),
    ("docx", DOCUMENT),
    ("odt", DOCUMENT),
    ("svg", PICTURE),
    ("png", PICTURE),
    ("db", DATABASE),
    ("sqlite", DATABASE),
    ("sqlite3", DATABASE),
    ("db3", DATABASE),
    ("tsv", SPREADSHEET),
    ("parquet", SPREADSHEET),
    ("html", DOCUMENT),
    ("htm", DOCUMENT),
    ("rtf", DOCUMENT),
    ("jpg", PICTURE),
    ("jpeg", PICTURE),
    ("gif", PICTURE),
    ("webp", PICTURE),
    ("xml", DATA),
    ("yaml", DATA),
    ("yml", DATA),
    ("toml", DATA),
    ("zip", PACKED),
    ("gz", PACKED),
    ("zst", PACKED),
    ("xz", PACKED),
    ("bz2", PACKED),
];

const SPREADSHEET: &str = "spreadsheets read CSV: end the name with .csv";
const DOCUMENT: &str = "end the name with .md for Markdown, or .txt for plain text";
const PICTURE: &str = "pictures are drawn by show, opening and moves with --diagram FILE";
const DATA: &str = "programs read JSON: end the name with .json";
const PACKED: &str = "nothing is packed: leave that ending out";
const DATABASE: &str = "crownhead backup FILE copies the database";

/// The ending of the name of `path` in small letters; empty where it has none.
fn ending(path: &Path) -> String {
    path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase()).unwrap_or_default()
}

/// The format that the ending of `path` names.
pub(super) fn format(path: &Path) -> Option<Format> {
    let ending = ending(path);
    FORMAT_ENDINGS.iter().find(|(known, _)| *known == ending).map(|&(_, format)| format)
}

/// Refuses an ending that promises something else than the command prints.
///
/// # Errors
/// What the file would hold, and what to do.
pub(super) fn check(path: &Path, printed: TargetKind) -> Result<(), CliError> {
    let ending = ending(path);
    let refused = |why: &str| CliError::usage(format!("--output {}: {why}", path.display()));
    if let Some((_, instead)) = FOREIGN_ENDINGS.iter().find(|(known, _)| *known == ending) {
        return Err(refused(&format!("no command writes a .{ending} file with --output")).hint(*instead));
    }
    let is_fitting = match (&*ending, format(path)) {
        ("pdn", _) => matches!(printed, TargetKind::Pdn | TargetKind::Raw),
        ("dot" | "gv", _) => printed == TargetKind::Dot,
        (_, Some(format)) => printed == TargetKind::of_format(format) || printed == TargetKind::Raw,
        _ => true,
    };
    if is_fitting {
        return Ok(());
    }
    let hint =
        if ending == "pdn" { "crownhead export pdn writes games as PDN" } else { "give the file another ending" };
    Err(refused(&format!("this command would write {} into a .{ending} file", printed.name())).hint(hint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ending_names_a_format_or_is_refused() {
        assert_eq!(format(Path::new("a.b/Games.CSV")), Some(Format::Csv));
        assert_eq!(format(Path::new("a.csv/games")), None);
        assert_eq!(format(Path::new(".csv")), None);
        for (name, printed) in [("x.txt", TargetKind::Csv), ("x", TargetKind::Pdn), ("x.pdn", TargetKind::Raw)] {
            assert!(check(Path::new(name), printed).is_ok(), "{name}");
        }
        for (name, printed) in [
            ("x.pdn", TargetKind::Table),
            ("x.json", TargetKind::Csv),
            ("x.gv", TargetKind::Pdn),
            ("x.XLSX", TargetKind::Csv),
        ] {
            assert!(check(Path::new(name), printed).is_err(), "{name}");
        }
    }
}
