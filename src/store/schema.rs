//! Whether a database has the schema that this program gives it, and nothing that acts by itself.
//!
//! A file from somebody else may have triggers that change what is stored, and views in the place of ours that never end.
//! What is expected is what the migrations make, so that it never has to be written down twice.

use rusqlite::Connection;

use super::StoreError;

/// Every migration in order, never changed, only added to: the schema version is how many have run.
pub(super) const MIGRATIONS: &[&str] = &[
    include_str!("migrations/0001_initial.sql"),
    include_str!("migrations/0002_ending.sql"),
    include_str!("migrations/0003_analyses.sql"),
    include_str!("migrations/0004_tree_values.sql"),
    include_str!("migrations/0005_value_words.sql"),
    include_str!("migrations/0006_import_date.sql"),
    include_str!("migrations/0007_player_aliases.sql"),
    include_str!("migrations/0008_copies.sql"),
];

/// What one object of a schema is: its type, name and text.
type Object = (String, String, String);

/// The digest of the objects of the newest schema, so that opening a database of today need not run all migrations (2 ms) to know
/// them. A test prints the right one where a migration has changed it.
const NEWEST_DIGEST: &str = "442de685fa5fb115213f99b92a19036f48a6c8bdaea95bd23daa8d9306fa6f21";

/// The objects of a schema that have a text, those of SQLite's own left out.
fn objects(connection: &Connection) -> Result<Vec<Object>, rusqlite::Error> {
    let mut schema = connection.prepare(
        "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
         ORDER BY type, name",
    )?;
    let rows = schema.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    rows.collect()
}

/// The objects that the first `version` migrations make.
fn made(version: usize) -> Result<Vec<Object>, rusqlite::Error> {
    let connection = Connection::open_in_memory()?;
    for migration in MIGRATIONS.iter().take(version) {
        connection.execute_batch(migration)?;
    }
    objects(&connection)
}

/// A digest of everything that [`differences`] compares.
fn digest(objects: &[Object]) -> String {
    let mut hasher = blake3::Hasher::new();
    for text in objects.iter().flat_map(|(kind, name, sql)| [kind, name, sql]) {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

/// What the schema of a database of this version has that it should not have, or should have and has not. `all` tells of
/// further tables, views and indexes too, which do no harm: nothing here asks them.
pub(super) fn differences(connection: &Connection, version: i64, all: bool) -> Result<Vec<String>, StoreError> {
    let version = usize::try_from(version).unwrap_or(0);
    let found = objects(connection)?;
    if version == MIGRATIONS.len() && digest(&found) == NEWEST_DIGEST {
        return Ok(Vec::new());
    }
    let expected = made(version)?;
    let mut told = Vec::new();
    for (kind, name, sql) in &expected {
        match found.iter().find(|(of, called, _)| of == kind && called == name) {
            None => told.push(format!("the {kind} {name} is missing")),
            Some((_, _, text)) if text != sql => {
                told.push(format!("the {kind} {name} is not the one that Crownhead makes"));
            }
            Some(_) => {}
        }
    }
    for (kind, name, _) in &found {
        let is_ours = expected.iter().any(|(of, called, _)| of == kind && called == name);
        if !is_ours && (all || kind == "trigger") {
            told.push(format!("the {kind} {name} is not Crownhead's"));
        }
    }
    Ok(told)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_of_what_the_migrations_make() {
        assert_eq!(digest(&made(MIGRATIONS.len()).unwrap()), NEWEST_DIGEST);
    }
}
