//! A connection for questions that somebody else wrote: they may read and nothing more, and not for ever.

use std::time::{Duration, Instant};

use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;

use super::{Database, StoreError};

/// Steps of SQLite's machine between two looks at the clock: well under a millisecond.
const STEPS_PER_CLOCK_CHECK: i32 = 10_000;
/// The longest text or blob that a question may make.
const MAX_VALUE_BYTES: i32 = 32 * 1024 * 1024;
/// The most columns that a result may have, and as many as the widest question needs: each may hold a text of [`MAX_VALUE_BYTES`].
const MAX_COLUMNS: i32 = 200;
/// Bytes that SQLite may take for a question, sorting and joining included; what does not fit in memory goes to temporary files
/// where it can.
const HEAP_LIMIT_BYTES: i64 = 192 * 1024 * 1024;
/// Pragmas that only tell something; those with `true` take the name of what they tell about.
const ALLOWED_PRAGMAS: &[(&str, bool)] = &[
    ("application_id", false),
    ("collation_list", false),
    ("compile_options", false),
    ("data_version", false),
    ("database_list", false),
    ("encoding", false),
    ("foreign_key_list", true),
    ("freelist_count", false),
    ("function_list", false),
    ("index_info", true),
    ("index_list", true),
    ("index_xinfo", true),
    ("page_count", false),
    ("page_size", false),
    ("schema_version", false),
    ("table_info", true),
    ("table_list", true),
    ("table_xinfo", true),
    ("user_version", false),
];

/// Whether a question may do this.
fn may(action: AuthAction<'_>) -> bool {
    match action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive => true,
        AuthAction::Function { function_name } => !function_name.eq_ignore_ascii_case("load_extension"),
        AuthAction::Pragma { pragma_name, pragma_value } => ALLOWED_PRAGMAS.iter().any(|(name, takes_name)| {
            name.eq_ignore_ascii_case(pragma_name) && (*takes_name || pragma_value.is_none())
        }),
        _ => false,
    }
}

impl Database {
    /// Makes the connection refuse everything but reading, and stop a question after `limit` or when it would take more than
    /// its share of memory. SQLite has one heap per process, so the limit holds for its other connections too.
    ///
    /// # Errors
    /// When SQLite says no.
    pub fn confine(&mut self, limit: Duration) -> Result<(), StoreError> {
        self.connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)?;
        self.connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
        self.connection.set_limit(Limit::SQLITE_LIMIT_COLUMN, MAX_COLUMNS)?;
        self.connection.query_row(&format!("PRAGMA hard_heap_limit = {HEAP_LIMIT_BYTES}"), [], |_| Ok(()))?;
        let started = Instant::now();
        self.connection.progress_handler(STEPS_PER_CLOCK_CHECK, Some(move || started.elapsed() > limit))?;
        self.connection.authorizer(Some(|context: AuthContext<'_>| {
            if may(context.action) { Authorization::Allow } else { Authorization::Deny }
        }))?;
        Ok(())
    }
}
