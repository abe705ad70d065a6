//! Which player is meant by some words of a name.
//!
//! Spellings that differ in case, accents, signs and the order of their words are one player, as in `report players`, and so are
//! the aliases of a name.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::query::{Filters, LineSet, Players};
use crate::report::ReportError;
use crate::report::line_facts;
use crate::store::Database;

/// A player, by all spellings of the name that the database has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerName {
    /// The commonest spelling; the name that it counts as, where it is an alias.
    pub name: String,
    /// The other spellings.
    pub spellings: Vec<String>,
    /// Games of the player, whatever else is asked.
    pub games: u32,
    key: String,
}

impl PlayerName {
    /// Whether this is a spelling of the player's name.
    pub(super) fn is(&self, players: &Players, name: &str, exact: bool) -> bool {
        players.key(name, exact).as_ref() == Some(&self.key)
    }
}

/// The players whose names have the words asked for.
pub(super) enum PlayerMatch {
    None,
    /// One player, and others who have the words in their names beside more.
    One(PlayerName, Vec<PlayerName>),
    Several(Vec<PlayerName>),
}

/// The players that `named`, a filter by player, lets through. Where several have the words asked for, the one whose name has no
/// others is meant.
pub(super) fn find(database: &Database, named: &Filters) -> Result<PlayerMatch, ReportError> {
    let aliases = Players::read(database)?;
    let mut spellings: BTreeMap<String, BTreeMap<String, u32>> = BTreeMap::new();
    line_facts::each(database, &LineSet::select(database, named)?, |told| {
        let names = [&told.black, &told.white].into_iter().flatten().map(|name| name.trim());
        let mut seen: Vec<String> = Vec::new();
        for name in names.filter(|name| told.is_game() && named.has_player(&aliases, name)) {
            let Some(key) = aliases.key(name, named.exact) else { continue };
            // A game of one player against himself counts once.
            if !seen.contains(&key) {
                *spellings.entry(key.clone()).or_default().entry(name.to_owned()).or_default() += 1;
                seen.push(key);
            }
        }
        Ok(())
    })?;
    let mut players: Vec<PlayerName> = spellings.into_iter().map(|(key, names)| player(key, names, &aliases)).collect();
    players.sort_by_key(|player| Reverse(player.games));
    let asked = aliases.key(named.player.as_deref().unwrap_or_default(), named.exact);
    let meant = match players.len() {
        0 => return Ok(PlayerMatch::None),
        1 => 0,
        _ => match players.iter().position(|player| asked.as_ref() == Some(&player.key)) {
            Some(at) => at,
            None => return Ok(PlayerMatch::Several(players)),
        },
    };
    let player = players.remove(meant);
    Ok(PlayerMatch::One(player, players))
}

fn player(key: String, names: BTreeMap<String, u32>, aliases: &Players) -> PlayerName {
    let games = names.values().sum();
    let mut names: Vec<(String, u32)> = names.into_iter().collect();
    names.sort_by_key(|(_, times)| Reverse(*times));
    let mut spellings: Vec<String> = names.into_iter().map(|(name, _)| name).collect();
    let name = spellings.first().map(|spelling| aliases.name(spelling).to_owned()).unwrap_or_default();
    spellings.retain(|spelling| *spelling != name);
    // Without an alias the commonest spelling is the name itself.
    PlayerName { name, spellings, games, key }
}
