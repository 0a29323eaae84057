//! Whether everything in a loop over work-items has a vector form.

use super::instruction_queries::components;
use super::plan::VectorPlan;
use super::rejection::Rejection;
use crate::ir::{Opcode, Value};
use std::collections::BTreeSet;

/// Checks that vector code can be written for a plan.
///
/// # Errors
/// The first obstacle found.
pub fn check(plan: &VectorPlan<'_>) -> Result<(), Rejection> {
    check_types(plan)?;
    check_loop_exits(plan)
}

fn check_types(plan: &VectorPlan<'_>) -> Result<(), Rejection> {
    let has_form = |value: Value| {
        value.ty().is_void() || plan.shape(value).is_scalar() || components(value.ty()).is_some()
    };
    let is_data =
        |value: &Value| !value.is_function() && (value.is_instruction() || value.is_constant());
    for instruction in plan.instructions() {
        let operands = instruction.operands();
        if !has_form(instruction) || !operands.into_iter().filter(is_data).all(has_form) {
            return Err(Rejection::UnsupportedType);
        }
        let stores_aggregate =
            instruction.is(Opcode::LLVMStore) && components(instruction.operand(0).ty()).is_none();
        if stores_aggregate || instruction.is(Opcode::LLVMAlloca) {
            return Err(Rejection::UnsupportedAccess);
        }
    }
    Ok(())
}

/// Follows the order in which linearised code visits blocks: where all active lanes leave a loop
/// at once, no block of the loop may have lanes pending.
fn check_loop_exits(plan: &VectorPlan<'_>) -> Result<(), Rejection> {
    let (cfg, divergence) = (plan.cfg(), plan.divergence());
    let mut pending = vec![BTreeSet::new(); cfg.len()];
    for number in 0..cfg.len() {
        for (l, is_divergent) in cfg.loops.iter().zip(&divergence.divergent_loops) {
            if l.header == number && *is_divergent {
                pending[number].extend(l.exit_blocks());
            }
        }
        let is_divergent = divergence.divergent_branches[number];
        let waiting = pending[number].clone();
        if let Some(l) = cfg.innermost[number] {
            let l = &cfg.loops[l];
            let leaves = l.exits_from(number) || l.latch == number;
            if leaves && !is_divergent && waiting.iter().any(|&block| l.contains(block)) {
                return Err(Rejection::UnsupportedLoopExit);
            }
        }
        let forward = cfg.successors[number].iter().copied();
        let forward: Vec<usize> = forward.filter(|&to| to > number).collect();
        let targets: Vec<Vec<usize>> = if is_divergent {
            vec![forward]
        } else {
            forward.into_iter().map(|to| vec![to]).collect()
        };
        for targets in targets {
            let mut next = waiting.clone();
            next.extend(targets);
            while let Some(first) = next.pop_first() {
                pending[first].extend(next.iter().copied());
            }
        }
    }
    Ok(())
}
