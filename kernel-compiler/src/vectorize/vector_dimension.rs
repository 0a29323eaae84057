//! Chooses the dimension along which lanes lie: of those in which groups are wide enough, the one
//! along which most accesses are consecutive.

use super::cost::group_loops::ASSUMED_TRIP_COUNT;
use super::instruction_queries::{accessed_type, pointer_of};
use crate::analysis::addressing::Addressing;
use crate::analysis::cfg::Cfg;
use crate::analysis::lane_shape::{self, Shape, ShapeContext};
use crate::intrinsics::Query;
use crate::ir::{Opcode, Value};
use crate::work_items::Lanes;
use std::collections::HashMap;

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
            .map(|&(access, weight)| weight * shapes.cost(access, f64::from(lanes)));
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
    let is_vector_access = |access| shapes.cost(access, f64::from(lanes.count)) == VECTOR_COST;
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

/// The shapes of a kernel's values over work-items along one dimension, divergence neglected.
struct DimensionShapes {
    of: HashMap<Value, Shape>,
    context: ShapeContext,
}

impl DimensionShapes {
    fn along(kernel: Value, dimension: usize, lanes: u32) -> Self {
        let instructions = kernel.instructions();
        let unknown = instructions.iter().map(|&i| (i, Shape::Unknown));
        let mut found = Self {
            of: unknown.collect(),
            context: ShapeContext {
                addressing: Addressing::compute(kernel),
                lanes,
                masked: false,
            },
        };
        loop {
            let mut changed = false;
            for &instruction in &instructions {
                let before = found.of[&instruction];
                let after = before.join(found.transfer(instruction, dimension));
                if after != before {
                    found.of.insert(instruction, after);
                    changed = true;
                }
            }
            if !changed {
                return found;
            }
        }
    }

    fn shape(&self, value: Value) -> Shape {
        self.of.get(&value).copied().unwrap_or(Shape::Uniform)
    }

    fn transfer(&self, instruction: Value, dimension: usize) -> Shape {
        match instruction.opcode() {
            // Ids are practically always below 2^31.
            Opcode::LLVMTrunc => self.shape(instruction.operand(0)),
            Opcode::LLVMAlloca => Shape::Uniform,
            _ => match instruction
                .called_function()
                .and_then(|f| Query::parse(&f.name()))
            {
                Some(Query::GlobalId | Query::LocalId) => match instruction.operand(0).as_integer()
                {
                    Some(asked) if asked == dimension as u64 => Shape::counting(1),
                    Some(_) => Shape::Uniform,
                    None => Shape::Varying,
                },
                Some(_) => Shape::Uniform,
                None => lane_shape::transfer(instruction, self.context, &|v| self.shape(v)),
            },
        }
    }

    fn cost(&self, access: Value, lanes: f64) -> f64 {
        let bytes = self.context.addressing.layout.stored(accessed_type(access));
        match self.shape(pointer_of(access)).step() {
            Some(0) => VECTOR_COST,
            Some(step) if u64::try_from(step) == Ok(bytes) => VECTOR_COST,
            _ if access.is(Opcode::LLVMStore) => SCATTER_COST * lanes,
            _ => GATHER_COST * lanes,
        }
    }
}
