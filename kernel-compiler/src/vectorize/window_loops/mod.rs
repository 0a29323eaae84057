//! Loops over a window around each work-item that bounds cut off: `for (i = max(x - r, 0); i <= min(x + r, width - 1); i++)`.
//!
//! Lanes start such a loop at different numbers where a bound cuts their windows off, and leave it at different times. It becomes
//! a loop over the whole window, which all lanes start and leave together, and in which a lane waits where a number of its window
//! is cut off. What is cut off of the windows of all work-items of a row is left out.

mod recognition;
mod rewriting;

use super::guard_versions;
use super::loop_body::LoopBody;
use super::private_arrays;
use super::vector_unit::VectorUnit;
use super::work_item_loop;
use crate::ir::{Builder, DataLayout, Value};
use crate::work_items::loop_descriptor::LoopKind;
use recognition::WindowLoop;

/// Rewrites such loops of a function that `PREPARE` has been run on, and returns whether there are any: their loops are not in
/// simplified form. Loops of the simulated machine's code stay as they are.
pub fn run(function: Value, lanes: u32, vectors: VectorUnit) -> bool {
    if vectors.timed {
        return false;
    }
    let layout = DataLayout::of_function(function);
    let b = Builder::new(function.ty().context());
    let mut any = false;
    for (_, found) in work_item_loop::find(function, LoopKind::WorkItems) {
        let Ok(work_items) = found else {
            continue;
        };
        let Ok(body) = LoopBody::new(&work_items) else {
            continue;
        };
        let arrays = private_arrays::layouts(&work_items, lanes, layout);
        let plan = guard_versions::plan(function, &body, lanes, vectors, &arrays);
        let loops = 0..body.cfg.loops.len();
        let windows: Vec<WindowLoop> = loops
            .filter_map(|number| WindowLoop::recognize(&plan, number))
            .collect();
        any |= !windows.is_empty();
        for window in &windows {
            // What is known of a window may be computed by a loop around it, which stays.
            if !windows.iter().any(|other| other.is_inside(window)) {
                window.rewrite(&work_items, &b);
            }
        }
    }
    any
}
