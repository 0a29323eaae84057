//! The loops over work-items of a work-group function, as they are after LLVM has
//! simplified it.

use super::rejection::Rejection;
use crate::ir::{Block, Opcode, Value, metadata_kind};
use llvm_sys::LLVMIntPredicate::{self, *};
use std::collections::{HashMap, HashSet};

/// Property of such a loop's branch back, as metadata of this kind.
pub const WORK_ITEM_LOOP_MARK: &str = "mocl3.work_items";

/// A loop over the work-items of a row whose iterations are independent.
pub struct WorkItemLoop {
    /// Where the loop is entered from.
    pub preheader: Block,
    /// Its first block.
    pub header: Block,
    /// Its last block, which counts.
    pub latch: Block,
    /// Where it is left to.
    pub exit: Block,
    /// The φ that counts work-items, from 0 on.
    pub induction: Value,
    /// How many work-items there are; made before the loop.
    pub trip_count: Value,
    /// All its blocks, in the function's order.
    pub blocks: Vec<Block>,
    /// Arrays on the stack that its work-items use one after another.
    pub private_arrays: Vec<Value>,
}

/// All loops of a function whose branch back is marked so.
pub fn find(function: Value, mark: &str) -> Vec<Result<WorkItemLoop, Rejection>> {
    let kind = metadata_kind(function.ty().context(), mark);
    let blocks = function.blocks();
    let mut before: HashMap<Block, Vec<Block>> = HashMap::new();
    for &block in &blocks {
        for to in block.successors() {
            let before = before.entry(to).or_default();
            if !before.contains(&block) {
                before.push(block);
            }
        }
    }
    blocks
        .iter()
        .filter(|block| block.terminator().has_metadata(kind))
        .map(|&latch| understand(function, &blocks, latch, &before))
        .collect()
}

fn understand(
    function: Value,
    blocks: &[Block],
    latch: Block,
    before: &HashMap<Block, Vec<Block>>,
) -> Result<WorkItemLoop, Rejection> {
    let unfit = || Rejection::NonCanonicalLoop;
    let predecessors = |of: Block| before.get(&of).cloned().unwrap_or_default();
    // The successor from which the latch is reached without going round again.
    let successors = latch.successors();
    let (header, body, exit) = successors
        .iter()
        .zip(successors.iter().rev())
        .find_map(|(&header, &exit)| {
            let body = reaching(latch, header, &predecessors)?;
            (header != exit && !body.contains(&exit)).then_some((header, body, exit))
        })
        .ok_or_else(unfit)?;
    let outside: Vec<Block> = predecessors(header)
        .into_iter()
        .filter(|block| *block != latch)
        .collect();
    let &[before] = outside.as_slice() else {
        return Err(unfit());
    };
    let phis: Vec<Value> = header
        .instructions()
        .into_iter()
        .filter(|i| i.opcode() == Opcode::LLVMPHI)
        .collect();
    let &[induction] = phis.as_slice() else {
        return Err(Rejection::CarriedValue);
    };
    let incoming = |from: Block| {
        let incoming = induction.incoming();
        incoming
            .into_iter()
            .find(|(_, b)| *b == from)
            .map(|(v, _)| v)
    };
    let next = incoming(latch).ok_or_else(unfit)?;
    let starts_at_zero = incoming(before).and_then(Value::as_integer) == Some(0);
    let counts = next.is(Opcode::LLVMAdd)
        && next.operand(0) == induction
        && next.operand(1).as_integer() == Some(1);
    let condition = latch.terminator().operand(0);
    if !starts_at_zero || !counts || !condition.is(Opcode::LLVMICmp) {
        return Err(unfit());
    }
    // How many rounds there are, from what goes on to the next one.
    let goes_on = if latch.successors()[0] == header {
        condition.predicate()
    } else {
        inverse(condition.predicate()).ok_or_else(unfit)?
    };
    let count = match (condition.operands().as_slice(), goes_on) {
        ([a, bound], LLVMIntULT | LLVMIntNE) if *a == next => *bound,
        ([a, last], LLVMIntULT | LLVMIntNE) if *a == induction => {
            let last = last.as_integer().ok_or_else(unfit)?;
            induction.ty().constant(last + 1)
        }
        ([a, first], LLVMIntEQ) if *a == induction && first.as_integer() == Some(0) => {
            induction.ty().constant(2)
        }
        _ => return Err(unfit()),
    };
    let inside = |block: Block| body.contains(&block);
    if count.is_instruction() && inside(count.block()) {
        return Err(unfit());
    }
    if body
        .iter()
        .any(|&block| block != latch && block.successors().iter().any(|&to| !inside(to)))
    {
        return Err(Rejection::LoopExit);
    }
    let mut private = Vec::new();
    for alloca in function.entry_block().instructions() {
        if !alloca.is(Opcode::LLVMAlloca) {
            continue;
        }
        let users = alloca.users();
        let used_inside = |user: &Value| user.is_instruction() && inside(user.block());
        if !users.iter().any(used_inside) {
            continue;
        }
        if !users.iter().all(used_inside) || alloca.operand(0).as_integer() != Some(1) {
            return Err(Rejection::EscapingPrivateArray);
        }
        private.push(alloca);
    }
    Ok(WorkItemLoop {
        preheader: before,
        header,
        latch,
        exit,
        induction,
        trip_count: count,
        blocks: blocks.iter().copied().filter(|&b| inside(b)).collect(),
        private_arrays: private,
    })
}

/// What holds where a comparison does not, of those that bound a count.
fn inverse(predicate: LLVMIntPredicate) -> Option<LLVMIntPredicate> {
    Some(match predicate {
        LLVMIntEQ => LLVMIntNE,
        LLVMIntNE => LLVMIntEQ,
        LLVMIntUGE => LLVMIntULT,
        _ => return None,
    })
}

/// The blocks from which `latch` is reached without passing `header`, those two included;
/// none if the function's start is among them.
fn reaching(
    latch: Block,
    header: Block,
    predecessors: &dyn Fn(Block) -> Vec<Block>,
) -> Option<HashSet<Block>> {
    let start = latch.function().entry_block();
    let mut found = HashSet::from([header, latch]);
    let mut pending = if latch == header { vec![] } else { vec![latch] };
    while let Some(block) = pending.pop() {
        if block == start {
            return None;
        }
        for from in predecessors(block) {
            if found.insert(from) {
                pending.push(from);
            }
        }
    }
    Some(found)
}
