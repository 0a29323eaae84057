//! Reductions: atomic operations of all lanes at one address as one, on what their operands give
//! together.

use super::plan::VectorPlan;
use crate::ir::{Builder, Opcode, Type, Value};
use llvm_sys::LLVMAtomicRMWBinOp::{self, *};
use llvm_sys::LLVMIntPredicate::{self, *};

/// An associative atomic operation.
#[derive(Clone, Copy, Debug)]
pub enum Reduction {
    /// An arithmetic or bitwise operation.
    Binary {
        /// Combines two operands.
        combine: Opcode,
        /// Applies an operand to memory; differs for subtraction, whose operands add up.
        apply: Opcode,
    },
    /// Minimum or maximum: keeps the first operand if the comparison holds.
    MinMax(LLVMIntPredicate),
}

impl Reduction {
    /// Adds operands.
    pub const ADD: Self = Self::alike(Opcode::LLVMAdd);

    const fn alike(opcode: Opcode) -> Self {
        Self::Binary {
            combine: opcode,
            apply: opcode,
        }
    }

    /// The reduction of an atomic instruction; none if it is not associative.
    pub fn recognize(atomic: Value) -> Option<Self> {
        atomic.atomic_operation().and_then(Self::of_operation)
    }

    fn of_operation(operation: LLVMAtomicRMWBinOp) -> Option<Self> {
        Some(match operation {
            LLVMAtomicRMWBinOpAdd => Self::ADD,
            LLVMAtomicRMWBinOpSub => Self::Binary {
                combine: Opcode::LLVMAdd,
                apply: Opcode::LLVMSub,
            },
            LLVMAtomicRMWBinOpAnd => Self::alike(Opcode::LLVMAnd),
            LLVMAtomicRMWBinOpOr => Self::alike(Opcode::LLVMOr),
            LLVMAtomicRMWBinOpXor => Self::alike(Opcode::LLVMXor),
            LLVMAtomicRMWBinOpMax => Self::MinMax(LLVMIntSGT),
            LLVMAtomicRMWBinOpMin => Self::MinMax(LLVMIntSLT),
            LLVMAtomicRMWBinOpUMax => Self::MinMax(LLVMIntUGT),
            LLVMAtomicRMWBinOpUMin => Self::MinMax(LLVMIntULT),
            _ => return None,
        })
    }

    /// The identity element.
    pub fn identity(self, ty: Type) -> Value {
        let bits = ty.integer_bits();
        let ones = u64::MAX >> (64 - bits);
        ty.constant(match self {
            Self::Binary {
                apply: Opcode::LLVMAnd,
                ..
            }
            | Self::MinMax(LLVMIntULT) => ones,
            Self::MinMax(LLVMIntSGT) => 1 << (bits - 1),
            Self::MinMax(LLVMIntSLT) => ones >> 1,
            _ => 0,
        })
    }

    /// Whether `n` equal operands reduce to `n` times the operand.
    pub fn is_sum(self) -> bool {
        matches!(
            self,
            Self::Binary {
                combine: Opcode::LLVMAdd,
                ..
            }
        )
    }

    /// Whether equal operands reduce to one of them.
    pub fn is_idempotent(self) -> bool {
        let is_xor = matches!(
            self,
            Self::Binary {
                apply: Opcode::LLVMXor,
                ..
            }
        );
        !self.is_sum() && !is_xor
    }

    /// Reduces two operands to one.
    pub fn combine(self, b: &Builder, one: Value, other: Value) -> Value {
        match self {
            Self::Binary { combine, .. } => b.binary(combine, one, other),
            Self::MinMax(predicate) => b.select(b.compare(predicate, one, other), one, other),
        }
    }

    /// The result of the operation on a value in memory.
    pub fn apply(self, b: &Builder, memory: Value, operand: Value) -> Value {
        match self {
            Self::Binary { apply, .. } => b.binary(apply, memory, operand),
            Self::MinMax(_) => self.combine(b, memory, operand),
        }
    }
}

impl VectorPlan<'_> {
    /// Cycles to reduce the operands of an atomic operation that take that many vector registers.
    pub fn reduction_cost(&self, atomic: Value, registers: f64) -> f64 {
        let steps = f64::from(self.lanes()).log2();
        let is_uniform = self.shape(atomic.operand(1)).is_uniform();
        let is_used = !atomic.users().is_empty();
        match Reduction::recognize(atomic) {
            Some(reduction) if is_uniform && reduction.is_sum() && is_used => {
                4.0 + 2.0 * steps + 2.0 * registers
            }
            Some(reduction) if is_uniform && !is_used => {
                if reduction.is_sum() || reduction.is_idempotent() {
                    3.0
                } else {
                    3.0 * steps + registers
                }
            }
            _ if is_used => 3.0 * steps * registers + 2.0 * registers,
            _ => 3.0 * steps + registers,
        }
    }
}
