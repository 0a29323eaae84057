//! Loops in the form in which they are interchanged.

use crate::analysis::cfg::Cfg;
use crate::analysis::dominators::Dominators;
use crate::analysis::loops::LoopForest;
use crate::intrinsics::{GROUP_CONTEXT, address_space, ends_region};
use crate::ir::{Block, Opcode, Value};
use std::collections::HashSet;

/// Loops with a constant trip count stay as they are if unrolling makes no more instructions than
/// this of them: LLVM unrolls them.
pub(super) const MAX_UNROLLED_INSTRUCTIONS: u64 = 500;

/// A rotated loop in simplified form: one latch, which is also the only exiting block, a preheader,
/// and an exit that only the latch branches to.
#[derive(Clone, Debug)]
pub struct RotatedLoop {
    /// Entered from preheader and latch.
    pub header: Block,
    /// Branches to the header only; outside the loop.
    pub preheader: Block,
    /// Branches to header and exit.
    pub latch: Block,
    /// The only block outside the loop that it branches to.
    pub exit: Block,
    /// All blocks of the loop.
    pub blocks: HashSet<Block>,
}

impl RotatedLoop {
    /// The rotated loops of a function, smaller ones first.
    pub fn all(cfg: &Cfg) -> Vec<Self> {
        let forest = LoopForest::compute(&cfg.graph, &Dominators::compute(&cfg.graph));
        let mut loops = forest.loops;
        loops.sort_by_key(|l| (l.nodes.len(), l.header));
        let blocks = |numbers: &[usize]| numbers.iter().map(|&n| cfg.blocks[n]).collect();
        let rotated = loops.iter().filter_map(|l| {
            let (&[latch], &[preheader]) = (&l.latches[..], &l.entering(&cfg.graph)[..]) else {
                return None;
            };
            let &[(exiting, exit)] = l.exits(&cfg.graph).as_slice() else {
                return None;
            };
            let is_rotated = exiting == latch
                && cfg.successors(preheader) == [l.header]
                && cfg.predecessors(exit) == [latch];
            is_rotated.then(|| Self {
                header: cfg.blocks[l.header],
                preheader: cfg.blocks[preheader],
                latch: cfg.blocks[latch],
                exit: cfg.blocks[exit],
                blocks: blocks(&l.nodes),
            })
        });
        rotated.collect()
    }

    /// The value of a φ of the header or the exit on the edge from `from`.
    pub(super) fn incoming(phi: Value, from: Block) -> Value {
        phi.incoming_from(from)
            .expect("preheader and latch are predecessors")
    }

    /// The trip count, if the latch compares an induction variable with a constant.
    fn trip_count(&self) -> Option<u64> {
        let comparison = self.latch.terminator().operand(0);
        if !comparison.is(Opcode::LLVMICmp) {
            return None;
        }
        let limit = comparison.operand(1).as_signed_integer()?;
        let counted = comparison.operand(0);
        self.header.phis().into_iter().find_map(|phi| {
            let next = Self::incoming(phi, self.latch);
            if counted != next && counted != phi {
                return None;
            }
            let first = Self::incoming(phi, self.preheader).as_signed_integer()?;
            let step = next
                .is(Opcode::LLVMAdd)
                .then(|| next.operand(1).as_signed_integer())??;
            let count = limit.checked_sub(first)?.checked_div(step)?;
            Some(count.max(1) as u64)
        })
    }

    /// The instructions of all blocks.
    pub(super) fn instructions(&self) -> Vec<Value> {
        let blocks = self.blocks.iter();
        blocks.flat_map(|block| block.instructions()).collect()
    }

    /// Whether LLVM will unroll the loop with these instructions.
    pub(super) fn is_unrolled(&self, instructions: &[Value]) -> bool {
        self.trip_count()
            .and_then(|count| count.checked_mul(instructions.len() as u64))
            .is_some_and(|total| total <= MAX_UNROLLED_INSTRUCTIONS)
    }
}

/// Whether an instruction of a loop stays valid if work-items take turns after each iteration, and
/// accesses no private memory, which each work-item would have to keep in between. The group's context
/// is passed to functions that report findings.
pub(super) fn is_movable(instruction: Value) -> bool {
    let called = instruction.called_function();
    let is_private = |value: &Value| {
        value.ty().is_pointer()
            && value.ty().address_space() == address_space::PRIVATE
            && Some(*value) != called
            && !(value.is_instruction() && value.calls(GROUP_CONTEXT))
    };
    !ends_region(instruction)
        && !is_private(&instruction)
        && !instruction.operands().iter().any(is_private)
}
