//! Predicates of comparisons of integers.

use llvm_sys::LLVMIntPredicate;
use llvm_sys::LLVMIntPredicate::*;

/// The predicate that holds where another one does not.
pub fn inverse(predicate: LLVMIntPredicate) -> LLVMIntPredicate {
    match predicate {
        LLVMIntEQ => LLVMIntNE,
        LLVMIntNE => LLVMIntEQ,
        LLVMIntUGT => LLVMIntULE,
        LLVMIntUGE => LLVMIntULT,
        LLVMIntULT => LLVMIntUGE,
        LLVMIntULE => LLVMIntUGT,
        LLVMIntSGT => LLVMIntSLE,
        LLVMIntSGE => LLVMIntSLT,
        LLVMIntSLT => LLVMIntSGE,
        LLVMIntSLE => LLVMIntSGT,
    }
}

/// The predicate for exchanged operands.
pub fn swapped(predicate: LLVMIntPredicate) -> LLVMIntPredicate {
    match predicate {
        LLVMIntEQ | LLVMIntNE => predicate,
        LLVMIntUGT => LLVMIntULT,
        LLVMIntUGE => LLVMIntULE,
        LLVMIntULT => LLVMIntUGT,
        LLVMIntULE => LLVMIntUGE,
        LLVMIntSGT => LLVMIntSLT,
        LLVMIntSGE => LLVMIntSLE,
        LLVMIntSLT => LLVMIntSGT,
        LLVMIntSLE => LLVMIntSGE,
    }
}
