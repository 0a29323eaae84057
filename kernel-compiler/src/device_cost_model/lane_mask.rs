//! What serves the lane mask of hthreads programs in code for the host. On the machine each vector
//! operation obeys the mask by itself.

use crate::intrinsics::LANE_MASK;
use crate::ir::{Opcode, Value};

/// Whether an instruction selects lanes by the mask, or only serves that.
pub fn is_part(instruction: Value) -> bool {
    let is_mask = |value: Value| {
        value.is_instruction() && value.is(Opcode::LLVMBitCast) && is_load_of_mask(value.operand(0))
    };
    match instruction.opcode() {
        Opcode::LLVMSelect => is_mask(instruction.operand(0)),
        Opcode::LLVMLoad => {
            is_load_of_mask(instruction)
                || (instruction.ty().is_vector() && only_fills_lanes(instruction, is_mask))
        }
        _ => false,
    }
}

/// Whether a value is nothing but the old contents of selections by the mask.
fn only_fills_lanes(value: Value, is_mask: impl Fn(Value) -> bool + Copy) -> bool {
    let users = value.users();
    !users.is_empty()
        && users.into_iter().all(|user| match user.opcode() {
            Opcode::LLVMSelect => is_mask(user.operand(0)) && user.operand(1) != value,
            Opcode::LLVMBitCast => only_fills_lanes(user, is_mask),
            _ => false,
        })
}

fn is_load_of_mask(value: Value) -> bool {
    value.is_instruction()
        && value.is(Opcode::LLVMLoad)
        && value.operand(0).is_instruction()
        && value.operand(0).is(Opcode::LLVMCall)
        && value.operand(0).calls(LANE_MASK)
}
