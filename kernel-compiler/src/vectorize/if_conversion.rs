//! If-conversion: short blocks without side effects run whether or not a lane is active in them,
//! which saves the branch around them.

use super::instruction_queries::is_integer_division;
use super::plan::{MaskSource, VectorPlan};
use crate::ir::{Opcode, Value};

/// Most instructions of a block that is if-converted.
const MAX_INSTRUCTIONS: usize = 12;

/// The same of a rare block, around which the branch is predicted.
const MAX_INSTRUCTIONS_IF_RARE: usize = 4;

impl VectorPlan<'_> {
    /// Whether a block runs even if none of its lanes is active.
    pub fn is_if_converted(&self, number: usize) -> bool {
        let cfg = self.cfg();
        let [from] = cfg.predecessors[number].as_slice() else {
            return false;
        };
        let instructions = self.blocks()[number].instructions();
        let most = if self.is_rare(number) {
            MAX_INSTRUCTIONS_IF_RARE
        } else {
            MAX_INSTRUCTIONS
        };
        self.divergence().divergent_branches[*from]
            && cfg.successors[number].len() == 1
            && cfg.successors[number][0] > number
            && cfg.innermost[*from] == cfg.innermost[number]
            && !self.masks().contains(&MaskSource::Same(number))
            && instructions.len() <= most
            && instructions.iter().all(|i| self.is_speculatable(*i))
    }

    /// Whether an instruction may run without an active lane, and is worth it.
    fn is_speculatable(&self, instruction: Value) -> bool {
        match instruction.opcode() {
            Opcode::LLVMPHI | Opcode::LLVMBr => true,
            Opcode::LLVMLoad => self.tolerates_empty_mask(instruction),
            // A masked store takes as long with an empty mask as with any other.
            Opcode::LLVMStore => {
                self.tolerates_empty_mask(instruction) && self.vectors().mask_registers
            }
            Opcode::LLVMCall => instruction.is_elementwise_call(),
            Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg | Opcode::LLVMFence => false,
            // Vector divisions have 1 as the divisor of inactive lanes.
            _ if is_integer_division(instruction) => !self.shape(instruction).is_scalar(),
            _ => true,
        }
    }
}
