//! The glue between SQLite and the tables of `tables`: the only unsafe code of the program.
//!
//! SQLite finds a row of such a table by asking for a plan, a cursor, and row after row. There is one implementation for all
//! tables; a table is a [`TableKind`]. `rusqlite` asks for `unsafe impl` because SQLite reads the first field of both structures
//! itself: both are `repr(C)` with that field first, and nothing else is asked of them.
//!
//! Why not without: a function or a view cannot be given `fen = …` before it answers, so that every question about one
//! position would walk over all of them.

#![expect(
    unsafe_code,
    reason = "rusqlite's traits of virtual tables are unsafe to implement; the layout they ask for is kept"
)]

use std::borrow::Cow;
use std::ffi::{CStr, CString, c_int};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use rusqlite::types::Value as Sql;
use rusqlite::vtab::{
    Context, Filters, IndexConstraintOp, IndexInfo, Module, VTab, VTabConfig, VTabConnection, VTabCursor, sqlite3_vtab,
    sqlite3_vtab_cursor,
};
use rusqlite::{Connection, Error};

use super::QueryError;
use super::virtual_tables::{Store, TABLES, TableKind, TableRows};

/// Rows that a look-up by key is said to find, and what it is said to cost; and the same for a walk over everything.
const KEY_LOOKUP_COST: (i64, f64) = (20, 100.0);
const FULL_WALK_COST: (i64, f64) = (10_000_000, 1e9);

/// Adds the tables to `connection`; they read the database at `path` over connections of their own.
pub(super) fn add_tables(connection: &Connection, path: &Path) -> Result<(), QueryError> {
    const MODULE: Module<'static, VirtualTable> = Module::eponymous_only_module();
    for kind in TABLES {
        connection.create_module(kind.name, &MODULE, Some((kind, path.to_owned())))?;
    }
    Ok(())
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn failed(error: QueryError) -> Error {
    Error::ModuleError(error.to_string())
}

/// The plans that [`VirtualTable::best_index`] makes: all rows; those of a key that the question states; of one that comes from
/// another table.
const ALL: c_int = 0;
const STATED_KEY: c_int = 1;
const JOINED_KEY: c_int = 2;

/// A table as SQLite sees it.
#[repr(C)]
struct VirtualTable {
    base: sqlite3_vtab,
    kind: &'static TableKind,
    store: Rc<Store>,
}

// Sound: `repr(C)`, and `sqlite3_vtab` is the first field.
unsafe impl<'vtab> VTab<'vtab> for VirtualTable {
    type Aux = (&'static TableKind, PathBuf);
    type Cursor = TableCursor<'vtab>;

    fn connect(
        db: &mut VTabConnection,
        aux: Option<&Self::Aux>,
        _module: &[u8],
        _database: &[u8],
        _table: &[u8],
        _args: &[&[u8]],
    ) -> rusqlite::Result<(Cow<'static, CStr>, Self)> {
        let (kind, path) = aux.ok_or_else(|| Error::ModuleError("no table is meant".to_owned()))?;
        // Not for triggers and views of a database that somebody else made.
        db.config(VTabConfig::DirectOnly)?;
        let columns: Vec<String> = kind.columns().iter().map(|name| format!("\"{name}\"")).collect();
        let sql = CString::new(format!("CREATE TABLE t ({})", columns.join(", ")))?;
        let store = Rc::new(Store::open(path).map_err(failed)?);
        Ok((Cow::Owned(sql), Self { base: sqlite3_vtab::default(), kind, store }))
    }

    fn best_index(&self, info: &mut IndexInfo) -> rusqlite::Result<bool> {
        let wanted = info.constraints().position(|constraint| {
            constraint.is_usable()
                && constraint.column() == self.kind.key as c_int
                && constraint.operator() == IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_EQ
        });
        let (rows, cost) = if let Some(at) = wanted {
            let mut usage = info.constraint_usage(at);
            usage.set_argv_index(1);
            // A position may be written in several ways; the rows have one.
            usage.set_omit(true);
            KEY_LOOKUP_COST
        } else {
            FULL_WALK_COST
        };
        // A key that the question itself states is a slip where it is none; one that comes out of a join is just no match.
        let stated = wanted.is_some_and(|at| matches!(info.rhs_value(at), Ok(Some(_))));
        info.set_idx_num(if wanted.is_none() {
            ALL
        } else if stated {
            STATED_KEY
        } else {
            JOINED_KEY
        });
        info.set_estimated_rows(rows);
        info.set_estimated_cost(cost);
        Ok(true)
    }

    fn open(&'vtab mut self) -> rusqlite::Result<TableCursor<'vtab>> {
        Ok(TableCursor {
            base: sqlite3_vtab_cursor::default(),
            kind: self.kind,
            store: Rc::clone(&self.store),
            rows: None,
            row: None,
            number: 0,
            of: PhantomData,
        })
    }
}

/// A place in a table.
#[repr(C)]
struct TableCursor<'vtab> {
    base: sqlite3_vtab_cursor,
    kind: &'static TableKind,
    store: Rc<Store>,
    rows: Option<Box<dyn TableRows>>,
    /// The row it stands on; none behind the last.
    row: Option<Vec<Sql>>,
    number: i64,
    of: PhantomData<&'vtab VirtualTable>,
}

// Sound: `repr(C)`, and `sqlite3_vtab_cursor` is the first field.
unsafe impl VTabCursor for TableCursor<'_> {
    fn filter(&mut self, plan: c_int, _: Option<&str>, args: &Filters<'_>) -> rusqlite::Result<()> {
        let key = if plan == ALL { None } else { Some(args.get::<Sql>(0)?) };
        self.rows = match (self.kind.open)(&self.store, key.as_ref()) {
            Err(QueryError::NoPosition { .. }) if plan == JOINED_KEY => None,
            rows => Some(rows.map_err(failed)?),
        };
        self.number = 0;
        self.next()
    }

    fn next(&mut self) -> rusqlite::Result<()> {
        self.row = match &mut self.rows {
            Some(rows) => rows.next(&self.store).map_err(failed)?,
            None => None,
        };
        self.number += 1;
        Ok(())
    }

    fn eof(&self) -> bool {
        self.row.is_none()
    }

    fn column(&self, context: &mut Context, column: c_int) -> rusqlite::Result<()> {
        let row = self.row.as_ref().zip(usize::try_from(column).ok());
        context.set_result(row.and_then(|(row, column)| row.get(column)).unwrap_or(&Sql::Null))
    }

    fn rowid(&self) -> rusqlite::Result<i64> {
        Ok(self.number)
    }
}
