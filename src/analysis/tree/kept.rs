//! Where values come from when somebody asks for a few: worked out at once in a small library, kept in a large one.

use crate::board::Value;
use crate::engine::Endings;
use crate::rules::PositionKey;
use crate::store::{Database, KeptValue, StoreError, TreeStamp};

use super::{TreeCounts, TreeValue, TreeValues};

/// The method of this program; grows when it comes to value positions otherwise, so that what was kept before is stale.
const METHOD_VERSION: u32 = 1;

/// Libraries of so many half-moves and fewer are worked out at every question: some tenths of a second.
pub const MAX_UNSTORED_POSITIONS: u64 = 300_000;

/// What a few positions are worth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeAnswer {
    /// The values, in the order of the question.
    pub values: Vec<Option<TreeValue>>,
    /// Where they come from.
    pub source: TreeSource,
}

/// Where values come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TreeSource {
    /// They hold for the database as it is.
    Current,
    /// None are told: the library is large, and those kept are of another state of it.
    Stale,
    /// None are told: the library is large, and none are kept.
    None,
}

/// What the whole of `database` implies of the positions of these keys. Values that are kept are told only where nothing has
/// changed since.
///
/// # Errors
/// When the database cannot be read or is damaged.
pub fn tree_answer(
    database: &Database,
    endings: Option<&dyn Endings>,
    keys: &[PositionKey],
    at_once: u64,
) -> Result<TreeAnswer, StoreError> {
    database.in_snapshot(|database| {
        let kept = database.tree_stamp()?;
        if kept.is_some() && kept == stamp(database, endings)? {
            let values = keys.iter().map(|&key| Ok(database.tree_value(key)?.map(of_kept)));
            let values = values.collect::<Result<_, StoreError>>()?;
            return Ok(TreeAnswer { values, source: TreeSource::Current });
        }
        if database.posting_count()? > at_once {
            let source = if kept.is_some() { TreeSource::Stale } else { TreeSource::None };
            return Ok(TreeAnswer { values: vec![None; keys.len()], source });
        }
        let tree = TreeValues::compute(database, endings)?;
        let values = keys.iter().map(|&key| tree.at(key)).collect();
        Ok(TreeAnswer { values, source: TreeSource::Current })
    })
}

/// Works all values of `database` out and keeps them in it; how many there are. What others write meanwhile makes them stale.
///
/// # Errors
/// When the database cannot be read or written; what was kept before is kept then.
pub fn keep_tree_values(database: &mut Database, endings: Option<&dyn Endings>) -> Result<TreeCounts, StoreError> {
    let (stamp, tree) = database.in_snapshot(|database| {
        Ok::<_, StoreError>((stamp(database, endings)?, TreeValues::compute(database, endings)?))
    })?;
    let counts = tree.counts();
    if let Some(stamp) = stamp {
        database.keep_tree_values(stamp, tree.iter().map(|(key, value)| (key, to_keep(value))))?;
    }
    Ok(counts)
}

/// How many of the values that are kept, and told as those of the database as it is, are not what follows from it: none where
/// nothing is damaged, or nothing is kept.
///
/// # Errors
/// When the database cannot be read or is damaged.
pub fn wrong_kept_values(database: &Database, endings: Option<&dyn Endings>) -> Result<u64, StoreError> {
    database.in_snapshot(|database| {
        let kept = database.tree_stamp()?;
        if kept.is_none() || kept != stamp(database, endings)? {
            return Ok(0);
        }
        let (mut right, mut missing) = (0, 0);
        for (key, value) in TreeValues::compute(database, endings)?.iter() {
            match database.tree_value(key)? {
                Some(kept) if of_kept(kept) == value => right += 1,
                Some(_) => {}
                None => missing += 1,
            }
        }
        Ok(database.tree_value_count()?.saturating_sub(right) + missing)
    })
}

/// What values worked out now are of.
fn stamp(database: &Database, endings: Option<&dyn Endings>) -> Result<Option<TreeStamp>, StoreError> {
    let pieces = endings.map_or(0, Endings::most_pieces);
    Ok(database.revision()?.map(|revision| TreeStamp { revision, method: METHOD_VERSION, pieces }))
}

const fn of_kept(kept: KeptValue) -> TreeValue {
    let value = match kept.value {
        1 => Value::Win,
        -1 => Value::Loss,
        _ => Value::Draw,
    };
    TreeValue { value, is_proved: kept.is_proved }
}

const fn to_keep(value: TreeValue) -> KeptValue {
    let number = match value.value {
        Value::Win => 1,
        Value::Draw => 0,
        Value::Loss => -1,
    };
    KeptValue { value: number, is_proved: value.is_proved }
}
