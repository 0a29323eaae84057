//! What is known of a loop over work-items before its lanes are written: shapes, masks, and
//! whether everything in it can be written for lanes.

use super::divergence::Divergence;
use super::flow::Flow;
use super::private_arrays;
use super::spans::Span;
use super::values::components;
use super::work_item_loop::WorkItemLoop;
use super::{Declined, VectorUnit};
use crate::ir::{Block, DataLayout, Opcode, Value};
use std::collections::{BTreeSet, HashMap};

/// Longest block that is run whether or not a lane takes part.
const SHORT: usize = 12;

/// Where a block's mask comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaskOf {
    /// All lanes that there are.
    Entry,
    /// The lanes of an earlier block, which all come by here.
    Same(usize),
    /// Its own, from those of the edges that lead to it.
    Own,
}

pub fn masks(flow: &Flow, facts: &Divergence) -> Vec<MaskOf> {
    (0..flow.len())
        .map(|block| {
            if !facts.masked[block] {
                return MaskOf::Entry;
            }
            if let Some(number) = flow.innermost[block]
                && flow.loops[number].header == block
            {
                return if facts.loops[number] {
                    MaskOf::Own
                } else {
                    MaskOf::Same(flow.before[block][0])
                };
            }
            let mut dominator = flow.dominator[block];
            while flow.innermost[dominator] != flow.innermost[block] && dominator > 0 {
                dominator = flow.dominator[dominator];
            }
            if flow.innermost[dominator] == flow.innermost[block]
                && flow.must_pass(dominator, block)
            {
                MaskOf::Same(dominator)
            } else {
                MaskOf::Own
            }
        })
        .collect()
}

/// What is known of a loop's body.
pub struct Body<'a> {
    pub function: Value,
    pub layout: DataLayout,
    pub lanes: u32,
    pub vectors: VectorUnit,
    pub work_items: &'a WorkItemLoop,
    pub span: Span,
    /// Where private arrays are, in the loop's order.
    pub private: &'a [private_arrays::Layout],
    pub flow: &'a Flow,
    pub facts: Divergence,
    /// By number.
    pub blocks: &'a [Block],
    pub number: HashMap<Block, usize>,
    pub masks: Vec<MaskOf>,
}

impl Body<'_> {
    /// Whether a block is a few instructions behind a branch that do no harm without lanes: it is
    /// run whether or not a lane takes part.
    pub fn is_short(&self, number: usize) -> bool {
        let [from] = self.flow.before[number].as_slice() else {
            return false;
        };
        let instructions = self.blocks[number].instructions();
        self.facts.branches[*from]
            && self.flow.successors[number].len() == 1
            && self.flow.successors[number][0] > number
            && self.flow.innermost[*from] == self.flow.innermost[number]
            && !self.masks.contains(&MaskOf::Same(number))
            && instructions.len() <= SHORT
            && instructions.iter().all(|i| self.does_no_harm(*i))
    }

    /// Whether an instruction may be run without any lane.
    fn does_no_harm(&self, instruction: Value) -> bool {
        match instruction.opcode() {
            Opcode::LLVMPHI | Opcode::LLVMBr => true,
            Opcode::LLVMLoad => self.is_harmless(instruction),
            // One that stores nothing takes as long as others.
            Opcode::LLVMStore => self.is_harmless(instruction) && self.vectors.mask_registers,
            Opcode::LLVMCall => instruction.is_elementwise_call(),
            Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMURem | Opcode::LLVMSRem => {
                !self.facts.of(instruction).is_scalar()
            }
            Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg | Opcode::LLVMFence => false,
            _ => true,
        }
    }

    /// Whether everything in the body can be written for lanes.
    pub fn check(&self) -> Result<(), Declined> {
        for instruction in self.blocks.iter().flat_map(|block| block.instructions()) {
            let makes = |value: Value| {
                value.ty().is_void()
                    || self.facts.of(value).is_scalar()
                    || components(value.ty()).is_some()
            };
            let operands = instruction.operands();
            let is_data = |value: &Value| {
                !value.is_function() && (value.is_instruction() || value.is_constant())
            };
            if !makes(instruction) || !operands.into_iter().filter(is_data).all(makes) {
                return Err(Declined::because(
                    "a value is of a type that has no lanes".into(),
                ));
            }
            if instruction.is(Opcode::LLVMStore)
                && components(instruction.operand(0).ty()).is_none()
                || instruction.is(Opcode::LLVMAlloca)
            {
                return Err(Declined::because(
                    "memory is used in a way that has no lanes".into(),
                ));
            }
        }
        // Where a loop is left by all at once nobody may wait in it.
        let mut pending = vec![BTreeSet::new(); self.blocks.len()];
        for number in 0..self.blocks.len() {
            for (l, known) in self.flow.loops.iter().zip(&self.facts.loops) {
                if l.header == number && *known {
                    pending[number].extend(l.exit_blocks());
                }
            }
            let waiting = pending[number].clone();
            if let Some(l) = self.flow.innermost[number] {
                let l = &self.flow.loops[l];
                let leaves = l.is_left_from(number) || l.latch == number;
                if leaves && !self.facts.branches[number] && waiting.iter().any(|&w| l.holds(w)) {
                    return Err(Declined::because(
                        "a loop is left in an involved way".into(),
                    ));
                }
            }
            let onward = self.flow.successors[number].iter().copied();
            let onward: Vec<usize> = onward.filter(|&to| to > number).collect();
            let ways: Vec<Vec<usize>> = if self.facts.branches[number] {
                vec![onward]
            } else {
                onward.into_iter().map(|to| vec![to]).collect()
            };
            for way in ways {
                let mut next = waiting.clone();
                next.extend(way);
                while let Some(first) = next.pop_first() {
                    pending[first].extend(next.iter().copied());
                }
            }
        }
        Ok(())
    }
}
