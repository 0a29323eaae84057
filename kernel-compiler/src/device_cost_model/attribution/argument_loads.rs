//! What the loads of each argument contribute to the cycles of blocks for memories outside the array.

use super::weights::{OUTSIDE, of_instruction};
use crate::device_cost_model::addressing::address::Root;
use crate::device_cost_model::addressing::space::Space;
use crate::device_cost_model::code::Code;
use crate::device_cost_model::dependence_graph::Graph;
use crate::device_cost_model::memory_access::Access;
use crate::device_cost_model::memory_costs;
use crate::device_cost_model::operation::{Unit, WHOLE};
use crate::ir::{Opcode, Value};
use crate::passes::footprints::ArgumentLoads;
use device_sim::machine::SharedMemory;
use device_sim::timing::cost::LoadShare;
use std::collections::{BTreeMap, BTreeSet};

/// Collects the loads block by block.
#[derive(Default)]
pub struct Collector {
    arguments: BTreeMap<u64, ArgumentLoads>,
    /// Arguments to which something is stored.
    stored: BTreeSet<u64>,
}

impl Collector {
    /// Adds the loads of a block and of its predicated sections.
    pub fn add(&mut self, code: &Code<'_>, block: usize, graph: &Graph) {
        for section in code.costs_of(block) {
            self.add_section(code, block, graph, section);
        }
    }

    /// Adds the loads of a section at a position in its block, which has this number among blocks.
    fn add_section(
        &mut self,
        code: &Code<'_>,
        block: usize,
        graph: &Graph,
        (position, number): (usize, usize),
    ) {
        let mut sum = 0;
        // Weights, and cycles in AM.
        let mut weights: BTreeMap<u64, (u64, u32)> = BTreeMap::new();
        for (&instruction, cost) in code.instructions[block].iter().zip(&graph.costs) {
            if code.sections.position(instruction) != position {
                continue;
            }
            let weight = of_instruction(cost, code.params.line)[OUTSIDE];
            sum += weight;
            if let Some(argument) = stored_argument(code, instruction) {
                self.stored.insert(argument);
            }
            if let Some(argument) = loaded_argument(code, instruction) {
                let (of_argument, local) = weights.entry(argument).or_default();
                *of_argument += weight;
                *local += memory_costs::cycles_in_am(code, instruction, cost);
                let all = self.arguments.entry(argument).or_default();
                all.loads.push(instruction);
            }
        }
        let units = code.params.slots[Unit::VectorMemory as usize];
        for (argument, (weight, local)) in weights {
            let all = self.arguments.entry(argument).or_default();
            all.shares.push(LoadShare {
                block: number as u32,
                outside: (weight * WHOLE).checked_div(sum).unwrap_or(0) as u32,
                local: local.div_ceil(units),
            });
        }
    }

    /// The loads of arguments to which nothing is stored.
    pub fn finish(self) -> Vec<ArgumentLoads> {
        let Self { arguments, stored } = self;
        let loaded = arguments.into_iter();
        loaded
            .filter(|(offset, _)| !stored.contains(offset))
            .map(|(offset, loads)| ArgumentLoads { offset, ..loads })
            .collect()
    }
}

/// The argument whose buffer in DDR an instruction loads from.
fn loaded_argument(code: &Code<'_>, instruction: Value) -> Option<u64> {
    let access = Access::recognize(instruction)?;
    let is_outside = code.space_of(&access, instruction) == Space::Outside(SharedMemory::Ddr);
    match code.root(access.pointer) {
        Root::Argument(offset) if is_outside && access.stored.is_none() => Some(offset),
        _ => None,
    }
}

/// The argument whose buffer an instruction stores to.
fn stored_argument(code: &Code<'_>, instruction: Value) -> Option<u64> {
    let is_atomic = matches!(
        instruction.opcode(),
        Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg
    );
    let pointer = match Access::recognize(instruction) {
        Some(access) => access.stored.map(|_| access.pointer)?,
        None if is_atomic => instruction.operand(0),
        None => return None,
    };
    match code.root(pointer) {
        Root::Argument(offset) => Some(offset),
        _ => None,
    }
}
