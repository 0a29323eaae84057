//! Chooses the dimension along which lanes lie: of those in which groups are wide enough, the one
//! along which most accesses are consecutive.

use super::cost::group_loops::ASSUMED_TRIP_COUNT;
use super::instruction_queries::{accessed_type, pointer_of};
use crate::analysis::cfg::Cfg;
use crate::analysis::dimension_shapes::DimensionShapes;
use crate::ir::{Opcode, Value};
use crate::work_items::Lanes;

/// Cost of an access that is consecutive or uniform.
const VECTOR_COST: f64 = 1.0;

/// Cost of a lane of a load that is not consecutive.
const GATHER_COST: f64 = 1.5;

/// Cost of a lane of a store that is not consecutive: addresses that are far apart need a cache line
/// each.
const SCATTER_COST: f64 = 3.0;

/// Another dimension than the usual one must cost less than this share of it.
const MAX_COST_RATIO: f64 = 0.75;

/// The dimension of `usual` and `others` along which the kernel's accesses cost least with that many
/// lanes.
pub fn by_accesses(kernel: Value, usual: usize, others: &[usize], lanes: u32) -> usize {
    if others.is_empty() {
        return usual;
    }
    let weighed: Vec<(Value, f64)> = accesses(kernel);
    let cost = |dimension| -> f64 {
        let shapes = DimensionShapes::along(kernel, dimension, lanes);
        let each = weighed
            .iter()
            .map(|&(access, weight)| weight * access_cost(access, &shapes, lanes));
        each.sum()
    };
    let others = others.iter().map(|&dimension| (dimension, cost(dimension)));
    match others.min_by(|a, b| a.1.total_cmp(&b.1)) {
        Some((dimension, least)) if least < MAX_COST_RATIO * cost(usual) => dimension,
        _ => usual,
    }
}

/// Whether all accesses of a kernel are consecutive or uniform over those lanes.
pub fn is_consecutive_along(kernel: Value, lanes: Lanes) -> bool {
    let shapes = DimensionShapes::along(kernel, lanes.dimension, lanes.count);
    let is_vector_access = |access| access_cost(access, &shapes, lanes.count) == VECTOR_COST;
    (accesses(kernel).into_iter()).all(|(access, _)| is_vector_access(access))
}

/// The loads and stores, each with its estimated executions.
fn accesses(kernel: Value) -> Vec<(Value, f64)> {
    let is_cyclic = Cfg::compute(kernel).graph.cyclic_nodes();
    let mut found = Vec::new();
    for (number, block) in kernel.blocks().into_iter().enumerate() {
        let is_access = |i: &Value| matches!(i.opcode(), Opcode::LLVMLoad | Opcode::LLVMStore);
        let accesses: Vec<Value> = block.instructions().into_iter().filter(is_access).collect();
        if !accesses.is_empty() {
            let weight = if is_cyclic[number] {
                ASSUMED_TRIP_COUNT
            } else {
                1.0
            };
            found.extend(accesses.into_iter().map(|access| (access, weight)));
        }
    }
    found
}

fn access_cost(access: Value, shapes: &DimensionShapes, lanes: u32) -> f64 {
    let bytes = shapes.layout().stored(accessed_type(access));
    match shapes.step(pointer_of(access)) {
        Some(0) => VECTOR_COST,
        Some(step) if u64::try_from(step) == Ok(bytes) => VECTOR_COST,
        _ if access.is(Opcode::LLVMStore) => SCATTER_COST * f64::from(lanes),
        _ => GATHER_COST * f64::from(lanes),
    }
}
