//! Dates as sources write them, made comparable.

/// The names of months by the letters that tell them apart.
const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// A date as a number that sorts: year, month and day as `yyyymmdd`, with 00 for what is not known, so that a date known in part
/// stands before all dates of its year or month. `None` where there is no year.
///
/// Reads `1898.05.12`, `1898-5-12`, `1898.??.??`, `c. 1898`, `12 May 1898`, `May 12th, 1898`, `12.5.1898` and `05/12/1898`. Of two
/// numbers before the year the first is the month where a slash follows it, otherwise the day, unless only the other reading
/// is a date.
///
/// ```
/// use crownhead::table::date_order;
/// let dates = ["1898.05.12", "12 May 1898", "05/12/1898", "12.5.1898"];
/// assert_eq!(dates.map(date_order), [Some(1898_05_12); 4]);
/// assert_eq!(date_order("c. 1898"), Some(1898_00_00));
/// assert_eq!(date_order("????.??.??"), None);
/// ```
#[must_use]
pub fn date_order(text: &str) -> Option<u32> {
    let parts = parts(text);
    let at = parts.iter().position(|part| matches!(part, DatePart::Digits(digits) if digits.len() >= 4))?;
    let Some(&DatePart::Digits(digits)) = parts.get(at) else { return None };
    let year: u32 = digits.get(..4)?.parse().ok().filter(|&year| year > 0)?;
    let (month, day) = month_and_day(text, &parts, at, digits);
    Some(year * 10_000 + month * 100 + day)
}

/// A part of a written date.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum DatePart<'t> {
    Digits(&'t str),
    /// Question marks: a part that is not known.
    Unknown,
    /// The month, from 1.
    Month(u32),
}

/// The month and the day beside the year at `at`, 0 where they are not known.
fn month_and_day(text: &str, parts: &[DatePart<'_>], at: usize, year: &str) -> (u32, u32) {
    let number = |part: &DatePart<'_>| match part {
        DatePart::Digits(digits) if digits.len() <= 2 => digits.parse().unwrap_or(0),
        _ => 0,
    };
    // `18980512`: all in one.
    if let (8, Ok(rest)) = (year.len(), year.get(4..).unwrap_or_default().parse::<u32>()) {
        return date_of(rest / 100, rest % 100);
    }
    let rest: Vec<&DatePart<'_>> =
        parts.iter().enumerate().filter(|(place, _)| *place != at).map(|(_, part)| part).collect();
    if let Some(month) =
        rest.iter().find_map(|part| if let DatePart::Month(month) = part { Some(*month) } else { None })
    {
        let day = rest.iter().map(|part| number(part)).find(|day| (1..=31).contains(day)).unwrap_or(0);
        return (month, day);
    }
    let before: Vec<u32> = parts.iter().take(at).map(number).collect();
    let after: Vec<u32> = parts.iter().skip(at + 1).map(number).collect();
    match (&before[..], &after[..]) {
        ([first, second], _) => {
            let (month, day) = if text.contains('/') { (*first, *second) } else { (*second, *first) };
            if date_of(month, day) == (0, 0) { date_of(day, month) } else { date_of(month, day) }
        }
        ([month], _) | ([], [month]) => date_of(*month, 0),
        ([], [month, day, ..]) => date_of(*month, *day),
        _ => (0, 0),
    }
}

/// A month and a day as they are, or what of them can be; no day without a month.
const fn date_of(month: u32, day: u32) -> (u32, u32) {
    match (month, day) {
        (1..=12, 0..=31) => (month, day),
        _ => (0, 0),
    }
}

/// The parts of a date in their order; words that are no months are left out.
fn parts(text: &str) -> Vec<DatePart<'_>> {
    // No date is longer; what is has no more to say.
    const MAX_PARTS: usize = 16;
    let mut parts = Vec::new();
    let mut rest = text;
    while let (Some(first), true) = (rest.chars().next(), parts.len() < MAX_PARTS) {
        let kind = |c: char| (c.is_ascii_digit(), c.is_alphabetic(), c == '?');
        let end = rest.find(|c: char| kind(c) != kind(first)).unwrap_or(rest.len());
        let (part, behind) = rest.split_at(end);
        if first.is_ascii_digit() {
            parts.push(DatePart::Digits(part));
        } else if first == '?' {
            parts.push(DatePart::Unknown);
        } else {
            parts.extend(month(part).map(DatePart::Month));
        }
        rest = behind;
    }
    parts
}

/// The month that a word names by its first three letters.
fn month(word: &str) -> Option<u32> {
    let start = word.get(..3)?.to_ascii_lowercase();
    (1..).zip(MONTHS).find(|(_, name)| *name == start).map(|(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_written_form_is_a_date() {
        for (text, (year, month, day)) in [
            ("1898.05.12", (1898, 5, 12)),
            ("1898-5-12", (1898, 5, 12)),
            ("1898/05/12", (1898, 5, 12)),
            ("18980512", (1898, 5, 12)),
            ("12 May 1898", (1898, 5, 12)),
            ("May 12th, 1898", (1898, 5, 12)),
            ("Thursday, 12th of May, 1898", (1898, 5, 12)),
            ("05/12/1898", (1898, 5, 12)),
            ("25/12/1898", (1898, 12, 25)),
            ("12.05.1898", (1898, 5, 12)),
            ("12.25.1898", (1898, 12, 25)),
            ("??.11.1880", (1880, 11, 0)),
            ("1880.11.??", (1880, 11, 0)),
            ("1880.??.11", (1880, 0, 0)),
            ("Sept. 1880", (1880, 9, 0)),
            ("11/1880", (1880, 11, 0)),
            ("1898.??.??", (1898, 0, 0)),
            ("c. 1898", (1898, 0, 0)),
            ("circa 1898", (1898, 0, 0)),
            ("1898", (1898, 0, 0)),
            ("1898-99", (1898, 0, 0)),
            ("1898.13.40", (1898, 0, 0)),
        ] {
            assert_eq!(date_order(text), Some(year * 10_000 + month * 100 + day), "{text}");
        }
        for text in ["", "?", "????.??.??", "0000.00.00", "long ago", "May", "12 May", "98"] {
            assert_eq!(date_order(text), None, "{text}");
        }
    }
}
