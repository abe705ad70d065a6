//! How single values are written in text.

use crate::table::{Table, Value};

/// How many decimals a fraction has at most.
const MOST_DECIMALS: usize = 3;

/// `number` with at most three decimals and no zeros at their end; `None` for what is no number.
pub(super) fn real(number: f64) -> Option<String> {
    if !number.is_finite() {
        return None;
    }
    let fixed = format!("{number:.MOST_DECIMALS$}");
    let short = fixed.trim_end_matches('0').trim_end_matches('.');
    Some(if short == "-0" { "0".to_owned() } else { short.to_owned() })
}

/// `value` in a cell of CSV or Markdown.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Int(number) => number.to_string(),
        Value::Real(number) => real(*number).unwrap_or_default(),
        Value::Text(text) => text.clone(),
        Value::Bool(yes) => yes.to_string(),
        Value::List(items) => items.join("; "),
    }
}

/// `value` for people: as [`plain`], but yes and no, and fractions with exactly `decimals` decimals.
pub(super) fn for_people(value: &Value, decimals: usize) -> String {
    match value {
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Real(number) if number.is_finite() => {
            let fixed = format!("{number:.decimals$}");
            // A fraction that rounds to nothing has no sign.
            let zero = fixed.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
            if zero { fixed.trim_start_matches('-').to_owned() } else { fixed }
        }
        other => plain(other),
    }
}

/// How many decimals the fractions of a column need, so that their points stand under each other.
pub(super) fn decimals(table: &Table, column: usize) -> usize {
    let needs = |value: &Value| match value {
        Value::Real(number) => real(*number).and_then(|text| Some(text.len() - text.find('.')? - 1)).unwrap_or(0),
        _ => 0,
    };
    table.rows.iter().filter_map(|row| row.get(column)).map(needs).max().unwrap_or(0)
}
