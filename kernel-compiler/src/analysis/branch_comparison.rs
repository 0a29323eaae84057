//! Comparisons of integers that conditional branches depend on.

use crate::ir::{Block, Opcode, Value, inverse, swapped};
use llvm_sys::LLVMIntPredicate;

/// A comparison that holds where a branch goes to one of its successors.
#[derive(Clone, Copy)]
pub struct BranchComparison {
    pub left: Value,
    pub right: Value,
    pub predicate: LLVMIntPredicate,
}

impl BranchComparison {
    /// The one under which a terminator goes to a block; none if it does not compare integers.
    pub fn towards(terminator: Value, into: Block) -> Option<Self> {
        let [yes, no] = terminator.successors()[..] else {
            return None;
        };
        if !terminator.is(Opcode::LLVMBr) || yes == no {
            return None;
        }
        let condition = terminator.operand(0);
        if !condition.is_instruction() || !condition.is(Opcode::LLVMICmp) {
            return None;
        }
        let predicate = condition.predicate();
        Some(Self {
            left: condition.operand(0),
            right: condition.operand(1),
            predicate: if yes == into {
                predicate
            } else {
                inverse(predicate)
            },
        })
    }

    /// The same with its operands exchanged.
    pub fn swapped(self) -> Self {
        Self {
            left: self.right,
            right: self.left,
            predicate: swapped(self.predicate),
        }
    }
}
