//! Loops that count up by one to a limit.

use super::branch_comparison::BranchComparison;
use crate::ir::{Block, Opcode, Value};
use llvm_sys::LLVMIntPredicate::{self, *};

/// A counter, and what ends its loop.
#[derive(Clone, Copy)]
pub struct CountedLoop {
    /// The φ in the header.
    pub counter: Value,
    /// The counter of the next iteration.
    pub next: Value,
    /// What that is compared with in the latch.
    pub limit: Value,
    /// The loop continues while it holds for both: they differ, or `next` is less, or at most as much.
    pub predicate: LLVMIntPredicate,
}

impl CountedLoop {
    /// The counter of the loop with this header and latch, whose limit is the same in all iterations as `is_invariant` says.
    pub fn find(header: Block, latch: Block, is_invariant: impl Fn(Value) -> bool) -> Option<Self> {
        let comparison = BranchComparison::towards(latch.terminator(), header)?;
        let is_step = |value: Value| {
            let is_add = value.is_instruction() && value.is(Opcode::LLVMAdd);
            is_add && value.operand(1).as_signed_integer() == Some(1) && !is_invariant(value)
        };
        let comparison = match is_step(comparison.left) {
            true => comparison,
            false => comparison.swapped(),
        };
        let BranchComparison {
            left: next,
            right: limit,
            predicate,
        } = comparison;
        let is_counted = matches!(
            predicate,
            LLVMIntNE | LLVMIntSLT | LLVMIntSLE | LLVMIntULT | LLVMIntULE
        );
        if !is_counted || !is_invariant(limit) || !is_step(next) {
            return None;
        }
        let counter = next.operand(0);
        let counts = counter.is_instruction()
            && counter.is(Opcode::LLVMPHI)
            && counter.block() == header
            && counter.incoming().contains(&(next, latch));
        counts.then_some(Self {
            counter,
            next,
            limit,
            predicate,
        })
    }

    /// Whether the loop ends once the limit is reached.
    pub fn ends_at_limit(&self) -> bool {
        !matches!(self.predicate, LLVMIntSLE | LLVMIntULE)
    }
}
