//! Spellings of players that count as another name: an overlay over the tags, which stay as they are.
//!
//! Names are compared by [`name_key`]: case, accents, signs and the order of words do not matter. A name that spellings count as
//! is never a spelling itself, so that there are no chains and no circles: an alias of an alias is stored as an alias of the
//! name that both mean.

use std::collections::HashSet;

use rusqlite::params;

use crate::game::{is_unknown_player, name_key};
use crate::table::quoted;

use super::inspect::{DatabasePart, Inspection};
use super::{Database, StoreError};

/// A spelling and the name it counts as.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PlayerAlias {
    /// The spelling.
    pub spelling: String,
    /// The name.
    pub name: String,
}

/// What became of an alias that was to be added.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AliasAdded {
    /// It was stored: the spelling counts as this name, and so do the spellings that counted as the spelling before.
    Stored {
        /// The name, in the end.
        name: String,
        /// The spellings that came along.
        moved: Vec<String>,
    },
    /// It was there already.
    Known,
    /// Both are one name already, but for case, accents, signs and the order of words.
    SameName,
    /// One of the two names no one.
    NoName,
    /// The name counts as the spelling already.
    Circle,
    /// The spelling counts as this other name already.
    Taken(String),
}

impl Database {
    /// Reports aliases that no command of ours can have written.
    pub(super) fn inspect_aliases(&self, found: &mut Inspection) -> Result<(), StoreError> {
        if !self.has_table("player_alias")? {
            return Ok(());
        }
        let mut rows = self.connection.prepare("SELECT key, spelling, name FROM player_alias ORDER BY spelling")?;
        let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let rows: Vec<(String, String, String)> = rows.query_map([], read)?.collect::<Result<_, _>>()?;
        let keys: HashSet<&str> = rows.iter().map(|(key, ..)| key.as_str()).collect();
        for (key, spelling, name) in &rows {
            let wrong = if *key != name_key(spelling, false) {
                "is filed under another name"
            } else if is_unknown_player(spelling) || is_unknown_player(name) {
                "names no one"
            } else if name_key(name, false) == *key {
                "counts as itself"
            } else if keys.contains(name_key(name, false).as_str()) {
                "counts as a spelling that counts as another name itself"
            } else {
                continue;
            };
            found.trouble(
                DatabasePart::Alias,
                None,
                format!("{} as {}: the spelling {wrong}", quoted(spelling), quoted(name)),
            );
        }
        Ok(())
    }

    /// Every alias, by name and spelling; none where an older version wrote the database and it is open for reading.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn aliases(&self) -> Result<Vec<PlayerAlias>, StoreError> {
        if !self.has_table("player_alias")? {
            return Ok(Vec::new());
        }
        let mut aliases =
            self.connection.prepare_cached("SELECT spelling, name FROM player_alias ORDER BY name, spelling")?;
        let read = |row: &rusqlite::Row<'_>| Ok(PlayerAlias { spelling: row.get(0)?, name: row.get(1)? });
        let rows = aliases.query_map([], read)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// From now on `spelling` counts as `name`, or as the name that `name` counts as itself.
    ///
    /// # Errors
    /// When the database cannot be written; nothing has changed then.
    pub fn add_alias(&mut self, spelling: &str, name: &str) -> Result<AliasAdded, StoreError> {
        let [spelling, name] = [spelling, name].map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
        self.in_transaction(|| self.write_alias(&spelling, &name))
    }

    fn write_alias(&self, spelling: &str, name: &str) -> Result<AliasAdded, StoreError> {
        let (key, name_of) = (name_key(spelling, false), name_key(name, false));
        if [spelling, name].iter().any(|name| is_unknown_player(name)) {
            return Ok(AliasAdded::NoName);
        }
        if key == name_of {
            return Ok(AliasAdded::SameName);
        }
        let aliases = self.aliases()?;
        let meaning = |of: &str| aliases.iter().find(|alias| name_key(&alias.spelling, false) == of);
        // The name may be a spelling itself, or be written otherwise than where spellings count as it already.
        let known = |alias: &&PlayerAlias| name_key(&alias.name, false) == name_of;
        let target = meaning(&name_of).or_else(|| aliases.iter().find(known)).map_or(name, |alias| &alias.name);
        let target_key = name_key(target, false);
        if target_key == key {
            return Ok(AliasAdded::Circle);
        }
        if let Some(there) = meaning(&key) {
            let is_same = name_key(&there.name, false) == target_key;
            return Ok(if is_same { AliasAdded::Known } else { AliasAdded::Taken(there.name.clone()) });
        }
        let moved = aliases.iter().filter(|alias| name_key(&alias.name, false) == key);
        let moved: Vec<String> = moved.map(|alias| alias.spelling.clone()).collect();
        for spelling in &moved {
            let values = params![name_key(spelling, false), target];
            self.connection.execute("UPDATE player_alias SET name = ?2 WHERE key = ?1", values)?;
        }
        self.connection.execute(
            "INSERT INTO player_alias (key, spelling, name) VALUES (?1, ?2, ?3)",
            params![key, spelling, target],
        )?;
        Ok(AliasAdded::Stored { name: target.to_owned(), moved })
    }

    /// From now on `spelling` counts as itself again; the alias that was removed, if there was one.
    ///
    /// # Errors
    /// When the database cannot be written; nothing has changed then.
    pub fn remove_alias(&mut self, spelling: &str) -> Result<Option<PlayerAlias>, StoreError> {
        let key = name_key(spelling, false);
        self.in_transaction(|| {
            let there = self.aliases()?.into_iter().find(|alias| name_key(&alias.spelling, false) == key);
            self.connection.execute("DELETE FROM player_alias WHERE key = ?1", [&key])?;
            Ok(there)
        })
    }
}
