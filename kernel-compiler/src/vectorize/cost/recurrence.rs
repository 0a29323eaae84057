//! Loops whose iterations wait for what the one before computes or loads.

use crate::analysis::compact_cfg::Loop;
use crate::analysis::loop_mark::{LoopMark, WALKED_ITERATIONS};
use crate::ir::{Block, Opcode, TypeKind, Value};
use crate::vectorize::plan::VectorPlan;

/// Operations of an iteration followed from what it passes on to what it got.
const MAX_OPERATIONS: usize = 16;

/// Instructions of an iteration that a value is followed to.
const MAX_SOURCES: usize = 32;

/// The iterations of the kernel that a loop executes in one of its own, if each waits for the one before, as it adds to a
/// floating-point number or multiplies it.
pub fn iterations(plan: &VectorPlan<'_>, l: &Loop) -> Option<u64> {
    let header = plan.blocks()[l.header];
    let latch = plan.blocks()[l.latch];
    let iterations = match LoopMark::RowWalk.is_on(latch) {
        true => WALKED_ITERATIONS,
        false => 1,
    };
    let phis = header.phis().into_iter().filter(|phi| is_float(*phi));
    let mut numbers = phis.filter_map(|phi| Some((phi, phi.incoming_from(latch)?)));
    let is_carried = |(phi, next)| is_computed_from(next, phi, header, iterations as usize);
    numbers.any(is_carried).then_some(iterations)
}

fn is_float(value: Value) -> bool {
    matches!(
        value.ty().kind(),
        TypeKind::LLVMFloatTypeKind | TypeKind::LLVMDoubleTypeKind
    )
}

/// Whether floating-point arithmetic computes a value from a φ of the header, in some iterations.
fn is_computed_from(value: Value, phi: Value, header: Block, iterations: usize) -> bool {
    let is_arithmetic = |value: Value| match value.opcode() {
        Opcode::LLVMFAdd | Opcode::LLVMFSub | Opcode::LLVMFMul => true,
        Opcode::LLVMCall => value.is_elementwise_call(),
        _ => false,
    };
    let is_other_phi = |value: Value| value.block() == header && value.is(Opcode::LLVMPHI);
    let mut found = vec![value];
    let mut followed = 0;
    while followed < found.len() && followed < MAX_OPERATIONS * iterations {
        let value = found[followed];
        followed += 1;
        if !value.is_instruction() || is_other_phi(value) || !is_arithmetic(value) {
            continue;
        }
        for operand in value.operands() {
            if operand == phi {
                return true;
            }
            if !operand.is_function() && !found.contains(&operand) {
                found.push(operand);
            }
        }
    }
    false
}

/// How the iterations of a loop find where the next one loads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Walk {
    /// They compute it from what they load, as of a list.
    Computed,
    /// They select it by what they load, as a binary search does.
    Selected,
}

/// How each iteration of a loop loads from where what the one before has loaded says, if any does.
pub fn walk(plan: &VectorPlan<'_>, l: &Loop) -> Option<Walk> {
    let header = plan.blocks()[l.header];
    let latch = plan.blocks()[l.latch];
    let lane_loads = |of: &Value| of.is(Opcode::LLVMLoad) && !plan.shape(*of).is_uniform();
    let walk_of = |phi: Value| {
        let next = phi.incoming_from(latch)?;
        let returns = |load: &Value| sources(plan, l, load.operand(0)).contains(&phi);
        let found_by = |value| {
            sources(plan, l, value)
                .into_iter()
                .filter(lane_loads)
                .any(|load| returns(&load))
        };
        let is_selected = next.is_instruction() && next.is(Opcode::LLVMSelect);
        if is_selected && found_by(next.operand(0)) {
            return Some(Walk::Selected);
        }
        found_by(next).then_some(Walk::Computed)
    };
    header.phis().into_iter().filter_map(walk_of).max()
}

/// The instructions of an iteration that a value is computed from. Which branches are taken is predicted.
fn sources(plan: &VectorPlan<'_>, l: &Loop, value: Value) -> Vec<Value> {
    let number = |of: Value| of.is_instruction().then(|| plan.block_number(of.block()))?;
    let is_inside = |of: &Value| number(*of).is_some_and(|number| l.contains(number));
    let mut found: Vec<Value> = Some(value).into_iter().filter(is_inside).collect();
    let mut followed = 0;
    while followed < found.len() && followed < MAX_SOURCES {
        let value = found[followed];
        followed += 1;
        if value.is(Opcode::LLVMPHI) && number(value) == Some(l.header) {
            continue;
        }
        for operand in value.operands() {
            if is_inside(&operand) && !found.contains(&operand) {
                found.push(operand);
            }
        }
    }
    found
}
