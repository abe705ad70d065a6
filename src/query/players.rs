//! Who a player tag means: one player, whatever the spelling, with the aliases that the database has.

use std::collections::HashMap;

use crate::game::{is_unknown_player, name_key};
use crate::store::Database;

use super::QueryError;

/// The aliases of a database, ready for look-ups.
///
/// Whoever adds up by player uses the two answers of it: [`Players::key`] is equal for all that one player is written as and is
/// what to group by; [`Players::name`] is the name to show.
///
/// ```
/// use crownhead::query::Players;
/// use crownhead::store::Database;
///
/// let mut database = Database::in_memory()?;
/// database.add_alias("Ash, C", "Charles Ash")?;
/// let players = Players::read(&database)?;
/// assert_eq!(players.name("C. ASH"), "Charles Ash");
/// assert_eq!(players.key("Ash, C", false), players.key("ash charles", false));
/// assert_eq!(players.key("NN", false), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Players {
    /// The group that each spelling and each name belongs to, by key.
    groups: HashMap<String, usize>,
    /// For each group its name first, then its spellings.
    names: Vec<Vec<String>>,
}

/// Whether any game names a player.
///
/// # Errors
/// When the database cannot be read.
pub fn names_players(database: &Database) -> Result<bool, QueryError> {
    let mut names = database.connection().prepare(
        "SELECT DISTINCT black FROM line WHERE black IS NOT NULL UNION SELECT DISTINCT white FROM line WHERE white IS NOT NULL",
    )?;
    let mut rows = names.query([])?;
    while let Some(row) = rows.next()? {
        if !is_unknown_player(row.get_ref(0)?.as_str().unwrap_or_default()) {
            return Ok(true);
        }
    }
    Ok(false)
}

impl Players {
    /// The players of a database.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn read(database: &Database) -> Result<Self, QueryError> {
        let mut players = Self::default();
        for alias in database.aliases()? {
            let next = players.names.len();
            let group = *players.groups.entry(name_key(&alias.name, false)).or_insert(next);
            if group == next {
                players.names.push(vec![alias.name]);
            }
            players.groups.insert(name_key(&alias.spelling, false), group);
            if let Some(names) = players.names.get_mut(group) {
                names.push(alias.spelling);
            }
        }
        Ok(players)
    }

    /// The name that `name` counts as: itself, unless it is a spelling of another.
    #[must_use]
    pub fn name<'n>(&'n self, name: &'n str) -> &'n str {
        self.group(name).and_then(|names| names.first()).map_or(name, String::as_str)
    }

    /// What all names of one player have in common, to group by; `None` for a name that stands for no one, such as `?` or `NN`.
    /// Accents count where `exact` says so.
    #[must_use]
    pub fn key(&self, name: &str, exact: bool) -> Option<String> {
        if is_unknown_player(name) {
            return None;
        }
        Some(name_key(self.name(name), exact))
    }

    /// Whether `fits` holds of `name` or of anything that means the same player.
    pub(super) fn any_name(&self, name: &str, fits: impl Fn(&str) -> bool) -> bool {
        fits(name) || self.group(name).is_some_and(|names| names.iter().any(|name| fits(name)))
    }

    /// Whether both are names of one player by an alias, whatever their signs.
    pub(super) fn is_same(&self, one: &str, two: &str) -> bool {
        let group = |name: &str| self.groups.get(&name_key(name, false));
        !self.names.is_empty() && group(one).is_some_and(|one| group(two) == Some(one))
    }

    /// The names of the player called `name`, where there are several.
    fn group(&self, name: &str) -> Option<&Vec<String>> {
        if self.names.is_empty() {
            return None;
        }
        self.names.get(*self.groups.get(&name_key(name, false))?)
    }
}

/// How many games have each spelling of a player's name in a tag, by [`name_key`]; a game whose two players have one counts once.
///
/// # Errors
/// When the database cannot be read.
pub fn games_by_spelling(database: &Database) -> Result<HashMap<String, u32>, QueryError> {
    let mut statement = database.connection().prepare(
        "SELECT black, white, count(*) FROM line WHERE kind = 0 AND ifnull(black, white) IS NOT NULL GROUP BY black, white",
    )?;
    let mut rows = statement.query([])?;
    let mut games: HashMap<String, u32> = HashMap::new();
    while let Some(row) = rows.next()? {
        let count: u32 = row.get(2)?;
        let mut seen = None;
        for column in 0..2 {
            let Some(name) = row.get::<_, Option<String>>(column)? else { continue };
            let key = name_key(&name, false);
            if seen.as_ref() != Some(&key) {
                *games.entry(key.clone()).or_default() += count;
            }
            seen = Some(key);
        }
    }
    Ok(games)
}
