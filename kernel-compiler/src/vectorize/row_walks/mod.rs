//! Loops in which each work-item walks along a row of its own, as `sum += a[i * m + j] * x[j]` does with a loop over `j`.
//!
//! Their loads are gathers and their stores scatters, for which a processor accesses each lane's element by itself. Such a
//! loop gets a version with [`WALKED_ITERATIONS`] iterations in one: each lane loads and stores its next elements at once, as OpenCL
//! vectors, which are transposed in registers. The loop as it was executes the iterations that remain.

mod counter;
mod independence;
mod order;
mod recognition;
mod steps;
mod version;

use super::access::TRANSPOSED_ELEMENTS;
use super::guard_versions;
use super::loop_body::LoopBody;
use super::private_arrays;
use super::vector_unit::VectorUnit;
use super::work_item_loop;
use crate::analysis::loop_mark::WALKED_ITERATIONS;
use crate::ir::{Block, DataLayout, Value};
use crate::work_items::loop_descriptor::LoopKind;
use counter::Counter;
use std::collections::HashSet;

/// Most instructions of an iteration.
const MAX_INSTRUCTIONS: usize = 60;

/// Most instructions of the versions of a function's loops, beyond which its code might be too long to be vectorised.
const MAX_ADDED_INSTRUCTIONS: usize = 1500;

/// Adds such versions to the loops of a function that `PREPARE` has been run on, and returns whether there are any: their
/// loops are not in simplified form. The simulated machine gathers as fast as it loads vectors.
pub fn block(function: Value, lanes: u32, vectors: VectorUnit) -> bool {
    if vectors.timed || u64::from(lanes) < TRANSPOSED_ELEMENTS {
        return false;
    }
    let layout = DataLayout::of_function(function);
    let mut walks = Vec::new();
    for (_, found) in work_item_loop::find(function, LoopKind::WorkItems) {
        let Ok(work_items) = found else {
            continue;
        };
        let Ok(body) = LoopBody::new(&work_items) else {
            continue;
        };
        let loops = 0..body.cfg.loops.len();
        let candidates: Vec<RowWalk> = loops
            .filter_map(|number| RowWalk::candidate(&body, number, layout))
            .collect();
        if candidates.is_empty() {
            continue;
        }
        let arrays = private_arrays::layouts(&work_items, lanes, layout);
        let plan = guard_versions::plan(function, &body, lanes, vectors, &arrays);
        let candidates = candidates.into_iter();
        walks.extend(candidates.filter_map(|walk| walk.with_gathers(&plan)));
    }
    let mut added = 0;
    walks.retain(|walk| {
        added += WALKED_ITERATIONS as usize * walk.block.instructions().len();
        added <= MAX_ADDED_INSTRUCTIONS
    });
    // A quarter of the registers holds the elements of all lanes.
    let at_once = u64::from(vectors.registers / 4).clamp(TRANSPOSED_ELEMENTS, WALKED_ITERATIONS);
    for walk in &walks {
        walk.add_version(at_once);
    }
    !walks.is_empty()
}

/// How the address of an access changes from one iteration to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Advance {
    /// Not at all.
    Fixed,
    /// By the bytes of an element, 8 at most, up or down.
    Row(i64),
}

/// A loop of one block.
struct RowWalk {
    layout: DataLayout,
    /// Number of the loop.
    number: usize,
    block: Block,
    preheader: Block,
    exit: Block,
    counter: Counter,
    /// Loads of rows, of which several are executed at once.
    loads: Vec<Value>,
    /// The stores of rows, of which several are executed at once, behind the last of them.
    delayed: Vec<Value>,
    /// Loads of what a store of the last iteration has stored.
    forwarded: Vec<Forwarded>,
    /// What must hold for the version to execute its accesses in another order than the loop.
    conditions: Vec<Condition>,
    /// Values that are computed in the loop, but are the same in all iterations.
    invariants: HashSet<Value>,
}

/// A load, and the store of the last iteration whose value it has.
struct Forwarded {
    load: Value,
    store: Value,
}

/// Where a store must not be, seen from another access.
struct Condition {
    store: Value,
    other: Value,
    overlap: Overlap,
}

/// The places at which a store and another access would change their order.
enum Overlap {
    /// Where the bytes from the other access to the store are among these, in any iteration.
    Distance { least: i64, most: i64 },
    /// Anywhere in what the other one accesses in all iterations.
    Range,
}
