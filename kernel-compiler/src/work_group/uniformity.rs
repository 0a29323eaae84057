//! What is the same for all work-items of a group: values, and whether a block is run
//! by all of them or none.

use super::control_flow::ControlFlow;
use crate::intrinsics::{Query, address_space, is_done_by_the_group};
use crate::ir::{Block, Opcode, Value};
use std::collections::HashSet;

/// The instructions that may differ between work-items, and the blocks that not all
/// may run. Whatever is in neither set is uniform.
pub struct Uniformity {
    varying: HashSet<Value>,
    divergent: HashSet<Block>,
}

/// Whether an instruction gives the same for the same operands, whenever it is run.
pub fn is_computed(instruction: Value) -> bool {
    use Opcode::*;
    match instruction.opcode() {
        LLVMCall => instruction.is_computing_call(),
        opcode => {
            only_computes(opcode)
                || matches!(
                    opcode,
                    LLVMSDiv
                        | LLVMUDiv
                        | LLVMSRem
                        | LLVMURem
                        | LLVMFAdd
                        | LLVMFSub
                        | LLVMFMul
                        | LLVMFDiv
                        | LLVMFRem
                        | LLVMFNeg
                        | LLVMFCmp
                        | LLVMSIToFP
                        | LLVMUIToFP
                        | LLVMFPToSI
                        | LLVMFPToUI
                        | LLVMFPExt
                        | LLVMFPTrunc
                        | LLVMPtrToInt
                        | LLVMIntToPtr
                        | LLVMExtractElement
                        | LLVMInsertElement
                        | LLVMShuffleVector
                        | LLVMExtractValue
                        | LLVMInsertValue
                )
        }
    }
}

/// Whether an operation can be done again, elsewhere, and costs little.
pub fn only_computes(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::LLVMAdd
            | Opcode::LLVMSub
            | Opcode::LLVMMul
            | Opcode::LLVMAnd
            | Opcode::LLVMOr
            | Opcode::LLVMXor
            | Opcode::LLVMShl
            | Opcode::LLVMLShr
            | Opcode::LLVMAShr
            | Opcode::LLVMICmp
            | Opcode::LLVMSelect
            | Opcode::LLVMGetElementPtr
            | Opcode::LLVMTrunc
            | Opcode::LLVMZExt
            | Opcode::LLVMSExt
            | Opcode::LLVMAddrSpaceCast
            | Opcode::LLVMBitCast
    )
}

impl Uniformity {
    /// Finds what may vary, starting from nothing.
    pub fn find(kernel: Value, flow: &ControlFlow) -> Self {
        let mut found = Self {
            varying: HashSet::new(),
            divergent: HashSet::new(),
        };
        // Where work-items that have gone different ways meet.
        let mut meetings: HashSet<Block> = HashSet::new();
        let mut influence = flow.influence();
        let mut branched: HashSet<Block> = HashSet::new();
        loop {
            let before = (found.varying.len(), found.divergent.len());
            for instruction in kernel.instructions() {
                if found.varying.contains(&instruction) {
                    continue;
                }
                let block = instruction.block();
                let varies = found.differs(instruction)
                    || (instruction.opcode() == Opcode::LLVMPHI
                        && (found.divergent.contains(&block) || meetings.contains(&block)));
                if varies {
                    found.varying.insert(instruction);
                    if instruction.is_terminator() && branched.insert(block) {
                        let (influenced, meeting) = influence.of(block);
                        found.divergent.extend(influenced);
                        meetings.extend(meeting);
                    }
                }
            }
            if before == (found.varying.len(), found.divergent.len()) {
                return found;
            }
        }
    }

    /// Whether a value is the same for all work-items.
    pub fn is_uniform(&self, value: Value) -> bool {
        !self.varying.contains(&value)
    }

    /// Whether all work-items run a block, or none.
    pub fn is_run_by_all(&self, block: Block) -> bool {
        !self.divergent.contains(&block)
    }

    fn differs(&self, instruction: Value) -> bool {
        let of_operands = || {
            instruction
                .operands()
                .iter()
                .any(|operand| self.varying.contains(operand))
        };
        match instruction.opcode() {
            Opcode::LLVMCall if is_done_by_the_group(instruction) => false,
            Opcode::LLVMCall => match instruction.called_function().map(|f| Query::of(&f.name())) {
                Some(Some(Query::LocalId | Query::GlobalId)) => true,
                Some(Some(_)) => false,
                _ if is_computed(instruction) => of_operands(),
                _ => true,
            },
            // Constants do not change while a kernel runs.
            Opcode::LLVMLoad => {
                instruction.operand(0).ty().address_space() != address_space::CONSTANT
                    || of_operands()
            }
            Opcode::LLVMPHI | Opcode::LLVMBr | Opcode::LLVMSwitch | Opcode::LLVMRet => {
                of_operands()
            }
            _ if is_computed(instruction) => of_operands(),
            _ => true,
        }
    }
}
