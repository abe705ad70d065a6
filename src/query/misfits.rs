//! Why nothing fits: the filters that fit no game by themselves, and the names held that were probably meant.

use crate::store::Database;

use super::QueryError;
use crate::game::{fold, is_unknown_player};
use crate::notation::fen;

use super::filters::{Filters, add_functions};

/// How alike a name must be to be proposed (Jaro-Winkler, 0 to 1).
const MIN_LIKENESS: f64 = 0.8;
/// How many names are proposed.
const MAX_SUGGESTIONS: usize = 3;

/// A filter that fits no game of the database, whatever the others say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misfit {
    /// The filter: `opening`, `ballot`, `player`, `black`, `white`, `event`, `source`, `year`, `result`, `kind`, `position`,
    /// `losing` or `witness`.
    pub filter: &'static str,
    /// What was asked for.
    pub asked: String,
    /// What the database has that is like it, the most alike first; for years, the range held.
    pub similar: Vec<String>,
}

/// The filters of `filters` that fit nothing by themselves. None of them where it is only together that they do not fit.
///
/// # Errors
/// When a filter cannot be read or the database cannot.
pub fn misfits(database: &Database, filters: &Filters) -> Result<Vec<Misfit>, QueryError> {
    let connection = database.connection();
    add_functions(database)?;
    let mut misfits = Vec::new();
    for (filter, asked, alone) in single_filters(filters) {
        let condition = alone.of_list(database)?;
        // A source may have no line of its own, be it that all was refused or that others had it.
        if alone.source.is_some() {
            let mut names = connection.prepare_cached("SELECT name FROM source")?;
            let names = names.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?;
            if names.iter().any(|name| alone.has_source(name)) {
                continue;
            }
        }
        let fits: bool = connection.query_row(
            &format!("SELECT EXISTS (SELECT 1 FROM games WHERE {})", condition.sql()),
            rusqlite::params_from_iter(condition.bound()),
            |row| row.get(0),
        )?;
        if !fits {
            let near = similar_names(database, filter, &asked)?;
            misfits.push(Misfit { filter, asked, similar: near });
        }
    }
    Ok(misfits)
}

/// Each filter that is set, alone.
fn single_filters(filters: &Filters) -> Vec<(&'static str, String, Filters)> {
    let exact = filters.exact;
    let none = || Filters { exact, ..Filters::default() };
    let mut parts = Vec::new();
    let mut add = |filter, asked: &Option<String>, alone: fn(&mut Filters, String)| {
        if let Some(asked) = asked {
            let mut part = none();
            alone(&mut part, asked.clone());
            parts.push((filter, asked.clone(), part));
        }
    };
    add("opening", &filters.opening, |part, asked| part.opening = Some(asked));
    add("player", &filters.player, |part, asked| part.player = Some(asked));
    add("black", &filters.black, |part, asked| part.black = Some(asked));
    add("white", &filters.white, |part, asked| part.white = Some(asked));
    add("event", &filters.event, |part, asked| part.event = Some(asked));
    add("source", &filters.source, |part, asked| part.source = Some(asked));
    add("year", &filters.years, |part, asked| part.years = Some(asked));
    if let Some(winner) = filters.winner {
        parts.push(("result", winner.name().to_owned(), Filters { winner: Some(winner), ..none() }));
    }
    if let Some(kind) = filters.kind {
        parts.push(("kind", kind.name().to_owned(), Filters { kind: Some(kind), ..none() }));
    }
    if let Some(witness) = filters.witness {
        parts.push(("witness", witness.name().to_owned(), Filters { witness: Some(witness), ..none() }));
    }
    if let Some(ballot) = filters.ballot {
        parts.push(("ballot", ballot.to_string(), Filters { ballot: Some(ballot), ..none() }));
    }
    if let Some(position) = filters.position {
        let asked = fen::write(&position.setup());
        parts.push(("position", asked, Filters { position: Some(position), ..none() }));
    }
    if filters.losing {
        parts.push(("losing", String::new(), Filters { losing: true, ..none() }));
    }
    parts
}

/// What the database has that is like `asked`.
fn similar_names(database: &Database, filter: &str, asked: &str) -> Result<Vec<String>, QueryError> {
    let connection = database.connection();
    let sql = match filter {
        "opening" => "SELECT name FROM opening_name",
        "player" => {
            "SELECT black FROM line WHERE black IS NOT NULL UNION SELECT white FROM line WHERE white IS NOT NULL"
        }
        "black" => "SELECT DISTINCT black FROM line WHERE black IS NOT NULL",
        "white" => "SELECT DISTINCT white FROM line WHERE white IS NOT NULL",
        "event" => "SELECT DISTINCT event FROM line WHERE event IS NOT NULL",
        "source" => "SELECT DISTINCT name FROM source",
        "year" => {
            let held: (Option<i64>, Option<i64>) = connection.query_row(
                "SELECT min(year_of(date)), max(year_of(date)) FROM line WHERE date IS NOT NULL",
                [],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )?;
            let range = |(from, to)| if from == to { format!("{from}") } else { format!("{from}..{to}") };
            return Ok(held.0.zip(held.1).map(range).into_iter().collect());
        }
        _ => return Ok(Vec::new()),
    };
    let mut names = connection.prepare(sql)?;
    let mut names = names.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?;
    if matches!(filter, "player" | "black" | "white") {
        names.retain(|name| !is_unknown_player(name));
        names.extend(database.aliases()?.into_iter().map(|alias| alias.name));
        names.sort_unstable();
        names.dedup();
    }
    let asked = fold(asked, false);
    let mut found = Vec::new();
    for name in names {
        let alike = likeness(&asked, &fold(&name, false));
        if alike >= MIN_LIKENESS {
            found.push((alike, name));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    found.truncate(MAX_SUGGESTIONS);
    Ok(found.into_iter().map(|(_, name)| name).collect())
}

/// How alike two folded names are: as they stand, or word by word in any order.
fn likeness(asked: &str, name: &str) -> f64 {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_owned).collect()
    };
    let (wanted, held) = (words(asked), words(name));
    let best = |word: &String| held.iter().map(|other| strsim::jaro_winkler(word, other)).fold(0.0, f64::max);
    let by_words = wanted.iter().map(best).sum::<f64>() / wanted.len().max(1) as f64;
    by_words.max(strsim::jaro_winkler(asked, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likeness_forgives_slips_and_order() {
        for (asked, name) in [("wylie", "wyllie, j."), ("j wylle", "wyllie, j."), ("manchster 1841", "manchester 1841")]
        {
            assert!(likeness(asked, name) >= MIN_LIKENESS, "{asked} {name}: {}", likeness(asked, name));
        }
        for (asked, name) in [("wyllie", "anderson, a."), ("xyz", "wyllie, j.")] {
            assert!(likeness(asked, name) < MIN_LIKENESS, "{asked} {name}: {}", likeness(asked, name));
        }
    }
}
