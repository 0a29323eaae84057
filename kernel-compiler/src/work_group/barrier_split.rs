//! Cuts a kernel at its barriers: each stands alone in a block of its own.

use crate::fault;
use crate::intrinsics::{BARRIER, is_done_by_the_group};
use crate::ir::{Block, Builder, Opcode, Value};
use std::collections::HashMap;

/// The blocks where the kernel is cut, and where it goes on after each.
pub struct Cuts {
    /// Cut blocks (which hold nothing but a branch) and their numbers.
    pub number: HashMap<Block, usize>,
    /// For each cut, the block that follows.
    pub after: Vec<Block>,
}

/// Splits `kernel` at barriers. DMA transfers and waiting for them, which are statements of the
/// group, get a cut before and one after.
pub fn split(kernel: Value) -> Cuts {
    let builder = Builder::new(kernel.ty().context());
    let mut blocks = Vec::new();
    for instruction in kernel.instructions() {
        if instruction.calls(BARRIER) {
            if fault::barriers_split_kernels() {
                blocks.push(cut_before(&builder, instruction));
            }
            instruction.erase();
        } else if is_done_by_the_group(instruction) {
            blocks.push(cut_before(&builder, instruction));
            let next = instruction.next_instruction();
            blocks.push(cut_before(&builder, next.expect("a call is no terminator")));
        }
    }
    // Only now: a later cut in the same block changes what follows an earlier one.
    Cuts {
        after: blocks.iter().map(|cut| cut.successors()[0]).collect(),
        number: blocks.into_iter().zip(0..).collect(),
    }
}

/// Cuts just before `instruction`; gives the cut block.
fn cut_before(builder: &Builder, instruction: Value) -> Block {
    let after = instruction.block();
    let before = split_before(builder, instruction);
    let cut = after.insert_before("cut");
    builder.at_end(cut);
    builder.branch(after);
    before.terminator().erase();
    builder.at_end(before);
    builder.branch(cut);
    cut
}

/// Moves what stands before `instruction` in its block into a new block that
/// branches to it. The block keeps its identity at the end, so that φs in its
/// successors stay right; branches to it go to the new block, which is returned.
pub fn split_before(builder: &Builder, instruction: Value) -> Block {
    let tail = instruction.block();
    // For those who read the IR.
    let name = tail.name();
    tail.set_name("after");
    let head = tail.insert_before(&name);
    let mut next = tail.first_instruction();
    while let Some(moved) = next.filter(|moved| *moved != instruction) {
        next = moved.next_instruction();
        moved.remove_from_block();
        builder.at_end(head);
        builder.insert(moved);
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
