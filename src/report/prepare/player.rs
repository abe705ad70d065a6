//! Which player is meant by some words of a name.
//!
//! Spellings that differ in case, accents, signs and the order of their words are one player, as in `report players`.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::query::{Filters, LineSet, name_key};
use crate::report::ReportError;
use crate::report::told;
use crate::store::Database;

/// A player, by all spellings of the name that the database has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerName {
    /// The commonest spelling.
    pub name: String,
    /// The other spellings.
    pub spellings: Vec<String>,
    /// Games of the player, whatever else is asked.
    pub games: u32,
    key: String,
}

impl PlayerName {
    /// Whether this is a spelling of the player's name.
    pub(super) fn is(&self, name: &str, exact: bool) -> bool {
        name_key(name, exact) == self.key
    }
}

/// The players whose names have the words asked for.
pub(super) enum Match {
    None,
    /// One player, and others who have the words in their names beside more.
    One(PlayerName, Vec<PlayerName>),
    Several(Vec<PlayerName>),
}

/// The players that `named`, a filter by player, lets through. Where several have the words asked for, the one whose name has no
/// others is meant.
pub(super) fn find(database: &Database, named: &Filters) -> Result<Match, ReportError> {
    let mut spellings: BTreeMap<String, BTreeMap<String, u32>> = BTreeMap::new();
    told::each(database, &LineSet::of(database, named)?, |told| {
        let names = [&told.black, &told.white].into_iter().flatten().map(|name| name.trim());
        let mut seen: Vec<String> = Vec::new();
        for name in names.filter(|name| told.is_game() && named.has_player(name)) {
            let key = name_key(name, named.exact);
            // A game of one player against himself counts once.
            if !key.is_empty() && !seen.contains(&key) {
                *spellings.entry(key.clone()).or_default().entry(name.to_owned()).or_default() += 1;
                seen.push(key);
            }
        }
        Ok(())
    })?;
    let mut players: Vec<PlayerName> = spellings.into_iter().map(|(key, names)| player(key, names)).collect();
    players.sort_by_key(|player| Reverse(player.games));
    let asked = name_key(named.player.as_deref().unwrap_or_default(), named.exact);
    let meant = match players.len() {
        0 => return Ok(Match::None),
        1 => 0,
        _ => match players.iter().position(|player| player.key == asked) {
            Some(at) => at,
            None => return Ok(Match::Several(players)),
        },
    };
    let player = players.remove(meant);
    Ok(Match::One(player, players))
}

fn player(key: String, names: BTreeMap<String, u32>) -> PlayerName {
    let games = names.values().sum();
    let mut names: Vec<(String, u32)> = names.into_iter().collect();
    names.sort_by_key(|(_, times)| Reverse(*times));
    let mut names = names.into_iter().map(|(name, _)| name);
    PlayerName { name: names.next().unwrap_or_default(), spellings: names.collect(), games, key }
}
