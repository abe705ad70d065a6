//! The slices of a group solved together, by threads that share the segments.
//!
//! A group is the slices of as many pieces and as many men: none leads to another. Its segments are solved in levels by how
//! far the men stand up, all together: every man move leads to a level already done, so the segments of one level can be
//! solved by any thread in any order.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::sets::{MAN_SQUARES, sets};
use super::slice::Slice;
use super::solve::{ValueCounts, Workspace, advancement};
use super::table::{SliceShape, Tables};

/// Places that one task has at most, unless a single segment has more.
const TASK_POSITIONS: usize = 1 << 18;

/// Segments of one slice, all of one level.
struct Task<'a> {
    /// Which slice of the group.
    slice: usize,
    my_men: u32,
    /// Sets of his men as he sees them.
    his_men: &'a [u32],
}

/// All sets of `count` men by how far they stand up.
fn men_by_level(count: u8) -> Vec<Vec<u32>> {
    let mut levels: Vec<Vec<u32>> = Vec::new();
    for men in sets(MAN_SQUARES, count) {
        let level = advancement(men) as usize;
        if levels.len() <= level {
            levels.resize_with(level + 1, Vec::new);
        }
        levels[level].push(men);
    }
    levels
}

/// Solves the slices of a group with their mirrors; their tables and all they lead to are in `tables`. Calls `done` with the
/// number of places solved, now and then, from any thread. The counts of each slice and its mirror, or `None` when `stop`
/// was raised.
pub(super) fn solve(
    tables: &Tables,
    group: &[Slice],
    workspaces: &mut [Workspace],
    distances: bool,
    done: &(dyn Fn(u64) + Sync),
    stop: &AtomicBool,
) -> Option<Vec<[ValueCounts; 2]>> {
    let most_men = group.iter().map(|slice| slice.my_men.max(slice.his_men)).max().unwrap_or(0);
    let men: Vec<Vec<Vec<u32>>> = (0..=most_men).map(men_by_level).collect();
    let levels =
        group.iter().map(|slice| men[usize::from(slice.my_men)].len() + men[usize::from(slice.his_men)].len() - 1);
    let mut counts = vec![[ValueCounts::default(); 2]; group.len()];
    for level in (0..levels.max().unwrap_or(0)).rev() {
        let tasks = tasks(group, &men, level);
        let next = AtomicUsize::new(0);
        let work = |workspace: &mut Workspace| {
            let mut counts = vec![[ValueCounts::default(); 2]; group.len()];
            while !stop.load(Ordering::Relaxed) {
                let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                run(tables, group[task.slice], task, workspace, distances, &mut counts[task.slice]);
                done((task.his_men.len() * 2 * SliceShape::for_slice(group[task.slice]).positions()) as u64);
            }
            counts
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = workspaces.iter_mut().map(|workspace| scope.spawn(|| work(workspace))).collect();
            for thread in threads {
                // A thread that panicked has told so; its panic goes on here.
                let found = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                for (all, one) in counts.iter_mut().flatten().zip(found.into_iter().flatten()) {
                    *all += one;
                }
            }
        });
        if stop.load(Ordering::Relaxed) {
            return None;
        }
    }
    Some(counts)
}

fn tasks<'a>(group: &[Slice], men: &'a [Vec<Vec<u32>>], level: usize) -> Vec<Task<'a>> {
    let mut tasks = Vec::new();
    for (index, slice) in group.iter().enumerate() {
        let (mine, his) = (&men[usize::from(slice.my_men)], &men[usize::from(slice.his_men)]);
        let segments = (TASK_POSITIONS / (2 * SliceShape::for_slice(*slice).positions())).max(1);
        for (my_level, my_sets) in mine.iter().enumerate() {
            let Some(his_sets) = level.checked_sub(my_level).and_then(|rest| his.get(rest)) else { continue };
            for &my_men in my_sets {
                tasks.extend(his_sets.chunks(segments).map(|his_men| Task { slice: index, my_men, his_men }));
            }
        }
    }
    tasks
}

fn run(
    tables: &Tables,
    slice: Slice,
    task: &Task<'_>,
    workspace: &mut Workspace,
    distances: bool,
    counts: &mut [ValueCounts; 2],
) {
    let its_own_mirror = slice == slice.mirror();
    for &turned in task.his_men {
        let his_men = turned.reverse_bits();
        // In a slice that is its own mirror each segment comes twice, once seen from either side.
        if his_men & task.my_men != 0 || (its_own_mirror && task.my_men > turned) {
            continue;
        }
        let found = if distances {
            workspace.solve::<true>(tables, slice, task.my_men, his_men)
        } else {
            workspace.solve::<false>(tables, slice, task.my_men, his_men)
        };
        counts[0] += found[0];
        if its_own_mirror {
            // One and the same slice; where the segment is its own mirror too, the halves are the same positions.
            if task.my_men != turned {
                counts[0] += found[1];
            }
            counts[1] = counts[0];
        } else {
            counts[1] += found[1];
        }
    }
}
