//! Atomic operations on local memory.

use super::Emitter;
use super::work_item::WorkItem;
use crate::ir::{Opcode, Value};
use llvm_sys::LLVMIntPredicate;

impl Emitter {
    /// Load, operation, store in place of an atomic instruction.
    pub fn plain_atomic(&self, instruction: Value, item: &mut WorkItem) -> Option<Value> {
        use llvm_sys::LLVMAtomicRMWBinOp::*;
        let b = &self.builder;
        let pointer = instruction.operand(0);
        let operand = instruction.operand(1);
        let ty = operand.ty();
        let alignment = self.layout.alignment(ty);
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
                let replacement = instruction.operand(2);
                let equal = keep(b.compare(LLVMIntPredicate::LLVMIntEQ, old, operand));
                let new = keep(b.select(equal, replacement, old));
                let pair = keep(b.insert_value(instruction.ty().poison(), old, 0));
                (new, keep(b.insert_value(pair, equal, 1)))
            }
        };
        made.push(b.store(new, pointer, alignment));
        made.retain(|value| value.is_instruction());
        item.sequential.extend(&made);
        item.created.extend(made);
        Some(result)
    }
}
