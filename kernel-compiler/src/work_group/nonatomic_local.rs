//! Lowers atomic operations on local memory to plain ones: one host thread runs all work-items of a
//! group (MOCL3 paper, docs/bibliography.md).

use crate::intrinsics::address_space;
use crate::ir::{Builder, DataLayout, Opcode, Value};
use llvm_sys::LLVMIntPredicate;

/// A load, an operation and a store that replace an atomic instruction.
pub struct PlainAtomic {
    /// The value that the instruction returns.
    pub result: Value,
    /// The new instructions.
    pub made: Vec<Value>,
}

/// Whether an instruction is an atomic operation on local memory.
pub fn is_on_local_memory(instruction: Value) -> bool {
    matches!(
        instruction.opcode(),
        Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg
    ) && instruction.operand(0).ty().address_space() == address_space::LOCAL
}

impl PlainAtomic {
    /// Builds the replacement of `instruction` with these operands; none for an operation that OpenCL
    /// does not have.
    pub fn make(
        b: &Builder,
        layout: DataLayout,
        instruction: Value,
        operands: &[Value],
    ) -> Option<Self> {
        use llvm_sys::LLVMAtomicRMWBinOp::*;
        let (pointer, operand) = (operands[0], operands[1]);
        let ty = operand.ty();
        let alignment = layout.alignment(ty);
        let operation = instruction.atomic_operation();
        if let Some(operation) = operation
            && !matches!(
                operation,
                LLVMAtomicRMWBinOpXchg
                    | LLVMAtomicRMWBinOpAdd
                    | LLVMAtomicRMWBinOpSub
                    | LLVMAtomicRMWBinOpAnd
                    | LLVMAtomicRMWBinOpOr
                    | LLVMAtomicRMWBinOpXor
                    | LLVMAtomicRMWBinOpMax
                    | LLVMAtomicRMWBinOpMin
                    | LLVMAtomicRMWBinOpUMax
                    | LLVMAtomicRMWBinOpUMin
            )
        {
            return None;
        }
        let mut made = Vec::new();
        let old = b.load(ty, pointer, alignment);
        made.push(old);
        let mut keep = |value: Value| {
            made.push(value);
            value
        };
        let choose = |predicate, keep: &mut dyn FnMut(Value) -> Value| {
            let better = keep(b.compare(predicate, old, operand));
            keep(b.select(better, old, operand))
        };
        let (new, result) = match operation {
            Some(operation) => {
                let new = match operation {
                    LLVMAtomicRMWBinOpXchg => operand,
                    LLVMAtomicRMWBinOpAdd => keep(b.binary(Opcode::LLVMAdd, old, operand)),
                    LLVMAtomicRMWBinOpSub => keep(b.binary(Opcode::LLVMSub, old, operand)),
                    LLVMAtomicRMWBinOpAnd => keep(b.binary(Opcode::LLVMAnd, old, operand)),
                    LLVMAtomicRMWBinOpOr => keep(b.binary(Opcode::LLVMOr, old, operand)),
                    LLVMAtomicRMWBinOpXor => keep(b.binary(Opcode::LLVMXor, old, operand)),
                    LLVMAtomicRMWBinOpMax => choose(LLVMIntPredicate::LLVMIntSGT, &mut keep),
                    LLVMAtomicRMWBinOpMin => choose(LLVMIntPredicate::LLVMIntSLT, &mut keep),
                    LLVMAtomicRMWBinOpUMax => choose(LLVMIntPredicate::LLVMIntUGT, &mut keep),
                    LLVMAtomicRMWBinOpUMin => choose(LLVMIntPredicate::LLVMIntULT, &mut keep),
                    _ => unreachable!("refused above"),
                };
                (new, old)
            }
            None => {
                let replacement = operands[2];
                let equal = keep(b.compare(LLVMIntPredicate::LLVMIntEQ, old, operand));
                let new = keep(b.select(equal, replacement, old));
                let pair = keep(b.insert_value(instruction.ty().poison(), old, 0));
                (new, keep(b.insert_value(pair, equal, 1)))
            }
        };
        made.push(b.store(new, pointer, alignment));
        made.retain(|value| value.is_instruction());
        Some(Self { result, made })
    }
}
