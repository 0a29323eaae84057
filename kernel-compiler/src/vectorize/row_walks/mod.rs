//! Loops in which each work-item walks along a row of its own, as `sum += a[i * m + j] * x[j]` does with a loop over `j`.
//!
//! Their loads are gathers, for which a processor loads each lane's element by itself. Such a loop gets a version with
//! [`STEPS`] iterations in one: each lane loads its next elements at once, as OpenCL vectors, which are transposed in
//! registers. The loop as it was executes the iterations that remain.

mod recognition;
mod version;

use super::access::TRANSPOSED_ELEMENTS;
use super::guard_versions;
use super::loop_body::LoopBody;
use super::private_arrays;
use super::vector_unit::VectorUnit;
use super::work_item_loop;
use crate::ir::{Block, DataLayout, Value};
use crate::work_items::loop_descriptor::LoopKind;
use std::collections::HashSet;

/// Iterations in one: a power of two.
const STEPS: u64 = 16;

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
        added += STEPS as usize * walk.block.instructions().len();
        added <= MAX_ADDED_INSTRUCTIONS
    });
    // A quarter of the registers holds the elements of all lanes.
    let at_once = u64::from(vectors.registers / 4).clamp(TRANSPOSED_ELEMENTS, STEPS);
    for walk in &walks {
        walk.add_version(at_once, layout);
    }
    !walks.is_empty()
}

/// A loop of one block. What it stores to is the same in all iterations.
struct RowWalk {
    /// Number of the loop.
    number: usize,
    block: Block,
    preheader: Block,
    exit: Block,
    /// Counts in steps of 1.
    counter: Value,
    /// What the counter is compared with.
    limit: Value,
    /// Loads of rows.
    loads: Vec<Value>,
    stores: Vec<Value>,
    /// Values that are computed in the loop, but are the same in all iterations.
    invariants: HashSet<Value>,
}
