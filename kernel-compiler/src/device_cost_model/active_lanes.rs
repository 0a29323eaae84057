//! Which lanes execute an instruction: those of a marker in its block.

use crate::ir::Value;
use crate::passes::instrumentation::counts_active_lanes;
use crate::work_items::timing_markers::marks_active_lanes;
use std::collections::HashMap;

/// The markers of instructions that only some lanes execute. A marker applies up to the next one. A
/// masked access has the marker of its own mask, if its block has that: LLVM moves accesses behind
/// markers of other lanes, such as those of other iterations of an unrolled loop.
pub fn markers(blocks: &[Vec<Value>]) -> HashMap<Value, Value> {
    let mut markers = HashMap::new();
    for block in blocks {
        let mut of_masks = HashMap::new();
        let mut last = None;
        for &instruction in block {
            if marks_active_lanes(instruction) {
                last = counts_active_lanes(instruction).then_some(instruction);
                of_masks.extend(last.map(|marker| (marker.operand(0), marker)));
            } else {
                let own = mask(instruction).and_then(|mask| of_masks.get(&mask).copied());
                markers.extend(own.or(last).map(|marker| (instruction, marker)));
            }
        }
    }
    markers
}

/// The mask of a masked access.
fn mask(instruction: Value) -> Option<Value> {
    let name = instruction.called_function()?.name();
    let kind = name.strip_prefix("llvm.masked.")?.split('.').next()?;
    match kind {
        "load" | "gather" => Some(instruction.operand(1)),
        "store" | "scatter" => Some(instruction.operand(2)),
        _ => None,
    }
}
