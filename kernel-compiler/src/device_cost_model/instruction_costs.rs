//! The cost of an LLVM instruction: the machine operations that it is lowered to.

use super::code::Code;
use super::lane_mask;
use super::memory_costs;
use super::operation::{InstructionCost, Unit};
use super::register_layout::RegisterLayout;
use crate::analysis::iteration_step::IterationStep;
use crate::ir::{Opcode, Value};

impl Code<'_> {
    /// The cost of an instruction. Branches and returns are counted per block.
    pub fn instruction_cost(&self, instruction: Value) -> InstructionCost {
        if lane_mask::is_part(instruction) {
            return InstructionCost::free();
        }
        let params = &self.params;
        let layout = self.register_layout(instruction);
        let compared = || self.register_layout(instruction.operand(0));
        match instruction.opcode() {
            Opcode::LLVMPHI
            | Opcode::LLVMFreeze
            | Opcode::LLVMAddrSpaceCast
            | Opcode::LLVMPtrToInt
            | Opcode::LLVMIntToPtr
            | Opcode::LLVMTrunc
            | Opcode::LLVMAlloca
            | Opcode::LLVMExtractValue
            | Opcode::LLVMInsertValue
            | Opcode::LLVMUnreachable
            | Opcode::LLVMBr
            | Opcode::LLVMSwitch
            | Opcode::LLVMRet => InstructionCost::free(),
            Opcode::LLVMBitCast => self.bit_cast(instruction, layout),
            // Registers are extended to 64 bits anyway, masks are not.
            Opcode::LLVMZExt | Opcode::LLVMSExt => match compared().bits {
                1 => self.integer(layout),
                _ => InstructionCost::free(),
            },
            Opcode::LLVMAdd | Opcode::LLVMMul | Opcode::LLVMShl | Opcode::LLVMOr
                if !layout.is_vector && self.is_folded_index(instruction) =>
            {
                InstructionCost::free()
            }
            Opcode::LLVMAdd
            | Opcode::LLVMSub
            | Opcode::LLVMAnd
            | Opcode::LLVMOr
            | Opcode::LLVMXor
            | Opcode::LLVMShl
            | Opcode::LLVMLShr
            | Opcode::LLVMAShr
            | Opcode::LLVMSelect => self.integer(layout),
            Opcode::LLVMICmp | Opcode::LLVMFCmp => self.integer(compared()),
            Opcode::LLVMMul => self.multiply(layout, params.integer_multiply),
            Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMURem | Opcode::LLVMSRem => {
                self.integer_division(layout)
            }
            Opcode::LLVMFAdd | Opcode::LLVMFSub => self.float(layout),
            Opcode::LLVMFMul => self.multiply_add(layout, 1),
            Opcode::LLVMFNeg => self.integer(layout),
            Opcode::LLVMFDiv => self.division(layout),
            Opcode::LLVMFRem => self.remainder(layout),
            Opcode::LLVMFPTrunc
            | Opcode::LLVMFPExt
            | Opcode::LLVMFPToSI
            | Opcode::LLVMFPToUI
            | Opcode::LLVMSIToFP
            | Opcode::LLVMUIToFP => self.convert(layout),
            Opcode::LLVMGetElementPtr => self.address(instruction, layout),
            Opcode::LLVMExtractElement => self.extraction(instruction, layout),
            Opcode::LLVMInsertElement => self.insertion(instruction),
            Opcode::LLVMShuffleVector => self.shuffle(instruction),
            Opcode::LLVMLoad | Opcode::LLVMStore => memory_costs::load_or_store(self, instruction),
            Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => {
                memory_costs::atomic(self, instruction)
            }
            Opcode::LLVMFence => InstructionCost::new(Unit::ScalarInteger, 1, 1),
            Opcode::LLVMCall => self.call(instruction, layout),
            _ => self.integer(layout),
        }
    }

    /// A bit cast; one of a mask to an integer moves it to a scalar register.
    fn bit_cast(&self, cast: Value, layout: RegisterLayout) -> InstructionCost {
        let from = self.register_layout(cast.operand(0));
        if from.is_vector && !layout.is_vector {
            InstructionCost::new(Unit::VectorInteger, self.params.to_scalar, 1)
        } else {
            InstructionCost::free()
        }
    }

    /// An address computation. Constant offsets are immediates of the access, and addresses that
    /// advance by a loop-invariant step use post-increment addressing; others take an addition.
    fn address(&self, gep: Value, layout: RegisterLayout) -> InstructionCost {
        let operands = gep.operands();
        let constant = operands[1..].iter().all(|index| index.is_constant());
        if !layout.is_vector && (constant || self.is_induction(gep)) {
            return InstructionCost::free();
        }
        self.integer(layout)
    }

    /// Whether a scalar advances by a loop-invariant step in the innermost loop around it.
    fn is_induction(&self, value: Value) -> bool {
        matches!(
            self.iteration_step(value, self.block_of(value)),
            Some(IterationStep::Invariant | IterationStep::Constant(1.. | ..=-1))
        )
    }

    /// Whether an integer is only used as the index of addresses with post-increment.
    fn is_folded_index(&self, value: Value) -> bool {
        let users = value.users();
        let is_address = |user: &Value| {
            user.is(Opcode::LLVMGetElementPtr)
                && !self.is_of_lanes(*user)
                && self.is_induction(*user)
        };
        !users.is_empty() && users.iter().all(is_address) && self.is_induction(value)
    }
}
