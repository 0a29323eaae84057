//! The loops over work-items of a work-group function: their descriptors, and where LLVM's passes
//! have left them.
//!
//! Formation knows these loops when it emits them, but LLVM merges, splits and renumbers blocks
//! and rewrites stack variables before they are vectorised. So blocks and values are read from the
//! loop forest; iterations, independence and trip count are what the descriptor says.

use super::rejection::Rejection;
use crate::analysis::cfg::Cfg;
use crate::analysis::dominators::Dominators;
use crate::analysis::loops::{Loop, LoopForest};
use crate::ir::{Block, Opcode, Value};
use crate::work_items::loop_descriptor::{LoopDescriptor, LoopKind};
use llvm_sys::LLVMIntPredicate::*;

/// A loop over the work-items of a row, or over rows; its iterations are independent.
pub struct WorkItemLoop {
    /// The only block outside the loop that branches to the header.
    pub preheader: Block,
    /// The loop's first block.
    pub header: Block,
    /// The loop's last block, and its only exiting one.
    pub latch: Block,
    /// The block after the loop.
    pub exit: Block,
    /// The φ that counts iterations from 0.
    pub induction: Value,
    /// Iterations; defined before the loop.
    pub trip_count: Value,
    /// All blocks of the loop, in the function's order.
    pub blocks: Vec<Block>,
    /// Stack arrays of one iteration, which the iterations use one after another.
    pub private_arrays: Vec<Value>,
}

/// The loops of a kind in a function, each with its descriptor. The error says why a loop has no
/// longer the form in which formation emitted it.
pub fn find(
    function: Value,
    kind: LoopKind,
) -> Vec<(LoopDescriptor, Result<WorkItemLoop, Rejection>)> {
    let cfg = Cfg::compute(function);
    let forest = LoopForest::compute(&cfg.graph, &Dominators::compute(&cfg.graph));
    let blocks = cfg.blocks.iter().copied().enumerate();
    let described = blocks.filter_map(|(number, block)| {
        let descriptor = LoopDescriptor::read(block.terminator(), kind)?;
        Some((number, descriptor))
    });
    described
        .map(|(latch, descriptor)| (descriptor, locate(&cfg, &forest, latch, &descriptor)))
        .collect()
}

/// Finds the blocks and values of the loop whose backward branch ends the block `latch`.
fn locate(
    cfg: &Cfg,
    forest: &LoopForest,
    latch: usize,
    descriptor: &LoopDescriptor,
) -> Result<WorkItemLoop, Rejection> {
    let found = forest.loops.iter().find(|l| l.latches == [latch]);
    let found = found.ok_or(Rejection::NonCanonicalLoop)?;
    let exits = found.exits(&cfg.graph);
    let mut at_latch = exits.iter().filter(|(from, _)| *from == latch);
    let (Some((_, exit)), &[preheader]) = (at_latch.next(), &found.entering(&cfg.graph)[..]) else {
        return Err(Rejection::NonCanonicalLoop);
    };
    let [header, latch, exit, preheader] =
        [found.header, latch, *exit, preheader].map(|number| cfg.blocks[number]);
    let induction = induction_variable(header, preheader, latch)?;
    let trip_count = match descriptor.trip_count {
        Some(count) => Some(induction.ty().constant(count)),
        None => trip_count(induction, header, latch),
    };
    let is_inside = |block: Block| found.contains(cfg.number(block));
    let is_invariant = |value: &Value| !value.is_instruction() || !is_inside(value.block());
    let trip_count = trip_count
        .filter(is_invariant)
        .ok_or(Rejection::NonCanonicalLoop)?;
    if exits.len() > 1 {
        return Err(Rejection::LoopExit);
    }
    Ok(WorkItemLoop {
        preheader,
        header,
        latch,
        exit,
        induction,
        trip_count,
        blocks: blocks(found, cfg),
        private_arrays: private_arrays(header.function(), &is_inside)?,
    })
}

fn blocks(found: &Loop, cfg: &Cfg) -> Vec<Block> {
    let blocks = found.nodes.iter().map(|&number| cfg.blocks[number]);
    blocks.collect()
}

/// The only φ of the header, if it counts from 0 in steps of 1.
fn induction_variable(header: Block, preheader: Block, latch: Block) -> Result<Value, Rejection> {
    let instructions = header.instructions().into_iter();
    let phis: Vec<Value> = instructions.filter(|i| i.is(Opcode::LLVMPHI)).collect();
    let &[induction] = phis.as_slice() else {
        return Err(Rejection::CarriedValue);
    };
    let starts_at_zero = induction
        .incoming_from(preheader)
        .and_then(Value::as_integer)
        == Some(0);
    let counts = induction.incoming_from(latch).is_some_and(|next| {
        next.is(Opcode::LLVMAdd)
            && next.operand(0) == induction
            && next.operand(1).as_integer() == Some(1)
    });
    if starts_at_zero && counts {
        Ok(induction)
    } else {
        Err(Rejection::NonCanonicalLoop)
    }
}

/// The trip count of a loop whose local size is not known: what the latch compares the induction
/// variable's next value with.
fn trip_count(induction: Value, header: Block, latch: Block) -> Option<Value> {
    let condition = latch.terminator().operand(0);
    let next = induction.incoming_from(latch)?;
    if !condition.is(Opcode::LLVMICmp) || condition.operand(0) != next {
        return None;
    }
    let continues_if_true = latch.terminator().successors()[0] == header;
    let continues_below = match condition.predicate() {
        LLVMIntULT | LLVMIntNE => continues_if_true,
        LLVMIntUGE | LLVMIntEQ => !continues_if_true,
        _ => false,
    };
    continues_below.then(|| condition.operand(1))
}

/// The stack variables used in the loop. LLVM has split and merged those that formation made, so
/// that only their users identify them.
fn private_arrays(
    function: Value,
    is_inside: &dyn Fn(Block) -> bool,
) -> Result<Vec<Value>, Rejection> {
    let mut found = Vec::new();
    for alloca in function.entry_block().instructions() {
        if !alloca.is(Opcode::LLVMAlloca) {
            continue;
        }
        let users = alloca.users();
        let is_used_inside = |user: &Value| user.is_instruction() && is_inside(user.block());
        if !users.iter().any(is_used_inside) {
            continue;
        }
        if !users.iter().all(is_used_inside) || alloca.operand(0).as_integer() != Some(1) {
            return Err(Rejection::EscapingPrivateArray);
        }
        found.push(alloca);
    }
    Ok(found)
}
