//! Loops whose iterations wait for the floating-point arithmetic of the one before.

use crate::analysis::compact_cfg::Loop;
use crate::analysis::loop_mark::{LoopMark, WALKED_ITERATIONS};
use crate::ir::{Block, Opcode, TypeKind, Value};
use crate::vectorize::plan::VectorPlan;

/// Operations of an iteration followed from what it passes on to what it got.
const MAX_OPERATIONS: usize = 16;

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
