//! Conditions that a number is one of the best ones so far, which few numbers are: `if (distance < best[COUNT - 1])`.

use crate::ir::{Opcode, Value};
use crate::vectorize::plan::VectorPlan;

/// Whether the branch at the end of a block compares a number with an element of a private array, to which blocks that it
/// guards store.
pub fn is_record(plan: &VectorPlan<'_>, number: usize) -> bool {
    let condition = plan.blocks()[number].terminator().operand(0);
    let is_comparison = condition.is_instruction()
        && (condition.is(Opcode::LLVMFCmp) || condition.is(Opcode::LLVMICmp));
    if !is_comparison {
        return false;
    }
    let operands = condition.operands().into_iter();
    let loads = operands.filter(|of| of.is_instruction() && of.is(Opcode::LLVMLoad));
    let arrays: Vec<Value> = loads
        .filter_map(|load| private_array(load.operand(0)))
        .collect();
    // Dominators have lower numbers.
    let guarded =
        (number + 1..plan.blocks().len()).filter(|block| is_guarded(plan, *block, number));
    let mut instructions = guarded.flat_map(|block| plan.blocks()[block].instructions());
    let is_stored_to = |store: Value| {
        let array = private_array(store.operand(1));
        array.is_some_and(|array| arrays.contains(&array))
    };
    !arrays.is_empty()
        && instructions.any(|store| store.is(Opcode::LLVMStore) && is_stored_to(store))
}

/// Whether it depends on the branch at the end of block `number` whether a block runs.
fn is_guarded(plan: &VectorPlan<'_>, block: usize, number: usize) -> bool {
    let cfg = plan.cfg();
    let mut dominators = std::iter::successors(Some(block), |of| Some(cfg.dominator[*of]));
    dominators.find(|of| *of <= number) == Some(number) && !cfg.post_dominates(block, number)
}

/// The private array that a pointer into it is computed from.
fn private_array(pointer: Value) -> Option<Value> {
    let mut at = pointer;
    while at.is_instruction() && at.is(Opcode::LLVMGetElementPtr) {
        at = at.operand(0);
    }
    let is_array = at.is_instruction() && at.is(Opcode::LLVMAlloca);
    is_array.then_some(at)
}
