//! What instructions do with a condition of all lanes.

use crate::ir::{Opcode, TypeKind, Value};
use llvm_sys::LLVMIntPredicate::{LLVMIntEQ, LLVMIntNE};

/// Whether a user of a condition of all lanes makes an integer of it, or takes that of one lane.
pub fn takes_bits(user: Value) -> bool {
    match user.opcode() {
        Opcode::LLVMBitCast => user.ty().kind() == TypeKind::LLVMIntegerTypeKind,
        Opcode::LLVMExtractElement => user.operand(1).as_integer().is_some(),
        _ => false,
    }
}

/// The operation by which the conditions of several registers become one, if the bits of a condition are only compared with
/// those of no lane, or of all lanes.
pub fn reduction(bits: Value) -> Option<Opcode> {
    if !bits.is(Opcode::LLVMBitCast) || bits.ty().kind() != TypeKind::LLVMIntegerTypeKind {
        return None;
    }
    let users = bits.users();
    let are_compared_with = |number: Value| {
        users.iter().all(|user| {
            user.is(Opcode::LLVMICmp)
                && matches!(user.predicate(), LLVMIntEQ | LLVMIntNE)
                && user.operand(1) == number
        })
    };
    match bits.ty() {
        ty if are_compared_with(ty.zero()) => Some(Opcode::LLVMOr),
        ty if are_compared_with(ty.all_ones()) => Some(Opcode::LLVMAnd),
        _ => None,
    }
}
