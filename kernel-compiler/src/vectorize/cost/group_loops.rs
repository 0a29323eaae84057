//! Loops that a work-group runs as a whole: around barriers, or interchanged with those over work-items.
//! Their counters are values or, across regions, slots in memory.

use crate::analysis::cfg::Cfg;
use crate::analysis::dominators::Dominators;
use crate::analysis::loops::LoopForest;
use crate::ir::{Block, Opcode, Value};
use crate::vectorize::work_item_loop::WorkItemLoop;
use crate::work_items::loop_descriptor::{LoopDescriptor, LoopKind};
use std::collections::HashSet;

/// Iterations that a loop is assumed to run.
pub const ASSUMED_TRIP_COUNT: f64 = 8.0;

/// Most operations that are searched for a counter.
const MAX_OPERATIONS: usize = 64;

/// The loops of the group around a loop over work-items.
pub struct GroupLoops {
    /// Executions of the loop over work-items for one of the function: the product of their trip counts.
    pub executions: f64,
    /// Blocks of the innermost one; none without such a loop.
    blocks: HashSet<Block>,
}

impl GroupLoops {
    /// The loops around each loop over work-items. Rows and planes are none, of which all loops have the
    /// same number.
    pub fn find(function: Value, loops: &[WorkItemLoop]) -> Vec<Self> {
        let cfg = Cfg::compute(function);
        let forest = LoopForest::compute(&cfg.graph, &Dominators::compute(&cfg.graph));
        let find = |of: &WorkItemLoop| {
            let innermost = forest.innermost[cfg.number(of.header)];
            let around = std::iter::successors(innermost, |number| forest.loops[*number].parent);
            let group = around.map(|number| &forest.loops[number]).filter(|l| {
                let mut latches = l.latches.iter().map(|latch| cfg.blocks[*latch]);
                !latches.any(is_of_work_items)
            });
            let mut found = Self {
                executions: 1.0,
                blocks: HashSet::new(),
            };
            for l in group {
                if found.blocks.is_empty() {
                    found.blocks = l.nodes.iter().map(|node| cfg.blocks[*node]).collect();
                }
                let mut counts = l.latches.iter().map(|latch| trip_count(cfg.blocks[*latch]));
                found.executions *= counts.next().flatten().unwrap_or(ASSUMED_TRIP_COUNT);
            }
            found
        };
        loops.iter().map(find).collect()
    }

    /// Whether a value is computed from what changes from one iteration of the innermost loop to the next,
    /// and is not computed by work-items, as `is_inside` says.
    pub fn changes(&self, value: Value, is_inside: impl Fn(Value) -> bool) -> bool {
        if self.blocks.is_empty() {
            return false;
        }
        let mut seen = Vec::new();
        let mut pending = vec![value];
        while let Some(value) = pending.pop() {
            if !value.is_instruction() || seen.contains(&value) || seen.len() == MAX_OPERATIONS {
                continue;
            }
            seen.push(value);
            let may_change = match value.opcode() {
                Opcode::LLVMPHI => !counts_work_items(value),
                Opcode::LLVMLoad => !value.is_marked_invariant(),
                _ => false,
            };
            if may_change && !is_inside(value) && self.blocks.contains(&value.block()) {
                return true;
            }
            if !value.is(Opcode::LLVMPHI) {
                pending.extend(value.operands());
            }
        }
        false
    }
}

/// The trip count of the loop of a latch that compares its counter with a constant, counted from a constant start or from 0.
pub fn trip_count(latch: Block) -> Option<f64> {
    let branch = latch.terminator();
    let mut condition = Some(branch.operand(0)).filter(|_| branch.successors().len() == 2)?;
    // What a region computes leaves it by a φ with one operand, and is compared with a constant.
    loop {
        if condition.is(Opcode::LLVMPHI)
            && let &[(value, _)] = condition.incoming().as_slice()
        {
            condition = value;
        } else if condition.is(Opcode::LLVMICmp)
            && condition.operand(0).ty() == condition.ty()
            && condition.operand(1).is_constant()
        {
            condition = condition.operand(0);
        } else {
            break;
        }
        if !condition.is_instruction() {
            return None;
        }
    }
    if !condition.is(Opcode::LLVMICmp) || !condition.operand(0).is_instruction() {
        return None;
    }
    let limit = condition.operand(1).as_signed_integer()?;
    let compared = condition.operand(0);
    // The number of the last iteration is compared, or the next one.
    let (counter, next, more) = match compared.is(Opcode::LLVMPHI) {
        true => (compared, compared.incoming_from(latch)?, 1),
        false => (compared.operand(0), compared, 0),
    };
    let is_next = next.is_instruction() && next.is(Opcode::LLVMAdd);
    let step = is_next
        .then(|| next.operand(1))?
        .as_signed_integer()
        .filter(|step| *step > 0)?;
    let distance = limit.checked_sub(constant_start(counter, latch).unwrap_or(0))?;
    let count = (distance / step).checked_add(more)?;
    (count > 0).then_some(count as f64)
}

/// The constant that a φ of a loop starts at.
fn constant_start(counter: Value, latch: Block) -> Option<i64> {
    let is_phi = counter.is_instruction() && counter.is(Opcode::LLVMPHI);
    let incoming = is_phi.then(|| counter.incoming())?;
    let mut starts = incoming.into_iter().filter(|(_, from)| *from != latch);
    starts.next()?.0.as_signed_integer()
}

/// Whether a φ is the counter of a loop over work-items, rows or planes.
fn counts_work_items(phi: Value) -> bool {
    let mut incoming = phi.incoming().into_iter();
    incoming.any(|(next, from)| {
        is_of_work_items(from) && next.is(Opcode::LLVMAdd) && next.operand(0) == phi
    })
}

/// Whether a block ends with the backward branch of a loop over work-items, rows or planes.
fn is_of_work_items(latch: Block) -> bool {
    let kinds = [LoopKind::WorkItems, LoopKind::Rows, LoopKind::Planes];
    let mut kinds = kinds.into_iter();
    kinds.any(|kind| LoopDescriptor::read(latch.terminator(), kind).is_some())
}
