//! Which grid-stride loops are worth interchanging.

use super::recognition::GridStrideLoop;
use crate::analysis::effects::{Effect, effect};
use crate::analysis::graph::Graph;
use crate::intrinsics::{Query, address_space};
use crate::ir::{Block, DataLayout, Opcode, Value};
use crate::work_group::loop_interchange::MAX_CARRIED_BYTES;
use crate::work_group::rotated_loop::{MAX_UNROLLED_INSTRUCTIONS, is_movable};
use std::collections::HashMap;

/// Most instructions of a loop, of which there are two afterwards. Longer bodies spend little of
/// their time on cache misses.
const MAX_INSTRUCTIONS: usize = 300;

/// Most instructions before a loop that are repeated in each iteration.
const MAX_REPEATED_INSTRUCTIONS: usize = 16;

/// Largest distance of accesses in neighbouring iterations, in elements, for which these are taken
/// as close to each other.
const MAX_STRIDE: u64 = 8;

/// Operations followed from an index to the counter.
const MAX_DEPTH: u32 = 8;

impl GridStrideLoop {
    /// Whether the loop can be executed iteration by iteration, and the group gains by it.
    pub fn is_worth_interchanging(&self, layout: &DataLayout) -> bool {
        let blocks = self.rotated.blocks.iter();
        let instructions: Vec<Value> = blocks.flat_map(|block| block.instructions()).collect();
        let carried: Vec<Value> = self.rotated.header.phis();
        let carried: Vec<&Value> = carried.iter().filter(|phi| **phi != self.counter).collect();
        let bytes: u64 = carried.iter().map(|phi| layout.size(phi.ty())).sum();
        let accesses = instructions.iter().filter(|i| self.is_local(**i)).count();
        instructions.len() <= MAX_INSTRUCTIONS
            && instructions.iter().all(|i| is_movable(*i))
            && self.is_preheader_repeatable()
            && !self.has_inner_loop()
            && !self.is_short(instructions.len())
            && bytes <= MAX_CARRIED_BYTES
            && accesses >= carried.len().max(1)
    }

    /// Whether what the preheader of a guarded loop computes may be computed in each iteration.
    fn is_preheader_repeatable(&self) -> bool {
        let repeated = self.repeated();
        repeated.len() <= MAX_REPEATED_INSTRUCTIONS
            && repeated.iter().all(|i| {
                is_movable(*i) && matches!(effect(*i), Effect::None | Effect::Read) || is_query(*i)
            })
    }

    /// What the iterations of the group compute instead of the preheader.
    pub fn repeated(&self) -> Vec<Value> {
        let mut instructions = self.rotated.preheader.instructions();
        instructions.retain(|instruction| !instruction.is_terminator());
        match self.guard {
            Some(_) => instructions,
            None => Vec::new(),
        }
    }

    fn has_inner_loop(&self) -> bool {
        let blocks: Vec<Block> = self.rotated.blocks.iter().copied().collect();
        let number: HashMap<Block, usize> = blocks.iter().copied().zip(0..).collect();
        let successors = blocks.iter().map(|block| {
            let next = block.successors().into_iter();
            let inside = next.filter(|to| *to != self.rotated.header);
            inside.filter_map(|to| number.get(&to).copied()).collect()
        });
        let graph = Graph::new(successors.collect(), number[&self.rotated.header]);
        graph.cyclic_nodes().contains(&true)
    }

    /// Whether LLVM will unroll the loop.
    fn is_short(&self, instructions: usize) -> bool {
        let trip_count = || {
            let step = self.step.as_integer()?;
            self.bound.as_integer()?.checked_div(step)
        };
        trip_count()
            .and_then(|count| count.checked_mul(instructions as u64))
            .is_some_and(|total| total <= MAX_UNROLLED_INSTRUCTIONS)
    }

    /// Whether an instruction accesses elements of global or constant memory that are close to
    /// each other in neighbouring work-items.
    fn is_local(&self, access: Value) -> bool {
        let address = match access.opcode() {
            Opcode::LLVMLoad | Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => {
                access.operand(0)
            }
            Opcode::LLVMStore => access.operand(1),
            _ => return false,
        };
        let space = address.ty().address_space();
        matches!(space, address_space::GLOBAL | address_space::CONSTANT)
            && self
                .stride(address, MAX_DEPTH)
                .is_some_and(|s| (1..=MAX_STRIDE).contains(&s))
    }

    /// By how many elements a value grows with the counter; wrapping is ignored.
    fn stride(&self, value: Value, depth: u32) -> Option<u64> {
        if value == self.counter {
            return Some(1);
        }
        if !value.is_instruction() || !self.rotated.blocks.contains(&value.block()) {
            return Some(0);
        }
        if depth == 0 {
            return None;
        }
        let of = |index: u32| self.stride(value.operand(index), depth - 1);
        match value.opcode() {
            Opcode::LLVMZExt | Opcode::LLVMSExt | Opcode::LLVMTrunc => of(0),
            Opcode::LLVMAdd | Opcode::LLVMOr | Opcode::LLVMGetElementPtr => {
                let operands = 0..value.operands().len() as u32;
                operands.map(of).sum()
            }
            Opcode::LLVMSub if of(1)? == 0 => of(0),
            Opcode::LLVMMul => of(0)?.checked_mul(value.operand(1).as_integer()?),
            Opcode::LLVMShl => {
                let factor = 1u64.checked_shl(value.operand(1).as_integer()? as u32)?;
                of(0)?.checked_mul(factor)
            }
            _ => None,
        }
    }
}

fn is_query(instruction: Value) -> bool {
    let called = instruction.called_function();
    called.is_some_and(|function| Query::parse(&function.name()).is_some())
}
