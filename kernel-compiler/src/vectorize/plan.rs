//! What is known of a loop over work-items before its lanes are written: shapes, masks, and
//! whether everything in it can be written for lanes.

use super::VectorUnit;
use super::index_ranges::IndexRange;
use super::private_arrays;
use super::rejection::Rejection;
use super::values::components;
use super::work_item_loop::WorkItemLoop;
use crate::analysis::compact_cfg::CompactCfg;
use crate::analysis::divergence::Divergence;
use crate::ir::{Block, DataLayout, Opcode, Value};
use std::collections::{BTreeSet, HashMap};

/// Longest block that is run whether or not a lane takes part.
const MAX_IF_CONVERTED: usize = 12;

/// Where a block's mask comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaskSource {
    /// All lanes that there are.
    Entry,
    /// The lanes of an earlier block, which all come by here.
    Same(usize),
    /// Its own, from those of the edges that lead to it.
    Own,
}

pub fn masks(cfg: &CompactCfg, divergence: &Divergence) -> Vec<MaskSource> {
    (0..cfg.len())
        .map(|block| {
            if !divergence.masked[block] {
                return MaskSource::Entry;
            }
            if let Some(number) = cfg.innermost[block]
                && cfg.loops[number].header == block
            {
                return if divergence.divergent_loops[number] {
                    MaskSource::Own
                } else {
                    MaskSource::Same(cfg.predecessors[block][0])
                };
            }
            let mut dominator = cfg.dominator[block];
            while cfg.innermost[dominator] != cfg.innermost[block] && dominator > 0 {
                dominator = cfg.dominator[dominator];
            }
            if cfg.innermost[dominator] == cfg.innermost[block]
                && cfg.post_dominates(block, dominator)
            {
                MaskSource::Same(dominator)
            } else {
                MaskSource::Own
            }
        })
        .collect()
}

/// What is known of a loop's body.
pub struct VectorPlan<'a> {
    pub function: Value,
    pub layout: DataLayout,
    pub lanes: u32,
    pub vectors: VectorUnit,
    pub work_items: &'a WorkItemLoop,
    pub range: IndexRange,
    /// Where private arrays are, in the loop's order.
    pub private: &'a [private_arrays::ArrayLayout],
    pub cfg: &'a CompactCfg,
    pub divergence: Divergence,
    /// By number.
    pub blocks: &'a [Block],
    pub number: HashMap<Block, usize>,
    pub masks: Vec<MaskSource>,
}

impl VectorPlan<'_> {
    /// Whether a block is a few instructions behind a branch that do no harm without lanes: it is
    /// run whether or not a lane takes part.
    pub fn is_if_converted(&self, number: usize) -> bool {
        let [from] = self.cfg.predecessors[number].as_slice() else {
            return false;
        };
        let instructions = self.blocks[number].instructions();
        self.divergence.divergent_branches[*from]
            && self.cfg.successors[number].len() == 1
            && self.cfg.successors[number][0] > number
            && self.cfg.innermost[*from] == self.cfg.innermost[number]
            && !self.masks.contains(&MaskSource::Same(number))
            && instructions.len() <= MAX_IF_CONVERTED
            && instructions
                .iter()
                .all(|i| self.is_safe_without_lanes_here(*i))
    }

    /// Whether an instruction may be run without any lane.
    fn is_safe_without_lanes_here(&self, instruction: Value) -> bool {
        match instruction.opcode() {
            Opcode::LLVMPHI | Opcode::LLVMBr => true,
            Opcode::LLVMLoad => self.is_safe_without_lanes(instruction),
            // One that stores nothing takes as long as others.
            Opcode::LLVMStore => {
                self.is_safe_without_lanes(instruction) && self.vectors.mask_registers
            }
            Opcode::LLVMCall => instruction.is_elementwise_call(),
            Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMURem | Opcode::LLVMSRem => {
                !self.divergence.of(instruction).is_scalar()
            }
            Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg | Opcode::LLVMFence => false,
            _ => true,
        }
    }

    /// Whether everything in the body can be written for lanes.
    pub fn check(&self) -> Result<(), Rejection> {
        for instruction in self.blocks.iter().flat_map(|block| block.instructions()) {
            let makes = |value: Value| {
                value.ty().is_void()
                    || self.divergence.of(value).is_scalar()
                    || components(value.ty()).is_some()
            };
            let operands = instruction.operands();
            let is_data = |value: &Value| {
                !value.is_function() && (value.is_instruction() || value.is_constant())
            };
            if !makes(instruction) || !operands.into_iter().filter(is_data).all(makes) {
                return Err(Rejection::UnsupportedType);
            }
            if instruction.is(Opcode::LLVMStore)
                && components(instruction.operand(0).ty()).is_none()
                || instruction.is(Opcode::LLVMAlloca)
            {
                return Err(Rejection::UnsupportedAccess);
            }
        }
        // Where a loop is left by all at once nobody may wait in it.
        let mut pending = vec![BTreeSet::new(); self.blocks.len()];
        for number in 0..self.blocks.len() {
            for (l, known) in self.cfg.loops.iter().zip(&self.divergence.divergent_loops) {
                if l.header == number && *known {
                    pending[number].extend(l.exit_blocks());
                }
            }
            let waiting = pending[number].clone();
            if let Some(l) = self.cfg.innermost[number] {
                let l = &self.cfg.loops[l];
                let leaves = l.exits_from(number) || l.latch == number;
                if leaves
                    && !self.divergence.divergent_branches[number]
                    && waiting.iter().any(|&w| l.contains(w))
                {
                    return Err(Rejection::UnsupportedLoopExit);
                }
            }
            let onward = self.cfg.successors[number].iter().copied();
            let onward: Vec<usize> = onward.filter(|&to| to > number).collect();
            let ways: Vec<Vec<usize>> = if self.divergence.divergent_branches[number] {
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
