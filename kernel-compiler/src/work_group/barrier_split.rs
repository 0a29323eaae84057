//! Splits a kernel at its barriers, each of which becomes a block of its own.

use crate::fault;
use crate::intrinsics::{BARRIER, is_collective};
use crate::ir::{Block, Builder, Opcode, Value};
use std::collections::{HashMap, HashSet};

/// The barriers of a kernel as blocks.
pub struct BarrierBlocks {
    /// Numbers of the barrier blocks, which hold nothing but a branch.
    pub number: HashMap<Block, usize>,
    /// By barrier: the block that follows.
    pub after: Vec<Block>,
    /// Those after collective operations: work-items do not wait there for each other.
    pub passed: HashSet<usize>,
    /// Each barrier begins a region of its own: work-items may be at different ones.
    pub are_distinct: bool,
}

impl BarrierBlocks {
    /// Whether a block is that of a barrier.
    pub fn is_barrier(&self, block: Block) -> bool {
        self.number.contains_key(&block)
    }
}

/// Splits `kernel` at barriers. DMA transfers and waits for them, which the group executes once, get a
/// barrier before and one after.
pub fn split(kernel: Value) -> BarrierBlocks {
    let builder = Builder::new(kernel.ty().context());
    let mut blocks = Vec::new();
    let mut passed = HashSet::new();
    for instruction in kernel.instructions() {
        if instruction.calls(BARRIER) {
            if fault::barriers_split_kernels() {
                blocks.push(barrier_before(&builder, instruction, instruction));
            }
            instruction.erase();
        } else if is_collective(instruction) {
            blocks.push(barrier_before(&builder, instruction, instruction));
            let next = instruction.next_instruction();
            passed.insert(blocks.len());
            blocks.push(barrier_before(
                &builder,
                next.expect("a call is no terminator"),
                instruction,
            ));
        }
    }
    // Not before all are split: a later barrier in a block changes what follows an earlier one.
    BarrierBlocks {
        after: blocks
            .iter()
            .map(|barrier| barrier.successors()[0])
            .collect(),
        number: blocks.into_iter().zip(0..).collect(),
        passed,
        are_distinct: false,
    }
}

/// Inserts a barrier block before `instruction`, with the source line of `origin`.
fn barrier_before(builder: &Builder, instruction: Value, origin: Value) -> Block {
    let after = instruction.block();
    let before = split_before(builder, instruction);
    let barrier = after.insert_before("barrier");
    builder.at_end(barrier);
    // Timed code charges the barrier to its line.
    builder.of_the_line_of(origin);
    builder.branch(after);
    builder.of_no_line();
    before.terminator().erase();
    builder.at_end(before);
    builder.branch(barrier);
    barrier
}

/// Moves the instructions before `instruction` into a new block that branches to its block, and
/// returns the new block. Branches to the old block go to the new one. The old block keeps the
/// terminator, so that φs in its successors stay valid.
pub fn split_before(builder: &Builder, instruction: Value) -> Block {
    let tail = instruction.block();
    // Readable names in dumps.
    let name = tail.name();
    tail.set_name("after");
    let head = tail.insert_before(&name);
    // What is moved keeps its line in the source.
    let mover = Builder::new(tail.function().ty().context());
    let mut next = tail.first_instruction();
    while let Some(moved) = next.filter(|moved| *moved != instruction) {
        next = moved.next_instruction();
        moved.remove_from_block();
        mover.at_end(head);
        mover.insert(moved);
    }
    builder.at_end(head);
    let to_tail = builder.branch(tail);
    for terminator in tail.branches() {
        if terminator == to_tail {
            continue;
        }
        for (index, successor) in terminator.successors().into_iter().enumerate() {
            if successor == tail {
                terminator.set_successor(index as u32, head);
            }
        }
    }
    debug_assert!(instruction.opcode() != Opcode::LLVMPHI);
    head
}
