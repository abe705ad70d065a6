//! How single values are written in text.

use crate::table::{Cell, Table};

/// How many decimals a fraction has at most in a table for people, where more would tell nothing new.
const MAX_DECIMALS: usize = 3;
/// The longest number that is written without an exponent in a table for people, in characters.
const MAX_FIXED_WIDTH: usize = 16;

/// `number` as the shortest decimal that reads back as the same number; `None` for what is no number.
///
/// Whole numbers have no point, as far as every digit is certain.
pub(super) fn exact(number: f64) -> Option<String> {
    if !number.is_finite() {
        return None;
    }
    let size = number.abs();
    let is_plain = number == 0.0 || (1e-5..1e16).contains(&size);
    Some(if is_plain { format!("{number}") } else { format!("{number:e}") })
}

/// `number` for people: at most three decimals and no zeros at their end, but never rounded to a whole number that it is
/// not.
pub(super) fn rounded(number: f64) -> String {
    if !number.is_finite() {
        return if number.is_nan() { String::new() } else { format!("{number}") };
    }
    if number == 0.0 {
        return "0".to_owned();
    }
    let fixed = format!("{number:.MAX_DECIMALS$}");
    let short = fixed.trim_end_matches('0').trim_end_matches('.');
    if short.contains('.') && short.len() <= MAX_FIXED_WIDTH {
        return short.to_owned();
    }
    if number.abs() < 1e-3 {
        // Three digits, wherever they begin.
        let power = format!("{number:.2e}");
        let plain = power.parse::<f64>().map_or_else(|_| power.clone(), |three| format!("{three}"));
        return if plain.len() <= MAX_FIXED_WIDTH { plain } else { power };
    }
    // Rounding would make it whole, or it is long: whatever is shortest and true.
    let (plain, power) = (format!("{number}"), format!("{number:e}"));
    if plain.len() <= MAX_FIXED_WIDTH { plain } else { power }
}

/// `value` in a cell of CSV.
pub(super) fn plain(value: &Cell) -> String {
    match value {
        Cell::Null => String::new(),
        Cell::Int(number) => number.to_string(),
        Cell::Real(number) => exact(*number).unwrap_or_default(),
        Cell::Text(text) => text.clone(),
        Cell::Bool(yes) => yes.to_string(),
        Cell::List(items) => items.join("; "),
    }
}

/// `value` in a cell of Markdown: as [`plain`], but fractions rounded.
pub(super) fn short(value: &Cell) -> String {
    match value {
        Cell::Real(number) => rounded(*number),
        other => plain(other),
    }
}

/// `value` for people: as [`short`], but yes and no, and fractions with at least `decimals` decimals.
pub(super) fn for_people(value: &Cell, decimals: usize) -> String {
    match value {
        Cell::Bool(true) => "yes".to_owned(),
        Cell::Bool(false) => "no".to_owned(),
        Cell::Real(number) => {
            let mut text = rounded(*number);
            // Points stand under each other; what is written with an exponent stays as it is.
            if number.is_finite() && !text.contains('e') {
                let have = text.find('.').map_or(0, |point| text.len() - point - 1);
                if have == 0 && decimals > 0 {
                    text.push('.');
                }
                text.extend(std::iter::repeat_n('0', decimals.saturating_sub(have)));
            }
            text
        }
        other => plain(other),
    }
}

/// How many decimals the fractions of a column need, so that their points stand under each other.
pub(super) fn decimals(table: &Table, column: usize) -> usize {
    let needs = |value: &Cell| match value {
        Cell::Real(number) => {
            let text = rounded(*number);
            text.find('.').filter(|_| !text.contains('e')).map_or(0, |point| text.len() - point - 1)
        }
        _ => 0,
    };
    table.rows.iter().filter_map(|row| row.get(column)).map(needs).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that rounding to three decimals would falsify.
    const HARD_NUMBERS: [f64; 14] = [
        2.0 / 3.0,
        1.0 / 3000.0,
        0.00049,
        1e-7,
        -0.0001,
        std::f64::consts::PI,
        123_456.789_012,
        1e300,
        -5e-324,
        0.999_999_9,
        2.000_000_1,
        1e16,
        123_456_789_012_345.67,
        f64::MAX,
    ];

    #[test]
    fn data_reads_back_as_the_same_number() {
        for number in HARD_NUMBERS.into_iter().chain([0.0, -0.0, 0.5, 7.0]) {
            let text = exact(number).unwrap();
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), number.to_bits(), "{text}");
            assert!(text.len() <= 24, "{text}");
        }
        assert_eq!((exact(1e-7).unwrap(), exact(-0.0001).unwrap()), ("1e-7".to_owned(), "-0.0001".to_owned()));
        assert_eq!((exact(f64::INFINITY), exact(f64::NAN)), (None, None));
    }

    #[test]
    fn rounding_makes_no_false_whole_number() {
        for number in HARD_NUMBERS {
            let text = rounded(number);
            let back: f64 = text.parse().unwrap();
            assert!(back != 0.0 && (back.fract() != 0.0 || back == number), "{number:e}: {text}");
            assert!(text.len() <= 24, "{text}");
        }
        assert_eq!(rounded(2.0 / 3.0), "0.667");
        assert_eq!(rounded(0.999_999_9), "0.9999999");
        assert_eq!(rounded(-0.0), "0");
        assert_eq!(for_people(&Cell::Real(0.5), 3), "0.500");
        assert_eq!(for_people(&Cell::Real(f64::INFINITY), 3), "inf");
    }
}
