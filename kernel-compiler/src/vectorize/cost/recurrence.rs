//! Loops whose iterations wait for the floating-point arithmetic of the one before.

use crate::analysis::compact_cfg::Loop;
use crate::ir::{Block, Opcode, TypeKind, Value};
use crate::vectorize::plan::VectorPlan;

/// Operations followed from what an iteration passes on to what it got.
const MAX_DEPTH: u32 = 8;

/// Whether a loop adds to a floating-point number in each iteration, or multiplies it.
pub fn is_in(plan: &VectorPlan<'_>, l: &Loop) -> bool {
    let header = plan.blocks()[l.header];
    let latch = plan.blocks()[l.latch];
    let phis = header.instructions().into_iter();
    phis.filter(|i| i.is(Opcode::LLVMPHI) && is_float(*i))
        .any(|phi| {
            let incoming = phi.incoming().into_iter();
            let mut from_latch = incoming.filter(|(_, from)| *from == latch);
            from_latch.any(|(next, _)| is_computed_from(next, phi, header, MAX_DEPTH))
        })
}

fn is_float(value: Value) -> bool {
    matches!(
        value.ty().kind(),
        TypeKind::LLVMFloatTypeKind | TypeKind::LLVMDoubleTypeKind
    )
}

/// Whether floating-point arithmetic computes a value from a φ of the header.
fn is_computed_from(value: Value, phi: Value, header: Block, depth: u32) -> bool {
    if depth == 0 || !value.is_instruction() || value.block() == header && value.is(Opcode::LLVMPHI)
    {
        return false;
    }
    let is_arithmetic = match value.opcode() {
        Opcode::LLVMFAdd | Opcode::LLVMFSub | Opcode::LLVMFMul => true,
        Opcode::LLVMCall => value.is_elementwise_call(),
        _ => false,
    };
    let operands = value.operands().into_iter();
    let mut operands = operands.filter(|operand| !operand.is_function());
    is_arithmetic && operands.any(|of| of == phi || is_computed_from(of, phi, header, depth - 1))
}
