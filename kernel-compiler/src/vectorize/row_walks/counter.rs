//! Counters of walks: up to a limit, or down to one.

use crate::analysis::branch_comparison::BranchComparison;
use crate::analysis::counted_loop::CountedLoop;
use crate::ir::{Block, Builder, Opcode, Value};
use llvm_sys::LLVMIntPredicate::*;

/// A counter that changes by 1 in each iteration.
pub struct Counter {
    pub phi: Value,
    /// The number of the next iteration.
    next: Value,
    /// What the loop ends at.
    limit: Value,
    direction: Direction,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    /// The limit is the number behind the last one.
    Up,
    /// The last number is that much more than the limit. Whether it is the next number that is compared.
    Down { behind: i64, by_next: bool },
}

impl Counter {
    /// The counter of a loop of one block.
    pub fn find(block: Block) -> Option<Self> {
        let is_outside = |value: Value| !value.is_instruction() || value.block() != block;
        let up = || {
            let counted = CountedLoop::find(block, block, is_outside);
            let counted = counted.filter(CountedLoop::ends_at_limit)?;
            Some(Self {
                phi: counted.counter,
                next: counted.next,
                limit: counted.limit,
                direction: Direction::Up,
            })
        };
        up().or_else(|| Self::find_down(block, is_outside))
    }

    fn find_down(block: Block, is_outside: impl Fn(Value) -> bool) -> Option<Self> {
        let comparison = BranchComparison::towards(block.terminator(), block)?;
        let comparison = match is_outside(comparison.right) {
            true => comparison,
            false => comparison.swapped(),
        };
        let BranchComparison {
            left: compared,
            right: limit,
            predicate,
        } = comparison;
        let counts = |&(phi, next): &(Value, Value)| {
            next.is_instruction()
                && next.is(Opcode::LLVMAdd)
                && next.operand(0) == phi
                && next.operand(1).as_signed_integer() == Some(-1)
                && (compared == phi || compared == next)
        };
        let phis = block.phis().into_iter();
        let mut numbers = phis.filter_map(|phi| Some((phi, phi.incoming_from(block)?)));
        let (phi, next) = numbers.find(counts)?;
        let by_next = compared == next;
        let ends_above = match predicate {
            LLVMIntSGT | LLVMIntUGT | LLVMIntNE => 0,
            LLVMIntSGE | LLVMIntUGE => -1,
            _ => return None,
        };
        is_outside(limit).then_some(Self {
            phi,
            next,
            limit,
            direction: Direction::Down {
                behind: ends_above + i64::from(by_next),
                by_next,
            },
        })
    }

    /// What each iteration adds to a value, if it is the counter or its next number, and `count` sees to it that it is not
    /// negative.
    pub fn step(&self, value: Value) -> Option<i64> {
        match self.direction {
            Direction::Up => (value == self.phi || value == self.next).then_some(1),
            Direction::Down { by_next, .. } => {
                (value == self.phi || by_next && value == self.next).then_some(-1)
            }
        }
    }

    /// The number of iterations from a start on, and whether it is one: it is if no number of the counter is negative. It does
    /// not matter then how numbers are extended.
    pub fn count(&self, b: &Builder, start: Value) -> (Value, Value) {
        let ty = self.limit.ty();
        match self.direction {
            Direction::Up => {
                let is_ordered = b.compare(LLVMIntSGT, self.limit, start);
                let is_counted = b.compare(LLVMIntSGE, start, ty.constant(0));
                let count = b.binary(Opcode::LLVMSub, self.limit, start);
                (count, b.and(is_ordered, is_counted))
            }
            Direction::Down { behind, by_next } => {
                let last = b.add(self.limit, ty.constant(behind as u64));
                let is_ordered = b.compare(LLVMIntSGE, start, last);
                let least = ty.constant(u64::from(by_next));
                let is_counted = b.compare(LLVMIntSGE, last, least);
                let distance = b.binary(Opcode::LLVMSub, start, last);
                let count = b.add(distance, ty.constant(1));
                (count, b.and(is_ordered, is_counted))
            }
        }
    }
}
