//! Markers in timed code: calls that say where work-items have met at a barrier and which lanes
//! are active. Instrumentation replaces them by counters.

use crate::intrinsics::{ACTIVE_LANES, AT_BARRIER, PREDICATED_LANES};
use crate::ir::{self, Builder, Type, Value};

/// Marks the lanes of `mask` as active up to the end of the block or the next such marker.
/// `predicated`: there may be none.
pub fn mark_active_lanes(b: &Builder, function: Value, mask: Value, predicated: bool) {
    let (_, lanes) = mask.ty().vector_elements();
    // A function has one type, so each width has a function.
    let kind = match predicated {
        true => PREDICATED_LANES,
        false => ACTIVE_LANES,
    };
    let name = format!("{kind}.{lanes}");
    b.call(marker(b, function, &name, &[mask.ty()]), &[mask]);
}

/// Marks that all work-items have reached a barrier.
pub fn mark_barrier(b: &Builder, function: Value) {
    b.call(marker(b, function, AT_BARRIER, &[]), &[]);
}

/// Whether an instruction is a marker.
pub fn is_marker(instruction: Value) -> bool {
    instruction.calls(AT_BARRIER) || marks_active_lanes(instruction)
}

/// Whether a call marks the active lanes of the rest of its block.
pub fn marks_active_lanes(instruction: Value) -> bool {
    calls_one_of(instruction, &[ACTIVE_LANES, PREDICATED_LANES])
}

/// Whether a call marks lanes of which none may be active.
pub fn marks_predicated_lanes(instruction: Value) -> bool {
    calls_one_of(instruction, &[PREDICATED_LANES])
}

/// Whether an instruction calls a function of one of these names with any number of lanes.
fn calls_one_of(instruction: Value, names: &[&str]) -> bool {
    instruction
        .called_function()
        .map(Value::name)
        .is_some_and(|called| names.iter().any(|name| called.starts_with(name)))
}

/// The marker's declaration. Its attributes say that it accesses no memory of the program.
fn marker(b: &Builder, function: Value, name: &str, parameters: &[Type]) -> Value {
    let module = function.module();
    ir::function(module, name).unwrap_or_else(|| {
        let ty = Type::function(Type::void(b.context), parameters);
        let made = ir::add_function(module, name, ty);
        for attribute in ["nounwind", "willreturn", "nofree", "nosync"] {
            made.add_attribute(attribute);
        }
        made.touches_no_accessible_memory();
        made
    })
}
